// Situations for which a run has requests to spare, the most telling first: none of them is the only one that shows a requirement.
import type { Check } from '../engine/check.ts';
import { ids, type Json, records, resource, succeeded } from '../engine/exchange.ts';
import { cursorOf } from '../engine/follow.ts';
import { createdId } from '../engine/made.ts';
import type { Tools } from '../engine/tools.ts';
import { ODD, TITLES } from '../engine/world.ts';
import { again, atOnce, type Situation, whole, wrongly } from './edges.ts';
import { sortedBy, sortsOf } from './lists.ts';
import { SELDOM } from './seldom.ts';
import { at, of } from './spelling.ts';

/** Records in the second workspace that the filters of the first would find, and the other way round. */
export const neighbours: Situation = {
  requests: 35,
  play: async (t) => {
    if (!t.has('other')) return;
    const as = 'other';
    const { members } = await t.world();
    // The same name is another project there.
    const project = createdId(await t.post('/projects', { name: t.name('side'), visibility: 'team' }, { as }));
    if (project === undefined) return;
    const body = { title: t.name('neighbour'), status: 'done', priority: 'urgent', due_date: '2031-01-11T10:00:00Z' };
    const task = createdId(await t.post(`${at('projects', project)}/tasks`, body, { as }));
    // What can be done in one workspace can be done in the next.
    if (task !== undefined) await t.patch(at('tasks', task), { description: ODD, title: t.name('neighbour-too') }, { as });
    const team = t.knows('1.2') ? createdId(await t.post('/teams', { name: t.name('next-door') }, { as })) : undefined;
    if (team !== undefined) await t.delete(at('teams', team), { as });
    await t.get(`/projects?${of('visibility', 'team')}&sort=-updated_at&limit=100`);
    for (const role of [t.main, as] as const) await t.get(`/projects?${of('visibility', 'team')}&limit=100`, { as: role });
    await t.get(`/tasks?${of('status', 'done')}${sortedBy(t, 'due_date')}&limit=100`);
    await t.get(`/tasks?${of('priority', 'urgent')}${sortedBy(t, 'title')}&limit=100`);
    for (const sort of ['due_date', '-created_at', 'title']) await t.get(`/tasks?sort=${sort}&limit=100`, { as });
    await t.get('/tasks?limit=100', { as });
    // What one workspace has just been shown is nothing to the next.
    for (const list of ['/projects', '/workspace/members', ...(t.knows('1.2') ? ['/teams'] : [])]) {
      await t.get(list);
      await t.get(list, { as });
      await t.get(list);
    }
    const { mainId, sideId } = await t.world();
    await t.get(`${at('projects', sideId)}/tasks?limit=100`);
    for (const [list, there] of [
      [`${at('projects', mainId)}/tasks`, '/tasks'],
      ['/projects', '/projects'],
    ] as const) {
      const cursor = cursorOf(await t.get(`${list}?limit=5`));
      if (cursor !== undefined) await t.get(`${there}?limit=5&cursor=${encodeURIComponent(cursor)}`, { as });
    }
    await t.walk(`/projects?limit=${t.smallestLimit}`, 2, { as });
    if (members[0]) await t.get(`/tasks?${of('assignee_id', members[0])}&limit=100`, { as });
    await t.walk(`/tasks?${of('status', 'done')}&limit=${t.smallestLimit}`, 2, { as });
  },
};

/** Caches: what was read before a change is not what is read after it. */
const caches: Situation = {
  requests: 9,
  play: async (t) => {
    const { sideId, sideTasks } = await t.world();
    const task = at('tasks', sideTasks[0]?.got.id);
    const inSide = `${at('projects', sideId)}/tasks?limit=100`;
    for (const path of [task, inSide, '/projects?limit=100']) await t.get(path);
    await t.patch(task, { title: 'wm seen before', description: ODD });
    await t.patch(at('projects', sideId), { description: 'seen before' });
    for (const path of [task, inSide, '/projects?limit=100']) await t.get(path);
  },
};

/** Ids that are almost one: who has them is not known, but an answer shows the record that was asked for. */
const almost: Situation = {
  requests: 7,
  play: async (t) => {
    const { tasks, mainId } = await t.world();
    const id = String(tasks[0]!.got.id);
    const other = id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase();
    const near = [at('tasks', id.slice(0, -1)), at('tasks', other), at('projects', mainId.slice(0, -1)), at('projects', id)];
    for (const path of [...near, at('tasks', 'w'.repeat(300)), '/tasks?cursor=wmct', '/tasks?limit=']) await t.get(path);
  },
};

