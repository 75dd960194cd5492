// Operators on what is taken and what is refused: each field × each invalid value, each field × each valid one.
import type { Answer, Loose } from './answer.ts';
import { type Call, changed, isOp } from './call.ts';
import {
  admin,
  blank,
  effectOf,
  extraOf,
  isObject,
  type Lab,
  type Make,
  type Next,
  type OperatorMutant,
  operator,
  put,
  type Rule,
  refuse,
} from './core.ts';
import { type Fault, type FaultKind, faultsOf, kindsOf, mended, STATUS_OF } from './faults.ts';
import { BODIES, isCreate, LISTS, type Part } from './tables.ts';

const refused = (answer: Answer): boolean => answer.status === 400 || answer.status === 422;

interface Case {
  readonly op: string;
  readonly part: Part;
  readonly kind: FaultKind;
}

const CASES: readonly Case[] = Object.entries(BODIES).flatMap(([op, parts]) =>
  parts.flatMap((part) => kindsOf(part, op).map((kind) => ({ op, part, kind }))),
);

const faultsIn = async (lab: Lab, call: Call, next: Next): Promise<Fault[]> => {
  const parts = BODIES[call.op!.id]!;
  const people = parts.some(({ kind }) => kind.startsWith('reference')) ? await lab.people(call, next) : [];
  return faultsOf(call.body, parts, call.op!.method === 'PATCH', people);
};

/** A body that the target takes, as near to the one sent as can be. */
const takeable = async (lab: Lab, call: Call, next: Next, part: Part): Promise<Loose> => {
  const people = await lab.people(call, next);
  const { [part.name]: value, ...rest } = call.body;
  const better = mended(part, value, isCreate(call.op!.id), people);
  return better === undefined ? rest : { ...rest, [part.name]: better };
};

const isFault =
  ({ part, kind }: Case) =>
  (fault: Fault): boolean =>
    fault.field === part.name && fault.kind === kind;
const whenRefused: Rule['when'] = ({ call, answer }) => refused(answer) && isObject(call.body);

const accept = (one: Case, silently: boolean): Rule => ({
  at: one.op,
  when: whenRefused!,
  does: async ({ lab, call, next }) => {
    if (!(await faultsIn(lab, call, next)).some(isFault(one))) return false;
    const body = await takeable(lab, call, next, one.part);
    if (silently && Object.keys(body).length === 0) body.description = 'of a refused request';
    const { answer: taken, effect } = await effectOf(changed(call, { body }), next);
    if (silently) return effect;
    // A count that has a stranger in it: to pass over one is a reading.
    if (taken.json?.data && one.kind === 'unknown-item') taken.json.data.member_count = call.body[one.part.name].length;
    return taken;
  },
});

/** What a refused create makes is told from the work of others by the name that was sent, or by the project it is in. */
const traceable = ({ op, part, kind }: Case): boolean =>
  op !== 'create_webhook' && (kind === 'too-long' || !part.needed || !['create_project', 'create_team'].includes(op));

/** A refusal of the other kind: only where the spec says which one it is. */
const otherStatus = (one: Case): Rule => ({
  at: one.op,
  when: whenRefused!,
  does: async ({ lab, call, answer, next }) => {
    const faults = await faultsIn(lab, call, next);
    const lone = faults.every(({ kind }) => STATUS_OF(kind) === STATUS_OF(one.kind));
    if (!lone || !faults.some(isFault(one))) return false;
    answer.status = answer.status === 400 ? 422 : 400;
    if (answer.json?.error?.status) answer.json.error.status = answer.status;
    return true;
  },
});

const refusals: readonly OperatorMutant[] = CASES.flatMap((one) => {
  const label = `${one.op}.${one.part.name} ${one.kind}`;
  return [
    operator('accept', 'validation')(label, accept(one, false), extraOf(one.op)),
    ...(traceable(one) ? [operator('refused-and-done', 'refused requests')(label, accept(one, true))] : []),
    ...(STATUS_OF(one.kind) ? [operator('validation-status', 'status codes')(label, otherStatus(one), extraOf(one.op))] : []),
  ];
});

/** The entry of one field is missing among those that fail. */
const unnamed: readonly OperatorMutant[] = Object.entries(BODIES).flatMap(([op, parts]) =>
  parts.map((part) =>
    operator('fault-unnamed', 'errors')(
      `${op}.${part.name}`,
      {
        at: op,
        when: ({ answer }) => refused(answer) && Array.isArray(answer.json?.error?.details?.fields),
        does: ({ answer }) => {
          const { details } = answer.json.error;
          return put(
            details,
            'fields',
            details.fields.filter(({ field }: Loose) => field !== part.name),
          );
        },
      },
      extraOf(op),
    ),
  ),
);

const STRANGE: Readonly<Record<string, (call: Call) => boolean>> = {
  'broken JSON': ({ raw, body }) => raw !== undefined && raw !== '' && body === undefined,
  'an array': ({ body }) => Array.isArray(body),
  'a string': ({ body }) => typeof body === 'string',
  'a number': ({ body }) => typeof body === 'number',
  null: ({ raw }) => raw === 'null',
};

