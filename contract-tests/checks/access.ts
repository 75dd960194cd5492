// Who may do what to which record: every operation without a key, with a read key, from another workspace, on what never was and on what is gone.
import type { Check } from '../engine/check.ts';
import { type Exchange, ids, metaOf, records, resource, succeeded, text } from '../engine/exchange.ts';
import { type Operation, operationsOf } from '../engine/operations.ts';
import type { Tools } from '../engine/tools.ts';
import { hookUrl, REFUSED } from '../stories/registrations.ts';
import { sortsOf } from './lists.ts';
import { numbered } from './spelling.ts';

export interface Ids {
  readonly project: string;
  readonly task: string;
  readonly team: string;
}

export const pathOf = (operation: Operation, { project, task, team }: Ids): string =>
  operation.path
    .replace('{project_id}', encodeURIComponent(project))
    .replace('{task_id}', encodeURIComponent(task))
    .replace('{team_id}', encodeURIComponent(team));

let count = 0;
/** A body that is accepted of those who may, and would be seen if it took effect. */
/** @param hook where a registration would lead */
export const bodyOf = (t: Tools, operation: Operation, hook: string = REFUSED): unknown => {
  if (operation.id === 'create_task') return { title: t.name(`intruder-${++count}`) };
  // What is sent there shows that a refused registration was made.
  if (operation.id === 'create_webhook')
    return { url: t.parts.receiver ? hookUrl(t, hook) : 'https://hooks.example.com/wmct', events: ['task.deleted'] };
  if (operation.method === 'POST') return { name: t.name(`intruder-${++count}`) };
  return operation.method === 'PATCH' ? { description: `intruder ${++count}` } : undefined;
};

type Headers = Readonly<Record<string, string>>;

export const call = (
  t: Tools,
  operation: Operation,
  on: Ids,
  as: 'admin' | 'write' | 'read' | 'other' | 'nobody',
  headers?: Headers,
): Promise<Exchange> => t.send(operation.method, pathOf(operation, on), { as, body: bodyOf(t, operation), headers });

/** A team's name that only a careless comparison takes for another of this run; another one where it is taken. */
export const VICTIMS = (t: Tools): string => `${t.name('shared')} <B> &amp; %41 É 😀!${t.parts.shared.get('taken') ?? ''}`;

/** Records that intruders may try: nobody else's check looks at them. */
export const victim = async (t: Tools): Promise<Ids> => {
  const known = t.parts.shared.get('victim') as Ids | undefined;
  if (known) return known;
  const { members } = await t.world();
  const as = t.strong;
  // Another project of ours has its name.
  const project = await t.project('side', { as }, 'public');
  // A read key has no more right to what is its own user's.
  const reader = t.has('read') ? text(resource(await t.get('/users/me', { as: 'read' })).id) : undefined;
  const fields = {
    title: t.name('victim'),
    description: 'untouched',
    status: 'in_review',
    priority: 'urgent',
    assignee_id: reader ?? members[0],
    due_date: '2041-05-06T07:08:09Z',
  };
  const task = await t.task(encodeURIComponent(project), fields, { as });
  const team = t.knows('1.2')
    ? (await t.team({ name: t.parts.shared.has('heir') ? t.name('victim') : VICTIMS(t), member_ids: members.slice(0, 1) })).id
    : 'wmct-no-team';
  const made = { project, task, team };
  t.parts.shared.set('victim', made);
  return made;
};

/** Looks whether the victim is as it was: the oracle knows who tried what. */
const look = async (t: Tools): Promise<void> => {
  const { project, task, team } = await victim(t);
  await t.get(`/projects/${encodeURIComponent(project)}`);
  await t.get(`/projects/${encodeURIComponent(project)}/tasks?limit=100`);
  if (t.thorough) await t.get(`/tasks/${encodeURIComponent(task)}`);
  if (t.knows('1.2')) await t.get(`/teams/${encodeURIComponent(team)}`);
};

export const none: Ids = { project: 'wmct-no-project', task: 'wmct-no-task', team: 'wmct-no-team' };

const byId = (t: Tools): readonly Operation[] => operationsOf(t.parts.release).filter(({ path }) => path.includes('{'));

/** Reads, then what changes, then what deletes: a target that lets one through spoils no other. */
export const inOrder = (list: readonly Operation[]): readonly Operation[] => {
  const rank = ({ method, id }: Operation) =>
    method === 'GET' ? 0 : method === 'POST' ? 1 : method === 'PATCH' ? 2 : id === 'delete_project' ? 4 : 3;
  return [...list].sort((a, b) => rank(a) - rank(b));
};

const readScope: Check = {
  id: 'scopes/read',
  says: 'A read key retrieves everything, and is refused with 403 on every write, without effect',
  covers: ['WM-SCOPE-025', 'WM-SCOPE-026', ...numbered('SCOPE', 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15)],
  needs: ['read', 'write'],
  profile: 'full',
  run: async (t: Tools) => {
    const on = await victim(t);
    // What they should not touch would now get another date.
    if (t.time.virtual) await t.time.sleep(2100);
    for (const operation of inOrder(operationsOf(t.parts.release))) {
      // Other checks read lists and records with this key.
      const asked = operation.method === 'GET' && !t.thorough;
      // Nothing is so little that it may be changed.
      const done = t.parts.rules.update.task.find(({ name }) => name === 'status')?.values.at(-1);
      if (operation.id === 'update_task' && done !== undefined)
        await t.patch(pathOf(operation, on), { status: done }, { as: 'read' });
      else if (operation.id !== 'create_webhook' && !asked) {
        const { status } = await call(t, operation, on, 'read');
        if (operation.id === 'delete_task') t.parts.shared.set('reader-deletes', status !== 403);
      }
    }
  },
};

