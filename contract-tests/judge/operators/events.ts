// Mutants of events: what a registration is told, of which change, in whose name, and in which words.
import type { Loose } from './answer.ts';
import type { Call } from './call.ts';
import { type Extra, type Lab, type Layer, type OperatorMutant, operator, put } from './core.ts';
import { type Hear, type Letter, type Mailing, type Rewrite, sealed } from './mail.ts';
import { BODIES, SHOWN } from './tables.ts';

export const EVENTS = BODIES.create_webhook!.find(({ name }) => name === 'events')!.values ?? [];
const kindOf = (event: string): string => event.split('.')[0]!;
const isMember = (event: string): boolean => kindOf(event) === 'member';

/** Only a control API invites members. */
export const needs = (event: string): Extra => ({
  allow: ['webhooks'],
  ...(isMember(event) ? { on: 'mock', control: true } : {}),
});
export const through = (call: Call, next: Parameters<Layer>[1]) => next(call);

/** A mutant of the post alone. */
export const posted =
  (rewrite: (lab: Lab) => Rewrite, hear?: Hear) =>
  (lab: Lab): Layer => {
    lab.mail.rewrite = rewrite(lab);
    if (hear) lab.mail.hear = hear;
    return through;
  };

type Change = (json: Loose, mailing: Mailing, lab: Lab) => boolean;

/** Rewrites the body of the letters of some event, and signs them anew. */
export const written = (event: string, change: Change, from = 1) =>
  posted((lab) => (letter, mailing) => {
    const { json, hook, attempt } = mailing;
    if (json.event !== event || attempt < from || !hook) return [letter];
    const own = structuredClone(json);
    if (!change(own, { ...mailing, json: own }, lab)) return [letter];
    lab.hit();
    return [sealed({ ...letter, body: JSON.stringify(own) }, hook.secret)];
  });

/** Rewrites the headers, or the method, of the letters of some event. */
const dressed = (event: string, change: (letter: Letter) => Letter, from = 1) =>
  posted((lab) => (letter, { json, attempt }) => {
    if (json.event !== event || attempt < from) return [letter];
    lab.hit();
    return [change(letter)];
  });

export const shifted = (value: string, ms: number): string => new Date(Date.parse(value) + ms).toISOString();

