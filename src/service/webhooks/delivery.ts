// An entry of the delivery log: an event for one registration, and each attempt to send it.
import type { Choices } from '../contract/choices.ts';
import type { Envelope } from '../contract/events.ts';
import { RETRY_DELAYS_MS } from '../contract/limits.ts';
import type { DeliveryState } from '../contract/states.ts';
import { momentText } from '../world/time.ts';

/** How an attempt without a response ended. */
const FAILURES = ['timeout', 'refused', 'dns', 'tls', 'reset', 'error'] as const;
export type Failure = (typeof FAILURES)[number];

export type Trigger = 'event' | 'retry' | 'replay';

/** How an attempt ended; `took` is real milliseconds. */
export type Outcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly excerpt?: string;
      readonly error?: string;
      /** The sender sent nothing: there is no way to this receiver. */
      readonly simulated?: true;
      readonly took: number;
    }
  | { readonly kind: Failure; readonly error: string; readonly took: number };

/** Outcomes that `simulate` takes: a status, or a failure. */
export type Scripted = number | Exclude<Failure, 'error'>;

export interface Attempt {
  /** Counts from 1. */
  readonly n: number;
  readonly trigger: Trigger;
  readonly at: string;
  readonly ended_at: string;
  /** On the world's clock: a frozen clock counts a response as 0 ms and a timeout as 10 s. */
  readonly duration_ms: number;
  readonly outcome: Outcome['kind'];
  readonly status?: number;
  readonly error?: string;
  /** Nothing was sent: the receiver is not on this machine, or a browser has no way to it. */
  readonly simulated?: true;
  /** Nothing was sent: a scripted outcome. */
  readonly scripted?: true;
  readonly signature_profile: Choices['signature'];
  /** Whether the signature as sent verifies with the registration's secret. */
  readonly signature_ok: boolean;
  /** The start of the response body. */
  readonly response_excerpt?: string;
  /** A warning: the timestamp is older than receivers usually tolerate. */
  readonly late_timestamp?: string;
}

export type EndedAttempt = Omit<Attempt, 'n'>;

export interface Delivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly workspace_id: string;
  readonly event: Envelope;
  readonly url: string;
  /** As sent; the signature is there from the first attempt on. */
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  readonly state: DeliveryState;
  readonly attempts: readonly Attempt[];
  readonly next_attempt_at: string | null;
  /** The fault that applied to its event. */
  readonly fault?: string;
  /** By a fault: signed with another secret, on every attempt except replays. */
  readonly bad_signature?: true;
  /** By a fault: sent after the next one of its registration. */
  readonly reordered?: true;
  /** The deliveries that are sent after this one. */
  readonly ahead_of?: readonly string[];
  /** Why there are no further attempts, unless the schedule is the reason. */
  readonly stopped?: string;
}

/** The receiver acknowledges with any 2xx (spec: Events). */
export const acknowledged = ({ status = 0 }: Pick<Attempt, 'status'>): boolean => status >= 200 && status <= 299;

/** The delivery after an attempt: its state and next retry. A failed replay changes neither. */
export const afterAttempt = (delivery: Delivery, ended: EndedAttempt, countedFrom: Choices['retry-counted-from']): Delivery => {
  const attempts = [...delivery.attempts, { n: delivery.attempts.length + 1, ...ended }];
  if (acknowledged(ended)) return { ...delivery, attempts, state: 'delivered', next_attempt_at: null };
  if (ended.trigger === 'replay') return { ...delivery, attempts };
  const delay = RETRY_DELAYS_MS[delivery.attempts.length];
  if (delay === undefined) return { ...delivery, attempts, state: 'failed', next_attempt_at: null };
  const from = Date.parse(countedFrom === 'failure' ? ended.ended_at : ended.at);
  return { ...delivery, attempts, state: 'retrying', next_attempt_at: momentText(from + delay) };
};

/** The delivery after its registration was deleted: without further attempts. */
export const stopDelivery = (delivery: Delivery): Delivery => ({
  ...delivery,
  state: 'failed',
  next_attempt_at: null,
  stopped: 'the registration was deleted',
});
