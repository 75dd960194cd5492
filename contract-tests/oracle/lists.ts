// Holds every page of every list against the model: membership, order, what comes twice or never, totals, has_more and cursors.
import { type Exchange, type Json, metaOf, records, succeeded, text } from '../engine/exchange.ts';
import type { Operation } from '../engine/operations.ts';
import { instant } from '../engine/shapes.ts';
import {
  effectClause,
  filterClause,
  ghostClause,
  leakClause,
  missingClause,
  sortClause,
  totalClause,
  unlistedClause,
} from './clauses.ts';
import { differs, type Judge, NOTHING, shown } from './judge.ts';
import { type Entry, fieldOf, type Kind, maybeHidden, type Refused, sameUser, type Workspace } from './model.ts';

/** A walk through a list: what its pages have shown up to a cursor. */
interface Walk {
  readonly filters: ReadonlyMap<string, string>;
  readonly sort: string | undefined;
  readonly pages: readonly Exchange[];
  readonly ids: readonly string[];
  readonly epoch: number;
}

/** A list, as it was asked for. */
export interface Asked {
  readonly path: string;
  readonly query: string;
  readonly as: Exchange['as'];
}

/** What whole lists of one path have shown. */
interface Whole {
  /** The one that is known, and its ids. */
  readonly asked: Asked;
  readonly known: readonly string[] | undefined;
  /** What differed from it since, if nobody came or went. */
  readonly blames: Map<string, { asked: Asked; blame: () => void }>;
  /** What differed once though the known list is as it was: a second time is no coincidence. */
  readonly once: Map<string, Asked>;
}

interface Page {
  readonly x: Exchange;
  readonly operation: Operation;
  readonly ws: Workspace;
  readonly rows: readonly Json[];
  readonly filters: ReadonlyMap<string, string>;
  readonly sort: string | undefined;
  readonly limit: number | undefined;
  /** The pages before this one; undefined when it is not known what the cursor stands for. */
  readonly before: Walk | undefined;
  readonly first: boolean;
  /** Our records that belong into the whole list. */
  readonly expected: readonly Entry[];
  /** Nobody else has records in this list. */
  readonly exclusive: boolean;
}

const KIND: Readonly<Record<string, Kind>> = {
  list_projects: 'project',
  list_tasks: 'task',
  list_project_tasks: 'task',
  list_teams: 'team',
  list_members: 'member',
  list_comments: 'comment',
};

export const kindOfList = (operation: Operation): Kind => KIND[operation.id]!;

const FILTER = /^filter\[(\w+)\]$/;

/** A title whose place no collation changes: small letters and digits, in the same pattern as its neighbour's. */
const pattern = (title: string): string | undefined =>
  /^[a-z0-9 ]+$/.test(title) ? title.replace(/[a-z]/g, 'a').replace(/\d/g, '0') : undefined;

/** Values of one pattern can be compared; undefined: with none. */
const patternOf = (value: unknown, field: string): string | undefined => {
  if (typeof value !== 'string') return undefined;
  return field === 'title' ? pattern(value) : Number.isNaN(instant(value)) ? undefined : 'time';
};

const patternsOf = (rows: readonly Json[], field: string): ReadonlySet<string> =>
  new Set(rows.map((row) => patternOf(row[field], field)).filter((like) => like !== undefined));

/** Whether two neighbours stand in order; undefined when it can't be told. */
const inOrder = (a: unknown, b: unknown, field: string, sign: 1 | -1): boolean | undefined => {
  if (field === 'title') {
    if (typeof a !== 'string' || typeof b !== 'string' || pattern(a) === undefined || pattern(a) !== pattern(b)) return undefined;
    return a === b || a < b === (sign === 1);
  }
  const [x, y] = [instant(a), instant(b)];
  if (Number.isNaN(x) || Number.isNaN(y)) return undefined;
  return x === y || x < y === (sign === 1);
};

export class Lists {
  readonly #judge: Judge;
  /** By cursor and query: a cursor may be a mere place, the same in every list. The last one stands for a cursor alone. */
  readonly #cursors = new Map<string, Walk>();
  /** What whole lists of comments and members have shown, by workspace and path. */
  readonly #whole = new Map<string, Whole>();
  /** The last pages of each list, whatever its order and limit. */
  readonly #latest = new Map<string, readonly Exchange[]>();
  /** Differences in lists that others write to as well: the same one twice is no coincidence. */
  readonly #suspected = new Map<string, readonly Exchange[]>();

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  /** True when a cursor is none of this very query. */
  cursorIsOpen(ws: Workspace, x: Exchange): boolean {
    const query = new URLSearchParams(x.query);
    const cursor = query.get('cursor');
    if (cursor === null) return false;
    return this.#walk(ws, x, cursor, query) === undefined;
  }

