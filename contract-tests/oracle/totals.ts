// The counts of a list: how full a page is, total, has_more, and that at its end every record that belongs into it has come, once.
import { claim } from '../engine/claims.ts';
import { type Exchange, metaOf, records, withoutBody } from '../engine/exchange.ts';
import { keepLatest } from '../engine/keep-latest.ts';
import type { Operation } from '../engine/operations.ts';
import { instant } from '../engine/shapes.ts';
import { filterClause, ghostClause, missingClause, pagedClause, totalClause } from './clauses.ts';
import { differs, type Judge, NOTHING, sayThat } from './judge.ts';
import { type Entry, fieldOf, type Workspace } from './model.ts';
import { kindOfList, moved, type Page, undisturbed } from './page.ts';
import type { Suspicions } from './suspicions.ts';

const IDS = ['body', 'items', '*', 'id'] as const;
const TOTAL = ['body', 'meta', 'total'] as const;

const MAX_LATEST = 5000;

export class Totals {
  readonly #judge: Judge;
  readonly #suspicions: Suspicions;
  /** The last pages of each list, whatever its order and limit. */
  readonly #latest = new Map<string, readonly Exchange[]>();
  /** Later pages that count fewer records than have come. */
  readonly #counted = new Map<string, { readonly x: Exchange; readonly total: unknown; readonly ids: ReadonlySet<string> }>();

  constructor(judge: Judge, suspicions: Suspicions) {
    this.#judge = judge;
    this.#suspicions = suspicions;
  }

  observe(page: Page): void {
    this.#repeats(page);
    this.#size(page);
    this.#whole(page);
    this.#leadsOn(page);
    this.#totals(page);
    this.#end(page);
    this.grown(page);
  }

  /** A list by created_at grows at its end alone: records of the first page come once, whatever is created meanwhile. */
  grown({ x, ws, rows, before, expected, exclusive, filters }: Page): void {
    const [first] = before?.pages ?? [];
    const quiet = before?.epoch === ws.epoch && !x.beside;
    if (!before || !first || quiet || before.moves !== ws.moves || x.beside?.some(({ method }) => method !== 'POST')) return;
    if (!exclusive || filters.size > 0 || before.sort !== 'created_at' || first.beside) return;
    const at = (entry: Entry) => instant(fieldOf(entry, 'created_at'));
    const old = expected.filter(({ made }) => made.number < first.number);
    const newest = Math.max(...old.map(at));
    if (!expected.every((entry) => old.includes(entry) || at(entry) > newest)) return;
    const come = rows.map((row) => String(row.id));
    const twice = come.filter((id) => before.ids.includes(id));
    const says = 'while records were created behind them';
    const last = before.pages.at(-1)!;
    this.#judge.must('WM-LIST-007', twice.length === 0, sayThat(`${twice.length} records come twice ${says}`), last, x);
    if (metaOf(x).has_more !== false) return;
    const missing = old.filter(({ id }) => !before.ids.includes(id) && !come.includes(id));
    const never = sayThat(`${missing.length} of ${old.length} records never come ${says}`);
    this.#judge.must('WM-LIST-006', missing.length === 0, never, last, x);
  }

