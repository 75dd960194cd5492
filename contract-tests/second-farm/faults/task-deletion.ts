// Faults of the deletion of tasks, and of comments.
import type { Comment, Fields, Task } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn, without } from './fault.ts';

const gone = clause(299, 'id unknown, deleted, or in another workspace');
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

export const faults: readonly Fault[] = [...deletion, ...talk];
