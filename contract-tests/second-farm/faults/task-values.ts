// Faults of dates, priorities and states of a task.
import type { Act } from '../../judge/reference/service/input.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, rule, without } from './fault.ts';
import { born, HOUR, show, stored, utc } from './task-tools.ts';

const due = clause(52, '| due_date | string (ISO 8601 datetime) | no |');
const noDue = clause(52, 'omitted means no due date');
const priority = clause(53, '`low`, `medium`, `high`, `urgent`; default `medium`');
const old = clause(58, 'Tasks that existed before `priority` was introduced read as `medium`.');
const status = clause(54, '`backlog`, `todo`, `in_progress`, `in_review`, `done`; default `backlog`');
const initial = clause(116, 'Initial state on create: the supplied `status`, default `backlog`.');
const settable = clause(116, 'The status can be set by `PATCH /tasks/{task_id}`.');
const anything = (service: Service, field: string, only?: Act): void =>
  around(
    service,
    'isChoice',
    (was, each, value, act) => (each.name === field && (!only || only === act)) || was(each, value, act),
  );
const wallClock = (text: string) => Date.parse(text.replace(/(Z|[+-]\d\d:\d\d)$/, 'Z'));
const dates: Fault[] = [
  due('due-date-anything', 'any text is accepted and read as no due date', (s) => {
    around(s, 'moment', (was, text, act) => was(text, act) ?? (null as unknown as number));
  }),
  due('due-date-anything-patched', 'PATCH accepts any text as due_date and stores the present', (s) =>
    around(s, 'moment', (was, text, act) => was(text, act) ?? (act === 'change' ? s.now() : undefined)),
  ),
  due('due-date-numbers', 'seconds since 1970 are accepted as due_date', (s) => {
    around(
      s,
      'hasType',
      (was, each, value, act) => was(each, value, act) || (each.kind === 'moment' && typeof value === 'number'),
    );
    around(s, 'moment', (was, text, act) => (typeof text === 'number' ? text * 1000 : was(text, act)));
  }),
  due('due-date-rolls-over', '30 February is accepted as 2 March', (s) =>
    around(
      s,
      'moment',
      (was, text, act) =>
        was(text, act) ?? (/^\d{4}-\d\d-\d\dT.*Z$/.test(text) && !Number.isNaN(Date.parse(text)) ? Date.parse(text) : undefined),
    ),
  ),
  due('due-date-american', 'month/day/year is accepted', (s) =>
    around(
      s,
      'moment',
      (was, text, act) => was(text, act) ?? (/^\d\d\/\d\d\/\d{4}$/.test(text) ? Date.parse(`${text} UTC`) : undefined),
    ),
  ),
  due('due-date-lost', 'the due date of a creation is lost', (s) => born(s, () => ({ due: null }))),
  due('due-date-day-only', 'due_date is shown without its time', (s) =>
    around(s, 'stamp', (was, at, what) => (what === 'task.due_date' ? String(was(at, what)).slice(0, 10) : was(at, what))),
  ),
  due('due-date-midnight', 'due dates are stored at midnight', (s) =>
    around(s, 'moment', (was, text, act) => {
      const at = was(text, act);
      return at === undefined ? at : at - (at % (24 * HOUR));
    }),
  ),
  due('due-date-without-seconds', 'due dates lose their seconds', (s) =>
    around(s, 'moment', (was, text, act) => {
      const at = was(text, act);
      return at === undefined ? at : at - (at % 60_000);
    }),
  ),
  due('due-date-end-of-day-patched', 'PATCH stores the end of the day', (s) =>
    around(s, 'moment', (was, text, act) => {
      const at = was(text, act);
      return at === undefined || act === 'create' ? at : at - (at % (24 * HOUR)) + 24 * HOUR - 1;
    }),
  ),
  utc('due-date-offset-dropped', 'the offset of a due date is dropped: 23:30+02:00 is stored as 23:30Z', (s) =>
    around(s, 'moment', (was, text, act) => (was(text, act) === undefined ? undefined : wallClock(text))),
  ),
  utc('due-date-summer-time', 'due dates from April to September are an hour off', (s) =>
    around(s, 'stamp', (was, at, what) =>
      was(what === 'task.due_date' && [3, 4, 5, 6, 7, 8].includes(new Date(at).getUTCMonth()) ? at + HOUR : at, what),
    ),
  ),
  utc('due-date-in-local-time', 'due_date is shown with the offset +02:00', (s) =>
    around(s, 'stamp', (was, at, what) =>
      what === 'task.due_date' ? new Date(at + 2 * HOUR).toISOString().replace('Z', '+02:00') : was(at, what),
    ),
  ),
  utc('due-date-epoch-in-rows', 'due_date is a number in rows', (s) =>
    show(s, (all, task) => (task.due === null ? all : { ...all, due_date: task.due / 1000 }), 'row'),
  ),
  noDue('due-date-default', 'a task without due date is due in seven days', (s) =>
    born(s, (task) => ({ due: task.due ?? task.created + 168 * HOUR })),
  ),
  noDue('due-date-default-when-urgent', 'an urgent task without due date is due tomorrow', (s) =>
    born(s, (task) => ({ due: task.due ?? (task.priority === 'urgent' ? task.created + 24 * HOUR : null) })),
  ),
  noDue('due-date-epoch-zero', 'no due date reads as 1970', (s) =>
    show(s, (all, task) => ({ ...all, due_date: task.due === null ? s.stamp(0, 'task.due_date') : all.due_date })),
  ),
  noDue('due-date-empty-text', 'no due date reads as an empty text in rows', (s) =>
    show(s, (all, task) => ({ ...all, due_date: task.due === null ? '' : all.due_date }), 'row'),
  ),
];
const choices: Fault[] = [
  priority('priority-default-low', 'the default is low', (s) =>
    around(s, 'newTask', (was, sent, project, call) => was({ priority: 'low', ...sent }, project, call)),
  ),
  priority('priority-default-null', 'a task without priority has none', (s) => {
    around(s, 'newTask', (was, sent, project, call) => ({
      ...was(sent, project, call),
      priority: sent.priority as string | undefined,
    }));
    around(s, 'priorityOf', (_was, task) => task.priority ?? null);
  }),
  priority('priority-default-by-due-date', 'a task with a due date is high by default', (s) =>
    born(s, (task, sent) => ({ priority: sent.priority === undefined && task.due !== null ? 'high' : task.priority })),
  ),
  priority('priority-ignored', 'the priority of a creation is ignored', (s) => born(s, () => ({ priority: 'medium' }))),
  priority('priority-anything', 'any text is accepted', (s) => anything(s, 'priority')),
  priority('priority-anything-patched', 'PATCH accepts any text', (s) => anything(s, 'priority', 'change')),
  priority('priority-any-case', 'HIGH is accepted and stored as high', (s) => {
    around(s, 'isChoice', (was, each, value, act) => was(each, each.name === 'priority' ? value.toLowerCase() : value, act));
    stored(s, 'priority', (text) => text.toLowerCase());
  }),
  priority('priority-urgent-refused', 'urgent is refused', (s) =>
    rule(s, 'task', 'priority', { values: ['low', 'medium', 'high'] }),
  ),
  priority('priority-urgent-refused-patched', 'PATCH refuses urgent', (s) =>
    rule(s, 'task', 'priority', { values: ['low', 'medium', 'high'] }, 'change'),
  ),
  priority('priority-urgent-as-high', 'urgent is stored as high', (s) =>
    stored(s, 'priority', (text) => (text === 'urgent' ? 'high' : text)),
  ),
  priority('priority-numbers', 'the priority is shown as a number in rows', (s) =>
    show(s, (all) => ({ ...all, priority: ['low', 'medium', 'high', 'urgent'].indexOf(String(all.priority)) }), 'row'),
  ),
  priority('priority-not-patched', 'PATCH ignores the priority', (s) =>
    around(s, 'assignTask', (was, task, sent, call) => was(task, without(sent, 'priority'), call)),
  ),
  priority('priority-low-falsy', 'PATCH to low is ignored, as a value of zero', (s) =>
    around(s, 'assignTask', (was, task, sent, call) =>
      was(task, sent.priority === 'low' ? without(sent, 'priority') : sent, call),
    ),
  ),
  priority('priority-empty-accepted', 'an empty priority is accepted as the default', (s) => {
    anything(s, 'priority', 'create');
    around(s, 'checkValue', (was, each, value, call, act) =>
      each.name === 'priority' && typeof value === 'string' && value !== '' && !each.values?.includes(value)
        ? { field: 'priority', issue: 'is unknown', kind: 'value' as const }
        : was(each, value, call, act),
    );
    stored(s, 'priority', (text) => text || 'medium', 'create');
  }),
  old(
    'old-priority-null',
    'an old task reads with priority null',
    (s) =>
      around(s, 'priorityOf', (was, task, place) =>
        task.priority === undefined && place !== 'filter' ? null : was(task, place),
      ),
    { style: 'a' },
  ),
  old('old-priority-null-in-rows', 'an old task has no priority in lists', (s) =>
    around(s, 'priorityOf', (was, task, place) => (task.priority === undefined && place === 'row' ? null : was(task, place))),
  ),
  old('old-priority-none', 'an old task reads as none', (s) =>
    around(s, 'priorityOf', (was, task, place) => (task.priority === undefined && place === 'read' ? 'none' : was(task, place))),
  ),
  old('old-priority-not-filtered', 'filter[priority]=medium misses old tasks', (s) =>
    around(s, 'priorityOf', (was, task, place) => (place === 'filter' ? (task.priority ?? null) : was(task, place))),
  ),
  status('status-default-todo', 'the default is todo', (s) =>
    around(s, 'newTask', (was, sent, project, call) => was({ status: 'todo', ...sent }, project, call)),
  ),
  status('status-default-with-assignee', 'a task with an assignee is todo by default', (s) =>
    born(s, (task, sent) => ({ status: sent.status === undefined && task.assignee ? 'todo' : task.status })),
  ),
  initial('status-ignored', 'the status of a creation is ignored', (s) => born(s, () => ({ status: 'backlog' }))),
  initial('status-done-ignored', 'a task cannot be created done: it is backlog', (s) =>
    born(s, (task) => ({ status: task.status === 'done' ? 'backlog' : task.status })),
  ),
  initial('status-in-review-refused-at-creation', 'a creation with in_review answers an error', (s) =>
    rule(s, 'task', 'status', { values: ['backlog', 'todo', 'in_progress', 'done'] }, 'create'),
  ),
  status('status-anything', 'any text is accepted', (s) => anything(s, 'status')),
  status('status-anything-patched', 'PATCH accepts any text', (s) => anything(s, 'status', 'change')),
  status('status-hyphen-shown', 'in_progress is shown as in-progress', (s) =>
    show(s, (all) => ({ ...all, status: String(all.status).replace('in_p', 'in-p') })),
  ),
  status('status-hyphen-shown-in-rows', 'in_review is shown as in-review in rows', (s) =>
    show(s, (all) => ({ ...all, status: String(all.status).replace('in_r', 'in-r') }), 'row'),
  ),
  status('status-number', 'an unknown status given as a number is stored as the state of that index', (s) => {
    around(s, 'checkValue', (was, each, value, call, act) =>
      each.name === 'status' && typeof value === 'number' ? undefined : was(each, value, call, act),
    );
    around(s, 'takeText', (was, each, value, call, act) =>
      typeof value === 'number' ? (each.values?.[value % 5] ?? 'todo') : was(each, value, call, act),
    );
  }),
  settable('status-not-patched', 'PATCH ignores the status', (s) =>
    around(s, 'assignTask', (was, task, sent, call) => was(task, without(sent, 'status'), call)),
  ),
  settable('status-not-patched-with-title', 'PATCH ignores the status when a title comes with it', (s) =>
    around(s, 'assignTask', (was, task, sent, call) => was(task, 'title' in sent ? without(sent, 'status') : sent, call)),
  ),
  settable('status-in-review-refused', 'PATCH refuses in_review', (s) =>
    rule(s, 'task', 'status', { values: ['backlog', 'todo', 'in_progress', 'done'] }, 'change'),
  ),
  settable('status-done-stays-in-review', 'PATCH to done stores in_review', (s) =>
    stored(s, 'status', (text) => (text === 'done' ? 'in_review' : text), 'change'),
  ),
  settable('status-patched-for-all', 'PATCH of a status changes it for all tasks of the project', (s) => {
    around(s, 'assignTask', (was, task, sent, call) => {
      if (typeof sent.status === 'string')
        for (const each of s.db.tasks) if (each.project === task.project) each.status = sent.status;
      return was(task, sent, call);
    });
  }),
];

export const faults: readonly Fault[] = [...dates, ...choices];
