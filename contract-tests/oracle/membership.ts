// Records of a list: none of another workspace, none deleted, refused or made twice, and each matches the filters.
import { type Claim, claim, fieldAt } from '../engine/claims.ts';
import { type Exchange, type Json, metaOf, text } from '../engine/exchange.ts';
import type { Operation } from '../engine/operations.ts';
import { instant } from '../engine/shapes.ts';
import { effectClause, filterClause, ghostClause, leakClause, missingClause } from './clauses.ts';
import { differs, type Judge, NOTHING, sayThat, shown } from './judge.ts';
import { type Entry, fieldOf, type Kind, type Refused, sameUser, type Workspace } from './model.ts';
import { kindOfList, matches, type Page } from './page.ts';

const IDS = ['body', 'items', '*', 'id'] as const;

export class Membership {
  readonly #judge: Judge;

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  observe({ x, operation, ws, rows, filters, first, exclusive, expected, project }: Page, strangers: readonly Workspace[]): void {
    const kind = kindOfList(operation);
    const wanted = new Set(expected.map(({ id }) => id));
    this.#elsewhere(kind, { x, operation, rows, filters }, strangers);
    for (const row of rows) {
      const id = text(row.id);
      if (id === undefined) continue;
      const entry = ws.get(kind, id);
      if (entry?.gone) {
        const ghost = sayThat(`a deleted ${kind} is in the list: ${shown(id)}`, claim(x, IDS, 'lacks', id));
        this.#judge.must(ghostClause(kind) ?? missingClause(operation.id), false, ghost, entry.gone, x);
        continue;
      }
      if (entry?.missed) {
        const { missed } = entry;
        const say = sayThat(
          `${missed.method} of a ${kind} that is in the list returns 404`,
          claim(missed, ['status'], 'differs', 404),
        );
        // A record that another user's key sees may be of a private project.
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
        const leak = sayThat(`a ${kind} of another workspace is in the list`, claim(x, IDS, 'lacks', id));
        this.#judge.must(leakClause(operation.id), !leaked, leak, x);
        if (leaked) continue;
      }
      for (const [field, value] of filters) {
        const has = entry?.own ? fieldOf(entry, field) : row[field];
        // A list that leaves the field out of each row says nothing; one that does so here and there shows that it has no value.
        const isLeftOut = has === undefined && !rows.some((one) => one[field] !== undefined);
        const isOpen = entry?.own && !entry.state.has(field);
        if (isOpen || isLeftOut || (operation.id === 'list_project_tasks' && field === 'project_id')) continue;
        const plain = !first ? 'WM-LIST-008' : filters.size > 1 ? 'WM-LIST-009' : filterClause(operation.id, field);
        const requirement = first && x.query.includes('%5B') ? 'WM-LIST-018' : plain;
        const equals = claim(x, fieldAt(x, field), 'equals', value);
        const other = differs(`${field} of a row of filter[${field}]=${value}`, value, has, equals);
        this.#judge.must(requirement, has === value, other, x);
      }
      if (operation.id === 'list_project_tasks' && !entry?.own && row.project_id !== undefined) {
        const other = differs('project_id of a row', project, row.project_id, claim(x, IDS, 'lacks', id));
        this.#judge.must('WM-EP-037', row.project_id === project, other, x);
      }
      const twin = entry?.own ? undefined : this.#twin(ws, kind, row);
      const culprit = entry?.own ? undefined : this.#culprit(ws, kind, row, x, entry);
      const unasked = (message: string, by: readonly Exchange[], ...claims: readonly Claim[]) =>
        this.#judge.must(missingClause(operation.id), false, sayThat(message, ...claims), ...by, x);
      const title = shown(row.name ?? row.title);
      const at = fieldAt(x, 'name');
      if (culprit) this.#leftover(culprit, kind, row, x);
      else if (twin) unasked(`one create made two: ${title}`, [twin.made], claim(x, at, 'unique'), claim(x, IDS, 'has', twin.id));
      else if (!entry?.own && this.#unexplained(ws, kind, row))
        unasked(`no request made ${title}`, [], claim(x, at, 'lacks', row.name));
      else if (exclusive && !wanted.has(id) && !(entry?.own && !matches(entry, filters))) this.#stranger(ws, operation, row, x);
    }
    if (exclusive && operation.id === 'list_project_tasks') {
      const strays = rows.filter(({ id }) => ws.get('task', String(id))?.own && !wanted.has(String(id)) && filters.size === 0);
      const say = sayThat(`${strays.length} tasks are in the list of a project that is not their own`);
      this.#judge.must('WM-GEN-005', strays.length === 0 || strays.every(({ id }) => ws.get('task', String(id))?.gone), say, x);
    }
    if (exclusive)
      for (const { x: refused, foreign } of ws.refused.filter(({ target }) => target === undefined))
        this.#judge.must(effectClause(refused.status, foreign, madeKind(refused)), true, NOTHING);
  }

  /** Where another workspace has such records, a list shows and counts none of them. */
  #elsewhere(kind: Kind, page: Pick<Page, 'x' | 'operation' | 'rows' | 'filters'>, strangers: readonly Workspace[]): void {
    const { x, operation, rows, filters } = page;
    if (kind !== 'member' && strangers.some((other) => other.live(kind).length > 0))
      this.#judge.must(leakClause(operation.id), true, NOTHING);
    const project = filters.get('project_id');
    if (project === undefined || !strangers.some((other) => other.get('project', project)?.own === true)) return;
    const say = (message: string, claimed: Claim) => () => ({ message, claims: [{ ...claimed, unless: [400, 404, 422] }] });
    const listed = say('tasks of another workspace are listed', claim(x, ['body', 'items', '*'], 'count', 0));
    if (!this.#judge.must('WM-ISO-020', rows.length === 0, listed, x)) return;
    const { total } = metaOf(x);
    const counted = say(
      `the total of tasks of another workspace's project is ${shown(total)}`,
      claim(x, ['body', 'meta', 'total'], 'equals', 0),
    );
    this.#judge.must('WM-ISO-017', Number(total ?? 0) === 0, counted, x);
  }

  /** A project or team of ours with the very name of this row, which is not ours. */
  #twin(ws: Workspace, kind: Kind, row: Json): Entry | undefined {
    const { name } = row;
    const born = ws.born.get(`${kind} ${String(row.created_at)} ${String(row.title ?? name)}`);
    // No other client makes a record of that title within the very millisecond.
    if (!this.#judge.alone)
      return born?.id === row.id || born?.made.beside?.length || ws.get(kind, String(row.id))?.made.method === 'POST'
        ? undefined
        : born;
    if (typeof name !== 'string' || !/wmct-/.test(name) || (kind !== 'project' && kind !== 'team')) return undefined;
    return ws.lost.has(name) ? undefined : ws.live(kind).find((entry) => fieldOf(entry, 'name') === name);
  }

  /** A project or team with the name of this run that is not ours. */
  #unexplained(ws: Workspace, kind: Kind, { name }: Json): boolean {
    if ((kind !== 'project' && kind !== 'team') || typeof name !== 'string') return false;
    return name.includes(this.#judge.mark) && ![...ws.lost].some((lost) => name.includes(lost));
  }

  /** The create that was refused and made this row all the same: each has a name of its own. */
  #culprit(ws: Workspace, kind: Kind, row: Json, x: Exchange, entry: Entry | undefined): Refused | undefined {
    const title = kind === 'task' ? 'title' : 'name';
    if (!this.#judge.alone) {
      // It is shown for the first time, and no other client makes one of that title at that moment.
      if (entry?.made.number !== x.number || ws.lost.has(String(row[title]))) return undefined;
      const at = instant(row.created_at);
      const isAt = (one: Exchange) => at > one.at - (one.came - one.sent) - TICK_MS && at < one.at + TICK_MS;
      const isThere = ({ path }: Exchange) => row.project_id === undefined || path === `/projects/${row.project_id}/tasks`;
      return ws.refused.find(
        ({ x: one, body, target }) =>
          target === undefined && kind === madeKind(one) && body[title] === row[title] && isAt(one) && isThere(one),
      );
    }
    for (const name of [title, 'description']) {
      const value = row[name];
      if (typeof value !== 'string' || !/wmct-/.test(value) || ws.lost.has(value)) continue;
      const found = ws.refused.find(({ body, target }) => target === undefined && body[name] === value);
      if (found) return found;
    }
    return undefined;
  }

