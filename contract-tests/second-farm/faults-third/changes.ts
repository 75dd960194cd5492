// Faults of changes: what PATCH does beside what was asked, and what it leaves out.

import type { Fields, Project, Task } from '../../judge/reference/model.ts';
import { around, clause, type Fault, isOn, memory } from '../faults/fault.ts';
import { dataOf, onPatch } from './tools.ts';

const unchanged = clause(157, 'any combination of the create fields; omitted fields unchanged');
const updated = clause(157, '`data` = updated task');
const project = clause(144, 'any subset of name, description, visibility; omitted fields unchanged');
const permitted = clause(116, 'The status can be set by `PATCH /tasks/{task_id}`.');

const HOUR = 3_600_000;
const started = (sent: Fields) => sent.assignee_id !== undefined && sent.assignee_id !== null && sent.status === undefined;

const tasks: Fault[] = [
  unchanged('patch-moves-due-date', 'each PATCH without due_date moves it by an hour: it is converted twice', (s) =>
    onPatch(s, (task, sent) => {
      if (sent.due_date === undefined && task.due !== null) task.due += HOUR;
    }),
  ),
  unchanged('patch-escapes-again', 'each PATCH escapes the & of the stored description once more', (s) =>
    onPatch(s, (task, sent) => {
      if (sent.description === undefined) task.description = task.description?.replaceAll('&', '&amp;') ?? null;
    }),
  ),
  unchanged('patch-cuts-description', 'PATCH of another field cuts a description after 1000 characters', (s) =>
    onPatch(s, (task, sent) => {
      if (sent.description === undefined) task.description = task.description?.slice(0, 1000) ?? null;
    }),
  ),
  unchanged('patch-joins-lines', 'PATCH of another field joins the lines of the description', (s) =>
    onPatch(s, (task, sent) => {
      if (sent.description === undefined) task.description = task.description?.replace(/\s*\n\s*/g, ' ') ?? null;
    }),
  ),
  unchanged('done-clears-due-date', 'PATCH to done removes the due date', (s) =>
    onPatch(s, (task, sent) => {
      if (sent.status === 'done' && sent.due_date === undefined) task.due = null;
    }),
  ),
  unchanged('done-lowers-priority', 'PATCH to done sets the priority to low', (s) =>
    onPatch(s, (task, sent) => {
      if (sent.status === 'done' && sent.priority === undefined) task.priority = 'low';
    }),
  ),
  unchanged('assigning-starts-the-task', 'PATCH of the assignee moves a task from backlog to todo', (s) =>
    onPatch(s, (task, sent) => {
      if (started(sent) && task.status === 'backlog') task.status = 'todo';
    }),
  ),
  unchanged('starting-assigns-the-task', 'PATCH to in_progress assigns a task without assignee to the user of the key', (s) =>
    onPatch(s, (task, sent, _before, call) => {
      if (sent.status === 'in_progress' && sent.assignee_id === undefined) task.assignee ??= call.key?.user ?? null;
    }),
  ),
  unchanged('past-due-date-escalates', 'PATCH of a due date in the past makes the task urgent', (s) =>
    onPatch(s, (task, sent) => {
      if (typeof sent.due_date === 'number' && sent.due_date < s.now() && sent.priority === undefined) task.priority = 'urgent';
    }),
  ),
  unchanged('new-title-resets-status', 'PATCH of the title of a task that is done sets it to todo', (s) =>
    onPatch(s, (task, sent, before) => {
      if (sent.title !== undefined && before.status === 'done' && sent.status === undefined) task.status = 'todo';
    }),
  ),
  unchanged('patch-carries-last-patch', 'PATCH of a task also applies the PATCH of another task just before', (s) => {
    let last: { at: number; id: string; sent: Fields } | undefined;
    around(s, 'assignTask', (was, task, sent, call) => {
      const carried = last && last.id !== task.id && s.now() - last.at < 200 ? last.sent : {};
      last = { at: s.now(), id: task.id, sent };
      return was(task, { ...carried, ...sent }, call);
    });
  }),
  permitted('same-status-409', 'PATCH to the status that the task has already answers 409', (s) =>
    around(s, 'changeTask', (was, call) => {
      const { status } = s.taskOf(call);
      if (s.readFields(call, 'task', 'change').status === status) throw s.conflict(call);
      return was(call);
    }),
  ),
  updated('unchanged-title-ends-patch', 'a PATCH that repeats the title is taken for one that changes nothing', (s) =>
    around(s, 'assignTask', (was, task, sent, call) => sent.title !== task.title && was(task, sent, call)),
  ),
  updated('empty-description-ignored', 'PATCH with an empty description keeps the old one', (s) =>
    around(s, 'assignTask', (was, task, sent, call) => {
      const { description, ...rest } = sent;
      return was(task, description === '' ? rest : sent, call);
    }),
  ),
  updated('done-task-locked', 'PATCH of the title of a task that is done answers 409', (s) =>
    around(s, 'changeTask', (was, call) => {
      const { status } = s.taskOf(call);
      const sent = s.readFields(call, 'task', 'change');
      if (status === 'done' && sent.title !== undefined && sent.status === undefined) throw s.conflict(call);
      return was(call);
    }),
  ),
  updated('patch-four-fields-at-most', 'PATCH of more than four fields drops what comes behind the fourth', (s) =>
    around(s, 'assignTask', (was, task, sent, call) => {
      const four = JSON.parse(call.text) as Fields;
      const names = Object.keys(four).slice(0, 4);
      return was(task, Object.fromEntries(Object.entries(sent).filter(([name]) => names.includes(name))), call);
    }),
  ),
  updated('assignee-with-due-date', 'PATCH of assignee_id together with due_date loses the due date', (s) =>
    around(s, 'assignTask', (was, task, sent, call) => {
      const { due_date, ...rest } = sent;
      return was(task, sent.assignee_id !== undefined && due_date !== undefined ? rest : sent, call);
    }),
  ),
  updated('patched-priority-late', 'PATCH of the priority answers the new one, and reads have it a second later', (s) => {
    const old = memory<string, { at: number; priority: string | undefined }>();
    onPatch(s, (task, sent, before) => {
      if (sent.priority !== undefined) old.set(task.id, { at: s.now(), priority: before.priority });
    });
    around(s, 'priorityOf', (was, task, place) => {
      const held = old.get(task.id);
      const late = held && s.now() - held.at < 1000 && (place === 'read' || place === 'row');
      return was(late ? { ...task, priority: held.priority } : task, place);
    });
  }),
  updated('patch-answers-cached-assignee', 'PATCH of the assignee answers the one before', (s) => {
    const before = memory<string, string | null>();
    onPatch(s, (task, sent, was) => {
      if (sent.assignee_id !== undefined && was.assignee) before.set(task.id, was.assignee);
      else before.delete(task.id);
    });
    around(s, 'showTask', (was, task, place) => {
      const held = before.get(task.id);
      return was(place === 'changed' && held ? { ...task, assignee: held } : task, place);
    });
  }),
  clause(54, '| status | string |')('patch-status-object', 'PATCH answers the status as { value, label }', (s) =>
    dataOf(s, ['changeTask'], (data) => ({ ...data, status: { value: data.status, label: String(data.status) } })),
  ),
  clause(55, '| created_at | string (datetime) | no (server-set) |')(
    'created-at-of-two-clocks',
    'created_at in the answer of a creation is two seconds later than in all reads',
    (s) =>
      around(s, 'showTask', (was, task, place) => {
        const fields = was(task, place);
        return place === 'created' ? { ...fields, created_at: s.stamp(task.created + 2000, 'task.created_at') } : fields;
      }),
  ),
];

