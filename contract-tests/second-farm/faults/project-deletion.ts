// Faults of the deletion of projects.
import type { Project } from '../../judge/reference/model.ts';
import { around, clause, type Fault, isOn, memory } from './fault.ts';

const permanent = clause(
  147,
  'Deleting a project is permanent: its tasks, comments and attachments are deleted immediately and cannot be recovered.',
);
const gone = clause(299, 'id unknown, deleted, or in another workspace');
const deletion: Fault[] = [
  permanent('delete-project-keeps-tasks', 'the tasks of a deleted project remain', (s) => around(s, 'tasksOfDeleted', () => [])),
  permanent('delete-project-keeps-first-task', 'the first task of a deleted project remains', (s) =>
    around(s, 'tasksOfDeleted', (was, project) => was(project).slice(1)),
  ),
  permanent('delete-project-keeps-done', 'tasks that are done outlive their project', (s) =>
    around(s, 'tasksOfDeleted', (was, project) => was(project).filter(({ status }) => status !== 'done')),
  ),
  permanent('delete-project-keeps-assigned', 'assigned tasks outlive their project', (s) =>
    around(s, 'tasksOfDeleted', (was, project) => was(project).filter(({ assignee }) => assignee === null)),
  ),
  permanent('delete-project-tasks-by-id', 'tasks of a deleted project leave the lists and can still be read by id', (s) => {
    around(s, 'tasksOfDeleted', () => []);
    const alive = (id: string) => s.db.projects.some((project) => project.id === id);
    around(s, 'allTaskRows', (was, call) => was(call).filter((row) => 'project' in row && alive(row.project)));
  }),
  permanent('delete-project-tasks-in-list', 'tasks of a deleted project answer 404 and stay in GET /tasks', (s) => {
    around(s, 'tasksOfDeleted', () => []);
    around(s, 'taskOf', (was, call) => {
      const task = was(call);
      if (!s.db.projects.some(({ id }) => id === task.project)) throw s.notFound(call, 'task');
      return task;
    });
  }),
  permanent(
    'delete-project-keeps-comments',
    'the comments of the tasks of a deleted project can be read',
    (s) => {
      around(s, 'listComments', (was, call) => {
        if (!s.db.comments.some(({ task }) => task === call.ids.task)) return was(call);
        return s.list(call, {
          name: 'comment',
          rows: () => s.db.comments.filter(({ task }) => task === call.ids.task),
          filters: [],
          show: (row: (typeof s.db.comments)[number]) => s.showComment(row),
        });
      });
      around(s, 'removeTask', (_was, task, because) => {
        if (because === 'itself') s.removeComments(task);
        s.db.tasks = s.db.tasks.filter((each) => each !== task);
      });
      around(s, 'locate', (was, call) => (isOn(call, 'listComments') ? undefined : was(call)));
    },
    { needs: 'comments' },
  ),
  permanent('delete-project-later', 'the tasks of a deleted project go after two seconds', (s) => {
    const doomed: { at: number; id: string }[] = [];
    around(s, 'tasksOfDeleted', () => []);
    around(s, 'removeProject', (was, project, call) => {
      doomed.push({ at: s.now() + 2000, id: project.id });
      was(project, call);
    });
    around(s, 'serve', (was, call) => {
      const due = doomed.filter(({ at }) => at <= s.now()).map(({ id }) => id);
      s.db.tasks = s.db.tasks.filter(({ project }) => !due.includes(project));
      return was(call);
    });
  }),
  permanent('delete-project-refused-with-tasks', 'a project that has tasks cannot be deleted: 409', (s) => {
    around(s, 'removeProject', (was, project, call) => was(project, call));
    around(s, 'tasksOfDeleted', (was, project) => {
      const tasks = was(project);
      if (tasks.length > 0) throw s.conflict({} as never);
      return tasks;
    });
  }),
  permanent('delete-project-takes-others', 'deleting a project deletes the tasks of the next one too', (s) =>
    around(s, 'tasksOfDeleted', (was, project) => {
      const next = s.db.projects.find(({ nth, workspace }) => nth > project.nth && workspace === project.workspace);
      return next ? [...was(project), ...was(next)] : was(project);
    }),
  ),
  gone('deleted-project-readable', 'a deleted project can still be read by id', (s) => {
    const trash: Project[] = [];
    around(s, 'removeProject', (was, project, call) => {
      trash.push(project);
      was(project, call);
    });
    around(s, 'readProject', (was, call) => {
      const found = trash.find(({ id }) => id === call.ids.project);
      return found ? s.single(s.showProject(found, 'read'), 'read') : was(call);
    });
    around(s, 'locate', (was, call) => (isOn(call, 'readProject') ? undefined : was(call)));
  }),
  gone('deleted-project-listed', 'a deleted project stays in the list', (s) => {
    const trash: Project[] = [];
    around(s, 'removeProject', (was, project, call) => {
      trash.push(project);
      was(project, call);
    });
    around(s, 'projectRows', (was, call) => [...was(call), ...trash.filter(({ workspace }) => workspace === call.workspace?.id)]);
  }),
  gone('deleted-project-counted', 'a deleted project still counts in total', (s) => {
    let count = 0;
    around(s, 'removeProject', (was, project, call) => {
      count += 1;
      was(project, call);
    });
    around(
      s,
      'total',
      (was, matching, rest, query) =>
        was(matching, rest, query) + (query.listing.name === 'project' && query.filters.length === 0 ? count : 0),
    );
  }),
  gone('deleted-project-again', 'a second DELETE of a project answers 204', (s) => {
    const trash = memory<string, true>();
    around(s, 'removeProject', (was, project, call) => {
      trash.set(project.id, true);
      was(project, call);
    });
    around(s, 'deleteProject', (was, call) => (trash.has(call.ids.project ?? '') ? s.empty() : was(call)));
    around(s, 'locate', (was, call) => (isOn(call, 'deleteProject') ? undefined : was(call)));
  }),
  gone('deleted-project-410', 'a deleted project answers 410', (s) => {
    const trash = memory<string, true>();
    around(s, 'removeProject', (was, project, call) => {
      trash.set(project.id, true);
      was(project, call);
    });
    around(s, 'projectOf', (was, call) => {
      if (trash.has(call.ids.project ?? '')) throw Object.assign(s.notFound(call, 'project'), { status: 410 });
      return was(call);
    });
  }),
  gone('deleted-project-patched', 'PATCH of a deleted project works', (s) => {
    const trash: Project[] = [];
    around(s, 'removeProject', (was, project, call) => {
      trash.push(project);
      was(project, call);
    });
    around(
      s,
      'projectOf',
      (was, call) => (isOn(call, 'changeProject') ? trash.find(({ id }) => id === call.ids.project) : undefined) ?? was(call),
    );
  }),
  gone('deleted-project-takes-tasks', 'a task can be created in a deleted project', (s) => {
    const trash: Project[] = [];
    around(s, 'removeProject', (was, project, call) => {
      trash.push(project);
      was(project, call);
    });
    around(
      s,
      'projectOf',
      (was, call) => (isOn(call, 'createTask') ? trash.find(({ id }) => id === call.ids.project) : undefined) ?? was(call),
    );
  }),
  gone('deleted-project-lists-tasks', 'the tasks of a deleted project are an empty list with 200', (s) => {
    const trash: Project[] = [];
    around(s, 'removeProject', (was, project, call) => {
      trash.push(project);
      was(project, call);
    });
    around(
      s,
      'projectOf',
      (was, call) => (isOn(call, 'listProjectTasks') ? trash.find(({ id }) => id === call.ids.project) : undefined) ?? was(call),
    );
  }),
  gone('project-id-reused', 'the id of a deleted project is given to the next one', (s) => {
    let free: string | undefined;
    around(s, 'removeProject', (was, project, call) => {
      free = project.id;
      was(project, call);
    });
    around(s, 'newProject', (was, sent, call) => {
      const made = { ...was(sent, call), ...(free ? { id: free } : {}) };
      free = undefined;
      return made;
    });
  }),
];

export const faults: readonly Fault[] = [...deletion];
