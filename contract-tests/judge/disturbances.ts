// Disturbances of a staging, as layers between a server and the suite: none is a fault of the server.

import { between, pick, type Roll } from '../engine/dice.ts';
import type { Fetch } from '../engine/terms.ts';
import { type Loose, parse } from './operators/exchange.ts';
import { isApi, type Layer } from './staging.ts';

const makeResponse = (status: number, headers: Headers, body: string | null): Response =>
  new Response([204, 205, 304].includes(status) ? null : body, { status, headers });

/** Puts another Date on every response; undefined takes it off. */
const headed =
  (date: (now: number) => number | undefined): Layer =>
  async (next, url, init, { time }) => {
    const response = await next(url, init);
    const headers = new Headers(response.headers);
    const at = date(time.now());
    if (at === undefined) headers.delete('date');
    else headers.set('date', new Date(at).toUTCString());
    return makeResponse(response.status, headers, await response.text());
  };

export const dateless = headed(() => undefined);
/** Date is set by another clock than the one that dates the records. */
export const datedApart = (ms: number): Layer => headed((now) => now + ms);

export const slowly =
  (shortest: number, longest: number, roll: Roll): Layer =>
  async (next, url, init, { time }) => {
    if (!isApi(url)) return next(url, init);
    const whole = between(shortest, longest, roll);
    const there = Math.floor(whole * roll());
    await time.sleep(there);
    const response = await next(url, init);
    await time.sleep(whole - there);
    return response;
  };

const html =
  (status: number, title: string, headers: Record<string, string> = {}) =>
  () =>
    new Response(`<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr></body></html>`, {
      status,
      headers: { 'content-type': 'text/html', server: 'nginx/1.25.3', ...headers },
    });

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
  ...['ECONNRESET', 'ECONNREFUSED', 'UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT', 'EPIPE'].map(broken),
];

/** Failures that tell nothing about whether a request was served. */
const LOSSES: readonly (() => Response)[] = [
  ...['ECONNRESET', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'].map(broken),
  html(502, '502 Bad Gateway'),
  html(504, '504 Gateway Time-out'),
];

/** A gateway responds in place of the server, or there is no response: the request was not served. */
export const gateway =
  (share: number, roll: Roll): Layer =>
  async (next, url, init) =>
    isApi(url) && roll() < share ? pick(FAILURES, roll)() : next(url, init);

/** The server has served the request, and its response is lost. */
export const losing =
  (share: number, roll: Roll): Layer =>
  async (next, url, init) => {
    const response = await next(url, init);
    return isApi(url) && roll() < share ? pick(LOSSES, roll)() : response;
  };

/** The server itself fails now and then, before or after its work. */
export const flaky =
  (share: number, roll: Roll): Layer =>
  async (next, url, init) => {
    const fails = isApi(url) && roll() < share;
    const at = new URL(url);
    const harmless = `${at.origin}${at.pathname.slice(0, at.pathname.indexOf('/v1/'))}/v1/users/me`;
    const served = !fails || roll() < 0.5;
    const response = await (served ? next(url, init) : next(harmless, { headers: init?.headers ?? {} }));
    if (!fails || response.status === 401) return response;
    const headers = new Headers(response.headers);
    headers.set('content-type', 'application/json');
    return makeResponse(500, headers, JSON.stringify({ error: { code: 'internal_error', message: 'Oops.', details: {} } }));
  };

const LISTS = /\/v1\/(projects|tasks|teams|workspace\/members|projects\/[^/]+\/tasks|tasks\/[^/]+\/comments)$/;

const listOf = (url: string, init: RequestInit | undefined): URL | undefined => {
  const at = new URL(url);
  return (init?.method ?? 'GET') === 'GET' && LISTS.test(at.pathname) ? at : undefined;
};

/** A response in the server's own words to a request that it would accept. */
const refusal = async (next: Fetch, at: URL, init: RequestInit | undefined, field: string): Promise<Response> => {
  const response = await next(at.origin + at.pathname, init);
  if (response.status !== 200) return response;
  const details = { fields: [{ field, issue: 'is not allowed' }] };
  const error = { code: 'validation_error', message: 'Not like that.', details };
  return makeResponse(400, new Headers(response.headers), JSON.stringify({ error }));
};

/** Lists have a smallest limit above 1. */
export const leastLimit =
  (smallest: number, refuses: boolean): Layer =>
  async (next, url, init) => {
    const at = listOf(url, init);
    const limit = at?.searchParams.get('limit');
    if (!at || !limit || !/^[1-9]\d*$/.test(limit) || Number(limit) >= smallest) return next(url, init);
    if (refuses) return refusal(next, at, init, 'limit');
    at.searchParams.set('limit', String(smallest));
    return next(at.href, init);
  };

/** Beside a cursor only some parameters are taken: it keeps the others, as it keeps the filters. */
export const cursorBeside = (taken: readonly string[]): Layer => {
  const kept = new Map<string, [string, string][]>();
  return async (next, url, init) => {
    const at = listOf(url, init);
    if (!at) return next(url, init);
    const query = at.searchParams;
    const cursor = query.get('cursor');
    const names = [...query.keys()].filter((name) => /^(limit|sort|filter\[.*)$/.test(name));
    const strange = names.find((name) => !taken.includes(name));
    if (cursor !== null && strange) return refusal(next, at, init, strange);
    for (const [name, value] of kept.get(cursor ?? '') ?? []) if (!query.has(name)) query.set(name, value);
    const response = await next(at.href, init);
    if (response.status !== 200) return response;
    const text = await response.text();
    const following: unknown = parse(text)?.meta?.next_cursor;
    const others = [...query].filter(([name]) => name !== 'cursor');
    if (typeof following === 'string') kept.set(following, others);
    return makeResponse(200, response.headers, text);
  };
};

const STRANGE = `a/b ../ .. %2F % \u00a0 é 日本 😀 ?x=1 # & + ; " ' \\ <b> | ~ : @`
  .split(' ')
  .map((one) => one.replace('\u00a0', ' '));
const ID_FIELDS = new Set(['id', 'project_id', 'assignee_id', 'author_id', 'owner_id', 'member_ids']);
/** A segment that a URL takes for a step to another path is no id that a service could give. */
const hasStep = (text: string) => text.split(/[/\\]|%2f|%5c/i).some((part) => /^(\.|%2e){1,2}$/i.test(part));

/** This with another value for each id. */
const mapped = (value: Loose, map: (id: unknown) => unknown): Loose => {
  if (Array.isArray(value)) return value.map((one) => mapped(one, map));
  if (typeof value !== 'object' || value === null) return value;
  const member = (name: string, one: Loose) => {
    if (!ID_FIELDS.has(name)) return mapped(one, map);
    return Array.isArray(one) ? one.map(map) : map(one);
  };
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, member(name, one)]));
};

