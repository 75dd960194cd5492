// Faults of creations and of single reads.

import { type Fields, Problem, type Project, type Task } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn, without } from '../faults/fault.ts';
import { born } from '../faults/task-tools.ts';
import { rowsOf } from './tools.ts';

const created = clause(282, '| 201 | resource created; body holds the resource |');
const description = clause(50, '| description | string | no | plain text, at most 10000 characters |');
const due = clause(52, 'omitted means no due date');
const read = clause(156, '`200` `data` = task');

/** Gives the new task of a POST that leaves a field out what the one before had, as a default that is shared does. */
const leaks = (service: Service, field: string, take: (task: Task) => Partial<Task>): void => {
  let last: Partial<Task> = {};
  born(service, (task, sent) => {
    if (sent[field] === undefined) return last;
    last = take(task);
    return {};
  });
};
/** Stores something else than what is answered. */
const storedAs = (service: Service, change: (task: Task) => Partial<Task>): void =>
  around(service, 'createTask', (was, call) => {
    const answer = was(call);
    const { data } = answer.body as { data: Fields };
    const task = service.db.tasks.find(({ id }) => id === data.id);
    if (task) Object.assign(task, change(task));
    return answer;
  });
const twins = (project: Project, values: Fields) => project.name === values.name;

const defaults: Fault[] = [
  description('description-of-last-task', 'a task without description gets the one that was given last', (s) =>
    leaks(s, 'description', (task) => ({ description: task.description })),
  ),
  due('due-date-of-last-task', 'a task without due date gets the one that was given last', (s) =>
    leaks(s, 'due_date', (task) => ({ due: task.due })),
  ),
  clause(51, '| assignee_id | string | no | id of a member of the workspace |')(
    'assignee-of-last-task',
    'a task without assignee gets the one that was given last, if its project is the same',
    (s) => {
      let last: Task | undefined;
      born(s, (task, sent) => {
        if (sent.assignee_id === undefined) return last?.project === task.project ? { assignee: last.assignee } : {};
        last = task;
        return {};
      });
    },
  ),
  clause(53, 'default `medium`')('priority-of-last-task', 'the default priority is the one that was given last', (s) =>
    leaks(s, 'priority', (task) => ({ priority: task.priority })),
  ),
  clause(54, 'default `backlog`')('status-of-last-task', 'the default status is the one that was given last', (s) =>
    leaks(s, 'status', (task) => ({ status: task.status })),
  ),
  clause(37, 'default `private`')('visibility-of-last-project', 'the default visibility is the one that was given last', (s) => {
    let last: string | undefined;
    around(s, 'newProject', (was, values, call) => {
      if (values.visibility === undefined) return was(last ? { ...values, visibility: last } : values, call);
      last = values.visibility as string;
      return was(values, call);
    });
  }),
  clause(36, '| description | string | no | plain text, at most 1000 characters |')(
    'description-of-last-project',
    'a project without description gets the one that was given last',
    (s) => {
      let last: unknown;
      around(s, 'newProject', (was, values, call) => {
        if (values.description === undefined) return was(last ? { ...values, description: last } : values, call);
        last = values.description;
        return was(values, call);
      });
    },
  ),
  clause(53, 'default `medium`')('priority-default-in-project', 'the default is high in a project of visibility public', (s) =>
    born(s, (task, sent) => {
      const open = s.db.projects.find(({ id }) => id === task.project)?.visibility === 'public';
      return open && sent.priority === undefined ? { priority: 'high' } : {};
    }),
  ),
];

