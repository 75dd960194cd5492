// Operators on what the spec rules out: fields that only the server sets, parameters that were removed, methods that do not exist, names used twice.
import type { Answer, Loose } from './answer.ts';
import { type Call, changed, isOp } from './call.ts';
import {
  become,
  effectOf,
  isObject,
  type Lab,
  type Layer,
  listOf,
  type OperatorMutant,
  operator,
  type Rule,
  refuse,
} from './core.ts';
import { BODIES, LISTS, SHOWN } from './tables.ts';

/** Takes a field of the body that only the server sets, and shows it from then on. */
const adopt =
  (op: string, field: string) =>
  (lab: Lab): Layer => {
    const adopted = new Map<string, Loose>();
    return async (call, next) => {
      const value = isOp(op)(call) && isObject(call.body) ? call.body[field] : undefined;
      const known = Object.entries(value === undefined ? {} : call.body).filter(([name]) =>
        BODIES[op]!.some((part) => part.name === name),
      );
      const answer = await next(value === undefined ? call : changed(call, { body: Object.fromEntries(known) }));
      if (value !== undefined && answer.ok && answer.json?.data?.[field] !== value) {
        adopted.set(answer.json.data.id, value);
        lab.hit();
      }
      if (answer.ok) for (const row of answer.rows) if (adopted.has(row.id)) row[field] = adopted.get(row.id);
      return answer;
    };
  };

const shapeOf = (op: string) => SHOWN[op.split('_')[1] as 'project'];
const adopted: readonly OperatorMutant[] = Object.entries(BODIES)
  .filter(([op]) => op !== 'create_webhook')
  .flatMap(([op, parts]) =>
    shapeOf(op)
      .filter(({ name }) => !parts.some((part) => part.name === name))
      .map(({ name }) => operator('adopt', 'server-set fields')(`${op}.${name}`, adopt(op, name))),
  );

/** Honours a parameter that v1.2 removed. */
const removed: readonly OperatorMutant[] = LISTS.flatMap(({ id }) =>
  (['page', 'offset'] as const).map((name) =>
    operator('removed-parameter', 'versions')(`${id}, ${name}`, (lab) => async (call, next) => {
      const value = isOp(id)(call) ? Number(call.query.get(name) ?? 0) : 0;
      if (!value) return next(call);
      const query = new URLSearchParams(call.query);
      query.delete(name);
      const answer = await next(changed(call, { query }));
      if (!answer.ok) return answer;
      const limit: number = answer.json.meta.limit;
      const rest = answer.json.items.slice(name === 'page' ? (value - 1) * limit : value);
      lab.hit(rest.length !== answer.json.items.length);
      answer.json.items = rest;
      return answer;
    }),
  ),
);

const refused = (answer: Answer): boolean => answer.status >= 400 && answer.status < 500;

/** Methods that no row of the endpoints has. */
const undocumented: readonly OperatorMutant[] = [
  operator('undocumented', 'comments')('a comment is created', {
    when: ({ call, answer }) => call.method === 'POST' && /^\/tasks\/[^/]+\/comments$/.test(call.path) && refused(answer),
    does: ({ lab, call, answer }) => {
      const created_at = new Date(lab.now()).toISOString();
      return become(answer, 201, { data: { id: 'cmt_new', author_id: 'user_new', body: call.body?.body ?? '', created_at } });
    },
  }),
  ...['project', 'task'].map((kind) =>
    operator('undocumented', 'endpoints')(`PUT of a ${kind} changes it`, {
      when: ({ call, answer }) => call.method === 'PUT' && new RegExp(`^/${kind}s/[^/]+$`).test(call.path) && refused(answer),
      does: async ({ call, next }) => {
        const { answer, effect } = await effectOf(changed(call, { method: 'PATCH' }), next);
        return effect && answer;
      },
    }),
  ),
  operator('undocumented', 'secrets')(
    'registrations are listed with their secrets',
    {
      when: ({ lab, call }) =>
        call.method === 'GET' && call.path === '/webhooks' && lab.mail.hooks.some(({ home }) => home === call.home),
      does: ({ lab, call, answer }) => {
        const hooks = lab.mail.hooks.filter(({ home }) => home === call.home);
        return become(answer, 200, listOf(hooks.map(({ url, events, secret }) => ({ url, events, secret }))));
      },
    },
    { allow: ['webhooks'] },
  ),
];

/** A name that is in use: taken all the same, or refused and used. */
const duplicate = (told: boolean): Rule => ({
  at: 'create_team',
  when: ({ answer }) => answer.status === 409,
  does: async ({ call, next }) => {
    const { name } = call.body;
    const { answer, effect } = await effectOf(changed(call, { body: { ...call.body, name: `${name.slice(0, 90)} 2` } }), next);
    if (!told || !effect) return effect;
    answer.json.data.name = name;
    return answer;
  },
});

/** Counts bytes where characters are meant, or takes one character too many. */
const lengths: readonly OperatorMutant[] = Object.entries(BODIES).flatMap(([op, parts]) =>
  parts
    .filter(({ max }) => max !== undefined)
    .flatMap(({ name, max }) => {
      const textOf = ({ body }: Call): string => (isObject(body) && typeof body[name] === 'string' ? body[name] : '');
      return [
        operator('length-in-bytes', 'validation')(`${op}.${name}`, {
          at: op,
          when: ({ call, answer }) => answer.ok && Buffer.byteLength(textOf(call)) > max!,
          does: ({ answer }) => refuse(answer, 422, name),
        }),
        operator('one-too-many', 'validation')(`${op}.${name}`, {
          at: op,
          when: ({ call, answer }) => answer.status === 422 && [...textOf(call)].length === max! + 1,
          does: async ({ call, next }) => {
            const body = { ...call.body, [name]: textOf(call).slice(0, -1) };
            const { answer } = await effectOf(changed(call, { body }), next);
            if (answer.ok && answer.json?.data) answer.json.data[name] = textOf(call);
            return answer;
          },
        }),
      ];
    }),
);

export const leftoverMutants: readonly OperatorMutant[] = [
  ...adopted,
  ...removed,
  ...undocumented,
  operator('duplicate-name', 'teams')('create_team', duplicate(true)),
  operator('duplicate-refused-and-done', 'refused requests')('create_team', duplicate(false)),
  ...lengths,
];
