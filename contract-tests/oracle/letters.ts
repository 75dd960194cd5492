// The events that came to the run's registrations, each with the attempts to deliver it, and what holds for every one of them.
import type { Deliveries, Operator, Path } from '../engine/claims.ts';
import { isRecord, type Json, text } from '../engine/exchange.ts';
import type { Message } from '../engine/receiver.ts';
import type { Told } from '../engine/recorder.ts';
import { instant, isUtc, namesZone, ZONED } from '../engine/shapes.ts';
import type { Tools } from '../engine/tools.ts';
import type { ChangeLog, Space } from './changes.ts';

/** The query of a registered url, and so of its deliveries. That of "one" exceeds a column of 255 characters. */
export const hookQuery = (name: string): string => `?For=Wm%20Mock${name === 'one' ? '&to=one'.repeat(40) : ''}`;

export interface Registration {
  /** The path that it is registered for, and its name in messages. */
  readonly name: string;
  readonly events: readonly string[];
  /** Whether these are all that there are: then events of a later release may come too. */
  readonly everything: boolean;
  readonly space: Space;
  /** Events that the other workspace asks for at the same address: they may be meant for that registration. */
  readonly shared?: readonly string[];
  readonly secret: string | undefined;
  /** The number of the exchange that made it. */
  readonly number: number;
}

export interface Letter {
  readonly event: string;
  /** The id of the record that it is about; undefined when its snapshot has none. */
  readonly about: string | undefined;
  readonly snapshot: Json;
  readonly first: Message;
  /** All attempts, the first among them. */
  readonly attempts: Message[];
}

const bodyOf = (message: Pick<Message, 'json'>): Json => (isRecord(message.json) ? message.json : {});

export const idOfEvent = (message: Message): string | undefined => text(bodyOf(message).id);

/** The name of the event, also when it is written in another way or stands under another key. */
export const eventOf = (message: Pick<Message, 'json'>): string => {
  const name = text(bodyOf(message).event) ?? text(bodyOf(message).type) ?? '';
  return name.toLowerCase().replace(/^([a-z]+)[_-]([a-z]+)$/, '$1.$2');
};

/** The snapshot, also when it is not under the resource type. */
export const snapshotOf = (message: Pick<Message, 'json'>): Json => {
  const { data } = bodyOf(message);
  if (!isRecord(data)) return {};
  const [only, ...more] = Object.values(data);
  const inner = data[eventOf(message).split('.')[0] ?? ''] ?? (more.length === 0 ? only : undefined);
  return isRecord(inner) ? inner : data;
};

/** Whether two values of JSON say the same; the order of members says nothing. */
export const sameJson = (a: unknown, b: unknown): boolean => {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((value, i) => sameJson(value, b[i]));
  if (!isRecord(a) || !isRecord(b)) return Object.is(a, b);
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && sameJson(a[key], b[key]));
};

/** Whether an attempt ended well: any 2xx within ten seconds. */
export const accepted = ({ response: x }: Message): boolean => x.status >= 200 && x.status < 300 && x.delayMs < 10_000;

/** A message that follows sooner upon a failure is another event. */
const SOONEST_RETRY_MS = 15_000;

/** Attempts without what follows another at once: a duplicate, as "at least once" allows. */
export const apart = (attempts: readonly Message[]): Message[] => {
  const kept: Message[] = [];
  for (const one of attempts) if (!kept[0] || one.at - kept.at(-1)!.at >= SOONEST_RETRY_MS) kept.push(one);
  return kept;
};

/** Whether two envelopes tell the same; what else they have may tell of the attempt. */
export const tellAlike = (a: Message, b: Message): boolean => {
  const [one, other] = [bodyOf(a), bodyOf(b)];
  return ['event', 'created_at', 'data'].every((name) => sameJson(one[name], other[name]));
};