const storing: Fault[] = [
  created('status-answered-not-stored', 'a creation answers the status that was given and stores backlog', (s) =>
    storedAs(s, () => ({ status: 'backlog' })),
  ),
  created('due-date-answered-not-stored', 'a creation answers the due date that was given and stores none', (s) =>
    storedAs(s, () => ({ due: null })),
  ),
  created('assignee-answered-not-stored', 'a creation answers the assignee that was given and stores none', (s) =>
    storedAs(s, () => ({ assignee: null })),
  ),
  created('description-stored-in-part', 'a description of more than 4000 characters is answered and stored as none', (s) =>
    storedAs(s, (task) => ((task.description?.length ?? 0) > 4000 ? { description: null } : {})),
  ),
  created(
    'double-click-task',
    'a task with the title of one made in the last two seconds is not made: that one is answered',
    (s) =>
      around(s, 'createTask', (was, call) => {
        const project = s.projectOf(call);
        const values = s.readFields(call, 'task', 'create');
        const twin = s.db.tasks.find(
          (task) => task.project === project.id && task.title === values.title && s.now() - task.created < 2000,
        );
        return twin ? s.single(s.showTask(twin, 'created'), 'created', 201) : was(call);
      }),
  ),
  created('double-click-project', 'a project with the name of one made in the last two seconds is not made', (s) =>
    around(s, 'createProject', (was, call) => {
      const values = s.readFields(call, 'project', 'create');
      const twin = s.db.projects.find(
        (each) => twins(each, values) && each.workspace === call.workspace?.id && s.now() - each.created < 2000,
      );
      return twin ? s.single(s.showProject(twin, 'created'), 'created', 201) : was(call);
    }),
  ),
  clause(142, '| POST | /projects | body: name (required), description, visibility | `201` `data` = project |')(
    'project-name-unique',
    'a name that another project has answers 409, as for teams',
    (s) =>
      around(s, 'newProject', (was, values, call) => {
        if (s.db.projects.some((each) => twins(each, values) && each.workspace === call.workspace?.id)) throw s.conflict(call);
        return was(values, call);
      }),
  ),
  clause(155, '| POST | /projects/{project_id}/tasks |')(
    'task-title-unique',
    'a title that another task of the project has answers 409',
    (s) =>
      around(s, 'newTask', (was, values, project, call) => {
        if (s.db.tasks.some((each) => each.title === values.title && each.project === project.id)) throw s.conflict(call);
        return was(values, project, call);
      }),
  ),
  clause(50, '| description | string | no | plain text, at most 10000 characters |')(
    'body-over-8k',
    'a body of more than 8 KiB answers 413',
    (s) =>
      around(s, 'readBody', (was, call) => {
        if (call.text.length > 8192) throw new Problem(413, 'payload_too_large', 'The body is too large.');
        return was(call);
      }),
  ),
  created('created-in-turn', 'the second of two tasks made within fifty milliseconds has the id of the first', (s) => {
    let last: Task | undefined;
    around(s, 'newTask', (was, values, project, call) => {
      const made = was(values, project, call);
      const held = last;
      last = made;
      return held && s.now() - held.created < 50 && held.project === made.project ? { ...made, id: held.id } : made;
    });
  }),
];

