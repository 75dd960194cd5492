// Faults of texts: encodings, escapes and filters on their way in and out.

import { type Call, type Fields, Problem } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn } from '../faults/fault.ts';
import { takenText } from './tools.ts';

const title = clause(49, '| title | string | yes | 1 to 255 characters |');
const name = clause(35, '| name | string | yes | 1 to 150 characters |');
const about = clause(36, '| description | string | no | plain text, at most 1000 characters |');
const words = clause(50, '| description | string | no | plain text, at most 10000 characters |');
const team = clause(78, 'required on create, 1 to 100 characters');
const writes = clause(217, 'plus create, update and delete of projects, tasks');

const inTask =
  (field: string, ...acts: string[]) =>
  (each: string, call: Call) =>
    each === field && isOn(call, ...(acts.length > 0 ? acts : ['createTask', 'changeTask']));
const inProject = (field: string) => (each: string, call: Call) => each === field && isOn(call, 'createProject', 'changeProject');
const inTeam = (each: string, call: Call) => each === 'name' && isOn(call, 'createTeam');
const astral = /[\u{10000}-\u{10ffff}]/u;
const shown = (service: Service, change: (fields: Fields) => Fields): void =>
  around(service, 'showTask', (was, task, place) => change(was(task, place)));
const guarded = (service: Service, pattern: RegExp): void =>
  around(service, 'readBody', (was, call) => {
    if (pattern.test(call.text)) throw new Problem(403, 'forbidden', 'The request was blocked.');
    return was(call);
  });
/** Applies the rule of length to another form of the text. */
const measured = (service: Service, form: (text: string) => string): void =>
  around(service, 'length', (was, text) => was(form(text)));
const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

