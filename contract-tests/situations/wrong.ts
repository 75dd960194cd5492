// Bodies that are refused: each field of each create and update with each way to be wrong, several fields to a request, and what is no body at all.
import type { Json } from '../engine/exchange.ts';
import { clausesIn } from '../engine/spelling.ts';
import type { Tools } from '../engine/tools.ts';
import type { FieldRule } from '../oracle/rules.ts';
import { type Area, type Row, row, type Tier } from './row.ts';

/** A body that is accepted, and where it is sent; what is right in a refused update must not be kept either. */
interface Place {
  readonly kind: 'project' | 'task' | 'team';
  readonly call: string;
  readonly good: Json;
}

const PLACES: readonly Place[] = [
  { kind: 'project', call: 'POST /projects', good: { name: '{run}-refused-{n}', description: '{run}-{n}' } },
  { kind: 'task', call: 'POST /projects/{side}/tasks', good: { title: '{run}-refused-{n}', description: 'refused' } },
  {
    kind: 'project',
    call: 'PATCH /projects/{side}',
    good: { name: '{run}-half-{n}', description: 'half {n}', visibility: 'private' },
  },
  { kind: 'task', call: 'PATCH /tasks/{s4}', good: { description: 'half {n}', due_date: '2033-03-03T03:03:03Z', title: 'half' } },
  { kind: 'team', call: 'strong POST /teams', good: { name: '{run}-refused-{n}', member_ids: ['{member}'] } },
];
const isCreate = ({ call }: Place): boolean => call.includes('POST');
const rulesOf = (t: Tools, place: Place): readonly FieldRule[] =>
  t.parts.rules[isCreate(place) ? 'create' : 'update'][place.kind];

/** It is left out though it is required. */
const MISSING = Symbol('missing');

/** Values of every other JSON type; one of them counts as nothing where types are not looked at. */
const otherTypes = ({ kind, values, items, named }: FieldRule): readonly unknown[] => {
  // The id of one user is no list of one.
  if (named && (kind === 'ids' || kind === 'words')) return ['all', 5, { a: 1 }, '{member}', true];
  if (items) return ['all', 5, { a: 1 }, ['integer', 'number', 'boolean'].includes(items.kind) ? ['x'] : [5]];
  if (kind === 'integer') return ['5', true, { a: 1 }, 1.5];
  if (kind === 'number') return ['5', true, { a: 1 }, [5]];
  if (kind === 'boolean') return ['true', 1, { a: 1 }, [true]];
  // A number may be taken for the place of a word in its list, and a list of one for the word.
  if (kind === 'word') return [1, false, { a: 1 }, values.slice(0, 1)];
  // As a number a moment is in milliseconds.
  if (kind === 'time') return [1_930_000_000_000, true, { a: 1 }, ['2031-01-01T00:00:00Z']];
  return kind === 'other' ? [] : [5, false, { a: 1 }, ['x']];
};
const badItems = ({ kind, named }: FieldRule): readonly unknown[] =>
  kind === 'ids' && named ? [['{member}', null], [['{member}']], ['{member}', 5], [{ id: '{member}' }]] : [];

/** Faults of the structure of a body. */
const structure =
  (creates: boolean) =>
  (rule: FieldRule): readonly unknown[] => {
    const needed = rule.required || (!creates && rule.min > 0 && rule.kind === 'text');
    return [
      ...otherTypes(rule).slice(0, 4),
      ...badItems(rule).slice(0, 2),
      ...(needed && !rule.nullable ? [null] : []),
      ...(creates && rule.required ? [MISSING] : []),
    ];
  };

const tooLong = ({ kind, max }: FieldRule) => (kind === 'text' && max !== undefined ? ['w'.repeat(max + 1)] : []);

/** Values of the right type that a field doesn't take; an update meets others than a create. */
const unlisted =
  (creates: boolean) =>
  ({ kind, min, values, named }: FieldRule): readonly unknown[] => {
    const hyphened = values.find((value) => value.includes('_'))?.replace('_', '-');
    if (kind === 'word') return [creates ? ` ${values[0]} ` : (hyphened ?? 'nonsense'), '', values.at(-1)!.toUpperCase()];
    if (kind === 'time')
      return creates || !named
        ? ['12/31/2031', '2031-13-45T00:00:00Z', '']
        : ['2031-02-30T10:00:00Z', 'Wed, 05 Mar 2031 10:00:00 GMT', ''];
    return kind === 'text' && min > 0 ? [''] : [];
  };

/** Every value that a field does not take, whatever is wrong with it. */
const wrongValues = (rule: FieldRule): readonly unknown[] => [
  ...otherTypes(rule),
  ...tooLong(rule),
  ...unlisted(true)(rule),
  ...badItems(rule),
  ...(rule.required && !rule.nullable ? [null] : []),
  ...(rule.kind === 'id' ? ['', 'wmct-no-such-user'] : []),
];

type Wrong = Readonly<Record<string, unknown>>;

/**
 * Requests in which each field meets each of its values once, other ones side by side.
 * @param alone each field meets its last value alone: of several faults the status may be that of the first
 */
