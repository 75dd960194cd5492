// Faults of deletions.

import type { Project, Task } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn, memory } from '../faults/fault.ts';

const permanent = clause(147, 'Deleting a project is permanent');
const cascade = clause(147, 'its tasks, comments and attachments are deleted immediately and cannot be recovered');
const gone = clause(299, '| not_found | 404 | id unknown, deleted, or in another workspace |');
const taskGone = clause(158, 'the task and all its comments are permanently deleted');
const deletes = clause(145, '| DELETE | /projects/{project_id} | none | `204`, empty body |');

/** Keeps the projects that are deleted, with their tasks. */
const trash = (service: Service): Map<string, { project: Project; tasks: Task[]; at: number; by: string }> => {
  const kept = memory<string, { project: Project; tasks: Task[]; at: number; by: string }>();
  around(service, 'deleteProject', (was, call) => {
    const project = service.projectOf(call);
    const tasks = service.tasksOfDeleted(project);
    const answer = was(call);
    kept.set(project.id, { project, tasks, at: service.now(), by: call.key?.value ?? '' });
    return answer;
  });
  return kept;
};
const deletedTasks = (service: Service): Task[] => {
  const kept: Task[] = [];
  around(service, 'removeTask', (was, task, because) => {
    kept.push(task);
    was(task, because);
  });
  return kept;
};
const asks = (call: { readonly query: URLSearchParams }, name: string) =>
  [...call.query.keys()].some((each) => each.startsWith(name));

const projects: Fault[] = [
  cascade('first-twenty-tasks-deleted', 'deleting a project deletes its first twenty tasks', (s) =>
    around(s, 'tasksOfDeleted', (was, project) => was(project).slice(0, 20)),
  ),
  cascade('tasks-with-date-kept', 'tasks that are due in the future outlive their project', (s) =>
    around(s, 'tasksOfDeleted', (was, project) => was(project).filter(({ due }) => due === null || due < s.now())),
  ),
  cascade('tasks-moved-to-oldest-project', 'the tasks of a deleted project move to the oldest project', (s) =>
    around(s, 'tasksOfDeleted', (was, project) => {
      const home = s.db.projects.find(({ workspace, id }) => workspace === project.workspace && id !== project.id);
      if (!home) return was(project);
      for (const task of was(project)) task.project = home.id;
      return [];
    }),
  ),
  cascade('tasks-of-deleted-by-filter', 'filter[project_id] of a deleted project still lists its tasks', (s) => {
    const kept = trash(s);
    around(s, 'allTaskRows', (was, call) => {
      const held = kept.get(call.query.get('filter[project_id]') ?? '');
      return held && held.project.workspace === call.workspace?.id ? [...was(call), ...held.tasks] : was(call);
    });
  }),
  permanent('project-revived-by-name', 'a new project with the name of a deleted one has its tasks again', (s) => {
    const kept = trash(s);
    around(s, 'saveProject', (was, project, call) => {
      was(project, call);
      for (const held of kept.values())
        if (held.project.name === project.name && held.project.workspace === project.workspace)
          s.db.tasks.push(...held.tasks.map((task) => ({ ...task, project: project.id })));
    });
  }),
  permanent('project-returns', 'a deleted project is back in lists after three seconds: a node that was away brings it', (s) => {
    const kept = trash(s);
    around(s, 'projectRows', (was, call) => [
      ...was(call),
      ...[...kept.values()]
        .filter(({ project, at }) => project.workspace === call.workspace?.id && s.now() - at > 3000)
        .map(({ project }) => project),
    ]);
  }),
  permanent('project-hidden-from-deleter', 'a deleted project is hidden from the key that deleted it only', (s) => {
    const kept = trash(s);
    around(s, 'projectRows', (was, call) => [
      ...was(call),
      ...[...kept.values()]
        .filter(({ project, by }) => project.workspace === call.workspace?.id && by !== call.key?.value)
        .map(({ project }) => project),
    ]);
  }),
  permanent('deleted-projects-when-filtered', 'deleted projects come back with filter[visibility]', (s) => {
    const kept = trash(s);
    around(s, 'projectRows', (was, call) =>
      asks(call, 'filter')
        ? [
            ...was(call),
            ...[...kept.values()].map(({ project }) => project).filter(({ workspace }) => workspace === call.workspace?.id),
          ]
        : was(call),
    );
  }),
  permanent('project-deleted-by-name', 'deleting a project deletes all projects of its name', (s) =>
    around(s, 'removeProject', (was, project, call) => {
      was(project, call);
      s.db.projects = s.db.projects.filter(({ name, workspace }) => !(name === project.name && workspace === project.workspace));
    }),
  ),
  deletes('public-project-409', 'a public project cannot be deleted: 409', (s) =>
    around(s, 'removeProject', (was, project, call) => {
      if (project.visibility === 'public') throw s.conflict(call);
      was(project, call);
    }),
  ),
  deletes('open-tasks-409', 'a project with tasks in progress cannot be deleted: 409', (s) =>
    around(s, 'deleteProject', (was, call) => {
      const { id } = s.projectOf(call);
      if (s.db.tasks.some(({ project, status }) => project === id && status === 'in_progress')) throw s.conflict(call);
      return was(call);
    }),
  ),
  deletes(
    'project-deleted-500',
    'DELETE of a project with comments answers 500: a foreign key',
    (s) =>
      around(s, 'deleteProject', (was, call) => {
        const { id } = s.projectOf(call);
        const tasks = s.db.tasks.filter(({ project }) => project === id).map((task) => task.id);
        if (s.db.comments.some(({ task }) => tasks.includes(task))) throw new Error('violates foreign key constraint');
        return was(call);
      }),
    { needs: 'comments' },
  ),
];

