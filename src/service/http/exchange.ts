// One exchange: a request and its response, as the journal keeps them; nothing is computed before it is shown.
import type { Problem } from '../contract/errors.ts';
import type { Terms } from '../contract/terms.ts';
import type { PageOf } from '../lists/page.ts';
import type { Faults } from '../world/faults.ts';
import { bytesOfRecord } from '../world/growth.ts';
import type { CloseSignal } from '../world/time.ts';
import type { Caller } from '../world/view.ts';
import type { Quota } from '../world/window.ts';
import type { Change, World } from '../world/world.ts';
import { type BodyBudget, type RawBody, requestText } from './body.ts';
import type { RequestInfo } from './request-info.ts';
import { writePage } from './write.ts';

export interface ServiceResponse {
  readonly status: number;
  /** Null for a page and where there is no body. */
  readonly text: string | null;
  readonly page: PageOf<unknown> | undefined;
  /** Null removes a default header. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly quota: Quota;
  readonly caller: Caller | undefined;
  readonly problem: Problem | undefined;
}

export interface Exchange {
  number: number;
  /** Its numbers on the timeline and in the recording. */
  readonly place?: number | undefined;
  readonly step?: number | undefined;
  /** When it came in real time, milliseconds since 1970. */
  readonly real: number;
  /** When its request came and its response left, milliseconds since 1970 on the clock of the world. */
  readonly at: number;
  readonly ended: number;
  readonly request: RequestInfo;
  /** A page without its text, which would weigh a thousand times eight kilobytes. */
  readonly response: ServiceResponse;
  readonly terms: Terms;
  readonly changes: readonly Change[];
  readonly fault: string | undefined;
  readonly aborted: boolean;
}

export const withPageText = ({ response, terms }: Pick<Exchange, 'response' | 'terms'>): ServiceResponse =>
  response.page ? { ...response, text: writePage(response.page, terms) } : response;

export const bytesOfRequest = ({ url, headers, body }: RequestInfo): number => {
  let chars = url.length;
  for (const header of headers as Iterable<string | readonly string[]>) chars += header.length;
  return 1500 + 2 * chars + 2 * requestText(body).length;
};

export const bytesOfExchange = ({ request, response, changes }: Exchange): number => {
  let sum = bytesOfRequest(request) + 1000 + 2 * (response.text?.length ?? 0);
  if (response.page) sum += 16 * 100;
  if (response.problem) sum += 200 * response.problem.fields.length;
  for (const { after } of changes) sum += bytesOfRecord(after);
  return sum;
};

/** The service of one world, which handles requests and records exchanges. */
export interface Service {
  readonly world: World;
  /** Runs the handler of a request. @returns its place on the timeline, its step and its changes too */
  perform<T>(act: () => T): { readonly value: T } & Pick<Exchange, 'place' | 'step' | 'changes'>;
  record(exchange: Exchange): void;
  readonly faults: Faults;
  readonly closing: CloseSignal;
  /** Exchanges whose response is delayed or held: they have no number yet. */
  readonly held: Set<Exchange>;
  /** Told of each request just before it is handled, where that is recorded or watched. */
  readonly noteRequest?: ((request: Request, body: RawBody | undefined, read: RequestInfo) => void) | undefined;
  /** Told that the client of a delayed or held response has left. */
  readonly noteLeft?: ((request: RequestInfo) => void) | undefined;
  /** Passes on what was read of a request on a turn of its own, where that is recorded. */
  readonly nextTurn?: (<T>(read: T) => Promise<T>) | undefined;
}

export interface Services {
  /** The one that a request is meant for; undefined when its path names a world that is not there. */
  service(path: string, authorization: string | undefined): Service | undefined;
  readonly reading?: BodyBudget;
  /** Delay of every response, milliseconds. */
  readonly latency?: { readonly min: number; readonly max: number };
}

/** Performs a request. @returns what the journal keeps of it; it has no number yet */
export const performExchange = (
  service: Service,
  request: RequestInfo,
  act: () => ServiceResponse,
  fault?: string,
  aborted = false,
): Exchange => {
  const { clock, terms } = service.world;
  const at = clock.now();
  const real = clock.time.now();
  const { value: response, place, step, changes } = service.perform(act);
  const ended = clock.now();
  return { number: 0, place, step, real, at, ended, request: request.shrink(), response, terms, changes, fault, aborted };
};
