// How a mutant is made: a wrapper round fetch that spoils one thing at the HTTP boundary.
import type { Fetch } from '../engine/terms.ts';

// biome-ignore lint/suspicious/noExplicitAny: a mutant takes bodies apart that have no type
export type Loose = any;

export interface Seen {
  readonly method: string;
  /** Below /v1. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Loose;
  readonly raw: string | undefined;
  readonly key: string | undefined;
  readonly authorization: string | undefined;
  readonly base: string;
  /** True when brackets came percent-encoded. */
  readonly encoded: boolean;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  json: Loose;
  text?: string;
}

export type Next = (call: Seen) => Promise<Answer>;
export type Layer = (call: Seen, next: Next) => Promise<Answer>;
/** Made anew for each run, so that a layer may remember. */
export type Wrap = () => Layer;

const parse = (text: string | undefined): Loose => {
  try {
    return text === undefined || text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A fetch with layers round it; calls outside /v1 pass untouched. */
export const wrapped = (fetch: Fetch, wraps: readonly Wrap[]): Fetch => {
  const layers = wraps.map((make) => make());
  return async (input, init = {}) => {
    const url = new URL(input);
    const at = url.pathname.indexOf('/v1/');
    if (at < 0) return fetch(input, init);
    const headers = new Headers(init.headers);
    const authorization = headers.get('authorization') ?? undefined;
    const raw = typeof init.body === 'string' ? init.body : undefined;
    const call: Seen = {
      method: init.method ?? 'GET',
      path: url.pathname.slice(at + 3),
      query: url.searchParams,
      body: parse(raw),
      raw,
      key: /^Bearer (.+)$/.exec(authorization ?? '')?.[1],
      authorization,
      base: url.origin + url.pathname.slice(0, at + 3),
      encoded: /%5b/i.test(url.search),
    };
    const send: Next = async (sent) => {
      const own = new Headers(headers);
      if (sent.authorization === undefined) own.delete('authorization');
      else own.set('authorization', sent.authorization);
      const body = sent.body === call.body ? sent.raw : JSON.stringify(sent.body);
      if (body !== undefined && !own.has('content-type')) own.set('content-type', 'application/json');
      if (body === undefined) own.delete('content-type');
      const text = sent.query.toString();
      const query = text === url.searchParams.toString() ? url.search : text ? `?${text}` : '';
      const response = await fetch(`${sent.base}${sent.path}${query}`, {
        ...init,
        method: sent.method,
        headers: own,
        ...(body === undefined ? { body: null } : { body }),
      });
      return { status: response.status, headers: Object.fromEntries(response.headers), json: parse(await response.text()) };
    };
    const chain = layers.reduceRight<Next>((next, layer) => (sent) => layer(sent, next), send);
    const answer = await chain(call);
    const text = answer.text ?? (answer.json === undefined ? null : JSON.stringify(answer.json));
    const empty = [204, 205, 304].includes(answer.status);
    return new Response(empty ? null : text, { status: answer.status, headers: answer.headers });
  };
};

export type Test = (call: Seen, answer: Answer) => boolean;

/** Spoils answers that meet the test. */
export const after =
  (test: Test, change: (answer: Answer, call: Seen) => void): Wrap =>
  () =>
  async (call, next) => {
    const answer = await next(call);
    if (test(call, answer)) change(answer, call);
    return answer;
  };

/** Spoils requests that meet the test before they arrive. */
export const before =
  (test: (call: Seen) => boolean, change: (call: Seen) => Partial<Seen>): Wrap =>
  () =>
  async (call, next) =>
    next(test(call) ? { ...call, ...change(call) } : call);

/** True for a call written as "GET /projects/*"; * stands for one segment. */
export const is = (...calls: readonly string[]) => {
  const tests = calls.map((text) => {
    const [method, path] = text.split(' ') as [string, string];
    return { method, pattern: new RegExp(`^${path.replaceAll('*', '[^/]+')}$`) };
  });
  return (call: Seen): boolean =>
    tests.some(({ method, pattern }) => (method === 'ANY' || method === call.method) && pattern.test(call.path));
};

export const ok: Test = (_call, answer) => answer.status >= 200 && answer.status < 300;
export const both =
  (...tests: readonly Test[]): Test =>
  (call, answer) =>
    tests.every((test) => test(call, answer));
export const good = (...calls: readonly string[]): Test => both(is(...calls), ok);
export const isList = is(
  'GET /projects',
  'GET /tasks',
  'GET /teams',
  'GET /projects/*/tasks',
  'GET /tasks/*/comments',
  'GET /workspace/members',
);

/** Each single resource or row of an answer. */
export const rows = (answer: Answer): Loose[] => {
  if (Array.isArray(answer.json?.items)) return answer.json.items;
  return answer.json?.data ? [answer.json.data] : [];
};

/** The answer to a harmless request, for its headers. */
export const headersOf = async (call: Seen, next: Next): Promise<Record<string, string>> =>
  (await next({ ...call, method: 'GET', path: '/users/me', query: new URLSearchParams(), body: undefined, raw: undefined }))
    .headers;

export const problem = (status: number, code: string, field?: string): Pick<Answer, 'status' | 'json'> => ({
  status,
  json: { error: { code, message: 'No.', details: field ? { fields: [{ field, issue: 'is not allowed' }] } : {} } },
});

/** Refuses what the test picks, without asking the target. */
export const refuse =
  (test: (call: Seen) => boolean, status: number, code: string, field?: string): Wrap =>
  () =>
  async (call, next) =>
    test(call)
      ? { headers: { ...(await headersOf(call, next)), 'content-type': 'application/json' }, ...problem(status, code, field) }
      : next(call);
