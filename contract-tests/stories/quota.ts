// Responses when the budget is used up: 429 for every operation, without effect, until Reset.

import { needPlans, type OpenWorld, openWorld } from '../checks/worlds.ts';
import type { Check } from '../engine/check.ts';
import type { Call } from '../engine/client.ts';
import { type Exchange, records, succeeded } from '../engine/exchange.ts';
import { NoResponse } from '../engine/infra.ts';
import { createdId } from '../engine/made.ts';
import { operationsOf } from '../engine/operations.ts';
import { clausesIn } from '../engine/spelling.ts';
import type { Tools } from '../engine/tools.ts';
import { Blocked } from '../engine/unjudged.ts';
import { bodyOf, type Ids, inOrder, none, pathOf } from '../situations/records.ts';
import { CEILING, header, ping, remaining, reset, SECOND, TRAFFIC, untilReset, windowKind } from './budget.ts';
import { crowd, type Filled, fill } from './fill-quota.ts';

/** No larger budget is used up: the largest plan of the spec, ten times. */
const MAX_QUOTA = 10_000;
/** No larger one is used up a second time. */
const MAX_TWICE = 1000;
/** A few may be served at Remaining 0, where a place in the window came free for each. */
const OVERRUN = 8;
/** This many responses in a row tell whether another client is at work. */
const TAIL = 8;
/** A request that was sent at most this long ago is in the last minute, however the target rounds. */
const SURELY_COUNTED = 57 * SECOND;
/** A budget that is soon used up. */
const SMALL = 4;

interface Used {
  /** The first response that is a 429; undefined when none came. */
  readonly refused: Exchange | undefined;
  /** The response before it. */
  readonly before: Exchange;
  readonly served: number;
  readonly ms: number;
  /** Remaining in the first response: all that a window holds, less one. */
  readonly most: number;
  /** How many were served one after the other while Remaining was 0. */
  readonly overrun?: number;
  /** A response with Remaining 0, and one that was served after it. */
  readonly beyond?: readonly [Exchange, Exchange];
  /** Remaining in the last responses, where one request followed the other. */
  readonly tail: readonly number[];
  /** Instead of a response, again and again. */
  readonly silent?: NoResponse;
}

/** A response, or why there is none. */
const responseOf = (asked: Promise<Exchange>): Promise<Exchange | NoResponse> =>
  asked.catch((cause: unknown) => {
    if (cause instanceof NoResponse) return cause;
    throw cause;
  });

const NOTHING: Filled & { readonly began?: number } = { served: 0, elsewhere: Number.NaN };

/**
 * Sends requests until one returns 429 or too many were served; several at once where single ones would take a minute.
 * A response of any other status ends it as well: the oracle has judged it.
 */
const burst = async (t: Tools, call: Call, limit: number, first: Exchange, filled: typeof NOTHING = NOTHING): Promise<Used> => {
  const width = Math.min(25, Math.ceil((limit * (first.came - first.sent)) / (20 * SECOND)) || 1);
  const began = filled.began ?? t.time.now();
  let [before, served, most, overrun] = [first, filled.served, Number.NaN, 0];
  let beyond: Used['beyond'];
  let tail: readonly number[] = [];
  while (served <= limit + 1 && overrun < OVERRUN && t.time.now() - began < 50 * SECOND) {
    const outcomes = await Promise.all(Array.from({ length: width }, () => responseOf(ping(t, call))));
    const responses = outcomes.filter((x): x is Exchange => !(x instanceof NoResponse));
    const refused = responses.find((x) => x.status === 429);
    if (Number.isNaN(most)) most = Math.max(...responses.map(remaining));
    const ms = t.time.now() - began;
    served += responses.filter(succeeded).length;
    const over = remaining(before) === 0 ? responses.find(succeeded) : undefined;
    if (over) beyond ??= [before, over];
    const found = { ...(beyond ? { beyond } : {}), served, ms, most, tail };
    if (refused) return { ...found, refused, before: width === 1 ? before : refused };
    overrun = remaining(before) === 0 ? overrun + responses.filter((x) => succeeded(x) && remaining(x) === 0).length : 0;
    const silent = outcomes.find((x): x is NoResponse => x instanceof NoResponse);
    if (silent) return { ...found, refused: undefined, before, silent };
    if (!responses.some(succeeded)) break;
    before = responses.at(-1)!;
    tail = width === 1 ? [...tail, remaining(before)].slice(-TAIL) : [];
  }
  return { refused: undefined, before, served, ms: t.time.now() - began, most, overrun, tail };
};

/**
 * Whether what was served at Remaining 0 had no place in the window: no other client uses it, or it frees none before it ends, or the next one
 * shows the same. What others sent earlier may age out at that very moment once, hardly twice.
 */
