// Every number of the spec, once.

/** Lengths in characters (Unicode code points). */
export const LENGTHS = {
  projectName: 150,
  projectDescription: 1000,
  taskTitle: 255,
  taskDescription: 10_000,
  teamName: 100,
} as const;

/** Records a page of every list; the spec leaves the minimum open. */
export const PAGE_LIMIT = { min: 1, default: 20, max: 100 } as const;

/** Requests a minute by plan. `unlimited` is not the service's: it serves UI work and load tests. */
export const PLANS = { free: 60, pro: 300, business: 1000, unlimited: 1_000_000 } as const;
export type Plan = keyof typeof PLANS;

/** Plan whose limit equals the other one in the spec, 300 a minute. */
export const DEFAULT_PLAN: Plan = 'pro';

/** Limit of one key by the second statement of the spec, requests a minute. */
export const KEY_CEILING = 300;

export const WINDOW_MS = 60_000;

/** Rate windows that a workspace can have, milliseconds: short ones let a test of retries take seconds. */
export const WINDOW_RANGE_MS = { least: 1000, most: 3_600_000 } as const;

/** Delay before each retry of a webhook, milliseconds, counted from the failure before it. After the last one it is given up. */
export const RETRY_DELAYS_MS = [30_000, 120_000, 600_000, 1_800_000, 7_200_000] as const;

/** Timeout of an attempt, milliseconds. */
export const ACKNOWLEDGE_MS = 10_000;

/** The spec leaves this limit open. */
export const MAX_BODY_BYTES = 1_048_576;
