// Draws the next request of a walk: an operation, a key, and values that the document allows, on what the walk has made so far.
import { dice, pick, type Roll } from '../engine/dice.ts';
import { type Exchange, type Json, succeeded } from '../engine/exchange.ts';
import { cursorOf } from '../engine/follow.ts';
import { createdId } from '../engine/made.ts';
import { OPERATIONS, type Operation, operationsOf } from '../engine/operations.ts';
import { samplesOf } from '../engine/samples.ts';
import type { Role } from '../engine/terms.ts';
import type { Tools } from '../engine/tools.ts';
import { MARKUP, ODD, TITLES } from '../engine/world.ts';
import type { FieldRule, Refers, Written } from '../oracle/rules.ts';
import { FIELDS } from '../situations/lists.ts';
import { idFrom, needsOf, type Step } from './step.ts';

type Kind = 'project' | 'task' | 'team';
interface Known {
  readonly step: number;
  readonly kind: Kind;
  /** The step that made the project of a task. */
  readonly project: number | undefined;
  gone?: true;
}

/** How often an operation is drawn, where it is not once. A registration can't be removed, so none is made. */
const WEIGHTS: Readonly<Record<string, number>> = {
  ...{
    create_task: 6,
    update_task: 7,
    update_project: 3,
    create_team: 2,
    create_project: 2,
    delete_task: 2,
    delete_project: 2,
    create_webhook: 0,
  },
  ...{ list_tasks: 5, list_project_tasks: 5, list_projects: 3, list_teams: 3, read_task: 4, read_project: 3, read_team: 3 },
};
const MAX_PROJECTS = 6;
const LIMITS = [1, 2, 3, 5, 20, 100] as const;
/** Letters that a careless pipeline alters, and what is taken for something else. */
const TEXTS = [...TITLES, ODD, '😀 日本 é'];
const LONG_TEXTS = [MARKUP, '日'.repeat(1000)];
/** Few, so that a name comes again after its team was deleted, and in other letters. */
const TEAMS = ['core', 'Core', 'DESIGN', 'ops'] as const;
const TIMES = ['2032-02-29T10:00:00Z', '2031-12-31T23:30:00+02:00', '2031-02-28T23:59:59.999Z', '1999-12-31T23:59:59Z'];

const named = (id: string): Operation => OPERATIONS.find((operation) => operation.id === id)!;
const neededBy = ({ path }: Operation) => /\{(project|task|team)_id\}/.exec(path)?.[1] as Kind | undefined;

export class Walker {
  readonly #t: Tools;
  readonly #roll: Roll;
  readonly #known: Known[] = [];
  /** Steps whose list has a next page. */
  readonly #pages: Step[] = [];
  readonly #operations: readonly Operation[];

  constructor(t: Tools, seed: number) {
    this.#t = t;
    this.#roll = dice(seed);
    const mayWrite = t.within('core');
    this.#operations = operationsOf(t.parts.release)
      .filter((operation) => mayWrite || (operation.method === 'GET' && neededBy(operation) === undefined))
      .flatMap((operation) => Array.from({ length: WEIGHTS[operation.id] ?? 1 }, () => operation));
  }

