// The recorded input before secrets are masked.

import type { RawBody } from '../../service/http/body.ts';
import type { Outcome } from '../../service/webhooks/delivery.ts';
import type { Sending } from '../../service/webhooks/sender.ts';
import type { Snapshot } from '../control/snapshot.ts';
import { madeByCall, madeByRequest } from './file.ts';
import type { CallStep, ClockStep, Expected, GoneStep, ReceiverStep, RequestStep } from './format.ts';
import type { Made } from './past.ts';

/** A response, as kept until a file is written. */
export interface Responded extends Pick<Expected, 'status' | 'headers'> {
  readonly text: string;
}

/** A step before secrets are masked. */
export interface Taken {
  readonly n: number;
  readonly at: number;
  readonly world: string;
  /** The same for steps that arrived together, before any had an effect. */
  readonly turn: number;
  readonly what:
    | (Pick<RequestStep, 'kind' | 'method' | 'path' | 'headers'> & { readonly body: RawBody | undefined })
    | ({ readonly kind: 'call' } & Pick<CallStep, 'call' | 'given'>)
    | Pick<ClockStep, 'kind' | 'wait'>
    | (Pick<ReceiverStep, 'kind' | 'attempt' | 'delivery'> & {
        readonly outcome: Outcome | undefined;
        readonly sent: Pick<Sending, 'headers' | 'body'>;
      })
    | Pick<GoneStep, 'kind' | 'request'>;
  late?: boolean;
  responded?: Responded;
  /** How many positions were assigned when it got its response. */
  until?: number;
}

/** A world's recording, with its ancestors and the worlds made from it. */
export interface Kept {
  readonly world: string;
  /** The first world of its file. */
  readonly root: string;
  /** How each of its worlds began. */
  readonly origins: ReadonlyMap<string, Snapshot>;
  readonly taken: readonly Taken[];
}

/** The world that a step has made, other than its own. */
export const madeBy = ({ what, world, responded }: Taken): Made | undefined => {
  if (!responded) return undefined;
  if (what.kind === 'call') return madeByCall(what.call, what.given, responded.status);
  if (!('path' in what)) return undefined;
  const { kind, method, path, body } = what;
  const made = madeByRequest({ kind, method, path, body: body && 'text' in body ? body.text : '' }, responded);
  return made?.id === world ? undefined : made;
};
