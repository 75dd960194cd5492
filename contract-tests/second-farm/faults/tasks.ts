// Faults of changing, listing and creating tasks.
import type { Fields, Row, Task } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn, memory, without } from './fault.ts';

const patch = clause(157, 'body: any combination of the create fields; omitted fields unchanged');
const answer = clause(157, '`data` = updated task');
const resets = (service: Service, field: string, value: (task: Task) => unknown, when: (sent: Fields) => boolean): void =>
  around(service, 'assignTask', (was, task, sent, call) =>
    was(task, field in sent || !when(sent) ? sent : { ...sent, [field]: value(task) }, call),
  );
const only = (sent: Fields, ...names: string[]) => Object.keys(sent).sort().join() === names.sort().join();
const changes: Fault[] = [
  patch('patch-task-clears-due-date', 'PATCH without due_date removes it', (s) =>
    resets(
      s,
      'due_date',
      () => null,
      (sent) => Object.keys(sent).length > 0,
    ),
  ),
  patch('patch-task-clears-assignee', 'PATCH of the status removes the assignee', (s) =>
    resets(
      s,
      'assignee_id',
      () => null,
      (sent) => 'status' in sent,
    ),
  ),
  patch('patch-task-clears-description', 'PATCH of the title removes the description', (s) =>
    resets(
      s,
      'description',
      () => null,
      (sent) => only(sent, 'title'),
    ),
  ),
  patch('patch-task-resets-priority', 'PATCH without priority sets medium', (s) =>
    resets(
      s,
      'priority',
      () => 'medium',
      (sent) => Object.keys(sent).length > 0,
    ),
  ),
  patch('patch-task-resets-status', 'PATCH of the assignee sets the status to backlog', (s) =>
    resets(
      s,
      'status',
      () => 'backlog',
      (sent) => only(sent, 'assignee_id'),
    ),
  ),
  patch('patch-task-empty-clears', 'PATCH with an empty object clears the description', (s) =>
    resets(
      s,
      'description',
      () => null,
      (sent) => Object.keys(sent).length === 0,
    ),
  ),
  patch('patch-task-needs-title', 'PATCH without a title is refused', (s) =>
    around(s, 'checkAbsent', (was, each, act) =>
      each.name === 'title' && act === 'change'
        ? { field: 'title', issue: 'is required', kind: 'structure' as const }
        : was(each, act),
    ),
  ),
  patch('patch-task-one-field', 'PATCH of several fields takes the first only', (s) =>
    around(s, 'assignTask', (was, task, sent, call) => was(task, Object.fromEntries(Object.entries(sent).slice(0, 1)), call)),
  ),
  ...['title', 'description', 'assignee_id', 'due_date'].map((field) =>
    patch(`patch-task-ignores-${field.replace('_', '-')}`, `PATCH ignores ${field}`, (s) =>
      around(s, 'assignTask', (was, task, sent, call) => was(task, without(sent, field), call)),
    ),
  ),
  patch('patch-task-assignee-with-status', 'PATCH of assignee_id and status together loses the assignee', (s) =>
    around(s, 'assignTask', (was, task, sent, call) => was(task, 'status' in sent ? without(sent, 'assignee_id') : sent, call)),
  ),
  patch('patch-task-same-year', 'PATCH of due_date that keeps the year is ignored', (s) =>
    around(s, 'assignTask', (was, task, sent, call) => {
      const year = (at: number) => new Date(at).getUTCFullYear();
      const same = typeof sent.due_date === 'number' && task.due !== null && year(sent.due_date) === year(task.due);
      return was(task, same ? without(sent, 'due_date') : sent, call);
    }),
  ),
  patch('patch-task-half', 'a PATCH that is refused keeps its valid title', (s) => {
    around(s, 'refuse', (was, issues, call, resource, act) => {
      const sent = JSON.parse(call.text) as Fields;
      if (
        resource === 'task' &&
        act === 'change' &&
        typeof sent.title === 'string' &&
        !issues.some(({ field }) => field === 'title')
      )
        s.taskOf(call).title = sent.title;
      return was(issues, call, resource, act);
    });
  }),
  patch('patch-task-half-status', 'a PATCH with an unknown assignee sets the status all the same', (s) => {
    around(s, 'refuse', (was, issues, call, resource, act) => {
      const sent = JSON.parse(call.text) as Fields;
      if (
        resource === 'task' &&
        act === 'change' &&
        typeof sent.status === 'string' &&
        issues.every(({ field }) => field === 'assignee_id')
      )
        s.taskOf(call).status = sent.status;
      return was(issues, call, resource, act);
    });
  }),
  answer('patch-task-answers-old', 'PATCH answers the task as it was', (s) => {
    around(s, 'changeTask', (was, call) => {
      const before = s.showTask(s.taskOf(call), 'changed');
      return { ...was(call), body: { data: before } };
    });
  }),
  answer('patch-task-answers-sent', 'PATCH answers the sent fields only', (s) => {
    around(s, 'changeTask', (was, call) => {
      const { data } = was(call).body as { data: Fields };
      const sent = Object.keys(JSON.parse(call.text) as Fields);
      return {
        status: s.style.patchStatus,
        headers: {},
        body: { data: Object.fromEntries(Object.entries(data).filter(([name]) => name === 'id' || sent.includes(name))) },
      };
    });
  }),
  answer('patch-task-204', 'PATCH of a task answers 204', (s) =>
    around(s, 'changeTask', (was, call) => ({ ...was(call), status: 204 })),
  ),
  answer('patch-task-not-stored', 'PATCH of the title answers the new one and stores nothing', (s) => {
    around(s, 'changeTask', (was, call) => {
      const task = s.taskOf(call);
      const before = { ...task };
      const answered = was(call);
      task.title = before.title;
      return answered;
    });
  }),
  answer('patch-task-stale-read', 'GET of a task is cached for two seconds, also after PATCH', (s) => {
    const cache = memory<string, { at: number; shown: Fields }>();
    around(s, 'showTask', (was, task, place) => {
      if (place !== 'read') return was(task, place);
      const held = cache.get(task.id);
      if (held && s.now() - held.at < 2000) return held.shown;
      const shown = was(task, place);
      cache.set(task.id, { at: s.now(), shown });
      return shown;
    });
  }),
  answer('patch-task-stale-filter', 'filter[status] uses an index that PATCH does not refresh', (s) => {
    const index = memory<string, string>();
    around(s, 'saveTask', (was, task, call) => {
      index.set(task.id, task.status);
      was(task, call);
    });
    around(s, 'filterable', (was, row, field) => (field === 'status' ? (index.get(row.id) ?? was(row, field)) : was(row, field)));
  }),
  answer('patch-task-stale-assignee-filter', 'filter[assignee_id] uses the assignee at creation', (s) => {
    const index = memory<string, string | null>();
    around(s, 'saveTask', (was, task, call) => {
      index.set(task.id, task.assignee);
      was(task, call);
    });
    around(s, 'filterable', (was, row, field) =>
      field === 'assignee_id' && index.has(row.id) ? index.get(row.id) : was(row, field),
    );
  }),
  clause(157, '| PATCH | /tasks/{task_id} |')('task-by-put', 'a task is changed by PUT, not PATCH', (s) =>
    around(s, 'patternsOf', (was) =>
      was().map((each) => (each[2] === 'changeTask' ? (['PUT', each[1], each[2]] as const) : each)),
    ),
  ),
];
const all = clause(154, '`200` list of tasks');
const inside = clause(153, '| GET | /projects/{project_id}/tasks |');
const rows = (service: Service, keep: (task: Task, all: readonly Row[]) => boolean): void =>
  around(service, 'allTaskRows', (was, call) => {
    const before = was(call);
    return isOn(call, 'listTasks') ? before.filter((row) => keep(row as Task, before)) : before;
  });
