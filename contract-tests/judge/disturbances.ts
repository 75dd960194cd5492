// What disturbs a staging, as layers between a server and the suite: none of it is a fault of the server.
import type { Fetch } from '../engine/terms.ts';
import { between, pick, type Roll } from './dice.ts';
import { type Loose, parse } from './operators/exchange.ts';
import type { Layer, Stage } from './staging.ts';

type Make = (stage: Stage) => Layer;

/** Calls of the API; all others pass. */
const api = (url: string): boolean => url.includes('/v1/');

const answered = (status: number, headers: Headers, body: string | null): Response =>
  new Response([204, 205, 304].includes(status) ? null : body, { status, headers });

/** Puts other headers on every answer. */
const headed =
  (change: (headers: Headers, stage: Stage) => void): Make =>
  (stage) =>
  (next) =>
  async (url, init) => {
    const response = await next(url, init);
    const headers = new Headers(response.headers);
    change(headers, stage);
    return answered(response.status, headers, await response.text());
  };

export const dateless = headed((headers) => headers.delete('date'));
export const dated = headed((headers, { time }) => headers.set('date', new Date(time.now()).toUTCString()));

/** Date is set by another clock than the one that dates the records. */
export const datedApart = (ms: number): Make =>
  headed((headers, { time }) => headers.set('date', new Date(time.now() + ms).toUTCString()));

export const slowly =
  (least: number, most: number, roll: Roll): Make =>
  ({ time }) =>
  (next) =>
  async (url, init) => {
    if (!api(url)) return next(url, init);
    const whole = between(least, most, roll);
    const there = Math.floor(whole * roll());
    await time.sleep(there);
    const response = await next(url, init);
    await time.sleep(whole - there);
    return response;
  };

const page = (title: string) =>
  `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr></body></html>`;

const html =
  (status: number, title: string, headers: Record<string, string> = {}) =>
  () =>
    new Response(page(title), { status, headers: { 'content-type': 'text/html', server: 'nginx/1.25.3', ...headers } });

const broken = (code: string) => (): Response => {
  throw Object.assign(new TypeError('fetch failed'), { cause: { code, message: code } });
};

const FAILURES: readonly (() => Response)[] = [
  html(502, '502 Bad Gateway'),
  html(503, '503 Service Temporarily Unavailable'),
  html(504, '504 Gateway Time-out'),
  html(500, '500 Internal Server Error'),
  html(403, '403 Forbidden', { 'cf-mitigated': 'challenge' }),
  html(429, '429 Too Many Requests'),
  () => Response.json({ message: 'Service Unavailable' }, { status: 503 }),
  () => Response.json({ message: 'Endpoint request timed out' }, { status: 504, headers: { 'x-amzn-errortype': 'x' } }),
  () => new Response('upstream connect error or disconnect/reset before headers', { status: 503 }),
  () => new Response('', { status: 502 }),
  broken('ECONNRESET'),
  broken('ECONNREFUSED'),
  broken('UND_ERR_SOCKET'),
  broken('UND_ERR_CONNECT_TIMEOUT'),
  broken('EPIPE'),
];

/** What tells nothing about whether a request was served. */
const LOSSES: readonly (() => Response)[] = [
  broken('ECONNRESET'),
  broken('UND_ERR_SOCKET'),
  broken('UND_ERR_HEADERS_TIMEOUT'),
  html(502, '502 Bad Gateway'),
  html(504, '504 Gateway Time-out'),
];

/** A gateway answers in place of the server, or nobody does: what it was asked for was not done. */
export const gateway =
  (share: number, roll: Roll): Make =>
  () =>
  (next) =>
  async (url, init) =>
    api(url) && roll() < share ? pick(FAILURES, roll)() : next(url, init);

/** The server has done what it was asked for, and nobody hears of it. */
export const losing =
  (share: number, roll: Roll): Make =>
  () =>
  (next) =>
  async (url, init) => {
    const response = await next(url, init);
    return api(url) && roll() < share ? pick(LOSSES, roll)() : response;
  };

/** The server itself fails now and then, before or after its work. */
export const flaky =
  (share: number, roll: Roll): Make =>
  () =>
  (next) =>
  async (url, init) => {
    const fails = api(url) && roll() < share;
    const at = new URL(url);
    const harmless = `${at.origin}${at.pathname.slice(0, at.pathname.indexOf('/v1/'))}/v1/users/me`;
    const served = !fails || roll() < 0.5;
    const response = await (served ? next(url, init) : next(harmless, { headers: init?.headers ?? {} }));
    if (!fails || response.status === 401) return response;
    const headers = new Headers(response.headers);
    headers.set('content-type', 'application/json');
    return answered(500, headers, JSON.stringify({ error: { code: 'internal_error', message: 'Oops.', details: {} } }));
  };

const LISTS = /\/v1\/(projects|tasks|teams|workspace\/members|projects\/[^/]+\/tasks|tasks\/[^/]+\/comments)$/;

const listOf = (url: string, init: RequestInit | undefined): URL | undefined => {
  const at = new URL(url);
  return (init?.method ?? 'GET') === 'GET' && LISTS.test(at.pathname) ? at : undefined;
};