const counted = async (
  t: Tools,
  world: OpenWorld | undefined,
  call: Call,
  limit: number,
  [zero, served]: readonly [Exchange, Exchange],
) => {
  const fixed = windowKind.of(t) === 'fixed' && header(zero, 'reset') === header(served, 'reset');
  if (world || fixed) return true;
  await reset(t, served);
  return (await burst(t, call, limit, await ping(t, call))).beyond !== undefined;
};

/** A 429 that came above 0, though the responses before it fell one by one. */
const isEarly = ({ refused, before, tail }: Used): boolean => {
  const falls = tail.slice(1).map((left, i) => tail[i]! - left);
  const steady =
    falls.length === TAIL - 1 && falls.every((by) => by === 0 || by === 1) && falls.filter((by) => by === 1).length >= TAIL - 2;
  return refused !== undefined && steady && remaining(before) > 0;
};

/** Who else asks at that very moment may take the last place once, hardly twice. @returns the 429 that came last */
const early = async (t: Tools, call: Call, limit: number, used: Used): Promise<Exchange | undefined> => {
  if (!isEarly(used)) return used.refused;
  await reset(t, used.refused!);
  const again = await burst(t, call, limit, await ping(t, call));
  const message = `429 comes while Remaining is ${remaining(used.before)}, each time`;
  t.must(
    'WM-RATE-018',
    !(isEarly(again) && remaining(again.before) === remaining(used.before)),
    message,
    again.before,
    ...(again.refused ? [again.refused] : []),
  );
  return again.refused ?? used.refused;
};

/** Records whose operations would be carried out if there were requests left. */
const targets = async (t: Tools, call: Call): Promise<Ids> => {
  const project = await t.project('at-zero', call);
  const task = await t.task(encodeURIComponent(project), { title: t.name('at-zero') }, call);
  const team = t.knows('1.2') ? createdId(await t.post('/teams', { name: t.name('at-zero') }, call)) : undefined;
  return { project, task, team: team ?? none.team };
};

const isLetIn = (x: Exchange | NoResponse): boolean => !(x instanceof NoResponse) && x.status !== 429;

/** A gateway that fails for one operation each time, and for its neighbour never, is none. */
const failsAlone = async (
  t: Tools,
  call: Call,
  what: string,
  first: NoResponse,
  again: () => Promise<Exchange | NoResponse>,
): Promise<void> => {
  const next = await ping(t, call);
  const fails = next.status === 429 && (await again()) instanceof NoResponse;
  t.must('WM-RATE-017', !fails, `${what} ends in ${first.kind} each time, at Remaining 0`, next);
};

/**
 * With the budget used up each operation is refused alike, though nothing else is wrong with it.
 * @param sure no place in the window comes free meanwhile
 */
const everyOperation = async (t: Tools, call: Call, on: Ids, sure: boolean): Promise<void> => {
  for (const operation of inOrder(operationsOf(t.parts.release))) {
    // A registration that is let in stays.
    if (operation.id === 'create_webhook' && !sure && !t.parts.receiver) continue;
    const what = `${operation.method} ${operation.path}`;
    const ask = () =>
      responseOf(t.send(operation.method, pathOf(operation, on), { ...call, body: bodyOf(t, operation, 'at-zero') }));
    const x = await ask();
    // At Remaining 0 nothing is left for any key of the workspace; a key with its own ceiling shows more.
    const other = !(x instanceof NoResponse) && remaining(x) <= 0 && call.as === t.strong ? { ...call, as: t.main } : call;
    /** Once more, right after another one was refused. */
    const again = async () => (await ping(t, other)).status === 429 && (await ask().then(isLetIn));
    if (x instanceof NoResponse) {
      await failsAlone(t, call, what, x, ask);
      continue;
    }
    const free = !sure && (x.status < 300 || remaining(x) > 0) && !(isLetIn(x) && (await again()) && (await again()));
    t.must('WM-RATE-017', x.status === 429 || free, `${what} returns ${x.status} at Remaining 0`, x);
  }
};

/** This in a world of its own, whose window no one else uses. */
const everyOperationInWorld = async (t: Tools): Promise<void> => {
  const world = await openWorld(t, SMALL + 3);
  try {
    const call: Call = { ...world.call, unpaced: true };
    const on = await targets(t, call);
    for (let n = 0; n <= SMALL && (await ping(t, call)).status !== 429; n++);
    await everyOperation(t, call, on, true);
    await world.sleep(65 * SECOND);
    const seen = [await t.get(`/projects/${on.project}`, call), await t.get(`/projects/${on.project}/tasks`, call)];
    const same = seen.every(succeeded) && records(seen[1]!).length === 1 && records(seen[1]!)[0]?.title === t.name('at-zero');
    t.must('WM-RATE-021', same, 'a request refused with 429 is carried out', ...seen);
  } finally {
    await world.close();
  }
};

