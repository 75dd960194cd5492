// Faults of times and time zones.

import type { Act } from '../../judge/reference/service/input.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn } from '../faults/fault.ts';
import { dataOf, rowsOf } from './tools.ts';

const due = clause(52, '| due_date | string (ISO 8601 datetime) | no |');
const utc = clause(28, 'Timestamps are ISO 8601 datetime strings in UTC.');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Reads a due date otherwise; the old reading decides whether it is one at all. */
const reads = (service: Service, change: (at: number, text: string, act: Act) => number | undefined): void =>
  around(service, 'moment', (was, text, act) => {
    const at = was(text, act);
    return at === undefined ? undefined : change(at, text, act);
  });
const offsetOf = (text: string): { readonly sign: number; readonly hours: number; readonly minutes: number } => {
  const found = /([+-])(\d\d):(\d\d)$/.exec(text);
  return { sign: found?.[1] === '-' ? -1 : 1, hours: Number(found?.[2] ?? 0), minutes: Number(found?.[3] ?? 0) };
};
const dateOf = (at: number) => new Date(at);

const dueDates: Fault[] = [
  due('offset-sign-inverted', 'offsets of due dates count the wrong way', (s) =>
    reads(s, (at, text) => {
      const { sign, hours, minutes } = offsetOf(text);
      return at + 2 * sign * (hours * HOUR + minutes * 60_000);
    }),
  ),
  due('offset-without-minutes', 'the minutes of an offset such as -05:30 are lost', (s) =>
    reads(s, (at, text) => {
      const { sign, minutes } = offsetOf(text);
      return at + sign * minutes * 60_000;
    }),
  ),
  due('offset-negative-as-utc', 'offsets west of Greenwich are taken as UTC', (s) =>
    reads(s, (at, text) => {
      const { sign, hours, minutes } = offsetOf(text);
      return sign < 0 ? at - hours * HOUR - minutes * 60_000 : at;
    }),
  ),
  due(
    'fraction-refused',
    'a due date with a fraction of a second is refused, so that what was read cannot be sent back',
    (s) => reads(s, (at, text) => (/\.\d/.test(text) ? undefined : at)),
    { style: 'a' },
  ),
  due('fraction-as-seconds', 'the fraction of a due date is added as whole seconds', (s) =>
    reads(s, (at, text) => {
      const fraction = /\.(\d{1,3})/.exec(text)?.[1];
      return fraction === undefined ? at : at - (at % 1000) + Number(fraction) * 1000;
    }),
  ),
  due('leap-day-refused', '29 February of a leap year is refused', (s) =>
    reads(s, (at, text) => (text.slice(5, 10) === '02-29' ? undefined : at)),
  ),
  due('leap-day-as-march', '29 February of a leap year is stored as 1 March', (s) =>
    reads(s, (at, text) => (text.slice(5, 10) === '02-29' ? at + DAY : at)),
  ),
  due('wraps-in-2038', 'due dates after January 2038 are stored as 1901 to 1970', (s) =>
    reads(s, (at) => (at >= 2 ** 31 * 1000 ? at - 2 ** 32 * 1000 : at)),
  ),
  due('midnight-in-local-time', 'a due date of exactly midnight UTC is taken as a day in a zone of UTC-5', (s) =>
    reads(s, (at) => (at % DAY === 0 ? at + 5 * HOUR : at)),
  ),
  due('thirty-first-rolls', 'due dates on the 31st are stored on the 1st of the next month', (s) =>
    reads(s, (at) => (dateOf(at).getUTCDate() === 31 ? at + DAY : at)),
  ),
  due('month-and-day-swapped', 'day and month of a due date are swapped where both are at most 12', (s) =>
    reads(s, (at) => {
      const date = dateOf(at);
      const [month, day] = [date.getUTCMonth(), date.getUTCDate()];
      if (day <= 12) date.setUTCMonth(day - 1, month + 1);
      return date.getTime();
    }),
  ),
  due('evening-next-day', 'due dates after 19:00 are stored a day later', (s) =>
    reads(s, (at) => (dateOf(at).getUTCHours() >= 19 ? at + DAY : at)),
  ),
  due('noon-is-midnight', 'due dates from 12:00 to 12:59 lose twelve hours', (s) =>
    reads(s, (at) => (dateOf(at).getUTCHours() === 12 ? at - 12 * HOUR : at)),
  ),
  due('patched-due-date-in-server-time', 'PATCH takes due dates with Z as server time, an hour ahead', (s) =>
    reads(s, (at, text, act) => (act === 'change' && text.endsWith('Z') ? at - HOUR : at)),
  ),
  due('past-due-date-is-now', 'a due date in the past is stored as the present', (s) => reads(s, (at) => Math.max(at, s.now()))),
  due('due-date-ten-years-at-most', 'due dates more than ten years ahead are refused', (s) =>
    reads(s, (at) => (at > s.now() + 3653 * DAY ? undefined : at)),
  ),
  due('due-date-week-year', 'the last days of a year are shown with the next year: week year for year', (s) =>
    around(s, 'stamp', (was, at, what) => {
      const date = dateOf(at);
      const last = date.getUTCMonth() === 11 && date.getUTCDate() >= 29;
      return last && what === 'task.due_date'
        ? was(Date.UTC(date.getUTCFullYear() + 1, 11, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes()), what)
        : was(at, what);
    }),
  ),
];

