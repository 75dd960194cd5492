// A run of a client's command under a plan, what is asked of the judge, and what it found.
import type { ServiceTerms } from './conditions.ts';
import type { AdviceName, DutyName } from './duties.ts';
import type { ExchangeNote, Note } from './notes.ts';
import type { TrialPlan } from './trial-fetch.ts';

/** One run of the command. */
export interface TrialRun {
  readonly passed: boolean;
  /** Names of failed tests, from its output. */
  readonly tests: readonly string[];
  readonly status: number;
  readonly output: string;
  readonly seconds: number;
  readonly notes: readonly Note[];
}

export interface JudgeOptions {
  /** Runs the command once. @param what describes the run once it has ended */
  readonly run: (plan: TrialPlan, what: () => string) => Promise<TrialRun>;
  readonly service: ServiceTerms;
  readonly workers: number;
  /** Runs in which a failure must repeat. */
  readonly repeat: number;
  /** Ids and phases; empty: all. */
  readonly only: readonly string[];
}

export type RuleName = DutyName | AdviceName;

/** A breach that was confirmed. */
export interface Found {
  readonly rule: RuleName;
  readonly says: string;
  readonly conditions: readonly { readonly kind: string; readonly name: string; readonly value: string }[];
  /** The plan that repeats it. */
  readonly plan: TrialPlan;
  /** Whether the command fails; otherwise the breach is in what the client sends. */
  readonly isFailure: boolean;
  readonly tests: readonly string[];
  readonly output: string;
  /** The request that met the condition, and what the client did next. */
  readonly requests: readonly Pick<ExchangeNote, 'method' | 'path' | 'status'>[];
}
