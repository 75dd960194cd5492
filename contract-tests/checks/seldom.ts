// What is asked seldom: lists upwards past what has no value, every operation in the second workspace, changes back and forth, keys and ids almost right.
import { type Json, succeeded } from '../engine/exchange.ts';
import { cursorOf } from '../engine/follow.ts';
import { createdId } from '../engine/made.ts';
import type { Tools } from '../engine/tools.ts';
import type { Situation } from './edges.ts';
import { sortedBy, sortsOf } from './lists.ts';
import { at, of } from './spelling.ts';

const valuesOf = (t: Tools, name: string): readonly string[] =>
  t.parts.rules.create.task.find((rule) => rule.name === name)?.values ?? [];

/** Pages upwards, past the last that has a value; behind a page of another size; and by the cursor alone. */
const upwards: Situation = {
  requests: 14,
  play: async (t) => {
    const { mainId } = await t.world();
    const inside = `${at('projects', mainId)}/tasks`;
    for (const [sort, limit] of [
      ['due_date', 8],
      ['created_at', 8],
    ] as const)
      if (sortsOf(t).includes(sort)) await t.walk(`${inside}?sort=${sort}&limit=${limit}`, 4);
    if (!t.knows('1.1')) return;
    const cursor = cursorOf(await t.get(`${inside}?limit=7`));
    if (cursor !== undefined) {
      // Whether it may be another limit is open.
      const next = await t.send('GET', `${inside}?limit=5&cursor=${encodeURIComponent(cursor)}`, { quiet: true });
      if (succeeded(next)) t.parts.client.onAnswer(next);
    }
    const [priority] = t.knows('1.3') ? valuesOf(t, 'priority').slice(-1) : [];
    if (priority === undefined) return;
    const few = cursorOf(await t.get(`${inside}?${of('priority', priority)}&limit=${Math.max(2, t.smallestLimit)}`));
    if (few !== undefined) await t.get(`${inside}?cursor=${encodeURIComponent(few)}`);
  },
};

/** Dates, words and members that are almost right; what accepts them keeps something else. */
const nearly: Situation = {
  requests: 8,
  play: async (t) => {
    const { sideId, sideTasks } = await t.world();
    const task = at('tasks', sideTasks[1]?.got.id);
    const inside = `${at('projects', sideId)}/tasks`;
    const word = (name: string) => valuesOf(t, name).find((value) => value.includes('_')) ?? valuesOf(t, name).at(-1) ?? '';
    await t.patch(task, { due_date: 1_930_000_000_000 });
    await t.patch(task, { due_date: '2031-12-31T12:45:37+05:45' });
    await t.post(inside, { title: t.name('nearly'), status: word('status').replace('_', '-').replace(/^\w+$/, ' $& ') });
    if (t.knows('1.3')) await t.post(inside, { title: t.name('nearly'), priority: ` ${word('priority')} ` });
    await t.post('/projects', { name: t.name('nearly'), visibility: 'Team' });
    await t.patch(task, { title: 'true', due_date: '9999-12-31T23:59:59Z' });
    await t.get(task);
  },
};

/** What the first workspace is asked, the second is asked as well: each operation on records of its own. */
const secondHome: Situation = {
  requests: 12,
  play: async (t) => {
    if (!t.has('other')) return;
    const as = 'other';
    const project = createdId(await t.post('/projects', { name: t.name('second'), visibility: 'team' }, { as }));
    if (project === undefined) return;
    const inside = `${at('projects', project)}/tasks`;
    await t.patch(at('projects', project), { description: 'of the second', visibility: 'public' }, { as });
    const body = { title: t.name('second'), status: 'in_progress', priority: 'high', due_date: '2031-03-04T05:06:07Z' };
    const [task, doomed] = [createdId(await t.post(inside, body, { as })), createdId(await t.post(inside, body, { as }))];
    if (doomed !== undefined) await t.delete(at('tasks', doomed), { as });
    if (task !== undefined) await t.get(at('tasks', task), { as });
    if (doomed !== undefined) await t.get(at('tasks', doomed), { as });
    await t.get(`${inside}?limit=100`, { as });
    if (t.knows('1.3')) await t.get(`/tasks?${of('priority', 'high')}&limit=100`, { as });
    await t.get(`/projects?${of('visibility', 'public')}&limit=100`, { as });
    const team = t.knows('1.2') ? createdId(await t.post('/teams', { name: t.name('second') }, { as })) : undefined;
    if (team !== undefined) await t.get(at('teams', team), { as });
  },
};

