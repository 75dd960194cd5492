// One request and its response, and tolerant ways to read it: a broken envelope is reported once.
import type { Operation } from './operations.ts';
import type { Role } from './terms.ts';

export type Json = { readonly [key: string]: unknown };

export interface Exchange {
  readonly number: number;
  readonly method: string;
  /** Path below the base URL, without query. */
  readonly path: string;
  readonly query: string;
  readonly url: string;
  readonly as: Role | 'keyless';
  /** The base URL of a world that the control API has made for the run. Absent: it went to the target. */
  readonly world?: string;
  /** The workspace of an unknown key, as far as its records tell. */
  readonly workspace?: string;
  /** The key is a good one that is no role's. */
  readonly keyed?: true;
  readonly operation: Operation | undefined;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is empty or no JSON. */
  readonly json: unknown;
  /** The target's clock when the response came, as well as it is known: see Skew. */
  readonly at: number;
  /** Our clock when it was asked and when the response came. */
  readonly sent: number;
  readonly came: number;
  /** Earlier tries of this request that got no response, each of which may have been served. Absent: none. */
  readonly lost?: number;
  /** It overlapped with other requests of the run: those of them that write. Absent: it was under way alone. */
  readonly beside?: readonly Sent[];
  /** A 429 again and again, while the run's own key is served: no budget is the reason. */
  readonly persists?: true;
  /** Why the body cannot be taken as it came, as the end of "a response …". Absent: it can. */
  readonly flaw?: string;
  /** The id that it gives to what it made was there before, as that of another client's record. */
  readonly strange?: true;
}

/** Facts of a request, whether or not a response came. */
export type Sent = Pick<Exchange, 'method' | 'path' | 'as' | 'world' | 'workspace' | 'operation' | 'requestBody'> & {
  readonly noResponse?: true;
};

export const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

export const succeeded = (x: Exchange): boolean => x.status >= 200 && x.status < 300;
export const refused = (x: Exchange): boolean => x.status >= 400 && x.status < 500;

/** The workspace that a request is about. */
export const workspaceOf = ({ world, workspace, as }: Pick<Exchange, 'world' | 'workspace' | 'as'>): string =>
  world ?? workspace ?? (as === 'other' ? 'other' : 'own');

/** The single resource of a response, also when it is not under data. */
export const resource = (x: Exchange): Json => {
  const json = x.json;
  if (!isRecord(json)) return {};
  return isRecord(json.data) ? json.data : json;
};

/** The secret that a registration shows, also when it is not under data. */
export const secretOf = (x: Exchange): string | undefined =>
  text(resource(x).secret) ?? text(isRecord(x.json) ? x.json.secret : undefined);

/** No more records of a page are looked at; the specification allows a tenth of them. */
const MAX_RECORDS = 1000;

/** The records of a list, also when they are not under items. */
export const records = (x: Exchange): readonly Json[] => {
  const json = x.json;
  const found = Array.isArray(json) ? json : isRecord(json) ? (json.items ?? json.data) : undefined;
  return Array.isArray(found) ? found.slice(0, MAX_RECORDS).filter(isRecord) : [];
};

export const metaOf = (x: Exchange): Json => (isRecord(x.json) && isRecord(x.json.meta) ? x.json.meta : {});

export const errorOf = (x: Exchange): Json => (isRecord(x.json) && isRecord(x.json.error) ? x.json.error : {});

export const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

export const idOf = (value: Json): string | undefined => text(value.id);

export const ids = (list: readonly Json[]): string[] => list.map((item) => String(item.id));

/** Null and absent are both "no value". */
export const absent = (value: unknown): boolean => value === null || value === undefined;

export const faultyFields = (x: Exchange): string[] => {
  const details = errorOf(x).details;
  const fields = isRecord(details) && Array.isArray(details.fields) ? details.fields : [];
  return fields.filter(isRecord).map((entry) => String(entry.field));
};

/** Whether details.fields names the field, alone or within a path. */
export const namesField = (x: Exchange, field: string): boolean =>
  faultyFields(x).some((name) => name === field || name.split(/[./[\]]/).includes(field));

/** The part that is kept of a page of traffic, which has no end. */
export const withoutBody = (x: Exchange): Exchange => ({ ...x, text: '', json: undefined });

/** Whether the target's clock showed one second in two responses that are more than a second apart. */
export const standsStill = (a: Exchange, b: Exchange): boolean => {
  const date = a.headers.get('date');
  return date !== null && date === b.headers.get('date');
};

/** The value of a JSON text; undefined when it is none. */
export const jsonIn = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
};

/** The members of a JSON text that is an object; of another text none. */
export const objectIn = (text: string | undefined): Json => {
  const json = jsonIn(text);
  return isRecord(json) ? json : {};
};

/** The string literal that begins at a quote; undefined when none ends. A pattern would run out of stack on a long one. */
const literalAt = (body: string, start: number): string | undefined => {
  let end = start + 1;
  while (end < body.length && body[end] !== '"') end += body[end] === '\\' ? 2 : 1;
  return end < body.length ? body.slice(start, end + 1) : undefined;
};

const segments = (literal: string): string[] => {
  try {
    return [JSON.parse(literal) as string];
  } catch {
    return [];
  }
};

/** The texts of a JSON body, also of one that is broken. */
export const textsIn = (body: string): string[] => {
  const found: string[] = [];
  for (let at = body.indexOf('"'); at >= 0; at = body.indexOf('"', at)) {
    const literal = literalAt(body, at);
    if (literal === undefined) break;
    found.push(...segments(literal));
    at += literal.length;
  }
  return found;
};

/** The texts that members of that name hold, in order; undefined for one that is broken. */
export const membersIn = (body: string, member: string): (string | undefined)[] =>
  [...body.matchAll(new RegExp(`"${member}"\\s*:\\s*"`, 'g'))].map(({ 0: { length }, index }) => {
    const literal = literalAt(body, index + length - 1);
    return literal === undefined ? undefined : segments(literal)[0];
  });
