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

/** The world that a step has made, beside the one that it was asked of. */
const madeBy = ({ what, responded }: Taken): string | undefined => {
  if (what.kind === 'call' && what.call === 'fork') return (what.given[0] as { readonly id: string }).id;
  const isCall = what.kind === 'control' && what.method === 'POST' && what.path === '/_mock/worlds';
  return isCall && responded?.status === 201 ? (JSON.parse(responded.text) as { readonly id: string }).id : undefined;
};

/** What is recorded of a world. */
export type Recordings = (world: string) => Kept | undefined;

/** What happened in a world and in those made of it, in order. */
export const takenOf = (of: Recordings, world: string, seen = new Set<string>()): Taken[] => {
  if (seen.has(world)) return [];
  seen.add(world);
  const own = of(world)?.taken ?? [];
  const made = own.flatMap((taken) => takenOf(of, madeBy(taken) ?? world, seen));
  return [...own, ...made].sort((a, b) => a.n - b.n);
};
