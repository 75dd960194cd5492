// Operators on what is taken and what is refused: each field × each invalid value, each field × each valid one, and what the spec rules out.
import {
  admin,
  become,
  effectOf,
  extraOf,
  isObject,
  type Lab,
  listOf,
  type Make,
  type Next,
  type OperatorMutant,
  operator,
  type Rule,
  refuse,
  refused,
} from './core.ts';
import { type Call, changed, isOp, type Loose, type ServedResponse, withQuery } from './exchange.ts';
import { type Fault, type FaultKind, faultsOf, kindsOf, mended, STATUS_OF } from './faults.ts';
import { BODIES, isCreate, LISTS, type Part, SHOWN } from './tables.ts';

interface Case {
  readonly op: string;
  readonly part: Part;
  readonly kind: FaultKind;
}

const FIELDS = Object.entries(BODIES).flatMap(([op, parts]) => parts.map((part) => ({ op, part })));
const CASES: readonly Case[] = FIELDS.flatMap(({ op, part }) => kindsOf(part, op).map((kind) => ({ op, part, kind })));

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
const whenObject: Rule['when'] = ({ call }) => isObject(call.body);

const accept = (one: Case, silently: boolean): Rule => ({
  at: one.op,
  on: 'refused',
  when: whenObject,
  does: async ({ lab, call, next }) => {
    if (!(await faultsIn(lab, call, next)).some(isFault(one))) return false;
    const body = await takeable(lab, call, next, one.part);
    if (silently && Object.keys(body).length === 0) body.description = 'of a refused request';
    const { response: taken, effect } = await effectOf(changed(call, { body }), next);
    if (silently) return effect;
    // A count that has a stranger in it: to pass over one is a reading.
    if (taken.json?.data && one.kind === 'unknown-item') taken.json.data.member_count = call.body[one.part.name].length;
    return taken;
  },
});

/** The record of a refused create is told from others' work by the sent name, or by its project. */
const traceable = ({ op, part, kind }: Case): boolean =>
  op !== 'create_webhook' && (kind === 'too-long' || !part.needed || !['create_project', 'create_team'].includes(op));

