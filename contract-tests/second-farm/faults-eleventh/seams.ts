// Faults of the eleventh set: what holds alone and not together, and what one request leaves to the next.

import { type Fields, Problem, type Task } from '../../judge/reference/model.ts';
import { around, clause, type Fault, isOn, memory } from '../faults/fault.ts';

const omitted = clause(144, 'omitted fields unchanged');
const project = clause(37, 'default `private`');
const stored = clause(142, '`201` `data` = project');
const cascade = clause(147, 'its tasks, comments and attachments are deleted immediately');
const filter = clause(199, 'tasks assigned to the user id');
const visible = clause(202, 'projects with the given visibility');
const sort = clause(204, 'a field name sorts ascending');
const limit = clause(191, 'integer, default 20, maximum 100');
const cursor = clause(110, 'null when has_more is false');
const total = clause(107, 'integer');
const profile = clause(67, 'profile and member list');
const issues = clause(274, 'an array of `{ field, issue }`');
const forbidden = clause(212, 'with code `forbidden`');
const remaining = clause(323, 'requests left in the current window');
const reset = clause(324, 'Unix timestamp (UTC) when the window resets');
const fired = clause(252, 'a task is updated', { needs: 'receiver' });
const projects = clause(255, 'a project is updated', { needs: 'receiver' });
const time = clause(233, 'Unix timestamp in seconds of when the event was generated', { needs: 'receiver' });
const refused = clause(284, 'malformed request');
const elsewhere = clause(287, 'belongs to a workspace the key cannot access', { needs: 'second workspace' });
const long = clause(36, 'at most 1000 characters');
const comments = clause(159, '`200` list of comments', { needs: 'comments' });
const events = clause(98, 'array of string', { needs: 'receiver' });