const tasks: Fault[] = [
  taskGone('deleted-tasks-when-sorted', 'deleted tasks come back in sorted lists', (s) => {
    const kept = deletedTasks(s);
    around(s, 'allTaskRows', (was, call) =>
      asks(call, 'sort') ? [...was(call), ...kept.filter(({ workspace }) => workspace === call.workspace?.id)] : was(call),
    );
  }),
  taskGone('deleted-tasks-by-assignee', 'deleted tasks come back with filter[assignee_id]', (s) => {
    const kept = deletedTasks(s);
    around(s, 'allTaskRows', (was, call) =>
      asks(call, 'filter[assignee_id]')
        ? [...was(call), ...kept.filter(({ workspace }) => workspace === call.workspace?.id)]
        : was(call),
    );
  }),
  taskGone('deleted-tasks-on-second-page', 'deleted tasks come back on pages behind the first', (s) => {
    const kept = deletedTasks(s);
    around(s, 'allTaskRows', (was, call) =>
      asks(call, 'cursor') ? [...was(call), ...kept.filter(({ workspace }) => workspace === call.workspace?.id)] : was(call),
    );
  }),
  taskGone('task-deleted-by-title', 'DELETE of a task deletes all tasks of the project with its title', (s) =>
    around(s, 'removeTask', (was, task, because) => {
      was(task, because);
      if (because === 'itself')
        s.db.tasks = s.db.tasks.filter(({ title, project }) => !(title === task.title && project === task.project));
    }),
  ),
  taskGone(
    'task-deleted-for-a-while',
    'a deleted task can be read again after three seconds',
    (s) => {
      const kept = memory<string, { task: Task; at: number }>();
      around(s, 'removeTask', (was, task, because) => {
        if (because === 'itself') kept.set(task.id, { task, at: s.now() });
        was(task, because);
      });
      around(s, 'readTask', (was, call) => {
        const held = kept.get(call.ids.task ?? '');
        const back = held && held.task.workspace === call.workspace?.id && s.now() - held.at > 3000;
        return back ? s.single(s.showTask(held.task, 'read'), 'read') : was(call);
      });
    },
    { style: 'a' },
  ),
  gone('task-id-reused', 'the id of the task that was deleted last is given to the next one', (s) => {
    let free: string | undefined;
    around(s, 'removeTask', (was, task, because) => {
      free = task.id;
      was(task, because);
    });
    around(s, 'newTask', (was, values, project, call) => {
      const id = free;
      free = undefined;
      return { ...was(values, project, call), ...(id ? { id } : {}) };
    });
  }),
  gone(
    'deleted-task-still-patched',
    'PATCH of a deleted task answers 200 as long as its project is there',
    (s) => {
      const kept = deletedTasks(s);
      around(s, 'taskOf', (was, call) => {
        const held = kept.find(({ id, workspace }) => id === call.ids.task && workspace === call.workspace?.id);
        return held && isOn(call, 'changeTask') && s.db.projects.some(({ id }) => id === held.project) ? held : was(call);
      });
    },
    { style: 'c' },
  ),
  clause(299, '| not_found | 404 | id unknown, deleted, or in another workspace |')(
    'deleted-task-redirects',
    'a deleted task answers 301 to its project',
    (s) => {
      const kept = deletedTasks(s);
      around(s, 'fail', (was, error, call) => {
        const answer = was(error, call);
        const held = kept.find(({ id }) => id === call.ids.task);
        return held && answer.status === 404 && isOn(call, 'readTask')
          ? { ...answer, status: 301, headers: { Location: `/v1/projects/${held.project}` } }
          : answer;
      });
    },
    { style: 'a' },
  ),
  taskGone('task-with-assignee-409', 'a task that is assigned cannot be deleted: 409', (s) =>
    around(s, 'deleteTask', (was, call) => {
      if (s.taskOf(call).assignee !== null) throw s.conflict(call);
      return was(call);
    }),
  ),
];

export const faults: readonly Fault[] = [...projects, ...tasks];
