// HTTP Archives (HAR 1.2) in, as one history of a service's traffic, and out.
import { groupBy } from '../../service/contract/keyed.ts';
import { parseJson, withoutMark } from '../../service/validation/json-text.ts';
import { UsageError } from '../command-line/io.ts';
import type { Traffic } from './traffic.ts';

type Headers12 = readonly { readonly name: string; readonly value: string }[];
interface HarBody {
  readonly text?: string;
  readonly encoding?: string;
  readonly size?: number;
}
interface HarEntry {
  readonly startedDateTime: string;
  readonly time?: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers?: Headers12;
    readonly postData?: HarBody & { readonly params?: Headers12 };
    readonly bodySize?: number;
  };
  readonly response: { readonly status: number; readonly headers?: Headers12; readonly content?: HarBody };
}

const refuseHar = (why: string, todo: string): UsageError =>
  new UsageError(`--har: the traffic cannot be judged: ${why}. ${todo}. See docs/contract.md.`);

const parseEntries = (text: string, n: number): readonly HarEntry[] => {
  const { log } = (parseJson(withoutMark(text)) ?? {}) as { readonly log?: { readonly entries?: readonly HarEntry[] } };
  if (!Array.isArray(log?.entries))
    throw refuseHar(
      `file ${n + 1} is no HTTP Archive: it has no log.entries`,
      'Save it as HAR from the network panel of a browser',
    );
  return log.entries.filter(({ request, response, startedDateTime }: HarEntry) => request && response && startedDateTime);
};

const isJudged = ({ request, response }: HarEntry): boolean => request.method !== 'OPTIONS' && response.status > 0;

/** The first `/v1` of a URL ends the base; the query has none. */
const baseOf = ({ request }: HarEntry): string | undefined =>
  /^https?:\/\/[^/?#]+(\/[^/?#]+)*?\/v1(?=[/?#]|$)/.exec(request.url)?.[0];

const mostFrequent = (values: readonly string[]): string | undefined =>
  [...groupBy(values, (value) => value).values()].sort((a, b) => b.length - a.length)[0]?.[0];

const decodeBody64 = ({ text, encoding }: HarBody): string | undefined =>
  text !== undefined && encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;

/** HTTP/2 has pseudo-headers, which are no headers. */
const pairsOf = (headers: Headers12 = []): (readonly [string, string])[] =>
  headers.flatMap(({ name, value }) => (name.startsWith(':') ? [] : [[name, String(value)] as const]));

/** Undefined where the file lacks the body of a request: its meaning is unknown. */
const trafficOf = ({ request, response, startedDateTime, time = 0 }: HarEntry, base: string): Traffic | undefined => {
  const { postData, bodySize = 0 } = request;
  const params = postData?.params?.length
    ? new URLSearchParams(postData.params.map(({ name, value }) => [name, value]))
    : undefined;
  const sentText = postData && (decodeBody64(postData) ?? params?.toString());
  if (sentText === undefined && bodySize > 0) return undefined;
  const { content = {}, status, headers } = response;
  const isEmpty = content.size === 0 || status === 204 || status === 304 || request.method === 'HEAD';
  const body = decodeBody64(content) ?? (isEmpty ? '' : undefined);
  const sent = Date.parse(startedDateTime);
  return {
    method: request.method,
    target: request.url.slice(base.length).replace(/#.*/s, ''),
    requestHeaders: pairsOf(request.headers),
    requestBody: sentText === '' ? undefined : sentText,
    response: body === undefined ? undefined : { status, headers: pairsOf(headers), body },
    sent,
    came: sent + Math.max(0, time),
  };
};

/** One history out of several files, by time. @throws UsageError that says which file is no HAR, or that none has /v1 */
export const readHar = (texts: readonly string[]): { readonly base: string; readonly traffic: readonly Traffic[] } => {
  const files = texts.map((text, n) => parseEntries(text, n).filter(isJudged));
  const base = mostFrequent(files.flat().flatMap((entry) => baseOf(entry) ?? []));
  if (base === undefined)
    throw refuseHar('it has no request below a /v1', 'Record again with the network panel open before the page loads');
  const known = new Set<string>();
  const merged = files.flatMap((file) => {
    const times = new Map<string, number>();
    return file.filter((entry) => {
      const { request, startedDateTime, time, response } = entry;
      const name = JSON.stringify([startedDateTime, time, request.method, request.url, request.postData?.text, response.status]);
      times.set(name, (times.get(name) ?? 0) + 1);
      const isNew = !known.has(`${name} ${times.get(name)}`);
      known.add(`${name} ${times.get(name)}`);
      return isNew && baseOf(entry) === base;
    });
  });
  const traffic = merged.flatMap((entry) => trafficOf(entry, base) ?? []).filter(({ sent }) => !Number.isNaN(sent));
  return { base, traffic: traffic.sort((a, b) => a.sent - b.sent || a.came - b.came) };
};

const namesAndValues = (pairs: Iterable<readonly [string, string]>) => [...pairs].map(([name, value]) => ({ name, value }));
const UNMEASURED = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 };

const entryFor = (base: string, { method, target, requestHeaders, requestBody: text, response, sent, came }: Traffic) => {
  const typeIn = (headers: Traffic['requestHeaders']) => headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? '';
  const { status = 0, headers = [], body = '' } = response ?? {};
  return {
    startedDateTime: new Date(sent).toISOString(),
    time: came - sent,
    request: {
      ...UNMEASURED,
      method,
      url: base + target,
      headers: namesAndValues(requestHeaders),
      queryString: namesAndValues(new URLSearchParams(target.replace(/^[^?]*\??/s, ''))),
      ...(text !== undefined && { postData: { mimeType: typeIn(requestHeaders), text } }),
    },
    response: {
      ...UNMEASURED,
      status,
      statusText: '',
      headers: namesAndValues(headers),
      content: { size: body.length, mimeType: typeIn(headers), text: body },
      redirectURL: '',
    },
    cache: {},
    timings: { send: 0, wait: came - sent, receive: 0 },
  };
};

export const writeHar = (base: string, traffic: readonly Traffic[]): string => {
  const log = {
    version: '1.2',
    creator: { name: 'wm-mock proxy', version: '' },
    entries: traffic.map((one) => entryFor(base, one)),
  };
  return `${JSON.stringify({ log }, null, 1)}\n`;
};
