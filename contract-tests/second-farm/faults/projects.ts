// Faults of the project's fields and of the operations on projects.
import type { Fields, Project, Resource } from '../model.ts';
import type { Act } from '../service/input.ts';
import type { Service } from '../service/service.ts';
import { around, clause, type Fault, isOn, memory, rule, without } from './fault.ts';

const name = clause(35, '| name | string | yes | 1 to 150 characters |');
const description = clause(36, '| description | string | no | plain text, at most 1000 characters |');
const visibility = clause(37, 'default `private`');
const values = clause(37, '`private` (only explicitly added members), `team` (whole workspace team), `public`');
const table = clause(332, '| project name | 1 to 150 characters |');

const stored = (service: Service, field: string, change: (text: string) => string, resource: Resource, only?: Act): void =>
  around(service, 'takeText', (was, each, value, call, act) => {
    const kind = call.operation?.endsWith('Project') ? 'project' : call.operation?.endsWith('Task') ? 'task' : 'team';
    const text = was(each, value, call, act);
    return each.name === field && kind === resource && (!only || only === act) ? change(text) : text;
  });

const show = (service: Service, change: (fields: Fields, project: Project) => Fields, ...places: string[]): void =>
  around(service, 'showProject', (was, project, place) => {
    const fields = was(project, place);
    return places.length === 0 || places.includes(place) ? change(fields, project) : fields;
  });

