// From a response to its text: envelope, and the style that the open points ask for.
import type { Choices } from '../contract/choices.ts';
import type { Problem } from '../contract/errors.ts';
import type { Field } from '../contract/fields.ts';
import { getOrMake } from '../contract/keyed.ts';
import type { Schema } from '../contract/schema.ts';
import type { Terms } from '../contract/terms.ts';
import { bodyText, forwardWords, isAhead } from '../forward-compat/responses.ts';
import type { PageOf } from '../lists/page.ts';
import { FIELDS, NAMES, ofEach, type RecordName } from '../world/records.ts';

const styledFields = (kinds: readonly RecordName[]) => {
  const named = (fits: (field: Field) => boolean): ReadonlySet<string> =>
    new Set(kinds.flatMap((kind) => FIELDS[kind].filter(fits).map(({ name }) => name)));
  return {
    clearable: named(({ kind }) => kind === 'optional'),
    times: named(({ schema }) => ((schema.items ?? schema) as Schema<unknown>).format === 'date-time'),
    owners: named(({ shown }) => shown === 'owner-field'),
  };
};
const STYLED_FIELDS = ofEach((kind) => styledFields([kind]));
const ALL_STYLED_FIELDS = styledFields(NAMES);

const formatTime = (style: Choices['datetime-format'], text: string): string =>
  style === 'seconds' ? text.replace(/\.\d+Z$/, 'Z') : text.replace(/\.\d+Z$/, '+00:00');

/** A value in the style of the terms. @param kind of its record; without one, any record's names count */
export const formatRecord = <T>(value: T, { choices, contract: { unknownFields, unknownIn } }: Terms, kind?: RecordName): T => {
  const leftOut = choices['absent-values'] === 'left-out';
  const style = choices['datetime-format'];
  const ownerless = choices['owner-field'] === 'absent';
  if (typeof value !== 'object' || value === null) return value;
  const { clearable, times, owners } = kind ? STYLED_FIELDS[kind] : ALL_STYLED_FIELDS;
  const unknown = kind ? unknownIn[kind] : unknownFields;
  const owned = ownerless && owners.size > 0 && 'owner_id' in value;
  if (!leftOut && style === 'milliseconds' && unknown.size === 0 && !owned) return value;
  const fields = Object.entries(value).filter(
    ([field, given]) =>
      !(leftOut && given === null && clearable.has(field)) && !(ownerless && owners.has(field)) && !unknown.has(field),
  );
  if (style === 'milliseconds') return Object.fromEntries(fields) as T;
  const formatted = (one: unknown): unknown =>
    typeof one === 'string' ? formatTime(style, one) : Array.isArray(one) ? one.map(formatted) : one;
  const dated = fields.map(([field, given]) => [field, times.has(field) ? formatted(given) : given]);
  return Object.fromEntries(dated) as T;
};

type PageRow = PageOf<unknown>['rows'][number];

/** Records whose text is kept, and what all those texts weigh together, bytes: the oldest is forgotten first. */
const textCache = new Set<PageRow>();
const MAX_CACHED_BYTES = 24_000_000;
/** A longer text, in characters, is written again: it would keep a record that is long gone. */
const MAX_CACHED_CHARACTERS = 8000;
let cachedBytes = 0;

const cachedBytesOf = ({ text, wide }: PageRow): number => text!.length * (wide ? 2 : 1);

const cacheText = (row: PageRow, text: string): void => {
  row.text = text;
  textCache.add(row);
  cachedBytes += cachedBytesOf(row);
  for (const oldest of textCache) {
    if (cachedBytes <= MAX_CACHED_BYTES) break;
    textCache.delete(oldest);
    cachedBytes -= cachedBytesOf(oldest);
    oldest.text = undefined;
  }
};

/** The text of a record; it is kept when it is written for the second time, for it weighs as much as the record. */
const recordText = (
  row: PageRow,
  { show, kind }: Pick<PageOf<unknown>, 'show' | 'kind'>,
  terms: Terms,
  style: string,
): string => {
  const again = row.style === style;
  if (again && row.text !== undefined) return row.text;
  if (textCache.delete(row)) cachedBytes -= cachedBytesOf(row);
  const text = JSON.stringify(formatRecord(show(row.value as never), terms, kind));
  row.wide = /[^\0-\x7f]/.test(text);
  row.style = style;
  row.text = undefined;
  if (again && text.length <= MAX_CACHED_CHARACTERS) cacheText(row, text);
  return text;
};

const styleCache = new WeakMap<Terms, string>();

