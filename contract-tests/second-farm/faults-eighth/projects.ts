// Faults of projects: their fields, changes of them, and what goes with them.
import { around, clause, memory } from '../faults/fault.ts';
import { sentNames, withData } from './tools.ts';

const unchanged = clause(144, 'omitted fields unchanged');
const gone = clause(147, 'its tasks, comments and attachments are deleted immediately');
const SECONDS = 1000;

export const faults = [
  clause(35, '1 to 150 characters')(
    'project-rename-counts-bytes',
    'a change counts the bytes of the name, not its characters',
    (service) =>
      around(service, 'checkValue', (was, rule, value, call, act) =>
        act === 'change' && rule.name === 'name' && typeof value === 'string' && Buffer.byteLength(value) > 150
          ? { field: 'name', issue: 'has more than 150 characters', kind: 'length' as const }
          : was(rule, value, call, act),
      ),
  ),
  clause(36, 'at most 1000 characters')(
    'project-description-cut-on-change',
    'a change cuts a longer description to 1000 characters instead of refusing it',
    (service) => {
      around(service, 'checkValue', (was, rule, value, call, act) => {
        const issue = was(rule, value, call, act);
        return issue?.kind === 'length' && rule.max === 1000 && act === 'change' ? undefined : issue;
      });
      around(service, 'takeText', (was, rule, value, call, act) => {
        const text = was(rule, value, call, act);
        return rule.max === 1000 && act === 'change' ? [...text].slice(0, 1000).join('') : text;
      });
    },
  ),
  clause(37, 'default `private`')(
    'described-project-defaults-to-team',
    'a project that is created with a description and no visibility is `team`',
    (service) =>
      around(service, 'newProject', (was, values, call) =>
        was(values.description && values.visibility === undefined ? { ...values, visibility: 'team' } : values, call),
      ),
  ),
  clause(38, 'no (server-set)')('published-project-is-created-again', 'a change to `public` sets `created_at` anew', (service) =>
    around(service, 'assignProject', (was, project, values, call) => {
      const before = project.visibility;
      const changed = was(project, values, call);
      if (before !== 'public' && project.visibility === 'public') project.created = service.now();
      return changed;
    }),
  ),
  clause(39, 'changes when the project is updated')(
    'project-stamp-throttled',
    '`updated_at` stays when the last change is less than five seconds ago',
    (service) =>
      around(service, 'touch', (was, row, what, values) => {
        if (what === 'task' || service.now() - row.updated >= 5 * SECONDS) was(row, what, values);
      }),
  ),
  unchanged('rename-empties-description', 'a change of name and visibility together empties the description', (service) =>
    around(service, 'assignProject', (was, project, values, call) =>
      was(project, 'name' in values && 'visibility' in values ? { description: null, ...values } : values, call),
    ),
  ),
  clause(144, '`data` = updated project')(
    'project-change-answers-former-visibility',
    'a change of several fields at once answers the former visibility',
    (service) =>
      around(service, 'changeProject', (was, call) => {
        const before = service.projectOf(call).visibility;
        const answer = was(call);
        return sentNames(call).length > 1 ? withData(answer, (data) => ({ ...data, visibility: before })) : answer;
      }),
  ),
  clause(120, 'changeable by `PATCH /projects/{project_id}`')(
    'public-project-stays-public',
    'a change of visibility from `public` to `team` has no effect',
    (service) =>
      around(service, 'assignProject', (was, project, values, call) => {
        const { visibility, ...rest } = values;
        return was(project, project.visibility === 'public' && visibility === 'team' ? rest : values, call);
      }),
  ),
  clause(202, 'projects with the given visibility')(
    'visibility-filter-of-creation',
    'the filter by visibility finds a project by the visibility it was created with',
    (service) => {
      const first = memory<string, string>();
      around(service, 'saveProject', (was, project, call) => {
        first.set(project.id, project.visibility);
        was(project, call);
      });
      around(service, 'filterable', (was, row, field) =>
        field === 'visibility' ? (first.get(row.id) ?? was(row, field)) : was(row, field),
      );
    },
  ),
  clause(145, '`204`, empty body')(
    'deleted-project-with-tasks-shown',
    'the deletion of a project that has tasks answers 200 with the project',
    (service) =>
      around(service, 'deleteProject', (was, call) => {
        const project = service.projectOf(call);
        const full = service.tasksOfDeleted(project).length > 0;
        const answer = was(call);
        return full ? service.single(service.showProject(project, 'read'), 'deleted') : answer;
      }),
  ),
  gone('last-task-outlives-project', 'the task that was made last in a deleted project is still there', (service) =>
    around(service, 'tasksOfDeleted', (was, project) => {
      const tasks = was(project);
      return tasks.length > 1 ? tasks.slice(0, -1) : tasks;
    }),
  ),
  clause(299, 'id unknown, deleted, or in another workspace')(
    'comments-of-lost-task-listed',
    'the comments of a task that went with its project are an empty list',
    (service) => {
      const lost = new Set<string>();
      around(service, 'removeTask', (was, task, because) => {
        if (because === 'project') lost.add(task.id);
        was(task, because);
      });
      around(service, 'listComments', (was, call) =>
        lost.has(call.ids.task ?? '')
          ? service.list(call, { name: 'comment', rows: () => [], filters: [], show: () => ({}) })
          : was(call),
      );
    },
    { style: 'a' },
  ),
  clause(28, 'ISO 8601 datetime strings in UTC')(
    'project-row-in-local-time',
    'the `updated_at` of a project in a list is local time, without an offset',
    (service) =>
      around(service, 'showProject', (was, project, place) => {
        const shown = was(project, place);
        const updated_at = String(shown.updated_at).replace(/(Z|\+00:00)$/, '');
        return place === 'row' ? { ...shown, updated_at } : shown;
      }),
  ),
  clause(141, 'query: limit, cursor, filter[visibility], sort')(
    'public-projects-not-listed',
    'the unfiltered list of projects leaves out those made `public` by a change',
    (service) => {
      const published = new Set<string>();
      around(service, 'assignProject', (was, project, values, call) => {
        if (values.visibility === 'public' && project.visibility !== 'public') published.add(project.id);
        return was(project, values, call);
      });
      around(service, 'projectRows', (was, call) =>
        was(call).filter(({ id }) => call.operation !== 'listProjects' || call.search.includes('filter') || !published.has(id)),
      );
    },
  ),
];
