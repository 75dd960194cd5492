// Sorting: a field is sorted by, over all pages, or refused with 400.
import type { Check } from '../engine/check.ts';
import { errorOf, type Json, metaOf, records, succeeded } from '../engine/exchange.ts';
import { instant } from '../engine/shapes.ts';
import type { Tools } from '../engine/tools.ts';

const REGULAR = /^wm task \d\d$/;

const keyOf =
  (field: string) =>
  (task: Json): string | number | undefined => {
    if (field !== 'title') return Number.isNaN(instant(task[field])) ? undefined : instant(task[field]);
    const title = String(task.title);
    return REGULAR.test(title) ? title : undefined;
  };

/** True when the records that have the field are in its order. */
const inOrder = (items: readonly Json[], field: string, sign: 1 | -1): boolean => {
  const keys = items.map(keyOf(field)).filter((key) => key !== undefined);
  return keys.every((key, i) => i === 0 || key === keys[i - 1] || key > keys[i - 1]! === (sign === 1));
};

const list = (id: string) => `/projects/${encodeURIComponent(id)}/tasks`;

const noteSort = (t: Tools, field: string, works: boolean) => {
  const sorts = (t.parts.shared.get('sorts') as Map<string, boolean> | undefined) ?? new Map<string, boolean>();
  sorts.set(field, works);
  t.parts.shared.set('sorts', sorts);
};

const sorts = (requirement: string, sort: string): Check => ({
  id: `sorting/${sort}`,
  says: `sort=${sort} orders tasks over all pages, or is refused with 400`,
  covers: [requirement, 'WM-SORT-008', 'WM-SORT-009', 'WM-SORT-010', 'WM-LIST-006', 'WM-LIST-007'],
  profile: ['title', '-title', 'due_date'].includes(sort) ? 'core' : 'full',
  run: async (t: Tools) => {
    const { mainId, sideId, tasks, sideTasks } = await t.world();
    const field = sort.replace('-', '');
    const sign = sort.startsWith('-') ? -1 : 1;
    const at = sort === 'updated_at' ? sideId : mainId;
    // The first that was made is the last that is changed: else the order of creation would do.
    const first = sideTasks[0];
    if (sort === 'updated_at' && first) {
      await t.time.sleep(1100);
      await t.patch(`/tasks/${encodeURIComponent(String(first.got.id))}`, { description: 'touched' });
    }
    const x = await t.get(`${list(at)}?sort=${sort}&limit=100`);
    t.note('WM-SORT-009', `tasks by ${sort}: ${x.status}`, x);
    noteSort(t, `tasks ${field}`, succeeded(x));
    if (!succeeded(x)) {
      t.must(requirement, x.status === 400, `sort=${sort} is answered ${x.status}`, x);
      return;
    }
    const ordered = inOrder(records(x), field, sign);
    const good = t.must(requirement, ordered, `sort=${sort} does not order`, x);
    if (field === 'due_date' && good) {
      const empty = records(x).map((item) => item.due_date === null || item.due_date === undefined);
      const place = empty[0] ? 'first' : empty.at(-1) ? 'last' : 'among the others';
      t.note('WM-SORT-010', `${place} for ${sort}`, x);
      const known = (t.parts.shared.get('nulls') as Map<string, string> | undefined) ?? new Map<string, string>();
      known.set(sort, place);
      t.parts.shared.set('nulls', known);
      const [up, down] = [known.get('due_date'), known.get('-due_date')];
      if (up && down) t.observe('null-due-date', up === down ? up : up === 'last' ? 'largest' : 'smallest');
    }
    if (!good || records(x).length < tasks.length || sort.startsWith('-') === false) return;
    const { pages, items } = await t.walk(`${list(mainId)}?sort=${sort}&limit=8`, 5);
    if (pages.length < 2 || metaOf(pages[0]!).limit !== 8 || records(pages[0]!).length !== 8) return;
    const holds = inOrder(items, field, sign);
    t.must('WM-SORT-008', holds, `sort=${sort} does not hold across pages`, ...pages.slice(0, 2));
    const distinct = new Set(items.map((item) => item.id)).size;
    if (!holds) return;
    t.must(
      'WM-LIST-007',
      distinct === items.length,
      `${items.length - distinct} records come twice with sort=${sort}`,
      ...pages.slice(-2),
    );
    t.must(
      'WM-LIST-006',
      distinct >= tasks.length,
      `${tasks.length - distinct} records never come with sort=${sort}`,
      ...pages.slice(-2),
    );
  },
});

