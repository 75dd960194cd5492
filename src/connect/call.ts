// A call of the control API over HTTP, typed by the row of its table.
import type { CONTROL, ControlId } from '../mock/control/operations.ts';
import type { RecordCallId } from '../mock/control/record-types.ts';
import type { FieldIssue } from '../service/contract/errors.ts';
import type { Is } from '../service/contract/schema.ts';

/** Excludes the inbox, the event stream and the panel, which are not calls; records have their own functions. */
type CallableRow = (typeof CONTROL)[Exclude<ControlId, 'receive' | 'listen' | 'panel' | RecordCallId>];
type RowWithCall<C> = Extract<CallableRow, { readonly call: C }>;
type BodyArgument<R> = R extends { body: infer S } ? (Record<never, never> extends Is<S> ? [body?: Is<S>] : [body: Is<S>]) : [];
type QueryArgument<R> = R extends { query: infer Q } ? [query?: { readonly [K in keyof Q]?: string | number | undefined }] : [];
type CallArguments<C> = [
  ...(C extends `${string}{${string}` ? [variable: string] : []),
  ...BodyArgument<RowWithCall<C>>,
  ...QueryArgument<RowWithCall<C>>,
];
/** Response of a call; undefined if its row names none. */
type CallResponse<C> = RowWithCall<C> extends { response: infer S } ? Is<S> : undefined;

/**
 * Makes any call of the control API: `control('PATCH /workspaces/{id}', 'ws_acme', { plan: 'free' })`. Path parameters come first,
 * then the body or the query. @throws Refusal when the mock refuses it, Error when no mock responds
 */
export type ControlCall = <C extends CallableRow['call']>(call: C, ...given: CallArguments<C>) => Promise<CallResponse<C>>;

/** A call that the mock has refused. */
export interface Refusal extends Error {
  readonly name: 'Problem';
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldIssue[];
}

export interface Transport {
  /** URL of the control API; ends in `/_mock`. */
  readonly url: string;
  readonly token?: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

const createConnectError = (says: string, cause?: unknown): Error =>
  new Error(`connect: ${says} Give the control_url that npx wm-mock prints at its start. docs/exec.md of wm-mock has more.`, {
    cause,
  });

/** The server is not a wm-mock. */
export const createStrangerError = (url: string, status = 200): Error =>
  createConnectError(`${url} responded with ${status}, and not as a wm-mock does.`);

interface RefusalEnvelope {
  readonly error?: Pick<Refusal, 'code' | 'message'> & { readonly details?: { readonly fields?: readonly FieldIssue[] } };
}

const readResponse = async (url: string, response: Response): Promise<unknown> => {
  const text = await response.text();
  if (response.ok && (text === '' || !response.headers.get('content-type')?.includes('json'))) return text || undefined;
  let read: RefusalEnvelope | undefined;
  try {
    read = JSON.parse(text) as RefusalEnvelope;
  } catch {}
  if (response.ok && read) return read;
  if (!read?.error) throw createStrangerError(url, response.status);
  const { code, message, details } = read.error;
  throw Object.assign(new Error(message), { name: 'Problem', status: response.status, code, fields: details?.fields ?? [] });
};

const queryText = (query: object = {}): string => {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value ?? '')]))}`;
};

/** The calls of one world, by method and path. */
export const createCaller =
  ({ url, token, fetch }: Transport) =>
  async (stated: string, ...given: unknown[]): Promise<unknown> => {
    const [method, path] = stated.split(' ') as [string, string];
    const filled = path.replace(/\{\w+\}/, () => encodeURIComponent(String(given.shift())));
    const [last] = given as [object?];
    const sent = method !== 'GET' && last !== undefined ? { body: JSON.stringify(last) } : {};
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...('body' in sent ? { 'content-type': 'application/json' } : {}),
    };
    const address = `${url}${filled}${method === 'GET' ? queryText(last) : ''}`;
    const response = await fetch(address, { method, headers, ...sent }).catch((error: Error) => {
      throw createConnectError(
        `no server responds at ${url} (${(error.cause as Error | undefined)?.message || error.message}).`,
        error,
      );
    });
    return readResponse(address, response);
  };