const bare = (value: unknown) => (typeof value === 'string' ? value.replace(/(Z|\+00:00)$/, '') : value);

const times: Fault[] = [
  utc('row-times-without-zone', 'times in rows of GET /tasks have no zone', (s) =>
    rowsOf(s, ['task'], (row, _index, _all, call) =>
      isOn(call, 'listTasks') ? { ...row, created_at: bare(row.created_at), updated_at: bare(row.updated_at) } : row,
    ),
  ),
  utc('row-times-with-blank', 'times in rows of projects have a blank for the T', (s) =>
    rowsOf(s, ['project'], (row) => ({
      ...row,
      created_at: String(row.created_at).replace('T', ' '),
      updated_at: String(row.updated_at).replace('T', ' '),
    })),
  ),
  utc('times-with-two-zones', 'updated_at in the answer of PATCH ends with both an offset and Z', (s) =>
    dataOf(s, ['changeTask'], (data) => ({ ...data, updated_at: `${bare(data.updated_at)}+00:00Z` })),
  ),
  utc('team-times-in-zone', 'times of the single team have the offset of the server, +02:00', (s) =>
    dataOf(s, ['readTeam'], (data) => ({
      ...data,
      created_at: `${new Date(Date.parse(String(data.created_at)) + 2 * HOUR).toISOString().slice(0, -1)}+02:00`,
    })),
  ),
  utc(
    'comment-times-as-text',
    'created_at of comments is written in words',
    (s) => around(s, 'stamp', (was, at, what) => (what === 'comment.created_at' ? new Date(at).toUTCString() : was(at, what))),
    { needs: 'comments' },
  ),
  utc('due-date-without-zone', 'due_date in the single task has no zone', (s) =>
    dataOf(s, ['readTask'], (data) => (data.due_date ? { ...data, due_date: bare(data.due_date) } : data)),
  ),
  clause(69, '| created_at | string (datetime) | profile only |')(
    'profile-created-now',
    'created_at of the profile is the time of the request',
    (s) => around(s, 'stamp', (was, at, what) => was(what === 'user.created_at' ? s.now() : at, what)),
  ),
  clause(82, '| created_at, updated_at | string (datetime) | server-set |')(
    'team-row-created-now',
    'created_at in rows of teams is the time of the request',
    (s) => around(s, 'showTeam', (was, team, place) => was(place === 'row' ? { ...team, created: s.now() } : team, place)),
  ),
  clause(38, '| created_at | string (datetime) | no (server-set) |')(
    'project-created-at-of-list',
    'created_at in rows of projects is updated_at',
    (s) =>
      around(s, 'showProject', (was, project, place) =>
        was(place === 'row' ? { ...project, created: project.updated } : project, place),
      ),
  ),
];

export const faults: readonly Fault[] = [...dueDates, ...times];
