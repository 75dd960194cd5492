// Faults of caches, replicas and indexes that lag behind.

import { type Answer, Problem, type Task } from '../../judge/reference/model.ts';
import { around, clause, type Fault, isOn, memory } from '../faults/fault.ts';
import { cached, projectsAtFirst, queryWithout, settable, tasksAtFirst } from './tools.ts';

const and = clause(194, 'Filters are written `filter[<field>]=<value>`. Several filters combine with AND.');
const order = clause(204, '`sort`: a field name sorts ascending; a leading `-` sorts descending.');
const gone = clause(299, '| not_found | 404 | id unknown, deleted, or in another workspace |', { style: 'a' });
const cascade = clause(147, 'its tasks, comments and attachments are deleted immediately', { style: 'c' });

const answersKept: Fault[] = [
  and('cache-key-without-filters', 'the answers of GET /tasks are kept for half a second, whatever the filters', (s) =>
    cached(s, 500, (call) =>
      isOn(call, 'listTasks') ? `${call.workspace?.id} ${queryWithout(call, (name) => name.startsWith('filter'))}` : undefined,
    ),
  ),
  order('cache-key-without-sort', 'the tasks of a project are kept for half a second, whatever the order', (s) =>
    cached(s, 500, (call) =>
      isOn(call, 'listProjectTasks') ? `${call.path} ${queryWithout(call, (name) => name === 'sort')}` : undefined,
    ),
  ),
  clause(191, '`limit`: integer, default 20, maximum 100.')(
    'cache-key-without-limit',
    'the list of projects is kept for half a second, whatever the limit',
    (s) =>
      cached(s, 500, (call) =>
        isOn(call, 'listProjects') ? `${call.workspace?.id} ${queryWithout(call, (name) => name === 'limit')}` : undefined,
      ),
  ),
  clause(192, 'opaque string taken from `meta.next_cursor` of the previous response')(
    'cache-key-without-cursor',
    'the tasks of a project are kept for a fifth of a second, whatever the cursor',
    (s) =>
      cached(s, 200, (call) =>
        isOn(call, 'listProjectTasks') ? `${call.path} ${queryWithout(call, (name) => name === 'cursor')}` : undefined,
      ),
  ),
  clause(153, '| GET | /projects/{project_id}/tasks |')(
    'cache-key-without-project',
    'the tasks of projects are kept for a fifth of a second, whatever the project',
    (s) => cached(s, 200, (call) => (isOn(call, 'listProjectTasks') ? `${call.workspace?.id} ${call.search}` : undefined)),
  ),
  clause(13, "An API key belongs to one workspace and only sees that workspace's resources.", { needs: 'second workspace' })(
    'members-cached-over-workspaces',
    'the member list is kept for five seconds, for all workspaces together',
    (s) => cached(s, 5000, (call) => (isOn(call, 'listMembers') ? call.search : undefined)),
  ),
  gone('deleted-project-in-cache', 'a project that was read in the last three seconds can be read after its deletion', (s) =>
    cached(
      s,
      3000,
      (call) => (isOn(call, 'readProject') ? `${call.workspace?.id}${call.path}` : undefined),
      (call) => (isOn(call, 'changeProject') ? '' : undefined),
    ),
  ),
  gone('deleted-team-in-cache', 'a team that was read in the last three seconds can be read after its deletion', (s) =>
    cached(s, 3000, (call) => (isOn(call, 'readTeam') ? `${call.workspace?.id}${call.path}` : undefined)),
  ),
  cascade('task-in-cache-after-its-project', 'a task that was read shortly before can be read after its project is gone', (s) =>
    cached(
      s,
      3000,
      (call) => (isOn(call, 'readTask') ? `${call.workspace?.id}${call.path}` : undefined),
      (call) => (isOn(call, 'changeTask', 'deleteTask') ? '' : undefined),
    ),
  ),
  clause(158, 'the task and all its comments are permanently deleted', { needs: 'comments', style: 'a' })(
    'comments-in-cache-after-their-task',
    'comments that were read shortly before can be read after the deletion of their task',
    (s) => cached(s, 3000, (call) => (isOn(call, 'listComments') ? `${call.path}${call.search}` : undefined)),
  ),
  clause(156, '`200` `data` = task')(
    'task-cached-for-each-key',
    'a key sees what other keys changed of a task two seconds later',
    (s) =>
      cached(
        s,
        2000,
        (call) => (isOn(call, 'readTask') ? `${call.key?.value} ${call.path}` : undefined),
        (call) => (call.method === 'GET' ? undefined : `${call.key?.value} `),
      ),
    { style: 'c' },
  ),
  gone('deletion-seen-by-own-key', 'a key that read a project can read it two seconds after another key deleted it', (s) =>
    cached(
      s,
      2000,
      (call) => (isOn(call, 'readProject') ? `${call.key?.value} ${call.path}` : undefined),
      (call) => (isOn(call, 'changeProject') ? '' : call.method === 'GET' ? undefined : `${call.key?.value} `),
    ),
  ),
  clause(24, 'Success status codes: `200` for reads')(
    'not-modified-unasked',
    'a task that the key has read before and that did not change answers 304, though no validator was sent',
    (s) => {
      const seen = memory<string, string>();
      around(s, 'readTask', (was, call): Answer => {
        const answer = was(call);
        const name = `${call.key?.value} ${call.path}`;
        const text = JSON.stringify(answer.body);
        if (seen.get(name) === text) return { status: 304, headers: {} };
        seen.set(name, text);
        return answer;
      });
    },
  ),
  clause(217, 'plus create, update and delete of projects')(
    'refusal-cached-by-path',
    'a 403 is kept for a tenth of a second for the method and the path, whoever asks next',
    (s) => {
      const refused = memory<string, number>();
      around(s, 'authorise', (was, call, operation) => {
        const name = `${call.method} ${call.path}`;
        if (s.now() - (refused.get(name) ?? 0) < 100) throw s.forbidden(call);
        try {
          was(call, operation);
        } catch (error) {
          refused.set(name, s.now());
          throw error;
        }
      });
    },
  ),
  clause(211, 'A missing or malformed header, an invalid key or a revoked key gives `401`')(
    'login-cached-by-path',
    'who asks a path without a key shortly after a valid key is served as that key',
    (s) => {
      const last = memory<string, { at: number; key: ReturnType<typeof s.authenticate> }>();
      around(s, 'authenticate', (was, call) => {
        const name = `${call.method} ${call.path}`;
        const held = last.get(name);
        if (!call.headers.has('authorization') && held && call.method === 'GET' && s.now() - held.at < 500) return held.key;
        const key = was(call);
        last.set(name, { at: s.now(), key });
        return key;
      });
    },
  ),
];

