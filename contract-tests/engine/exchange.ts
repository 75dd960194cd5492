// One request and its answer, and tolerant ways to read it: a broken envelope is reported once and then read all the same.
import type { Operation } from './operations.ts';
import type { Role } from './options.ts';

export type Json = { readonly [key: string]: unknown };

export interface Exchange {
  readonly number: number;
  readonly method: string;
  /** Path below the base URL, without query. */
  readonly path: string;
  readonly query: string;
  readonly url: string;
  readonly as: Role | 'nobody';
  readonly operation: Operation | undefined;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is empty or no JSON. */
  readonly json: unknown;
  /** The target's clock when the answer came, as well as it is known: see Skew. */
  readonly at: number;
  /** Our clock when it was asked and when the answer came. */
  readonly sent: number;
  readonly came: number;
  /** Tries of this very request before it that got no answer: each may have been served all the same. Absent: none. */
  readonly lost?: number;
  /** The body went on past what is read of one, and was cut. */
  readonly cut?: true;
}

export const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

export const succeeded = (x: Exchange): boolean => x.status >= 200 && x.status < 300;
export const refused = (x: Exchange): boolean => x.status >= 400 && x.status < 500;

/** The single resource of an answer, also when it is not under data. */
export const resource = (x: Exchange): Json => {
  const json = x.json;
  if (!isRecord(json)) return {};
  return isRecord(json.data) ? json.data : json;
};

/** The records of a list, also when they are not under items. */
export const records = (x: Exchange): readonly Json[] => {
  const json = x.json;
  const found = Array.isArray(json) ? json : isRecord(json) ? (json.items ?? json.data) : undefined;
  return Array.isArray(found) ? found.filter(isRecord) : [];
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

/** Whether the clock of the target showed the same second in two answers, between which more than a second went by. */
export const standsStill = (a: Exchange, b: Exchange): boolean => {
  const date = a.headers.get('date');
  return date !== null && date === b.headers.get('date');
};

/** The texts of a JSON body, also of one that is broken. */
export const textsIn = (body: string): string[] =>
  [...body.matchAll(/"(?:[^"\\]|\\.)*"/g)].flatMap(([literal]) => {
    try {
      return [JSON.parse(literal) as string];
    } catch {
      return [];
    }
  });