const minimal = (op: string): Loose =>
  Object.fromEntries(
    BODIES[op]!.filter(({ needed }) => needed && isCreate(op)).map((part) => [part.name, mended(part, undefined, true, [])]),
  );

const bodies: readonly OperatorMutant[] = Object.keys(BODIES).flatMap((op) =>
  Object.entries(STRANGE).map(([name, test]) =>
    operator('accept-body', 'validation')(
      `${op}, ${name}`,
      {
        at: op,
        when: ({ call, answer }) => refused(answer) && test(call),
        does: ({ call, next }) => next(changed(call, { body: minimal(op) })),
      },
      extraOf(op),
    ),
  ),
);

/** Valid values, by what is special about them. */
const validOf = (part: Part, op: string): Readonly<Record<string, (value: Loose) => boolean>> => {
  const text = (test: (value: string) => boolean) => (value: Loose) => typeof value === 'string' && test(value);
  const given = { given: (value: Loose) => value !== undefined && value !== null };
  const own: Readonly<Record<string, Readonly<Record<string, (value: Loose) => boolean>>>> = {
    text: {
      longest: text((value) => [...value].length === part.max),
      'not ASCII': text((value) => /[^\p{ASCII}]/u.test(value)),
      markup: text((value) => /<\w+/.test(value)),
      ...(part.needed ? { 'one character': text((value) => [...value].length === 1) } : given),
    },
    enum: Object.fromEntries((part.values ?? []).map((word) => [word, (value: Loose) => value === word])),
    date: given,
    reference: given,
    references: {
      given: (value) => Array.isArray(value) && value.length > 0,
      two: (value) => Array.isArray(value) && value.length > 1,
    },
  };
  return { ...own[part.kind], ...(isCreate(op) && !part.needed ? { omitted: (value: Loose) => value === undefined } : {}) };
};

const refuseValid =
  (op: string, part: Part, test: (value: Loose) => boolean): Make =>
  (lab) =>
  async (call, next) => {
    const mine = isOp(op)(call) && isObject(call.body) && test(call.body[part.name]);
    const allowed = [lab.keys.admin, lab.keys.write].some((key) => call.authorization === `Bearer ${key}`);
    if (!mine || !allowed || (await faultsIn(lab, call, next)).length > 0) return next(call);
    lab.hit();
    return refuse(await blank(lab, call, next), 422, part.name);
  };

const overRefused: readonly OperatorMutant[] = Object.entries(BODIES).flatMap(([op, parts]) =>
  parts
    // Which changes of status are allowed is open.
    .filter(({ name }) => op !== 'create_webhook' && `${op}.${name}` !== 'update_task.status')
    .flatMap((part) =>
      Object.entries(validOf(part, op)).map(([name, test]) =>
        operator('refuse-valid', 'validation')(`${op}.${part.name}, ${name}`, refuseValid(op, part, test)),
      ),
    ),
);

/** Limits that are no integers. */
const LIMITS: Readonly<Record<string, RegExp>> = {
  word: /^[a-z]+$/i,
  fraction: /^\d+\.\d+$/,
  'digits and more': /^\d+[a-z ]+$/i,
};

const limits: readonly OperatorMutant[] = LISTS.flatMap(({ id }) =>
  Object.entries(LIMITS).flatMap(([name, pattern]) => {
    const when: Rule['when'] = ({ call, answer }) => answer.status === 400 && pattern.test(call.query.get('limit') ?? '');
    const taken: Rule['does'] = ({ call, next }) => {
      const query = new URLSearchParams(call.query);
      query.delete('limit');
      return next(changed(call, { query }));
    };
    return [
      operator('accept-limit', 'lists')(`${id}, ${name}`, { at: id, when, does: taken }),
      operator('limit-status', 'status codes')(`${id}, ${name}`, {
        at: id,
        when,
        does: ({ answer }) => refuse(answer, 422, 'limit'),
      }),
    ];
  }),
);

/** A team, or a user of another workspace, where a member belongs. */
const references: readonly OperatorMutant[] = Object.entries(BODIES).flatMap(([op, parts]) =>
  parts
    .filter(({ kind }) => kind === 'reference' || kind === 'references')
    .flatMap((part) =>
      (['team', 'foreigner'] as const).map((who) =>
        operator('accept-reference', 'references')(`${op}.${part.name}, ${who}`, {
          at: op,
          when: whenRefused!,
          does: async ({ lab, call, next }) => {
            const values: unknown[] = [call.body[part.name]].flat();
            const strange = values.some((value) => {
              const known = lab.memory(call).alive.get(String(value));
              return who === 'team' ? known?.family === 'team' : known?.family === 'member' && known.foreign;
            });
            if (!strange) return false;
            const taken = await next(changed(admin(lab, call), { body: await takeable(lab, call, next, part) }));
            const shown = part.kind === 'reference' ? { [part.name]: call.body[part.name] } : { member_count: values.length };
            if (taken.ok) Object.assign(taken.json?.data ?? {}, shown);
            return taken;
          },
        }),
      ),
    ),
);

export const valueMutants: readonly OperatorMutant[] = [
  ...refusals,
  ...unnamed,
  ...bodies,
  ...overRefused,
  ...limits,
  ...references,
];
