// What a recording has taken of what came in, before secrets are masked.
import type { Snapshot } from '../control/snapshot.ts';
import type { Asking } from '../control/tape.ts';
import type { RawBody } from '../http/body.ts';
import type { Outcome } from '../webhooks/delivery.ts';
import type { Sending } from '../webhooks/sender.ts';

/** What was responded, as it is kept until a file is written. */
export interface Responded {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What came in, before secrets are masked. */
export interface Taken {
  readonly n: number;
  readonly at: number;
  readonly world: string;
  readonly joined: boolean;
  readonly what:
    | {
        readonly kind: Asking;
        readonly method: string;
        readonly path: string;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: RawBody | undefined;
      }
    | { readonly kind: 'call'; readonly call: string; readonly given: readonly unknown[] }
    | { readonly kind: 'clock'; readonly wait: number }
    | {
        readonly kind: 'receiver';
        readonly attempt: number;
        readonly delivery: string;
        readonly outcome: Outcome | undefined;
        readonly sent: Pick<Sending, 'headers' | 'body'>;
      }
    | { readonly kind: 'gone'; readonly request: number };
  late?: boolean;
  responded?: Responded;
}

/** What is recorded of one world. */
export interface Kept {
  readonly origin: Snapshot;
  readonly taken: readonly Taken[];
}
