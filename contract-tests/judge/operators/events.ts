// Operators on events: what a registration is told, of which change, in whose name, in which words, how often, and what counts as delivered.
import { OPERATIONS } from '../../engine/operations.ts';
import {
  type Extra,
  isSet,
  type Lab,
  type Make,
  type OperatorMutant,
  operator,
  put,
  type Rule,
  type Scene,
  shifted,
} from './core.ts';
import { type Call, isOp, keyOf, type Loose } from './exchange.ts';
import { type Hear, type Hook, type Letter, type Mailing, SIGNATURE, STAMP, sealed } from './mail.ts';
import { BODIES, REFUSALS, SHOWN } from './tables.ts';

const EVENTS = BODIES.create_webhook!.find(({ name }) => name === 'events')!.values ?? [];
const kindOf = (event: string): string => event.split('.')[0]!;

const WEBHOOKS: Extra = { allow: ['webhooks'] };
const RETRIED: Extra = { allow: ['webhooks', 'slow'] };
/** Only a control API invites members. */
const needs = (event: string): Extra => ({ ...WEBHOOKS, ...(kindOf(event) === 'member' ? { on: 'mock', control: true } : {}) });

type Letters = readonly Letter[];
/** An operator on the mail alone: gives what is sent in place of a letter, or undefined where it leaves it. */
const posted =
  (rewrite: (letter: Letter, mailing: Mailing, lab: Lab) => Letters | undefined): Make =>
  (lab) => {
    lab.mail.rewrite = (letter, mailing) => {
      const letters = rewrite(letter, mailing, lab);
      lab.hit(letters !== undefined);
      return letters ?? [letter];
    };
    return (call, next) => next(call);
  };

type Change = (json: Loose, mailing: Mailing, lab: Lab) => unknown;

/** The letter with a changed body, signed again; undefined where nothing changed. */
const written = (letter: Letter, mailing: Mailing, lab: Lab, change: Change): Letters | undefined => {
  const json = structuredClone(mailing.json);
  change(json, { ...mailing, json }, lab);
  const body = JSON.stringify(json);
  return mailing.hook && body !== letter.body ? [sealed({ ...letter, body }, mailing.hook.secret)] : undefined;
};

/** Rewrites the bodies of an event. */
const onBody = (event: string, change: Change) =>
  posted((letter, mailing, lab) => (mailing.json.event === event ? written(letter, mailing, lab, change) : undefined));

const ENVELOPE: Readonly<Record<string, Change>> = {
  'id missing': (json) => delete json.id,
  'id null': (json) => put(json, 'id', null),
  'id a number': (json) => put(json, 'id', 7),
  'id of an earlier event': (json, { hook }, { mail }) => {
    const key = `${hook?.url} ${json.event}`;
    mail.firstIds.set(key, mail.firstIds.get(key) ?? json.id);
    put(json, 'id', mail.firstIds.get(key));
  },
  'event missing': (json) => delete json.event,
  'event under type': (json) => {
    json.type = json.event;
    delete json.event;
  },
  'event with an underscore': (json) => put(json, 'event', json.event.replace('.', '_')),
  'event of another action': (json) => {
    const others = EVENTS.filter((name) => kindOf(name) === kindOf(json.event) && name !== json.event);
    put(json, 'event', others[0]);
  },
  'created_at missing': (json) => delete json.created_at,
  'created_at in seconds': (json) => put(json, 'created_at', Math.floor(Date.parse(json.created_at) / 1000)),
  'created_at in another zone': (json) => put(json, 'created_at', `${shifted(json.created_at, 7_200_000).slice(0, 19)}+02:00`),
  'created_at an hour early': (json) => put(json, 'created_at', shifted(json.created_at, -3_600_000)),
  'created_at an hour late': (json) => put(json, 'created_at', shifted(json.created_at, 3_600_000)),
  'data missing': (json) => delete json.data,
  'data null': (json) => put(json, 'data', null),
  'data bare': (json) => put(json, 'data', json.data[kindOf(json.event)]),
  'data an array': (json) => put(json, 'data', [json.data]),
  'data with a second key': (json) => put(json, 'data', { ...json.data, extra: {} }),
  'data under another key': (json) => put(json, 'data', { resource: json.data[kindOf(json.event)] }),
};

