// Checks a value against the few keywords of JSON Schema that the control API uses; nothing is compiled.
import type { Schema } from '../contract/schema.ts';

/** A failing field; structure is 400, a rule 422. */
export interface Finding {
  readonly field: string;
  readonly issue: string;
  readonly kind: 'structure' | 'rule';
}

interface Keywords {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema<unknown>[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema<unknown>>>;
  readonly additionalProperties?: boolean;
  readonly minProperties?: number;
  readonly items?: Schema<unknown>;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly 'x-says'?: string;
}

/** Whether an empty object does not fit. */
export const needsFields = ({ required, minProperties }: Schema<unknown>): boolean =>
  required !== undefined || minProperties !== undefined;

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const fitsType = (value: unknown, type: string): boolean =>
  type === 'integer' ? Number.isInteger(value) : type === 'number' ? Number.isFinite(value) : typeOf(value) === type;

const A: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'an object',
};
const named = (type: string): string => A[type] ?? (type === 'null' ? 'null' : `a ${type}`);

/** What is wrong with a value, a finding for each failing field; empty when nothing is. */
export const check = (schema: Schema<unknown>, value: unknown, field = 'body'): Finding[] => {
  const words = schema as Keywords;
  const rule = (issue: string): Finding[] => [{ field, issue, kind: 'rule' }];
  if (words.anyOf) return anyOf(words.anyOf, value, field);
  const types = words.type === undefined ? [] : [words.type].flat();
  if (types.length > 0 && !types.some((type) => fitsType(value, type))) {
    const got = typeof value === 'number' ? String(value) : named(typeOf(value));
    return [{ field, issue: `must be ${types.map(named).join(' or ')}, got ${got}`, kind: 'structure' }];
  }
  if (words.enum && !words.enum.includes(value)) return rule(`must be one of ${words.enum.join(', ')}`);
  if (typeof value === 'string') {
    if (value.length < (words.minLength ?? 0))
      return rule(value === '' ? 'must not be empty' : `must have ${words.minLength} characters or more`);
    if (value.length > (words.maxLength ?? Number.POSITIVE_INFINITY))
      return rule(`must have at most ${words.maxLength} characters`);
    if (words.pattern !== undefined && !new RegExp(words.pattern, 'u').test(value))
      return rule(words['x-says'] ?? `must match ${words.pattern}`);
  }
  if (typeof value === 'number') {
    if (value < (words.minimum ?? Number.NEGATIVE_INFINITY)) return rule(`must be ${words.minimum} or more`);
    if (value > (words.maximum ?? Number.POSITIVE_INFINITY)) return rule(`must be ${words.maximum} or less`);
  }
  if (Array.isArray(value)) return list(words, value, field, rule);
  return typeof value === 'object' && value !== null ? properties(words, value as Record<string, unknown>, field, rule) : [];
};

const anyOf = (options: readonly Schema<unknown>[], value: unknown, field: string): Finding[] => {
  const tried = options.map((option) => check(option, value, field));
  if (tried.some((findings) => findings.length === 0)) return [];
  // The option whose type fits says best what is wrong.
  const fitting = tried.find((findings) => findings.every((one) => one.field !== field || one.kind === 'rule'));
  if (fitting) return fitting;
  return [
    {
      field,
      issue: tried.flatMap(([first]) => (first ? [first.issue.replace(/, got .*/, '')] : [])).join(', or '),
      kind: 'structure',
    },
  ];
};

const list = (words: Keywords, value: readonly unknown[], field: string, rule: (issue: string) => Finding[]): Finding[] => {
  if (value.length < (words.minItems ?? 0)) return rule('must not be empty');
  if (value.length > (words.maxItems ?? Number.POSITIVE_INFINITY)) return rule(`must have at most ${words.maxItems} items`);
  return words.items ? value.flatMap((item, i) => check(words.items!, item, `${field}[${i}]`)) : [];
};

const properties = (
  words: Keywords,
  value: Record<string, unknown>,
  field: string,
  rule: (issue: string) => Finding[],
): Finding[] => {
  const inner = (name: string) => (field === 'body' ? name : `${field}.${name}`);
  const known = words.properties ?? {};
  const missing = (words.required ?? []).filter((name) => !Object.hasOwn(value, name));
  if (Object.keys(value).length < (words.minProperties ?? 0))
    return rule(`must have ${Object.keys(known).length > 0 ? `one of ${Object.keys(known).join(', ')}` : 'at least one field'}`);
  return [
    ...missing.map((name): Finding => ({ field: inner(name), issue: 'is required', kind: 'structure' })),
    ...Object.entries(value).flatMap(([name, given]): Finding[] => {
      if (Object.hasOwn(known, name)) return check(known[name]!, given, inner(name));
      if (words.additionalProperties !== false) return [];
      return [
        { field: inner(name), issue: `is no field of this call; it takes ${Object.keys(known).join(', ')}`, kind: 'structure' },
      ];
    }),
  ];
};
