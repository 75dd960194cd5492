// Operators on what a create and an update do with each field of their body.
import { isObject, type Make, type OperatorMutant, operator, type Rule } from './core.ts';
import { type Call, changed, get, isOp, type Loose } from './exchange.ts';
import { BODIES, isCreate, type Part, VALUES } from './tables.ts';

const OPS = Object.entries(BODIES).filter(([op]) => op !== 'create_webhook');
const family = (op: string): string => op.split('_')[1]!;

/** Whether two values of a field are the same to a client. */
const same = (part: Pick<Part, 'name' | 'kind'>, a: Loose, b: Loose): boolean => {
  if (part.kind === 'date' && typeof a === 'string' && typeof b === 'string') return Date.parse(a) === Date.parse(b);
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
};

/** The name that the response has for a field that was sent; of a team's members, their number. */
const shownName = ({ kind, name }: Part) => (kind === 'references' ? 'member_count' : name);
const sentAs = (part: Part, value: Loose): Loose => (part.kind === 'references' ? new Set(value).size : value);

/** The value of a field in the body of an operation. */
const valueIn = (op: string, { name }: Part, call: Call): Loose =>
  isOp(op)(call) && isObject(call.body) ? (call.body[name] ?? undefined) : undefined;
/** A body with another value of a field; undefined leaves it out. */
const withValue = (call: Call, { name }: Part, value: Loose): Call => changed(call, { body: { ...call.body, [name]: value } });

const required = (part: Part, op: string): Loose => (part.needed && isCreate(op) ? `Untitled ${Math.random()}` : undefined);

type Twist = (value: Loose, people: readonly string[]) => Loose;

/** Sends another value than the suite did. */
const store =
  (op: string, part: Part, twist: Twist, only?: string): Make =>
  (lab) =>
  async (call, next) => {
    const value = valueIn(op, part, call);
    if (value === undefined || (only !== undefined && value !== only)) return next(call);
    const people = part.kind.startsWith('reference') ? await lab.people(call, next) : [];
    const response = await next(withValue(call, part, twist(value, people)));
    // A value that cannot be stored in that way is stored as it is.
    if (!response.ok) return next(call);
    lab.hit(!same(part, response.json?.data?.[shownName(part)], sentAs(part, value)));
    return response;
  };

/** Characters of a column that is too narrow. */
const CUT = 100;

const text =
  (change: (value: string) => string): Twist =>
  (value) =>
    typeof value === 'string' ? change(value) : value;
const date = (change: (at: number) => string): Twist =>
  text((value) => (Number.isNaN(Date.parse(value)) ? value : change(Date.parse(value))));
const list =
  (change: (value: Loose[], people: readonly string[]) => Loose[]): Twist =>
  (value, people) =>
    Array.isArray(value) ? change(value, people) : value;
const iso = (at: number) => new Date(at).toISOString();
const HOUR = 3_600_000;

