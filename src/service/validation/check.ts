// The one checker: says of each place where a value does not fit its schema what is wrong, what was expected and what was got.
import { codePoints } from './formats.ts';
import { didYouMean, type Path, pathText, valueText } from './show.ts';

export interface Finding {
  readonly path: Path;
  /** `structure`: missing, unknown, or of the wrong type; `length`: too long; `value`: any other broken rule. */
  readonly kind: 'structure' | 'length' | 'value';
  readonly what: string;
  /** It takes a while to find: of many findings only those that are shown have one. */
  readonly hint: string;
  readonly expected: string;
  readonly got: string;
  /** Whether the name itself is wrong, not what it holds. */
  readonly atKey?: boolean;
}

export interface Broken {
  readonly instancePath: string;
  /** Where the keyword is in its schema; only within an `anyOf`. */
  readonly schemaPath?: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema: BrokenSchema;
  readonly data: unknown;
}

interface BrokenSchema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
  readonly writeOnly?: boolean;
  readonly enum?: readonly unknown[];
  readonly 'x-says'?: string;
}

/** A generated validator; `this` is what reads relative times. */
export interface Validate {
  (this: unknown, value: unknown): boolean;
  readonly errors?: readonly Broken[] | null;
}

/** Every place that does not fit, once each: the first structural finding of a place precedes its others. @param placeOf where it counts as */
export const check = (validate: Validate, value: unknown, times?: TimeReader, placeOf: (path: Path) => string = pathText) => {
  if (validate.call(times, value)) return [];
  const worst = new Map<string, Finding>();
  for (const broken of resolveAnyOf(validate.errors ?? [])) {
    // A field that holds undefined is not there.
    if (broken.keyword === 'additionalProperties' && offendingValue(broken) === undefined) continue;
    const finding = findingOf(broken);
    const place = placeOf(finding.path);
    const known = worst.get(place);
    if (!known || (finding.kind === 'structure' && known.kind !== 'structure')) worst.set(place, finding);
  }
  return [...worst.values()];
};

/** Reads the times of one value, which may be relative to a moment of their own. */
export interface TimeReader {
  reads(text: string, time: keyof typeof TIMES): boolean;
}

/** Text that follows the name of a field. */
export const issueOf = ({ what, expected }: Finding): string => {
  if (what === 'missing') return 'is required';
  if (what === 'unknown field') return `is unknown, expected ${expected}`;
  return / at least 1 (character|item)$/.test(` ${expected}`) ? 'must not be empty' : `must be ${expected}`;
};

/** The line of a finding with the value, for files written by hand. */
export const issueWithGot = (finding: Finding): string => {
  const issue = issueOf(finding);
  const clear = ['missing', 'unknown field'].includes(finding.what) || issue === 'must not be empty';
  return `${issue}${clear ? '' : `, got ${finding.got}`}${finding.hint}`;
};

/** A sentence of its own, behind the place that it is about. */
export const lineOf = (
  place: string,
  { what, hint = '', expected, got }: Pick<Finding, 'what' | 'expected' | 'got'> & { readonly hint?: string },
): string => `${place === '' ? '' : `${place}: `}${what}${hint}, expected ${expected}, got ${got}`;

const offendingValue = ({ data, params }: Broken): unknown =>
  (data as Readonly<Record<string, unknown>>)[params.additionalProperty as string];

const stepsOf = (pointer: string): (string | number)[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));

const isWithin = ({ instancePath }: Broken, open: Broken): boolean => `${instancePath}/`.startsWith(`${open.instancePath}/`);

/** The finding of an anyOf: that of the schema for the type of the value; without one, the allowed types. */
const resolveAnyOf = (all: readonly Broken[]): readonly Broken[] => {
  const left: Broken[] = [];
  for (const one of all) {
    // The findings of its branches stand right before it.
    const within = one.keyword === 'anyOf' ? left.splice(left.findLastIndex((other) => !isWithin(other, one)) + 1) : [];
    for (const found of one.keyword === 'anyOf' ? closest(within, one) : [one]) left.push(found);
  }
  return left;
};

const closest = (within: readonly Broken[], open: Broken): readonly Broken[] => {
  const branch = ({ schemaPath }: Broken): string | undefined =>
    schemaPath?.startsWith(`${open.schemaPath}/`) ? schemaPath.slice(open.schemaPath!.length + 1).split('/')[0] : undefined;
  const mistyped = within.filter((one) => branch(one) && isType(one) && one.instancePath === open.instancePath);
  const fitting = within.map(branch).find((one) => one !== undefined && !mistyped.some((other) => branch(other) === one));
  const types: Broken = { ...open, keyword: 'type', params: { type: mistyped.map(({ params }) => params.type) } };
  const chosen = within.filter((one) => branch(one) === undefined || branch(one) === fitting);
  return fitting === undefined ? [...chosen, types] : chosen;
};

const isType = ({ keyword }: Broken): boolean => keyword === 'type' || keyword === 'x-kind';

type RuleWords = Partial<Omit<Finding, 'path' | 'hint'>> &
  Pick<Finding, 'what' | 'expected'> & { readonly under?: string; readonly hint?: () => string };