/** A refusal of the other kind: only where the spec says which one it is. */
const otherStatus = (one: Case): Rule => ({
  at: one.op,
  on: 'refused',
  when: whenObject,
  does: async ({ lab, call, response, next }) => {
    const faults = await faultsIn(lab, call, next);
    const lone = faults.every(({ kind }) => STATUS_OF(kind) === STATUS_OF(one.kind));
    if (!lone || !faults.some(isFault(one))) return;
    response.status = response.status === 400 ? 422 : 400;
    if (response.json?.error?.status) response.json.error.status = response.status;
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
const unnamed: readonly OperatorMutant[] = FIELDS.map(({ op, part }) => {
  const does: Rule['does'] = ({ response }) => {
    const details = response.json?.error?.details;
    if (Array.isArray(details?.fields)) details.fields = details.fields.filter(({ field }: Loose) => field !== part.name);
  };
  return operator('fault-unnamed', 'errors')(`${op}.${part.name}`, { at: op, on: 'refused', does }, extraOf(op));
});

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
  Object.entries(STRANGE).map(([name, test]) => {
    const does: Rule['does'] = ({ call, next }) => next(changed(call, { body: minimal(op) }));
    const rule: Rule = { at: op, on: 'refused', when: ({ call }) => test(call), does };
    return operator('accept-body', 'validation')(`${op}, ${name}`, rule, extraOf(op));
  }),
);

type Test = (value: Loose) => boolean;
const text =
  (test: (value: string) => boolean): Test =>
  (value) =>
    typeof value === 'string' && test(value);
const given: Test = (value) => value !== undefined && value !== null;

/** Valid values, by what is special about them. */
const validOf = (part: Part, op: string): Readonly<Record<string, Test>> => {
  const own: Readonly<Record<string, Readonly<Record<string, Test>>>> = {
    text: {
      longest: text((value) => [...value].length === part.max),
      'not ASCII': text((value) => /[^\p{ASCII}]/u.test(value)),
      markup: text((value) => /<\w+/.test(value)),
      ...(part.needed ? { 'one character': text((value) => [...value].length === 1) } : { given }),
    },
    enum: Object.fromEntries((part.values ?? []).map((word) => [word, (value: Loose) => value === word])),
    date: { given },
    reference: { given },
    references: {
      given: (value) => Array.isArray(value) && value.length > 0,
      two: (value) => Array.isArray(value) && value.length > 1,
    },
  };
  return { ...own[part.kind], ...(isCreate(op) && !part.needed ? { omitted: (value: Loose) => value === undefined } : {}) };
};

const refuseValid = (op: string, part: Part, test: Test): Make =>
  refused(
    op,
    422,
    async ({ lab, call, next }) => {
      const mine = isObject(call.body) && test(call.body[part.name]);
      const allowed = [lab.keys.admin, lab.keys.write].some((key) => call.authorization === `Bearer ${key}`);
      return mine && allowed && (await faultsIn(lab, call, next)).length === 0;
    },
    part.name,
  );

const overRefused: readonly OperatorMutant[] = FIELDS
  // Which changes of status are allowed is open.
  .filter(({ op, part }) => op !== 'create_webhook' && `${op}.${part.name}` !== 'update_task.status')
  .flatMap(({ op, part }) =>
    Object.entries(validOf(part, op)).map(([name, test]) =>
      operator('refuse-valid', 'validation')(`${op}.${part.name}, ${name}`, refuseValid(op, part, test)),
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
    const rule = { at: id, on: 400, when: ({ call }: { call: Call }) => pattern.test(call.query.get('limit') ?? '') };
    return [
      operator('accept-limit', 'lists')(`${id}, ${name}`, { ...rule, does: ({ call, next }) => next(withQuery(call, 'limit')) }),
      operator('limit-status', 'status codes')(`${id}, ${name}`, { ...rule, does: ({ response: x }) => refuse(x, 422, 'limit') }),
    ];
  }),
);

/** A team, or a user of another workspace, where a member belongs. */
const acceptStranger = (op: string, part: Part, who: 'team' | 'foreigner'): Rule => ({
  at: op,
  on: 'refused',
  when: whenObject,
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
});

const references: readonly OperatorMutant[] = FIELDS.filter(({ part }) => part.kind.startsWith('reference')).flatMap(
  ({ op, part }) =>
    (['team', 'foreigner'] as const).map((who) =>
      operator('accept-reference', 'references')(`${op}.${part.name}, ${who}`, acceptStranger(op, part, who)),
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

/** Takes a field of the body that only the server sets, and shows it from then on. */
const adopt =
  (op: string, field: string): Make =>
  (lab) => {
    const adopted = new Map<string, Loose>();
    return async (call, next) => {
      const value = isOp(op)(call) && isObject(call.body) ? call.body[field] : undefined;
      const known = Object.entries(value === undefined ? {} : call.body).filter(([name]) =>
        BODIES[op]!.some((part) => part.name === name),
      );
      const response = await next(value === undefined ? call : changed(call, { body: Object.fromEntries(known) }));
      if (value !== undefined && response.ok && response.json?.data?.[field] !== value) {
        adopted.set(response.json.data.id, value);
        lab.hit();
      }
      if (response.ok) for (const row of response.rows) if (adopted.has(row.id)) row[field] = adopted.get(row.id);
      return response;
    };
  };

const adopted: readonly OperatorMutant[] = Object.entries(BODIES)
  .filter(([op]) => op !== 'create_webhook')
  .flatMap(([op, parts]) =>
    SHOWN[op.split('_')[1] as 'project']
      .filter(({ name }) => !parts.some((part) => part.name === name))
      .map(({ name }) => operator('adopt', 'server-set fields')(`${op}.${name}`, adopt(op, name))),
  );

/** Honours a parameter that v1.2 removed. */
const honour =
  (list: string, name: 'page' | 'offset'): Make =>
  (lab) =>
  async (call, next) => {
    const value = isOp(list)(call) ? Number(call.query.get(name) ?? 0) : 0;
    const response = await next(value ? withQuery(call, name) : call);
    if (!value || !response.ok) return response;
    const { items, meta } = response.json;
    response.json.items = items.slice(name === 'page' ? (value - 1) * meta.limit : value);
    lab.hit(response.json.items.length !== items.length);
    return response;
  };

const removed: readonly OperatorMutant[] = LISTS.flatMap(({ id }) =>
  (['page', 'offset'] as const).map((name) => operator('removed-parameter', 'versions')(`${id}, ${name}`, honour(id, name))),
);

const isClientError = ({ status }: ServedResponse): boolean => status >= 400 && status < 500;

/** Methods that no row of the endpoints has. */
const undocumented: readonly OperatorMutant[] = [
  operator('undocumented', 'comments')('a comment is created', {
    when: ({ call, response: x }) => call.method === 'POST' && /^\/tasks\/[^/]+\/comments$/.test(call.path) && isClientError(x),
    does: ({ lab, call, response }) => {
      const created_at = new Date(lab.now()).toISOString();
      become(response, 201, { data: { id: 'cmt_new', author_id: 'user_new', body: call.body?.body ?? '', created_at } });
    },
  }),
  ...['project', 'task'].map((kind) =>
    operator('undocumented', 'endpoints')(`PUT of a ${kind} changes it`, {
      when: ({ call, response }) =>
        call.method === 'PUT' && new RegExp(`^/${kind}s/[^/]+$`).test(call.path) && isClientError(response),
      does: async ({ call, next }) => {
        const { response, effect } = await effectOf(changed(call, { method: 'PATCH' }), next);
        return effect && response;
      },
    }),
  ),
  operator('undocumented', 'secrets', { allow: ['webhooks'] })('registrations are listed with their secrets', {
    when: ({ call }) => call.method === 'GET' && call.path === '/webhooks',
    does: ({ lab, call, response }) => {
      const hooks = lab.mail.hooks.filter(({ home }) => home === call.home);
      const shown = hooks.map(({ url, events, secret }) => ({ url, events, secret }));
      if (shown.length > 0) become(response, 200, listOf(shown));
    },
  }),
];

/** A name that is in use: taken all the same, or refused and used. */
const duplicate = (told: boolean): Rule => ({
  at: 'create_team',
  on: 409,
  does: async ({ call, next }) => {
    const { name } = call.body;
    const { response, effect } = await effectOf(changed(call, { body: { ...call.body, name: `${name.slice(0, 90)} 2` } }), next);
    if (!told || !effect) return effect;
    response.json.data.name = name;
    return response;
  },
});

/** Counts bytes where characters are meant, or takes one character too many. */
const lengths: readonly OperatorMutant[] = FIELDS.filter(({ part }) => part.max !== undefined).flatMap(({ op, part }) => {
  const { name, max = 0 } = part;
  const textOf = ({ body }: Call): string => (isObject(body) && typeof body[name] === 'string' ? body[name] : '');
  return [
    operator('length-in-bytes', 'validation')(`${op}.${name}`, {
      at: op,
      on: 'ok',
      when: ({ call }) => Buffer.byteLength(textOf(call)) > max,
      does: ({ response }) => refuse(response, 422, name),
    }),
    operator('one-too-many', 'validation')(`${op}.${name}`, {
      at: op,
      on: 422,
      when: ({ call }) => [...textOf(call)].length === max + 1,
      does: async ({ call, next }) => {
        const body = { ...call.body, [name]: textOf(call).slice(0, -1) };
        const { response } = await effectOf(changed(call, { body }), next);
        if (response.ok && response.json?.data) response.json.data[name] = textOf(call);
        return response;
      },
    }),
  ];
});

export const leftoverMutants: readonly OperatorMutant[] = [
  ...adopted,
  ...removed,
  ...undocumented,
  operator('duplicate-name', 'teams')('create_team', duplicate(true)),
  operator('duplicate-refused-and-done', 'refused requests')('create_team', duplicate(false)),
  ...lengths,
];
