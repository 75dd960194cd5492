// The defaults of matrix and race, in programs and on the command line.

/** `repeat`: runs in which a failure must repeat to count. */
export const RUN_DEFAULTS = { orders: 200, repeat: 2, workers: 1 } as const;

/** Runs with nothing changed, before all others. */
export const BASELINE_RUNS = 2;
