// Faults of response envelopes, of success statuses, and of servers that break down.
import { type Fields, Problem } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn } from './fault.ts';

const single = clause(20, '| Single resource | `{ "data": { <resource fields> } }` |');
const unwrapped = (service: Service, ...operations: string[]): void =>
  around(service, 'perform', (was, call, operation) => {
    const answer = was(call, operation);
    return isOn(call, ...operations) ? { ...answer, body: (answer.body as Fields).data } : answer;
  });
const reshaped = (service: Service, change: (body: Fields) => unknown, ...operations: string[]): void =>
  around(service, 'perform', (was, call, operation) => {
    const answer = was(call, operation);
    return isOn(call, ...operations) ? { ...answer, body: change(answer.body as Fields) } : answer;
  });
const list = clause(21, '| List | `{ "items": [ <resource>, ... ], "meta": { total, limit, has_more, next_cursor } }` |');
const error = clause(22, '| Error | `{ "error": { code, message, details } }` (see Errors) |');
const envelopes: Fault[] = [
  single('bare-profile', 'the profile is not inside data', (s) => unwrapped(s, 'readMe')),
  single('bare-task', 'GET /tasks/{task_id} answers the bare task', (s) => unwrapped(s, 'readTask')),
  single('bare-changed-project', 'PATCH of a project answers the bare project', (s) => unwrapped(s, 'changeProject')),
  single('bare-created-team', 'POST /teams answers the bare team', (s) => unwrapped(s, 'createTeam')),
  single('data-is-array', 'GET /teams/{team_id} answers data as an array of one', (s) =>
    reshaped(s, ({ data }) => ({ data: [data] }), 'readTeam'),
  ),
  single('named-by-type', 'POST of a task answers { task } for { data }', (s) =>
    reshaped(s, ({ data }) => ({ task: data }), 'createTask'),
  ),
  single('data-inside-data', 'PATCH of a task answers data inside data', (s) =>
    reshaped(s, ({ data }) => ({ data: { data } }), 'changeTask'),
  ),
  list('list-under-data', 'GET /projects has its rows under data', (s) =>
    reshaped(s, ({ items, meta }) => ({ data: items, meta }), 'listProjects'),
  ),
  list('bare-array-members', 'GET /workspace/members answers a bare array', (s) =>
    reshaped(s, ({ items }) => items, 'listMembers'),
  ),
  list('items-null-when-empty', 'an empty list has items null', (s) =>
    around(s, 'page', (was, items, meta, query) => (items.length === 0 ? { items: null, meta } : was(items, meta, query))),
  ),
  list('items-missing-when-empty', 'an empty list of comments has no items', (s) =>
    around(s, 'page', (was, items, meta, query) =>
      items.length === 0 && query.listing.name === 'comment' ? { meta } : was(items, meta, query),
    ),
  ),
  list('items-keyed-by-id', 'rows of teams are an object keyed by id', (s) =>
    around(s, 'page', (was, items, meta, query) =>
      query.listing.name === 'team'
        ? { items: Object.fromEntries(items.map((each) => [each.id, each])), meta }
        : was(items, meta, query),
    ),
  ),
  list('meta-at-top-level', 'the metadata of comments stands beside items', (s) =>
    around(s, 'page', (was, items, meta, query) =>
      query.listing.name === 'comment' ? { items, ...meta } : was(items, meta, query),
    ),
  ),
  list('meta-missing-for-members', 'the member list has no meta', (s) =>
    around(s, 'page', (was, items, meta, query) => (query.listing.name === 'member' ? { items } : was(items, meta, query))),
  ),
  list('meta-named-pagination', 'filtered lists call their metadata pagination', (s) =>
    around(s, 'page', (was, items, meta, query) =>
      query.filters.length > 0 ? { items, pagination: meta } : was(items, meta, query),
    ),
  ),
  list('rows-wrapped', 'each row of the teams list is wrapped in data', (s) =>
    around(s, 'page', (was, items, meta, query) =>
      was(query.listing.name === 'team' ? items.map((data) => ({ data })) : items, meta, query),
    ),
  ),
  list('rows-are-ids', 'rows of a filtered task list are bare ids', (s) =>
    around(s, 'page', (was, items, meta, query) =>
      query.filters.length > 0 ? { items: items.map(({ id }) => id), meta } : was(items, meta, query),
    ),
  ),
  error('error-flat', 'code and message stand at the top level', (s) =>
    around(s, 'errorBody', (was, problem) => (was(problem) as Fields).error),
  ),
  error('error-flat-only-404', 'a 404 has code and message at the top level', (s) =>
    around(s, 'errorBody', (was, problem) => (problem.status === 404 ? (was(problem) as Fields).error : was(problem))),
  ),
  error('errors-array', 'validation errors come as an array named errors', (s) =>
    around(s, 'errorBody', (was, problem) => (problem.issues ? { errors: problem.issues } : was(problem))),
  ),
  error('error-is-text', 'the error of a 403 is a text', (s) =>
    around(s, 'errorBody', (was, problem) => (problem.status === 403 ? { error: problem.message } : was(problem))),
  ),
  error('error-is-text-401', 'the error of a 401 is a text', (s) =>
    around(s, 'errorBody', (was, problem) => (problem.status === 401 ? { error: 'unauthorized' } : was(problem))),
  ),
  error('problem-json-409', 'a conflict is a problem document of RFC 9457', (s) =>
    around(s, 'errorBody', (was, problem) =>
      problem.status === 409 ? { type: 'about:blank', title: problem.message, status: 409 } : was(problem),
    ),
  ),
  error('error-inside-data', 'an unknown route answers its error inside data', (s) => {
    around(s, 'undocumented', (was, call) => Object.assign(was(call), { wrapped: true }));
    around(s, 'errorBody', (was, problem) => ('wrapped' in problem ? { data: was(problem) } : was(problem)));
  }),
];
const statuses = clause(24, 'Success status codes: `200` for reads, `201` for creation, `204` (empty body) for deletion.');
const answering = (service: Service, status: number, ...operations: string[]): void =>
  around(service, 'perform', (was, call, operation) => {
    const answer = was(call, operation);
    return isOn(call, ...operations) ? { ...answer, status } : answer;
  });
