// Faults of ids and timestamps.

import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, memory } from '../faults/fault.ts';
import { dataOf, rowsOf } from '../faults-third/tools.ts';
import { showsTask } from './tools.ts';

const stamps = clause(28, 'Timestamps are ISO 8601 datetime strings in UTC.');
const ids = clause(28, 'Identifiers are opaque strings');
const HOUR = 3_600_000;

const text = (value: unknown): string => String(value);
const bare = (id: unknown): string => text(id).replace(/^[a-z]+_/, '');
const stamped = (service: Service, what: string, change: (written: string | number, at: number) => unknown): void =>
  around(service, 'stamp', (was, at, field) => (field === what ? (change(was(at, field), at) as string) : was(at, field)));
/** Hours and minutes where year, month and day stand. */
const minutesForMonths = (at: number): string => {
  const iso = new Date(at).toISOString();
  return `${iso.slice(0, 5)}${iso.slice(14, 16)}${iso.slice(7)}`;
};

const identifiers: Fault[] = [
  ids(
    'project-ids-in-lower-case-rows',
    'rows of projects have their ids in lower case, which lead to nothing',
    (s) => rowsOf(s, ['project'], (fields) => ({ ...fields, id: text(fields.id).toLowerCase() })),
    { style: 'c' },
  ),
  clause(48, '| project_id | string | no (from path) | the containing project |')(
    'project-id-of-task-is-internal',
    'project_id of a single task is the number of the project in the database',
    (s) =>
      showsTask(s, ['read'], (fields, task) => ({
        ...fields,
        project_id: String(s.db.projects.find(({ id }) => id === task.project)?.nth),
      })),
  ),
  ids('team-members-without-prefix', 'ids of the members of a team have no prefix', (s) =>
    around(s, 'showMembers', (was, team) => (was(team) as { id: string }[]).map((each) => ({ ...each, id: bare(each.id) }))),
  ),
  clause(34, '| id | string | no (server-set) | project identifier |')(
    'project-id-generated-twice',
    'POST /projects answers an id that is not the one which is stored',
    (s) => dataOf(s, ['createProject'], (data) => ({ ...data, id: s.newId('proj') })),
  ),
  clause(47, '| id | string | no (server-set) | |')('task-id-named-task-id', 'a single task has task_id for id', (s) =>
    showsTask(s, ['read'], ({ id, ...fields }) => ({ task_id: id, ...fields })),
  ),
];

const timestamps: Fault[] = [
  stamps('minutes-for-months', 'updated_at of projects has minutes where the month stands', (s) =>
    stamped(s, 'project.updated_at', (_written, at) => minutesForMonths(at)),
  ),
  stamps('due-date-as-it-was-sent', 'due_date comes back with the offset that was sent', (s) => {
    const known = memory<number, string>();
    around(s, 'moment', (was, written, act) => {
      const at = was(written, act);
      if (at !== undefined) known.set(at, written);
      return at;
    });
    stamped(s, 'task.due_date', (written, at) => known.get(at) ?? written);
  }),
  stamps('team-times-of-database', 'times of a single team are written as 2025-02-03 10:11:12 UTC', (s) =>
    dataOf(s, ['readTeam'], (data) => ({
      ...data,
      created_at: text(data.created_at).replace('T', ' ').replace(/\..*/, ' UTC'),
      updated_at: text(data.updated_at).replace('T', ' ').replace(/\..*/, ' UTC'),
    })),
  ),
  stamps('created-without-zone', 'created_at in the answer of a new task has no zone', (s) =>
    showsTask(s, ['created'], (fields) => ({ ...fields, created_at: text(fields.created_at).slice(0, 19) })),
  ),
  stamps('team-times-local', 'created_at of teams is local time of UTC+2, written as UTC', (s) =>
    around(s, 'showTeam', (was, team, place) => was({ ...team, created: team.created + 2 * HOUR }, place)),
  ),
  stamps('project-changed-in-local-time', 'PATCH of a project stores local time of UTC-5 as updated_at', (s) =>
    around(s, 'touch', (was, row, what, values) => {
      was(row, what, values);
      if (what === 'project') row.updated -= 5 * HOUR;
    }),
  ),
  stamps('due-dates-in-rows-without-zone', 'due_date in rows has no zone', (s) =>
    showsTask(s, ['row'], (fields) => (fields.due_date ? { ...fields, due_date: text(fields.due_date).slice(0, 19) } : fields)),
  ),
];

export const faults: readonly Fault[] = [...identifiers, ...timestamps];