const useUp = async (t: Tools, world: OpenWorld | undefined): Promise<void> => {
  const call: Call = world ? { ...world.call, unpaced: true } : { as: t.main, unpaced: true };
  const first = await ping(t, call);
  const limit = header(first, 'limit');
  if (!Number.isInteger(limit)) t.need(false, 'WM-RATE-006');
  if (world && limit !== SMALL) await needPlans(t);
  if (limit > MAX_QUOTA) t.skip(`QUOTA_TOO_LARGE(${limit} requests a minute)`);
  // A window that has just begun lasts as long as the burst.
  if (!world) await reset(t, first);
  const on = world ? undefined : await targets(t, { as: t.strong, unpaced: true });
  const began = t.time.now();
  const filled = world ? NOTHING : { ...(await fill(t)), began };
  const used = await burst(t, call, limit, first, filled);
  const { before, served, ms, most, silent, overrun = 0, beyond } = used;
  const last = world || limit > MAX_TWICE ? used.refused : await early(t, call, limit, used);
  if (silent && remaining(before) <= 0) await outOfService(t, world, call, before, silent);
  if (overrun >= OVERRUN) {
    t.must('WM-RATE-017', false, `${overrun} requests are served while Remaining is 0`, before);
    return;
  }
  if (!last && served <= limit) t.skip(`HIDDEN(${served} responses took ${Math.round(ms / SECOND)} s)`);
  const message = `${served} requests of ${limit} a minute were served in ${Math.round(ms / SECOND)} s`;
  if (!t.must('WM-RATE-017', last !== undefined, `${message}, the last with Remaining ${remaining(before)}`, before)) return;
  if (beyond && limit <= MAX_TWICE && (await counted(t, world, call, limit, beyond)))
    t.must('WM-RATE-017', false, 'a request is served though the one before it left Remaining 0', ...beyond);
  const left = world ? remaining(before) : remaining(last!);
  t.must('WM-RATE-018', left <= 0, `429 came while Remaining was ${left}`, before, last!);
  t.must('WM-RATE-017', served <= limit, message, before, last!);
  t.record.judged.add('WM-RATE-019').add('WM-RATE-020');
  const retryAfter = last!.headers.get('retry-after');
  t.note('WM-RATE-023', retryAfter ?? 'absent', last!);
  t.observe('retry-after', retryAfter === null ? 'absent' : 'present');
  if (on) await everyOperation(t, { ...call, as: t.strong }, on, false);
  // The budget is the workspace's: its other keys have none either. A place in the window may have come free for one.
  for (const as of world ? [] : (['read', 'write', 'admin'] as const)) {
    if (!t.has(as) || as === t.main) continue;
    const x = await ping(t, { as, unpaced: true });
    if (!succeeded(x) || hasCeiling(t, limit, x)) continue;
    const still = remaining(x) > 1 ? await usedUp(t, call) : undefined;
    t.must('WM-RATE-011', !still, `a ${as} key has ${remaining(x)} requests left`, still ?? last!, x);
  }
  if (!world && t.has('other')) await notElsewhere(t, filled.elsewhere, last!);
  const refused = await createAtZero(t, world, call, first);
  // A quota that was used up on one path is used up on all.
  const spare = remaining(refused) > Math.max(2, limit * 0.05);
  if (succeeded(refused)) {
    const still = spare ? await usedUp(t, call) : undefined;
    t.must('WM-RATE-011', !still, `POST /projects has ${remaining(refused)} requests left`, still ?? last!, refused);
  }
  if (world) await learnRefused(t, world, call, last!);
  else await halfWay(t, call, last!);
  await fullAgain(t, world, call, refused, world ? most : Math.max(most, t.parts.oracle.budget.most));
  if (refused.status !== 429) t.skip(TRAFFIC);
  const { name: wanted } = JSON.parse(refused.requestBody ?? '{}') as { name?: string };
  const list = await t.get('/projects?limit=100', call);
  const there = records(list).some((item) => item.name === wanted);
  t.must('WM-RATE-021', !there, 'a create refused with 429 creates', refused, list);
  if (!world) await crowd(t);
};

/** A key may have a ceiling of its own below the workspace's; whether it has may not have come out beside other clients. */
const hasCeiling = (t: Tools, limit: number, x: Exchange): boolean => {
  const source = t.parts.choices.seen.get('rate-source');
  const fits = limit > CEILING && remaining(x) <= CEILING;
  return remaining(x) > 0 && (source === 'workspace-and-key' || (source === undefined && fits));
};

/** The response that says that a budget is still used up: another client may have waited for a new window. */
const usedUp = async (t: Tools, call: Call): Promise<Exchange | undefined> => {
  const x = await ping(t, call);
  return x.status === 429 || remaining(x) <= 1 ? x : undefined;
};

