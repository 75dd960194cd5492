// Features of earlier releases alone: lists by page and offset, and the header that deprecates them.
import type { Check } from '../engine/check.ts';
import { ids, metaOf, records, succeeded } from '../engine/exchange.ts';
import { cursorOf } from '../engine/follow.ts';
import { clausesIn } from '../engine/spelling.ts';
import type { Tools } from '../engine/tools.ts';

const tasksOf = (project: string): string => `/projects/${encodeURIComponent(project)}/tasks`;
const same = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((id, i) => id === b[i]);

/** The whole list of a project's tasks, and how many of them make a page. */
const listOf = async (t: Tools) => {
  const { mainId, tasks } = await t.world();
  const at = tasksOf(mainId);
  const size = t.knows('1.1') ? 10 : undefined;
  const sized = size === undefined ? at : `${at}?limit=${size}`;
  const glue = size === undefined ? '?' : '&';
  const ask = (query: string) => t.send('GET', `${sized}${glue}${query}`);
  const first = await t.send('GET', sized);
  const { items } = await t.walk(sized, 12);
  return { ask, first, whole: ids(items), page: records(first).length, tasks: tasks.length };
};

/** v1.0 has no cursor that ties pages together: order, has_more and total hold over pages by offset too. */
const judgePages = async (t: Tools, tasks: number): Promise<void> => {
  const { pages, items } = await t.walk(`${tasksOf((await t.world()).mainId)}?sort=-created_at`, 12);
  const last = pages.at(-1)!;
  if (!succeeded(last)) return;
  t.must('WM-META-009', metaOf(last).has_more === false, 'has_more is true on the last page', last);
  const counted = pages.every((page) => metaOf(page).total === tasks);
  t.must('WM-META-005', counted, 'a total is wrong', ...pages);
  const times = items.map((item) => Date.parse(String(item.created_at)));
  const ordered = times.every((time, i) => i === 0 || times[i - 1]! >= time);
  t.must('WM-SORT-008', ordered, 'sort=-created_at: an older task comes before a newer one', ...pages);
};

export const releaseChecks: readonly Check[] = [
  {
    id: 'releases/shown',
    says: 'The target shows itself to be the release that it is judged as',
    covers: ['WM-REL-001'],
    profile: 'read-only',
    run: async (t) => {
      const { detected, release } = t.parts;
      if (!detected) return t.skip('NO_SIGN');
      const message = `judged as v${release}, and it is v${detected.release}: ${detected.because}`;
      t.must('WM-REL-001', detected.release === release, message);
    },
  },
  {
    id: 'releases/offset',
    says: 'offset passes over records, page by page a list gives each once',
    covers: clausesIn('REL 2-5, SORT 8, META 5 9'),
    profile: 'core',
    run: async (t: Tools) => {
      if (t.knows('1.2')) return;
      const { ask, first, whole, page, tasks } = await listOf(t);
      t.need(succeeded(first) && page > 0 && whole.length === tasks, 'WM-EP-006');
      const passed = await ask(`offset=${page}`);
      t.must('WM-REL-002', records(passed)[0]?.id === whole[page], `offset=${page} does not pass over ${page} records`, passed);
      const [zero, one, two] = [await ask('page=0'), await ask('page=1'), await ask('page=2')];
      const starts = (x: typeof zero) => whole.indexOf(String(records(x)[0]?.id));
      const fromOne = starts(one) === 0;
      t.note('WM-REL-005', fromOne ? 'from-1' : 'from-0', zero, one);
      const second = fromOne ? two : one;
      const begins = starts(second);
      t.must('WM-REL-003', begins === page, `${second.query} begins with record ${begins} of the list, not ${page}`, second);
      const read: string[] = [];
      for (let number = fromOne ? 1 : 0; read.length < whole.length && number < 12; number++) {
        const x = await ask(`page=${number}`);
        if (!succeeded(x) || records(x).length === 0) break;
        read.push(...ids(records(x)));
      }
      if (!t.knows('1.1')) await judgePages(t, tasks);
      t.must('WM-REL-004', same(read, whole), `page by page the list gives ${read.length} records of ${whole.length}`, two);
    },
  },
  {
    id: 'releases/open',
    says: 'What page and offset leave open',
    covers: clausesIn('REL 6-8'),
    profile: 'full',
    run: async (t: Tools) => {
      const { ask, first, whole, page } = await listOf(t);
      t.need(succeeded(first) && page > 0, 'WM-EP-006');
      const both = await ask(`page=1&offset=${page}`);
      const choice = succeeded(both) ? (records(both)[0]?.id === whole[page] ? 'offset' : 'page') : 'refused';
      t.note('WM-REL-006', choice, both);
      const beyond = await ask('offset=100000');
      const end = succeeded(beyond) ? 'empty' : beyond.status === 404 ? 'not-found' : String(beyond.status);
      t.note('WM-REL-007', end, beyond);
      if (t.knows('1.1')) return;
      const meta = metaOf(first);
      const holds = 'next_cursor' in meta ? 'null-cursor' : 'page' in meta ? 'pages' : 'counts';
      const sizes = ['limit', 'per_page'];
      const found: string[] = [];
      for (const name of sizes) if (records(await ask(`${name}=3`)).length === 3) found.push(name);
      t.note('WM-REL-008', `${holds}, ${found[0] ?? 'fixed'}`, first);
    },
  },
  {
    id: 'releases/deprecation',
    says: 'page and offset are signalled by a Deprecation header',
    covers: clausesIn('REL 9-11'),
    profile: 'core',
    run: async (t) => {
      const { ask, first } = await listOf(t);
      const responses = [await ask('page=1'), await ask('offset=1')];
      const values = responses.map((x) => x.headers.get('deprecation'));
      t.must(
        'WM-REL-009',
        values.every((value) => value !== null && value !== ''),
        'a response lacks Deprecation',
        ...responses,
      );
      const value = values[0] ?? '';
      const named = /^@\d+$/.test(value) ? 'date' : value === 'true' ? 'true' : value;
      t.note('WM-REL-010', `${named}, ${first.headers.has('deprecation') ? 'lists' : 'used'}`, first);
      const cursor = cursorOf(first);
      if (!cursor) return;
      const beside = await ask(`page=1&cursor=${encodeURIComponent(cursor)}`);
      t.note('WM-REL-011', succeeded(beside) ? 'accepted' : 'refused', beside);
    },
  },
];
