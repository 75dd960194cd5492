// Requests at once: what no order of them explains. The oracle judges each response, with what was under way beside it in mind.

import type { Check } from '../engine/check.ts';
import type { Exchange } from '../engine/exchange.ts';
import { cursorOf } from '../engine/follow.ts';
import { NoResponse } from '../engine/infra.ts';
import { createdId } from '../engine/made.ts';
import { at, clausesIn, of } from '../engine/spelling.ts';
import type { Tools } from '../engine/tools.ts';

/** A 5xx is bad luck unless it comes so often in a row. */
const MAX_TRIES = 3;

type Settled = PromiseSettledResult<Exchange>;

const both = async (t: Tools, ...sends: readonly (() => Promise<Exchange>)[]): Promise<Settled[]> => {
  await t.room(sends.length);
  return Promise.allSettled(sends.map((send) => send()));
};

const brokenBy = (settled: readonly Settled[]): Exchange | undefined =>
  settled
    .map((one) => (one.status === 'rejected' && one.reason instanceof NoResponse ? one.reason.response : undefined))
    .find((x) => x !== undefined);

/** Sends requests at once, once more while one of them returns 5xx, and looks at what they did. */
const atOnce = async (t: Tools, what: string, play: () => readonly (() => Promise<Exchange>)[]): Promise<Exchange[]> => {
  for (let tries = 1; ; tries++) {
    const settled = await both(t, ...play());
    const broken = brokenBy(settled);
    if (!broken) {
      const lost = settled.find((one) => one.status === 'rejected');
      if (lost) throw lost.reason;
      return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    }
    if (tries < MAX_TRIES) continue;
    t.must('WM-ERR-014', false, `${what} at once: one returns ${broken.status}, ${tries} times`, broken);
    throw new NoResponse(String(broken.status), false, broken);
  }
};

const ONCE = { once: true } as const;

/** Different fields of one record: neither change is lost. Then one field: one of both values stays. */
const patches = async (t: Tools, project: string, task: string): Promise<void> => {
  const { members } = await t.world();
  const person = members.at(-1);
  const pairs: readonly (readonly [string, object, object])[] = [
    [
      task,
      { title: 'wm one', status: 'done' },
      { description: 'the other', ...(person ? { assignee_id: person } : { due_date: '2031-04-05T06:07:08Z' }) },
    ],
    [project, { name: t.name('at-once-one') }, { description: 'the other' }],
    [task, { title: 'wm first or second' }, { title: 'wm second or first' }],
  ];
  for (const [path, one, other] of pairs) {
    await atOnce(t, `two PATCHes of ${path.split('/')[1]}`, () => [one, other].map((body) => () => t.patch(path, body, ONCE)));
    await t.get(path);
  }
};

/** One name for two teams: one is made, the other is told of the conflict. */
const names = async (t: Tools): Promise<void> => {
  let count = 0;
  const made = await atOnce(t, 'two creates of one team name', () => {
    const body = { name: t.name(`twins-${++count}`) };
    return [1, 2].map(() => () => t.post('/teams', body, { as: t.strong, ...ONCE }));
  });
  const [one] = made.map(createdId).filter((id) => id !== undefined);
  await t.get('/teams?limit=100');
  if (one !== undefined) await t.delete(at('teams', one), { as: t.strong });
};

/** A list by created_at, page by page, while records are created behind its end. */
const walk = async (t: Tools, inside: string): Promise<void> => {
  const list = `${inside}?sort=created_at&limit=${t.smallestLimit}`;
  let x = await t.get(list);
  for (let page = 0; page < 2; page++) {
    const cursor = cursorOf(x);
    if (!t.knows('1.1') || cursor === undefined) return;
    // A record that is created now is surely later than what was there, also where times are told in seconds.
    if (page === 0) await t.time.sleep(1100);
    const next = () => t.get(`${list}&cursor=${encodeURIComponent(cursor)}`, ONCE);
    const create = () => t.post(inside, { title: 'wm behind' }, ONCE);
    [x] = (await atOnce(t, 'a page and a create', () => (page === 0 ? [next, create] : [next]))) as [Exchange];
  }
};

const play = async (t: Tools): Promise<void> => {
  const project = await t.project('at-once', undefined, 'private');
  const inside = `${at('projects', project)}/tasks`;
  const created = await atOnce(t, 'two creates', () =>
    // Two that are alike are two.
    ['wm one', 'wm two', 'wm two'].map((title) => () => t.post(inside, { title, status: 'todo' }, ONCE)),
  );
  const [first, second] = created.map((x) => t.made(x, 'WM-EP-008')) as [string, string];
  await t.get(`${inside}?${of('status', 'todo')}&limit=100`);
  await walk(t, inside);
  await patches(t, at('projects', project), at('tasks', first));
  if (t.knows('1.2')) await names(t);
  // Whichever comes first, it is gone afterwards.
  const path = at('tasks', second);
  await atOnce(t, 'a DELETE and a PATCH', () => [
    () => t.delete(path, ONCE),
    () => t.patch(path, { description: 'beside its deletion' }, ONCE),
  ]);
  await t.get(path);
  const [, late] = await atOnce(t, 'the deletion of a project and a create in it', () => [
    () => t.delete(at('projects', project), ONCE),
    () => t.post(inside, { title: 'wm late' }, ONCE),
  ]);
  const id = late && createdId(late);
  if (id !== undefined) await t.get(at('tasks', id));
};

export const atOnceChecks: readonly Check[] = [
  {
    id: 'at-once',
    says: 'Of requests at once each has its effect, as if they had come one after the other',
    covers: clausesIn('EP 27 45 47, GEN 9 16'),
    profile: 'full',
    run: play,
  },
];
