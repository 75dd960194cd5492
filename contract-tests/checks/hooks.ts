// Registrations of the run: at most two, made once, and tolerant ways to read what arrives.
import { Blocked, Skipped } from '../engine/check.ts';
import { type Exchange, isRecord, type Json, succeeded, text } from '../engine/exchange.ts';
import { isLoopback } from '../engine/preflight.ts';
import type { Message } from '../engine/receiver.ts';
import type { Tools } from '../engine/tools.ts';

export const EVENTS = [
  'task.created',
  'task.updated',
  'task.deleted',
  'project.created',
  'project.updated',
  'project.deleted',
  'member.invited',
  'member.joined',
] as const;

/** The events that the release has. */
export const eventsOf = (t: Tools): readonly string[] => EVENTS.filter((name) => t.knows('1.2') || !name.startsWith('member.'));

export interface Hook {
  readonly answer: Exchange;
  readonly secret: string | undefined;
}

export interface Hooks {
  /** Registered for all events. */
  readonly all: Hook;
  /** Registered for task.deleted alone. */
  readonly few: Hook;
}

const body = (message: Message): Json => (isRecord(message.json) ? message.json : {});

/** The name of the event, also when it stands under another key. */
export const eventOf = (message: Message): string => {
  const name = text(body(message).event) ?? text(body(message).type) ?? '';
  return name.replace(/^([a-z]+)[_-]([a-z]+)$/, '$1.$2');
};

/** The snapshot, also when it is not under the resource type. */
export const snapshotOf = (message: Message): Json => {
  const { data } = body(message);
  if (!isRecord(data)) return {};
  const inner = data[eventOf(message).split('.')[0] ?? ''];
  return isRecord(inner) ? inner : data;
};

const secretOf = (x: Exchange): string | undefined => {
  const json = isRecord(x.json) ? x.json : {};
  return text(isRecord(json.data) ? json.data.secret : undefined) ?? text(json.secret);
};

const register = async (t: Tools, path: string, events: readonly string[], as: 'write' | 'admin' | 'read'): Promise<Hook> => {
  const url = t.hookUrl(path);
  const answer = await t.post('/webhooks', { url, events }, { as });
  if (answer.status === 403) throw new Skipped('NO_KEY(one that may register webhooks)');
  if (!succeeded(answer)) {
    if (isLoopback(url) || url.startsWith('http:')) throw new Skipped('NO_RECEIVER(the target refuses this URL)');
    t.must('WM-EP-019', false, `POST /webhooks is answered ${answer.status}`, answer);
    throw new Blocked('WM-EP-019');
  }
  const secret = secretOf(answer);
  t.parts.redactor.know(secret, `$WEBHOOK_SECRET_${path.toUpperCase()}`);
  return { answer, secret };
};

/** Both registrations; the second with a write key when that suffices. */
export const hooks = async (t: Tools): Promise<Hooks> => {
  const known = t.parts.shared.get('hooks') as Hooks | Error | undefined;
  if (known instanceof Error) throw known;
  if (known) return known;
  const strong = t.strong as 'write' | 'admin';
  try {
    const all = await register(t, 'all', eventsOf(t), strong);
    let few: Hook;
    try {
      few = await register(t, 'few', ['task.deleted'], t.has('write') ? 'write' : strong);
      if (t.has('write')) t.observe('webhook-scope', 'write');
    } catch (cause) {
      if (!(cause instanceof Skipped)) throw cause;
      t.observe('webhook-scope', 'admin');
      few = await register(t, 'few', ['task.deleted'], strong);
    }
    const made = { all, few };
    t.parts.shared.set('hooks', made);
    return made;
  } catch (cause) {
    t.parts.shared.set('hooks', cause);
    throw cause;
  }
};

/** Waits until something has arrived; on a virtual clock a few steps, else up to ten seconds. */
export const arrived = async (t: Tools, done: () => boolean): Promise<boolean> => {
  for (let round = 0; round < (t.time.virtual ? 3 : 50); round++) {
    await t.time.settle();
    if (done()) return true;
    if (t.time.virtual) await t.time.sleep(1000);
  }
  return done();
};
