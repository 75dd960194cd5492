// Reads a request and its response text by text: each is of the contract, or is replaced.
import { ERRORS } from '../../service/contract/errors.ts';
import { EVENT_NAMES } from '../../service/contract/resources.ts';
import { isObject } from '../../service/contract/schema.ts';
import { PRIORITIES, ROLES, SCOPES, STATUSES, VISIBILITIES } from '../../service/contract/states.ts';
import { decodeText } from '../../service/lists/query.ts';
import { toUtc } from '../../service/validation/formats.ts';
import { readJson } from '../../service/validation/json-text.ts';
import { FIELDS } from '../../service/world/records.ts';
import { REDACTED, type TextKind } from './pseudonyms.ts';
import type { Traffic } from './traffic.ts';

/** Returns the text for another one. @param issued whether the service showed it in a success */
export type WriteText = (kind: TextKind, text: string, issued?: boolean) => string;

const ENVELOPE = 'data items meta total limit has_more next_cursor error code message details fields field issue status'.split(
  ' ',
);
const NAMES_OF_CONTRACT = new Set([
  ...ENVELOPE,
  'member_count',
  'members',
  ...Object.values(FIELDS)
    .flat()
    .map(({ name }) => name),
]);
const CODES = [
  ...Object.keys(ERRORS),
  ...'resource_not_found already_exists server_error unsupported_sort method_not_allowed'.split(' '),
];
const QUERY_NAMES = ['limit', 'cursor', 'sort', 'page', 'offset'];
const FIELD_NAMES = [...NAMES_OF_CONTRACT, ...QUERY_NAMES, 'body'];
const VALUES: Readonly<Record<string, readonly string[]>> = {
  status: STATUSES,
  priority: PRIORITIES,
  visibility: VISIBILITIES,
  role: ROLES,
  scope: SCOPES,
  events: [...EVENT_NAMES, '*'],
  code: CODES,
  field: [...FIELD_NAMES, ...FIELD_NAMES.map((name) => `filter[${name}]`)],
};
/** Values of many headers. */
const WORDS_OF_HTTP =
  'http https null true false undefined bearer application/json text/html text/plain gzip deflate utf-8 keep-alive chunked'.split(
    ' ',
  );
const WORDS_OF_CONTRACT = new Set([...FIELD_NAMES, ...Object.values(VALUES).flat(), ...WORDS_OF_HTTP]);
export const isWordOfContract = (text: string): boolean => WORDS_OF_CONTRACT.has(text.toLowerCase());

const ID_NAMES = /^(id|(project|task|assignee|author|owner)_id|member_ids)$/;
const COLLECTIONS = ['projects', 'tasks', 'teams', 'users', 'comments', 'webhooks'];
const PATH_WORDS = [...COLLECTIONS, 'me', 'workspace', 'members'];
const MAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Undefined: a text of the contract, or a time. */
export const kindOfText = (name: string, text: string): TextKind | undefined => {
  if (VALUES[name]?.includes(text)) return undefined;
  if (ID_NAMES.test(name)) return 'id';
  if (name === 'next_cursor' || name === 'cursor') return 'cursor';
  if (name === 'secret') return 'secret';
  // The order of these is that of lists and filters.
  if (/^(title|name|description|body)$/.test(name)) return 'text';
  if (toUtc(text) !== undefined || (name === 'due_date' && /^\d{4}-\d\d-\d\d$/.test(text))) return undefined;
  return MAIL.test(text) ? 'mail' : /^https?:\/\//i.test(text) ? 'url' : 'text';
};

const rewriteJson = (value: unknown, name: string, write: WriteText, issued: boolean): unknown => {
  if (typeof value === 'string') {
    const kind = kindOfText(name, value);
    return kind === undefined ? value : write(kind, value, issued && kind === 'id');
  }
  if (Array.isArray(value)) return value.map((one) => rewriteJson(one, name, write, issued));
  if (!isObject(value)) return value;
  const pairs = Object.entries(value).map(([key, inner]) => {
    const known = NAMES_OF_CONTRACT.has(key);
    return [known ? key : write('text', key), rewriteJson(inner, known ? key : '', write, issued)];
  });
  return Object.fromEntries(pairs);
};

