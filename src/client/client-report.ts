// The types of a report: client.json, and what the entry point resolves to.

export type Phase = 'conduct' | 'tolerance' | 'failure' | 'order' | 'events';

export interface Duty {
  readonly id: string;
  readonly title: string;
  readonly phase: Phase;
  /** The sentence of the spec that states or implies it, and its line. */
  readonly spec: { readonly quote: string; readonly line: number };
  /** The situation in which it counts. */
  readonly when: string;
}

export interface Advice {
  readonly id: string;
  readonly title: string;
  readonly why: string;
}

export type DutyStatus = 'kept' | 'broken' | 'unseen';

export interface ClientFinding {
  readonly id: string;
  /** The id of a duty or an advice. */
  readonly duty: string;
  readonly says: string;
  /** The changes that make it; empty where the client's requests break the duty. */
  readonly conditions: readonly { readonly kind: string; readonly name: string; readonly value: string }[];
  readonly test?: string;
  /** All tests that it breaks. */
  readonly tests: readonly string[];
  /** The first 40 lines of what the test or the command said. */
  readonly failure: string;
  /** The line of the app's code that the failure names. */
  readonly code?: string;
  /** The request that met the condition, and what the client did next. */
  readonly requests: readonly { readonly method: string; readonly path: string; readonly status: number }[];
  /** The command that repeats it. */
  readonly repeat: string;
  readonly flaky: false;
  /** Accepted by the baseline. */
  readonly accepted: boolean;
  /** The plan that `--rerun` follows. */
  readonly plan: object;
  readonly isFailure: boolean;
}

export interface DutyResult extends Duty {
  readonly status: DutyStatus;
  readonly seen: number;
  readonly findings: readonly string[];
}

export interface ClientReport {
  readonly version: 1;
  readonly command: string;
  readonly verdict: 'kept' | 'broken' | 'error';
  readonly seconds: number;
  readonly runs: number;
  readonly duties: readonly DutyResult[];
  readonly advice: readonly (Advice & { readonly findings: readonly string[] })[];
  readonly findings: readonly ClientFinding[];
  /** Failures now and then, which are no findings. */
  readonly unsteady: readonly string[];
  readonly coverage: { readonly operations: readonly string[]; readonly of: number };
  /** Why there is no verdict. */
  readonly error?: string;
}
