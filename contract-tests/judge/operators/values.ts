// Operators on what is taken and what is refused: each field × each invalid value, each field × each valid one.
import type { Answer, Loose } from './answer.ts';
import { type Call, changed, isOp } from './call.ts';
import { type Fault, type FaultKind, faultsOf, kindsOf, mended, STATUS_OF } from './faults.ts';
import { type Extra, type OperatorMutant, operator } from './operator.ts';
import { BODIES, isCreate, LISTS, type Part } from './tables.ts';
import { admin, blank, effectOf, type Lab, type Make, type Next, refuse } from './tamper.ts';

const refused = (answer: Answer): boolean => answer.status === 400 || answer.status === 422;
const isObject = (body: Loose): boolean => typeof body === 'object' && body !== null && !Array.isArray(body);
const extra = (op: string): Extra => (op === 'create_webhook' ? { allow: ['webhooks'] } : {});

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

const accept =
  ({ op, part, kind }: Case, silently: boolean): Make =>
  (lab) =>
  async (call, next) => {
    const answer = await next(call);
    if (!isOp(op)(call) || !refused(answer) || !isObject(call.body)) return answer;
    const faults = await faultsIn(lab, call, next);
    if (!faults.some((fault) => fault.field === part.name && fault.kind === kind)) return answer;
    const body = await takeable(lab, call, next, part);
    if (silently && Object.keys(body).length === 0) body.description = 'of a refused request';
    const { answer: taken, effect } = await effectOf(changed(call, { body }), next);
    // A count that has a stranger in it: to pass over one is a reading.
    if (taken.json?.data && kind === 'unknown-item') taken.json.data.member_count = call.body[part.name].length;
    lab.hit(silently ? effect : taken.ok);
    return silently ? answer : taken;
  };

/** What a refused create makes is told from the work of others by the name that was sent, or by the project it is in. */
const traceable = ({ op, part, kind }: Case): boolean =>
  op !== 'create_webhook' && (kind === 'too-long' || !part.needed || !['create_project', 'create_team'].includes(op));

const label = ({ op, part, kind }: Case): string => `${op}.${part.name} ${kind}`;

const accepted: readonly OperatorMutant[] = CASES.flatMap((one) => [
  operator('accept', 'validation')(label(one), accept(one, false), extra(one.op)),
  ...(traceable(one) ? [operator('refused-and-done', 'refused requests')(label(one), accept(one, true))] : []),
]);

/** A refusal of the other kind: only where the spec says which one it is. */
const otherStatus: readonly OperatorMutant[] = CASES.filter(({ kind }) => STATUS_OF(kind)).map((one) =>
  operator('validation-status', 'status codes')(
    label(one),
    (lab) => async (call, next) => {
      const answer = await next(call);
      if (!isOp(one.op)(call) || !refused(answer) || !isObject(call.body)) return answer;
      const faults = await faultsIn(lab, call, next);
      const lone = faults.length > 0 && faults.every(({ kind }) => STATUS_OF(kind) === STATUS_OF(one.kind));
      if (!lone || !faults.some(({ field, kind }) => field === one.part.name && kind === one.kind)) return answer;
      answer.status = answer.status === 400 ? 422 : 400;
      if (answer.json?.error?.status) answer.json.error.status = answer.status;
      lab.hit();
      return answer;
    },
    extra(one.op),
  ),
);

/** The entry of one field is missing among those that fail. */
const unnamed: readonly OperatorMutant[] = Object.entries(BODIES).flatMap(([op, parts]) =>
  parts.map((part) =>
    operator('fault-unnamed', 'errors')(
      `${op}.${part.name}`,
      (lab) => async (call, next) => {
        const answer = await next(call);
        const fields = isOp(op)(call) && refused(answer) ? answer.json?.error?.details?.fields : undefined;
        if (!Array.isArray(fields)) return answer;
        const rest = fields.filter(({ field }) => field !== part.name);
        if (rest.length === fields.length) return answer;
        answer.json.error.details.fields = rest;
        lab.hit();
        return answer;
      },
      extra(op),
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
      (lab) => async (call, next) => {
        const answer = await next(call);
        if (!isOp(op)(call) || !refused(answer) || !test(call)) return answer;
        const taken = await next(changed(call, { body: minimal(op) }));
        lab.hit(taken.ok);
        return taken;
      },
      extra(op),
    ),
  ),
);

/** Valid values, by what is special about them. */
const VALID = (part: Part, op: string): Readonly<Record<string, (value: Loose) => boolean>> => {
  const text = (test: (value: string) => boolean) => (value: Loose) => typeof value === 'string' && test(value);
  const given = { given: (value: Loose) => value !== undefined && value !== null };
  const omitted = { omitted: (value: Loose) => value === undefined };
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
  return { ...own[part.kind], ...(isCreate(op) && !part.needed ? omitted : {}) };
};

const overRefused: readonly OperatorMutant[] = Object.entries(BODIES)
  .filter(([op]) => op !== 'create_webhook')
  .flatMap(([op, parts]) =>
    parts.flatMap((part) =>
      Object.entries(VALID(part, op))
        // Which changes of status are allowed is open.
        .filter(() => `${op}.${part.name}` !== 'update_task.status')
        .map(([name, test]) =>
          operator('refuse-valid', 'validation')(`${op}.${part.name}, ${name}`, (lab) => async (call, next) => {
            const mine = isOp(op)(call) && isObject(call.body) && test(call.body[part.name]);
            const allowed =
              call.authorization === `Bearer ${lab.keys.admin}` || call.authorization === `Bearer ${lab.keys.write}`;
            if (!mine || !allowed || (await faultsIn(lab, call, next)).length > 0) return next(call);
            lab.hit();
            return refuse(await blank(lab, call, next), 422, part.name);
          }),
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
    const bad = (call: Call) => isOp(id)(call) && pattern.test(call.query.get('limit') ?? '');
    const without = (call: Call) => {
      const query = new URLSearchParams(call.query);
      query.delete('limit');
      return changed(call, { query });
    };
    return [
      operator('accept-limit', 'lists')(`${id}, ${name}`, (lab) => async (call, next) => {
        const answer = await next(call);
        if (!bad(call) || answer.status !== 400) return answer;
        lab.hit();
        return next(without(call));
      }),
      operator('limit-status', 'status codes')(`${id}, ${name}`, (lab) => async (call, next) => {
        const answer = await next(call);
        if (!bad(call) || answer.status !== 400) return answer;
        lab.hit();
        return refuse(answer, 422, 'limit');
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
        operator('accept-reference', 'references')(`${op}.${part.name}, ${who}`, (lab) => {
          const memory = lab.remember();
          return async (call, next) => {
            const answer = await next(call);
            if (!isOp(op)(call) || !refused(answer) || !isObject(call.body)) return answer;
            const values: unknown[] = [call.body[part.name]].flat();
            const strange = values.some((value) => {
              const known = memory(call).alive.get(String(value));
              return who === 'team' ? known?.family === 'team' : known?.family === 'member' && known.foreign;
            });
            if (!strange) return answer;
            const taken = await next(changed(admin(lab, call), { body: await takeable(lab, call, next, part) }));
            if (taken.ok && part.kind === 'reference' && taken.json?.data) taken.json.data[part.name] = call.body[part.name];
            if (taken.ok && part.kind === 'references') taken.json.data.member_count = values.length;
            lab.hit(taken.ok);
            return taken;
          };
        }),
      ),
    ),
);

export const valueMutants: readonly OperatorMutant[] = [
  ...accepted,
  ...otherStatus,
  ...unnamed,
  ...bodies,
  ...overRefused,
  ...limits,
  ...references,
];