/** Whether a message is one more attempt to deliver a letter: the same again, or after a failure what says that it is. */
const repeats = (letter: Letter, message: Message): boolean => {
  const id = idOfEvent(message);
  const sameId = id !== undefined && id === idOfEvent(letter.first);
  if (sameId ? tellAlike(letter.first, message) : id === undefined && message.body === letter.first.body) return true;
  if (letter.attempts.some(accepted) || message.at - letter.attempts.at(-1)!.at < SOONEST_RETRY_MS) return false;
  if (!sameId) return tellAlike(letter.first, message);
  return letter.event === eventOf(message) && letter.about === text(snapshotOf(message).id);
};

/** A message with another id is no attempt at a letter that comes again with its own. */
const comesAgain = ({ first }: Letter, message: Message, later: readonly Message[]): boolean => {
  const id = idOfEvent(first);
  return id !== undefined && id !== idOfEvent(message) && later.some((one) => idOfEvent(one) === id);
};

/** The messages to a registration. */
export const lettersOf = (messages: readonly Message[]): Letter[] => {
  const letters: Letter[] = [];
  for (const [i, message] of messages.entries()) {
    const known = letters.find((letter) => repeats(letter, message) && !comesAgain(letter, message, messages.slice(i + 1)));
    if (known) known.attempts.push(message);
    else {
      const snapshot = snapshotOf(message);
      letters.push({ event: eventOf(message), about: text(snapshot.id), snapshot, first: message, attempts: [message] });
    }
  }
  return letters;
};

/** When the event was generated, as it says; NaN when it does not. */
export const createdAt = ({ first }: Letter): number => instant(bodyOf(first).created_at);

/** A letter in a message of the report. */
export const nameOf = ({ event, about, first }: Letter): string =>
  `${event || 'an event without a name'} ${idOfEvent(first) ?? 'without an id'} about ${about ?? 'nothing named'} (to "${first.path}")`;

/** This many deliveries of a letter are shown. */
const SHOWN = 6;

/** The fault of letters, and the deliveries that show it. */
export const shownBy = (message: string, ...letters: readonly Letter[]): Told => ({
  message,
  deliveries: letters.flatMap(({ attempts }) => attempts.slice(0, SHOWN)),
});

const TYPE: Path = ['header', 'content-type'];
const STAMP: Path = ['header', 'x-service-timestamp'];

const TASK = ['id', 'title', 'project_id', 'status'];

/** Fields that the snapshot of a task must carry as a text, whatever its state, and does not. */
export const lacks = ({ event, snapshot }: Letter): string[] =>
  event.startsWith('task.') ? TASK.filter((name) => text(snapshot[name]) === undefined) : [];

/** The deliveries to one registration, or those about the record of a letter. */
const toOne = ({ first }: Letter): Deliveries => ({ to: first.path });
export const aboutIt = ({ first, event, about }: Letter): Deliveries => ({ to: first.path, event, about });

const taskSnapshot = (t: Tools, letter: Letter, log: ChangeLog): void => {
  const { snapshot, event } = letter;
  const wrong = lacks(letter);
  const { assignee_id: assignee } = snapshot;
  // Who is not there may be left out, as elsewhere; who is there may not.
  const causes = log.changes.filter(({ id, event }) => id === letter.about && event === letter.event);
  const assigned = causes.length > 0 && causes.every(({ state }) => text(state.get('assignee_id')) !== undefined);
  if (assignee === undefined ? assigned : assignee !== null && text(assignee) === undefined) wrong.push('assignee_id');
  const says = shownBy(`the task snapshot of ${nameOf(letter)} lacks ${wrong.join(', ')}`, letter);
  const at = (name: string) => ['body', 'data', 'task', name];
  const claims = wrong.map(
    (name) => ({ deliveries: { ...toOne(letter), event }, at: at(name), op: 'type', value: ['text'] }) as const,
  );
  t.must('WM-EVT-023', wrong.length === 0, { ...says, claims });
};