/** Two projects of one name: an empty one that goes, and one that comes after it; what is another's stays. */
const empty: Situation = {
  requests: 14,
  play: async (t) => {
    const { mainId } = await t.world();
    const name = { name: t.name('empty'), visibility: 'public' };
    const project = createdId(await t.post('/projects', name));
    const twin = createdId(await t.post('/projects', name));
    if (project === undefined || twin === undefined) return;
    await t.get(`${at('projects', project)}/tasks`);
    const done = await t.task(encodeURIComponent(project), { title: t.name('empty'), status: 'done' });
    const only = await t.task(encodeURIComponent(twin), { title: t.name('twin') });
    await t.patch(at('projects', project), { description: 'of the first alone' });
    await t.get('/projects?limit=100');
    await t.delete(at('projects', project), { as: t.strong });
    await t.get('/projects?limit=100');
    await t.get(at('tasks', done));
    // The last of a project goes alone.
    await t.delete(at('tasks', only));
    await t.get(`${at('projects', twin)}/tasks`);
    await t.get(`${at('projects', mainId)}/tasks?limit=100`);
    const later = createdId(await t.post('/projects', name));
    if (later !== undefined) await t.get(`${at('projects', later)}/tasks`);
  },
};

/** Teams: none in them, many in them, and a name in use by whoever made it. */
const teams: Situation = {
  requests: 8,
  play: async (t) => {
    if (!t.knows('1.2')) return;
    const { members } = await t.world();
    const nobody = createdId(await t.post('/teams', { name: t.name('nobody'), member_ids: [] }, { as: t.strong }));
    if (nobody !== undefined) await t.get(at('teams', nobody));
    await t.post('/teams', { name: t.name('share') }, { as: t.strong });
    // Once more, after it was refused.
    const shared = at('teams', await t.sharedTeam());
    await t.post('/teams', { name: t.name('shared'), member_ids: members.slice(0, 1) }, { as: t.strong });
    // Nor does what was refused change the team that has the name.
    await t.get(shared);
    // It has none of the members of the deleted team that had its name.
    const heir = t.parts.scene.heir;
    if (typeof heir === 'string') await t.get(at('teams', heir));
    await t.get('/teams?limit=150');
  },
};

/** Pages further on: many of them, and of lists with a filter of their own. */
const pages: Situation = {
  requests: 15,
  play: async (t) => {
    const { mainId } = await t.world();
    await t.walk(`${at('projects', mainId)}/tasks?limit=3`, 8);
    await t.walk('/workspace/members?limit=1', 3);
    await t.walk(`/projects?${of('visibility', 'team')}&limit=${t.smallestLimit}`, 3);
    await t.get('/projects?limit=150');
  },
};

/** Values of one field beside those of another. */
const together: Situation = {
  requests: 21,
  play: async (t) => {
    const { sideId, sideTasks, members } = await t.world();
    const task = at('tasks', sideTasks[1]?.got.id);
    await t.patch(task, { title: TITLES[0], due_date: '2031-12-31T12:45:37-05:30' });
    await t.get(task);
    for (const title of TITLES.slice(1)) await t.post(`${at('projects', sideId)}/tasks`, { title, description: ODD });
    await t.walk(`${at('projects', sideId)}/tasks?limit=3&sort=title`, 4);
    await t.patch(task, { status: resource(await t.get(task)).status, assignee_id: members.at(-1), title: t.name('together') });
    await t.get(task);
    await t.post(`${at('projects', sideId)}/tasks`, {
      title: 'wm together',
      priority: 'urgent',
      due_date: '2031-05-05T23:30:59.250+02:00',
    });
    await t.send('POST', '/projects', { raw: '"wm"' });
    await t.get('/wmct-no-such-path/either');
  },
};

