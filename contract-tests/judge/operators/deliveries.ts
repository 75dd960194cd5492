// Operators on events as they are sent: which, to whom, for what, how often, and what counts as delivered.
import { OPERATIONS } from '../../engine/operations.ts';
import { type Call, isOp, keyOf } from './call.ts';
import { type Extra, type OperatorMutant, operator, put, type Rule } from './core.ts';
import { EVENTS, header, needs, posted, SIGNATURE, STAMP, shifted, snapshot, through, written } from './events.ts';
import { type Hear, type Hook, type Letter, type Mailing, sealed } from './mail.ts';
import { REFUSALS } from './tables.ts';

const sending: readonly OperatorMutant[] = EVENTS.flatMap((event) => [
  operator('event-forgotten', 'events')(
    event,
    posted((lab) => (letter, { json }) => {
      if (json.event !== event) return [letter];
      lab.hit();
      return [];
    }),
    needs(event),
  ),
  operator('event-twice', 'events')(
    event,
    posted((lab) => (letter, { json, hook }) => {
      if (json.event !== event || !hook) return [letter];
      lab.hit();
      const body = JSON.stringify({ ...json, id: `${json.id}2` });
      return [letter, sealed({ ...letter, body }, hook.secret)];
    }),
    needs(event),
  ),
  operator('event-misrouted', 'events')(
    event,
    posted((lab) => (letter, { json, hook }) => {
      if (json.event !== event || !hook) return [letter];
      const near = lab.mail.hooks.filter((other) => other.home === hook.home);
      const wants = ({ events }: Hook) => events === undefined || events.includes(event);
      const lost = near.find(wants) !== hook;
      const strangers = near.filter((other) => !wants(other));
      lab.hit(lost || strangers.length > 0);
      return lost ? [] : [letter, ...strangers.map(({ url, secret }) => sealed({ ...letter, url }, secret))];
    }),
    needs(event),
  ),
  operator('event-secret', 'secrets')(
    event,
    written(event, (json, { hook }) => put(snapshot(json), 'secret', hook!.secret)),
    needs(event),
  ),
]);

const eventOf = (op: string): string => {
  const [verb, kind] = op.split('_') as [string, string];
  return `${kind}.${verb}d`;
};
const TOLD = OPERATIONS.filter(({ id, method }) => method !== 'GET' && EVENTS.includes(eventOf(id))).map(({ id }) => id);

/** The snapshot of what a request would have made; undefined where nobody could tell whose event it is. */
const imagined = (call: Call): object | undefined => {
  const body = typeof call.body === 'object' && call.body !== null ? call.body : {};
  const name = body.name ?? body.title;
  const told = typeof name === 'string' && name.length >= 8;
  if (call.method === 'POST') {
    if (!told) return undefined;
    const home = call.op?.id === 'create_task' ? { project_id: call.id, status: 'backlog', assignee_id: null } : {};
    return { id: `new_${name.length}`, ...home, ...body };
  }
  return { id: call.id, title: 'changed', name: 'changed', project_id: 'none', status: 'backlog', assignee_id: null, ...body };
};

const WEBHOOKS: Extra = { allow: ['webhooks'] };
const isOther: Rule['when'] = ({ lab, call }) => keyOf(call) === lab.keys.other;

/** Tells of an event that was none. */
const invented = (name: string, op: string, event: string, when: (scene: Parameters<Rule['does']>[0]) => object | undefined) =>
  operator(name, name === 'event-foreign' ? 'isolation' : 'events')(
    op,
    {
      at: op.split(' ')[0]!,
      when: ({ call }) => call.home,
      does: async (scene) => {
        const snapshot = when(scene);
        return snapshot !== undefined && (await scene.lab.mail.invent(event, snapshot));
      },
    },
    WEBHOOKS,
  );

/** An event of what was refused, of the second workspace, of a read, or of another write. */
const strays: readonly OperatorMutant[] = [
  ...REFUSALS.filter(({ op, status }) => TOLD.includes(op) && status !== 429).map(({ op, status }) =>
    invented('event-of-refused', `${op} ${status}`, eventOf(op), ({ call, answer }) =>
      answer.status === status ? imagined(call) : undefined,
    ),
  ),
  ...TOLD.map((op) =>
    invented('event-foreign', op, eventOf(op), (scene) =>
      scene.answer.ok && isOther!(scene) ? (scene.answer.json?.data ?? { id: scene.call.id }) : undefined,
    ),
  ),
  ...['read_task', 'read_project', 'create_task', 'create_project'].map((op) =>
    invented('event-stray', `${op} tells of an update`, `${op.split('_')[1]}.updated`, (scene) =>
      scene.answer.ok && !isOther!(scene) ? scene.answer.json.data : undefined,
    ),
  ),
];

const RETRIED: Extra = { allow: ['webhooks', 'slow'] };

const RETRIES: Readonly<Record<string, (letter: Letter, mailing: Mailing) => Letter>> = {
  'another id': (letter, { json, hook }) =>
    sealed({ ...letter, body: JSON.stringify({ ...json, id: `${json.id}r` }) }, hook!.secret),
  'another created_at': (letter, { json, hook }) =>
    sealed({ ...letter, body: JSON.stringify({ ...json, created_at: shifted(json.created_at, 30_000) }) }, hook!.secret),
  'another event': (letter, { json, hook }) =>
    sealed({ ...letter, body: JSON.stringify({ ...json, event: 'task.updated' }) }, hook!.secret),
  'no signature': header(SIGNATURE, undefined),
  'no timestamp': header(STAMP, undefined),
  'another timestamp': header(STAMP, (old) => String(Number(old) + 30)),
};

const HEARD: Readonly<Record<string, Hear>> = {
  '3xx as delivered': (status) => (status >= 300 && status < 400 ? 200 : status),
  '4xx as delivered': (status) => (status >= 400 && status < 500 ? 200 : status),
  '5xx as delivered': (status) => (status >= 500 ? 200 : status),
  '200 as failed': (status) => (status === 200 ? 500 : status),
  '204 as failed': (status) => (status === 204 ? 500 : status),
  'any 2xx but 200 and 204 as failed': (status) => (status > 200 && status < 300 && status !== 204 ? 500 : status),
};

const retries: readonly OperatorMutant[] = [
  ...Object.entries(RETRIES).map(([name, change]) =>
    operator('retry', 'deliveries')(
      name,
      posted((lab) => (letter, mailing) => {
        if (mailing.attempt < 2 || !mailing.hook) return [letter];
        lab.hit();
        return [change(letter, mailing)];
      }),
      RETRIED,
    ),
  ),
  ...Object.entries(HEARD).map(([name, hear]) =>
    operator('acknowledgement', 'deliveries')(
      name,
      (lab) => {
        lab.mail.hear = (status) => {
          lab.hit(hear(status) !== status);
          return hear(status);
        };
        return through;
      },
      RETRIED,
    ),
  ),
];

/** The secret of a registration shows in a later answer. */
const secrets: readonly OperatorMutant[] = OPERATIONS.filter(({ answers }) => answers === 'one').map(({ id }) =>
  operator('secret-shown', 'secrets')(
    id,
    (lab) => async (call, next) => {
      const known = lab.mail.hooks.find(({ home }) => home);
      const answer = await next(call);
      if (!isOp(id)(call) || !answer.ok || !known || !call.home) return answer;
      lab.hit();
      Object.assign(answer.json?.data ?? answer.json, { last_secret: known.secret });
      return answer;
    },
    WEBHOOKS,
  ),
);

export const deliveryMutants: readonly OperatorMutant[] = [...sending, ...strays, ...retries, ...secrets];