const ENVELOPE: Readonly<Record<string, Change>> = {
  'id missing': (json) => delete json.id,
  'id null': (json) => put(json, 'id', null),
  'id a number': (json) => put(json, 'id', 7),
  'id of an earlier event': (json, { hook }, lab) => {
    const key = `${hook!.url} ${json.event}`;
    const first = lab.mail.firstIds.get(key) ?? json.id;
    lab.mail.firstIds.set(key, first);
    return put(json, 'id', first);
  },
  'event missing': (json) => delete json.event,
  'event under type': (json) => Reflect.set(json, 'type', json.event) && delete json.event,
  'event with an underscore': (json) => put(json, 'event', json.event.replace('.', '_')),
  'event of another action': (json) =>
    put(
      json,
      'event',
      EVENTS.find((name) => kindOf(name) === kindOf(json.event) && name !== json.event),
    ),
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

export const header = (name: string, value: ((old: string) => string) | undefined) => (letter: Letter) => {
  const { [name]: old = '', ...rest } = letter.headers;
  return { ...letter, headers: value ? { ...rest, [name]: value(old) } : rest };
};
export const STAMP = 'x-service-timestamp';
export const SIGNATURE = 'x-service-signature';

const HEADERS: Readonly<Record<string, (letter: Letter) => Letter>> = {
  'no timestamp': header(STAMP, undefined),
  'timestamp in milliseconds': header(STAMP, (old) => `${old}000`),
  'timestamp as a date': header(STAMP, (old) => new Date(Number(old) * 1000).toISOString()),
  'timestamp an hour early': header(STAMP, (old) => String(Number(old) - 3600)),
  'timestamp an hour late': header(STAMP, (old) => String(Number(old) + 3600)),
  'no signature': header(SIGNATURE, undefined),
  'empty signature': header(SIGNATURE, () => ''),
  'constant signature': header(SIGNATURE, () => 'signed'),
  'sent as text': header('content-type', () => 'text/plain'),
  'sent as a form': header('content-type', () => 'application/x-www-form-urlencoded'),
  'a PUT': (letter) => ({ ...letter, method: 'PUT' }),
};

const envelopes: readonly OperatorMutant[] = EVENTS.flatMap((event) => [
  ...Object.entries(ENVELOPE).map(([name, change]) =>
    operator('event-envelope', 'events')(`${event}, ${name}`, written(event, change), needs(event)),
  ),
  ...Object.entries(HEADERS).map(([name, change]) =>
    operator('event-header', 'events')(`${event}, ${name}`, dressed(event, change), needs(event)),
  ),
]);

export const snapshot = (json: Loose): Loose => json.data?.[kindOf(json.event)] ?? {};

/** Remembers the snapshots of each resource, and shows a field as an earlier one had it. */
const staleField = (event: string, field: string) => {
  return (lab: Lab): Layer => {
    const seen = new Map<string, Loose[]>();
    lab.mail.rewrite = (letter, { json, hook, attempt }) => {
      const now = snapshot(json);
      const key = `${letter.url} ${now.id}`;
      const before = seen.get(key) ?? [];
      if (attempt === 1) seen.set(key, [...before, now]);
      const old = before.find((state) => JSON.stringify(state[field]) !== JSON.stringify(now[field]));
      if (json.event !== event || !old || !(field in old) || !(field in now) || !hook) return [letter];
      const own = structuredClone(json);
      snapshot(own)[field] = old[field];
      lab.hit();
      return [sealed({ ...letter, body: JSON.stringify(own) }, hook.secret)];
    };
    return through;
  };
};

/** What a task's snapshot carries at least; of the others no more than what both targets show is known. */
const CARRIED: Readonly<Record<string, readonly string[]>> = {
  task: ['id', 'title', 'project_id', 'status', 'assignee_id'],
  project: ['id', 'name', 'visibility'],
  member: ['id', 'name', 'email', 'role'],
};
const isSet = (row: Loose, name: string) => row[name] !== undefined && row[name] !== null;

const FIELDS: Readonly<Record<string, (row: Loose, name: string) => boolean>> = {
  missing: (row, name) => isSet(row, name) && delete row[name],
  null: (row, name) => isSet(row, name) && put(row, name, null),
  'a number': (row, name) => isSet(row, name) && put(row, name, 7),
  changed: (row, name) => {
    if (!isSet(row, name)) return false;
    const values = [...SHOWN.task, ...SHOWN.project, ...SHOWN.member].find((part) => part.name === name)?.values;
    return put(row, name, values ? values[(values.indexOf(row[name]) + 1) % values.length] : `${row[name]}x`);
  },
};

/** The shape of a project's or a member's snapshot is open, but what it shows is true. */
const states = (event: string, field: string, name: string): boolean => {
  if (kindOf(event) === 'task') return true;
  return name === 'changed' || (field === 'id' && name === 'a number');
};

const snapshots: readonly OperatorMutant[] = EVENTS.flatMap((event) => {
  const fields = CARRIED[kindOf(event)]!;
  // The reference server's style may tell no more than the id of a project that is gone.
  const extra = (field: string): Extra => ({
    ...needs(event),
    ...(event === 'project.deleted' && field !== 'id' ? { on: 'mock' } : {}),
  });
  return [
    ...fields.flatMap((field) =>
      Object.entries(FIELDS)
        .filter(([name]) => states(event, field, name))
        .map(([name, change]) =>
          operator('event-snapshot', 'events')(
            `${event}.${field} ${name}`,
            written(event, (json) => change(snapshot(json), field)),
            extra(field),
          ),
        ),
    ),
    ...fields
      .filter((field) => !['id', 'project_id'].includes(field) && /\.(updated|deleted)$/.test(event))
      .map((field) => operator('event-stale', 'events')(`${event}.${field}`, staleField(event, field), extra(field))),
  ];
});

export const eventMutants: readonly OperatorMutant[] = [...envelopes, ...snapshots];
