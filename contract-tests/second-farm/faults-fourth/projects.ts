// Faults of projects: their fields, creation and lists.

import type { Call, Project } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn, memory, rule } from '../faults/fault.ts';
import { takenText } from '../faults-third/tools.ts';
import { onSuccess, refuses, sent, showsProject } from './tools.ts';

const name = clause(35, '| name | string | yes | 1 to 150 characters |');
const description = clause(36, '| description | string | no | plain text, at most 1000 characters |');
const visibility = clause(37, 'default `private`');
const updated = clause(39, '| updated_at | string (datetime) | no (server-set) | changes when the project is updated |');
const listed = clause(141, '`200` list of projects');
const create = clause(142, 'body: name (required), description, visibility');
const wrongType = clause(300, '400 for structural problems (missing required field, wrong type)');

const onProjects = (field: string) => (each: string, call: Call) =>
  each === field && isOn(call, 'createProject', 'changeProject');
const taken = (service: Service, field: string, change: (text: string) => string): void =>
  takenText(service, change, onProjects(field));
/** Takes values of another type for some fields of projects. */
const converts = (service: Service, field: string, convert: (value: unknown) => unknown): void =>
  around(service, 'parse', (was, text, call) => {
    const body = was(text, call) as Record<string, unknown> | null;
    const known = /^\/projects(\/[^/]+)?$/.test(call.path) && typeof body === 'object' && body !== null && field in body;
    return known ? { ...body, [field]: convert(body[field]) } : body;
  });
const invalid = (service: Service, field: string, issue: string) => (call: Call) =>
  service.invalid(400, [{ field, issue, kind: 'structure' }], call);

const fields: Fault[] = [
  name(
    'project-name-null-patched',
    'PATCH with name null takes the name away',
    (s) => rule(s, 'project', 'name', { clearable: true }, 'change'),
    {
      style: 'a',
    },
  ),
  name('project-name-first-line', 'names end at their first line break', (s) =>
    taken(s, 'name', (text) => text.split('\n')[0] ?? ''),
  ),
  name('project-name-limit-of-title-patched', 'PATCH has the limit of a task title, 255', (s) => {
    around(s, 'rulesFor', (was, resource, act) =>
      was(resource, act).map((each) =>
        resource === 'project' && act === 'change' && each.name === 'name' ? { ...each, max: 255 } : each,
      ),
    );
  }),
  description('project-description-255', 'POST refuses descriptions of more than 255 characters', (s) =>
    rule(s, 'project', 'description', { max: 255 }, 'create'),
  ),
  description('project-description-cut-patched', 'PATCH cuts a description that is too long, and accepts it', (s) => {
    rule(s, 'project', 'description', { max: 1_000_000 }, 'change');
    around(s, 'takeText', (was, each, value, call, act) =>
      isOn(call, 'changeProject') && each.name === 'description'
        ? was(each, value, call, act).slice(0, 1000)
        : was(each, value, call, act),
    );
  }),
  visibility('visibility-default-for-write-keys', 'a project made with a write key is team by default', (s) =>
    around(s, 'newProject', (was, given, call) => {
      const made = was(given, call);
      return given.visibility === undefined && call.key?.scope === 'write' ? { ...made, visibility: 'team' } : made;
    }),
  ),
  wrongType('visibility-from-list', 'an array with one value is taken as visibility', (s) =>
    converts(s, 'visibility', (value) => (Array.isArray(value) ? value[0] : value)),
  ),
  wrongType('project-description-object-stored', 'PATCH stores an object as description, as JSON', (s) =>
    converts(s, 'description', (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : value,
    ),
  ),
  updated('project-updated-null-at-first', 'updated_at is null until the first PATCH', (s) =>
    showsProject(s, ['created', 'read', 'row'], (shown, { created, updated: at }) =>
      created === at ? { ...shown, updated_at: null } : shown,
    ),
  ),
  updated('project-updated-by-reading', 'GET of a project moves its updated_at', (s) =>
    onSuccess(s, ['readProject'], (call) => {
      s.projectOf(call).updated = s.now();
    }),
  ),
  updated('project-updated-stale-in-answer', 'the answer of PATCH has the updated_at from before', (s) => {
    const last = memory<string, number>();
    around(s, 'touch', (was, row, what, given) => {
      if (what === 'project') last.set((row as Project).id, row.updated);
      was(row, what, given);
    });
    around(s, 'showProject', (was, project, place) =>
      was(place === 'changed' ? { ...project, updated: last.get(project.id) ?? project.updated } : project, place),
    );
  }),
  updated('project-updated-still-when-two-change', 'updated_at does not move when several fields change', (s) =>
    around(s, 'touch', (was, row, what, given) => {
      if (what !== 'project' || Object.keys(given).length < 2) was(row, what, given);
    }),
  ),
];

const lists: Fault[] = [
  listed('last-project-not-listed', 'the project that was made last is not in the list until the next one is made', (s) =>
    around(s, 'projectRows', (was, call) => {
      const all = was(call);
      const last = Math.max(...all.map(({ nth }) => nth));
      return all.filter(({ nth }) => nth !== last);
    }),
  ),
  listed('renamed-project-listed-twice', 'a renamed project stays in the list under its old name, too', (s) => {
    const old: Project[] = [];
    around(s, 'assignProject', (was, project, given, call) => {
      if (typeof given.name === 'string' && given.name !== project.name) old.push({ ...project });
      return was(project, given, call);
    });
    around(s, 'projectRows', (was, call) => {
      const all = was(call);
      return [...all, ...old.filter(({ id }) => all.some((each) => each.id === id))];
    });
  }),
  create('create-project-needs-visibility', 'POST /projects without visibility is refused', (s) =>
    refuses(
      s,
      ['createProject'],
      (call) => sent(call).visibility === undefined && sent(call).name !== undefined,
      invalid(s, 'visibility', 'is required'),
    ),
  ),
  create('create-project-twice', 'a project that is not private is stored twice', (s) =>
    around(s, 'saveProject', (was, project, call) => {
      was(project, call);
      if (project.visibility !== 'private') was({ ...project, id: s.newId('proj'), nth: s.nextNth() }, call);
    }),
  ),
];

export const faults: readonly Fault[] = [...fields, ...lists];
