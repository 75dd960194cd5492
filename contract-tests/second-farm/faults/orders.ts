// Faults of orders.
import type { Row } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn } from './fault.ts';

const sort = clause(204, 'a field name sorts ascending; a leading `-` sorts descending');
const fields = clause(204, 'Fields named in use: `due_date`, `created_at`, `updated_at`, `title`.');
const unsupported = clause(204, 'an unsupported sort field returns `400`');
const valued = (service: Service, field: string, change: (row: Row) => string | number | null): void =>
  around(service, 'sortValue', (was, row, by, query) => (by === field ? change(row) : was(row, by, query)));
/** Takes the default order for a field that cannot be sorted by. */
const lenient = (service: Service, when: (text: string) => boolean): void =>
  around(service, 'readSort', (was, text, listing, call) => {
    try {
      return was(text, listing, call);
    } catch (error) {
      if (when(text)) return { field: undefined, down: false };
      throw error;
    }
  });
const orders: Fault[] = [
  sort('sort-ignored', 'sort has no effect', (s) =>
    around(s, 'readSort', (was, text, listing, call) => ({ ...was(text, listing, call), field: undefined })),
  ),
  sort('sort-minus-ignored', 'the leading - has no effect', (s) =>
    around(s, 'readSort', (was, text, listing, call) => ({ ...was(text, listing, call), down: false })),
  ),
  sort('sort-minus-ignored-for-title', 'the leading - has no effect on title', (s) =>
    around(s, 'readSort', (was, text, listing, call) => ({
      ...was(text, listing, call),
      down: text.startsWith('-') && text !== '-title',
    })),
  ),
  sort('sort-reversed', 'sort is descending, and ascending with -', (s) =>
    around(s, 'readSort', (was, text, listing, call) => ({
      ...was(text, listing, call),
      down: text !== '' && !text.startsWith('-'),
    })),
  ),
  sort('sort-updated-reversed', 'updated_at sorts the latest first', (s) =>
    around(s, 'readSort', (was, text, listing, call) => ({
      ...was(text, listing, call),
      down: text.includes('updated_at') ? text === 'updated_at' : text.startsWith('-'),
    })),
  ),
  sort('sort-within-page', 'rows are sorted after the page was cut', (s) => {
    around(s, 'ordered', (was, rows, query) => was(rows, { ...query, sort: { field: undefined, down: false } }));
    around(s, 'behind', (was, rows, after, query) =>
      query.sort.field ? rows.slice(rows.findIndex((row) => s.tieOf(row) === after.tie) + 1) : was(rows, after, query),
    );
    around(s, 'cut', (was, rest, query) =>
      [...was(rest, query)].sort((one, other) => s.compareMarks(s.markOf(one, query), s.markOf(other, query), query.sort)),
    );
  }),
  sort('sort-first-page-only', 'only the first page is sorted', (s) =>
    around(s, 'cut', (was, rest, query) =>
      query.cursor && query.sort.field ? [...was(rest, query)].sort((one, other) => one.nth - other.nth) : was(rest, query),
    ),
  ),
  sort('sort-projects-ignored', 'sort has no effect on projects', (s) =>
    around(s, 'readSort', (was, text, listing, call) => ({
      ...was(text, listing, call),
      ...(listing.name === 'project' ? { field: undefined } : {}),
    })),
  ),
  sort('sort-ignored-in-project', 'sort has no effect under a project', (s) =>
    around(s, 'readSort', (was, text, listing, call) => ({
      ...was(text, listing, call),
      ...(isOn(call, 'listProjectTasks') ? { field: undefined } : {}),
    })),
  ),
  sort('sort-ignored-with-filter', 'sort has no effect when a filter is set', (s) =>
    around(s, 'markOf', (was, row, query) =>
      was(row, query.filters.length > 0 ? { ...query, sort: { field: undefined, down: false } } : query),
    ),
  ),
  sort('sort-due-date-as-created', 'due_date sorts by created_at', (s) => valued(s, 'due_date', (row) => row.created)),
  sort('sort-due-date-without-year', 'due_date sorts by month and day without the year', (s) =>
    valued(s, 'due_date', (row) =>
      'due' in row && row.due !== null ? Number(new Date(row.due).toISOString().slice(5, 10).replace('-', '')) : null,
    ),
  ),
  sort('sort-due-date-by-text', 'due_date sorts as a text of day and month', (s) =>
    valued(s, 'due_date', (row) => ('due' in row && row.due !== null ? new Date(row.due).toUTCString() : null)),
  ),
  sort('sort-updated-as-created', 'updated_at sorts by created_at', (s) => valued(s, 'updated_at', (row) => row.created)),
  sort(
    'sort-updated-as-created-for-projects',
    'updated_at of projects sorts by created_at',
    (s) =>
      around(s, 'sortValue', (was, row, by, query) =>
        by === 'updated_at' && query.listing.name === 'project' ? row.created : was(row, by, query),
      ),
    { style: 'a' },
  ),
  sort('sort-created-as-updated', 'created_at sorts by updated_at', (s) => valued(s, 'created_at', (row) => row.updated)),
  sort('sort-title-by-length', 'title sorts by length', (s) =>
    valued(s, 'title', (row) => ('title' in row ? row.title.length : null)),
  ),
  sort('sort-title-first-letter', 'title sorts by its first letter', (s) =>
    valued(s, 'title', (row) => ('title' in row ? row.title.slice(0, 1) : null)),
  ),
  sort('sort-title-by-id', 'title in descending order sorts by id', (s) =>
    around(s, 'sortValue', (was, row, by, query) => (by === 'title' && query.sort.down ? row.id : was(row, by, query))),
  ),
  sort('sort-descending-misplaces-top', 'in descending order the first row comes last', (s) =>
    around(s, 'ordered', (was, rows, query) => {
      const [first, ...rest] = was(rows, query);
      return query.sort.down && first && !query.cursor ? [...rest, first] : was(rows, query);
    }),
  ),
  ...(['due_date', 'created_at', 'updated_at', 'title'] as const).map((field) =>
    fields(`sort-${field.replace('_', '-')}-refused`, `tasks cannot be sorted by ${field}`, (s) =>
      around(
        s,
        'isSortable',
        (was, each, listing, call) => (each !== field || listing.name !== 'task') && was(each, listing, call),
      ),
    ),
  ),
  fields('sort-title-refused-in-project', 'the tasks of a project cannot be sorted by title', (s) =>
    around(
      s,
      'isSortable',
      (was, each, listing, call) => (each !== 'title' || !isOn(call, 'listProjectTasks')) && was(each, listing, call),
    ),
  ),
  fields('sort-descending-refused', 'a leading - answers 400', (s) =>
    around(s, 'readSort', (was, text, listing, call) => was(text.replace('-', 'desc.'), listing, call)),
  ),
  unsupported('sort-unknown-ignored', 'an unknown field is ignored', (s) => lenient(s, (text) => !text.startsWith('-'))),
  unsupported('sort-unknown-ignored-descending', 'an unknown field with - is ignored', (s) =>
    lenient(s, (text) => text.startsWith('-')),
  ),
  unsupported('sort-unknown-ignored-for-projects', 'an unknown field is ignored in the list of projects', (s) =>
    around(s, 'isSortable', (was, each, listing, call) => listing.name === 'project' || was(each, listing, call)),
  ),
  unsupported('sort-unknown-422', 'an unknown field answers 422', (s) =>
    around(s, 'unsupportedSort', (was, call) => Object.assign(was(call), { status: 422 })),
  ),
  unsupported('sort-unknown-500', 'an unknown field answers 500', (s) =>
    around(s, 'unsupportedSort', (was, call) => Object.assign(was(call), { status: 500, code: 'internal_error' })),
  ),
  unsupported('sort-unknown-empty', 'an unknown field answers an empty list', (s) => {
    around(s, 'isSortable', () => true);
    around(s, 'ordered', (was, rows, query) =>
      was(
        query.sort.field && !['due_date', 'created_at', 'updated_at', 'title', 'name', 'priority'].includes(query.sort.field)
          ? []
          : rows,
        query,
      ),
    );
  }),
  unsupported('sort-unknown-in-project-ignored', 'an unknown field is ignored under a project', (s) =>
    around(s, 'isSortable', (was, each, listing, call) => isOn(call, 'listProjectTasks') || was(each, listing, call)),
  ),
];

export const faults: readonly Fault[] = [...orders];
