// Faults of the texts and the assignee of a task.
import { around, clause, type Fault, rule, without } from './fault.ts';
import { born, show, stored } from './task-tools.ts';

const title = clause(49, '| title | string | yes | 1 to 255 characters |');
const titleLimit = clause(334, '| task title | 1 to 255 characters |');
const description = clause(50, 'plain text, at most 10000 characters');
const assignee = clause(51, '| assignee_id | string | no | id of a member of the workspace |');
const user = clause(179, 'The `assignee_id` of a task must be a user, not a team.');
const texts: Fault[] = [
  title('task-title-empty', 'an empty title is accepted', (s) => rule(s, 'task', 'title', { min: 0 }, 'create')),
  title('task-title-empty-patched', 'PATCH accepts an empty title', (s) => rule(s, 'task', 'title', { min: 0 }, 'change')),
  title('task-title-256', '256 characters are accepted', (s) => rule(s, 'task', 'title', { max: 256 }, 'create')),
  title('task-title-unlimited-patched', 'PATCH has no upper limit', (s) => rule(s, 'task', 'title', { max: 100_000 }, 'change')),
  titleLimit('task-title-254', '255 characters are refused', (s) => rule(s, 'task', 'title', { max: 254 })),
  titleLimit('task-title-as-project', 'the limit of a project name, 150, applies', (s) => rule(s, 'task', 'title', { max: 150 })),
  titleLimit('task-title-150-patched', 'PATCH has the limit of a project name', (s) =>
    rule(s, 'task', 'title', { max: 150 }, 'change'),
  ),
  title('task-title-truncated', 'a title of more than 255 characters is cut and accepted', (s) => {
    rule(s, 'task', 'title', { max: 5000 });
    stored(s, 'title', (text) => text.slice(0, 255));
  }),
  title('task-title-optional', 'a task without a title is created', (s) => {
    rule(s, 'task', 'title', { required: false });
    born(s, ({ title: sent }) => ({ title: sent ?? 'Untitled task' }));
  }),
  title(
    'task-title-null-patched',
    'PATCH with title null clears the title',
    (s) => rule(s, 'task', 'title', { clearable: true }, 'change'),
    { style: 'c' },
  ),
  title('task-title-markup-stripped', 'tags in a title are stripped', (s) =>
    stored(s, 'title', (text) => text.replace(/<[^>]*>/g, '')),
  ),
  title('task-title-markup-patched', 'PATCH writes titles with HTML entities', (s) =>
    stored(s, 'title', (text) => text.replace(/"/g, '&quot;'), 'change'),
  ),
  title('task-title-no-backslash', 'backslashes in a title are lost', (s) =>
    stored(s, 'title', (text) => text.replace(/\\/g, '')),
  ),
  title('task-title-ascii-patched', 'PATCH replaces characters beyond Latin-1 in a title', (s) =>
    stored(s, 'title', (text) => text.replace(/[\u{100}-\u{10ffff}]/gu, '?'), 'change'),
  ),
  title('task-title-cut-in-rows', 'rows of a list cut titles after 100 characters', (s) =>
    show(s, (all) => ({ ...all, title: String(all.title).slice(0, 100) }), 'row'),
  ),
  description('task-description-10001', '10001 characters are accepted', (s) => rule(s, 'task', 'description', { max: 10_001 })),
  description('task-description-unlimited-patched', 'PATCH has no limit', (s) =>
    rule(s, 'task', 'description', { max: 1_000_000 }, 'change'),
  ),
  clause(335, '| task description | 10000 characters |')(
    'task-description-as-project',
    'the limit of a project description, 1000, applies',
    (s) => rule(s, 'task', 'description', { max: 1000 }),
  ),
  clause(335, '| task description | 10000 characters |')(
    'task-description-8192-patched',
    'PATCH refuses more than 8192 characters',
    (s) => rule(s, 'task', 'description', { max: 8192 }, 'change'),
  ),
  clause(335, '| task description | 10000 characters |')(
    'task-description-in-bytes',
    'the length of a description is counted in bytes',
    (s) => around(s, 'length', (was, text) => (text.length > 5000 ? Buffer.byteLength(text) : was(text))),
  ),
  description('task-description-cut', 'descriptions are stored with 4096 characters', (s) =>
    stored(s, 'description', (text) => text.slice(0, 4096)),
  ),
  description('task-description-html', 'line breaks become <br>', (s) =>
    stored(s, 'description', (text) => text.replace(/\n/g, '<br>')),
  ),
  description('task-description-not-in-rows', 'rows of the lists have no description', (s) =>
    show(s, (all) => without(all, 'description'), 'row'),
  ),
  description('task-description-empty-in-answer', 'the answer of a creation has no description', (s) =>
    show(s, (all) => without(all, 'description'), 'created'),
  ),
];
const people: Fault[] = [
  assignee('assignee-unknown', 'an unknown user can be assigned', (s) => around(s, 'isAssignable', () => true)),
  assignee('assignee-unknown-patched', 'PATCH lets an unknown user be assigned', (s) =>
    around(s, 'isAssignable', (was, id, call, act) => act === 'change' || was(id, call, act)),
  ),
  assignee('assignee-unknown-dropped', 'an unknown user is silently dropped at creation', (s) => {
    around(s, 'isAssignable', (was, id, call, act) => act === 'create' || was(id, call, act));
    born(s, (task) => ({ assignee: task.assignee && s.isMember(task.assignee, task.workspace) ? task.assignee : null }));
  }),
  assignee('assignee-lost', 'the assignee of a creation is lost', (s) => born(s, () => ({ assignee: null }))),
  assignee('assignee-object', 'assignee_id is an object in the single task', (s) =>
    show(s, (all) => ({ ...all, assignee_id: all.assignee_id ? { id: all.assignee_id } : all.assignee_id }), 'read'),
  ),
  assignee('assignee-name', 'rows of the lists have the name of the assignee as assignee_id', (s) =>
    show(
      s,
      (all, task) => ({ ...all, assignee_id: s.db.users.find(({ id }) => id === task.assignee)?.name ?? all.assignee_id }),
      'row',
    ),
  ),
  assignee('assignee-only-members-refused', 'a user of role admin cannot be assigned', (s) =>
    around(s, 'isAssignable', (was, id, call, act) => was(id, call, act) && s.roleOf(id, call.workspace?.id ?? '') !== 'admin'),
  ),
  assignee('assignee-only-self', 'PATCH lets only the user of the key be assigned', (s) =>
    around(s, 'isAssignable', (was, id, call, act) => was(id, call, act) && (act === 'create' || id === call.key?.user)),
  ),
  assignee('assignee-not-in-rows', 'rows of GET /tasks have no assignee_id', (s) =>
    show(s, (all) => without(all, 'assignee_id'), 'row'),
  ),
  user('assignee-team', 'a team can be assigned', (s) =>
    around(s, 'isAssignable', (was, id, call, act) => was(id, call, act) || s.db.teams.some((team) => team.id === id)),
  ),
  user('assignee-team-patched', 'PATCH lets a team be assigned', (s) =>
    around(
      s,
      'isAssignable',
      (was, id, call, act) => was(id, call, act) || (act === 'change' && s.db.teams.some((team) => team.id === id)),
    ),
  ),
];

export const faults: readonly Fault[] = [...texts, ...people];