/** Every id is another one outside than it is inside. */
export const oddIds = (roll: Roll): { layer: Layer; rewrite: (body: Loose) => Loose } => {
  const parts = Array.from({ length: between(1, 6, roll) }, () => pick(STRANGE, roll));
  while (hasStep(parts.join(''))) parts.pop();
  const mark = `o${parts.join('')}${roll() < 0.3 ? 'x'.repeat(400) : ''}:`;
  const outside = (id: unknown) => (typeof id === 'string' && id !== '' ? `${mark}${id}` : id);
  const inside = (id: unknown) => (typeof id === 'string' && id.startsWith(mark) ? id.slice(mark.length) : id);
  const segment = (part: string) => {
    try {
      return encodeURIComponent(String(inside(decodeURIComponent(part))));
    } catch {
      return part;
    }
  };
  const layer: Layer = async (next, url, init) => {
    if (!isApi(url)) return next(url, init);
    const at = new URL(url);
    for (const [name, value] of [...at.searchParams])
      if (/^filter\[(assignee_id|project_id)\]$/.test(name) && inside(value) !== value)
        at.searchParams.set(name, String(inside(value)));
    at.pathname = at.pathname.split('/').map(segment).join('/');
    const body = parse(typeof init?.body === 'string' ? init.body : undefined);
    const sent = body === undefined ? init : { ...init, body: JSON.stringify(mapped(body, inside)) };
    const response = await next(at.href, sent);
    const text = await response.text();
    const json = parse(text);
    return makeResponse(response.status, response.headers, json === undefined ? text : JSON.stringify(mapped(json, outside)));
  };
  return { layer, rewrite: (body) => mapped(body, outside) };
};

/** A member without a value is not there. */
export const withoutNulls = (value: Loose): Loose => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const set = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(set.map(([name, one]) => [name, withoutNulls(one)]));
};