const TWISTS: Readonly<Partial<Record<Part['kind'], Readonly<Record<string, Twist>>>>> = {
  text: {
    upper: text((value) => value.toUpperCase()),
    cut: text((value) => [...value].slice(0, CUT).join('')),
    'cut by one': text((value) => (value.length > 90 ? value.slice(0, -1) : value)),
    escaped: text((value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
    stripped: text((value) => value.replace(/<[^>]*>/g, '')),
    ascii: text((value) => value.replace(/[^\p{ASCII}]/gu, '?')),
    'double encoded': text((value) => Buffer.from(value, 'utf8').toString('latin1')),
    'other text': text((value) => `${value.slice(0, 80)} 2`),
  },
  date: {
    'an hour late': date((at) => iso(at + HOUR)),
    'a day early': date((at) => iso(at - 24 * HOUR)),
    'its day alone': date((at) => `${iso(at).slice(0, 10)}T00:00:00Z`),
    'its offset ignored': text((value) => value.replace(/[+-]\d\d:\d\d$/, 'Z')),
  },
  reference: {
    'another member': (value, people) => (people.includes(value) ? people.find((id) => id !== value) : value),
  },
  references: {
    'first only': list((value) => value.slice(0, 1)),
    'without the last': list((value) => value.slice(0, -1)),
    'another member': list((value, people) =>
      value.every((id) => people.includes(id)) ? [...value, ...people.filter((id) => !value.includes(id))] : value,
    ),
  },
};

const stored: readonly OperatorMutant[] = OPS.flatMap(([op, parts]) =>
  parts.flatMap((part) => {
    const { name, values = [], preset, kind, max } = part;
    const spoil = (id: string, says: string, twist: Twist, only?: string) =>
      operator(id, `fields of ${family(op)}`)(`${op}.${name}${says}`, store(op, part, twist, only));
    const seen = values.filter((value) => !(isCreate(op) && value === preset));
    return [
      spoil('ignore', '', () => required(part, op)),
      ...seen.map((value) => spoil('ignore-value', ` ${value}`, () => undefined, value)),
      ...values.map((value, i) => spoil('store-value', ` ${value}`, () => values[(i + 1) % values.length], value)),
      ...Object.entries(TWISTS[kind] ?? {})
        .filter(([twist]) => twist !== 'cut' || max! > CUT)
        .map(([twist, change]) => spoil('store', `, ${twist}`, change)),
    ];
  }),
);

/** Takes an update or a create, responds as asked, and keeps something else. */
const echo =
  (op: string, part: Part): Make =>
  (lab) =>
  async (call, next) => {
    const value = valueIn(op, part, call);
    if (value === undefined) return next(call);
    const response = await next(withValue(call, part, required(part, op)));
    const data = response.json?.data;
    if (!response.ok || !data || same(part, data[shownName(part)], sentAs(part, value))) return response;
    data[shownName(part)] = sentAs(part, value);
    lab.hit();
    return response;
  };

/** Refuses nothing, changes nothing, shows nothing of it: the whole update. */
const forgetful =
  (op: string): Make =>
  (lab) =>
  async (call, next) => {
    if (!isOp(op)(call) || !isObject(call.body) || Object.keys(call.body).length === 0) return next(call);
    const before = await next(get(call, call.path));
    const response = await next(call);
    if (!response.ok || !before.ok) return response;
    const old = before.json.data;
    const names = Object.keys(call.body).filter((name) => BODIES[op]!.some((part) => part.name === name));
    const moved = names.filter((key) => JSON.stringify(old[key] ?? null) !== JSON.stringify(response.json?.data?.[key] ?? null));
    if (moved.length === 0) return response;
    const back = await next(changed(call, { body: Object.fromEntries(moved.map((name) => [name, old[name] ?? ''])) }));
    lab.hit(back.ok);
    return response;
  };

const RESET: Readonly<Record<string, string>> = {
  name: 'Untitled',
  title: 'Untitled',
  description: '',
  due_date: '2000-01-01T00:00:00Z',
};

/** An update of one field sets another back. */
const reset =
  (op: string, field: Part, other: Part): Make =>
  (lab) =>
  async (call, next) => {
    const applies = isOp(op)(call) && isObject(call.body) && field.name in call.body && !(other.name in call.body);
    const old = applies ? lab.memory(call).alive.get(call.id!)?.row : undefined;
    if (!old) return next(call);
    const people = other.kind === 'reference' ? await lab.people(call, next) : [];
    const response = await next(
      withValue(call, other, other.preset ?? RESET[other.name] ?? people.find((id) => id !== old[other.name])),
    );
    lab.hit(response.ok && !same(other, old[other.name], response.json?.data?.[other.name]));
    return response;
  };

/** An update reaches a second record, too. */
const spill = (op: string, part: Part): Rule => ({
  at: op,
  on: 'ok',
  when: ({ call }) => valueIn(op, part, call) !== undefined,
  does: async ({ lab, call, next }) => {
    const value = call.body[part.name];
    const rows = lab.memory(call).all(call.op!.shape as 'task');
    const twin = rows.findLast(({ row }) => row.id !== call.id && !same(part, row[part.name], value));
    if (!twin) return false;
    const path = `${call.path.slice(0, call.path.lastIndexOf('/'))}/${encodeURIComponent(twin.row.id)}`;
    return (await next(changed(call, { path, body: { [part.name]: value } }))).ok;
  },
});

/** A default that is not the stated one. */
const preset =
  (op: string, part: Part, value: string): Make =>
  (lab) =>
  async (call, next) => {
    const bare = isOp(op)(call) && isObject(call.body) && !(part.name in call.body);
    const response = await next(bare ? withValue(call, part, value) : call);
    lab.hit(bare && response.ok);
    return response;
  };

const written: readonly OperatorMutant[] = OPS.flatMap(([op, parts]) =>
  parts.flatMap((part) => {
    const { name } = part;
    const presets = part.preset && isCreate(op) ? VALUES[name]!.filter((value) => value !== part.preset) : [];
    const others = isCreate(op) ? [] : parts.filter((other) => other !== part);
    return [
      operator('answered-not-kept', 'updates')(`${op}.${name}`, echo(op, part)),
      ...presets.map((value) =>
        operator('default', `fields of ${family(op)}`)(`${op}.${name} ${value}`, preset(op, part, value)),
      ),
      ...(isCreate(op) ? [] : [operator('update-spills', 'updates')(`${op}.${name}`, spill(op, part))]),
      ...others.map((other) =>
        operator('update-resets', 'updates')(`${op}.${name} resets ${other.name}`, reset(op, part, other)),
      ),
    ];
  }),
);

export const bodyMutants: readonly OperatorMutant[] = [
  ...stored,
  ...written,
  ...OPS.filter(([op]) => !isCreate(op)).map(([op]) => operator('update-not-made', 'updates')(op, forgetful(op))),
  // A create makes two.
  ...['create_project', 'create_task'].map((op) =>
    operator('create-twice', 'creation')(op, { at: op, on: 'ok', does: async ({ call, next }) => (await next(call)).ok }),
  ),
];
