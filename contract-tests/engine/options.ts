// Options of runContract.

import type { KnownDeviation } from './baseline.ts';
import type { Release } from './releases.ts';
import type { Fetch, Role } from './terms.ts';
import type { Time } from './time.ts';

export const PROFILES = ['read-only', 'core', 'full'] as const;
export type Profile = (typeof PROFILES)[number];
export const ALLOWANCES = ['webhooks', 'quota', 'slow'] as const;
export type Allowance = (typeof ALLOWANCES)[number];

export interface WalkOptions {
  readonly steps: number;
  readonly seed: number;
}

export interface ContractOptions {
  /** The target; ends in /v1. */
  readonly baseUrl: string;
  readonly keys: { readonly [R in Role]?: string | undefined };
  /** Replaces the global fetch: a target in the same process needs no socket. */
  readonly fetch?: Fetch | undefined;
  /** A wm-mock's control API. */
  readonly controlUrl?: string | undefined;
  readonly controlToken?: string | undefined;
  /** The URL at which the target reaches the suite's receiver. */
  readonly receiverUrl?: string | undefined;
  readonly receiverPort?: number | undefined;
  readonly taskWithComments?: string | undefined;
  readonly profile?: Profile | undefined;
  /** The release to judge by; absent: the one that the target shows itself to be. */
  readonly release?: Release | undefined;
  readonly allow?: readonly Allowance[] | undefined;
  readonly maxRpm?: number | undefined;
  readonly requireComplete?: boolean | undefined;
  /** Folder of the artefacts; false writes none. */
  readonly reportDir?: string | false | undefined;
  /** The OpenAPI document, parsed; absent: that of the judged release in the openapi folder of this package. */
  readonly document?: object | undefined;
  /** Makes the document of a release whose file this package does not have. */
  readonly documentOf?: ((release: Release) => object) | undefined;
  /** The wait for one response, in milliseconds (default 20,000). */
  readonly timeoutMs?: number | undefined;
  /** How long a delivery is waited for, in milliseconds; absent: a minute, or more where deliveries take longer. A virtual clock waits for it at no cost. */
  readonly patienceMs?: number | undefined;
  /** Who says what time it is and waits; absent: the control clock, else the real one. */
  readonly time?: Time | undefined;
  /** Sends a random session instead of the checks. */
  readonly walk?: WalkOptions | undefined;
  /** Shuffles the checks; the same number gives the same order. */
  readonly order?: number | undefined;
  /** Judges a part: requirements whose id begins so, and those that checks judge whose id begins so. */
  readonly only?: readonly string[] | undefined;
  /** Judges what the report in the report folder says failed. */
  readonly rerunFailed?: boolean | undefined;
  /** Violations that are known: they are in the report and do not fail the run. */
  readonly baseline?: readonly KnownDeviation[] | undefined;
  /** A YAML or JSON file that holds them. */
  readonly baselineFile?: string | undefined;
  /** A file that receives the violations of this run as a baseline to fill in. */
  readonly writeBaseline?: string | undefined;
  /** Ends the run at the first violation. */
  readonly bail?: boolean | undefined;
  /** Leaves what the run made on the target, so that a violation can be looked at there. */
  readonly keep?: boolean | undefined;
  /** Tries every situation, with no budget of requests. */
  readonly thorough?: boolean | undefined;
  /** Sent with every request, for a gateway in front of the target. Their values are in no artefact. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Aborts to end the run: it removes what it made, and its verdict is error. */
  readonly stop?: AbortSignal | undefined;
  /** Receives progress, a line at a time. */
  readonly log?: ((line: string) => void) | undefined;
  /** Receives GitHub annotations, a line for each violation; give it when GITHUB_ACTIONS is set. */
  readonly annotate?: ((line: string) => void) | undefined;
  /** A file that a summary in Markdown is added to, as GitHub wants it. */
  readonly summaryFile?: string | undefined;
}
