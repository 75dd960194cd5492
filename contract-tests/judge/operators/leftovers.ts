// Operators on what the spec rules out: fields that only the server sets, parameters that were removed, methods that do not exist, names used twice.
import type { Answer, Loose } from './answer.ts';
import { type Call, changed, isOp } from './call.ts';
import { type OperatorMutant, operator } from './operator.ts';
import { BODIES, LISTS, SHOWN } from './tables.ts';
import { effectOf, type Lab, type Layer, refuse } from './tamper.ts';

const isObject = (body: Loose): boolean => typeof body === 'object' && body !== null && !Array.isArray(body);

const become = (answer: Answer, status: number, json: Loose): Answer => {
  answer.status = status;
  answer.headers['content-type'] = 'application/json';
  answer.json = json;
  return answer;
};

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
  operator('undocumented', 'comments')('a comment is created', (lab) => async (call, next) => {
    const answer = await next(call);
    if (call.method !== 'POST' || !/^\/tasks\/[^/]+\/comments$/.test(call.path) || !refused(answer)) return answer;
    lab.hit();
    return become(answer, 201, {
      data: { id: 'cmt_new', author_id: 'user_new', body: call.body?.body ?? '', created_at: new Date(lab.now()).toISOString() },
    });
  }),
  ...['project', 'task'].map((kind) =>
    operator('undocumented', 'endpoints')(`PUT of a ${kind} changes it`, (lab) => async (call, next) => {
      const answer = await next(call);
      if (call.method !== 'PUT' || !new RegExp(`^/${kind}s/[^/]+$`).test(call.path) || !refused(answer)) return answer;
      const { answer: done, effect } = await effectOf(changed(call, { method: 'PATCH' }), next);
      lab.hit(effect);
      return effect ? done : answer;
    }),
  ),
  operator('undocumented', 'secrets')(
    'registrations are listed with their secrets',
    (lab) => async (call, next) => {
      const answer = await next(call);
      const hooks = lab.mail.hooks.filter(({ home }) => home === call.home);
      if (call.method !== 'GET' || call.path !== '/webhooks' || hooks.length === 0) return answer;
      lab.hit();
      const items = hooks.map(({ url, events, secret }) => ({ url, events, secret }));
      return become(answer, 200, { items, meta: { total: items.length, limit: 20, has_more: false, next_cursor: null } });
    },
    { allow: ['webhooks'] },
  ),
];

/** A name that is in use: taken all the same, or refused and used. */
const duplicate =
  (told: boolean) =>
  (lab: Lab): Layer =>
  async (call, next) => {
    const answer = await next(call);
    if (!isOp('create_team')(call) || answer.status !== 409) return answer;
    const { answer: second, effect } = await effectOf(
      changed(call, { body: { ...call.body, name: `${call.body.name.slice(0, 90)} 2` } }),
      next,
    );
    lab.hit(effect);
    if (!told || !effect) return answer;
    second.json.data.name = call.body.name;
    return second;
  };

/** Counts bytes where characters are meant, or takes one character too many. */
const lengths: readonly OperatorMutant[] = Object.entries(BODIES).flatMap(([op, parts]) =>
  parts
    .filter(({ max }) => max !== undefined)
    .flatMap((part) => {
      const value = (call: Call): string | undefined =>
        isOp(op)(call) && isObject(call.body) && typeof call.body[part.name] === 'string' ? call.body[part.name] : undefined;
      return [
        operator('length-in-bytes', 'validation')(`${op}.${part.name}`, (lab) => async (call, next) => {
          const answer = await next(call);
          if (!answer.ok || Buffer.byteLength(value(call) ?? '') <= part.max!) return answer;
          lab.hit();
          return refuse(answer, 422, part.name);
        }),
        operator('one-too-many', 'validation')(`${op}.${part.name}`, (lab) => async (call, next) => {
          const answer = await next(call);
          const text = value(call);
          if (answer.status !== 422 || text === undefined || [...text].length !== part.max! + 1) return answer;
          const { answer: taken } = await effectOf(
            changed(call, { body: { ...call.body, [part.name]: text.slice(0, -1) } }),
            next,
          );
          if (taken.ok && taken.json?.data) taken.json.data[part.name] = text;
          lab.hit(taken.ok);
          return taken;
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