  observe(ws: Workspace, strangers: readonly Workspace[], operation: Operation, x: Exchange): void {
    if (!succeeded(x)) return;
    const page = this.#page(ws, operation, x);
    if (!page) return;
    this.#membership(page, strangers);
    this.#order(page);
    this.#repeats(page);
    this.#size(page);
    this.#totals(page);
    this.#end(page);
    this.#settled(page);
    this.#remember(page);
  }

  #key(ws: Workspace, x: Exchange, cursor: string, filters?: Iterable<readonly [string, string]>, sort?: string): string {
    const query = filters ? `${[...filters].map(String).sort().join('&')} ${sort ?? ''}` : '';
    return `${ws.name} ${x.path} ${cursor} ${query}`;
  }

  /** What a cursor continues: it goes with its own filters and sort, or with none. */
  #walk(ws: Workspace, x: Exchange, cursor: string, query: URLSearchParams): Walk | undefined {
    const filters = [...query].flatMap(([name, value]) => {
      const field = FILTER.exec(name)?.[1];
      return field === undefined ? [] : [[field, value] as const];
    });
    const sort = query.get('sort') ?? undefined;
    const exact = this.#cursors.get(this.#key(ws, x, cursor, filters, sort));
    if (exact) return exact;
    const last = this.#cursors.get(this.#key(ws, x, cursor));
    if (!last || (sort !== undefined && sort !== last.sort)) return undefined;
    const same = filters.length === last.filters.size && filters.every(([field, value]) => last.filters.get(field) === value);
    return filters.length === 0 || same ? last : undefined;
  }

  #page(ws: Workspace, operation: Operation, x: Exchange): Page | undefined {
    const query = new URLSearchParams(x.query);
    const known = this.#judge.rules.filters(operation.id);
    const cursor = query.get('cursor');
    const walk = cursor === null ? undefined : this.#walk(ws, x, cursor, query);
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
      filters.set(filter.field, value);
    }
    const asked = query.get('limit');
    const limit = metaOf(x).limit;
    const sort = query.get('sort') ?? undefined;
    const inProject = operation.id === 'list_project_tasks' ? decodeURIComponent(x.path.split('/')[2] ?? '') : undefined;
    const project = inProject ?? filters.get('project_id');
    const container = project === undefined ? undefined : ws.get('project', project);
    const expected = this.#candidates(ws, operation, project).filter(
      (entry) => matches(entry, filters) && !maybeHidden(ws, entry, x.as),
    );
    return {
      x,
      operation,
      ws,
      rows: records(x),
      filters,
      // A cursor alone keeps the filters; whether it keeps the order is open.
      sort: walk && sort === undefined ? undefined : sort,
      limit:
        this.#judge.release < '1.1'
          ? undefined
          : asked === null
            ? walk
              ? (limit as number)
              : 20
            : typeof limit === 'number'
              ? limit
              : Number(asked),
      before: walk,
      first: !walk,
      expected,
      exclusive: container?.own === true && !maybeHidden(ws, container, x.as),
    };
  }

  /** A value that no record has: if it is not refused, no record comes. */
  #unlisted(operation: Operation, field: string, value: string, x: Exchange): void {
    const strange = records(x).filter((row) => row[field] !== undefined && row[field] !== value).length;
    const say = () => ({ message: `${strange} records come for filter[${field}]=${value}, which none has` });
    this.#judge.must(unlistedClause[field] ?? filterClause(operation.id, field), strange === 0, say, x);
  }

  #candidates(ws: Workspace, operation: Operation, project: string | undefined): readonly Entry[] {
    const live = ws.live(kindOfList(operation));
    // Nobody comments a task of ours: what one whole list has shown, each other shows.
    if (operation.id === 'list_comments') return [];
    return project === undefined || operation.id === 'list_projects'
      ? live
      : live.filter((entry) => fieldOf(entry, 'project_id') === project);
  }

  #membership({ x, operation, ws, rows, filters, first, exclusive, expected }: Page, strangers: readonly Workspace[]): void {
    const kind = kindOfList(operation);
    const wanted = new Set(expected.map(({ id }) => id));
    for (const row of rows) {
      const id = text(row.id);
      if (id === undefined) continue;
      const entry = ws.get(kind, id);
      if (entry?.gone) {
        this.#judge.must(
          ghostClause[kind] ?? 'WM-EP-050',
          false,
          () => ({ message: `a deleted ${kind} is in the list` }),
          entry.gone,
          x,
        );
        continue;
      }
      if (entry?.missed) {
        const { missed } = entry;
        const say = () => ({ message: `${missed.method} of a ${kind} that is in the list is answered 404` });
        // What another user's key sees may be of a private project.
        if (sameUser(ws, missed.as, x.as))
          this.#judge.must(missed.operation?.id === 'read_task' ? 'WM-EP-039' : 'WM-GEN-009', false, say, missed, x);
        delete entry.missed;
      }
      if (kind !== 'member') {
        // Ids may be unique within a workspace alone: a record that only was seen there is known by its creation too.
        const leaked = strangers.some((other) => {
          const there = other.get(kind, id);
          return there && !entry?.own && (there.own || fieldOf(there, 'created_at') === row.created_at);
        });
        this.#judge.must(
          leakClause[operation.id]!,
          !leaked,
          () => ({ message: `a ${kind} of another workspace is in the list` }),
          x,
        );
        if (leaked) continue;
      }
      for (const [field, value] of filters) {
        const has = entry?.own ? fieldOf(entry, field) : row[field];
        if (has === undefined || (operation.id === 'list_project_tasks' && field === 'project_id')) continue;
        const requirement = !first ? 'WM-LIST-008' : filters.size > 1 ? 'WM-LIST-009' : filterClause(operation.id, field);
        this.#judge.must(
          requirement,
          has === value,
          () => differs(`${field} of a row of filter[${field}]=${value}`, value, has),
          x,
        );
      }
      const culprit = entry?.own ? undefined : this.#culprit(ws, kind, row);
      if (culprit) this.#leftover(culprit, kind, x);
      else if (!entry?.own && this.#twin(ws, kind, row))
        this.#judge.must(missingClause[operation.id]!, false, () => ({ message: `one create made two: ${shown(row.name)}` }), x);
      else if (!entry?.own && this.#unexplained(ws, kind, row))
        this.#judge.must(missingClause[operation.id]!, false, () => ({ message: `no request made ${shown(row.name)}` }), x);
      else if (exclusive && !wanted.has(id) && !(entry?.own && !matches(entry, filters))) this.#stranger(ws, operation, row, x);
    }
    if (exclusive)
      for (const { x: refused, foreign } of ws.refused.filter(({ target }) => target === undefined))
        this.#judge.must(effectClause(refused.status, foreign, madeKind(refused)), true, NOTHING);
  }

  /** A project or team of ours with the very name of this row, which is not ours. */
  #twin(ws: Workspace, kind: Kind, row: Json): boolean {
    const { name } = row;
    if (typeof name !== 'string' || !/wmct-/.test(name) || (kind !== 'project' && kind !== 'team')) return false;
    return ws.live(kind).some((entry) => fieldOf(entry, 'name') === name) && !ws.lost.has(name);
  }

  /** A project or team with the name of this run that is not ours. */
  #unexplained(ws: Workspace, kind: Kind, { name }: Json): boolean {
    if ((kind !== 'project' && kind !== 'team') || typeof name !== 'string') return false;
    return name.includes(this.#judge.mark) && ![...ws.lost].some((lost) => name.includes(lost));
  }

  /** The create that was refused and made this row all the same: each has a name of its own. */
  #culprit(ws: Workspace, kind: Kind, row: Json): Refused | undefined {
    for (const name of [kind === 'task' ? 'title' : 'name', 'description']) {
      const value = row[name];
      if (typeof value !== 'string' || !/wmct-/.test(value)) continue;
      const found = ws.refused.find(({ body, target }) => target === undefined && body[name] === value);
      if (found) return found;
    }
    return undefined;
  }

  #leftover({ x: refused, foreign }: Refused, kind: Kind, x: Exchange): void {
    const requirement = effectClause(refused.status, foreign, kind);
    this.#judge.must(
      requirement,
      false,
      () => ({ message: `a create that was refused with ${refused.status} made a ${kind}` }),
      refused,
      x,
    );
  }

  /** A row in a list of ours that nobody else can have made. */
  #stranger(ws: Workspace, operation: Operation, row: Json, x: Exchange): void {
    const path = x.path.endsWith('/tasks') ? x.path : undefined;
    const refused = ws.refused.findLast((one) => one.target === undefined && one.x.path === path);
    if (refused && !String(row.title).startsWith('wm ')) this.#leftover(refused, 'task', x);
    else {
      const requirement = operation.id === 'list_project_tasks' ? 'WM-EP-037' : 'WM-LIST-015';
      this.#judge.must(
        requirement,
        false,
        () => ({ message: `the list has a task that is not of the project: ${shown(row.title)}` }),
        x,
      );
    }
  }

  #order({ x, operation, rows, sort, before }: Page): void {
    if (sort === undefined) return;
    const sign = sort.startsWith('-') ? -1 : 1;
    const field = sort.replace('-', '');
    const earlier = before?.pages.flatMap((page) => records(page)) ?? [];
    // Records without the field stand anywhere; those that have it, and can be compared, stand in its order.
    for (const like of patternsOf(rows, field)) {
      const valued = rows.map((row) => row[field]).filter((value) => patternOf(value, field) === like);
      for (const [i, b] of valued.entries()) {
        const a = valued[i - 1];
        if (i === 0 || inOrder(a, b, field, sign) !== false) continue;
        const say = () => ({ message: `sort=${sort}: ${shown(a)} stands before ${shown(b)}` });
        this.#judge.must(sortClause(operation.id, sort), false, say, x);
        return;
      }
      if (valued.length > 1) this.#judge.must(sortClause(operation.id, sort), true, NOTHING);
      const tail = earlier.map((row) => row[field]).findLast((value) => patternOf(value, field) === like);
      if (!before || tail === undefined) continue;
      const say = () => ({ message: `sort=${sort}: ${shown(tail)} ends a page and ${shown(valued[0])} begins the next` });
      this.#judge.must('WM-SORT-008', inOrder(tail, valued[0], field, sign) !== false, say, before.pages.at(-1)!, x);
    }
  }

  #repeats({ x, rows, before, ws, operation, exclusive }: Page): void {
    const own = (id: string) => operation.answers === 'list' && ws.get(kindOfList(operation), id)?.own === true;
    const ids = rows.map((row) => String(row.id));
    const twice = ids.filter((id, i) => ids.indexOf(id) !== i);
    this.#judge.must('WM-LIST-007', twice.length === 0, () => ({ message: `${twice.length} records come twice on one page` }), x);
    if (!before || ids.length === 0) return;
    const again = ids.filter((id) => before.ids.includes(id));
    const restarts = again.length === ids.length && String(records(before.pages[0]!)[0]?.id) === ids[0];
    // Where others write between two pages, records move from one to the next.
    if (again.length > 0 && !exclusive) {
      const requirement = restarts ? 'WM-LIST-004' : 'WM-LIST-007';
      const say = () => ({ message: `${again.length} records come on two pages` });
      if (!moved(before, x)) this.#suspect(requirement, `again ${x.path}`, say, x);
      return;
    }
    this.#judge.must(
      'WM-LIST-004',
      !restarts,
      () => ({ message: 'next_cursor leads back to the first page' }),
      before.pages.at(-1)!,
      x,
    );
    // Others may write to their records between two pages, and move them by it.
    const wrong = restarts ? [] : again.filter((id) => own(id) || before.sort === undefined);
    const stable = before.epoch === ws.epoch;
    if (stable)
      this.#judge.must(
        'WM-LIST-007',
        wrong.length === 0,
        () => ({ message: `${wrong.length} records come twice` }),
        before.pages.at(-1)!,
        x,
      );
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
        () => differs('the number of records on a page that is not the last', limit, rows.length),
        x,
      );
  }

  #totals({ x, ws, operation, rows, expected, exclusive, filters, before, first }: Page): void {
    const { total, has_more } = metaOf(x);
    if (typeof total !== 'number' || typeof has_more !== 'boolean') return;
    const requirement = totalClause(operation.id, exclusive, filters.size > 0);
    const place = (before?.ids.length ?? 0) + rows.length;
    if (exclusive) {
      // Whether a walk counts what changes under it is open.
      if (before && before.epoch !== ws.epoch) return;
      this.#judge.must(requirement, total === expected.length, () => differs('total', expected.length, total), x);
      const more = place < expected.length;
      const wrong = more
        ? 'WM-META-008'
        : rows.length > 0 && place === expected.length && rows.length === metaOf(x).limit
          ? 'WM-META-013'
          : 'WM-META-009';
      if (rows.length <= expected.length)
        this.#judge.must(
          wrong,
          has_more === more,
          () => differs('has_more', more, has_more),
          ...(before ? [before.pages.at(-1)!] : []),
          x,
        );
      return;
    }
    this.#judge.must(
      requirement,
      total >= expected.length,
      () => differs('total, with so many of ours,', expected.length, total),
      x,
    );
    const dip = this.#dip(ws, x, filters);
    if (dip) {
      const told = () => differs('total of a page, as on the pages before and after it,', total, metaOf(dip).total);
      this.#suspect(requirement, `total dips ${x.path} ${Number(metaOf(dip).total) - total}`, told, dip, x);
    }
    if (first) {
      const ok = has_more ? total > rows.length : total === rows.length;
      this.#judge.must(
        requirement,
        ok,
        () => ({ message: `total is ${total} with ${rows.length} records and has_more ${has_more}` }),
        x,
      );
    } else if (has_more && total <= place && rows.length > 0 && !moved(before, x))
      this.#suspect(
        // Where more have come than there are, it is the total that is wrong.
        total < place ? requirement : 'WM-META-009',
        `more ${x.path}`,
        () => ({ message: `total is ${total}, and has_more true, when ${place} records have come` }),
        x,
      );
    else if (!has_more && total !== place && !moved(before, x))
      this.#suspect(
        requirement,
        `total ${x.path} ${total - place}`,
        () => differs('total at the end of the list', place, total),
        x,
      );
  }

  /**
   * Comments and members are not ours to make: what one whole list has shown, others show too. People may come and go, so what differs is a
   * fault only when it does so twice, and the very request that the whole list was the answer to shows the same before and after.
   */
  #settled({ x, operation, ws, rows, before }: Page): void {
    if (operation.id !== 'list_comments' && operation.id !== 'list_members') return;
    const key = `${ws.name} ${x.path}`;
    const asked = { path: x.path, query: x.query, as: x.as };
    const whole = this.#whole.get(key) ?? { asked, known: undefined, blames: new Map(), once: new Map<string, Asked>() };
    this.#whole.set(key, whole);
    const { known, blames, once } = whole;
    const { total, has_more } = metaOf(x);
    const ids = [...(before?.ids ?? []), ...rows.map((row) => String(row.id))];
    const differ = (requirement: string, ok: boolean, what: string) => {
      const blame = () => this.#judge.must(requirement, false, () => ({ message: what }), x);
      if (ok) this.#judge.must(requirement, true, NOTHING);
      else if (ws.get('task', x.path.split('/')[2] ?? '')?.own) blame();
      else blames.set(`${x.as} ${x.query} ${what}`, { asked, blame });
    };
    const missing = missingClause[operation.id]!;
    if (known) {
      if (typeof total === 'number')
        differ(totalClause(operation.id, false, false), total === known.length, `total is ${total} of ${known.length}`);
      const fresh = ids.filter((id) => !known.includes(id));
      differ(missing, fresh.length === 0, 'a record comes that the whole list has not');
    }
    if (has_more !== false || new Set(ids).size !== ids.length) return;
    if (known && ids.length < known.length) differ(missing, false, `${ids.length} records of ${known.length} come`);
    if (before || (known && (x.query !== whole.asked.query || x.as !== whole.asked.as))) return;
    // The same question once more: others came or went, or all is as it was and what came between was wrong.
    const same = known?.length === ids.length && known.every((id) => ids.includes(id));
    for (const [what, found] of same ? blames : []) {
      if (once.has(what)) found.blame();
      else once.set(what, found.asked);
    }
    this.#whole.set(key, { asked, known: ids, blames: new Map(), once });
  }

  /** What a further look at lists would tell more of, in this order. */
  get unsettled(): readonly Asked[] {
    return [...this.#whole.values()].flatMap(({ asked, blames, once }) => {
      const again = [...once].filter(([what]) => !blames.has(what)).map(([, found]) => found);
      return blames.size + again.length > 0 ? [...again, asked] : [];
    });
  }

  /** How often something was seen so far that others may have caused: once more tells. */
  get suspicions(): number {
    return [...this.#suspected.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** The page before, when it had another total than its neighbours though nobody came or went. */
  #dip(ws: Workspace, x: Exchange, filters: ReadonlyMap<string, string>): Exchange | undefined {
    const key = `${ws.name} ${x.path} ${[...filters].map(String).sort().join('&')}`;
    const [first, middle] = (this.#latest.get(key) ?? []).slice(-2);
    this.#latest.set(key, [...(middle ? [middle] : first ? [first] : []), x]);
    if (!first || !middle || !undisturbed(first, middle) || !undisturbed(middle, x)) return undefined;
    const total = (page: Exchange) => metaOf(page).total;
    return total(first) === total(x) && total(middle) !== total(x) ? middle : undefined;
  }

  /** Blames on the third time what others' writes between two pages could explain once or twice; a walk that shows it is walked again. */
  #suspect(requirement: string, what: string, say: () => { message: string }, ...shown: readonly Exchange[]): void {
    const known = [...(this.#suspected.get(what) ?? []), ...shown.slice(-1)];
    this.#suspected.set(what, known);
    if (known.length >= 3) this.#judge.must(requirement, false, say, ...(shown.length > 1 ? shown : known.slice(-2)));
  }

  /** At the end of a list every record of ours that belongs into it has come. */
  #end({ x, operation, expected, before, rows, filters, first, ws, exclusive }: Page): void {
    const { has_more, next_cursor } = metaOf(x);
    const ended = has_more === false || (this.#judge.release >= '1.1' && has_more === undefined && next_cursor === null);
    if (!ended || (before && before.epoch !== ws.epoch)) return;
    if (this.#judge.release < '1.1' && !first) return;
    const come = new Set([...(before?.ids ?? []), ...rows.map((row) => String(row.id))]);
    const ghosts = ghostClause[kindOfList(operation)];
    if (
      ghosts &&
      [...ws.entries.values()].some((entry) => entry.kind === kindOfList(operation) && entry.gone && !come.has(entry.id))
    )
      this.#judge.must(ghosts, true, NOTHING);
    const missing = expected.filter(({ id }) => !come.has(id));
    const name = () => ({
      message: `${missing.length} of ${expected.length} records never come${filters.size > 0 ? ` with ${[...filters].map(([field, value]) => `filter[${field}]=${value}`).join(' and ')}` : ''}`,
    });
    // A filter that lost a record since it was changed goes by what the record was.
    const changed = missing.some((entry) => [...filters.keys()].some((field) => entry.state.get(field)?.from === 'update'));
    const clause = changed ? 'WM-LIST-052' : first ? this.#firstClause(operation, filters) : 'WM-LIST-006';
    if (first && filters.size > 0 && expected.some((entry) => entry.written !== entry.made))
      this.#judge.must('WM-LIST-052', !changed, name, x);
    // Where others delete between two pages, a record of ours moves up to one that has been read.
    if (missing.length > 0 && before && !exclusive) {
      if (!moved(before, x)) this.#suspect(clause, `missing ${x.path}`, name, x);
      return;
    }
    this.#judge.must(
      clause,
      missing.length === 0,
      name,
      ...(missing[0] ? [missing[0].made] : []),
      ...(before?.pages.slice(-1) ?? []),
      x,
    );
    if (!first) this.#judge.must('WM-LIST-005', true, NOTHING);
  }

  #firstClause(operation: Operation, filters: ReadonlyMap<string, string>): string {
    if (filters.size > 1) return 'WM-LIST-009';
    const [field] = filters.keys();
    return field === undefined ? missingClause[operation.id]! : filterClause(operation.id, field);
  }

  #remember({ x, ws, rows, filters, sort, before }: Page): void {
    const cursor = text(metaOf(x).next_cursor);
    if (cursor === undefined) return;
    const walk = {
      filters,
      sort: sort ?? before?.sort,
      pages: [...(before?.pages ?? []), x],
      ids: [...(before?.ids ?? []), ...rows.map((row) => String(row.id))],
      epoch: before?.epoch ?? ws.epoch,
    };
    this.#cursors.set(this.#key(ws, x, cursor, filters, walk.sort), walk);
    this.#cursors.set(this.#key(ws, x, cursor), walk);
  }
}

/** Others wrote to a list between its pages: it had more records, or fewer. */
const moved = (before: Walk | undefined, x: Exchange): boolean =>
  (before?.pages ?? []).some((page) => metaOf(page).total !== metaOf(x).total);

/** No request of others came between two of ours, as the budget of the workspace has it. */
const undisturbed = (a: Exchange, b: Exchange): boolean => {
  const left = (x: Exchange) => Number(x.headers.get('x-ratelimit-remaining') ?? Number.NaN);
  return b.number === a.number + 1 && left(a) - left(b) === 1;
};

const madeKind = ({ operation }: Exchange): string => operation?.shape ?? 'task';

const matches = (entry: Entry, filters: ReadonlyMap<string, string>): boolean =>
  [...filters].every(([field, value]) => fieldOf(entry, field) === value);
