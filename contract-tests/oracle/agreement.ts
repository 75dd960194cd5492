// Whether lists agree about others' records: one that was shown before and after a whole list is in it.
import { type Exchange, isRecord, type Json, metaOf, resource, text, withoutBody } from '../engine/exchange.ts';
import { keepLatest } from '../engine/keep-latest.ts';
import { instant } from '../engine/shapes.ts';
import { filterClause, missingClause } from './clauses.ts';
import { differs, type Judge, NOTHING, sameValue, sayThat } from './judge.ts';
import { fieldOf, type Kind, kindsOfMade, sameUser, type Workspace } from './model.ts';
import { kindOfList, moved, type Page } from './page.ts';
import type { Suspicions } from './suspicions.ts';

/** How a response showed a record, and the whole lists since that should have had it. */
interface Look {
  readonly row: Json;
  readonly x: Exchange;
  /** The look before this one, which showed a field otherwise at the same updated_at. */
  readonly otherwise?: { readonly name: string; readonly look: Look } | undefined;
  readonly absent: { readonly page: Page; readonly clause: string; readonly atOnce: boolean }[];
}

/** Whether a record, as a row shows it, belongs into a list. */
const belongs = (row: Json, { filters, project }: Page): boolean =>
  [...filters].every(([field, value]) => row[field] === value) && (project === undefined || row.project_id === project);

/** Each whole list goes through all of them. */
const MAX_LOOKS = 5000;
const MAX_FRESH = 1000;
/** Later on others have had the time to delete it. */
const SOON_MS = 60_000;
/** A record that is gone for good is missing in each list. */
const ENOUGH_ABSENT = 3;
/** Times may be whole seconds, and the target's clock is known to about one. */
const TICK_MS = 5000;

export class Agreement {
  readonly #judge: Judge;
  readonly #suspicions: Suspicions;
  readonly #looks = new Map<string, Look>();
  /** The last list that something is missing in. */
  #suspected = 0;
  /** Records that were made and not looked for since. */
  readonly #fresh = new Map<string, Look>();

  constructor(judge: Judge, suspicions: Suspicions) {
    this.#judge = judge;
    this.#suspicions = suspicions;
  }

  /** A record was read by its id, or written. */
  read(ws: Workspace, kind: Kind, x: Exchange): void {
    const row = resource(x);
    if (isRecord(x.json)) this.#look(ws, kind, row, x);
    const key = `${ws.name} ${kind} ${row.id}`;
    this.#fresh.delete(key);
    if (x.method === 'POST') this.#fresh.set(key, { row, x, absent: [] });
    keepLatest(this.#fresh, MAX_FRESH);
  }

  /** A new record is in the lists that it belongs into: others delete some, not most of a kind. */
  #made(page: Page, kind: Kind, come: ReadonlySet<string>, clause: string): void {
    const { ws, x } = page;
    // A task that goes with its project is gone at once.
    const projects = new Set(page.rows.map(({ project_id }) => project_id));
    for (const [key, look] of this.#fresh) {
      const id = String(look.row.id);
      if (!key.startsWith(`${ws.name} ${kind} `) || !this.#isFor(look, page)) continue;
      const { gone, unsure } = ws.get(kind, id) ?? {};
      if (gone || unsure) continue;
      this.#fresh.delete(key);
      if (x.sent - look.x.came > SOON_MS || !projects.has(look.row.project_id)) continue;
      const say = sayThat(`a new ${kind} is not in a list that it belongs into`);
      this.#judge.often(clause, kindsOfMade(this.#judge, kind, look.x), come.has(id), say, look.x, x);
    }
  }

  /** Whether a list shows a record, as far as filters and keys go: private projects are not there for everybody. */
  #isFor({ row, x }: Look, page: Page): boolean {
    return belongs(row, page) && (sameUser(page.ws, x.as, page.x.as) || this.#isForAll(page.ws, row));
  }

  #isForAll(ws: Workspace, row: Json): boolean {
    const project = row.project_id === undefined ? undefined : ws.get('project', String(row.project_id));
    const visibility = row.member_count === undefined ? (row.visibility ?? (project && fieldOf(project, 'visibility'))) : 'team';
    return !this.#judge.alone && (visibility === 'team' || visibility === 'public');
  }