type LetterChange = (letter: Letter) => Letter;
const header =
  (name: string, value?: (old: string) => string): LetterChange =>
  (letter) => {
    const { [name]: old = '', ...rest } = letter.headers;
    return { ...letter, headers: value ? { ...rest, [name]: value(old) } : rest };
  };

const HEADERS: Readonly<Record<string, LetterChange>> = {
  'no timestamp': header(STAMP),
  'timestamp in milliseconds': header(STAMP, (old) => `${old}000`),
  'timestamp as a date': header(STAMP, (old) => new Date(Number(old) * 1000).toISOString()),
  'timestamp an hour early': header(STAMP, (old) => String(Number(old) - 3600)),
  'timestamp an hour late': header(STAMP, (old) => String(Number(old) + 3600)),
  'no signature': header(SIGNATURE),
  'empty signature': header(SIGNATURE, () => ''),
  'constant signature': header(SIGNATURE, () => 'signed'),
  'sent as text': header('content-type', () => 'text/plain'),
  'sent as a form': header('content-type', () => 'application/x-www-form-urlencoded'),
  'a PUT': (letter) => ({ ...letter, method: 'PUT' }),
};

const envelopes: readonly OperatorMutant[] = EVENTS.flatMap((event) => [
  ...Object.entries(ENVELOPE).map(([name, change]) =>
    operator('event-envelope', 'events')(`${event}, ${name}`, onBody(event, change), needs(event)),
  ),
  ...Object.entries(HEADERS).map(([name, spoil]) => {
    const spoilt = posted((letter, { json }) => (json.event === event ? [spoil(letter)] : undefined));
    return operator('event-header', 'events')(`${event}, ${name}`, spoilt, needs(event));
  }),
]);

const snapshot = (json: Loose): Loose => json.data?.[kindOf(json.event)] ?? {};

/** Remembers the snapshots of each resource, and shows a field as an earlier one had it. */
const stale =
  (event: string, field: string): Make =>
  (lab) => {
    const seen = new Map<string, Loose[]>();
    return posted((letter, mailing) => {
      const now = snapshot(mailing.json);
      const key = `${letter.url} ${now.id}`;
      const before = seen.get(key) ?? [];
      if (mailing.attempt === 1) seen.set(key, [...before, now]);
      const old = before.find((state) => JSON.stringify(state[field]) !== JSON.stringify(now[field]));
      if (mailing.json.event !== event || !old || !(field in old) || !(field in now)) return undefined;
      return written(letter, mailing, lab, (json) => put(snapshot(json), field, old[field]));
    })(lab);
  };

/** Fields that a task's snapshot carries at least; of the others only those that both targets show are known. */
const CARRIED: Readonly<Record<string, readonly string[]>> = {
  task: ['id', 'title', 'project_id', 'status', 'assignee_id'],
  project: ['id', 'name', 'visibility'],
  member: ['id', 'name', 'email', 'role'],
};
const VALUES = Object.fromEntries([...SHOWN.member, ...SHOWN.project, ...SHOWN.task].map(({ name, values }) => [name, values]));
const next = (value: Loose, values: readonly string[] | undefined) =>
  values ? values[(values.indexOf(value) + 1) % values.length] : `${value}x`;

const FIELDS: Readonly<Record<string, (row: Loose, name: string) => unknown>> = {
  missing: (row, name) => delete row[name],
  null: (row, name) => put(row, name, null),
  'a number': (row, name) => put(row, name, 7),
  changed: (row, name) => put(row, name, next(row[name], VALUES[name])),
};

