// Situations at the edges: lists asked for bare, whole and wrongly, what is done once more, and what another page was given for.
import { ids, metaOf, records } from '../engine/exchange.ts';
import { cursorOf } from '../engine/follow.ts';
import { operationsOf } from '../engine/operations.ts';
import type { Tools } from '../engine/tools.ts';
import { at } from './spelling.ts';

export interface Situation {
  /** Requests that it takes at most. */
  readonly requests: number;
  readonly play: (t: Tools) => Promise<void>;
}

/** The lists of the release, with the path of each. */
const listsOf = async (t: Tools): Promise<readonly { id: string; path: string }[]> => {
  const { mainId, tasks } = await t.world();
  const commented = t.parts.scene.commented ?? tasks[0]?.got.id;
  return operationsOf(t.parts.release)
    .filter(({ answers }) => answers === 'list')
    .map(({ id, path }) => ({
      id,
      path: path.replace('{project_id}', encodeURIComponent(mainId)).replace('{task_id}', encodeURIComponent(String(commented))),
    }));
};

/** Each list without a limit, exactly as long as it is, backwards, and by a filter as it is written on its way. */
export const whole: Situation = {
  requests: 19,
  play: async (t) => {
    const { mainId, tasks } = await t.world();
    for (const { id, path } of await listsOf(t)) {
      const { total } = metaOf(await t.get(path));
      if (Number.isInteger(total) && Number(total) >= t.smallestLimit && Number(total) <= 100)
        await t.get(`${path}?limit=${total}`);
      // The others are asked so elsewhere.
      if (!/projects$|tasks$/.test(id)) await t.get(`${path}?sort=-created_at&limit=100`);
      const filter = t.parts.rules.filters(id).find(({ values }) => values.length > 0);
      if (filter) await t.get(`${path}?filter%5B${filter.field}%5D=${filter.values.at(-1)}&limit=100`);
    }
    const all = ['status', 'assignee_id', 'priority'].map((field) => [field, t.known('task', tasks[0]!.got.id, field)] as const);
    const query = [['project_id', mainId] as const, ...all].filter(([, value]) => typeof value === 'string');
    await t.get(
      `/tasks?${query.map(([field, value]) => `filter[${field}]=${encodeURIComponent(String(value))}`).join('&')}&limit=100`,
    );
  },
};

/** What no list takes, asked of each. */
export const wrongly: Situation = {
  requests: 24,
  play: async (t) => {
    for (const { id, path } of await listsOf(t))
      for (const query of ['limit=many', 'limit=3.5', 'sort=-nonsense', ...(id.endsWith('tasks') ? [] : ['sort=title'])])
        await t.get(`${path}?${query}`);
  },
};

/** A record like another is another one, a change may say what is so already, and a cursor outlives the record that it was given behind. */
export const again: Situation = {
  requests: 10,
  play: async (t) => {
    const { members } = await t.world();
    const name = t.name('again');
    const project = await t.project('again');
    const inside = `${at('projects', project)}/tasks`;
    const [status, priority] = ['status', 'priority'].map(
      (field) => t.parts.rules.create.task.find((rule) => rule.name === field)?.values[1],
    );
    const body = {
      title: 'wm again',
      description: 'again',
      assignee_id: members[0],
      due_date: '2031-07-08T09:10:11Z',
      status,
      priority,
    };
    const made = [];
    for (let n = 0; n < 3; n++) made.push(await t.task(encodeURIComponent(project), body));
    await t.patch(at('tasks', made[0]), { ...body, description: 'and again' });
    await t.patch(at('projects', project), { name, visibility: 'team' });
    const page = await t.get(`${inside}?limit=${Math.max(2, t.smallestLimit)}`);
    const [last, cursor] = [ids(records(page)).at(-1), cursorOf(page)];
    if (!t.knows('1.1') || cursor === undefined || last === undefined || !made.includes(last)) return;
    await t.delete(at('tasks', last));
    await t.get(`${inside}?cursor=${encodeURIComponent(cursor)}`);
  },
};

/** What was changed or deleted a moment ago is so for every key of the workspace and in every list. */
export const atOnce: Situation = {
  requests: 11,
  play: async (t) => {
    const { members } = await t.world();
    const project = await t.project('at-once');
    const task = await t.task(encodeURIComponent(project), {
      title: 'wm at once',
      status: 'in_progress',
      assignee_id: members[0],
    });
    await t.patch(at('projects', project), { visibility: 'public' });
    await t.get('/projects?filter[visibility]=public&limit=100');
    await t.delete(at('projects', project));
    for (const as of ['admin', 'write', 'read'] as const)
      if (t.has(as)) await t.get(as === 'write' ? at('tasks', task) : at('projects', project), { as });
    for (const filter of [`status]=in_progress`, ...(members[0] ? [`assignee_id]=${encodeURIComponent(members[0])}`] : [])])
      await t.get(`/tasks?filter[${filter}&sort=-created_at&limit=100`);
  },
};