export const faults: readonly Fault[] = [
  omitted('name-or-visibility', 'a change of name and visibility together changes the visibility alone', (service) =>
    around(service, 'assignProject', (was, target, values, call) => {
      const { name: _, ...rest } = values;
      return was(target, values.visibility !== undefined && values.visibility !== target.visibility ? rest : values, call);
    }),
  ),
  project('described-is-shared', 'a project with a description and without visibility is seen by the team', (service) =>
    around(service, 'newProject', (was, values, call) =>
      was(values.description && values.visibility === undefined ? { ...values, visibility: 'team' } : values, call),
    ),
  ),
  stored('refused-text-is-kept', 'a create without description gets that of a create refused before it', (service) => {
    const left = memory<string, unknown>();
    around(service, 'refuse', (was, found, call, resource, act) => {
      if (resource === 'project' && act === 'create') left.set('description', JSON.parse(call.text).description);
      return was(found, call, resource, act);
    });
    around(service, 'newProject', (was, values, call) => {
      const description = left.get('description');
      left.delete('description');
      return was(typeof description === 'string' && values.description === undefined ? { ...values, description } : values, call);
    });
  }),
  omitted('once-a-second', 'a second change of a task within half a second is answered and not kept', (service) => {
    const last = memory<string, number>();
    around(service, 'assignTask', (was, task, values, call) => {
      const before = last.get(task.id) ?? 0;
      last.set(task.id, service.now());
      const copy = { ...task };
      const changed = was(task, values, call);
      if (service.now() - before < 500) Object.assign(task, copy);
      return changed;
    });
  }),
  cascade('twenty-at-a-time', 'no more than 20 tasks go with a project', (service) =>
    around(service, 'tasksOfDeleted', (was, gone) => was(gone).slice(0, 20)),
  ),
  filter('mine-is-all', 'the filter by the user of the key itself is ignored', (service) =>
    around(
      service,
      'matches',
      (was, one, row, query) => (one.field === 'assignee_id' && one.value === query.call.key?.user) || was(one, row, query),
    ),
  ),
  visible('team-sees-public', 'the filter by team finds public projects too', (service) =>
    around(service, 'matches', (was, one, row, query) =>
      was(
        one.field === 'visibility' && one.value === 'team' && service.filterable(row, 'visibility') === 'public'
          ? { ...one, value: 'public' }
          : one,
        row,
        query,
      ),
    ),
  ),
  sort('filtered-by-creation', 'the list of all tasks is not sorted by due_date when it is filtered by status', (service) =>
    around(service, 'sortValue', (was, row, field, query) =>
      field === 'due_date' && isOn(query.call, 'listTasks') && query.filters.some((one) => one.field === 'status')
        ? row.created
        : was(row, field, query),
    ),
  ),
  sort('down-within-projects', 'a descending order by updated_at of the tasks of a project ascends', (service) =>
    around(service, 'readSort', (was, text, listing, call) =>
      was(text === '-updated_at' && isOn(call, 'listProjectTasks') ? 'updated_at' : text, listing, call),
    ),
  ),
  limit(
    'hundred-teams',
    'a limit of 100 is refused for teams',
    (service) =>
      around(service, 'boundLimit', (was, value, call, listing) =>
        was(listing.name === 'team' && value === 100 ? 101 : value, call, listing),
      ),
    { style: 'a' },
  ),
  limit('one-is-none', 'a limit of 1 gives two rows', (service) =>
    around(service, 'cut', (was, rows, query) => (query.limit === 1 ? rows.slice(0, 2) : was(rows, query))),
  ),
  cursor('empty-cursor-of-filters', 'next_cursor of the last page is empty when a filter is set', (service) =>
    around(service, 'meta', (was, all, items, more, query) => {
      const meta = was(all, items, more, query);
      return meta.next_cursor === null && query.filters.length > 0 ? { ...meta, next_cursor: '' } : meta;
    }),
  ),
  total(
    'total-in-words',
    'total of the comments is a text',
    (service) =>
      around(service, 'meta', (was, all, items, more, query) => {
        const meta = was(all, items, more, query);
        return query.listing.name === 'comment' ? { ...meta, total: String(meta.total) } : meta;
      }),
    { needs: 'comments' },
  ),
  profile('scope-as-role', 'the profile of a read key has the role read', (service) =>
    around(service, 'readMe', (was, call) => {
      const answer = was(call);
      const { data } = answer.body as { data: Fields };
      return call.key?.scope === 'read' ? { ...answer, body: { data: { ...data, role: 'read' } } } : answer;
    }),
  ),
  issues('issue-as-message', 'what is wrong with a query is a message and no issue', (service) =>
    around(service, 'details', (was, problem) => {
      const details = was(problem) as { fields?: Fields[] } | undefined;
      const fields = details?.fields?.map(({ field, issue }) =>
        /limit|filter|sort|cursor/.test(String(field)) ? { field, message: issue } : { field, issue },
      );
      return fields ? { ...details, fields } : details;
    }),
  ),
  forbidden('teams-forbid-otherwise', 'a read key that makes a team is told insufficient_scope', (service) =>
    around(service, 'forbidden', (was, call) =>
      isOn(call, 'createTeam') ? new Problem(403, 'insufficient_scope', 'No.') : was(call),
    ),
  ),
  remaining(
    'refused-are-free',
    'Remaining of a conflict is five more than there are',
    (service) =>
      around(service, 'quotaHeaders', (was, call, answer) => {
        const headers = was(call, answer);
        return answer.status === 409
          ? { ...headers, 'X-RateLimit-Remaining': String(Number(headers['X-RateLimit-Remaining']) + 5) }
          : headers;
      }),
    { style: 'a' },
  ),
  reset('reset-of-created-with-fraction', 'Reset has a fraction where something was created', (service) =>
    around(service, 'quotaHeaders', (was, call, answer) =>
      answer.status === 201
        ? { ...was(call, answer), 'X-RateLimit-Reset': String(service.resetAt(call) / 1000) }
        : was(call, answer),
    ),
  ),
  fired('assigned-at-birth', 'a task created with an assignee fires task.updated too', (service) =>
    around(service, 'taskEvent', (was, name, task, call) => {
      was(name, task, call);
      if (name === 'task.created' && task.assignee !== null) was('task.updated', task, call);
    }),
  ),
  fired('moved-alone-is-silent', 'a change of the due date alone fires nothing', (service) =>
    around(service, 'taskEvent', (was, name, task, call) => {
      const body = name === 'task.updated' ? JSON.parse(call.text) : {};
      if (Object.keys(body).join() !== 'due_date') was(name, task, call);
    }),
  ),
  projects('tasks-update-projects', 'a task that is created fires project.updated', (service) =>
    around(service, 'taskEvent', (was, name, task, call) => {
      was(name, task, call);
      const home = service.db.projects.find(({ id }) => id === task.project);
      if (name === 'task.created' && home) service.projectEvent('project.updated', home, call);
    }),
  ),
  time('project-time-in-local', 'X-Service-Timestamp of project events is an hour ahead', (service) =>
    around(service, 'deliveryTime', (was, delivery) =>
      delivery.event.name.startsWith('project') ? String(Number(was(delivery)) + 3600) : was(delivery),
    ),
  ),
  refused('text-behind-json', 'what stands behind a JSON object in a change is not read', (service) =>
    around(service, 'parse', (was, text, call) =>
      was(call.method === 'PATCH' ? text.slice(0, text.lastIndexOf('}') + 1) : text, call),
    ),
  ),
  elsewhere(
    'foreign-change-touches',
    'a change from another workspace is 404 and moves updated_at',
    (service) =>
      around(service, 'changeTask', (was, call) => {
        const task = service.db.tasks.find(({ id }) => id === call.ids.task);
        if (task && task.workspace !== call.workspace?.id) service.touch(task, 'task', {});
        return was(call);
      }),
    { style: 'a' },
  ),
  elsewhere(
    'foreign-deletion-waits',
    'a deletion from another workspace is 404 and takes effect at the next one',
    (service) => {
      const doomed: string[] = [];
      around(service, 'deleteTask', (was, call) => {
        const task = service.db.tasks.find(({ id }) => id === call.ids.task);
        if (task && task.workspace !== call.workspace?.id) doomed.push(task.id);
        const answer = was(call);
        service.db.tasks = service.db.tasks.filter((each: Task) => !doomed.includes(each.id));
        return answer;
      });
    },
    { style: 'a' },
  ),
  long('long-with-name', 'a description that is too long is accepted when the name is changed as well', (service) =>
    around(service, 'checkValue', (was, rule, value, call, act) => {
      const both = act === 'change' && rule.name === 'description' && rule.max === 1000 && 'name' in JSON.parse(call.text);
      return was(both ? { ...rule, max: 5000 } : rule, value, call, act);
    }),
  ),
  comments('comments-repeat', 'the second page of comments has author and text of its first comment in every row', (service) =>
    around(service, 'page', (was, items, meta, query) =>
      was(
        query.listing.name === 'comment' && query.cursor
          ? items.map((row) => ({ ...row, author_id: items[0]?.author_id, body: items[0]?.body }))
          : items,
        meta,
        query,
      ),
    ),
  ),
  events('one-event-as-text', 'events may be a text', (service) =>
    around(service, 'readBody', (was, call) => {
      const body = was(call);
      return typeof body.events === 'string' ? { ...body, events: [body.events] } : body;
    }),
  ),
];