/** The shape of a project's or a member's snapshot is open, but what it shows is true. */
const states = (event: string, field: string, name: string): boolean =>
  kindOf(event) === 'task' || name === 'changed' || (field === 'id' && name === 'a number');

const snapshots: readonly OperatorMutant[] = EVENTS.flatMap((event) => {
  const fields = CARRIED[kindOf(event)]!;
  // The reference server's style may tell no more than the id of a project that is gone.
  const extra = (field: string): Extra => ({
    ...needs(event),
    ...(event === 'project.deleted' && field !== 'id' ? { on: 'mock' } : {}),
  });
  const spoil = (field: string, change: (typeof FIELDS)[string]) =>
    onBody(event, (json) => isSet(snapshot(json), field) && change(snapshot(json), field));
  return [
    ...fields.flatMap((field) =>
      Object.entries(FIELDS)
        .filter(([name]) => states(event, field, name))
        .map(([name, change]) =>
          operator('event-snapshot', 'events')(`${event}.${field} ${name}`, spoil(field, change), extra(field)),
        ),
    ),
    ...fields
      .filter((field) => !['id', 'project_id'].includes(field) && /\.(updated|deleted)$/.test(event))
      .map((field) => operator('event-stale', 'events')(`${event}.${field}`, stale(event, field), extra(field))),
  ];
});

export const eventMutants: readonly OperatorMutant[] = [...envelopes, ...snapshots];

const misrouted = (event: string): Make =>
  posted((letter, { json, hook }, lab) => {
    if (json.event !== event || !hook) return undefined;
    const near = lab.mail.hooks.filter((other) => other.home === hook.home);
    const wants = ({ events }: Hook) => events === undefined || events.includes(event);
    const strangers = near.filter((other) => !wants(other));
    const isLost = near.find(wants) !== hook;
    if (!isLost && strangers.length === 0) return undefined;
    return [...(isLost ? [] : [letter]), ...strangers.map(({ url, secret }) => sealed({ ...letter, url }, secret))];
  });

const sending: readonly OperatorMutant[] = EVENTS.flatMap((event) =>
  Object.entries({
    'event-forgotten': posted((_letter, { json }) => (json.event === event ? [] : undefined)),
    'event-twice': posted((letter, mailing, lab) => {
      if (mailing.json.event !== event) return undefined;
      const again = written(letter, mailing, lab, (json) => put(json, 'id', `${json.id}2`));
      return again && [letter, ...again];
    }),
    'event-misrouted': misrouted(event),
    'event-secret': onBody(event, (json, { hook }) => put(snapshot(json), 'secret', hook?.secret)),
  }).map(([name, make]) => operator(name, name === 'event-secret' ? 'secrets' : 'events')(event, make, needs(event))),
);

const eventOf = (op: string): string => op.replace(/^(\w+)_(\w+)$/, '$2.$1d');
const TOLD = OPERATIONS.filter(({ id, method }) => method !== 'GET' && EVENTS.includes(eventOf(id))).map(({ id }) => id);

/** The snapshot of what a request would have made; undefined where its registration cannot be told. */
const imagined = (call: Call): object | undefined => {
  const body = typeof call.body === 'object' && call.body !== null ? call.body : {};
  const name = body.name ?? body.title;
  if (call.method !== 'POST')
    return { id: call.id, title: 'changed', name: 'changed', project_id: 'none', status: 'backlog', assignee_id: null, ...body };
  if (typeof name !== 'string' || name.length < 8) return undefined;
  const home = call.op?.id === 'create_task' ? { project_id: call.id, status: 'backlog', assignee_id: null } : {};
  return { id: `new_${name.length}`, ...home, ...body };
};

const isOther = ({ lab, call }: Scene): boolean => keyOf(call) === lab.keys.other;

/** Tells of an event that was none. */
const invented = (event: string, rule: Omit<Rule, 'does'>, told: (scene: Scene) => object | undefined): Rule => ({
  ...rule,
  when: (scene) => scene.call.home && (rule.when === undefined || rule.when(scene)),
  does: async (scene) => {
    const made = told(scene);
    return made !== undefined && (await scene.lab.mail.invent(event, made));
  },
});