  #repeats({ x, rows, before, ws, operation, exclusive }: Page): void {
    const own = (id: string) => operation.returns === 'list' && ws.get(kindOfList(operation), id)?.own === true;
    const ids = rows.map((row) => String(row.id));
    const twice = ids.filter((id, i) => ids.indexOf(id) !== i);
    const say = sayThat(`${twice.length} records come twice on one page`, claim(x, IDS, 'unique'));
    this.#judge.must('WM-LIST-007', twice.length === 0, say, x);
    if (!before || ids.length === 0) return;
    const again = ids.filter((id) => before.ids.includes(id));
    const unique = { call: [...before.pages.map((page) => page.number), x.number], at: IDS, op: 'unique' } as const;
    const restarts = again.length === ids.length && String(records(before.pages[0]!)[0]?.id) === ids[0];
    // Where others write between two pages, records move from one to the next.
    if (again.length > 0 && !exclusive) {
      const requirement = restarts ? 'WM-LIST-004' : 'WM-LIST-007';
      const say = sayThat(`${again.length} records come on two pages`, unique);
      if (!moved({ before, ws, x })) this.#suspicions.add(requirement, `again ${x.path}`, say, x);
      return;
    }
    const stable = before.epoch === ws.epoch;
    const back = sayThat('next_cursor leads back to the first page', unique);
    if (stable) this.#judge.must('WM-LIST-004', !restarts, back, before.pages.at(-1)!, x);
    // Others may write to their records between two pages, and move them by it.
    const wrong = restarts ? [] : again.filter((id) => own(id) || before.sort === undefined);
    const come = sayThat(`${wrong.length} records come twice`, unique);
    if (stable) this.#judge.must('WM-LIST-007', wrong.length === 0, come, ...before.pages, x);
  }

  /** A page is as full as its limit while more follow. */
  #size({ x, rows, limit, first }: Page): void {
    const { has_more } = metaOf(x);
    if (limit === undefined || has_more !== true || limit < this.#judge.smallestLimit()) return;
    const requirement = new URLSearchParams(x.query).has('limit') ? 'WM-LIST-003' : 'WM-LIST-001';
    if (first || new URLSearchParams(x.query).has('limit'))
      this.#judge.must(
        requirement,
        rows.length === limit,
        differs('the number of records on a page that is not the last', limit, rows.length, {
          ...claim(x, ['body', 'items', '*'], 'count', limit),
          or: claim(x, ['body', 'meta', 'has_more'], 'equals', false),
        }),
        x,
      );
  }

  /** A limit of 100 gives all there is, and a page without one no more than 20. */
  #whole({ x, rows, expected, exclusive, filters, first, sort }: Page): void {
    const sentLimit = new URLSearchParams(x.query).get('limit');
    const plain = exclusive && first && filters.size === 0 && sort === undefined;
    const all = differs('the number of records for limit=100', expected.length, rows.length);
    if (plain && sentLimit === '100') this.#judge.must('WM-LIST-002', rows.length === Math.min(100, expected.length), all, x);
    const many = sayThat(`${rows.length} records on a page without limit`);
    if (first && sentLimit === null) this.#judge.must('WM-LIST-001', rows.length <= 20, many, x);
  }

  /** A cursor leads to records that were not on the page before it. */
  #leadsOn({ x, ws, rows, before, operation, exclusive, expected, limit }: Page): void {
    const clause = pagedClause(operation.id);
    if (!before) return;
    const last = before.pages.at(-1)!;
    const { limit: shown } = metaOf(x);
    // A cursor alone has the size of the page that it came from.
    if (!x.query.includes('limit=') && !before.pages[0]!.query.includes('limit='))
      this.#judge.must('WM-META-007', shown === 20, differs('meta.limit of the next page', 20, shown), last, x);
    const endless = exclusive && metaOf(x).has_more === true && before.ids.length > expected.length + 2 * (limit ?? 20);
    const on = sayThat('the list does not end');
    if (endless) this.#judge.must('WM-LIST-005', false, on, x);
    if (clause === undefined || moved({ before, ws, x })) return;
    const known = new Set(records(last).map(({ id }) => String(id)));
    const stays = rows.length === 0 || rows.every(({ id }) => known.has(String(id)));
    const fresh = rows.length > 0 && rows.every(({ id }) => !before.ids.includes(String(id)));
    const say = sayThat('the cursor does not lead on');
    if (fresh) this.#judge.must(clause, true, NOTHING);
    else if (stays) this.#suspicions.add(clause, `stays ${x.path}`, say, last, x);
  }

  #totals(page: Page): void {
    const { x, ws, operation, rows, expected, exclusive, filters, before, first } = page;
    const { total, has_more } = metaOf(x);
    if (typeof total !== 'number' || typeof has_more !== 'boolean') return;
    const requirement = totalClause(operation.id, exclusive, filters.size > 0);
    const place = (before?.ids.length ?? 0) + rows.length;
    const calls = [...(before?.pages ?? []), x].map((page) => page.number);
    const whole = { call: calls, at: ['body', 'items', '*'], count: true } as const;
    if (exclusive) {
      // Whether a walk counts what changes under it is open.
      if (before && before.epoch !== ws.epoch) return;
      this.#judge.must(requirement, total === expected.length, differs('total', expected.length, total), x);
      const more = place < expected.length;
      const wrong = more
        ? 'WM-META-008'
        : rows.length > 0 && place === expected.length && rows.length === metaOf(x).limit
          ? 'WM-META-013'
          : 'WM-META-009';
      const last = before ? [before.pages.at(-1)!] : [];
      const other = differs('has_more', more, has_more);
      if (rows.length <= expected.length) this.#judge.must(wrong, has_more === more, other, ...last, x);
      return;
    }
    const least = claim(x, TOTAL, 'least', expected.length);
    const few = differs('total, which counts at least the records of the run,', expected.length, total, least);
    this.#judge.must(requirement, total >= expected.length, few, x);
    const dip = this.#dip(ws, x, filters);
    if (dip) {
      const as = claim(dip, TOTAL, 'equals', total);
      const say = differs('total of a page, as on the pages before and after it,', total, metaOf(dip).total, as);
      this.#suspicions.add(requirement, `total dips ${x.path} ${Number(metaOf(dip).total) - total}`, say, dip, x);
    }
    const fits = { call: x.number, at: TOTAL, op: has_more ? 'more' : 'equals', than: whole } as const;
    const says = `total is ${total} with ${place} records and has_more ${has_more}`;
    const say = () => ({
      ...sayThat(says, fits)(),
      expected: `total ${has_more ? 'above' : 'of'} ${place}`,
      got: `total ${total}`,
    });
    this.#short(page, place, requirement);
    if (first) this.#judge.must(requirement, has_more ? total > place : total === place, say, x);
    else if (moved({ before, ws, x })) return;
    // Where more have come than there are, it is the total that is wrong.
    else if (has_more && total <= place && rows.length > 0)
      this.#suspicions.add(total < place ? requirement : 'WM-META-009', `more ${x.path}`, say, x);
    else if (!has_more && total !== place) this.#suspicions.add(requirement, `total ${x.path} ${total - place}`, say, x);
  }

  /** A later page that counts fewer than came: they are all there in the next whole list, and what was deleted does not come back. */
  #short({ x, ws, rows, before, filters, operation, sort }: Page, place: number, requirement: string): void {
    const { total, has_more } = metaOf(x);
    if (this.#judge.alone || filters.size > 0 || x.query.includes('sort=') || sort !== undefined) return;
    const key = `${ws.name} ${x.path} ${x.as}`;
    const come = new Set([...(before?.ids ?? []), ...rows.map((row) => String(row.id))]);
    const known = this.#counted.get(key);
    const isLater = known !== undefined && (before?.pages[0] ?? x).number > known.x.number;
    if (isLater && has_more === false && (!before || before.epoch === ws.epoch)) {
      this.#counted.delete(key);
      const goneAt = (id: string) => ws.get(kindOfList(operation), id)?.gone?.number ?? 0;
      const isThere = (id: string) => come.has(id) || goneAt(id) > known.x.number;
      const say = differs('total of records that are all there', known.ids.size, known.total);
      if ([...known.ids].every(isThere)) this.#judge.must(requirement, false, say, known.x, x);
    }
    // One that is as it was at the first page may be frozen.
    const shrinks = before && Number(total) < Math.min(place, Number(metaOf(before.pages[0]!).total));
    const quiet = before?.epoch === ws.epoch && before.pages.every((page) => !page.beside);
    if (shrinks && quiet && come.size === place) this.#counted.set(key, { x: withoutBody(x), total, ids: come });
    keepLatest(this.#counted, MAX_LATEST);
  }

  /** The page before, when it had another total than its neighbours though no record came or went. */
  #dip(ws: Workspace, x: Exchange, filters: ReadonlyMap<string, string>): Exchange | undefined {
    const key = `${ws.name} ${x.path} ${[...filters].map(String).sort().join('&')}`;
    const [first, middle] = (this.#latest.get(key) ?? []).slice(-2);
    this.#latest.set(key, [...(middle ? [middle] : first ? [first] : []), x]);
    keepLatest(this.#latest, MAX_LATEST);
    if (!first || !middle || !undisturbed(first, middle) || !undisturbed(middle, x)) return undefined;
    const total = (page: Exchange) => metaOf(page).total;
    return total(first) === total(x) && total(middle) !== total(x) ? middle : undefined;
  }

  /** At the end of a list every record of ours that belongs into it has come. */
  #end({ x, operation, expected, before, rows, filters, first, ws, exclusive }: Page): void {
    const { has_more, next_cursor } = metaOf(x);
    const ended = has_more === false || (this.#judge.release >= '1.1' && has_more === undefined && next_cursor === null);
    if (!ended || (before && before.epoch !== ws.epoch)) return;
    if (this.#judge.release < '1.1' && !first) return;
    const come = new Set([...(before?.ids ?? []), ...rows.map((row) => String(row.id))]);
    const ghosts = ghostClause(kindOfList(operation));
    if (
      ghosts &&
      this.#judge.alone &&
      [...ws.entries.values()].some((entry) => entry.kind === kindOfList(operation) && entry.gone && !come.has(entry.id))
    )
      this.#judge.must(ghosts, true, NOTHING);
    const calls = [...(before?.pages ?? []), x].map((page) => page.number);
    const missing = expected.filter(({ id }) => !come.has(id));
    const name = () => ({
      claims: missing.slice(0, 3).map(({ id }) => ({ call: calls, at: IDS, op: 'has' as const, value: id })),
      message: `${missing.length} of ${expected.length} records never come${filters.size > 0 ? ` with ${[...filters].map(([field, value]) => `filter[${field}]=${value}`).join(' and ')}` : ''}`,
    });
    // A filter that lost a record since it was changed goes by what the record was.
    const changed = missing.some((entry) => [...filters.keys()].some((field) => entry.state.get(field)?.from === 'update'));
    const clause = changed ? 'WM-LIST-052' : first ? this.#firstClause(operation, filters) : 'WM-LIST-006';
    if (first && filters.size > 0 && expected.some((entry) => entry.written !== entry.made))
      this.#judge.must('WM-LIST-052', !changed, name, x);
    // Where others delete between two pages, a record of ours moves up to one that has been read.
    if (missing.length > 0 && before && !exclusive) {
      if (!moved({ before, ws, x })) this.#suspicions.add(clause, `missing ${x.path}`, name, x);
      return;
    }
    this.#judge.must(clause, missing.length === 0, name, ...(missing[0] ? [missing[0].made] : []), ...(before?.pages ?? []), x);
    if (!first) this.#judge.must('WM-LIST-005', true, NOTHING);
  }

  #firstClause(operation: Operation, filters: ReadonlyMap<string, string>): string {
    if (filters.size > 1) return 'WM-LIST-009';
    const [field] = filters.keys();
    return field === undefined ? missingClause(operation.id) : filterClause(operation.id, field);
  }
}