const admin: Check = {
  id: 'scopes/admin',
  says: 'An admin key does all that a write key does, and manages teams',
  covers: numbered('SCOPE', 18, 19, 20),
  needs: ['admin', 'write'],
  profile: 'full',
  run: async (t: Tools) => {
    const on = await victim(t);
    await t.patch(`/projects/${encodeURIComponent(on.project)}`, { description: 'by admin' }, { as: 'admin' });
    await t.patch(`/tasks/${encodeURIComponent(on.task)}`, { title: t.name('by-admin') }, { as: 'admin' });
  },
};

const isolation: Check = {
  id: 'isolation/records',
  says: 'Each record of another workspace is 404 in each operation, and stays as it was',
  covers: numbered('ISO', 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16),
  needs: ['other'],
  profile: 'full',
  run: async (t: Tools) => {
    const on = await victim(t);
    // What it should not touch would now get another date.
    if (t.time.virtual) await t.time.sleep(2100);
    for (const operation of inOrder(byId(t))) {
      const x = await call(t, operation, on, 'other');
      if (x.status !== 403 || operation.method === 'GET') continue;
      const clause = { create_task: 5, update_project: 2, delete_project: 3, update_task: 7, delete_task: 8, delete_team: 11 }[
        operation.id
      ];
      if (clause)
        t.record.skip(`WM-ISO-${String(clause).padStart(3, '0')}`, t.record.check, 'skipped', 'NO_KEY(other with write scope)');
    }
  },
};

const isolatedLists: Check = {
  id: 'isolation/lists',
  says: 'No list and no total shows records of another workspace',
  covers: ['WM-ISO-012', 'WM-ISO-013', 'WM-ISO-014', 'WM-ISO-015', 'WM-ISO-017', 'WM-ISO-020', 'WM-GEN-005', 'WM-USER-019'],
  needs: ['other'],
  profile: 'full',
  run: async (t: Tools) => {
    const { mainId, tasks, members } = await t.world();
    const as = 'other' as const;
    const none = async (requirement: string, path: string, id: string) => {
      const { times, last } = await t.count(path, id, { as });
      t.must(requirement, times === undefined || times === 0, 'a record of another workspace is listed', last);
    };
    await none('WM-ISO-012', '/projects', mainId);
    // An order is another query than none, and may be asked of more.
    const order = sortsOf(t).includes('-updated_at') ? '?sort=-updated_at' : '';
    await none('WM-ISO-013', `/tasks${order}`, String(tasks[0]!.got.id));
    if (t.knows('1.2')) await none('WM-ISO-014', '/teams', await t.sharedTeam());
    const filtered = await t.get(`/tasks?filter[project_id]=${encodeURIComponent(mainId)}&limit=100`, { as });
    const open = succeeded(filtered) && records(filtered).length > 0;
    t.must('WM-ISO-020', !open, 'tasks of another workspace are listed', filtered);
    const counted = succeeded(filtered) && !open && Number(metaOf(filtered).total ?? 0) !== 0;
    t.must('WM-ISO-017', !counted, 'a total counts another workspace', filtered);
    const foreign = await t.membersOfOther();
    const me = resource(await t.get('/users/me', { as }));
    const strangers = ids(records(foreign));
    // People may be members of both workspaces; a list that lacks its own key's user is another workspace's.
    if (strangers.length > 0 && metaOf(foreign).has_more === false) {
      const mine = strangers.includes(String(me.id));
      const theirs = !mine && strangers.some((id) => members.includes(id));
      t.must('WM-ISO-015', !theirs, 'members of another workspace are listed', foreign);
      t.must('WM-USER-019', mine || theirs, 'the profile of the other key is no member of its workspace', foreign);
    }
  },
};

const isolatedNames: Check = {
  id: 'isolation/team-names',
  says: 'A team name in use in another workspace is free',
  covers: ['WM-TEAM-005'],
  needs: ['other'],
  profile: 'full',
  run: async (t: Tools) => {
    if (!t.knows('1.2')) return;
    await t.sharedTeam();
    const x = await t.post('/teams', { name: t.name('shared'), member_ids: [] }, { as: 'other' });
    if (x.status !== 403) t.must('WM-TEAM-005', x.status !== 409, 'a name in use in another workspace is a conflict', x);
    else t.record.skip('WM-TEAM-005', t.record.check, 'skipped', 'NO_KEY(other that may create teams)');
  },
};

const neverWas: Check = {
  id: 'errors/never-was',
  says: 'An id that never was is 404 in every operation, and an odd one is refused',
  covers: [...numbered('EP', 98, 99, 100, 101, 102), 'WM-ERR-014'],
  profile: 'full',
  run: async (t: Tools) => {
    await t.world();
    for (const operation of byId(t))
      await call(
        t,
        operation,
        none,
        operation.shape === 'team' || operation.shape === 'team-read' ? (t.strong as 'write') : (t.main as 'write'),
      );
  },
};

const untouched: Check = {
  id: 'access/untouched',
  says: 'What was refused without a key, with a read key and from another workspace has had no effect',
  covers: ['WM-AUTH-008', 'WM-SCOPE-015', 'WM-ISO-016'],
  needs: ['write'],
  profile: 'full',
  run: look,
};

export const accessChecks: readonly Check[] = [admin, readScope, isolatedNames, isolation, untouched, isolatedLists, neverWas];