const lists: Fault[] = [
  all('tasks-without-done', 'GET /tasks leaves out what is done', (s) => rows(s, ({ status }) => status !== 'done')),
  all('tasks-without-unassigned', 'GET /tasks leaves out tasks without assignee', (s) =>
    rows(s, ({ assignee }) => assignee !== null),
  ),
  all('tasks-of-me', 'GET /tasks holds only tasks of the user of the key', (s) =>
    around(s, 'allTaskRows', (was, call) =>
      was(call).filter((row) => !isOn(call, 'listTasks') || (row as Task).assignee === call.key?.user),
    ),
  ),
  all('tasks-latest-fifty', 'GET /tasks reaches the latest fifty only', (s) =>
    rows(s, (task, before) => before.indexOf(task) >= before.length - 50),
  ),
  all('tasks-overdue-hidden', 'GET /tasks leaves out tasks that are overdue', (s) =>
    rows(s, ({ due }) => due === null || due > s.now()),
  ),
  inside('project-tasks-without-done', 'the list of a project leaves out what is done', (s) =>
    around(s, 'projectTaskRows', (was, call, project) => was(call, project).filter((row) => (row as Task).status !== 'done')),
  ),
  inside('project-tasks-first-hundred', 'the list of a project holds at most 100 tasks', (s) =>
    around(s, 'projectTaskRows', (was, call, project) => was(call, project).slice(0, 100)),
  ),
  inside('project-tasks-of-all', 'the list of a project holds all tasks', (s) =>
    around(s, 'projectTaskRows', (_was, call) => s.allTaskRows(call)),
  ),
  inside('project-tasks-unknown-empty', 'the list of an unknown project is empty, with 200', (s) => {
    around(s, 'listProjectTasks', (was, call) => {
      const known = s.db.projects.some(({ id }) => id === call.ids.project);
      return known
        ? was(call)
        : s.list(call, { name: 'task', rows: () => [], filters: ['status', 'assignee_id', 'priority'], show: () => ({}) });
    });
    around(s, 'locate', (was, call) => (isOn(call, 'listProjectTasks') ? undefined : was(call)));
  }),
  clause(156, 'works regardless of the containing project')(
    'task-read-in-private-project',
    'tasks of private projects cannot be read by id, whoever asks',
    (s) => {
      around(s, 'readTask', (was, call) => {
        if (s.db.projects.some(({ id, visibility }) => id === s.taskOf(call).project && visibility === 'private'))
          throw s.notFound(call, 'task');
        return was(call);
      });
    },
  ),
  clause(155, '| POST | /projects/{project_id}/tasks |')(
    'create-task-in-unknown-project',
    'a task can be created in a project that does not exist',
    (s) => {
      around(s, 'projectOf', (was, call) => {
        const first = s.db.projects[0];
        return isOn(call, 'createTask') && first && !s.db.projects.some(({ id }) => id === call.ids.project)
          ? { ...first, id: call.ids.project ?? '' }
          : was(call);
      });
    },
  ),
  clause(155, '`201` `data` = task')('create-task-twice', 'a task with an assignee is stored twice', (s) => {
    around(s, 'saveTask', (was, task, call) => {
      was(task, call);
      if (task.assignee) was({ ...task, id: s.newId('task') }, call);
    });
  }),
  clause(155, '`201` `data` = task')(
    'create-task-lost-when-unassigned',
    'a task without assignee is answered and never stored',
    (s) => around(s, 'saveTask', (was, task, call) => (task.assignee ? was(task, call) : undefined)),
  ),
];

export const faults: readonly Fault[] = [...changes, ...lists];
