// From the bytes of a body to a checked value; says exactly which fields are wrong (spec: Errors).
import type { Choices } from '../contract/choices.ts';
import { type FieldIssue, issuesOf, Problem } from '../contract/errors.ts';
import { takesLater } from '../contract/forward.ts';
import { BODY_BYTES } from '../contract/limits.ts';
import type { Operation, OperationId } from '../contract/operations.ts';
import type { Terms } from '../contract/terms.ts';
import { checkBody, type Fault, isDateOnly, toUtc } from '../validation/validator.ts';
import { after } from '../world/time.ts';
import type { View } from '../world/view.ts';
import { rules } from './handlers/index.ts';

/** A body as it arrived: its text, or why there is none. */
export type RawBody = { readonly text: string } | { readonly fault: 'too large' | 'not UTF-8' | 'too many' };

type Properties = Readonly<
  Record<
    string,
    {
      readonly format?: string;
      readonly maxLength?: number;
      readonly items?: { readonly enum?: unknown; readonly format?: string };
    }
  >
>;
type Fields = Readonly<Record<string, unknown>>;

/** A body beyond the limit is read and thrown away up to so many times that limit, so that its sender hears the answer. */
const DISCARDED = 64;
/** What all the bodies that are being read for one host may hold together. */
const MOST_AT_ONCE = 256 * BODY_BYTES;
/** The bodies that are being read for one host. */
export interface Reading {
  /** What they hold together. */
  bytes: number;
  /** Milliseconds of real time in which each has to be there; unlimited where a server sees to that, or nobody else sends any. */
  readonly patience?: number | undefined;
}

/** Milliseconds. */
export const USUAL_PATIENCE = 60_000;

/** Those that are read for no host. */
const ELSEWHERE: Reading = { bytes: 0, patience: USUAL_PATIENCE };

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a request's body, at most one MiB of it unless told otherwise.
 * @throws Problem 408 when it is late
 */
export const readBody = async (request: Request, most = BODY_BYTES, all = ELSEWHERE): Promise<RawBody> => {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  const holds = declared <= most ? declared : request.body === null ? 0 : most;
  if (all.bytes + holds > MOST_AT_ONCE) return { fault: 'too many' };
  all.bytes += holds;
  let callOff = () => {};
  const late = new Promise<never>((_, fail) => {
    const { patience } = all;
    if (patience !== undefined) callOff = after(patience, () => fail(tooSlow(patience)));
  });
  try {
    const bytes = await Promise.race([readAtMost(request, declared, most, late), late]);
    return bytes ? { text: UTF_8.decode(bytes) } : { fault: 'too large' };
  } catch (error) {
    if (error instanceof TypeError && (error as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      return { fault: 'not UTF-8' };
    throw error;
  } finally {
    callOff();
    all.bytes -= holds;
  }
};

const tooSlow = (patience: number): Problem => {
  const says = `The body was not sent in time. Send all of it within ${patience / 1000} s.`;
  return new Problem(408, 'validation_error', says, { headers: { connection: 'close' }, check: 'body' });
};

/** The answer to a body that came while too many others were being read. */
export const tooManyBodies = (): Problem => {
  const says = 'The mock is reading too many bodies at once. Send fewer or shorter ones, or try again.';
  return new Problem(503, 'service_unavailable', says, { headers: { 'retry-after': '1' }, check: 'body' });
};

const readAtMost = async (
  request: Request,
  declared: number,
  most: number,
  late: Promise<never>,
): Promise<Uint8Array | undefined> => {
  const end = Math.min(DISCARDED * most, MOST_AT_ONCE);
  if (declared > end) return undefined;
  if (declared <= most) return new Uint8Array(await request.arrayBuffer());
  let chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  late.catch((reason) => reader?.cancel(reason)).catch(() => {});
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    size += read.value.byteLength;
    if (size <= most) chunks.push(read.value);
    else chunks = [];
    if (size > end) await reader?.cancel();
  }
  return size > most || declared > most ? undefined : joined(chunks, size);
};

const joined = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
};

/** What is compared, copied and shown level by level has at most so many. */
export const MOST_LEVELS = 100;

export const nestsWithin = (value: unknown, levels = MOST_LEVELS): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => nestsWithin(inner, levels - 1)));

/** A value out of JSON that can be walked through. @throws SyntaxError when the text is no JSON, or nests too deep. */
export const readJson = (text: string): unknown => {
  const value: unknown = JSON.parse(text);
  if (!nestsWithin(value)) throw new SyntaxError(`nests more than ${MOST_LEVELS} levels deep`);
  return value;
};

/** Whether a Content-Type is JSON; parameters such as a charset may follow. */
export const isJson = (contentType: string): boolean => /^application\/json\s*(;|$)/i.test(contentType);

const malformed = (issue: string): Problem =>
  new Problem(400, 'validation_error', `The body ${issue}.`, { fields: [{ field: 'body', issue }], check: 'body' });

const parse = (body: RawBody, contentType: string | undefined, choices: Choices): unknown => {
  if ('fault' in body) {
    if (body.fault === 'not UTF-8') throw malformed('must be UTF-8');
    if (body.fault === 'too many') throw tooManyBodies();
    throw new Problem(413, 'payload_too_large', `The body must be at most ${BODY_BYTES} bytes.`, { check: 'body' });
  }
  if (choices['content-type'] === 'required' && !isJson(contentType ?? ''))
    throw malformed('must be sent with the header Content-Type: application/json');
  if (body.text.trim() === '') throw malformed('must be a JSON object; it is empty');
  try {
    return JSON.parse(body.text);
  } catch {
    throw malformed('must be valid JSON');
  }
};

