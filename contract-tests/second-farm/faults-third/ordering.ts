// Faults of orders.

import type { Row, Task } from '../../judge/reference/model.ts';
import type { ListName, Query, Value } from '../../judge/reference/service/lists.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn, memory } from '../faults/fault.ts';

const order = clause(204, '`sort`: a field name sorts ascending; a leading `-` sorts descending.');
const unsupported = clause(204, 'an unsupported sort field returns `400`');
const named = clause(204, 'Fields named in use: `due_date`, `created_at`, `updated_at`, `title`.');

const by = (service: Service, field: string, change: (was: Value, row: Row, query: Query) => Value): void =>
  around(service, 'sortValue', (was, row, each, query) => {
    const value = was(row, each, query);
    return each === field ? change(value, row, query) : value;
  });
/** Sorts again, by something else first: what is lower comes first. */
const first = (service: Service, rank: (row: Task, query: Query) => number): void =>
  around(service, 'ordered', (was, rows, query) => {
    const sorted = was(rows, query);
    return query.listing.name === 'task' && query.sort.field
      ? sorted.sort((one, other) => rank(one as Task, query) - rank(other as Task, query))
      : sorted;
  });
const ignored = (service: Service, name: ListName, field?: string): void =>
  around(service, 'readSort', (was, text, listing, call) => {
    const wanted = listing.name === name && text !== '' && (field === undefined || text.replace('-', '') === field);
    try {
      const read = was(text, listing, call);
      return wanted && field !== undefined ? { field: undefined, down: false } : read;
    } catch (error) {
      if (wanted && field === undefined) return { field: undefined, down: false };
      throw error;
    }
  });
const refused = (service: Service, operation: string, field: string): void =>
  around(service, 'isSortable', (was, each, listing, call) => {
    const known = was(each, listing, call);
    return known && !(isOn(call, operation) && each === field);
  });

