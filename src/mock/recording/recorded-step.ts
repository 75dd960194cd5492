// A recorded step and the recording of a world, before secrets are masked.

import type { RawBody } from '../../service/http/body.ts';
import type { Outcome } from '../../service/webhooks/delivery.ts';
import type { Sending } from '../../service/webhooks/sender.ts';
import type { ControlReply } from '../control/call.ts';
import type { Snapshot } from '../control/snapshot.ts';
import { type Made, madeByRequest } from './past-worlds.ts';
import type { ClockStep, GoneStep, ReceiverStep, RequestStep } from './steps.ts';

/** A step before secrets are masked. */
export interface RecordedStep {
  readonly n: number;
  readonly at: number;
  readonly world: string;
  /** The same for steps that arrived together, before any had an effect. */
  readonly turn: number;
  readonly input:
    | (Pick<RequestStep, 'kind' | 'method' | 'path' | 'headers'> & { readonly body: RawBody | undefined })
    | Pick<ClockStep, 'kind' | 'wait'>
    | (Pick<ReceiverStep, 'kind' | 'attempt' | 'delivery'> & {
        readonly outcome: Outcome | undefined;
        readonly sent: Pick<Sending, 'headers' | 'body'>;
      })
    | Pick<GoneStep, 'kind' | 'request'>;
  late?: boolean;
  response?: ControlReply;
  /** How many positions were assigned when it got its response. */
  until?: number;
}

/** A world's recording, with its ancestors and the worlds made from it. */
export interface WorldRecording {
  readonly world: string;
  /** The first world of its file. */
  readonly root: string;
  /** How each of its worlds began. */
  readonly origins: ReadonlyMap<string, Snapshot>;
  readonly steps: readonly RecordedStep[];
}

/** The world that a step has made, other than its own. */
export const madeBy = ({ input, world, response }: RecordedStep): Made | undefined => {
  if (!response || !('path' in input)) return undefined;
  const { method, path, body } = input;
  const made = madeByRequest({ method, path, body: body && 'text' in body ? body.text : '' }, response);
  return made?.id === world ? undefined : made;
};
