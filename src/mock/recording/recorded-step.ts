// A step as it is recorded, before secrets are masked. That of a service request holds its exchange, whose texts are made on demand.
import type { RawBody } from '../../service/http/body.ts';
import { type Exchange, withPageText } from '../../service/http/exchange.ts';
import { WORLD_PREFIX } from '../../service/http/paths.ts';
import { headerPairs, type RequestInfo } from '../../service/http/request-info.ts';
import { type PlainResponse, respond, shareWithOrigin } from '../../service/http/respond.ts';
import type { Outcome } from '../../service/webhooks/delivery.ts';
import type { Sending } from '../../service/webhooks/sender.ts';
import type { RecordedStart } from '../control/recorder.ts';
import type { Snapshot } from '../control/snapshot.ts';
import type { MadeWorld } from './past-worlds.ts';
import type { ClockStep, GoneStep, ReceiverStep, RequestStep } from './steps.ts';

export type RequestInput = Pick<RequestStep, 'kind' | 'method' | 'path' | 'headers'> & { readonly body: RawBody | undefined };

type OtherInput =
  | Pick<ClockStep, 'kind' | 'wait'>
  | (Pick<ReceiverStep, 'kind' | 'attempt' | 'delivery'> & {
      readonly outcome: Outcome | undefined;
      readonly sent: Pick<Sending, 'headers' | 'body'>;
    })
  | Pick<GoneStep, 'kind' | 'request'>;

interface StepPlace {
  readonly n: number;
  readonly at: number;
  readonly world: string;
  /** Equal for steps that arrived together, before any had an effect. */
  readonly turn: number;
  late?: boolean;
  /** Over at once, with nothing changed. */
  isRead?: boolean;
  made?: MadeWorld | undefined;
  /** How many positions were assigned when it got its response. */
  until?: number;
  /** Size in memory. */
  characters: number;
}

export interface RecordedStep extends StepPlace {
  readonly input: RequestInput | OtherInput;
  readonly response?: PlainResponse | undefined;
}

/** Its texts are made when it is read. */
export interface HeldStep extends StepPlace {
  readonly input: OtherInput | (() => RequestInput);
  response?: (() => PlainResponse) | undefined;
}

export const readStep = ({ input, response, ...step }: HeldStep): RecordedStep => ({
  ...step,
  input: typeof input === 'function' ? input() : input,
  ...(response && { response: response() }),
});

/** @param body whole: the journal cuts a long one */
export const requestInput =
  (
    kind: RequestStep['kind'],
    { url, method, headers }: Pick<RequestInfo, 'url' | 'method' | 'headers'>,
    body: RawBody | undefined,
  ) =>
  (): RequestInput => {
    const map = new Headers(headerPairs(headers) as [string, string][]);
    // As sent: a URL object changes some characters of the path.
    const path = url.slice(url.indexOf('/', url.indexOf('//') + 2)).replace(WORLD_PREFIX, '');
    return { kind, method, path, headers: { ...Object.fromEntries(map), host: map.get('host') ?? new URL(url).host }, body };
  };

/** The response of an exchange. Not all of the exchange is held: its changes keep earlier versions of records. */
export const exchangeResponse = ({ request, response, terms, at, aborted }: Exchange) => {
  if (aborted) return () => ({ status: 0, headers: {}, text: '' });
  return (): PlainResponse => {
    const { headerMap: headers } = request;
    const plain = respond(response, at, terms);
    const made = headers.has('origin') ? shareWithOrigin({ headers }, plain) : plain;
    return { status: made.status, headers: Object.fromEntries(made.headers), text: withPageText({ response, terms }).text ?? '' };
  };
};

/** The states of a start: those before one in this list may be the base of it. */
export const statesOf = ({ origin, snapshots, now }: RecordedStart): readonly Snapshot[] => [
  origin,
  ...snapshots.values(),
  ...(now ? [now] : []),
];

/** A state to start from, and how what begins after it is counted. */
export interface WorldStart extends RecordedStart {
  /** How many steps precede it. */
  readonly dropped: number;
  readonly attempts: number;
  readonly waits: number;
  /** The wait that was pending then: the first one of a world that starts there. */
  readonly pending: number | undefined;
}

/** A world's recording, with its ancestors and the worlds made from it. */
export interface WorldRecording {
  readonly world: string;
  /** The first world of its file. */
  readonly root: string;
  readonly origins: ReadonlyMap<string, Snapshot>;
  /** Where its first world starts, if not at its origin. */
  readonly start?: WorldStart | undefined;
  readonly steps: readonly RecordedStep[];
  /** Numbers of the steps in its file, by their positions. */
  readonly numbers: ReadonlyMap<number, number>;
  /** How many earlier steps it lacks; undefined: it keeps all. */
  readonly dropped: number | undefined;
}
