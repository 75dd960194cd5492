// Every way for a field to be wrong, and how they are packed into few requests: one way at a time, through all fields that have it.
import type { Profile } from '../engine/options.ts';
import type { FieldRule } from '../oracle/rules.ts';

type Wrong = Readonly<Record<string, unknown>>;

export interface Pack {
  readonly wrong: Wrong;
  /** The smallest profile that sends it. */
  readonly profile: Profile;
  /** Sent only where there is no budget. */
  readonly thorough?: true;
  /** Fields that are left out though they are required. */
  readonly without?: readonly string[];
}

/** One of them counts as nothing where types are not looked at. */
const TEXT_TYPES = [5, false, { a: 1 }, ['x']];
/** As a number a moment is in milliseconds. */
const TIME_TYPES = [1_930_000_000_000, true, { a: 1 }, ['2031-01-01T00:00:00Z']];

/** Values of every other JSON type. */
const wrongTypes = ({ kind, values, items, named }: FieldRule, member?: string): readonly unknown[] => {
  // The id of somebody is no list of one.
  if (named && (kind === 'ids' || kind === 'words')) return ['all', 5, { a: 1 }, member ?? true];
  if (items) return ['all', 5, { a: 1 }, ['integer', 'number', 'boolean'].includes(items.kind) ? ['x'] : [5]];
  if (kind === 'integer') return ['5', true, { a: 1 }, 1.5];
  if (kind === 'number') return ['5', true, { a: 1 }, [5]];
  if (kind === 'boolean') return ['true', 1, { a: 1 }, [true]];
  // A number may be taken for the place of a word in its list, and a list of one for the word.
  if (kind === 'word') return [1, false, { a: 1 }, values.slice(0, 1)];
  if (kind === 'time') return TIME_TYPES;
  return kind === 'other' ? [] : TEXT_TYPES;
};

/** Every value that a field does not take, whatever is wrong with it. */
export const wrongValues = (rule: FieldRule): readonly unknown[] => [
  ...wrongTypes(rule),
  ...longOf(rule),
  ...emptyOf(rule),
  ...unlisted(rule),
  ...noDates(rule),
  ...badItems(rule, undefined),
  ...(rule.required && !rule.nullable ? [null] : []),
  ...(rule.kind === 'id' ? [''] : []),
  ...(rule.kind === 'id' ? ['wmct-no-such-user'] : []),
];

/** A request for each n-th wrong value of all fields that have one; side by side they have different ones, but where stride is 0. */
const rotated = (
  rules: readonly FieldRule[],
  values: (rule: FieldRule) => readonly unknown[],
  most: number,
  stride = 1,
): Wrong[] =>
  Array.from({ length: most }, (_, i) =>
    Object.fromEntries(
      rules.flatMap((rule, at) => {
        const list = values(rule);
        return list.length > 0 ? [[rule.name, list[(i + stride * at) % list.length]]] : [];
      }),
    ),
  ).filter((wrong) => Object.keys(wrong).length > 0);

const longOf = ({ kind, max }: FieldRule) => (kind === 'text' && max !== undefined ? ['w'.repeat(max + 1)] : []);
const emptyOf = ({ kind, min }: FieldRule) => (kind === 'text' && min > 0 ? [''] : []);
const unlisted = ({ kind, values }: FieldRule) => (kind === 'word' ? ['nonsense', '', values.at(-1)!.toUpperCase()] : []);
const noDates = ({ kind }: FieldRule) => (kind === 'time' ? ['tomorrow', '2031-13-45T00:00:00Z', ''] : []);
const badItems = ({ kind, named }: FieldRule, member: string | undefined) =>
  kind === 'ids' && named
    ? [[{ id: member ?? 'x' }], [...(member ? [member] : []), null], [[member ?? 'x']], [...(member ? [member] : []), 5]]
    : [];

/** Wrong values, what is wrong with them in one way per line; each line goes through all fields that have it. */
export const packsOf = (rules: readonly FieldRule[], creates: boolean, member: string | undefined): Pack[] => {
  const packs = (list: readonly Wrong[], core = 1): Pack[] =>
    list.map((wrong, i) => ({ wrong, profile: i < core ? 'core' : 'full' }));
  const required = rules.filter((rule) => rule.required);
  return [
    ...(creates ? required.map(({ name }): Pack => ({ wrong: {}, without: [name], profile: 'core' })) : []),
    ...packs(rotated(rules, longOf, 1)),
    ...packs(rotated(rules, emptyOf, 1)),
    // Between create and update every field meets every type.
    ...packs(rotated(rules, (rule) => wrongTypes(rule, member), 4)).map(
      (pack, i): Pack => (creates || i % 2 === 0 ? pack : { ...pack, thorough: true }),
    ),
    ...packs(rotated(rules, (rule) => (creates ? unlisted(rule) : unlisted(rule).reverse()), creates ? 2 : 1)),
    ...packs(rotated(rules, (rule) => (creates ? noDates(rule) : noDates(rule).reverse()), creates ? 2 : 1, 0)),
    ...packs(
      rotated(rules, (rule) => badItems(rule, member), 2),
      0,
    ),
    ...rules
      .filter((rule) => !rule.nullable && (rule.required || (!creates && rule.min > 0 && rule.kind === 'text')))
      .map(({ name }): Pack => ({ wrong: { [name]: null }, profile: 'full' })),
  ];
};