const projects: Fault[] = [
  project('project-empty-description-ignored', 'PATCH of a project with an empty description keeps the old one', (s) =>
    around(s, 'assignProject', (was, each, sent, call) => {
      const { description, ...rest } = sent;
      return was(each, description === '' ? rest : sent, call);
    }),
  ),
  project('project-patch-by-name', 'PATCH of a project changes all projects of the same name', (s) =>
    around(s, 'assignProject', (was, each, sent, call) => {
      for (const twin of s.db.projects)
        if (twin !== each && twin.name === each.name && twin.workspace === each.workspace) Object.assign(twin, sent);
      return was(each, sent, call);
    }),
  ),
  project('project-unchanged-name-ends-patch', 'a PATCH that repeats the name is taken for one that changes nothing', (s) =>
    around(s, 'assignProject', (was, each, sent, call) => sent.name !== each.name && was(each, sent, call)),
  ),
  project('project-public-loses-description', 'PATCH to public removes the description', (s) =>
    around(s, 'assignProject', (was, each, sent, call) =>
      was(each, sent.visibility === 'public' ? { description: null, ...sent } : sent, call),
    ),
  ),
  project('project-patch-on-stale-copy', 'a PATCH shortly after another undoes the first one', (s) => {
    const last = memory<string, { at: number; before: Partial<Project> }>();
    around(s, 'assignProject', (was, each, sent, call) => {
      const held = last.get(each.id);
      const { name, description, visibility } = each;
      last.set(each.id, { at: s.now(), before: { name, description, visibility } });
      if (held && s.now() - held.at < 100) Object.assign(each, held.before);
      return was(each, sent, call);
    });
  }),
  project('project-name-and-description', 'PATCH of name and description together loses the description', (s) =>
    around(s, 'assignProject', (was, each, sent, call) => {
      const { description, ...rest } = sent;
      return was(each, sent.name !== undefined ? rest : sent, call);
    }),
  ),
  clause(144, '| PATCH | /projects/{project_id} |')(
    'project-patch-409-in-one-second',
    'a second PATCH of a project within a second answers 409: the version is its updated_at in seconds',
    (s) => {
      const last = memory<string, number>();
      around(s, 'changeProject', (was, call) => {
        const second = Math.floor(s.now() / 1000);
        if (last.get(call.path) === second) throw s.conflict(call);
        last.set(call.path, second);
        return was(call);
      });
    },
  ),
  clause(39, 'changes when the project is updated')(
    'project-updated-at-by-minute',
    'updated_at of a project is cut to the minute',
    (s) => around(s, 'stamp', (was, at, what) => was(what === 'project.updated_at' ? at - (at % 60_000) : at, what)),
  ),
  clause(39, 'changes when the project is updated')(
    'project-updated-at-once-an-hour',
    'updated_at of a project changes with the first update of an hour only',
    (s) =>
      around(s, 'touch', (was, row, what, values) => {
        if (what !== 'project' || s.now() - row.updated > 3_600_000) was(row, what, values);
      }),
  ),
  clause(120, 'changeable by `PATCH /projects/{project_id}`')(
    'project-visibility-one-step',
    'a private project becomes team when PATCH asks for public',
    (s) =>
      around(s, 'assignProject', (was, each, sent, call) =>
        was(each, each.visibility === 'private' && sent.visibility === 'public' ? { ...sent, visibility: 'team' } : sent, call),
      ),
  ),
];

/** Filing by what came before. */
const others: Fault[] = [
  unchanged('patch-by-title', 'PATCH of the priority changes all tasks of the project with the same title', (s) =>
    onPatch(s, (task: Task, sent, before) => {
      if (sent.priority === undefined) return;
      for (const twin of s.db.tasks)
        if (twin.project === task.project && twin.title === before.title) twin.priority = sent.priority as string;
    }),
  ),
  clause(48, '| project_id | string | no (from path) | the containing project |')(
    'task-filed-in-last-project',
    'a task made right after one in another project is filed there',
    (s) => {
      let last: { at: number; project: string; workspace: string } | undefined;
      around(s, 'newTask', (was, values, inside, call) => {
        const made = was(values, inside, call);
        const held = last;
        last = { at: s.now(), project: inside.id, workspace: inside.workspace };
        const stuck = held && held.workspace === inside.workspace && isOn(call, 'createTask') && s.now() - held.at < 50;
        return stuck && s.db.projects.some(({ id }) => id === held.project) ? { ...made, project: held.project } : made;
      });
    },
  ),
];

export const faults: readonly Fault[] = [...tasks, ...projects, ...others];