/** Judges what each letter must be, whatever its cause. Later attempts are compared with the first, elsewhere. */
export const judgeEnvelope = (t: Tools, letter: Letter, log: ChangeLog): void => {
  const { first, event } = letter;
  const json = bodyOf(first);
  const stamp = first.headers['x-service-timestamp'];
  const must = (requirement: string, ok: boolean, message: string, at?: Path, op: Operator = 'present', value?: unknown) => {
    const claims = at ? [{ deliveries: toOne(letter), at, op, ...(value === undefined ? {} : { value }) }] : undefined;
    return t.must(requirement, ok, { ...shownBy(message, letter), claims });
  };
  const type = first.headers['content-type'] ?? '';
  const isBody = isRecord(first.json);
  const hasType = /^application\/json\s*(;|$)/i.test(type);
  const isStamp = /^\d{9,11}$/.test(stamp ?? '');
  const isSigned = (first.headers['x-service-signature'] ?? '') !== '';
  const isNamed = typeof json.event === 'string' && /^[a-z]+\.[a-z_]+$/.test(json.event);
  const isDated = isUtc(json.created_at) && namesZone(json.created_at);
  const ends = `a delivery goes to a url that ends with "${first.query}", not with "${hookQuery(first.path)}"`;
  const says = (name: string) => `${name} is ${JSON.stringify(json[name])}`;
  const [ID, EVENT, CREATED]: Path[] = ['id', 'event', 'created_at'].map((name) => ['body', name]);
  must('WM-EVT-009', first.method === 'POST', `a delivery is a ${first.method}`, ['method'], 'equals', 'POST');
  must('WM-EVT-039', first.query === hookQuery(first.path), ends);
  if (!isBody) must('WM-EVT-010', false, 'a delivery holds no JSON object', ['body'], 'type', ['object']);
  else must('WM-EVT-010', hasType, `a delivery is ${type || 'without a type'}`, TYPE, 'matches', '^application/json *(;|$)');
  const seconds = must('WM-EVT-011', isStamp, `X-Service-Timestamp is ${stamp}`, STAMP, 'matches', '^[0-9]{9,11}$');
  must('WM-EVT-013', isSigned, 'X-Service-Signature is missing', ['header', 'x-service-signature']);
  must(
    'WM-EVT-017',
    typeof json.id === 'string' && json.id !== '',
    `the id of an event is ${JSON.stringify(json.id)}`,
    ID,
    'type',
    ['text'],
  );
  must('WM-EVT-019', isNamed, says('event'), EVENT, 'matches', '^[a-z]+[.][a-z_]+$');
  const dated = must('WM-EVT-020', isDated, says('created_at'), CREATED, 'matches', ZONED);
  if (dated && seconds) {
    const apart = Math.abs(Math.floor(instant(json.created_at) / 1000) - Number(stamp));
    must('WM-EVT-021', apart <= 1, `created_at and X-Service-Timestamp of ${nameOf(letter)} are ${apart} s apart`);
  }
  const keys = isRecord(json.data) ? Object.keys(json.data) : [];
  const kind = event.split('.')[0]!;
  const right = kind === '' || (keys[0] === kind && isRecord((json.data as Json)[kind]));
  const has = `data of ${event} has the keys ${keys.join(', ') || 'of no object'}`;
  const pattern = `^[{]"(${kind || '[a-z]+'})":[{].*[}][}]$`;
  must('WM-EVT-022', keys.length === 1 && right, has, ['body', 'data'], 'matches', pattern);
  if (kind === 'task' && keys.length > 0) taskSnapshot(t, letter, log);
  secrets(t, letter);
};

/** The signature is made with a secret; nothing else of a delivery may show one. */
const secrets = (t: Tools, letter: Letter): void => {
  const values = [...t.parts.redactor.secrets()].filter((value) => value.length >= 8);
  const shows = ({ headers, body }: Message): boolean =>
    [body, ...Object.values({ ...headers, 'x-service-signature': '' })].some((part) =>
      values.some((value) => part?.includes(value)),
    );
  t.must('WM-EVT-038', !letter.attempts.some(shows), shownBy(`${nameOf(letter)} shows a key or a secret`, letter));
};
