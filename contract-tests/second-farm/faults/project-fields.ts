// Faults of the fields of a project.
import type { Fields, Project, Resource } from '../../judge/reference/model.ts';
import type { Act } from '../../judge/reference/service/input.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, rule, without } from './fault.ts';

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

export const faults: readonly Fault[] = [...fields];