/** Changes to and fro: everything at once, back to what it was, a date after none, one word alone. */
const toAndFro: Situation = {
  requests: 18,
  play: async (t) => {
    const { members } = await t.world();
    const name = t.name('to-and-fro');
    const project = await t.project('to-and-fro', {}, 'public');
    const first: Json = {
      title: 'wm to',
      description: 'to',
      status: 'todo',
      priority: 'low',
      assignee_id: members[0],
      due_date: '2031-02-03T04:05:06Z',
    };
    const task = at('tasks', await t.task(encodeURIComponent(project), first));
    const other = { ...first, title: 'wm fro', description: 'fro', priority: 'high', assignee_id: members.at(-1) };
    await t.patch(task, { ...other, due_date: '2031-12-03T04:05:06Z', status: 'in_review' });
    for (const change of [
      { title: first.title },
      { due_date: first.due_date },
      { due_date: null },
      { due_date: '2030-06-07T08:09:10Z' },
      { status: 'done' },
      { title: 'wm fro', description: '' },
      { description: 'to' },
    ])
      await t.patch(task, change);
    await t.time.sleep(1100);
    await t.patch(task, { assignee_id: members[0] });
    await t.get(task);
    await t.patch(at('projects', project), { name: `${name} renamed` });
    await t.time.sleep(1100);
    await t.patch(at('projects', project), { visibility: 'private' });
    await t.patch(at('projects', project), { description: 'fro' });
    const shown = createdId(await t.post('/projects', { name, visibility: 'public', description: 'shown to all' }));
    if (shown !== undefined) await t.patch(at('projects', shown), { name: `${name} again` });
  },
};

/** Names and ids that differ in little, and queries that are nearly those of others. */
const alike: Situation = {
  requests: 13,
  play: async (t) => {
    const { mainId, sideTasks, members } = await t.world();
    await t.send('PATCH', at('projects', mainId), { as: t.main, raw: '{"description":' });
    if (t.knows('1.2')) {
      const name = t.name('alike').padEnd(90, 'y');
      for (const end of ['one', 'two', 'two']) await t.post('/teams', { name: `${name}${end}` }, { as: t.strong });
      await t.send('POST', '/teams', { as: t.strong, raw: `{"name": "${t.name('broken')}"` });
    }
    await t.get(`/tasks?${of('project_id', mainId.slice(0, -1))}&limit=5`);
    if (members[0]) await t.get(`/tasks?${of('assignee_id', `${members[0].slice(0, 2)}%`)}&limit=5`);
    await t.get('/tasks?sort=title,nonsense&limit=5');
    await t.get(`${at('tasks', sideTasks[0]?.got.id)}%20`);
    const project = await t.project('none');
    await t.get(`${at('projects', project)}/tasks?sort=title&limit=5`);
  },
};

/** Filters and sorts beside each other that no other check puts together. */
const besides: Situation = {
  requests: 8,
  play: async (t) => {
    const { mainId } = await t.world();
    const inside = `${at('projects', mainId)}/tasks`;
    const [status = ''] = valuesOf(t, 'status').slice(-2);
    const priorities = t.knows('1.3') ? valuesOf(t, 'priority') : [];
    for (const priority of priorities.slice(-2)) await t.get(`/tasks?${of('priority', priority)}&limit=100`);
    for (const [i, sort] of ['due_date', '-title'].entries())
      if (priorities[i]) await t.get(`${inside}?${of('priority', priorities[i])}${sortedBy(t, sort)}&limit=100`);
    await t.get(`/tasks?${of('status', status)}${sortedBy(t, 'updated_at')}&limit=100`);
    if (sortsOf(t).includes('updated_at')) await t.get('/tasks?sort=updated_at&limit=100');
    for (const visibility of ['private', 'public'])
      await t.get(`/projects?${of('visibility', visibility)}${sortedBy(t, 'created_at')}&limit=100`);
  },
};

/** The most telling first. */
export const SELDOM: readonly Situation[] = [nearly, upwards, toAndFro, alike, secondHome, besides];