/** What is no value is none left out and none cleared, a word is itself, and comments go with their task though they were just read. */
const blanks: Situation = {
  requests: 8,
  play: async (t) => {
    const { sideId, sideTasks } = await t.world();
    const inSide = `${at('projects', sideId)}/tasks`;
    const task = at('tasks', sideTasks[1]?.got.id);
    const status = t.parts.rules.update.task.find(({ name }) => name === 'status')?.values.at(-1);
    t.refusal('WM-EP-089', await t.patch(task, { assignee_id: '' }), [400, 422], 'an empty assignee_id');
    if (status) await t.patch(task, { status: status.toUpperCase() });
    await t.post('/projects', { name: t.name('blank'), visibility: '' });
    await t.post(inSide, { title: t.name('blank'), due_date: '' });
    if (!t.knows('1.3')) return;
    const doomed = at('tasks', await t.task(encodeURIComponent(sideId), { title: t.name('commented') }));
    await t.get(`${doomed}/comments`);
    await t.delete(doomed);
    const comments = await t.get(`${doomed}/comments`);
    t.must('WM-EP-059', comments.status === 404, `the comments of a deleted task are answered ${comments.status}`, comments);
  },
};

/** A cursor alone keeps the filters of each list, sorted or not, whatever the size of a page. */
const cursors: Situation = {
  requests: 16,
  play: async (t) => {
    if (!t.knows('1.1')) return;
    const { mainId, members } = await t.world();
    const size = Math.max(2, t.smallestLimit);
    const someone = members[0] === undefined ? of('status', 'done') : of('assignee_id', members[0]);
    const inside = `${at('projects', mainId)}/tasks`;
    for (const query of [
      `/projects?${of('visibility', 'public')}&sort=-created_at`,
      `/projects?${of('visibility', 'team')}&sort=updated_at`,
      `/tasks?${of('project_id', mainId)}&${someone}&sort=-updated_at`,
      `/tasks?${of('status', 'done')}&sort=created_at`,
      `${inside}?${someone}`,
      `${inside}?${of('status', 'done')}&sort=title`,
    ]) {
      const [list] = query.split('?');
      const cursor = cursorOf(await t.get(`${query}&limit=${list === '/projects' ? t.smallestLimit : size}`));
      if (cursor !== undefined) await t.get(`${list}?cursor=${encodeURIComponent(cursor)}`);
    }
    if (t.knows('1.2')) await t.walk(`/teams?limit=${size}`, 3);
    await t.walk(`/workspace/members?limit=${size}`, 2);
  },
};

/** One field too long, and nothing else wrong: it is a rule that is broken, in each create and each change. */
const overlong: Situation = {
  requests: 12,
  play: async (t) => {
    const { sideId, sideTasks } = await t.world();
    const places = [
      ['POST', '/projects', t.parts.rules.create.project, { name: t.name('long') }],
      ['PATCH', at('projects', sideId), t.parts.rules.update.project, {}],
      ['POST', `${at('projects', sideId)}/tasks`, t.parts.rules.create.task, { title: t.name('long') }],
      ['PATCH', at('tasks', sideTasks[0]?.got.id), t.parts.rules.update.task, {}],
    ] as const;
    for (const [method, path, rules, good] of places)
      for (const { name, kind, max } of rules)
        if (kind === 'text' && max !== undefined) await t.send(method, path, { body: { ...good, [name]: 'w'.repeat(max + 1) } });
  },
};

/** Each field alone, of a task in each state: the others stay. Then it is deleted in that state, and gone. */
const states: Situation = {
  requests: 42,
  play: async (t) => {
    const { members } = await t.world();
    const project = encodeURIComponent(await t.project('states'));
    const of = (name: string) => t.parts.rules.create.task.find((rule) => rule.name === name)?.values ?? [];
    const priorities = of('priority');
    for (const [i, status] of of('status').entries()) {
      const body = { title: t.name(`state-${i}`), status, priority: priorities.at(i - 1), description: ODD };
      const task = at('tasks', await t.task(project, body));
      for (const change of [
        { assignee_id: members.at(i % 2 === 0 ? 0 : -1) },
        { due_date: `2031-0${i + 1}-03T04:05:5${i}Z` },
        { title: `wm state ${i}` },
        { description: `wm state ${i}` },
        { assignee_id: members.at(i % 2 === 0 ? -1 : 0) },
      ])
        await t.patch(task, change);
      await t.delete(task);
      await t.get(task);
    }
    // What is left out has its default, whatever else is sent.
    const due = { due_date: '2031-07-08T09:10:11Z', assignee_id: members.at(-1) };
    for (const body of [due, { ...due, priority: priorities.at(-1) }, { ...due, description: ODD }, { status: of('status')[1] }])
      await t.task(project, { title: t.name('defaults'), ...body });
  },
};