const reads: Fault[] = [
  read('done-task-404', 'a task that is done cannot be read by its id', (s) =>
    around(s, 'readTask', (was, call) => {
      if (s.taskOf(call).status === 'done') throw s.notFound(call, 'task');
      return was(call);
    }),
  ),
  read('row-id-without-prefix', 'ids in the rows of GET /tasks have no prefix, and lead to nothing', (s) =>
    rowsOf(s, ['task'], (row, _index, _all, call) =>
      isOn(call, 'listTasks') ? { ...row, id: String(row.id).replace('task_', '') } : row,
    ),
  ),
  clause(55, '| created_at | string (datetime) | no (server-set) |')(
    'rows-with-times-of-project',
    'rows of the tasks of a project have its created_at and updated_at: a join with equal names',
    (s) =>
      rowsOf(s, ['task'], (row, _index, _all, call) => {
        const project = isOn(call, 'listProjectTasks') ? s.db.projects.find(({ id }) => id === row.project_id) : undefined;
        const { created_at, updated_at } = project ? s.showProject(project, 'row') : row;
        return { ...row, created_at, updated_at };
      }),
  ),
  description('rows-with-description-of-project', 'rows of GET /tasks have the description of the project', (s) =>
    rowsOf(s, ['task'], (row, _index, _all, call) => {
      const project = isOn(call, 'listTasks') ? s.db.projects.find(({ id }) => id === row.project_id) : undefined;
      return project?.description ? { ...row, description: project.description } : row;
    }),
  ),
  clause(51, '| assignee_id | string |')('assignee-of-row-before', 'a row without assignee has that of the row before', (s) =>
    rowsOf(s, ['task'], (row, index, all) =>
      row.assignee_id || !all[index - 1]?.assignee_id ? row : { ...row, assignee_id: all[index - 1]?.assignee_id },
    ),
  ),
  clause(51, '| assignee_id | string |')('assignee-empty-text', 'no assignee reads as an empty text', (s) =>
    around(s, 'showTask', (was, task, place) => ({
      ...was(task, place),
      ...(task.assignee === null ? { assignee_id: '' } : {}),
    })),
  ),
  clause(159, '`200` list of comments', { needs: 'comments' })(
    'comments-of-done-task',
    'the comments of a task that is done are an empty list',
    (s) => around(s, 'commentRows', (was, call, task) => (task.status === 'done' ? [] : was(call, task))),
  ),
  clause(88, '| id | string |', { needs: 'comments' })('comment-ids-per-read', 'comments have new ids with each read', (s) => {
    let reading = 0;
    around(s, 'showComment', (was, comment) => {
      reading += 1;
      return { ...was(comment), id: `${comment.id}${reading.toString(36)}` };
    });
  }),
  clause(91, '| created_at | string (datetime) |', { needs: 'comments' })(
    'comment-time-of-read',
    'created_at of comments is the time of the request',
    (s) => around(s, 'showComment', (was, comment) => was({ ...comment, created: s.now() })),
  ),
  clause(299, '| not_found | 404 | id unknown, deleted, or in another workspace |')(
    'task-id-as-project',
    'GET /projects/{id} with the id of a task answers the project of the task',
    (s) =>
      around(s, 'projectOf', (was, call) => {
        const task = s.db.tasks.find(({ id }) => id === call.ids.project && isOn(call, 'readProject'));
        return was(task && s.sees(call, task, 'task') ? { ...call, ids: { project: task.project } } : call);
      }),
    { style: 'a' },
  ),
  clause(299, '| not_found | 404 | id unknown, deleted, or in another workspace |')(
    'delete-any-by-id',
    'DELETE /tasks/{id} with the id of a team deletes the team',
    (s) =>
      around(s, 'deleteTask', (was, call) => {
        const team = s.db.teams.find(({ id, workspace }) => id === call.ids.task && workspace === call.workspace?.id);
        if (!team) return was(call);
        s.removeTeam(team, call);
        return s.empty();
      }),
    { style: 'c' },
  ),
  clause(84, '### Comment (read only)')('comments-can-be-made', 'POST /tasks/{task_id}/comments makes a comment', (s) => {
    const pattern = ['POST', '/tasks/:task/comments', 'listComments'] as const;
    around(s, 'patternsOf', (was) => [...was(), pattern]);
    around(s, 'listComments', (was, call) => {
      if (call.method !== 'POST') return was(call);
      const task = s.taskOf(call);
      const body = String(s.readBody(call).body ?? '');
      const times = { created: s.now(), updated: s.now(), nth: s.nextNth() };
      const comment = {
        ...{ id: s.newId('cmt'), workspace: task.workspace, task: task.id, author: call.key?.user ?? '', body },
        ...times,
      };
      s.db.comments.push(comment);
      return s.single(s.showComment(comment), 'created', 201);
    });
  }),
  clause(38, '| created_at | string (datetime) | no (server-set) |')(
    'project-without-created-at-in-list',
    'rows of filtered projects have no times',
    (s) =>
      rowsOf(s, ['project'], (row, _index, _all, call) =>
        [...call.query.keys()].some((name) => name.startsWith('filter')) ? without(row, 'created_at', 'updated_at') : row,
      ),
  ),
  clause(287, 'resource does not exist, or belongs to a workspace the key cannot access')(
    'unknown-task-shell',
    'GET of the comments of an unknown task answers an error inside 200',
    (s) =>
      around(s, 'answer', (was, call) => {
        const answer = was(call);
        return isOn(call, 'listComments') && answer.status === 404 ? { ...answer, status: 200 } : answer;
      }),
    { style: 'a' },
  ),
];

export const faults: readonly Fault[] = [...defaults, ...storing, ...reads];