/** An answer in the server's own words to a request that it would accept. */
const refusal = async (next: Fetch, at: URL, init: RequestInit | undefined, field: string): Promise<Response> => {
  const harmless = new URL(at);
  harmless.search = '';
  const response = await next(harmless.href, init);
  if (response.status !== 200) return response;
  const headers = new Headers(response.headers);
  const error = {
    code: 'validation_error',
    message: 'Not like that.',
    details: { fields: [{ field, issue: 'is not allowed' }] },
  };
  return answered(400, headers, JSON.stringify({ error }));
};

/** Lists have a smallest limit above 1. */
export const leastLimit =
  (least: number, refuses: boolean): Make =>
  () =>
  (next) =>
  async (url, init) => {
    const at = listOf(url, init);
    const asked = at?.searchParams.get('limit');
    if (!at || !asked || !/^[1-9]\d*$/.test(asked) || Number(asked) >= least) return next(url, init);
    if (refuses) return refusal(next, at, init, 'limit');
    at.searchParams.set('limit', String(least));
    return next(at.href, init);
  };

/** Beside a cursor only some parameters are taken: it keeps the others, as it keeps the filters. */
export const cursorBeside =
  (taken: readonly string[]): Make =>
  () =>
  (next) => {
    const kept = new Map<string, [string, string][]>();
    return async (url, init) => {
      const at = listOf(url, init);
      if (!at) return next(url, init);
      const cursor = at.searchParams.get('cursor');
      const names = [...at.searchParams.keys()].filter((name) => name !== 'cursor');
      const strange = names.find((name) => !taken.includes(name) && (/^(limit|sort)$/.test(name) || name.startsWith('filter[')));
      if (cursor !== null && strange) return refusal(next, at, init, strange);
      for (const [name, value] of kept.get(cursor ?? '') ?? []) if (!at.searchParams.has(name)) at.searchParams.set(name, value);
      const response = await next(at.href, init);
      if (response.status !== 200) return response;
      const text = await response.text();
      const following: unknown = parse(text)?.meta?.next_cursor;
      if (typeof following === 'string')
        kept.set(
          following,
          [...at.searchParams].filter(([name]) => name !== 'cursor'),
        );
      return answered(200, response.headers, text);
    };
  };

const STRANGE = [
  'a/b',
  '../',
  '..',
  '%2F',
  '%',
  ' ',
  'é',
  '日本',
  '😀',
  '?x=1',
  '#',
  '&',
  '+',
  ';',
  '"',
  "'",
  '\\',
  '<b>',
  '|',
  '~',
  ':',
  '@',
];
const ID_FIELDS = new Set(['id', 'project_id', 'assignee_id', 'author_id', 'owner_id']);

/** Every id is another one outside than it is inside. */
export const oddIds = (roll: Roll): { layer: Make; rewrite: (body: Loose) => Loose } => {
  const parts = Array.from({ length: between(1, 6, roll) }, () => pick(STRANGE, roll));
  // What a URL takes for a step to another path is no id that a service could give.
  const isStep = (text: string) => /^(\.|%2e){1,2}$/i.test(text);
  while (
    parts
      .join('')
      .split(/[/\\]|%2f|%5c/i)
      .some(isStep)
  )
    parts.pop();
  const mark = `o${parts.join('')}${roll() < 0.3 ? 'x'.repeat(400) : ''}:`;
  const outside = (id: unknown) => (typeof id === 'string' && id !== '' ? `${mark}${id}` : id);
  const inside = (id: unknown) => (typeof id === 'string' && id.startsWith(mark) ? id.slice(mark.length) : id);
  const change = (value: Loose, map: (id: unknown) => unknown): Loose => {
    if (Array.isArray(value)) return value.map((one) => change(one, map));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        if (ID_FIELDS.has(name)) return [name, map(one)];
        if (name === 'member_ids' && Array.isArray(one)) return [name, one.map(map)];
        return [name, change(one, map)];
      }),
    );
  };
  const layer: Make = () => (next) => async (url, init) => {
    if (!api(url)) return next(url, init);
    const at = new URL(url);
    const segment = (part: string) => {
      try {
        return encodeURIComponent(String(inside(decodeURIComponent(part))));
      } catch {
        return part;
      }
    };
    const query = [...at.searchParams];
    const mapped = query.map(([name, value]) => [
      name,
      /^filter\[(assignee_id|project_id)\]$/.test(name) ? String(inside(value)) : value,
    ]);
    if (mapped.some(([, value], i) => value !== query[i]![1])) at.search = new URLSearchParams(mapped as string[][]).toString();
    at.pathname = at.pathname.split('/').map(segment).join('/');
    const body = parse(typeof init?.body === 'string' ? init.body : undefined);
    const sent = body === undefined ? init : { ...init, body: JSON.stringify(change(body, inside)) };
    const response = await next(at.href, sent);
    const text = await response.text();
    const json = parse(text);
    return answered(response.status, response.headers, json === undefined ? text : JSON.stringify(change(json, outside)));
  };
  return { layer, rewrite: (body) => change(body, outside) };
};

/** What has no value is not there. */
export const withoutNulls = (value: Loose): Loose => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== null)
      .map(([name, one]) => [name, withoutNulls(one)]),
  );
};
