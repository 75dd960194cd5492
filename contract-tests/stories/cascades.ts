// Deletion: what is deleted is gone from every operation and list, with all that hangs on it, and what is not stays.

import type { Check } from '../engine/check.ts';
import { errorOf, ids, records, succeeded } from '../engine/exchange.ts';
import { createdId } from '../engine/made.ts';
import { clausesIn } from '../engine/spelling.ts';
import type { Tools } from '../engine/tools.ts';
import { nameOfVictim } from '../situations/records.ts';

/** The project that the checks on access have tried in vain, else a project of its own. */
const subject = async (t: Tools): Promise<{ project: string; task: string }> => {
  const known = t.parts.scene.victim;
  if (known) return known;
  const project = await t.project('delete');
  return {
    project,
    task: await t.task(encodeURIComponent(project), { title: 'wm doomed', status: 'in_review', priority: 'urgent' }),
  };
};

const task: Check = {
  id: 'deletion/task',
  says: 'A deleted task is not found, not listed, not counted, not changed and not deleted twice',
  covers: clausesIn('EP 11 49-52 59 62'),
  profile: 'core',
  run: async (t: Tools) => {
    const project = encodeURIComponent((await t.world()).sideId);
    const { members, sideTasks } = await t.world();
    // Another task has its title; no other client's may go with it.
    const title = t.known('task', sideTasks[0]?.got.id, 'title') ?? 'wm deleted';
    const id = encodeURIComponent(await t.task(project, { title, status: 'done', assignee_id: members[0] }, { as: t.strong }));
    // The record was just read and may be in a cache, and that of another key.
    await t.get(`/tasks/${id}`, { as: t.reader });
    // A write key deletes what an administrator's has made.
    const x = await t.delete(`/tasks/${id}`);
    if (!succeeded(x)) t.need(false, 'WM-EP-011');
    const read = await t.get(`/tasks/${id}`, { as: t.reader });
    await t.get(`/projects/${project}/tasks?limit=100`);
    const someone = members[0] === undefined ? '' : `&filter[assignee_id]=${encodeURIComponent(members[0])}`;
    await t.get(`/tasks?filter[project_id]=${project}${someone}&sort=-updated_at&limit=100`);
    if (read.status !== 404) return;
    await t.patch(`/tasks/${id}`, { title: 'wm lost' });
    if (t.knows('1.3')) {
      const comments = await t.get(`/tasks/${id}/comments`);
      t.must('WM-EP-059', comments.status === 404, `GET of the comments of an unknown task returns ${comments.status}`, comments);
    }
    await t.delete(`/tasks/${id}`, { as: t.strong });
  },
};

const project: Check = {
  id: 'deletion/project',
  says: 'A deleted project is gone with its tasks and their comments',
  covers: clausesIn('EP 5 29-33 35 36 60 61 103, ERR 10-12 19 20 22'),
  profile: 'core',
  run: async (t: Tools) => {
    const doomed = await subject(t);
    const [id, child] = [encodeURIComponent(doomed.project), encodeURIComponent(doomed.task)];
    for (const path of t.within('full') ? [`/tasks/${child}`, `/projects/${id}`] : []) await t.get(path, { as: t.reader });
    const whose = t.known('task', doomed.task, 'assignee_id');
    const theirs = whose ? `&filter[assignee_id]=${encodeURIComponent(String(whose))}` : '';
    const x = await t.delete(`/projects/${id}`);
    if (!succeeded(x)) t.need(false, 'WM-EP-005');
    const read = await t.get(`/projects/${id}`, { as: t.strong });
    t.must('WM-ERR-022', read.status === 404, `GET of a deleted id returns ${read.status}`, read);
    const orphan = await t.get(`/tasks/${child}`, { as: t.reader });
    await t.get(`/projects/${id}/tasks`);
    const listed = await t.count(`/tasks?filter[project_id]=${id}&filter[status]=in_review${theirs}`, doomed.task);
    t.must('WM-EP-031', listed.times !== 1, 'a task of a deleted project is listed', listed.last);
    await t.count('/projects', doomed.project);
    if (t.knows('1.3') && orphan.status === 404) await t.get(`/tasks/${child}/comments`);
    if (read.status === 404) {
      await t.delete(`/projects/${id}`);
      await t.patch(`/projects/${id}`, { description: 'lost' });
      await t.post(`/projects/${id}/tasks`, { title: 'wm lost' });
      if (t.within('full')) {
        await t.patch(`/tasks/${child}`, { title: 'wm lost' });
        await t.delete(`/tasks/${child}`);
        const broken = await t.patch(`/projects/${id}`, { name: 5 });
        t.observe('check-order', broken.status === 404 ? 'record' : t.refused(broken) ? 'body' : undefined);
      }
    }
    const error = errorOf(read);
    t.note('WM-ERR-011', String(error.code), read);
    t.observe('not-found-code', String(error.code));
    t.note('WM-ERR-019', 'status' in error ? 'present' : 'absent', read);
    t.observe('error-status-field', 'status' in error ? 'present' : 'absent');
    t.note('WM-ERR-020', 'details' in error ? 'there' : 'left out', read);
    t.observe('error-details', 'details' in error ? 'always' : 'when-filled');
  },
};

