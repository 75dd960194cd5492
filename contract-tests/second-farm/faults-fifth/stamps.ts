// Faults of ids and times.
import { around, clause, type Fault } from '../faults/fault.ts';
import { onSuccess, sent } from '../faults-fourth/tools.ts';

const utc = clause(28, 'Timestamps are ISO 8601 datetime strings in UTC.');
const profile = clause(69, '| created_at | string (datetime) | profile only |');
const projectId = clause(34, '| id | string | no (server-set) | project identifier |', { style: 'c' });
const projectUpdated = clause(39, 'changes when the project is updated');
const taskProject = clause(48, '| project_id | string | no (from path) | the containing project |', { style: 'a' });
const taskCreated = clause(55, '| created_at | string (datetime) | no (server-set) | |');
const unknown = clause(299, 'id unknown, deleted, or in another workspace');

export const faults: readonly Fault[] = [
  utc('due-date-in-the-zone-sent', 'due_date comes back with the offset that it was sent with, not in UTC', (s) => {
    const texts = new Map<number, string>();
    around(s, 'take', (was, rule, value, call, act) => {
      const taken = was(rule, value, call, act);
      if (rule.kind === 'moment' && typeof taken === 'number' && /[+-]\d\d:\d\d$/.test(String(value)))
        texts.set(taken, String(value));
      return taken;
    });
    around(s, 'stamp', (was, at, what) => (what === 'task.due_date' ? (texts.get(at) ?? was(at, what)) : was(at, what)));
  }),
  utc('due-date-offset-cut-by-patch', 'PATCH cuts the offset of due_date off and takes the rest for UTC', (s) =>
    around(s, 'moment', (was, text, act) => was(act === 'change' ? text.replace(/[+-]\d\d:\d\d$/, 'Z') : text, act)),
  ),
  utc('comment-time-in-seconds', 'created_at of comments is a number of seconds', (s) =>
    around(s, 'stamp', (was, at, what) => (what === 'comment.created_at' ? Math.floor(at / 1000) : was(at, what))),
  ),
  profile('profile-date-only', 'created_at of the profile is a date without a time', (s) =>
    around(s, 'showProfile', (was, user, role) => {
      const fields = was(user, role);
      return { ...fields, created_at: String(fields.created_at).slice(0, 10) };
    }),
  ),
  projectUpdated('shared-project-keeps-updated-at', 'a PATCH of visibility alone leaves updated_at as it was', (s) =>
    around(s, 'touch', (was, row, what, values) => {
      if (what !== 'project' || Object.keys(values).join() !== 'visibility') was(row, what, values);
    }),
  ),
  taskCreated('task-created-at-follows-patch', 'created_at of a task moves with each PATCH', (s) =>
    around(s, 'touch', (was, row, what, values) => {
      was(row, what, values);
      if (what === 'task') Object.assign(row, { created: row.updated });
    }),
  ),
  projectId('project-id-from-client', 'a project takes the id that the body names', (s) =>
    around(s, 'newProject', (was, values, call) => {
      const { id } = sent(call);
      return { ...was(values, call), ...(typeof id === 'string' ? { id } : {}) };
    }),
  ),
  taskProject('task-moved-by-patch', 'PATCH /tasks/{task_id} takes project_id from the body and moves the task', (s) =>
    around(s, 'assignTask', (was, task, values, call) => {
      const { project_id } = sent(call);
      const moved = s.db.projects.some(({ id, workspace }) => id === project_id && workspace === task.workspace);
      if (moved) task.project = String(project_id);
      return was(task, values, call) || moved;
    }),
  ),
  unknown('task-id-given-again', 'the id of the newest task goes to the next one when that task is deleted', (s) => {
    let newest = '';
    let free: string | undefined;
    around(s, 'newTask', (was, values, project, call) => {
      const task = was(values, project, call);
      newest = free ?? task.id;
      free = undefined;
      return { ...task, id: newest };
    });
    onSuccess(s, ['deleteTask'], (call) => {
      if (call.ids.task === newest) free = newest;
    });
  }),
];
