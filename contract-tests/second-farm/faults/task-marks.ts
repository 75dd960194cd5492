// Faults of ids and times.
import { around, clause, type Fault, without } from './fault.ts';
import { HOUR, show, utc } from './task-tools.ts';

const opaque = clause(28, 'Identifiers are opaque strings');
const marks: Fault[] = [
  opaque('task-id-number', 'ids of tasks are numbers in rows', (s) => show(s, (all, task) => ({ ...all, id: task.nth }), 'row')),
  clause(47, '| id | string | no (server-set) | |')(
    'task-id-adopted',
    'an id in the body is adopted',
    (s) => {
      around(s, 'newTask', (was, sent, project, call) => {
        const { id } = JSON.parse(call.text) as { id?: string };
        return { ...was(sent, project, call), ...(id ? { id } : {}) };
      });
    },
    { style: 'a' },
  ),
  clause(48, '| project_id | string | no (from path) | the containing project |')(
    'task-project-id-missing-in-rows',
    'rows of a project list have no project_id',
    (s) => show(s, (all) => without(all, 'project_id'), 'row'),
  ),
  clause(48, '| project_id | string | no (from path) | the containing project |')(
    'task-project-id-null-when-created',
    'project_id is null in the answer of a creation',
    (s) => show(s, (all) => ({ ...all, project_id: null }), 'created'),
  ),
  clause(48, 'the containing project')(
    'task-project-object',
    'project_id is missing and project is an object in the single task',
    (s) => show(s, (all) => ({ ...without(all, 'project_id'), project: { id: all.project_id } }), 'read'),
  ),
  clause(55, '| created_at | string (datetime) | no (server-set) | |')(
    'task-created-at-adopted',
    'created_at of a PATCH is adopted',
    (s) => {
      around(s, 'assignTask', (was, task, sent, call) => {
        const { created_at } = JSON.parse(call.text) as { created_at?: string };
        if (created_at) task.created = Date.parse(created_at);
        return was(task, sent, call);
      });
    },
    { style: 'a' },
  ),
  clause(55, '| created_at | string (datetime) |')('task-created-at-missing', 'rows of the lists have no created_at', (s) =>
    show(s, (all) => without(all, 'created_at'), 'row'),
  ),
  clause(55, '| created_at | string (datetime) |')('task-created-at-moves', 'created_at moves with the status', (s) => {
    around(s, 'assignTask', (was, task, sent, call) => {
      if ('status' in sent) task.created = s.now();
      return was(task, sent, call);
    });
  }),
  clause(56, '| updated_at | string (datetime) |')('task-updated-at-missing', 'the answer of a creation has no updated_at', (s) =>
    show(s, (all) => without(all, 'updated_at'), 'created'),
  ),
  clause(56, '| updated_at | string (datetime) |')('task-updated-at-null', 'updated_at is null until the first update', (s) =>
    show(s, (all, task) => (task.updated === task.created ? { ...all, updated_at: null } : all), 'read'),
  ),
  clause(56, '| updated_at | string (datetime) | no (server-set) | |')(
    'task-updated-at-adopted',
    'updated_at of a PATCH is adopted',
    (s) => {
      around(s, 'changeTask', (was, call) => {
        const answer = was(call);
        const { updated_at } = JSON.parse(call.text) as { updated_at?: string };
        if (updated_at) s.taskOf(call).updated = Date.parse(updated_at);
        return answer;
      });
    },
    { style: 'a' },
  ),
  utc('task-times-local', 'created_at of a task is local time of UTC+1, written with Z', (s) =>
    around(s, 'stamp', (was, at, what) => was(what === 'task.created_at' ? at + HOUR : at, what)),
  ),
  utc('project-times-epoch', 'the times of projects are seconds since 1970', (s) =>
    around(s, 'stamp', (was, at, what) => (what.startsWith('project.') ? Math.floor(at / 1000) : was(at, what))),
  ),
  utc('team-times-rfc-1123', 'created_at of a team is an HTTP date', (s) =>
    around(s, 'stamp', (was, at, what) => (what === 'team.created_at' ? new Date(at).toUTCString() : was(at, what))),
  ),
  utc('team-updated-at-millis', 'updated_at of a team is a text of milliseconds', (s) =>
    around(s, 'stamp', (was, at, what) => (what === 'team.updated_at' ? String(at) : was(at, what))),
  ),
  utc('profile-created-day', 'created_at of the profile is a day without time', (s) =>
    around(s, 'stamp', (was, at, what) => (what === 'user.created_at' ? new Date(at).toISOString().slice(0, 10) : was(at, what))),
  ),
  utc(
    'comment-created-local',
    'created_at of a comment has the offset -05:00',
    (s) =>
      around(s, 'stamp', (was, at, what) =>
        what === 'comment.created_at' ? new Date(at - 5 * HOUR).toISOString().replace('Z', '-05:00') : was(at, what),
      ),
    { needs: 'comments' },
  ),
  utc('twelve-hour-times', 'hours are written from 1 to 12', (s) =>
    around(s, 'stamp', (was, at, what) =>
      String(was(at, what)).replace(/T(\d\d)/, (_, hour) => `T${String(((Number(hour) + 11) % 12) + 1).padStart(2, '0')}`),
    ),
  ),
];

export const faults: readonly Fault[] = [...marks];
