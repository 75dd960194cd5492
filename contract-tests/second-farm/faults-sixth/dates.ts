// Faults of times: zones, formats and columns.
import { around, clause, type Fault, memory } from '../faults/fault.ts';
import { dueText, written } from './tools.ts';

const due = clause(52, '| due_date | string (ISO 8601 datetime) | no | omitted means no due date |');
const utc = clause(28, 'Timestamps are ISO 8601 datetime strings in UTC.');
const HOUR = 3_600_000;

/** The year that the ISO week of a time belongs to. */
const weekYear = (text: string): string => {
  const at = new Date(text);
  at.setUTCDate(at.getUTCDate() + 4 - (at.getUTCDay() || 7));
  return String(at.getUTCFullYear());
};

export const faults: readonly Fault[] = [
  due('due-week-year', 'due dates are written with the year of their week (YYYY for yyyy)', (s) =>
    written(s, 'task.due_date', (text) => text.replace(/^\d{4}/, weekYear(text))),
  ),
  due('due-midnight-24', 'midnight is written as hour 24 of the same day', (s) =>
    written(s, 'task.due_date', (text) => text.replace('T00:', 'T24:')),
  ),
  due('patch-due-offset-dropped', 'PATCH takes the offset of a due date for Z', (s) =>
    dueText(s, (text) => text.replace(/(T.*)[+-]\d\d:\d\d$/, '$1Z'), 'change'),
  ),
  due('due-summer-hour-off', 'due dates from April to September are written one hour late', (s) =>
    around(s, 'stamp', (was, at, what) => {
      const month = new Date(at).getUTCMonth();
      return was(what === 'task.due_date' && month >= 3 && month <= 8 ? at + HOUR : at, what);
    }),
  ),
  due('due-after-2038-wraps', 'due dates are stored as 32-bit seconds', (s) =>
    around(s, 'moment', (was, text, act) => {
      const at = was(text, act);
      return at === undefined ? undefined : (Math.trunc(at / 1000) | 0) * 1000;
    }),
  ),
  utc('due-offset-as-sent', 'a due date that came with an offset is answered with that offset', (s) => {
    const texts = memory<number, string>();
    around(s, 'moment', (was, text, act) => {
      const at = was(text, act);
      if (at !== undefined && /T.*[+-]\d\d:\d\d$/.test(text)) texts.set(at, text);
      return at;
    });
    around(s, 'stamp', (was, at, what) => (what === 'task.due_date' ? (texts.get(at) ?? was(at, what)) : was(at, what)));
  }),
  utc('comment-time-with-blank', 'created_at of comments has a blank between date and time, as databases write it', (s) =>
    written(s, 'comment.created_at', (text) => text.replace('T', ' ')),
  ),
  utc('profile-time-without-zone', 'created_at of the profile has no zone', (s) =>
    written(s, 'user.created_at', (text) => text.replace(/(Z|\+00:00)$/, '')),
  ),
  utc('project-time-local', 'created_at of projects is the time of the next zone, marked as UTC', (s) =>
    around(s, 'stamp', (was, at, what) => was(what === 'project.created_at' ? at + HOUR : at, what)),
  ),
];