/** What the open points add to, or take from, the faults that the schema finds. */
const adjust = (faults: readonly Fault[], body: Fields, properties: Properties, id: OperationId, terms: Terms): Fault[] => {
  const { choices } = terms;
  const date = (field: string) => properties[field]?.format === 'date-time';
  const kept = faults.filter(({ field, kind }) => {
    if (kind !== 'value') return true;
    if (takesLater(terms, field, body[field])) return false;
    if (date(field) && choices['date-only'] === 'midnight' && isDateOnly(String(body[field]))) return false;
    return !(field === 'events' && choices['all-events-name'] === 'star' && isStar(body.events));
  });
  const failing = new Set(kept.map(({ field }) => field));
  const add = (field: string, kind: Fault['kind'], issue: string) => {
    if (!failing.has(field)) kept.push({ field, kind, issue });
    failing.add(field);
  };
  for (const [field, value] of Object.entries(body)) {
    const schema = Object.hasOwn(properties, field) ? properties[field]! : undefined;
    if (!schema) {
      if (choices['unknown-body-fields'] === 'refused') add(field, 'structure', 'is no field of this operation');
    } else if (value === null && choices['null-in-body'] === 'refused') add(field, 'structure', 'must not be null');
    else if (choices['length-unit'] === 'utf-16' && String(value).length > (schema.maxLength ?? Number.POSITIVE_INFINITY)) {
      add(field, 'length', `must be at most ${schema.maxLength} characters`);
    }
  }
  if (id === 'createWebhook' && body.events === undefined && choices['webhook-events-absent'] === 'refused')
    add('events', 'structure', 'is required');
  return kept;
};

const isStar = (events: unknown): boolean => Array.isArray(events) && events.length === 1 && events[0] === '*';

const refusal = (faults: readonly Fault[], choices: Choices): Problem => {
  const structural = faults.filter(({ kind }) => kind === 'structure');
  const mixed = structural.length > 0 && structural.length < faults.length;
  const onlyStructural = mixed && choices['mixed-faults'] === '400-structural';
  const fields: readonly FieldIssue[] = (onlyStructural ? structural : faults).map(({ field, issue }) => ({ field, issue }));
  const says = issuesOf(fields);
  return new Problem(statusOf(faults, structural, choices), 'validation_error', `The body is wrong: ${says}.`, {
    fields,
    check: 'body',
  });
};

const statusOf = (faults: readonly Fault[], structural: readonly Fault[], choices: Choices): number => {
  if (structural.length === faults.length) return 400;
  if (structural.length > 0) return choices['mixed-faults'] === '422-all' ? 422 : 400;
  return faults.some(({ kind }) => kind === 'length') ? 422 : Number(choices['value-fault-status']);
};

/** Checks a body against the operation's schema and rules. @throws Problem 400, 413 or 422 naming every failing field. */
export const checkedBody = (id: OperationId, row: Operation, view: View, raw: RawBody, contentType: string | undefined) => {
  const { choices, terms } = view;
  const value = parse(raw, contentType, choices);
  const properties = row.body!.properties as Properties;
  const found = checkBody(id, value, terms.contract.release);
  if (found.some(({ field }) => field === 'body')) throw refusal(found, choices);
  const faults = adjust(found, value as Fields, properties, id, terms);
  const failing = new Set(faults.map(({ field }) => field));
  const sound = Object.fromEntries(
    Object.entries(value as Fields)
      .filter(([field]) => Object.hasOwn(properties, field) && !failing.has(field))
      .map(([field, given]) => [field, canonical(given, formatOf(properties[field]!))]),
  );
  const issues = rules[id]?.(view, sound as never) ?? [];
  const repeats = choices['repeated-ids'] === 'refused' ? repeatsIn(sound, properties) : [];
  const more = repeats.filter(({ field }) => !issues.some((issue) => issue.field === field));
  const all = [...faults, ...[...issues, ...more].map((issue): Fault => ({ kind: 'value', ...issue }))];
  if (all.length > 0) throw refusal(all, choices);
  for (const [field, given] of Object.entries(sound)) if (Array.isArray(given)) sound[field] = [...new Set(given)];
  return sound;
};

/** Lists are sets: what stands in one twice. */
const repeatsIn = (sound: Fields, properties: Properties): FieldIssue[] =>
  Object.entries(sound)
    .filter(([, given]) => Array.isArray(given) && new Set(given).size < given.length)
    .map(([field]) => ({ field, issue: `must not repeat ${properties[field]!.items?.enum ? 'a name' : 'an id'}` }));

const formatOf = ({ format, items }: Properties[string]): string | undefined => items?.format ?? format;

const canonical = (value: unknown, format: string | undefined): unknown => {
  if (format === 'date-time' && Array.isArray(value)) return value.map((one) => canonical(one, format));
  if (format !== 'date-time' || typeof value !== 'string') return value;
  return toUtc(isDateOnly(value) ? `${value}T00:00:00Z` : value);
};