const rounds = (rules: readonly FieldRule[], valuesOf: (rule: FieldRule) => readonly unknown[], alone: boolean): Wrong[] => {
  const all = rules.map((rule) => [rule.name, valuesOf(rule)] as const).filter(([, values]) => values.length > 0);
  const columns = alone ? all.map(([name, values]) => [name, values.slice(0, -1)] as const) : all;
  const lengths = columns.map(([, values]) => values.length);
  const most = Math.max(0, ...lengths);
  // A field with more values than all others meets its last ones alone: the status is then for that one.
  const others = lengths.filter((length) => length < most);
  const turns = others.length === lengths.length - 1 ? Math.max(0, ...others) : most;
  const together = Array.from({ length: most }, (_, i) =>
    Object.fromEntries(
      columns.flatMap(([name, values], at) => {
        const nth = i < turns ? (i + at) % turns : i;
        return nth < values.length ? [[name, values[nth]]] : [];
      }),
    ),
  ).filter((wrong) => Object.keys(wrong).length > 0);
  return alone ? [...together, ...all.map(([name, values]) => ({ [name]: values.at(-1) }))] : together;
};

const rowsOf = (t: Tools, place: Place): readonly Row[] => {
  const [rules, creates] = [rulesOf(t, place), isCreate(place)];
  const groups = [
    rounds(rules, structure(creates), place.call === 'PATCH /projects/{side}'),
    rounds(rules, tooLong, true),
    rounds(rules, unlisted(creates), creates),
  ];
  return groups.flatMap((group, g) =>
    group.map((wrong, i): Row => {
      const bare = Object.values(wrong).includes(MISSING);
      const tier: Tier = i === 0 || bare || (g === 2 && i === 1) ? 1 : 2;
      return row(`${place.call} ${g} ${i}`, tier, [
        place.call,
        place.good,
        {
          wrong: Object.fromEntries(Object.entries(wrong).map(([name, value]) => [name, value === MISSING ? undefined : value])),
        },
      ]);
    }),
  );
};

const SHOWS: Readonly<Record<string, string>> = {
  'create-project': 'PROJ 3 8 15 16 18-21',
  'create-task': 'TASK 4 17-19 23 24 26-32 48',
  'update-project': 'EP 77-83',
  'update-task': 'EP 84-88 90 92-97, STATE 3',
  'create-team': 'TEAM 3 17-20 27',
};

const refusals: readonly Area[] = PLACES.map((place) => {
  const name = `${isCreate(place) ? 'create' : 'update'}-${place.kind}`;
  return {
    id: `refusals/${name}`,
    says: `${name.replace('-', ' of a ')}: a field that is missing, wrongly typed, too long, empty or unlisted is refused and named`,
    covers: clausesIn(SHOWS[name]!, 'ERR 4 6 9 13 21 28 38, GEN 15'),
    needs: ['write'],
    rows: (t) => (place.kind === 'team' && !t.knows('1.2') ? [] : rowsOf(t, place)),
  };
});

/** A list of one body is no body, and an empty one no empty update. */
const SHAPES: readonly ((good: string) => string)[] = [
  () => 'null',
  (good) => `[${good}]`,
  () => '[]',
  () => '"wm"',
  (good) => `[${good}]`,
];

const shapes: Area = {
  id: 'refusals/shapes',
  says: 'A body that is no JSON, no object or empty is refused with 400',
  covers: clausesIn('ERR 8 27 32-36'),
  needs: ['write'],
  rows: () =>
    PLACES.flatMap((place, i): Row[] => {
      // Cut short, or with something behind it. A parser serves every operation.
      const broken = (good: string) => (i === 2 ? `${good} wm` : good.slice(0, -1));
      const one = (what: string, tier: Tier, raw: string | ((good: string) => string)) =>
        row(`${place.call} ${what}`, tier, [place.call, place.good, { raw }]);
      return [
        one('broken', i === 0 ? 1 : i === 1 || i === 2 ? 2 : 4, broken),
        one('no object', i === 1 ? 1 : i === 0 || i === 3 ? 2 : 4, SHAPES[i]!),
        ...(isCreate(place) ? [one('nothing', i === 0 ? 2 : 4, '')] : []),
      ];
    }),
};

/** Looks at what the refused requests may have left or changed. */
const effects: Area = {
  id: 'refusals/effects',
  says: 'A request that was refused creates and changes nothing',
  covers: clausesIn('ERR 17 18 25 41'),
  needs: ['write'],
  rows: () => [
    row('mixed', 1, ['POST /projects/{side}/tasks', { title: 5, description: 'w'.repeat(10_001) }]),
    { ...row('look', 1, 'GET /projects/{side}/tasks?limit=100'), core: true },
  ],
};

const NO_BODIES = ['{"name"', '[]', '"wm"', '5', 'true', 'null'];
const alone: Area = {
  id: 'fields/wrong-values',
  says: 'Every wrong value of every field alone, by create and by update, and what is no body',
  covers: ['WM-GEN-001'],
  needs: ['write'],
  rows: (t) =>
    PLACES.flatMap((place) => [
      ...rulesOf(t, place).flatMap((rule) =>
        wrongValues(rule).map((value, i) =>
          row(`${place.call} ${rule.name} ${i}`, 4, [place.call, { ...place.good, [rule.name]: value }]),
        ),
      ),
      ...NO_BODIES.map((raw) => row(`${place.call} ${raw}`, 4, [place.call, undefined, { raw }])),
    ]),
};

export const WRONG_AREAS: readonly Area[] = [...refusals, shapes, effects];
export const WRONG_ALONE: readonly Area[] = [alone];