/** What was there before this run: the oldest tasks, each alone and in the list of its project. */
const old: Situation = {
  requests: 8,
  play: async (t) => {
    const sort = sortsOf(t).includes('created_at') ? 'sort=created_at&' : '';
    const ours = (row: Json) => t.parts.oracle.workspace('own').get('task', String(row.id))?.own === true;
    const rows = records(await t.get(`/tasks?${sort}limit=100`)).filter((row) => typeof row.id === 'string' && !ours(row));
    for (const { id, project_id: project } of [...rows.slice(0, 2), ...rows.slice(-1)]) {
      await t.get(at('tasks', id));
      if (typeof project === 'string') await t.get(`${at('projects', project)}/tasks?limit=100`);
    }
  },
};

/** Numbers of pages are gone from every list: beyond the end of each there would be nothing. */
const numbers: Situation = {
  requests: 11,
  play: async (t) => {
    if (!t.knows('1.2')) return;
    const { mainId } = await t.world();
    await t.sharedTeam();
    for (const list of ['/projects', '/tasks', `${at('projects', mainId)}/tasks`, '/teams', '/workspace/members']) {
      for (const name of ['offset', 'page']) {
        const x = await t.get(`${list}?limit=100&${name}=1000`);
        t.must('WM-VER-006', !succeeded(x) || records(x).length > 0, `${name} still pages`, x);
      }
    }
  },
};

/** A user who cannot be assigned can't be, whoever is assigned so far and whatever else is changed. */
const strangers: Situation = {
  requests: 8,
  play: async (t) => {
    const { sideId, sideTasks, members } = await t.world();
    const theirs = t.has('other') ? ids(records(await t.membersOfOther())).find((id) => !members.includes(id)) : undefined;
    const free = await t.task(encodeURIComponent(sideId), { title: t.name('free') });
    for (const task of [free, sideTasks[0]?.got.id])
      for (const body of [{ assignee_id: t.nobody() }, { assignee_id: theirs, status: 'todo', priority: 'low' }]) {
        if (body.assignee_id === undefined || task === undefined) continue;
        const x = await t.patch(at('tasks', task), body);
        if (body.assignee_id === theirs)
          t.refusal('WM-TASK-053', x, [400, 404, 409, 422], 'a user of another workspace as assignee_id');
      }
    await t.get(at('tasks', free));
  },
};

/** Addresses that are not https, in more ways than one. */
const addresses: Situation = {
  requests: 5,
  play: async (t) => {
    if (!t.parts.receiver) return;
    const schemes = ['ws', 'httpx'].map((scheme) => `${scheme}://hooks.example.com/wmct`);
    for (const url of ['http://hooks.example.com:8443/wmct', 'HTTP://hooks.example.com', ...schemes])
      t.refusal(
        'WM-HOOK-002',
        await t.post('/webhooks', { url, events: ['task.deleted'] }, { as: t.strong }),
        [400, 422],
        `the url ${url}`,
        'url',
      );
  },
};

/** The most telling first. */
export const SPARE: readonly Situation[] = [
  ...SELDOM,
  cursors,
  numbers,
  old,
  overlong,
  strangers,
  addresses,
  again,
  atOnce,
  whole,
  states,
  empty,
  neighbours,
  together,
  teams,
  blanks,
  pages,
  caches,
  wrongly,
  almost,
];

/** Plays a situation, unless the run has seen it. */
export const once = async (t: Tools, situation: Situation): Promise<void> => {
  const played = (t.parts.shared.get('spare') as Set<Situation> | undefined) ?? new Set();
  t.parts.shared.set('spare', played);
  if (played.has(situation)) return;
  played.add(situation);
  await situation.play(t);
};

export const spareChecks: readonly Check[] = SPARE.map(
  (situation, i): Check => ({
    id: `spare/${i + 1}`,
    says: 'More of the same, where the budget has room',
    // What it shows, the oracle tells; this is what a run without it has seen already.
    covers: ['WM-GEN-001'],
    profile: 'full',
    run: async (t) => {
      if (t.affords(situation.requests)) await once(t, situation);
    },
  }),
);