/** A budget that is used up is that of one workspace. */
const notElsewhere = async (t: Tools, left: number, last: Exchange): Promise<void> => {
  const x = await ping(t, { as: 'other', unpaced: true });
  // This many cannot have been used since by others.
  if (left >= 40)
    t.must('WM-RATE-011', x.status !== 429, `the other workspace, which had ${left} requests left, is refused`, last, x);
};

/** A create that the budget has no place for. */
const createAtZero = async (t: Tools, world: OpenWorld | undefined, call: Call, first: Exchange): Promise<Exchange> => {
  const name = t.name('over-quota');
  const create = () => responseOf(t.post('/projects', { name }, call));
  const tried = await create();
  if (tried instanceof NoResponse) {
    await failsAlone(t, call, 'POST /projects', tried, create);
    throw tried;
  }
  let refused = tried;
  // A place in the window may have come free.
  for (let tries = 0; !world && tries < 3 && refused.status !== 429; tries++) {
    await burst(t, call, 3, first);
    refused = await t.post('/projects', { name: `${name}-${tries}` }, call);
  }
  return refused;
};

/** A failure that begins where the budget ends, and ends where it is full again, is the service's. */
const outOfService = async (t: Tools, world: OpenWorld | undefined, call: Call, before: Exchange, silent: NoResponse) => {
  if (world) await world.sleep(65 * SECOND);
  else await reset(t, before);
  const again = await responseOf(ping(t, call));
  if (again instanceof NoResponse || !succeeded(again)) throw silent;
  t.must('WM-RATE-017', false, `at Remaining 0 requests end in ${silent.kind}, and after Reset they are served`, before, again);
  throw new Blocked('WM-RATE-017');
};

/** The places of requests within the last minute have not come free, whether a window rolls or lasts until Reset. */
const halfWay = async (t: Tools, call: Call, last: Exchange): Promise<void> => {
  const ends = untilReset(t, last);
  if (ends < 45 * SECOND) return;
  // A window that does not roll began a minute before its end, or a little earlier.
  const began = windowKind.of(t) === 'rolling' ? 0 : t.time.now() + ends - 66 * SECOND;
  t.waits('half a window to pass', 32 * SECOND);
  await t.time.sleep(32 * SECOND);
  const x = await ping(t, call);
  const served = t.parts.oracle.budget.servedSince(Math.max(began, x.came - SURELY_COUNTED));
  const free = header(x, 'limit') - served + Math.max(2, header(x, 'limit') * 0.05);
  const message = `${remaining(x)} requests are left of ${header(x, 'limit')}, though ${served} were served within the last minute`;
  t.must('WM-RATE-022', !succeeded(x) || remaining(x) <= free, message, last, x);
};

/** Whether requests that were refused count. */
const learnRefused = async (t: Tools, world: OpenWorld, call: Call, last: Exchange): Promise<void> => {
  await world.sleep(5 * SECOND);
  const later = await ping(t, call);
  const counted = header(later, 'reset') > header(last, 'reset');
  if (t.parts.choices.seen.get('rate-window') === 'rolling') t.observe('refused-requests', counted ? 'counted' : 'not-counted');
};

/** At Reset the whole limit is there again; what is not may be the work of others, if some are seen at work. */
const fullAgain = async (t: Tools, world: OpenWorld | undefined, call: Call, refused: Exchange, most: number): Promise<void> => {
  let again = refused;
  for (let tries = 0; tries < (world ? 1 : 3); tries++) {
    if (world) await world.sleep(65 * SECOND);
    else await reset(t, again);
    again = await ping(t, call);
    if (succeeded(again) && remaining(again) >= most - Math.max(2, most * 0.1)) return void t.must('WM-RATE-022', true, '');
  }
  if (!world) {
    await t.time.sleep(10 * SECOND);
    const still = await ping(t, call);
    if (Math.abs(remaining(again) - remaining(still)) > 1)
      return t.record.skip('WM-RATE-022', t.record.check, 'skipped', TRAFFIC);
  }
  t.must('WM-RATE-022', false, `at Reset a request returns ${again.status} with Remaining ${remaining(again)}`, again);
};

export const quotaChecks: readonly Check[] = [
  {
    id: 'limits/quota',
    says: 'At 0 further requests get 429 without effect, until Reset gives the full limit back',
    covers: clausesIn('RATE 17-23'),
    needs: ['quota'],
    profile: 'full',
    last: true,
    run: async (t: Tools) => {
      const world = t.parts.control ? await openWorld(t, SMALL) : undefined;
      try {
        await useUp(t, world);
      } finally {
        await world?.close();
      }
      if (world) await everyOperationInWorld(t);
    },
  },
];