const orders: Fault[] = [
  order('sort-due-date-without-ends', 'a task without a due date is equal to all others, so that the order falls apart', (s) =>
    around(s, 'ordered', (was, rows, query) => {
      if (query.sort.field !== 'due_date') return was(rows, query);
      const up = query.sort.down ? -1 : 1;
      const due = (row: Row) => (row as Task).due;
      return [...rows].sort((one, other) => {
        const [left, right] = [due(one), due(other)];
        return left === null || right === null ? 0 : up * (left - right);
      });
    }),
  ),
  order('sort-due-date-as-sent', 'due_date sorts as the text that was sent, with its offset', (s) => {
    const sent = memory<string, string>();
    for (const operation of ['createTask', 'changeTask'] as const)
      around(s, operation, (was, call) => {
        const answer = was(call);
        const { data } = answer.body as { data: { id: string } };
        const { due_date } = JSON.parse(call.text) as { due_date?: unknown };
        if (typeof due_date === 'string') sent.set(data.id, due_date);
        return answer;
      });
    by(s, 'due_date', (value, row) => (typeof value === 'number' ? (sent.get(row.id) ?? new Date(value).toISOString()) : value));
  }),
  order('sort-due-date-by-day', 'due_date sorts by its day alone', (s) =>
    by(s, 'due_date', (value) => (typeof value === 'number' ? Math.floor(value / 86_400_000) : value)),
  ),
  order('sort-overdue-last', 'sorted by due_date, what is overdue comes last', (s) =>
    first(s, ({ due }, { sort }) => (sort.field === 'due_date' && due !== null && due < s.now() ? 1 : 0)),
  ),
  order('sort-created-by-id', 'created_at sorts by id', (s) => by(s, 'created_at', (_value, row) => row.id)),
  order('sort-created-by-minute', 'created_at sorts by the minute', (s) =>
    around(s, 'ordered', (was, rows, query) => {
      if (query.sort.field !== 'created_at') return was(rows, query);
      const up = query.sort.down ? -1 : 1;
      const minute = ({ created }: Row) => Math.floor(created / 60_000);
      return [...rows]
        .sort((one, other) => (one.id < other.id ? -1 : 1))
        .sort((one, other) => up * (minute(one) - minute(other)));
    }),
  ),
  order('sort-created-in-projects', 'GET /tasks sorts by project first, then by created_at', (s) =>
    around(s, 'ordered', (was, rows, query) => {
      const sorted = was(rows, query);
      if (query.sort.field !== 'created_at' || !isOn(query.call, 'listTasks')) return sorted;
      const project = (row: Row) => (row as Task).project;
      return sorted.sort((one, other) => (project(one) < project(other) ? -1 : project(one) > project(other) ? 1 : 0));
    }),
  ),
  order('sort-title-by-prefix', 'title sorts by its first ten characters, as the index has no more', (s) =>
    by(s, 'title', (value) => String(value).slice(0, 10)),
  ),
  order('sort-title-without-digits', 'title sorts without its digits', (s) =>
    by(s, 'title', (value) => String(value).replace(/\d/g, '')),
  ),
  order('sort-updated-null-until-patched', 'updated_at of a task that was never changed sorts as none', (s) => {
    const patched = new Set<string>();
    around(s, 'touch', (was, row, what, values) => {
      patched.add((row as unknown as Row).id);
      was(row, what, values);
    });
    by(s, 'updated_at', (value, row) => (patched.has(row.id) ? value : null));
  }),
  order('sort-done-last', 'what is done comes last in any order', (s) => first(s, ({ status }) => (status === 'done' ? 1 : 0))),
  order('sort-urgent-first', 'what is urgent comes first in any order', (s) =>
    first(s, ({ priority }) => (priority === 'urgent' ? 0 : 1)),
  ),
  order('sort-own-first', 'the tasks of the user of the key come first in any order', (s) =>
    first(s, ({ assignee }, { call }) => (assignee === call.key?.user ? 0 : 1)),
  ),
  order('sort-descending-by-turning-the-page', 'a descending page is the ascending page turned round', (s) => {
    around(s, 'readQuery', (was, call, listing) => {
      const query = was(call, listing);
      return { ...query, sort: { ...query.sort, down: false, turned: query.sort.down } as typeof query.sort };
    });
    around(s, 'page', (was, items, meta, query) =>
      was((query.sort as { turned?: boolean }).turned ? [...items].reverse() : items, meta, query),
    );
  }),
];

const fields: Fault[] = [
  named('sort-updated-refused', 'GET /tasks cannot be sorted by updated_at', (s) => refused(s, 'listTasks', 'updated_at')),
  named('sort-due-date-refused-in-project', 'the tasks of a project cannot be sorted by due_date', (s) =>
    refused(s, 'listProjectTasks', 'due_date'),
  ),
  unsupported('sort-unknown-ignored-for-teams', 'an unknown field is ignored in the list of teams', (s) => ignored(s, 'team')),
  unsupported('sort-unknown-ignored-for-members', 'an unknown field is ignored in the member list', (s) => ignored(s, 'member')),
  unsupported('sort-unknown-ignored-for-comments', 'an unknown field is ignored in the list of comments', (s) =>
    ignored(s, 'comment'),
  ),
  order(
    'sort-teams-without-effect',
    'teams accept created_at, and are not sorted by it',
    (s) => ignored(s, 'team', 'created_at'),
    { style: 'b' },
  ),
  order(
    'sort-comments-without-effect',
    'comments accept created_at, and are not sorted by it',
    (s) => ignored(s, 'comment', 'created_at'),
    { style: 'a' },
  ),
  unsupported('sort-unknown-403', 'an unknown field answers 403', (s) =>
    around(s, 'unsupportedSort', (was, call) => Object.assign(was(call), { status: 403 })),
  ),
  unsupported('sort-unknown-behind-known', 'an unknown field is ignored once there is a filter', (s) =>
    around(s, 'readSort', (was, text, listing, call) => {
      try {
        return was(text, listing, call);
      } catch (error) {
        if ([...call.query.keys()].some((name) => name.startsWith('filter'))) return { field: undefined, down: false };
        throw error;
      }
    }),
  ),
];

export const faults: readonly Fault[] = [...orders, ...fields];