/** An event of what was refused, of the second workspace, of a read, or of another write. */
const strays: readonly OperatorMutant[] = [
  ...REFUSALS.filter(({ op, status }) => TOLD.includes(op) && status !== 429).map(({ op, status }) => {
    const rule = invented(eventOf(op), { at: op, on: status }, ({ call }) => imagined(call));
    return operator('event-of-refused', 'events', WEBHOOKS)(`${op} ${status}`, rule);
  }),
  ...TOLD.map((op) => {
    const rule = { at: op, on: 'ok', when: isOther } as const;
    const record = ({ response, call }: Scene) => response.json?.data ?? { id: call.id };
    return operator('event-foreign', 'isolation', WEBHOOKS)(op, invented(eventOf(op), rule, record));
  }),
  ...['read_task', 'read_project', 'create_task', 'create_project'].map((op) => {
    const rule = { at: op, on: 'ok', when: (scene: Scene) => !isOther(scene) } as const;
    const stray = invented(`${op.split('_')[1]}.updated`, rule, ({ response }) => response.json.data);
    return operator('event-stray', 'events', WEBHOOKS)(`${op} tells of an update`, stray);
  }),
];

const RETRIES: Readonly<Record<string, Change | { readonly spoil: LetterChange }>> = {
  'another id': (json) => put(json, 'id', `${json.id}r`),
  'another created_at': (json) => put(json, 'created_at', shifted(json.created_at, 30_000)),
  'another event': (json) => put(json, 'event', 'task.updated'),
  'no signature': { spoil: header(SIGNATURE) },
  'no timestamp': { spoil: header(STAMP) },
  'another timestamp': { spoil: header(STAMP, (old) => String(Number(old) + 30)) },
};

const HEARD: Readonly<Record<string, Hear>> = {
  '3xx as delivered': (status) => (status >= 300 && status < 400 ? 200 : status),
  '4xx as delivered': (status) => (status >= 400 && status < 500 ? 200 : status),
  '5xx as delivered': (status) => (status >= 500 ? 200 : status),
  '200 as failed': (status) => (status === 200 ? 500 : status),
  '204 as failed': (status) => (status === 204 ? 500 : status),
  'any 2xx but 200 and 204 as failed': (status) => (status > 200 && status < 300 && status !== 204 ? 500 : status),
};

const retried = (change: (typeof RETRIES)[string]): Make =>
  posted((letter, mailing, lab) => {
    if (mailing.attempt < 2 || !mailing.hook) return undefined;
    return typeof change === 'function' ? written(letter, mailing, lab, change) : [change.spoil(letter)];
  });

const acknowledged =
  (hear: Hear): Make =>
  (lab) => {
    lab.mail.hear = (status) => {
      lab.hit(hear(status) !== status);
      return hear(status);
    };
    return (call, next) => next(call);
  };

/** The secret of a registration shows in a later response. */
const secretShown =
  (op: string): Make =>
  (lab) =>
  async (call, next) => {
    const known = lab.mail.hooks.find(({ home }) => home);
    const response = await next(call);
    if (!isOp(op)(call) || !response.ok || !known || !call.home) return response;
    lab.hit();
    Object.assign(response.json?.data ?? response.json, { last_secret: known.secret });
    return response;
  };

export const deliveryMutants: readonly OperatorMutant[] = [
  ...sending,
  ...strays,
  ...Object.entries(RETRIES).map(([name, change]) => operator('retry', 'deliveries', RETRIED)(name, retried(change))),
  ...Object.entries(HEARD).map(([name, hear]) => operator('acknowledgement', 'deliveries', RETRIED)(name, acknowledged(hear))),
  ...OPERATIONS.filter(({ returns }) => returns === 'one').map(({ id }) =>
    operator('secret-shown', 'secrets', WEBHOOKS)(id, secretShown(id)),
  ),
];