  /** The first step lists the members, whom later ones name. */
  next(id: number): Step {
    if (id === 0) return { id, method: 'GET', as: this.#t.reader, target: '/workspace/members?limit=100' };
    if (this.#pages.length > 0 && this.#oneIn(6)) {
      const { method, as, target, id: after } = pick(this.#pages.slice(-3), this.#roll);
      return { id, method, as, target, after };
    }
    const operation = this.#possible(pick(this.#operations, this.#roll));
    const { method, returns, path } = operation;
    const kind = neededBy(operation);
    const query = returns === 'list' ? this.#query(operation) : [];
    const target =
      (kind ? path.replace(/\{\w+\}/, this.#record(kind, operation)) : path) + query.join('&').replace(/^(?=.)/, '?');
    const body = method === 'POST' || method === 'PATCH' ? { body: this.#body(operation) } : {};
    return { id, method, as: this.#role(operation), target, ...body };
  }

  /** Learns what a step has made, deleted or begun. */
  learn(step: Step, x: Exchange | undefined): void {
    if (!x || !succeeded(x)) return;
    const [on] = needsOf({ ...step, body: {} });
    const kind = x.operation?.shape as Kind;
    if (createdId(x) !== undefined && step.method === 'POST') this.#known.push({ step: step.id, kind, project: on });
    if (step.method === 'DELETE')
      for (const known of this.#known) if (known.step === on || known.project === on) known.gone = true;
    if (x.operation?.returns === 'list' && cursorOf(x) !== undefined && this.#t.knows('1.1')) this.#pages.push(step);
  }

  #oneIn(times: number): boolean {
    return this.#roll() * times < 1;
  }

  #live(kind: Kind): readonly Known[] {
    return this.#known.filter((known) => known.kind === kind && !known.gone);
  }

  /** The operation itself, or one that makes what it needs. */
  #possible(operation: Operation): Operation {
    const kind = neededBy(operation);
    if (operation.id === 'create_project' && this.#live('project').length >= MAX_PROJECTS) return named('create_task');
    if (kind === undefined || this.#live(kind).length > 0) return operation;
    return this.#possible(named(`create_${kind}`));
  }

  /** A record in a path: now and then one that is gone. */
  #record(kind: Kind, { id }: Operation): string {
    const { commentedTask } = this.#t.parts;
    if (id === 'list_comments' && commentedTask !== undefined && this.#oneIn(2)) return encodeURIComponent(commentedTask);
    const all = this.#known.filter((known) => known.kind === kind);
    return idFrom(pick(this.#oneIn(10) ? all : this.#live(kind), this.#roll).step);
  }

  /** Mostly a key that may do it; now and then one that may not, where a refusal shows no more than that. */
  #role({ method, path }: Operation): Step['as'] {
    const { main, strong } = this.#t;
    const isTeam = path.startsWith('/teams');
    const usual: readonly Role[] = isTeam && method !== 'GET' ? [strong] : [main, main, strong];
    const others: readonly Role[] = path.includes('{') ? ['read', 'other', 'revoked'] : ['read', 'revoked'];
    const given = ['keyless' as const, ...others.filter((role) => this.#t.has(role))];
    if (this.#oneIn(method === 'GET' ? 4 : 12)) return pick(given, this.#roll);
    return pick(usual, this.#roll);
  }

  #query({ id }: Operation): string[] {
    const parts: string[] = [];
    if (this.#t.knows('1.1') && !this.#oneIn(4)) parts.push(`limit=${Math.max(this.#t.smallestLimit, pick(LIMITS, this.#roll))}`);
    if (/tasks$/.test(id) && this.#oneIn(2)) parts.push(`sort=${this.#oneIn(2) ? '-' : ''}${pick(FIELDS, this.#roll)}`);
    for (const { field, values } of this.#t.parts.rules.filters(id)) {
      if (!this.#oneIn(4) || (field === 'priority' && !this.#t.knows('1.3'))) continue;
      const ids = field.endsWith('_id') ? this.#ids(field === 'project_id' ? 'projects' : 'users') : [];
      const pool = [...values, ...ids];
      if (pool.length > 0) parts.push(`filter[${field}]=${pick(pool, this.#roll)}`);
    }
    return parts;
  }

  #ids(refers: Refers): readonly string[] {
    if (refers === 'users') return this.#t.ids('users').map(String);
    return this.#live(refers === 'tasks' ? 'task' : 'project').map(({ step }) => idFrom(step));
  }

  #body({ method, shape }: Operation): Json {
    const kind = shape as Written;
    const { create, update } = this.#t.parts.rules;
    const rules = (method === 'POST' ? create : update)[kind].filter(({ name }) => name !== 'priority' || this.#t.knows('1.3'));
    const one = pick(rules, this.#roll);
    const chosen = rules.filter((rule) => rule === one || (rule.required && method === 'POST') || this.#oneIn(3));
    const values = chosen.map((rule) => [rule.name, this.#value(rule, kind, method === 'PATCH')] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }

  #value(rule: FieldRule, kind: Written, isUpdate: boolean): unknown {
    const { name, nullable, max } = rule;
    if (name === 'name') return `⟦name⟧ ${kind === 'team' ? pick(TEAMS, this.#roll) : pick(['a', 'b', 'c'], this.#roll)}`;
    const texts = rule.kind === 'text' ? [...TEXTS, ...(max === undefined || max >= 1000 ? LONG_TEXTS : [])] : [];
    const times = rule.kind === 'time' ? TIMES : [];
    const none = nullable && isUpdate ? [null] : [];
    const pool = [...samplesOf(rule, (refers) => this.#ids(refers)), ...texts, ...times, ...none];
    return pool.length > 0 ? pick(pool, this.#roll) : undefined;
  }
}
