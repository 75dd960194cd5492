// Operators on what a create and an update do with each field of their body.
import type { Loose } from './answer.ts';
import { type Call, changed, get, isOp } from './call.ts';
import { isObject, type Lab, type Make, type Next, type OperatorMutant, operator, type Rule } from './core.ts';
import { BODIES, isCreate, type Part, VALUES } from './tables.ts';

const OPS = Object.entries(BODIES).filter(([op]) => op !== 'create_webhook');
const family = (op: string): string => op.split('_')[1]!;

/** Whether two values of a field are the same to a client. */
const same = (part: Part, a: Loose, b: Loose): boolean => {
  if (part.kind === 'date' && typeof a === 'string' && typeof b === 'string') return Date.parse(a) === Date.parse(b);
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
};

/** What the answer shows of a field that was sent; of a team's members, their number. */
const shown = (part: Part, data: Loose): Loose => (part.kind === 'references' ? data?.member_count : data?.[part.name]);
const sentAs = (part: Part, value: Loose): Loose => (part.kind === 'references' ? new Set(value).size : value);

type Twist = (value: Loose, part: Part, lab: Lab, call: Call, next: Next) => Loose | Promise<Loose>;

/** Sends another value than the suite did; undefined leaves the field out. */
const store =
  (op: string, part: Part, twist: Twist, only?: string): Make =>
  (lab) =>
  async (call, next) => {
    const value = isOp(op)(call) && isObject(call.body) ? call.body[part.name] : undefined;
    if (value === undefined || value === null || (only !== undefined && value !== only)) return next(call);
    const { [part.name]: _, ...rest } = call.body;
    const twisted = await twist(value, part, lab, call, next);
    const answer = await next(changed(call, { body: twisted === undefined ? rest : { ...rest, [part.name]: twisted } }));
    // What cannot be stored in that way is stored as it is.
    if (!answer.ok) return next(call);
    lab.hit(!same(part, shown(part, answer.json?.data), sentAs(part, value)));
    return answer;
  };

const required = (part: Part, op: string): Loose => (part.needed && isCreate(op) ? `Untitled ${Math.random()}` : undefined);

/** Characters of a column that is too narrow. */
const CUT = 100;