const team: Check = {
  id: 'deletion/team',
  says: 'A deleted team is gone; its members, their tasks and projects stay',
  covers: clausesIn('EP 18 54-58 69, TEAM 23'),
  profile: 'full',
  run: async (t: Tools) => {
    const world = await t.world();
    const { members } = world;
    const assigned = world.tasks.find((made) => made.got.assignee_id === members[0])?.got.id;
    const still = encodeURIComponent(String(assigned ?? world.tasks[0]!.got.id));
    const known = t.parts.scene.victim;
    const name = known ? nameOfVictim(t) : t.name('delete');
    const id = known?.team ?? (await t.team({ name, member_ids: members.slice(0, 1) })).id;
    // A record that it should not touch would now get another date.
    if (t.time.virtual) await t.time.sleep(1100);
    await t.get(`/teams/${encodeURIComponent(id)}`, { as: t.strong });
    const x = await t.delete(`/teams/${encodeURIComponent(id)}`, { as: t.strong });
    if (!succeeded(x)) t.need(false, 'WM-EP-018');
    const read = await t.get(`/teams/${encodeURIComponent(id)}`);
    const after = await t.get('/workspace/members?limit=100', { as: t.strong });
    // Others may leave of their own accord; the user of our key does not.
    const stays = members[0] === undefined || ids(records(after)).includes(members[0]);
    t.must('WM-EP-055', stays, 'a member of the deleted team left the workspace', after);
    const kept = await t.get(`/tasks/${still}`);
    t.must('WM-EP-056', succeeded(kept), `GET of a task returns ${kept.status} after a team was deleted`, kept);
    const owner = await t.get(`/projects/${encodeURIComponent(world.mainId)}`);
    t.must('WM-EP-057', succeeded(owner), `GET of a project returns ${owner.status} after a team was deleted`, owner);
    await t.count('/teams', id);
    if (read.status === 404) await t.delete(`/teams/${encodeURIComponent(id)}`, { as: t.strong });
    const reused = await t.post('/teams', { name }, { as: t.strong });
    t.must('WM-TEAM-023', succeeded(reused), `POST of a team with the name of a deleted one returns ${reused.status}`, reused);
    t.parts.scene.heir = createdId(reused);
    // Who is refused next is refused for no other reason.
    t.parts.scene.victim = undefined;
  },
};

/** The shared project, with more tasks than a page or a batch has, when no check reads it any more. */
const whole: Check = {
  id: 'deletion/whole',
  says: 'A deleted project takes all of its many tasks with it',
  covers: ['WM-EP-031'],
  profile: 'full',
  last: true,
  run: async (t: Tools) => {
    const { mainId } = await t.world();
    await t.delete(`/projects/${encodeURIComponent(mainId)}`);
    await t.get(`/tasks?filter[project_id]=${encodeURIComponent(mainId)}&limit=100`);
  },
};

/** After what uses the shared project. */
export const wholeChecks: readonly Check[] = [whole];

export const deletionChecks: readonly Check[] = [task, project, team];
