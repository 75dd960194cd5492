// Faults of frameworks that read bodies too kindly.

import { PRIORITIES } from '../../judge/reference/model.ts';
import { around, clause, type Fault, isOn, rule } from '../faults/fault.ts';
import { takenText } from '../faults-third/tools.ts';
import { coerces } from './tools.ts';

const structure = clause(300, '400 for structural problems (missing required field, wrong type)');
const malformed = clause(284, 'malformed request or missing or wrongly typed parameters');
const member = clause(51, 'id of a member of the workspace');
const due = clause(52, 'string (ISO 8601 datetime)');
const status = clause(116, 'States: `backlog`, `todo`, `in_progress`, `in_review`, `done`.');
const visibility = clause(120, 'Values `private`, `team`, `public`');
const words = clause(335, '| task description | 10000 characters |');

const numberAsText = (value: unknown) => (typeof value === 'number' ? String(value) : value);

export const faults: readonly Fault[] = [
  structure('patch-title-number', 'a number is taken for a title by PATCH', (s) =>
    coerces(s, ['changeTask'], 'title', numberAsText),
  ),
  structure('priority-by-ordinal', 'a number is taken for the priority at that place of the enumeration', (s) =>
    coerces(s, ['createTask'], 'priority', (value) => (typeof value === 'number' ? (PRIORITIES[value] ?? value) : value)),
  ),
  structure('member-ids-single', 'a text is taken for a list of one member', (s) =>
    coerces(s, ['createTeam'], 'member_ids', (value) => (typeof value === 'string' ? [value] : value)),
  ),
  member(
    'assignee-blank-unassigns',
    'an empty assignee_id in PATCH takes the assignee away',
    (s) => coerces(s, ['changeTask'], 'assignee_id', (value) => (value === '' ? null : value)),
    { style: 'a' },
  ),
  due('due-blank-none', 'an empty due_date of a new task means none', (s) =>
    coerces(s, ['createTask'], 'due_date', (value) => (value === '' ? undefined : value)),
  ),
  due('patch-due-rolls-over', 'PATCH takes the 30th of February for the 2nd of March', (s) =>
    around(s, 'moment', (was, text, act) =>
      act === 'change' && /^\d{4}-02-30T/.test(text) ? was(text.replace('-02-30', '-03-02'), act) : was(text, act),
    ),
  ),
  status('patch-status-any-case', 'PATCH takes a status in capitals', (s) =>
    coerces(s, ['changeTask'], 'status', (value) => (typeof value === 'string' ? value.toLowerCase() : value)),
  ),
  visibility('visibility-blank-default', 'an empty visibility of a new project means the default', (s) =>
    coerces(s, ['createProject'], 'visibility', (value) => (value === '' ? undefined : value)),
  ),
  malformed('task-in-array', 'a list of one object is taken for a task', (s) =>
    around(s, 'parse', (was, text, call) => {
      const body = was(text, call);
      return isOn(call, 'createTask') && Array.isArray(body) && body.length === 1 ? body[0] : body;
    }),
  ),
  words('patch-description-cut', 'PATCH cuts a description after 10000 characters', (s) => {
    rule(s, 'task', 'description', { max: 1_000_000 }, 'change');
    takenText(
      s,
      (text) => text.slice(0, 10_000),
      (field, call) => field === 'description' && isOn(call, 'changeTask'),
    );
  }),
];