export const sortingChecks: readonly Check[] = [
  sorts('WM-SORT-001', 'title'),
  sorts('WM-SORT-002', '-title'),
  sorts('WM-SORT-003', 'due_date'),
  sorts('WM-SORT-004', '-due_date'),
  sorts('WM-SORT-005', 'created_at'),
  sorts('WM-SORT-006', 'updated_at'),
  {
    id: 'sorting/with-filter',
    says: 'On /tasks the order holds across pages together with filters',
    covers: ['WM-SORT-011', 'WM-SORT-008'],
    profile: 'full',
    run: async (t: Tools) => {
      const { mainId } = await t.world();
      for (const sort of ['-due_date']) {
        const field = sort.slice(1);
        const at = `/tasks?filter[project_id]=${encodeURIComponent(mainId)}&sort=${sort}`;
        const { pages, items } = await t.walk(`${at}&limit=11`, 3);
        const first = pages[0]!;
        if (first.status === 400) {
          t.must('WM-SORT-011', true, '');
          continue;
        }
        if (!t.must('WM-SORT-011', succeeded(first) && inOrder(records(first), field, -1), `sort=${sort} does not order`, first))
          return;
        const own = items.every((item) => item.project_id === undefined || item.project_id === mainId);
        if (own && pages.length > 1)
          t.must('WM-SORT-008', inOrder(items, field, -1), 'the order breaks on a later page', ...pages.slice(0, 2));
      }
    },
  },
  {
    id: 'sorting/unsupported',
    says: 'An unsupported sort field is refused with 400',
    covers: ['WM-SORT-007', 'WM-SORT-012', 'WM-ERR-012'],
    profile: 'core',
    run: async (t: Tools) => {
      const { mainId } = await t.world();
      const x = await t.get(`${list(mainId)}?sort=nonsense`);
      t.must('WM-SORT-007', x.status === 400, `sort=nonsense is answered ${x.status}`, x);
      if (x.status !== 400) t.need(false, 'WM-SORT-007');
      const again = await t.get('/projects?sort=-nonsense');
      t.must('WM-SORT-007', again.status === 400, `sort=-nonsense on /projects is answered ${again.status}`, again);
      t.note('WM-SORT-012', String(errorOf(x).code), x);
      t.observe('unsupported-sort-code', String(errorOf(x).code));
      const third = await t.get(`${list(mainId)}?sort=nonsense`);
      t.must('WM-ERR-012', errorOf(third).code === errorOf(x).code, 'the same request gives another code', x, third);
    },
  },
  {
    id: 'sorting/projects',
    says: 'sort=created_at orders projects, or is refused with 400',
    covers: ['WM-SORT-013', 'WM-SORT-009'],
    profile: 'full',
    run: async (t: Tools) => {
      await t.world();
      const x = await t.get('/projects?sort=-created_at&limit=100');
      noteSort(t, 'projects created_at', succeeded(x));
      t.note('WM-SORT-009', `projects by created_at: ${x.status}`, x);
      if (succeeded(x)) t.must('WM-SORT-013', inOrder(records(x), 'created_at', -1), 'projects are not in order', x);
      else t.must('WM-SORT-013', x.status === 400, `answers ${x.status}`, x);
      if (!t.knows('1.2')) return;
      const teams = await t.get('/teams?sort=created_at&limit=100');
      noteSort(t, 'teams created_at', succeeded(teams));
      t.note('WM-SORT-009', `teams by created_at: ${teams.status}`, teams);
    },
  },
  {
    id: 'sorting/some-field',
    says: 'Tasks are sortable by at least one of the fields named in use',
    covers: ['WM-SORT-014'],
    profile: 'core',
    last: true,
    run: async (t: Tools) => {
      const known = (t.parts.shared.get('sorts') as Map<string, boolean> | undefined) ?? new Map<string, boolean>();
      const fields = [...known].filter(([name]) => name.startsWith('tasks '));
      if (fields.length === 0) t.skip('NOT_EXERCISED');
      t.must(
        'WM-SORT-014',
        fields.some(([, works]) => works),
        'no field sorts tasks',
      );
      const title = known.get('tasks title');
      const teams = known.get('teams created_at');
      if (title !== undefined && teams !== undefined)
        t.observe('sortable-fields', !title ? 'titleless' : teams ? 'fitting' : 'tasks');
    },
  },
];
