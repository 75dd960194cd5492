// Faults of the operations on tasks and of the comments.
import type { Comment, Fields, Row, Task } from '../model.ts';
import type { Service } from '../service/service.ts';
import { around, clause, type Fault, isOn, memory, without } from './fault.ts';

const patch = clause(157, 'body: any combination of the create fields; omitted fields unchanged');
const answer = clause(157, '`data` = updated task');
const gone = clause(299, 'id unknown, deleted, or in another workspace');

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

const removal = clause(158, '`204`; the task and all its comments are permanently deleted');
const keepingTrash = (service: Service): Task[] => {
  const trash: Task[] = [];
  around(service, 'removeTask', (was, task, because) => {
    if (because === 'itself') trash.push(task);
    was(task, because);
  });
  return trash;
};

const deletion: Fault[] = [
  removal('delete-task-archives', 'a deleted task stays, as done', (s) => {
    around(s, 'removeTask', (was, task, because) =>
      because === 'itself' ? void Object.assign(task, { status: 'done' }) : was(task, because),
    );
  }),
  removal('delete-task-readable', 'a deleted task can still be read by id', (s) => {
    const trash = keepingTrash(s);
    around(
      s,
      'taskOf',
      (was, call) => (isOn(call, 'readTask') ? trash.find(({ id }) => id === call.ids.task) : undefined) ?? was(call),
    );
  }),
  removal('delete-task-listed', 'a deleted task stays in GET /tasks', (s) => {
    const trash = keepingTrash(s);
    around(s, 'allTaskRows', (was, call) =>
      isOn(call, 'listTasks') ? [...was(call), ...trash.filter(({ workspace }) => workspace === call.workspace?.id)] : was(call),
    );
  }),
  removal('delete-task-listed-in-project', 'a deleted task stays in the list of its project', (s) => {
    const trash = keepingTrash(s);
    around(s, 'projectTaskRows', (was, call, project) => [
      ...was(call, project),
      ...trash.filter((task) => task.project === project.id),
    ]);
  }),
  removal('delete-task-patched', 'PATCH of a deleted task brings it back', (s) => {
    const trash = keepingTrash(s);
    around(s, 'taskOf', (was, call) => {
      const found = isOn(call, 'changeTask') ? trash.find(({ id }) => id === call.ids.task) : undefined;
      if (found && !s.db.tasks.includes(found)) s.db.tasks.push(found);
      return found ?? was(call);
    });
  }),
  removal('delete-task-by-status', 'DELETE removes all tasks of the project with the same status', (s) => {
    around(s, 'removeTask', (was, task, because) => {
      if (because === 'itself')
        for (const each of s.db.tasks.filter(({ project, status }) => project === task.project && status === task.status))
          was(each, because);
      else was(task, because);
    });
  }),
  removal('delete-task-next', 'DELETE of a task removes the next one of the project too', (s) => {
    around(s, 'removeTask', (was, task, because) => {
      const next = s.db.tasks.find(({ project, nth }) => project === task.project && nth > task.nth);
      was(task, because);
      if (next && because === 'itself') was(next, because);
    });
  }),
  removal('delete-task-counted', 'a deleted task still counts in the total of its project', (s) => {
    const trash = keepingTrash(s);
    around(
      s,
      'total',
      (was, matching, rest, query) =>
        was(matching, rest, query) +
        (isOn(query.call, 'listProjectTasks') ? trash.filter(({ project }) => project === query.call.ids.project).length : 0),
    );
  }),
  removal(
    'delete-task-keeps-comments',
    'the comments of a deleted task can still be read',
    (s) => {
      const trash = keepingTrash(s);
      around(s, 'removeComments', () => undefined);
      around(
        s,
        'taskOf',
        (was, call) => (isOn(call, 'listComments') ? trash.find(({ id }) => id === call.ids.task) : undefined) ?? was(call),
      );
    },
    { needs: 'comments' },
  ),
  removal('delete-task-comments-empty', 'the comments of a deleted task are an empty list with 200', (s) => {
    const trash = keepingTrash(s);
    around(
      s,
      'taskOf',
      (was, call) => (isOn(call, 'listComments') ? trash.find(({ id }) => id === call.ids.task) : undefined) ?? was(call),
    );
  }),
  removal(
    'delete-task-refused-with-comments',
    'a task with comments cannot be deleted: 409',
    (s) => {
      around(s, 'deleteTask', (was, call) => {
        if (s.db.comments.some(({ task }) => task === s.taskOf(call).id)) throw s.conflict(call);
        return was(call);
      });
    },
    { needs: 'comments' },
  ),
  gone('deleted-task-again', 'a second DELETE of a task answers 204', (s) => {
    const trash = keepingTrash(s);
    around(s, 'deleteTask', (was, call) => (trash.some(({ id }) => id === call.ids.task) ? s.empty() : was(call)));
    around(s, 'locate', (was, call) => (isOn(call, 'deleteTask') ? undefined : was(call)));
  }),
  gone('unknown-task-deleted', 'DELETE of a task that never was answers 204', (s) => {
    around(s, 'deleteTask', (was, call) => (s.db.tasks.some(({ id }) => id === call.ids.task) ? was(call) : s.empty()));
    around(s, 'locate', (was, call) => (isOn(call, 'deleteTask') ? undefined : was(call)));
  }),
  gone('deleted-task-410', 'a deleted task answers 410', (s) => {
    const trash = keepingTrash(s);
    around(s, 'taskOf', (was, call) => {
      if (trash.some(({ id }) => id === call.ids.task)) throw Object.assign(s.notFound(call, 'task'), { status: 410 });
      return was(call);
    });
  }),
  gone('task-id-any-case', 'ids of tasks are compared without regard to case', (s) =>
    around(s, 'sameId', (was, stored, asked, what) =>
      what === 'task' ? stored.toLowerCase() === asked.toLowerCase() : was(stored, asked, what),
    ),
  ),
  gone('task-id-prefix', 'the beginning of the id of a task suffices', (s) =>
    around(
      s,
      'sameId',
      (was, stored, asked, what) =>
        was(stored, asked, what) || (what === 'task' && asked.length > 12 && stored.startsWith(asked)),
    ),
  ),
];