/** A body that is no JSON is redacted whole; its words are noted for messages. */
const rewriteBody = (body: string, write: WriteText, issued: boolean): string => {
  if (body === '') return body;
  const value = readJson(body);
  if (value !== undefined) return JSON.stringify(rewriteJson(value, '', write, issued));
  for (const text of [body.slice(0, 1000), ...(body.slice(0, 100_000).match(/[^\s"'<>=&;:,{}[\]()]{4,}/g) ?? [])])
    for (const form of new Set([text, decodeText(text, true)])) write('secret', form);
  return REDACTED;
};

const rewriteQuery = (pair: string, write: WriteText): string => {
  const [name, value] = [pair.replace(/=.*/s, ''), pair.replace(/^[^=]*=?/, '')].map((text) => decodeText(text, true)) as [
    string,
    string,
  ];
  const field = /^filter\[(.*)\]$/s.exec(name)?.[1];
  const known = (one: string) => (NAMES_OF_CONTRACT.has(one) ? one : write('text', one));
  const shownName = field !== undefined ? `filter[${known(field)}]` : QUERY_NAMES.includes(name) ? name : write('text', name);
  const shownValue = () => {
    if (/^-?\d{1,6}$/.test(value) && name !== 'cursor') return value;
    if (name === 'sort') return value.startsWith('-') ? `-${known(value.slice(1))}` : known(value);
    const kind = kindOfText(field ?? name, value);
    return kind === undefined ? value : write(kind, value);
  };
  const encode = (text: string) => encodeURIComponent(text).replace(/%5B/g, '[').replace(/%5D/g, ']');
  return pair.includes('=') ? `${encode(shownName)}=${encodeURIComponent(shownValue())}` : encode(shownName);
};

const rewriteTarget = (target: string, write: WriteText, issued: boolean): string => {
  const [path = '', ...query] = target.split('?');
  const parts = path.split('/').map((part, i, all) => {
    const text = decodeText(part);
    if (text === '' || PATH_WORDS.includes(text)) return text;
    const isId = COLLECTIONS.includes(all[i - 1] ?? '');
    return encodeURIComponent(write(isId ? 'id' : 'text', text, isId && issued));
  });
  const pairs = query
    .join('?')
    .split('&')
    .map((pair) => (pair === '' ? '' : rewriteQuery(pair, write)));
  return parts.join('/') + (query.length > 0 ? `?${pairs.join('&')}` : '');
};

const MEDIA_TYPES =
  /^(application\/(problem\+)?(json|xml|x-www-form-urlencoded)|text\/(html|plain)|multipart\/form-data)(; *charset=utf-8)?$/i;
const HTTP_DATE = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/;
/** Headers that stay, with the form that their value has. */
const KEPT_HEADERS: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^content-type$/, MEDIA_TYPES],
  [/^(content-length|age|x-ratelimit-(limit|remaining|reset))$/, /^\d{1,16}$/],
  [/^(date|last-modified|expires)$/, HTTP_DATE],
  [/^(retry-after|deprecation|sunset)$/, /^@?\d{1,12}$|^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/],
  [/^www-authenticate$/, /^(Bearer|Basic)$/i],
  [/^cache-control$/, /^((no-(store|cache)|private|public|max-age=\d{1,10}|must-revalidate)(, *|$))+$/],
  [/^allow$/, /^((GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)(, *|$))+$/],
  [/^(connection|transfer-encoding|content-encoding)$/, /^(keep-alive|close|chunked|gzip|br|deflate|identity)$/i],
];
/** A name may be a secret as well. */
const HEADER_NAMES =
  /^(accept(-(encoding|language|charset))?|authorization|cookie|set-cookie|etag|if-(none-)?match|host|location|origin|referer|server|user-agent|vary|via|x-(request-id|api-key|forwarded-(for|host|proto)|real-ip))$/;

const rewriteHeader = (name: string, value: string, write: WriteText): readonly (readonly [string, string])[] => {
  const lower = name.toLowerCase();
  const [, form] = KEPT_HEADERS.find(([one]) => one.test(lower)) ?? [];
  if (form?.test(value)) return [[name, value]];
  const [, scheme, token] = /^(Bearer) +(\S+) *$/i.exec(value) ?? [];
  if (lower === 'authorization' && scheme !== undefined) return [[name, `Bearer ${write('secret', token!)}`]];
  for (const text of [value, ...value.split(/[;,=\s]+/)]) for (const one of [text, decodeText(text)]) write('secret', one);
  if (form && lower === 'www-authenticate' && /^Bearer\b/i.test(value)) return [[name, 'Bearer']];
  if (form || HEADER_NAMES.test(lower)) return [[name, REDACTED]];
  write('secret', name);
  return [];
};

/** The exchange with each of its texts rewritten; headers of unknown names are left out. */
export const rewriteTraffic = (traffic: Traffic, write: WriteText): Traffic => {
  const { method, target, requestHeaders, requestBody, response, sent, came } = traffic;
  const headersOf = (headers: Traffic['requestHeaders']) => headers.flatMap(([name, value]) => rewriteHeader(name, value, write));
  return {
    method: /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method) ? method : 'OTHER',
    target: rewriteTarget(target, write, (response?.status ?? 500) < 300),
    requestHeaders: headersOf(requestHeaders),
    requestBody: requestBody === undefined ? undefined : rewriteBody(requestBody, write, false),
    response: response && {
      status: response.status,
      headers: headersOf(response.headers),
      body: rewriteBody(response.body, write, response.status < 300),
    },
    sent,
    came,
  };
};
