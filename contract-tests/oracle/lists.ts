// Holds every page of every list against the model: membership, order, what comes twice or never, totals, has_more and cursors.
import { type Exchange, metaOf, records, succeeded } from '../engine/exchange.ts';
import type { Operation } from '../engine/operations.ts';
import { Agreement } from './agreement.ts';
import { filterClause, unlistedClause } from './clauses.ts';
import { type Judge, sayThat, shown } from './judge.ts';
import { Membership } from './membership.ts';
import { type Entry, fieldOf, maybeHidden, type Workspace } from './model.ts';
import { judgeOrder } from './order.ts';
import { type Asked, kindOfList, matches, type Page } from './page.ts';
import { Settled } from './settled.ts';
import { Sorts } from './sorts.ts';
import { Suspicions } from './suspicions.ts';
import { Totals } from './totals.ts';
import { FILTER, Walks } from './walks.ts';

export class Lists {
  readonly #judge: Judge;
  readonly #walks = new Walks();
  readonly #membership: Membership;
  readonly #suspicions: Suspicions;
  readonly #totals: Totals;
  readonly #settled: Settled;
  readonly sorts: Sorts;
  readonly agreement: Agreement;

  constructor(judge: Judge) {
    this.#judge = judge;
    this.#membership = new Membership(judge);
    this.#suspicions = new Suspicions(judge);
    this.#totals = new Totals(judge, this.#suspicions);
    this.#settled = new Settled(judge);
    this.sorts = new Sorts(judge);
    this.agreement = new Agreement(judge, this.#suspicions);
  }

  /** True when a cursor is none of this very query. */
  cursorIsOpen(ws: Workspace, x: Exchange): boolean {
    const query = new URLSearchParams(x.query);
    const cursor = query.get('cursor');
    if (cursor === null) return false;
    return this.#walks.of(ws, x, cursor, query) === undefined;
  }

  observe(ws: Workspace, strangers: readonly Workspace[], operation: Operation, x: Exchange): void {
    if (!succeeded(x)) return;
    const page = this.#page(ws, operation, x);
    if (!page) return;
    // Writes at once with a list may show in it; records from before are in it all the same.
    if (x.beside?.length) {
      if (!this.#judge.alone) judgeOrder(this.#judge, page);
      this.#totals.grown(page);
      this.#walks.remember(page);
      return;
    }
    this.#membership.observe(page, strangers);
    judgeOrder(this.#judge, page);
    this.#totals.observe(page);
    this.#settled.observe(page);
    this.agreement.list(page);
    this.#walks.remember(page);
  }

  /** Questions that a further look at lists would settle, in this order. */
  get unsettled(): readonly Asked[] {
    return this.#settled.unsettled;
  }

  /** How often something was seen so far that others may have caused: once more tells. */
  get suspicions(): number {
    return this.#suspicions.count;
  }

  #page(ws: Workspace, operation: Operation, x: Exchange): Page | undefined {
    const query = new URLSearchParams(x.query);
    const known = this.#judge.rules.filters(operation.id);
    const cursor = query.get('cursor');
    const walk = cursor === null ? undefined : this.#walks.of(ws, x, cursor, query);
    if (cursor !== null && !walk) return undefined;
    const filters = new Map<string, string>(walk?.filters);
    for (const [name, value] of query) {
      if (['limit', 'cursor', 'sort'].includes(name)) continue;
      const field = FILTER.exec(name)?.[1];
      const filter = known.find((candidate) => candidate.field === field);
      if (!filter || value === '') return undefined;
      if (filter.values.length > 0 && !filter.values.includes(value)) {
        this.#unlisted(operation, filter.field, value, x);
        return undefined;
      }
      if (value.startsWith('wmct-no-')) this.#unlisted(operation, filter.field, value, x);
      if (filter.field === 'assignee_id') this.#judgeUnused(ws, value, x);
      filters.set(filter.field, value);
    }
    const sentLimit = query.get('limit');
    const limit = metaOf(x).limit;
    const sort = query.get('sort') ?? undefined;
    const inProject = operation.id === 'list_project_tasks' ? decodeURIComponent(x.path.split('/')[2] ?? '') : undefined;
    const project = inProject ?? filters.get('project_id');
    const container = project === undefined ? undefined : ws.get('project', project);
    const candidates = this.#candidates(ws, operation, project);
    const expected = candidates.filter((entry) => matches(entry, filters) && !maybeHidden(ws, entry, x.as));
    const isOpen = ({ doubts, state }: Entry) => [...filters.keys()].some((field) => doubts?.has(field) && !state.has(field));
    return {
      x,
      operation,
      ws,
      rows: records(x),
      filters,
      project,
      // A cursor alone keeps the filters; whether it keeps the order is open.
      sort: walk && sort === undefined ? undefined : sort,
      limit:
        this.#judge.release < '1.1'
          ? undefined
          : sentLimit === null
            ? walk
              ? (limit as number)
              : 20
            : typeof limit === 'number'
              ? limit
              : Number(sentLimit),
      before: walk,
      first: !walk,
      expected,
      exclusive: container?.own === true && !maybeHidden(ws, container, x.as) && !candidates.some(isOpen),
    };
  }

  /** An id that is no member's, or the beginning of one: no record comes. */
  #judgeUnused(ws: Workspace, value: string, x: Exchange): void {
    const begins = [...ws.people].some((id) => id !== value && id.startsWith(value));
    if (ws.people.has(value) || !(begins || ws.unusedIds.has(value))) return;
    const found = records(x).length;
    const clause = begins ? 'WM-LIST-034' : 'WM-LIST-033';
    const say = sayThat(`${found} records match an id that no user has`);
    if (!this.#judge.must(clause, found === 0, say, x)) return;
    const { has_more, total } = metaOf(x);
    const more = sayThat(`an empty list has the total ${shown(total)} and has_more ${shown(has_more)}`);
    this.#judge.must('WM-LIST-033', has_more !== true && Number(total ?? 0) === 0, more, x);
  }

  /** A value that no record has: if it is not refused, no record comes. */
  #unlisted(operation: Operation, field: string, value: string, x: Exchange): void {
    const strange = records(x).filter((row) => row[field] !== undefined && row[field] !== value).length;
    const say = sayThat(`${strange} records come for filter[${field}]=${value}, which none has`);
    this.#judge.must(unlistedClause(field) ?? filterClause(operation.id, field), strange === 0, say, x);
  }

  #candidates(ws: Workspace, operation: Operation, project: string | undefined): readonly Entry[] {
    const live = ws.live(kindOfList(operation));
    // No client comments a task of ours: what one whole list has shown, each other shows.
    if (operation.id === 'list_comments') return [];
    return project === undefined || operation.id === 'list_projects'
      ? live
      : live.filter((entry) => fieldOf(entry, 'project_id') === project);
  }
}
