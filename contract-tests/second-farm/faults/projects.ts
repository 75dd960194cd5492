// Faults of reading, changing and listing projects.
import type { Fields, Project } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, memory, without } from './fault.ts';

const patch = clause(144, 'body: any subset of name, description, visibility; omitted fields unchanged');
const answer = clause(144, '`data` = updated project');
const resets = (
  service: Service,
  field: 'name' | 'description' | 'visibility',
  value: (project: Project) => string | null,
  when: (sent: Fields) => boolean,
): void =>
  around(service, 'assignProject', (was, project, sent, call) =>
    was(project, field in sent || !when(sent) ? sent : { ...sent, [field]: value(project) }, call),
  );
const operations: Fault[] = [
  patch('patch-project-resets-description', 'PATCH of the name removes the description', (s) =>
    resets(
      s,
      'description',
      () => null,
      ({ name: sent }) => sent !== undefined,
    ),
  ),
  patch('patch-project-resets-visibility', 'PATCH without visibility sets it to private', (s) =>
    resets(
      s,
      'visibility',
      () => 'private',
      () => true,
    ),
  ),
  patch('patch-project-resets-visibility-with-description', 'PATCH of the description alone sets visibility to private', (s) =>
    resets(
      s,
      'visibility',
      () => 'private',
      (sent) => Object.keys(sent).join() === 'description',
    ),
  ),
  patch('patch-project-first-field-only', 'PATCH of several fields takes the first only', (s) =>
    around(s, 'assignProject', (was, project, sent, call) =>
      was(project, Object.fromEntries(Object.entries(sent).slice(0, 1)), call),
    ),
  ),
  patch('patch-project-ignores-description', 'PATCH ignores the description', (s) =>
    around(s, 'assignProject', (was, project, sent, call) => was(project, without(sent, 'description'), call)),
  ),
  patch('patch-project-description-of-all', 'PATCH of the description changes that of all projects', (s) => {
    around(s, 'assignProject', (was, project, sent, call) => {
      if (typeof sent.description === 'string')
        for (const each of s.db.projects) if (each.workspace === project.workspace) each.description = sent.description;
      return was(project, sent, call);
    });
  }),
  clause(120, 'changeable by `PATCH /projects/{project_id}`')(
    'patch-project-ignores-visibility',
    'PATCH ignores the visibility',
    (s) => around(s, 'assignProject', (was, project, sent, call) => was(project, without(sent, 'visibility'), call)),
  ),
  clause(120, 'changeable by `PATCH /projects/{project_id}`')(
    'patch-project-visibility-only-wider',
    'a public project cannot become private again',
    (s) =>
      around(s, 'assignProject', (was, project, sent, call) =>
        was(project, project.visibility === 'public' && sent.visibility === 'private' ? without(sent, 'visibility') : sent, call),
      ),
  ),
  patch('patch-project-half', 'a PATCH that is refused keeps its valid values', (s) => {
    around(s, 'refuse', (was, issues, call, resource, act) => {
      const sent = JSON.parse(call.text) as Fields;
      if (
        resource === 'project' &&
        act === 'change' &&
        typeof sent.name === 'string' &&
        !issues.some(({ field }) => field === 'name')
      )
        s.projectOf(call).name = sent.name;
      return was(issues, call, resource, act);
    });
  }),
  answer('patch-project-answers-old', 'PATCH answers the project as it was', (s) => {
    around(s, 'changeProject', (was, call) => {
      const before = s.showProject(s.projectOf(call), 'changed');
      return { ...was(call), body: { data: before } };
    });
  }),
  answer('patch-project-not-stored', 'PATCH answers the new values and stores nothing', (s) => {
    around(s, 'changeProject', (was, call) => {
      const project = s.projectOf(call);
      const before = { ...project };
      const answered = was(call);
      Object.assign(project, before);
      return answered;
    });
  }),
  answer('patch-project-204', 'PATCH of a project answers 204', (s) =>
    around(s, 'changeProject', (was, call) => ({ ...was(call), status: 204 })),
  ),
  clause(143, '`200` `data` = project')('read-project-stale', 'GET of a project is cached for three seconds', (s) => {
    const cache = memory<string, { at: number; shown: Fields }>();
    around(s, 'showProject', (was, project, place) => {
      if (place !== 'read') return was(project, place);
      const held = cache.get(project.id);
      if (held && s.now() - held.at < 3000) return held.shown;
      const shown = was(project, place);
      cache.set(project.id, { at: s.now(), shown });
      return shown;
    });
  }),
  clause(141, '`200` list of projects')(
    'list-projects-stale',
    'the list of projects shows names as they were at creation',
    (s) => {
      const names = memory<string, string>();
      around(s, 'saveProject', (was, project, call) => {
        names.set(project.id, project.name);
        was(project, call);
      });
      around(s, 'showProject', (was, project, place) =>
        was(place === 'row' ? { ...project, name: names.get(project.id) ?? project.name } : project, place),
      );
    },
  ),
  clause(141, '`200` list of projects')(
    'list-projects-only-own',
    'the list holds only projects that the user of the key owns',
    (s) => around(s, 'projectRows', (was, call) => was(call).filter((row) => 'owner' in row && row.owner === call.key?.user)),
  ),
  clause(141, '`200` list of projects')('list-projects-inner-join', 'projects without tasks are not listed', (s) =>
    around(s, 'projectRows', (was, call) => was(call).filter((row) => s.db.tasks.some(({ project }) => project === row.id))),
  ),
  clause(141, '`200` list of projects')('list-projects-row-per-task', 'a project is listed once for each of its tasks', (s) =>
    around(s, 'projectRows', (was, call) =>
      was(call).flatMap((row) => [
        row,
        ...s.db.tasks
          .filter(({ project }) => project === row.id)
          .slice(1)
          .map(() => row),
      ]),
    ),
  ),
  clause(142, '`201` `data` = project')('create-project-late', 'a new project cannot be read for 50 ms', (s) => {
    around(s, 'projectOf', (was, call) => {
      const project = was(call);
      if (s.now() - project.created < 50) throw s.notFound(call, 'project');
      return project;
    });
  }),
  clause(142, '`201` `data` = project')(
    'create-project-not-stored-when-public',
    'a public project is answered and not stored',
    (s) => around(s, 'saveProject', (was, project, call) => (project.visibility === 'public' ? undefined : was(project, call))),
  ),
  clause(144, '| PATCH | /projects/{project_id} |')('project-by-put', 'a project is changed by PUT, not PATCH', (s) =>
    around(s, 'patternsOf', (was) =>
      was().map((each) => (each[2] === 'changeProject' ? (['PUT', each[1], each[2]] as const) : each)),
    ),
  ),
];

export const faults: readonly Fault[] = [...operations];