const comments = clause(159, '`200` list of comments', { needs: 'comments' });
const shows = (service: Service, change: (fields: Fields, comment: Comment) => Fields): void =>
  around(service, 'showComment', (was, comment) => change(was(comment), comment));
const talk: Fault[] = [
  clause(88, '| id | string |', { needs: 'comments' })('comment-id-missing', 'comments have no id', (s) =>
    shows(s, (fields) => without(fields, 'id')),
  ),
  clause(88, '| id | string |', { needs: 'comments' })('comment-id-number', 'ids of comments are numbers', (s) =>
    shows(s, (fields, { nth }) => ({ ...fields, id: nth })),
  ),
  clause(89, '| author_id | string |', { needs: 'comments' })('comment-author-object', 'author_id is an object', (s) =>
    shows(s, (fields) => ({ ...fields, author_id: { id: fields.author_id } })),
  ),
  clause(89, '| author_id | string |', { needs: 'comments' })('comment-author-renamed', 'the author is given as author', (s) =>
    shows(s, (fields) => ({ ...without(fields, 'author_id'), author: fields.author_id })),
  ),
  clause(90, '| body | string |', { needs: 'comments' })('comment-body-renamed', 'the body is given as text', (s) =>
    shows(s, (fields) => ({ ...without(fields, 'body'), text: fields.body })),
  ),
  clause(90, '| body | string |', { needs: 'comments' })('comment-body-document', 'the body is a document of blocks', (s) =>
    shows(s, (fields) => ({ ...fields, body: [{ type: 'text', text: fields.body }] })),
  ),
  clause(91, '| created_at | string (datetime) |', { needs: 'comments' })(
    'comment-created-at-missing',
    'comments have no created_at',
    (s) => shows(s, (fields) => without(fields, 'created_at')),
  ),
  clause(91, '| created_at | string (datetime) |', { needs: 'comments' })(
    'comment-created-at-epoch',
    'created_at of a comment is a number',
    (s) => shows(s, (fields, { created }) => ({ ...fields, created_at: created })),
  ),
  comments('comments-of-all', 'the comments of all tasks are listed', (s) =>
    around(s, 'commentRows', (_was, call) => s.db.comments.filter(({ workspace }) => workspace === call.workspace?.id)),
  ),
  comments('comments-not-paged', 'limit has no effect on comments', (s) =>
    around(s, 'cut', (was, rest, query) => (query.listing.name === 'comment' ? rest : was(rest, query))),
  ),
  comments('comments-limit-ignored', 'the limit of comments is always 20', (s) =>
    around(s, 'boundLimit', (was, limit, call, listing) => (listing.name === 'comment' ? 20 : was(limit, call, listing))),
  ),
  comments('comments-cursor-ignored', 'the cursor has no effect on comments', (s) =>
    around(s, 'behind', (was, ordered, after, query) =>
      query.listing.name === 'comment' ? [...ordered] : was(ordered, after, query),
    ),
  ),
  comments('comments-total-of-page', 'total of comments is the size of the page', (s) =>
    around(s, 'total', (was, matching, rest, query) =>
      query.listing.name === 'comment' ? s.cut(rest, query).length : was(matching, rest, query),
    ),
  ),
  clause(159, '| GET | /tasks/{task_id}/comments |')(
    'comments-of-unknown-task',
    'the comments of an unknown task are an empty list',
    (s) => {
      around(s, 'listComments', (was, call) =>
        s.db.tasks.some(({ id }) => id === call.ids.task)
          ? was(call)
          : s.list(call, { name: 'comment', rows: () => [], filters: [], show: () => ({}) }),
      );
      around(s, 'locate', (was, call) => (isOn(call, 'listComments') ? undefined : was(call)));
    },
  ),
  clause(159, '`200` list of comments')('comments-404-when-none', 'a task without comments answers 404', (s) => {
    around(s, 'commentRows', (was, call, task) => {
      const found = was(call, task);
      if (found.length === 0) throw s.notFound(call, 'comment');
      return found;
    });
  }),
  clause(357, '`GET /tasks/{task_id}/comments`')('comments-route-missing', 'there is no route for comments', (s) =>
    around(s, 'patternsOf', (was) => was().filter(([, , operation]) => operation !== 'listComments')),
  ),
  clause(159, 'list of comments', { needs: 'comments' })('comments-for-writers', 'a read key gets 403 for comments', (s) =>
    around(s, 'neededScope', (was, operation) => (operation === 'listComments' ? 'write' : was(operation))),
  ),
];

export const faults: readonly Fault[] = [...changes, ...lists, ...deletion, ...talk];
