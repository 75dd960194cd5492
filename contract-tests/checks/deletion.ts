// Deletion: what is deleted is gone from every place, and what is not stays.
import type { Check } from '../engine/check.ts';
import { type Exchange, ids, metaOf, records, resource, succeeded } from '../engine/exchange.ts';
import type { Tools } from '../engine/tools.ts';

const gone = (t: Tools, requirement: string, x: Exchange, what: string) =>
  t.must(requirement, x.status === 404, `${what} is answered ${x.status}`, x);

export const deletionChecks: readonly Check[] = [
  {
    id: 'deletion/task',
    says: 'A deleted task is not found, not listed, not counted, not deleted twice',
    covers: ['WM-EP-011', 'WM-EP-049', 'WM-EP-050', 'WM-EP-051', 'WM-EP-052'],
    profile: 'core',
    run: async (t: Tools) => {
      const project = await t.project('delete-task');
      const task = await t.task(project, { title: 'wm deleted', status: 'todo' });
      await t.task(project, { title: 'wm kept', status: 'todo' });
      const x = await t.delete(`/tasks/${task}`);
      t.must('WM-EP-011', succeeded(x), `DELETE answers ${x.status}`, x);
      if (!succeeded(x)) t.need(false, 'WM-EP-011');
      const read = await t.get(`/tasks/${task}`);
      gone(t, 'WM-EP-049', read, 'a deleted task');
      for (const path of [`/projects/${project}/tasks?limit=100`, `/tasks?filter[project_id]=${project}&limit=100`]) {
        const list = await t.get(path);
        const own = records(list).every((item) => item.project_id === undefined || item.project_id === project);
        const listed = ids(records(list)).includes(task) || (own && Number(metaOf(list).total ?? 1) > 1);
        t.must('WM-EP-050', !listed, 'a deleted task is listed or counted', list);
      }
      if (read.status !== 404) return;
      gone(t, 'WM-EP-051', await t.get(`/tasks/${task}/comments`), 'the comment list of a deleted task');
      gone(t, 'WM-EP-052', await t.delete(`/tasks/${task}`), 'a second DELETE');
    },
  },
  {
    id: 'deletion/project',
    says: 'A deleted project is gone with its tasks and their comments',
    covers: ['005', '029', '030', '031', '032', '033', '035', '036'].map((n) => `WM-EP-${n}`),
    profile: 'core',
    run: async (t: Tools) => {
      const project = await t.project('delete');
      const task = await t.task(project, { title: 'wm doomed', status: 'in_review', priority: 'urgent' });
      const x = await t.delete(`/projects/${project}`);
      t.must('WM-EP-005', succeeded(x), `DELETE answers ${x.status}`, x);
      if (!succeeded(x)) t.need(false, 'WM-EP-005');
      const read = await t.get(`/projects/${project}`);
      gone(t, 'WM-EP-029', read, 'a deleted project');
      const child = await t.get(`/tasks/${task}`);
      gone(t, 'WM-EP-030', child, 'a task of a deleted project');
      gone(t, 'WM-EP-032', await t.get(`/projects/${project}/tasks`), 'the task list of a deleted project');
      const byStatus = await t.count('/tasks?filter[status]=in_review&filter[priority]=urgent', task);
      t.must('WM-EP-031', byStatus.times !== 1, 'a task of a deleted project is listed', byStatus.last);
      const comments = await t.get(`/tasks/${task}/comments`);
      if (child.status === 404) gone(t, 'WM-EP-033', comments, 'the comment list of a deleted project');
      const { times, last } = await t.count('/projects', project);
      t.must('WM-EP-035', times !== 1, 'a deleted project is listed', last);
      if (read.status === 404) gone(t, 'WM-EP-036', await t.delete(`/projects/${project}`), 'a second DELETE');
    },
  },
  {
    id: 'deletion/team',
    says: 'A deleted team is gone; its members, their tasks and projects stay',
    covers: ['WM-EP-018', 'WM-EP-054', 'WM-EP-055', 'WM-EP-056', 'WM-EP-057', 'WM-EP-058', 'WM-EP-069'],
    profile: 'full',
    run: async (t: Tools) => {
      const members = ids(records(await t.get('/workspace/members?limit=100')));
      const world = await t.world();
      const project = encodeURIComponent(world.mainId);
      const assigned = world.tasks.find((made) => made.got.assignee_id === members[0])?.got.id;
      const task = encodeURIComponent(String(assigned ?? world.tasks[0]!.got.id));
      const { id } = await t.team({ name: t.name('delete'), member_ids: members.slice(0, 1) });
      const x = await t.delete(`/teams/${encodeURIComponent(id)}`, { as: t.strong });
      t.must('WM-EP-018', succeeded(x), `DELETE answers ${x.status}`, x);
      if (!succeeded(x)) t.need(false, 'WM-EP-018');
      const read = await t.get(`/teams/${encodeURIComponent(id)}`);
      gone(t, 'WM-EP-054', read, 'a deleted team');
      const after = await t.get('/workspace/members?limit=100');
      const left = members.filter((member) => !ids(records(after)).includes(member));
      t.must('WM-EP-055', left.length === 0, 'a member of the deleted team left the workspace', after);
      const still = await t.get(`/tasks/${task}`);
      t.must(
        'WM-EP-056',
        succeeded(still) && (assigned === undefined || resource(still).assignee_id === members[0]),
        'a task changed with the team',
        still,
      );
      const project2 = await t.get(`/projects/${project}`);
      t.must('WM-EP-057', succeeded(project2), 'a project changed with the team', project2);
      const { times, last } = await t.count('/teams', id);
      t.must('WM-EP-069', times !== 1, 'a deleted team is listed', last);
      if (read.status === 404)
        gone(t, 'WM-EP-058', await t.delete(`/teams/${encodeURIComponent(id)}`, { as: t.strong }), 'a second DELETE');
    },
  },
];
