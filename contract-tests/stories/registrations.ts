// Registrations of the run, made once: three in our workspace and two in the other. A control API removes them again; without one they stay.
import { type Exchange, secretOf, succeeded } from '../engine/exchange.ts';
import { Kept } from '../engine/kept.ts';
import { isLoopback } from '../engine/preflight.ts';
import type { Arrival, Message } from '../engine/receiver.ts';
import type { Role } from '../engine/terms.ts';
import type { Tools } from '../engine/tools.ts';
import { Blocked, Skipped } from '../engine/unjudged.ts';
import type { Space } from '../oracle/changes.ts';
import { FIRED, isComplete, readPost, slowest } from '../oracle/events.ts';
import { hookQuery, type Registration } from '../oracle/letters.ts';
import type { Post } from '../oracle/pairing.ts';

const EVENTS = [
  'member.joined',
  'task.created',
  'task.updated',
  'task.deleted',
  'project.created',
  'project.updated',
  'project.deleted',
  'member.invited',
] as const;

/** Some of which neither the resource nor the action tells which others were left out. */
const FEW = ['task.created', 'project.updated', 'project.deleted'] as const;
/** Events that hardly ever happen. */
const RARE = ['member.joined'];

/** One event and no other: in the other workspace, and in ours. */
const ALONE = { other: ['project.created'], own: ['task.deleted'] } as const;

/** The events that the release has. */
const eventsOf = (t: Tools): readonly string[] => EVENTS.filter((name) => t.knows('1.2') || !name.startsWith('member.'));

export interface Hook extends Registration {
  readonly response: Exchange;
}

export interface Hooks {
  /** Registered for all events, with the strongest key. */
  readonly all: Hook;
  /** Registered for some events, with a write key when that suffices; undefined when the target takes no second registration. */
  readonly few: Hook | undefined;
  /** Registered for one event. */
  readonly one: Hook | undefined;
  /** Registered in the other workspace: for all events where it can be removed again, else for one. */
  readonly other: Hook | undefined;
}

/** Where the target sends what a registration of this run asks for. */
export const hookUrl = (t: Tools, path: string): string => `${t.parts.receiverUrl}/${t.parts.runName}/${path}${hookQuery(path)}`;

/** The registration that is always refused. */
export const REFUSED = 'refused';

const ACCEPTED = [200, 201, 202, 204, 206, 299];

/** Any 2xx accepts, so each of them is used. */
export const accept = (_message: Arrival, earlier: readonly Message[]): number => ACCEPTED[earlier.length % ACCEPTED.length]!;

/** Asks for a registration; no artefact shows its secret. */
export const ask = async (t: Tools, path: string, events: readonly string[], as: Role): Promise<Exchange> => {
  const response = await t.post('/webhooks', { url: hookUrl(t, path), events }, { as });
  t.parts.redactor.know(secretOf(response), `$WEBHOOK_SECRET_${path.toUpperCase()}`);
  return response;
};

/** A registration with an address of its own. @returns the response alone when it is refused. */
const register = async (t: Tools, name: string, events: readonly string[], as: Role, space: Space): Promise<Hook | Exchange> => {
  const response = await ask(t, name, events, as);
  if (!succeeded(response)) return response;
  const everything = events.length === eventsOf(t).length;
  return { name, events, everything, space, secret: secretOf(response), number: response.number, response };
};

const isHook = (result: Hook | Exchange): result is Hook => 'secret' in result;

const first = async (t: Tools): Promise<Hook> => {
  const result = await register(t, 'all', eventsOf(t), t.strong, 'own');
  if (isHook(result)) return result;
  if (t.has('admin')) t.must('WM-SCOPE-024', result.status !== 403, 'an admin key may not register', result);
  if (result.status === 403) throw new Skipped('NO_KEY(one that may register webhooks)');
  const url = hookUrl(t, 'all');
  if (isLoopback(url) || url.startsWith('http:')) throw new Skipped('NO_RECEIVER(the target refuses this URL)');
  t.must('WM-EP-019', false, `POST /webhooks returns ${result.status}`, result);
  throw new Blocked('WM-EP-019');
};

/** Whether a rule refuses any second registration: what the first one asked for is refused in the same way. */
const isFull = async (t: Tools, { status }: Exchange): Promise<boolean> =>
  status === 422 && (await ask(t, 'few', eventsOf(t), t.strong)).status === 422;

/**
 * With a write key, to see whether that suffices. How many registrations a workspace may have is open, and whether an event may be named
 * twice; where it may, it is one event.
 */
const second = async (t: Tools): Promise<Hook | undefined> => {
  const keys = [...new Set([t.has('write') ? 'write' : t.strong, t.strong] as const)];
  for (const as of keys) {
    let result = await register(t, 'few', [...FEW, FEW[0]], as, 'own');
    if (!isHook(result) && [400, 422].includes(result.status)) result = await register(t, 'few', FEW, as, 'own');
    if (as === 'write' && (isHook(result) || result.status === 403))
      t.observe('webhook-scope', isHook(result) ? 'write' : 'admin');
    if (isHook(result)) return result;
    if (result.status === 403) continue;
    const full = [402, 409].includes(result.status) || (await isFull(t, result));
    t.must('WM-EP-019', full, `a second POST /webhooks returns ${result.status}`, result);
    return undefined;
  }
  return undefined;
};