const fields: Fault[] = [
  name('project-name-empty', 'POST /projects accepts an empty name', (s) => rule(s, 'project', 'name', { min: 0 }, 'create')),
  name('project-name-empty-patched', 'PATCH accepts an empty name', (s) => rule(s, 'project', 'name', { min: 0 }, 'change')),
  name('project-name-151', 'POST /projects accepts 151 characters', (s) => rule(s, 'project', 'name', { max: 151 }, 'create')),
  name('project-name-unlimited', 'names have no upper limit', (s) => rule(s, 'project', 'name', { max: 100_000 })),
  name('project-name-255-patched', 'PATCH has the limit of the column, 255', (s) =>
    rule(s, 'project', 'name', { max: 255 }, 'change'),
  ),
  table('project-name-149', '150 characters are refused', (s) => rule(s, 'project', 'name', { max: 149 })),
  table('project-name-two', 'a name of one character is refused', (s) => rule(s, 'project', 'name', { min: 2 })),
  table('project-name-150-refused-in-patch', 'PATCH refuses 150 characters', (s) =>
    rule(s, 'project', 'name', { max: 149 }, 'change'),
  ),
  name('project-name-in-bytes', 'the length of a name is counted in bytes', (s) =>
    around(s, 'length', (_was, text) => Buffer.byteLength(text)),
  ),
  name('project-name-truncated', 'a name of more than 150 characters is cut and accepted', (s) => {
    rule(s, 'project', 'name', { max: 1000 });
    stored(s, 'name', (text) => text.slice(0, 150), 'project');
  }),
  name('project-name-cut-to-128', 'names are stored with 128 characters', (s) =>
    stored(s, 'name', (text) => text.slice(0, 128), 'project'),
  ),
  name('project-name-optional', 'a project without a name is created as "Untitled"', (s) => {
    rule(s, 'project', 'name', { required: false });
    around(s, 'newProject', (was, sent, call) => was({ name: 'Untitled', ...sent }, call));
  }),
  name('project-name-number', 'a number is taken as a name', (s) => {
    around(s, 'checkValue', (was, each, value, call, act) =>
      was(each, each.name === 'name' && typeof value === 'number' ? String(value) : value, call, act),
    );
    around(s, 'takeText', (was, each, value, call, act) => String(was(each, value, call, act)));
  }),
  name('project-name-escaped', 'names come back with HTML entities', (s) =>
    stored(s, 'name', (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;'), 'project'),
  ),
  name('project-name-ascii', 'characters beyond the basic plane become question marks', (s) =>
    stored(s, 'name', (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?'), 'project'),
  ),
  name('project-name-percent-decoded', 'names are percent-decoded once more', (s) =>
    stored(s, 'name', (text) => text.replace(/%20/g, ' '), 'project'),
  ),
  name('project-name-lower-case', 'PATCH stores names in lower case', (s) =>
    stored(s, 'name', (text) => text.toLowerCase(), 'project', 'change'),
  ),
  name('project-name-required-in-patch', 'PATCH without a name is refused', (s) =>
    around(s, 'checkAbsent', (was, each, act) =>
      each.name === 'name' && act === 'change'
        ? { field: 'name', issue: 'is required', kind: 'structure' as const }
        : was(each, act),
    ),
  ),
  description('project-description-1001', 'POST accepts 1001 characters', (s) =>
    rule(s, 'project', 'description', { max: 1001 }, 'create'),
  ),
  description('project-description-unlimited-patched', 'PATCH has no limit', (s) =>
    rule(s, 'project', 'description', { max: 100_000 }, 'change'),
  ),
  description('project-description-as-task', 'the limit of a task description, 10000, applies', (s) =>
    rule(s, 'project', 'description', { max: 10_000 }),
  ),
  description('project-description-999', '1000 characters are refused', (s) => rule(s, 'project', 'description', { max: 999 })),
  description('project-description-500', 'more than 500 characters are cut off', (s) =>
    stored(s, 'description', (text) => text.slice(0, 500), 'project'),
  ),
  description('project-description-no-tags', 'tags are stripped', (s) =>
    stored(s, 'description', (text) => text.replace(/<[^>]*>/g, ''), 'project'),
  ),
  description('project-description-one-line', 'line breaks become blanks', (s) =>
    stored(s, 'description', (text) => text.replace(/\s+/g, ' '), 'project'),
  ),
  description('project-description-decoded', 'entities are decoded', (s) =>
    stored(s, 'description', (text) => text.replace(/&amp;/g, '&'), 'project'),
  ),
  description('project-description-lost', 'the description of a creation is lost', (s) =>
    around(s, 'newProject', (was, sent, call) => was(without(sent, 'description'), call)),
  ),
  description('project-description-not-in-rows', 'rows of the list have no description', (s) =>
    show(s, (all) => without(all, 'description'), 'row'),
  ),
  description('project-description-required', 'a project without description is refused', (s) =>
    rule(s, 'project', 'description', { required: true }),
  ),
  visibility('visibility-default-team', 'the default is team', (s) =>
    around(s, 'newProject', (was, sent, call) => was({ visibility: 'team', ...sent }, call)),
  ),
  visibility('visibility-default-public', 'the default is public', (s) =>
    around(s, 'newProject', (was, sent, call) => was({ visibility: 'public', ...sent }, call)),
  ),
  visibility('visibility-default-by-scope', 'a project made with an admin key is public by default', (s) =>
    around(s, 'newProject', (was, sent, call) => was(call.key?.scope === 'admin' ? { visibility: 'team', ...sent } : sent, call)),
  ),
  visibility('visibility-null-by-default', 'the answer of a creation without visibility shows null', (s) =>
    show(s, (all) => (all.visibility === 'private' ? { ...all, visibility: null } : all), 'created'),
  ),
  values('visibility-anything', 'any text is accepted as visibility', (s) =>
    around(s, 'isChoice', (was, each, value, act) => each.name === 'visibility' || was(each, value, act)),
  ),
  values('visibility-anything-patched', 'PATCH accepts any text as visibility', (s) =>
    around(s, 'isChoice', (was, each, value, act) => (each.name === 'visibility' && act === 'change') || was(each, value, act)),
  ),
  values('visibility-any-case', 'PRIVATE is accepted and stored as it is', (s) =>
    around(s, 'isChoice', (was, each, value, act) => was(each, each.name === 'visibility' ? value.toLowerCase() : value, act)),
  ),
  values('visibility-unknown-is-private', 'an unknown visibility is stored as private', (s) => {
    around(s, 'isChoice', (was, each, value, act) => each.name === 'visibility' || was(each, value, act));
    around(s, 'takeText', (was, each, value, call, act) =>
      each.name === 'visibility' && !['private', 'team', 'public'].includes(value) ? 'private' : was(each, value, call, act),
    );
  }),
  values('visibility-public-refused', 'public is refused', (s) =>
    rule(s, 'project', 'visibility', { values: ['private', 'team'] }),
  ),
  values('visibility-team-refused-at-creation', 'team is refused at creation', (s) =>
    rule(s, 'project', 'visibility', { values: ['private', 'public'] }, 'create'),
  ),
  values('visibility-team-shown-as-workspace', 'team is shown as workspace', (s) =>
    show(s, (all) => (all.visibility === 'team' ? { ...all, visibility: 'workspace' } : all)),
  ),
  values('visibility-ignored-at-creation', 'visibility is ignored at creation', (s) =>
    around(s, 'newProject', (was, sent, call) => was(without(sent, 'visibility'), call)),
  ),
  clause(35, '| name | string |')('project-name-missing-in-patch-answer', 'the answer of PATCH has no name', (s) =>
    show(s, (all) => without(all, 'name'), 'changed'),
  ),
  clause(37, '| visibility | string |')('project-visibility-not-in-rows', 'rows of the list have no visibility', (s) =>
    show(s, (all) => without(all, 'visibility'), 'row'),
  ),
  clause(34, '| id | string | no (server-set) | project identifier |')(
    'project-id-adopted',
    'an id in the body is adopted',
    (s) => {
      around(s, 'newProject', (was, sent, call) => {
        const { id } = JSON.parse(call.text) as { id?: string };
        const made = was(sent, call);
        return id ? { ...made, id } : made;
      });
    },
    { style: 'a' },
  ),
  clause(34, '| id | string |')('project-id-missing-in-rows', 'rows of the list have no id', (s) =>
    show(s, (all) => without(all, 'id'), 'row'),
  ),
  clause(34, '| id | string |')('project-id-number', 'the id in the answer of a creation is a number', (s) =>
    show(s, (all) => ({ ...all, id: 1042 }), 'created'),
  ),
  clause(38, '| created_at | string (datetime) | no (server-set) | |')(
    'project-created-at-adopted',
    'created_at of the body is adopted',
    (s) => {
      around(s, 'newProject', (was, sent, call) => {
        const { created_at } = JSON.parse(call.text) as { created_at?: string };
        const made = was(sent, call);
        return created_at ? { ...made, created: Date.parse(created_at) } : made;
      });
    },
    { style: 'c' },
  ),
  clause(38, '| created_at | string (datetime) |')(
    'project-created-at-moves',
    'created_at becomes the time of the last PATCH',
    (s) => {
      around(s, 'assignProject', (was, project, sent, call) => {
        const changed = was(project, sent, call);
        if (changed) project.created = s.now();
        return changed;
      });
    },
  ),
  clause(38, '| created_at | string (datetime) |')('project-created-at-missing', 'the answer of PATCH has no created_at', (s) =>
    show(s, (all) => without(all, 'created_at'), 'changed'),
  ),
  clause(39, 'changes when the project is updated')('project-updated-at-still', 'updated_at never changes', (s) =>
    around(s, 'touch', (was, row, what, sent) => (what === 'project' ? undefined : was(row, what, sent))),
  ),
  clause(39, 'changes when the project is updated')(
    'project-updated-at-still-for-visibility',
    'updated_at does not change with the visibility',
    (s) =>
      around(s, 'touch', (was, row, what, sent) =>
        what === 'project' && Object.keys(sent).join() === 'visibility' ? undefined : was(row, what, sent),
      ),
  ),
  clause(39, 'changes when the project is updated')(
    'project-updated-at-still-for-description',
    'updated_at does not change with the description',
    (s) =>
      around(s, 'touch', (was, row, what, sent) =>
        what === 'project' && Object.keys(sent).join() === 'description' ? undefined : was(row, what, sent),
      ),
  ),
  clause(39, 'changes when the project is updated')(
    'project-updated-at-only-answered',
    'the new updated_at is in the answer of PATCH, and the old one is stored',
    (s) => {
      around(s, 'changeProject', (was, call) => {
        const before = s.projectOf(call).updated;
        const answer = was(call);
        s.projectOf(call).updated = before;
        return answer;
      });
    },
  ),
  clause(39, 'changes when the project is updated')(
    'project-updated-at-stale-in-rows',
    'rows of the list show created_at as updated_at',
    (s) => show(s, (all) => ({ ...all, updated_at: all.created_at }), 'row'),
  ),
  clause(39, '| updated_at | string (datetime) |')(
    'project-updated-at-missing',
    'the answer of a creation has no updated_at',
    (s) => show(s, (all) => without(all, 'updated_at'), 'created'),
  ),
];

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
  patch('patch-project-name-of-all', 'PATCH of the description changes that of all projects', (s) => {
    around(s, 'assignProject', (was, project, sent, call) => {
      if (typeof sent.description === 'string')
        for (const each of s.db.projects) if (each.workspace === project.workspace) each.description = sent.description;
      return was(project, sent, call) || true;
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
      show(s, (all, project) => ({ ...all, name: names.get(project.id) ?? all.name }), 'row');
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

export const faults: readonly Fault[] = [...fields, ...operations, ...deletion];