const altered: Fault[] = [
  name('name-ends-at-emoji', 'names of projects end before the first character beyond the basic plane', (s) =>
    takenText(s, (text) => text.split(astral)[0] || text, inProject('name')),
  ),
  words('description-ends-at-emoji', 'descriptions end before the first character beyond the basic plane', (s) =>
    takenText(s, (text) => text.split(astral)[0] || text, inTask('description')),
  ),
  title('patched-apostrophes-doubled', 'PATCH doubles apostrophes in titles', (s) =>
    takenText(s, (text) => text.replaceAll("'", "''"), inTask('title', 'changeTask')),
  ),
  title('plus-becomes-blank', 'a + in a title becomes a blank', (s) =>
    takenText(s, (text) => text.replaceAll('+', ' '), inTask('title')),
  ),
  words('text-behind-ampersand-lost', 'what stands behind an & in a description is lost', (s) =>
    takenText(s, (text) => text.split('&')[0] ?? '', inTask('description')),
  ),
  title('text-behind-hash-lost', 'what stands behind a # in a title is lost', (s) =>
    takenText(s, (text) => text.split('#')[0] || text, inTask('title')),
  ),
  title('dollar-numbers-lost', '$1 and the like are lost from titles', (s) =>
    takenText(s, (text) => text.replace(/\$\d/g, ''), inTask('title')),
  ),
  title('numeric-title-becomes-number', 'a title of digits alone is answered as a number', (s) =>
    shown(s, (fields) => (/^\d+$/.test(String(fields.title)) ? { ...fields, title: Number(fields.title) } : fields)),
  ),
  title('title-that-is-a-day', 'a title that is a day is answered as a datetime', (s) =>
    shown(s, (fields) =>
      /^\d{4}-\d\d-\d\d$/.test(String(fields.title)) ? { ...fields, title: `${fields.title}T00:00:00.000Z` } : fields,
    ),
  ),
  title('title-null-as-text', 'the title "null" or "None" becomes "Untitled"', (s) =>
    takenText(s, (text) => (/^(null|none)$/i.test(text) ? 'Untitled' : text), inTask('title')),
  ),
  title('title-capitalised', 'the first letter of a title becomes a capital', (s) =>
    takenText(s, (text) => text.charAt(0).toUpperCase() + text.slice(1), inTask('title', 'createTask')),
  ),
  title('title-guarded-for-spreadsheets', 'a title that begins with =, +, - or @ gets an apostrophe in front', (s) =>
    takenText(s, (text) => text.replace(/^[=+\-@]/, "'$&"), inTask('title')),
  ),
  about('typographic-quotes', 'straight quotes in the description of a project become typographic ones', (s) =>
    takenText(s, (text) => text.replace(/"/g, '”').replace(/'/g, '’'), inProject('description')),
  ),
  about('tabs-become-blanks', 'tabs and line breaks in the description of a project become blanks in lists', (s) =>
    around(s, 'showProject', (was, project, place) => {
      const fields = was(project, place);
      return place === 'row' && typeof fields.description === 'string'
        ? { ...fields, description: fields.description.replace(/\s/g, ' ') }
        : fields;
    }),
  ),
  words('links-are-marked', 'addresses in descriptions become links', (s) =>
    takenText(s, (text) => text.replace(/https?:\/\/\S+/g, '<a href="$&">$&</a>'), inTask('description')),
  ),
  words('emoji-in-words', 'emoji in descriptions become words such as :emoji:', (s) =>
    takenText(s, (text) => text.replace(/\p{Extended_Pictographic}/gu, ':emoji:'), inTask('description')),
  ),
  words('description-read-as-template', 'what stands in double braces in a description is lost', (s) =>
    takenText(s, (text) => text.replace(/\{\{.*?\}\}/g, ''), inTask('description')),
  ),
  team('team-name-without-accents', 'names of teams lose their accents', (s) =>
    takenText(s, (text) => text.normalize('NFD').replace(/\p{M}/gu, ''), inTeam),
  ),
  team('team-name-in-title-case', 'words of names of teams begin with a capital', (s) =>
    takenText(s, (text) => text.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()), inTeam),
  ),
  name('joiners-removed', 'joiners between characters are removed, so that composed emoji fall apart', (s) =>
    takenText(s, (text) => text.replace(/[\u200d\ufe0f]/g, ''), inProject('name')),
  ),
  name('half-a-character', 'names of projects are sent through UCS-2: each emoji comes back as two question marks', (s) =>
    takenText(s, (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '??'), inProject('name')),
  ),
];

const refused: Fault[] = [
  title('length-after-escaping', 'the length of a title is that of its HTML', (s) =>
    around(s, 'checkValue', (was, rule, value, call, act) => {
      if (rule.name !== 'title' || typeof value !== 'string') return was(rule, value, call, act);
      return escaped(value).length > 255 ? was(rule, 'x'.repeat(256), call, act) : was(rule, value, call, act);
    }),
  ),
  title('tags-alone-are-empty', 'a text that is a tag and nothing else is refused as empty', (s) =>
    measured(s, (text) => (text.length < 40 ? text.replace(/<[^>]*>/g, '') : text)),
  ),
  writes('firewall-script', 'a body with <script or javascript: answers 403', (s) => guarded(s, /<script|javascript:|onerror=/i)),
  writes('firewall-sql', 'a body that looks like SQL answers 403', (s) =>
    guarded(s, /\b(select\b.+\bfrom|drop table|union select|delete from|' or )/i),
  ),
  writes('firewall-path', 'a body with ../ or /etc/ answers 403', (s) => guarded(s, /\.\.\/|\/etc\//)),
  name('slash-refused', 'a name of a project with a slash is refused', (s) =>
    around(s, 'checkValue', (was, rule, value, call, act) =>
      rule.name === 'name' && isOn(call, 'createProject', 'changeProject') && typeof value === 'string' && value.includes('/')
        ? { field: 'name', issue: 'must not have a slash', kind: 'value' as const }
        : was(rule, value, call, act),
    ),
  ),
  team('team-name-ascii-only', 'a name of a team beyond ASCII is refused', (s) =>
    around(s, 'checkValue', (was, rule, value, call, act) =>
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
      rule.name === 'name' && isOn(call, 'createTeam') && typeof value === 'string' && /[^\x00-\x7f]/.test(value)
        ? { field: 'name', issue: 'has letters that are not allowed', kind: 'value' as const }
        : was(rule, value, call, act),
    ),
  ),
  title('emoji-title-refused', 'a title with characters beyond the basic plane is refused', (s) =>
    around(s, 'checkValue', (was, rule, value, call, act) =>
      rule.name === 'title' && typeof value === 'string' && astral.test(value)
        ? { field: 'title', issue: 'has letters that are not allowed', kind: 'value' as const }
        : was(rule, value, call, act),
    ),
  ),
];

export const faults: readonly Fault[] = [...altered, ...refused];
