// From the body of a request to a checked value; the refusal names each wrong field (spec: Errors).
import type { Choices } from '../contract/choices.ts';
import { type FieldIssue, issuesOf, Problem } from '../contract/errors.ts';
import { takesLater } from '../contract/forward.ts';
import { MAX_BODY_BYTES } from '../contract/limits.ts';
import type { Operation, OperationId } from '../contract/operations.ts';
import type { Terms } from '../contract/terms.ts';
import { isDateOnly, toUtc } from '../validation/formats.ts';
import { type BodyFault, checkBody } from '../validation/validator.ts';
import type { View } from '../world/view.ts';
import { isJson, tooManyBodiesProblem } from './body.ts';
import { issuesInWorld } from './handlers/index.ts';
import type { RequestInfo } from './request-info.ts';

interface BodyProperty {
  readonly format?: string;
  readonly maxLength?: number;
  readonly items?: { readonly enum?: unknown; readonly format?: string };
}
type BodyProperties = Readonly<Record<string, BodyProperty>>;
type BodyFields = Readonly<Record<string, unknown>>;

const malformedBody = (issue: string): Problem =>
  new Problem(400, 'validation_error', `The body ${issue}.`, { fields: [{ field: 'body', issue }], check: 'body' });

const parseBody = (request: RequestInfo, choices: Choices): unknown => {
  const { body, text, json, contentType } = request;
  const unreadable = (issue: string) =>
    malformedBody(request.coding ? `${issue}; ${request.coding} is not decoded, send it without` : issue);
  if (body && 'fault' in body) {
    if (body.fault === 'not UTF-8') throw unreadable('must be UTF-8');
    if (body.fault === 'too many') throw tooManyBodiesProblem();
    throw new Problem(413, 'payload_too_large', `The body must be at most ${MAX_BODY_BYTES} bytes.`, { check: 'body' });
  }
  if (choices['content-type'] === 'required' && !isJson(contentType ?? ''))
    throw malformedBody('must be sent with the header Content-Type: application/json');
  if (text.trim() === '') throw malformedBody('must be a JSON object; it is empty');
  if (json === undefined) throw unreadable('must be valid JSON');
  return json;
};

const applyChoices = (
  faults: readonly BodyFault[],
  body: BodyFields,
  properties: BodyProperties,
  id: OperationId,
  terms: Terms,
): BodyFault[] => {
  const { choices } = terms;
  const date = (field: string) => properties[field]?.format === 'date-time';
  const kept = faults.filter(({ field, kind }) => {
    if (kind !== 'value') return true;
    if (takesLater(terms, field, body[field])) return false;
    if (date(field) && choices['date-only'] === 'midnight' && isDateOnly(String(body[field]))) return false;
    return !(field === 'events' && choices['all-events-name'] === 'star' && isStar(body.events));
  });
  const failing = new Set(kept.map(({ field }) => field));
  const add = (field: string, kind: BodyFault['kind'], issue: string) => {
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

const bodyProblem = (faults: readonly BodyFault[], choices: Choices): Problem => {
  const structural = faults.filter(({ kind }) => kind === 'structure');
  const mixed = structural.length > 0 && structural.length < faults.length && choices['mixed-faults'];
  const fields = (mixed === '400-structural' ? structural : faults).map(({ field, issue }) => ({ field, issue }));
  const isTooLong = faults.some(({ kind }) => kind === 'length');
  const ruleStatus = mixed === '422-all' || isTooLong ? 422 : Number(choices['value-fault-status']);
  const status = structural.length > 0 && mixed !== '422-all' ? 400 : ruleStatus;
  return new Problem(status, 'validation_error', `The body is wrong: ${issuesOf(fields)}.`, { fields, check: 'body' });
};

/** Checks a body against the operation's schema and rules. @throws Problem 400, 413 or 422 naming every failing field. */
export const checkRequestBody = (id: OperationId, row: Operation, view: View, request: RequestInfo) => {
  const { choices, terms } = view;
  const value = parseBody(request, choices);
  const properties = row.body!.properties as BodyProperties;
  const found = checkBody(id, value, terms.contract.release);
  if (found.some(({ field }) => field === 'body')) throw bodyProblem(found, choices);
  const faults = applyChoices(found, value as BodyFields, properties, id, terms);
  const failing = new Set(faults.map(({ field }) => field));
  const sound = Object.fromEntries(
    Object.entries(value as BodyFields)
      .filter(([field]) => Object.hasOwn(properties, field) && !failing.has(field))
      .map(([field, given]) => [field, toCanonical(given, formatOf(properties[field]!))]),
  );
  const issues = issuesInWorld(view, row, sound);
  const repeats = choices['repeated-ids'] === 'refused' ? findRepeats(sound, properties) : [];
  const more = repeats.filter(({ field }) => !issues.some((issue) => issue.field === field));
  const all = [...faults, ...[...issues, ...more].map((issue): BodyFault => ({ kind: 'value', ...issue }))];
  if (all.length > 0) throw bodyProblem(all, choices);
  for (const [field, given] of Object.entries(sound)) if (Array.isArray(given)) sound[field] = [...new Set(given)];
  return sound;
};

/** Repeated items of lists, which are sets. */
const findRepeats = (sound: BodyFields, properties: BodyProperties): FieldIssue[] =>
  Object.entries(sound)
    .filter(([, given]) => Array.isArray(given) && new Set(given).size < given.length)
    .map(([field]) => ({ field, issue: `must not repeat ${properties[field]!.items?.enum ? 'a name' : 'an id'}` }));

const formatOf = ({ format, items }: BodyProperty): string | undefined => items?.format ?? format;

const toCanonical = (value: unknown, format: string | undefined): unknown => {
  if (format === 'date-time' && Array.isArray(value)) return value.map((one) => toCanonical(one, format));
  if (format !== 'date-time' || typeof value !== 'string') return value;
  return toUtc(isDateOnly(value) ? `${value}T00:00:00Z` : value);
};