const success: Fault[] = [
  statuses('create-project-200', 'POST /projects answers 200', (s) => answering(s, 200, 'createProject')),
  statuses('create-task-200', 'POST of a task answers 200', (s) => answering(s, 200, 'createTask')),
  statuses('create-task-202', 'POST of a task answers 202', (s) => answering(s, 202, 'createTask')),
  statuses('create-team-200', 'POST /teams answers 200', (s) => answering(s, 200, 'createTeam')),
  statuses('create-team-with-members-202', 'POST /teams with members answers 202', (s) => {
    around(s, 'createTeam', (was, call) => ({ ...was(call), status: call.text.includes('user_') ? 202 : 201 }));
  }),
  statuses('create-without-body', 'POST /projects answers 201 with no body', (s) => {
    around(s, 'createProject', (was, call) => ({ ...was(call), body: undefined }));
    around(s, 'write', (was, answer, call) =>
      isOn(call, 'createProject') && answer.status === 201 ? { text: '', type: 'text/plain' } : was(answer, call),
    );
  }),
  statuses('delete-project-200', 'DELETE of a project answers 200 with the project', (s) => {
    around(s, 'deleteProject', (was, call) => ({ ...s.readProject(call), ...{ headers: was(call).headers } }));
  }),
  statuses('delete-task-200', 'DELETE of a task answers 200 with { deleted: true }', (s) => {
    around(s, 'deleteTask', (was, call) => ({ ...was(call), status: 200, body: { data: { deleted: true } } }));
  }),
  statuses('delete-team-202', 'DELETE of a team answers 202', (s) => {
    around(s, 'deleteTeam', (was, call) => ({ ...was(call), status: 202, body: { data: {} } }));
  }),
  statuses('page-206', 'a page that is not the last answers 206', (s) => {
    around(s, 'list', (was, call, listing) => {
      const answer = was(call, listing);
      const { meta } = answer.body as { meta: Fields };
      return meta.has_more ? { ...answer, status: 206 } : answer;
    });
  }),
  statuses('empty-list-204', 'an empty list answers 204', (s) => {
    around(s, 'list', (was, call, listing) => {
      const answer = was(call, listing);
      return (answer.body as { items: unknown[] }).items.length === 0 ? s.empty() : answer;
    });
  }),
  statuses('empty-list-404', 'a filter that nothing matches answers 404', (s) => {
    around(s, 'list', (was, call, listing) => {
      const answer = was(call, listing);
      if ((answer.body as { items: unknown[] }).items.length === 0 && s.readFilters(call, listing).length > 0)
        throw s.notFound(call, 'task');
      return answer;
    });
  }),
  statuses('read-after-change-203', 'a task that was changed reads with 203', (s) => {
    around(s, 'readTask', (was, call) => ({ ...was(call), status: s.taskOf(call).updated > s.taskOf(call).created ? 203 : 200 }));
  }),
];
const belongs = clause(13, 'Every task belongs to exactly one project.');
const ownership: Fault[] = [
  belongs(
    'create-adopts-project-id',
    'a project_id in the body of a creation wins over the path',
    (s) => {
      around(s, 'newTask', (was, values, project, call) => {
        const sent = (JSON.parse(call.text) as Fields).project_id;
        return { ...was(values, project, call), project: typeof sent === 'string' ? sent : project.id };
      });
    },
    { style: 'a' },
  ),
  belongs(
    'patch-moves-task',
    'a project_id in a PATCH moves the task',
    (s) => {
      around(s, 'assignTask', (was, task, values, call) => {
        const sent = (JSON.parse(call.text) as Fields).project_id;
        if (typeof sent === 'string') task.project = sent;
        return was(task, values, call);
      });
    },
    { style: 'c' },
  ),
  belongs('null-project-id-moves', 'PATCH with status done files the task under the oldest project', (s) => {
    around(s, 'assignTask', (was, task, values, call) => {
      if (values.status === 'done')
        task.project = s.db.projects.find(({ workspace }) => workspace === task.workspace)?.id ?? task.project;
      return was(task, values, call);
    });
  }),
  belongs('task-in-two-lists', 'urgent tasks appear in the list of every project', (s) => {
    around(s, 'projectTaskRows', (was, call, project) => {
      const own = was(call, project);
      return s.allTaskRows(call).filter((row) => own.includes(row) || ('status' in row && row.priority === 'urgent'));
    });
  }),
  belongs('project-prefix-join', 'the list of a project without tasks shows the tasks of all projects', (s) => {
    around(s, 'projectTaskRows', (was, call, project) => {
      const own = was(call, project);
      return own.length > 0 ? own : s.allTaskRows(call);
    });
  }),
];
/** A server that breaks down on ordinary values. */
const crash = (when: string) => new Problem(500, 'internal_error', `unexpected ${when}`);
const crashes: Fault[] = [
  clause(156, 'works regardless of the containing project')(
    'crash-without-due-date',
    'GET of a task without due date answers 500',
    (s) => {
      around(s, 'readTask', (was, call) => {
        if (s.taskOf(call).due === null) throw crash('null');
        return was(call);
      });
    },
  ),
  clause(153, '`200` list of tasks')('crash-on-empty-project', 'the task list of a project without tasks answers 500', (s) => {
    around(s, 'projectTaskRows', (was, call, project) => {
      const rows = was(call, project);
      if (rows.length === 0) throw crash('empty');
      return rows;
    });
  }),
  clause(154, '`200` list of tasks')(
    'crash-sorting-missing-dates',
    'sorting by due_date answers 500 when a task has none',
    (s) => {
      around(s, 'sortValue', (was, row, field, query) => {
        const value = was(row, field, query);
        if (field === 'due_date' && value === null) throw crash('null');
        return value;
      });
    },
  ),
  clause(155, '`201` `data` = task')('crash-on-emoji', 'a title with characters outside the basic plane answers 500', (s) => {
    around(s, 'takeText', (was, rule, value, call, act) => {
      if (/[\u{10000}-\u{10ffff}]/u.test(value)) throw crash('character');
      return was(rule, value, call, act);
    });
  }),
  clause(174, '`200` list of teams')(
    'crash-on-team-without-members',
    'the list of teams answers 500 when a team has no members',
    (s) => {
      around(s, 'showTeam', (was, team, place) => {
        if (team.members.length === 0 && place === 'row') throw crash('empty');
        return was(team, place);
      });
    },
    { style: 'a' },
  ),
  clause(159, '`200` list of comments')('crash-on-no-comments', 'the comments of a task without any answer 500', (s) => {
    around(s, 'commentRows', (was, call, task) => {
      const rows = was(call, task);
      if (rows.length === 0) throw crash('empty');
      return rows;
    });
  }),
];

export const faults: readonly Fault[] = [...envelopes, ...success, ...ownership, ...crashes];