  #leftover({ x: refused, foreign }: Refused, kind: Kind, row: Json, x: Exchange): void {
    const name = kind === 'task' ? 'title' : 'name';
    const requirement = effectClause(refused.status, foreign, kind);
    const message = `a create that was refused with ${refused.status} made a ${kind}: ${shown(row[name])}`;
    const say = sayThat(message, claim(x, fieldAt(x, name), 'lacks', row[name]));
    if (this.#judge.alone) this.#judge.must(requirement, false, say, refused, x);
    else this.#judge.often(requirement, [`made by a ${refused.status}`], false, say, refused, x);
  }

  /** A row in a list of ours that no other client can have made. */
  #stranger(ws: Workspace, operation: Operation, row: Json, x: Exchange): void {
    const path = x.path.endsWith('/tasks') ? x.path : undefined;
    const refused = ws.refused.findLast((one) => one.target === undefined && one.x.path === path);
    if (refused && !String(row.title).startsWith('wm ')) this.#leftover(refused, 'task', row, x);
    else {
      const requirement = operation.id === 'list_project_tasks' ? 'WM-EP-037' : 'WM-LIST-015';
      const message = `the list has a task that is not of the project: ${shown(row.title)}`;
      this.#judge.must(requirement, false, sayThat(message, claim(x, fieldAt(x, 'title'), 'lacks', row.title)), x);
    }
  }
}

/** Times may be whole seconds. */
const TICK_MS = 1000;

const madeKind = ({ operation }: Exchange): string => operation?.shape ?? 'task';