const formatStyle = (terms: Terms): string =>
  getOrMake(styleCache, terms, () => {
    const { choices, contract } = terms;
    return `${contract.release} ${choices['absent-values']} ${choices['datetime-format']} ${choices['owner-field']}`;
  });

const pageTexts = (page: PageOf<unknown>, terms: Terms): string[] => {
  const style = formatStyle(terms);
  return page.rows.map((row) => recordText(row, page, terms, style));
};

const PAGE_HEAD = '{"items":[';
const pageTail = ({ meta }: PageOf<unknown>): string => `],"meta":${JSON.stringify(meta)}}`;

/** One join makes one flat text; a sum of texts would be flattened again when it is sent. */
const joinPage = (texts: string[], tail: string): string => {
  if (texts.length === 0) return PAGE_HEAD + tail;
  texts[0] = PAGE_HEAD + texts[0];
  texts[texts.length - 1] += tail;
  return texts.join(',');
};

const writeForwardPage = ({ rows, show, kind, meta }: PageOf<unknown>, terms: Terms): string =>
  bodyText({ items: rows.map(({ value }) => formatRecord(show(value as never), terms, kind)), meta }, terms);

export const writePage = (page: PageOf<unknown>, terms: Terms): string =>
  isAhead(terms) ? writeForwardPage(page, terms) : joinPage(pageTexts(page, terms), pageTail(page));

const UTF_8_ENCODER = new TextEncoder();

/** The bytes of a page: runs of ASCII records between others are encoded at once, which is fast. */
const encodePage = ({ rows }: PageOf<unknown>, texts: readonly string[], tail: string): Uint8Array<ArrayBuffer> => {
  let room = PAGE_HEAD.length + texts.length + tail.length;
  for (let i = 0; i < texts.length; i++) room += (rows[i]!.wide ? 3 : 1) * texts[i]!.length;
  const bytes = new Uint8Array(room);
  let end = 0;
  const put = (part: string) => {
    end += UTF_8_ENCODER.encodeInto(part, bytes.subarray(end)).written;
  };
  let run = PAGE_HEAD;
  for (let i = 0; i < texts.length; i++) {
    if (i > 0) run += ',';
    if (rows[i]!.wide) {
      put(run);
      put(texts[i]!);
      run = '';
    } else run += texts[i]!;
  }
  put(run + tail);
  return bytes.subarray(0, end);
};

/** The bytes of pages that are asked for again and again, the oldest forgotten first; pages that are long are not kept. */
const bytesCache = new Map<PageOf<unknown>, { readonly style: string; readonly bytes: Uint8Array<ArrayBuffer> }>();
const MAX_PAGES_IN_BYTES = 50;
const MAX_PAGE_BYTES = 65_536;

const pageBytes = (page: PageOf<unknown>, terms: Terms): Uint8Array<ArrayBuffer> => {
  const style = formatStyle(terms);
  const known = bytesCache.get(page);
  if (known?.style === style) return known.bytes;
  const bytes = UTF_8_ENCODER.encode(joinPage(pageTexts(page, terms), pageTail(page)));
  if (bytes.length > MAX_PAGE_BYTES) return bytes;
  bytesCache.set(page, { style, bytes });
  for (const oldest of bytesCache.keys()) {
    if (bytesCache.size <= MAX_PAGES_IN_BYTES) break;
    bytesCache.delete(oldest);
  }
  return bytes;
};

/** A page as text, or as bytes: one wide character would make all of a text wide, and slow. */
export const encodeBody = (page: PageOf<unknown>, terms: Terms): Uint8Array<ArrayBuffer> | string => {
  if (isAhead(terms)) return writeForwardPage(page, terms);
  if (page.again) return pageBytes(page, terms);
  const [texts, tail] = [pageTexts(page, terms), pageTail(page)];
  return page.rows.some(({ wide }) => wide) ? encodePage(page, texts, tail) : joinPage(texts, tail);
};

export const writeData = (data: unknown, terms: Terms, kind?: RecordName): string =>
  bodyText({ data: formatRecord(data, terms, kind) }, terms);

export const writeError = (problem: Problem, terms: Terms): string => {
  const { choices } = terms;
  const { code, status } = problem;
  const { message, fields } = forwardWords(problem, terms);
  const filled = fields.length > 0;
  const details = filled || choices['error-details'] === 'always' ? { details: filled ? { fields } : {} } : {};
  const repeated = choices['error-status-field'] === 'present' ? { status } : {};
  return bodyText({ error: { code, message, ...details, ...repeated } }, terms);
};
