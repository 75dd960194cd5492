// Faults of texts: what databases, template engines and sanitizers do to them.

import type { Issue } from '../../judge/reference/model.ts';
import { around, clause, type Fault, isOn } from '../faults/fault.ts';
import { showsTask } from '../faults-fourth/tools.ts';
import { takenText } from '../faults-third/tools.ts';

const projectName = clause(35, '| name | string | yes | 1 to 150 characters |');
const projectText = clause(36, 'plain text, at most 1000 characters');
const title = clause(49, '| title | string | yes | 1 to 255 characters |');
const taskText = clause(50, 'plain text, at most 10000 characters');
const teamName = clause(78, 'required on create, 1 to 100 characters');
const updated = clause(157, '`data` = updated task');

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const tooLong = (field: string, max: number): Issue => ({ field, issue: `has more than ${max} characters`, kind: 'length' });
const bytes = (text: string) => new TextEncoder().encode(text).length;

export const faults: readonly Fault[] = [
  projectText('ligatures-folded', 'descriptions of projects are stored in Unicode form NFKC', (s) =>
    takenText(
      s,
      (text) => text.normalize('NFKC'),
      (field, call) => field === 'description' && isOn(call, 'createProject', 'changeProject'),
    ),
  ),
  projectName('name-cut-at-emoji', 'the database keeps three bytes a character: a name ends before its first emoji', (s) =>
    takenText(
      s,
      (text) => text.replace(/[\u{10000}-\u{10ffff}].*$/su, ''),
      (field, call) => field === 'name' && isOn(call, 'createProject'),
    ),
  ),
  teamName('team-name-in-latin1', 'characters of team names beyond Latin-1 become question marks', (s) =>
    takenText(
      s,
      (text) => [...text].map((each) => (each > '\u00ff' ? '?' : each)).join(''),
      (_field, call) => isOn(call, 'createTeam'),
    ),
  ),
  updated('patch-answer-escapes-title', 'the answer to PATCH has the title with HTML entities', (s) =>
    showsTask(s, ['changed'], (fields) => ({ ...fields, title: escaped(String(fields.title)) })),
  ),
  taskText('patched-tags-stripped', 'a sanitizer takes tags out of descriptions that come by PATCH', (s) =>
    takenText(
      s,
      (text) => text.replace(/<[^>]*>/g, ''),
      (field, call) => field === 'description' && isOn(call, 'changeTask'),
    ),
  ),
  projectText('description-null-text', 'a description that reads null is stored as none', (s) =>
    around(s, 'take', (was, rule, value, call, act) =>
      rule.name === 'description' && value === 'null' && isOn(call, 'createProject') ? null : was(rule, value, call, act),
    ),
  ),
  taskText('description-cut-at-16k-bytes', 'descriptions of new tasks are cut after 16,384 bytes', (s) =>
    takenText(
      s,
      (text) => new TextDecoder().decode(new TextEncoder().encode(text).slice(0, 16_384)),
      (field, call) => field === 'description' && isOn(call, 'createTask'),
    ),
  ),
  teamName('team-name-counted-in-bytes', 'a team name may have 100 bytes', (s) =>
    around(s, 'checkValue', (was, rule, value, call, act) =>
      rule.name === 'name' && rule.max === 100 && typeof value === 'string' && bytes(value) > 100
        ? tooLong('name', 100)
        : was(rule, value, call, act),
    ),
  ),
  title('title-counted-escaped', 'the length of a new title is counted after its characters became HTML entities', (s) =>
    around(s, 'checkValue', (was, rule, value, call, act) =>
      rule.name === 'title' && act === 'create' && typeof value === 'string' && [...escaped(value)].length > 255
        ? tooLong('title', 255)
        : was(rule, value, call, act),
    ),
  ),
];