const TEXTS: Readonly<Record<string, (value: string) => string>> = {
  upper: (value) => value.toUpperCase(),
  cut: (value) => [...value].slice(0, CUT).join(''),
  'cut by one': (value) => (value.length > 90 ? value.slice(0, -1) : value),
  escaped: (value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  stripped: (value) => value.replace(/<[^>]*>/g, ''),
  ascii: (value) => value.replace(/[^\p{ASCII}]/gu, '?'),
  'double encoded': (value) => Buffer.from(value, 'utf8').toString('latin1'),
  'other text': (value) => `${value.slice(0, 80)} 2`,
};

const hours =
  (n: number): Twist =>
  (value) =>
    Number.isNaN(Date.parse(value)) ? value : new Date(Date.parse(value) + n * 3_600_000).toISOString();

const TWISTS: Readonly<Partial<Record<Part['kind'], Readonly<Record<string, Twist>>>>> = {
  text: Object.fromEntries(
    Object.entries(TEXTS).map(([name, change]) => [name, (value: Loose) => (typeof value === 'string' ? change(value) : value)]),
  ),
  date: {
    'an hour late': hours(1),
    'a day early': hours(-24),
    'its day alone': (value) =>
      Number.isNaN(Date.parse(value)) ? value : `${new Date(value).toISOString().slice(0, 10)}T00:00:00Z`,
    'its offset ignored': (value) => (typeof value === 'string' ? value.replace(/[+-]\d\d:\d\d$/, 'Z') : value),
  },
  reference: {
    'another member': async (value, _part, lab, call, next) => {
      const people = await lab.people(call, next);
      return people.includes(value) ? people.find((id) => id !== value) : value;
    },
  },
  references: {
    'first only': (value) => (Array.isArray(value) ? value.slice(0, 1) : value),
    'without the last': (value) => (Array.isArray(value) ? value.slice(0, -1) : value),
    'another member': async (value, _part, lab, call, next) => {
      const people = await lab.people(call, next);
      return Array.isArray(value) && value.every((id) => people.includes(id))
        ? [...value, ...people.filter((id) => !value.includes(id))]
        : value;
    },
  },
};

const stored: readonly OperatorMutant[] = OPS.flatMap(([op, parts]) =>
  parts.flatMap((part) => {
    const clause = `fields of ${family(op)}`;
    const values = part.values ?? [];
    return [
      operator('ignore', clause)(
        `${op}.${part.name}`,
        store(op, part, () => required(part, op)),
      ),
      ...values
        .filter((value) => !(isCreate(op) && value === part.preset))
        .map((value) =>
          operator('ignore-value', clause)(
            `${op}.${part.name} ${value}`,
            store(op, part, () => undefined, value),
          ),
        ),
      ...values.map((value, i) =>
        operator('store-value', clause)(
          `${op}.${part.name} ${value}`,
          store(op, part, () => values[(i + 1) % values.length], value),
        ),
      ),
      ...Object.entries(TWISTS[part.kind] ?? {})
        .filter(([name]) => name !== 'cut' || part.max! > CUT)
        .map(([name, twist]) => operator('store', clause)(`${op}.${part.name}, ${name}`, store(op, part, twist))),
    ];
  }),
);

/** Takes an update or a create, answers as asked, and keeps something else. */
const echo =
  (op: string, part: Part): Make =>
  (lab) =>
  async (call, next) => {
    const value = isOp(op)(call) && isObject(call.body) ? call.body[part.name] : undefined;
    if (value === undefined || value === null) return next(call);
    const { [part.name]: _, ...rest } = call.body;
    const kept = required(part, op);
    const answer = await next(changed(call, { body: kept === undefined ? rest : { ...rest, [part.name]: kept } }));
    const data = answer.json?.data;
    if (!answer.ok || !data || same(part, shown(part, data), sentAs(part, value))) return answer;
    data[part.kind === 'references' ? 'member_count' : part.name] = sentAs(part, value);
    lab.hit();
    return answer;
  };

/** Refuses nothing, changes nothing, shows nothing of it: the whole update. */
const forgetful = (op: string): OperatorMutant =>
  operator('update-not-made', 'updates')(op, (lab) => async (call, next) => {
    if (!isOp(op)(call) || !isObject(call.body) || Object.keys(call.body).length === 0) return next(call);
    const before = await next(get(call, call.path));
    const answer = await next(call);
    if (!answer.ok || !before.ok) return answer;
    const parts = BODIES[op]!.filter(
      ({ name }) => name in call.body && !same({ name } as Part, before.json.data[name], answer.json?.data?.[name]),
    );
    if (parts.length === 0) return answer;
    const old = Object.fromEntries(parts.map(({ name }) => [name, before.json.data[name] ?? '']));
    const back = await next(changed(call, { body: old }));
    lab.hit(back.ok);
    return answer;
  });

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
    const value = other.preset ?? RESET[other.name] ?? people.find((id) => id !== old[other.name]);
    const answer = await next(changed(call, { body: { ...call.body, [other.name]: value } }));
    lab.hit(answer.ok && !same(other, old[other.name] ?? null, answer.json?.data?.[other.name] ?? null));
    return answer;
  };

/** An update reaches a second record, too. */
const spill = (op: string, part: Part): Rule => ({
  at: op,
  when: ({ call, answer }) => answer.ok && isObject(call.body) && (call.body[part.name] ?? null) !== null,
  does: async ({ lab, call, next }) => {
    const value = call.body[part.name];
    const twin = lab
      .memory(call)
      .all(call.op!.shape as 'task')
      .findLast(({ row }) => row.id !== call.id && !same(part, row[part.name], value));
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
    const answer = await next(bare ? changed(call, { body: { ...call.body, [part.name]: value } }) : call);
    lab.hit(bare && answer.ok);
    return answer;
  };

const written: readonly OperatorMutant[] = OPS.flatMap(([op, parts]) =>
  parts.flatMap((part) => {
    const { name } = part;
    const presets = part.preset && isCreate(op) ? VALUES[name]!.filter((value) => value !== part.preset) : [];
    const updates = (make: string) => operator(make, 'updates');
    return [
      updates('answered-not-kept')(`${op}.${name}`, echo(op, part)),
      ...presets.map((value) =>
        operator('default', `fields of ${family(op)}`)(`${op}.${name} ${value}`, preset(op, part, value)),
      ),
      ...(isCreate(op)
        ? []
        : [
            updates('update-spills')(`${op}.${name}`, spill(op, part)),
            ...parts
              .filter((other) => other !== part)
              .map((other) => updates('update-resets')(`${op}.${name} resets ${other.name}`, reset(op, part, other))),
          ]),
    ];
  }),
);

export const bodyMutants: readonly OperatorMutant[] = [
  ...stored,
  ...written,
  ...OPS.filter(([op]) => !isCreate(op)).map(([op]) => forgetful(op)),
  // A create makes two.
  ...['create_project', 'create_task'].map((op) =>
    operator('create-twice', 'creation')(op, {
      at: op,
      when: ({ answer }) => answer.ok,
      does: async ({ call, next }) => (await next(call)).ok,
    }),
  ),
];