const lagging: Fault[] = [
  clause(78, '1 to 100 characters, unique within the workspace')(
    'team-name-check-lags',
    'names of teams made in the last three tenths of a second are not seen as taken',
    (s) =>
      around(s, 'isNameTaken', (_was, name, call) =>
        s.db.teams.some((team) => team.workspace === call.workspace?.id && team.name === name && s.now() - team.created > 300),
      ),
  ),
  clause(288, 'conflict with current state, for example a unique name already in use')(
    'team-name-freed-late',
    'the name of a deleted team is taken for another second',
    (s) => {
      const freed = memory<string, number>();
      around(s, 'removeTeam', (was, team, call) => {
        freed.set(`${team.workspace} ${team.name}`, s.now());
        was(team, call);
      });
      around(
        s,
        'isNameTaken',
        (was, name, call, members) =>
          was(name, call, members) || s.now() - (freed.get(`${call.workspace?.id} ${name}`) ?? 0) < 1000,
      );
    },
  ),
  clause(107, 'number of records matching the query across all pages')(
    'total-cached',
    'total of a first page is kept for a second',
    (s) => {
      const held = memory<string, { at: number; total: number }>();
      around(s, 'total', (was, matching, rest, query) => {
        const name = `${query.call.workspace?.id} ${query.call.path} ${JSON.stringify(query.filters)}`;
        const known = held.get(name);
        if (known && !query.cursor && s.now() - known.at < 1000) return known.total;
        const total = was(matching, rest, query);
        held.set(name, { at: s.now(), total });
        return total;
      });
    },
  ),
  clause(154, '`200` list of tasks')('list-behind-creation', 'lists show tasks a tenth of a second after their creation', (s) =>
    around(s, 'allTaskRows', (was, call) => was(call).filter((row) => s.now() - row.created > 100)),
  ),
  clause(157, 'omitted fields unchanged')(
    'patch-on-stale-copy',
    'a PATCH shortly after another works on the task as it was before, so that the first change is lost',
    (s) => {
      const last = memory<string, { at: number; before: Partial<Task> }>();
      around(s, 'assignTask', (was, task, sent, call) => {
        const held = last.get(task.id);
        last.set(task.id, { at: s.now(), before: settable(task) });
        if (held && s.now() - held.at < 100) Object.assign(task, held.before);
        return was(task, sent, call);
      });
    },
  ),
  clause(201, '| filter[priority] | tasks | one of `low`, `medium`, `high`, `urgent` |')(
    'priority-filter-from-creation',
    'filter[priority] uses the priority at creation',
    (s) => {
      const first = tasksAtFirst(s);
      around(s, 'filterable', (was, row, field) => {
        const task = field === 'priority' ? first.get(row.id) : undefined;
        return task ? (task.priority ?? 'medium') : was(row, field);
      });
    },
  ),
  clause(202, 'projects with the given visibility')(
    'visibility-filter-from-creation',
    'filter[visibility] uses the visibility at creation',
    (s) => {
      const first = projectsAtFirst(s);
      around(s, 'filterable', (was, row, field) => first.get(row.id)?.visibility ?? was(row, field));
    },
  ),
  order('title-order-from-creation', 'title sorts by the title at creation', (s) => {
    const first = tasksAtFirst(s);
    around(s, 'sortValue', (was, row, field, query) =>
      field === 'title' ? (first.get(row.id)?.title ?? was(row, field, query)) : was(row, field, query),
    );
  }),
  order('due-order-from-creation', 'due_date sorts by the due date at creation', (s) => {
    const first = tasksAtFirst(s);
    around(s, 'sortValue', (was, row, field, query) => {
      const task = field === 'due_date' ? first.get(row.id) : undefined;
      return task ? task.due : was(row, field, query);
    });
  }),
  clause(198, 'tasks with the given status')(
    'old-states-still-match',
    'filter[status] finds tasks by every state that they ever had',
    (s) => {
      const states = memory<string, Set<string>>();
      around(s, 'assignTask', (was, task, sent, call) => {
        states.set(task.id, (states.get(task.id) ?? new Set()).add(task.status));
        return was(task, sent, call);
      });
      around(
        s,
        'matches',
        (was, filter, row, query) =>
          was(filter, row, query) || (filter.field === 'status' && states.get(row.id)?.has(filter.value) === true),
      );
    },
  ),
  clause(144, '`data` = updated project')(
    'write-lock-500',
    'two changes of the same project within thirty milliseconds: the second answers 500, as its lock is not free',
    (s) => {
      const last = memory<string, number>();
      around(s, 'changeProject', (was, call) => {
        const at = last.get(call.path) ?? 0;
        last.set(call.path, s.now());
        if (s.now() - at < 30) throw new Problem(500, 'internal_error', 'Lock wait timeout exceeded.');
        return was(call);
      });
    },
  ),
];

export const faults: readonly Fault[] = [...answersKept, ...lagging];
