// Every number of the spec, once.

/** Lengths in characters (Unicode code points). */
export const LENGTHS = {
  projectName: 150,
  projectDescription: 1000,
  taskTitle: 255,
  taskDescription: 10_000,
  teamName: 100,
} as const;

/** Page sizes of every list; the spec leaves the least open. */
export const PAGE = { least: 1, usual: 20, most: 100 } as const;

/** Requests a minute by plan. `unlimited` is not the service's: it serves UI work and load tests. */
export const PLANS = { free: 60, pro: 300, business: 1000, unlimited: 1_000_000 } as const;
export type Plan = keyof typeof PLANS;

/** The plan whose limit equals the spec's other statement, 300 a minute. */
export const DEFAULT_PLAN: Plan = 'pro';

/** The ceiling of one key under the spec's second statement, requests a minute. */
export const KEY_CEILING = 300;

export const WINDOW_MS = 60_000;

/** The lengths that a workspace's window can have here, so that a test of retries takes seconds, milliseconds. */
export const WINDOW_RANGE_MS = { least: 1000, most: 3_600_000 } as const;

/** Delay before each retry of a webhook, milliseconds, counted from the failure before it. */
export const RETRY_DELAYS_MS = [30_000, 120_000, 600_000, 1_800_000, 7_200_000] as const;

/** A receiver has this long to acknowledge, milliseconds. */
export const ACKNOWLEDGE_MS = 10_000;

/** Largest request body, bytes; ours, the spec leaves it open. */
export const BODY_BYTES = 1_048_576;
