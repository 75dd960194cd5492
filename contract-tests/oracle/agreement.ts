// Whether lists agree about records that are not ours: what was shown before a whole list and after it, and belongs into it, stands in it.
import { type Exchange, isRecord, type Json, metaOf, resource, text, withoutBody } from '../engine/exchange.ts';
import { keepLatest } from '../engine/keep-latest.ts';
import { instant } from '../engine/shapes.ts';
import { filterClause, missingClause } from './clauses.ts';
import { differs, type Judge, NOTHING, sameValue } from './judge.ts';
import { type Kind, sameUser, type Workspace } from './model.ts';
import { kindOfList, moved, type Page } from './page.ts';
import type { Suspicions } from './suspicions.ts';

/** How a response showed a record, and the whole lists since that should have had it. */
interface Look {
  readonly row: Json;
  readonly x: Exchange;
  /** The look before this one, which showed a field otherwise at the same updated_at. */
  readonly otherwise?: { readonly name: string; readonly look: Look } | undefined;
  readonly absent: { readonly page: Page; readonly clause: string }[];
}

/** Whether a record, as a row shows it, belongs into a list. */
const belongs = (row: Json, { filters, project }: Page): boolean =>
  [...filters].every(([field, value]) => row[field] === value) && (project === undefined || row.project_id === project);

/** Each whole list goes through all of them. */
const MAX_LOOKS = 5000;
/** What is gone for good is missing in each list. */
const ENOUGH_ABSENT = 3;
/** Times may be whole seconds, and the target's clock is known to about one. */
const TICK_MS = 5000;

const named = (filters: ReadonlyMap<string, string>): string =>
  [...filters].map(([field, value]) => `filter[${field}]=${value}`).join(' and ');

export class Agreement {
  readonly #judge: Judge;
  readonly #suspicions: Suspicions;
  readonly #looks = new Map<string, Look>();

  constructor(judge: Judge, suspicions: Suspicions) {
    this.#judge = judge;
    this.#suspicions = suspicions;
  }

  /** A record was read by its id. */
  read(ws: Workspace, kind: Kind, x: Exchange): void {
    const row = resource(x);
    if (isRecord(x.json)) this.#look(ws, kind, row, x);
  }

  list(page: Page): void {
    const { x, ws, operation, rows, before } = page;
    const kind = kindOfList(operation);
    if (kind !== 'task' && kind !== 'project') return;
    const seen = this.#judge.alone ? x : withoutBody(x);
    for (const row of rows) this.#look(ws, kind, row, seen);
    if (metaOf(x).has_more !== false || moved({ before, ws, x }) || x.beside?.length) return;
    const come = new Set([...(before?.ids ?? []), ...rows.map(({ id }) => String(id))]);
    const [field] = page.filters.keys();
    const clause = field === undefined ? missingClause(operation.id) : filterClause(operation.id, field);
    const slim = this.#judge.alone ? page : { ...page, x: seen, rows: [], before: undefined, expected: [] };
    for (const [key, look] of this.#looks) {
      const there = key.startsWith(`${ws.name} ${kind} `) && sameUser(ws, look.x.as, x.as) && belongs(look.row, page);
      if (!there) continue;
      if (come.has(String(look.row.id))) this.#judge.must(clause, true, NOTHING);
      else if (look.absent.length < ENOUGH_ABSENT) look.absent.push({ page: slim, clause });
    }
  }

  /** Others may have changed a record, and back again: its updated_at tells, and so does a third one. */
  #look(ws: Workspace, kind: Kind, row: Json, x: Exchange): void {
    const id = text(row.id);
    if (id === undefined || ws.get(kind, id)?.own || (kind !== 'task' && kind !== 'project')) return;
    // What one user is shown says nothing of what another is.
    const key = `${ws.name} ${kind} ${id} ${ws.profiles.get(x.as) ?? x.as}`;
    const known = this.#looks.get(key);
    for (const { page, clause } of known?.absent ?? []) {
      const same = ['updated_at', ...page.filters.keys()].every((name) => sameValue(name, row[name], known!.row[name]));
      if (!same || !sameUser(ws, x.as, page.x.as)) continue;
      const what = page.filters.size > 0 ? ` with ${named(page.filters)}` : '';
      const say = differs(`a ${kind} that other responses show before and after${what}`, 'in the whole list', 'missing');
      const apart = known!.x.came <= page.x.sent && page.x.came <= x.sent;
      // What is gone does not come back, so a record that nobody has changed was there all the time.
      if (!this.#judge.alone && apart && ws.touches.get(kind)) this.#judge.must(clause, false, say, known!.x, page.x, x);
      else if (apart)
        this.#suspicions.add(clause, `absent ${page.operation.id} ${[...page.filters.keys()].join()}`, say, known!.x, page.x, x);
    }
    const otherwise = known && this.#otherwise(kind, row, x, known, ws.touches.get(kind) === true);
    keepLatest(this.#looks, MAX_LOOKS);
    this.#looks.set(key, { row, x, absent: [], otherwise });
  }

  /** What differs from the last look; a third look that shows it as the first did says that the second was wrong. */
  #otherwise(kind: 'task' | 'project', row: Json, x: Exchange, known: Look, moves: boolean): Look['otherwise'] {
    const same = (a: Json, b: Json, name: string) => name in a && name in b && sameValue(name, a[name], b[name]);
    // A change since the last look would have another date, where that one is older than the look.
    const changed = instant(row.updated_at);
    if (!this.#judge.alone && !moves) return undefined;
    if (!same(row, known.row, 'updated_at') || !(changed < known.x.at - TICK_MS)) return undefined;
    const first = known.otherwise?.look;
    const field = known.otherwise?.name ?? '';
    if (first && same(row, first.row, field)) {
      const say = differs(`${field} of a ${kind} at one updated_at`, row[field], known.row[field]);
      this.#judge.must(known.x.operation?.answers === 'list' ? 'WM-ENV-006' : 'WM-ENV-005', false, say, first.x, known.x, x);
    }
    const name = this.#judge.rules.create[kind].find(
      (rule) => rule.name in row && rule.name in known.row && !same(row, known.row, rule.name),
    )?.name;
    return name === undefined ? undefined : { name, look: known };
  }
}