  list(page: Page): void {
    const { x, ws, operation, rows, before } = page;
    const kind = kindOfList(operation);
    if (kind !== 'task' && kind !== 'project' && kind !== 'team') return;
    const seen = this.#judge.alone ? x : withoutBody(x);
    for (const row of rows) this.#look(ws, kind, row, seen);
    if (metaOf(x).has_more !== false || moved({ before, ws, x }) || x.beside?.length) return;
    const come = new Set([...(before?.ids ?? []), ...rows.map(({ id }) => String(id))]);
    const [field] = page.filters.keys();
    const clause = field === undefined ? missingClause(operation.id) : filterClause(operation.id, field);
    if (!this.#judge.alone) this.#made(page, kind, come, clause);
    const slim = this.#judge.alone ? page : { ...page, x: seen, rows: [], before: undefined, expected: [] };
    for (const [key, look] of this.#looks) {
      if (!key.startsWith(`${ws.name} ${kind} `) || !this.#isFor(look, page)) continue;
      if (come.has(String(look.row.id))) this.#judge.must(clause, true, NOTHING);
      else if (look.absent.length < ENOUGH_ABSENT) look.absent.push({ page: slim, clause, atOnce: !before });
    }
  }

  /** Others may have changed a record, and back again: its updated_at tells, and so does a third one. */
  #look(ws: Workspace, kind: Kind, row: Json, x: Exchange): void {
    const id = text(row.id);
    if (id === undefined || ws.get(kind, id)?.own || (kind !== 'task' && kind !== 'project' && kind !== 'team')) return;
    // The view that one user has of a private project says nothing of another's.
    const key = `${ws.name} ${kind} ${id} ${this.#isForAll(ws, row) ? '' : (ws.profiles.get(x.as) ?? x.as)}`;
    const known = this.#looks.get(key);
    if (known) this.#judgeAbsence(ws, kind, row, x, known);
    const otherwise = kind === 'team' ? undefined : known && this.#otherwise(kind, row, x, known, ws.touches.get(kind) === true);
    keepLatest(this.#looks, MAX_LOOKS);
    this.#looks.set(key, { row, x, absent: [], otherwise });
  }

  /** A deleted record does not come back: a record that is there before and after was there all the time. */
  #judgeAbsence(ws: Workspace, kind: Kind, row: Json, x: Exchange, known: Look): void {
    const { alone } = this.#judge;
    for (const { page, clause, atOnce } of known.absent) {
      const fields = [...page.filters.keys()];
      const stays = fields.length === 0 && kind !== 'project';
      const same = ['updated_at', ...fields].every((name) => sameValue(name, row[name], known.row[name]));
      const alike = [x, known.x].every((look) => sameUser(ws, look.as, page.x.as));
      const apart = known.x.came <= page.x.sent && page.x.came <= x.sent;
      if (!apart || !(same || stays) || !(alike || this.#isForAll(ws, row))) continue;
      const what = [...page.filters].map(([field, value]) => ` with filter[${field}]=${value}`).join('');
      const say = differs(`a ${kind} that other responses show before and after${what}`, 'in the whole list', 'missing');
      // From one page to the next others may move what they are sorted by.
      const sure = !alone && atOnce && (kind === 'team' || (same && alike && ws.touches.get(kind)));
      // Who hides a project for a while hides all that is in it.
      const again = !alone && page.x.number === this.#suspected;
      if (sure) this.#judge.must(clause, false, say, known.x, page.x, x);
      else if (!again) this.#suspicions.add(clause, `absent ${page.operation.id} ${fields}`, say, known.x, page.x, x);
      this.#suspected = page.x.number;
    }
  }

  /** Differences from the last look; a third look that agrees with the first says that the second was wrong. */
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
      this.#judge.must(known.x.operation?.returns === 'list' ? 'WM-ENV-006' : 'WM-ENV-005', false, say, first.x, known.x, x);
    }
    const name = this.#judge.rules.create[kind].find(
      (rule) => rule.name in row && rule.name in known.row && !same(row, known.row, rule.name),
    )?.name;
    return name === undefined ? undefined : { name, look: known };
  }
}