const findingOf = (broken: Broken): Finding => {
  const { under, hint = NO_HINT, ...wording } = (RULE_WORDS[broken.keyword] ?? rule)(broken);
  // The words of an enumeration describe its values, not their type.
  const isSilent = under !== undefined || (isType(broken) && broken.parentSchema.enum !== undefined);
  const says = isSilent ? undefined : broken.parentSchema['x-says']?.replace(/^must be /, '');
  const isReworded = says !== undefined && isType(broken);
  const words = { ...wording, ...(isReworded && { what: 'wrong value' }), ...(says !== undefined && { expected: says }) };
  const path = stepsOf(broken.instancePath);
  // An object with many unknown fields would be shown whole for each of them.
  const got =
    words.got ?? (broken.parentSchema.writeOnly && typeof broken.data === 'string' ? 'another string' : valueText(broken.data));
  const asks = isReworded ? NO_HINT : hint;
  return {
    path: under === undefined ? path : [...path, under],
    kind: 'value',
    get hint() {
      return asks();
    },
    ...words,
    got,
  };
};

const NO_HINT = () => '';

const bound =
  (what: string, end: 'at least' | 'at most', noun?: string) =>
  ({ params: { limit } }: Broken): RuleWords => ({ what, expected: `${end} ${noun ? countText(limit, noun) : limit}` });

const RULE_WORDS: Readonly<Record<string, (broken: Broken) => RuleWords>> = {
  type: ({ params, data }) => {
    const types = [params.type].flat(2).map(String);
    const unquoted = types.includes('string') && ['number', 'boolean'].includes(typeof data);
    return { kind: 'structure', what: 'wrong type', hint: () => (unquoted ? ' (quote it)' : ''), expected: typesOf(types) };
  },
  'x-kind': ({ params }) => ({ kind: 'structure', what: 'wrong type', expected: typesOf([String(params.type)]) }),
  required: ({ params, parentSchema }) => {
    const under = String(params.missingProperty);
    const types = [parentSchema.properties?.[under]?.type ?? []].flat().map(String);
    return { under, kind: 'structure', what: 'missing', expected: types.length > 0 ? typesOf(types) : 'a value', got: 'nothing' };
  },
  additionalProperties: ({ params, parentSchema }) => {
    const [under, known] = [String(params.additionalProperty), Object.keys(parentSchema.properties ?? {})];
    const words = { hint: () => didYouMean(under, known), expected: oneOfText(known), got: valueText(under) };
    return { under, kind: 'structure', what: 'unknown field', atKey: true, ...words };
  },
  enum: ({ params, data }) => {
    const values = params.allowedValues as readonly unknown[];
    const words = values.some((one) => typeof one === 'string')
      ? values.filter((one) => typeof one === 'string')
      : values.map(String);
    return { what: 'unknown value', hint: () => didYouMean(String(data), words), expected: oneOfText(words) };
  },
  pattern: ({ params }) => ({ what: 'wrong value', expected: `text that matches ${params.pattern}` }),
  'x-range': () => ({ what: 'wrong value', expected: 'a min that is not above its max' }),
  format: ({ params }) => ({ what: 'wrong value', expected: FORMATS[String(params.format)] ?? `a valid ${params.format}` }),
  'x-time': ({ params }) => ({ what: 'not a time', expected: TIMES[params.time as keyof typeof TIMES] }),
  minLength: bound('too short', 'at least', 'character'),
  maxLength: (broken) => ({
    ...bound('too long', 'at most', 'character')(broken),
    kind: 'length',
    got: countText(codePoints(String(broken.data)), 'character'),
  }),
  minItems: (broken) => ({ ...bound('too few', 'at least', 'item')(broken), got: sizeText(broken.data) }),
  maxItems: (broken) => ({ ...bound('too many', 'at most', 'item')(broken), got: sizeText(broken.data) }),
  minimum: bound('too small', 'at least'),
  maximum: bound('too large', 'at most'),
  minProperties: ({ parentSchema }) => {
    const known = Object.keys(parentSchema.properties ?? {});
    return { what: 'empty', expected: `an object with ${known.length > 0 ? oneOfText(known) : 'at least one field'}` };
  },
};

const rule = ({ keyword }: Broken): RuleWords => ({ what: 'wrong value', expected: `what the rule "${keyword}" asks for` });

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  function: 'a function',
  Date: 'a Date',
  duration: 'a number, 0 or more',
};
const typesOf = (types: readonly string[]): string => [...new Set(types)].map((type) => TYPES[type] ?? type).join(' or ');

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'an ISO 8601 datetime with its time zone, such as 2025-01-20T09:00:00Z',
  uri: 'an absolute URL',
};

/** The expected form of a time in a seed, by its `x-time`. */
const TIMES = {
  absolute: 'ISO 8601 with `Z` or an offset, such as 2025-01-20T09:00:00Z',
  any: 'ISO 8601 with `Z` or an offset, or a time from now such as -2h or +3d',
} as const;

/** A longer list of known words is no help. */
const MAX_LISTED_WORDS = 24;

const oneOfText = (words: readonly string[]): string =>
  words.length === 0
    ? 'none'
    : `one of ${words.slice(0, MAX_LISTED_WORDS).join(', ')}${words.length > MAX_LISTED_WORDS ? ', …' : ''}`;
const countText = (count: unknown, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const sizeText = (list: unknown): string =>
  (list as readonly unknown[]).length === 0 ? 'none' : `${(list as readonly unknown[]).length}`;

/** @param entry the name of the entry point. @param Refusal the error; absent: TypeError if no object, RangeError for a wrong option. */
export const checkOptions = (entry: string, validate: unknown, given: unknown, Refusal?: typeof TypeError): void => {
  const wrong = check(validate as Validate, given);
  if (wrong.length === 0) return;
  const issues = wrong.map((finding) => lineOf(pathText(finding.path), finding)).join('; ');
  const Kind = Refusal ?? (wrong[0]!.path.length === 0 ? TypeError : RangeError);
  throw new Kind(`${entry} is refused: ${issues}. The types of wm-mock say what it takes.`);
};