const made = async (t: Tools): Promise<Hooks> => {
  t.parts.receiver!.plan = accept;
  const all = await first(t);
  const few = await second(t);
  const alone = few && (await register(t, 'one', ALONE.own, t.strong, 'own'));
  const one = alone && isHook(alone) ? alone : undefined;
  if (!t.has('other')) return { all, few, one, other: undefined };
  const removable = t.parts.control !== undefined;
  // Another workspace may register an address of ours, too: what that one asks for is no sign of anything there.
  const shares = one && t.knows('1.2') && succeeded(await ask(t, one.name, RARE, 'other'));
  const other = await register(t, 'other', removable ? eventsOf(t) : ALONE.other, 'other', 'other');
  return { all, few, one: shares ? { ...one, shared: RARE } : one, other: isHook(other) ? other : undefined };
};

/** The registrations of the run, or why there are none. */
const kept = new Kept<Hooks | Skipped | Blocked>();

/** The registrations. @throws Skipped or Blocked, each time, when there are none. */
export const hooks = async (t: Tools): Promise<Hooks> => {
  const known = kept.of(t);
  if (known instanceof Skipped || known instanceof Blocked) throw known;
  if (known) return known;
  try {
    return kept.keep(t, await made(t)) as Hooks;
  } catch (cause) {
    if (cause instanceof Skipped || cause instanceof Blocked) kept.keep(t, cause);
    throw cause;
  }
};

/** The messages to each registration. */
export const posts = async (t: Tools): Promise<Post[]> => {
  const { all, few, one, other } = await hooks(t);
  return [all, few, one, other].flatMap((to) => (to ? [readPost(t, t.parts.changes, to)] : []));
};

const SECOND = 1000;
/** On a virtual clock a quarter of an hour is waited, in steps in which no retry hides. */
const STEP = 10;
const STEPS = 90;
/** How long to wait in real time while nothing at all has come, and how long in all while something still comes now and then. */
const FIRST_PATIENCE_MS = 180_000;
const MAX_MS = 600_000;
/** Nothing comes any more after this many times what the slowest delivery took. */
const TIMES_SLOWEST = 3;

/** The number of the run's own changes that have been told so far, and how long the slowest delivery took. */
const toldSoFar = async (t: Tools): Promise<{ count: number; slowestMs: number }> => {
  const found = await posts(t);
  return { count: found.reduce((sum, { pairing }) => sum + pairing.pairs.size, 0), slowestMs: slowest(found) };
};

/** How a wait for deliveries ended: there they are, nothing comes any more, or they still come when no more time is left. */
export type Ending = 'there' | 'quiet' | 'unseen';

/** Waits until something is there, as long as deliveries of the run's own changes trickle in, in proportion to the slowest of them. */
export const arrived = async (t: Tools, done: () => boolean): Promise<Ending> => {
  await t.time.settle();
  if (t.time.virtual) {
    for (let step = 0; step < STEPS && !done(); step++) await t.time.sleep((step === 0 ? 1 : STEP) * SECOND);
    return done() ? 'there' : 'quiet';
  }
  const began = t.time.now();
  const patience = () => (news.count === 0 ? FIRST_PATIENCE_MS : Math.max(t.parts.patienceMs, TIMES_SLOWEST * news.slowestMs));
  const messages = () => t.parts.receiver!.messages.length;
  let news = await toldSoFar(t);
  for (let since = began, seen = -1; ; await t.time.settle()) {
    const now = t.time.now();
    if (messages() > seen) {
      seen = messages();
      if (done()) return 'there';
      const before = news.count;
      news = await toldSoFar(t);
      if (news.count > before) since = now;
    }
    if (now - since > patience()) return 'quiet';
    if (now - began > MAX_MS) return 'unseen';
    t.waits('deliveries', since + patience() - now);
  }
};

/** Waits until everything that must come has come, or nothing comes any more. What could still come is no fault: it is left out of what is missing. */
export const allArrived = async (t: Tools): Promise<Post[]> => {
  let found = await posts(t);
  const hookList = found.map(({ to }) => to);
  const ending = await arrived(t, () => {
    found = hookList.map((to) => readPost(t, t.parts.changes, to));
    return found.every(isComplete);
  });
  return ending === 'unseen' ? found.map((post) => withoutUnseen(t, post)) : found;
};

const withoutUnseen = (t: Tools, { due, pairing, ...rest }: Post): Post => {
  for (const event of new Set(pairing.missing.map((change) => change.event)))
    t.record.skip(FIRED[event]!, t.record.check, 'skipped', `HIDDEN(deliveries still come after ${MAX_MS / SECOND} s)`);
  const seen = due.filter((change) => !pairing.missing.includes(change));
  return { ...rest, due: seen, pairing: { ...pairing, missing: [] } };
};
