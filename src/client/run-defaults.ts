// The defaults of a verdict, in programs and on the command line.

/** `repeat`: runs in which a failure must repeat, the first one included. */
export const RUN_DEFAULTS = { repeat: 2, workers: 2 } as const;
