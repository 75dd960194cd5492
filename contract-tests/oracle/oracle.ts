// Judges every exchange of a run, whichever check sent it, against what the run itself has made and seen. Knows only HTTP.
//
// The client passes each exchange to the laws (rules of every response) and to the oracle. Its model holds what the run has
// created, changed, deleted and seen in each workspace, and predicts every response: `expect.ts` from the request, `writes.ts`
// and `rows.ts` each field shown, `lists.ts` each page, `events.ts` each delivery. `clauses.ts` maps a judgement to its
// requirement. So a check only sets up a situation. What a run cannot know (other clients, lost responses, clock skew) the
// model marks as open instead of guessing.

import { claim, fieldAt } from '../engine/claims.ts';
import {
  type Exchange,
  errorOf,
  faultyFields,
  idOf,
  ids,
  isRecord,
  type Json,
  metaOf,
  records,
  resource,
  type Sent,
  succeeded,
  text,
  withoutBody,
  workspaceOf,
} from '../engine/exchange.ts';
import { keepLatest } from '../engine/keep-latest.ts';
import type { Operation } from '../engine/operations.ts';
import { instant } from '../engine/shapes.ts';
import { Budget } from './budget.ts';
import { effectClause, headerClause, operationClauses, sortClause, unlistedClause } from './clauses.ts';
import { type Expectation, expectationOf, writtenKind } from './expect.ts';
import { differs, type Judge, NOTHING, type Say, sayThat } from './judge.ts';
import { Lists } from './lists.ts';
import { type Entry, fieldOf, isOf, type Kind, kindsOfMade, type Refused, sentBody, target, Workspace } from './model.ts';
import { type Asked, kindOfList } from './page.ts';
import { judgeRefusal, type Refusal, Several } from './refusals.ts';
import { giveUp, judgeRow, learn } from './shared.ts';
import { Window } from './window.ts';
import { created, deleted, registered, updated } from './writes.ts';

const ADMIN: Readonly<Record<string, string>> = {
  project: 'WM-SCOPE-018',
  task: 'WM-SCOPE-019',
  team: 'WM-SCOPE-020',
  'team-read': 'WM-SCOPE-020',
};

/** The members that a body names beside the users of our keys. */
const others = (ws: Workspace, body: Json): string[] => {
  const named = [body.assignee_id, ...(Array.isArray(body.member_ids) ? body.member_ids : [])];
  const ours = [...ws.profiles.values()];
  return named.filter((id) => typeof id === 'string').filter((id) => !ours.includes(id));
};

/** Whether a refused request is a DELETE of that record, and nothing has shown the record since. */
const mayHaveDeleted = ({ x }: Refused, { id, kind, shown, made }: Entry): boolean => {
  const aim = x.operation && target(x, x.operation);
  return x.method === 'DELETE' && aim?.id === id && aim.kind === kind && x.number > (shown ?? made).number;
};

/** A response has another status than it must have. */
const sayStatus =
  (message: string, expected: string, x: Exchange): Say =>
  () => ({ message, expected, got: String(x.status) });

const MEMBERS = ['body', 'data', 'members', '*', 'id'] as const;

/** Bound of memory for traffic: refused writes, projects with new tasks that were not there, and such tasks of one. */
const MAX_REMEMBERED = 500;
/** This many ids that are like a member's are tried. */
const MAX_TRIED = 13 * 20;

export class Oracle {
  /** The cost of the run's requests. */
  readonly budget = new Budget();
  /** By the clock of the target: what is made later is made by us, or by others. */
  #began = 0;
  /** Budgets of the workspaces of traffic. */
  readonly #budgets = new Map<string, Budget>();
  readonly #judge: Judge;
  readonly #lists: Lists;
  readonly #window: Window;
  readonly #several: Several;
  readonly #workspaces = new Map<string, Workspace>();
  /** The last response to each order of a list that was taken. */
  readonly #sorted = new Map<string, Exchange>();
  /** The last response to each kind of mistake. */
  readonly #codes = new Map<string, Exchange>();
  readonly #missingTasks = new Map<string, (() => void)[]>();
  /** Secrets of all registrations. */
  readonly #secrets = new Map<string, Exchange>();

  constructor(judge: Judge) {
    this.#judge = judge;
    this.#lists = new Lists(judge);
    this.#window = new Window(judge);
    this.#several = new Several(judge);
  }

  /** The workspace that a role's keys see. */
  workspace(name: 'own' | 'other'): Workspace {
    return this.#named(name);
  }

  /** Whether a list of members would tell more of a refusal. */
  get doubts(): boolean {
    return this.#named('own').doubts.length > 0;
  }

  /** How often a list showed what others may have caused: walking it once more tells. */
  get suspicions(): number {
    return this.#lists.suspicions;
  }

  /** Lists that a further look would tell more of, with who may look. */
  get unsettled(): readonly Asked[] {
    const members = { path: '/workspace/members', query: 'limit=100', as: 'keyless' } as const;
    return [...this.#lists.unsettled, ...(this.doubts ? [members] : [])];
  }

  /** An id that no user has, and looks like a member's where all members are known. */
  unusedId(like: string | undefined): string {
    const { unusedIds, members } = this.#named('own');
    const digits = like && /\d$/.test(like);
    for (let i = 7; ; i += 13) {
      const id =
        like === undefined || !members || i > MAX_TRIED
          ? `wmct-no-user-${i}`
          : digits
            ? like.replace(/\d{1,4}$/, (end) => String((Number(end) + i) % 10_000).padStart(end.length, '9'))
            : like.slice(0, -1) + 'bcdfghjkmnpqrstvwxyz'[i % 20]!;
      if (members?.has(id)) continue;
      unusedIds.add(id);
      return id;
    }
  }

  /** A refusal that the model does not foresee. @returns whether it is as it must be */
  refusal(x: Exchange, expected: Refusal): boolean {
    return judgeRefusal(this.#judge, x, expected);
  }

  observe(x: Exchange): void {
    const { operation } = x;
    this.#began ||= x.at;
    if (!this.#judge.alone) this.#count(x);
    else if (x.as !== 'other') this.budget.observe(x);
    this.#window.observe(x);
    if (!operation) return;
    const ws = this.#named(workspaceOf(x));
    // Later on its records tell which workspace an unknown key is of.
    const isSure = ({ name }: Workspace) => !name.startsWith('of ');
    const strangers = [...this.#workspaces.values()].filter((other) => other !== ws && isSure(other) && isSure(ws));
    if (x.lost !== undefined) this.#lose(ws, x);
    if (x.as === 'revoked') {
      const say = sayStatus(`${x.method} ${x.path} with a revoked key returns ${x.status}`, '401', x);
      if ((x.status !== 429 || x.persists) && x.status < 500)
        this.#judge.must(x.method === 'GET' ? 'WM-AUTH-006' : 'WM-AUTH-018', x.status === 401, say, x);
      if (!succeeded(x)) this.#refused(ws, x, target(x, operation)?.id, false);
      return;
    }
    if (x.as === 'keyless') {
      this.#anonymous(ws, operation, x);
      return;
    }
    this.#lists.sorts.observe(operation, x);
    const named = target(x, operation);
    const entry = named && ws.get(named.kind, named.id);
    // A DELETE whose response got lost has removed what it names: its repeat finds nothing, nor does a request beside it.
    const deletes = (sent: Sent) => sent.method === 'DELETE' && entry !== undefined && isOf(sent, entry);
    if (x.status === 404 && entry && !entry.gone && ((x.lost && x.method === 'DELETE') || x.beside?.some(deletes))) {
      deleted(ws, entry, x);
      return;
    }
    const foreign = !entry && named !== undefined && strangers.some((other) => this.#isTheirs(other.get(named.kind, named.id)));
    const cursorOpen = this.#lists.cursorIsOpen(ws, x);
    // Which scope an unknown key has, nothing tells.
    const reads = x.method === 'GET' && !operation.path.includes('{');
    if (x.as.startsWith('key-') && (x.status === 401 || (x.status === 403 && !reads))) return;
    const taken = strangers.some((other) => other.live('team').some((team) => fieldOf(team, 'name') === sentBody(x).name));
    const expected = expectationOf(x, this.#judge, { operation, ws, entry, foreign, cursorOpen, taken });
    if (entry && !this.#judge.alone) {
      this.#firstLook(ws, entry, x);
      this.#lookAgain(ws, entry, x);
    }
    if (named?.kind === 'project') this.#judgeMissingTasks(`${ws.name} ${named.id}`, x);
    const good = this.#hold(ws, operation, x, expected, entry);
    if (succeeded(x) && x.method !== 'GET') ws.wrote = true;
    if (succeeded(x)) this.#apply(ws, strangers, operation, x, entry, good);
    else {
      this.#refused(ws, x, named?.id, foreign);
      this.#ruledOut(strangers, operation, x);
    }
  }

  /** How traffic is counted: each part of it is judged by itself. */
  #count(x: Exchange): void {
    const name = workspaceOf(x);
    const budget = this.#budgets.get(name) ?? new Budget(false);
    this.#budgets.set(name, budget);
    budget.observe(withoutBody(x));
    if (budget.isFull) this.#judgeBudget(name, budget);
  }

  #judgeBudget(name: string, budget: Budget): void {
    for (const { message, shown } of budget.miscounts()) this.#judge.must('WM-RATE-010', false, () => ({ message }), ...shown);
    this.#budgets.delete(name);
  }

  /** Nothing more comes: what waits for a further look is judged by what was seen. */
  end(): void {
    for (const [name, budget] of this.#budgets) this.#judgeBudget(name, budget);
    for (const ws of this.#workspaces.values()) for (const entry of ws.entries.values()) giveUp(this.#judge, entry);
  }

  /** A new record is there when it is looked for: others delete some of it, not most of a kind. */
  #firstLook(ws: Workspace, entry: Entry, x: Exchange): void {
    const { made, kind, shown, gone } = entry;
    if (made.method !== 'POST' || shown || gone || entry.unsure || x.sent - made.came > 60_000) return;
    if (x.status !== 404 && !succeeded(x)) return;
    entry.shown = x;
    const say = sayThat(`a new ${kind} is not there: ${x.method} returns 404`);
    const look = () => this.#judge.often('WM-GEN-009', kindsOfMade(this.#judge, kind, made), x.status !== 404, say, made, x);
    const project = `${ws.name} ${fieldOf(entry, 'project_id')}`;
    if (kind !== 'task' || x.status !== 404) look();
    else this.#missingTasks.set(project, [...(this.#missingTasks.get(project) ?? []), look].slice(-MAX_REMEMBERED));
    keepLatest(this.#missingTasks, MAX_REMEMBERED);
  }

  /** Who deletes a project deletes all its tasks: those that were not there count once the project is shown again. */
  #judgeMissingTasks(project: string, x: Exchange): void {
    if (!succeeded(x) && x.status !== 404) return;
    if (succeeded(x) && x.method !== 'DELETE') for (const look of this.#missingTasks.get(project) ?? []) look();
    this.#missingTasks.delete(project);
  }

  /** The record of a refused DELETE is there: others delete some of it, now and then. */
  #lookAgain(ws: Workspace, entry: Entry, x: Exchange): void {
    const isOpen = entry.missed || entry.gone || entry.unsure;
    const culprit = isOpen ? undefined : ws.refused.find((one) => mayHaveDeleted(one, entry));
    // A DELETE of our own finds nothing where others were before it.
    if (!culprit || (culprit.x.status === 404 && !culprit.foreign) || (x.status !== 404 && !succeeded(x))) return;
    const { x: by, foreign } = culprit;
    const say = sayThat(`a DELETE that was refused with ${by.status} deleted a ${entry.kind}`);
    this.#judge.often(effectClause(by.status, foreign, false), [`${by.status} ${entry.kind}`], x.status !== 404, say, by, x);
  }

  /** Two groups of keys are of one workspace: what is known of the first is forgotten. */
  forget(workspace: string): void {
    this.#workspaces.delete(workspace);
  }

  /** A request without a response: it may have had its effect. */
  noResponse(sent: Sent): void {
    const ws = this.#named(workspaceOf(sent));
    const named = sent.operation && target(sent, sent.operation);
    const entry = named && ws.get(named.kind, named.id);
    if (sent.method === 'POST') this.#lose(ws, sent);
    if (sent.method === 'PATCH' && entry) {
      entry.doubts = new Set([...(entry.doubts ?? []), ...Object.keys(sentBody(sent)), 'updated_at']);
      for (const name of entry.doubts) entry.state.delete(name);
    }
    if (sent.method !== 'DELETE' || !entry) return;
    for (const one of [entry, ...ws.tasksOf(entry)]) one.unsure = true;
  }

  /** A create whose response got lost may have been served: what has its name is explained. */
  #lose(ws: Workspace, sent: Sent): void {
    const { name, title = name } = sentBody(sent);
    if (typeof title === 'string') ws.lost.add(title);
  }

  /** A refusal where the specification leaves one open: what an acceptance would owe is not owed. */
  #ruledOut(strangers: readonly Workspace[], operation: Operation, x: Exchange): void {
    const project = new URLSearchParams(x.query).get('filter[project_id]');
    if (project !== null && strangers.some((other) => this.#isTheirs(other.get('project', project))) && x.status < 429)
      for (const id of ['WM-ISO-017', 'WM-ISO-020']) this.#judge.must(id, true, NOTHING);
    if (operation.returns === 'list') this.#sortRefused(operation, x);
    if (x.status !== 400 && x.status !== 422) return;
    if (operation.returns === 'list') {
      for (const [name, value] of new URLSearchParams(x.query)) {
        if (name === 'filter[assignee_id]' && !this.#named('own').people.has(value))
          for (const id of ['WM-LIST-033', 'WM-LIST-034']) this.#judge.must(id, true, NOTHING);
        const field = /^filter\[(\w+)\]$/.exec(name)?.[1];
        const unlisted = field && unlistedClause(field);
        const values = this.#judge.rules.filters(operation.id).find((one) => one.field === field)?.values ?? [];
        const isNone = values.length > 0 ? !values.includes(value) : value.startsWith('wmct-no');
        if (unlisted && isNone) this.#judge.must(unlisted, true, NOTHING);
        if (name === 'limit' && Number(value) > 100)
          for (const id of ['WM-LIST-020', 'WM-META-022']) this.#judge.must(id, true, NOTHING);
      }
      return;
    }
    const sent = sentBody(x);
    const kind = operation.shape;
    if (sent.updated_at !== undefined || (x.method === 'PATCH' && sent.created_at !== undefined))
      this.#judge.must(kind === 'project' ? 'WM-PROJ-032' : 'WM-TASK-050', true, NOTHING);
    if (x.method === 'PATCH' && sent.project_id !== undefined) this.#judge.must('WM-TASK-049', true, NOTHING);
  }

  /** An order that a list does not take is refused with 400, and each time with the same code. */
  #sortRefused(operation: Operation, x: Exchange): void {
    const query = new URLSearchParams(x.query);
    const sort = query.get('sort');
    // Where something else may be wrong too, that may be what is refused.
    const alone = [...query].every(([name, value]) => name === 'sort' || (name === 'limit' && /^\d+$/.test(value)));
    if (sort === null || !alone || [401, 403, 404, 429].includes(x.status) || x.status >= 500) return;
    const field = sort.replace('-', '');
    const say = sayStatus(`sort=${sort} returns ${x.status}`, '400', x);
    const ordered = operation.id === 'list_projects' ? field.endsWith('_at') : operation.id.endsWith('tasks');
    const named = /^(title|due_date|created_at|updated_at)$/.test(field);
    const opposite = this.#sorted.get(`${operation.id} ${sort.startsWith('-') ? field : `-${field}`}`);
    const half = sayThat(`${opposite?.query} is taken, and sort=${sort} is refused`);
    if (named && opposite) this.#judge.must(sortClause(operation.id, sort), false, half, opposite, x);
    else if (ordered && named) this.#judge.must(sortClause(operation.id, sort), x.status === 400, say, x);
    if (operation.id === 'list_tasks' && x.status === 400) this.#judge.must('WM-SORT-011', true, NOTHING);
    if (field === 'nonsense' && x.status === 400) this.#sameCode('an unsupported sort', x);
  }

  /** Numbers of pages are gone: a list that has records shows some, whichever page is asked for. */
  #numbered(x: Exchange): void {
    const beyond = records(x).length === 0 && Number(metaOf(x).total ?? 0) > 0;
    this.#judge.must('WM-VER-006', !beyond, sayThat('page or offset still pages: nothing is beyond the end'), x);
  }

  /** A mistake gives the same code each time. */
  #sameCode(mistake: string, x: Exchange): void {
    const { code } = errorOf(x);
    const before = this.#codes.get(mistake);
    this.#codes.set(mistake, x);
    if (!before || typeof code !== 'string') return;
    const say = differs(`the code of ${mistake}`, errorOf(before).code, code);
    this.#judge.must('WM-ERR-012', errorOf(before).code === code, say, before, x);
  }

  /** Whether a record is one of that workspace alone: another workspace may have the id of a record that only was seen. */
  #isTheirs(entry: Entry | undefined): boolean {
    return entry?.own === true || (entry !== undefined && !this.#judge.alone);
  }

  #named(name: string): Workspace {
    const known = this.#workspaces.get(name) ?? new Workspace(name);
    this.#workspaces.set(name, known);
    return known;
  }

  #anonymous(ws: Workspace, operation: Operation, x: Exchange): void {
    const header = Object.entries(x.requestHeaders).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
    const bare = header === undefined;
    const expect401 = (requirement: string, what: string) =>
      this.#judge.must(requirement, x.status === 401, sayStatus(`${what} it returns ${x.status}`, '401', x), x);
    if (bare) expect401(operation.keyRequirement, 'without a key');
    else if (!x.keyed && (x.status !== 429 || x.persists) && x.status < 500)
      expect401(headerClause(header), `${x.method} ${x.path}: with a header that names no key`);
    // One fault is one violation, and a sentence is shown by any operation.
    if (bare && (x.status === 401 || operation.id === 'list_projects')) expect401('WM-AUTH-001', 'without a key');
    const named = target(x, operation);
    const entry = named && ws.get(named.kind, named.id);
    if (!succeeded(x)) this.#refused(ws, x, named?.id, false);
    else if (entry && x.method === 'DELETE') deleted(ws, entry, x);
    else if (entry && bare && x.method === 'PATCH') this.#adopt(entry, resource(x), x);
  }

  /** @returns false when the response is not what it must be. */
  #hold(ws: Workspace, operation: Operation, x: Exchange, expected: Expectation, entry: Entry | undefined): boolean {
    if (expected.kind === 'open') return this.#holdOpen(x, expected);
    if (x.status === 429 || x.status >= 500) return false;
    // One of two writes at once may be told of the conflict.
    if (x.status === 409 && x.beside?.length) return false;
    const what = `${x.method} ${x.path}${x.query ? `?${x.query}` : ''}`;
    if (expected.kind === 'success') {
      if (succeeded(x)) {
        for (const id of expected.also ?? []) this.#judge.must(id, true, NOTHING);
        const admin = x.as === 'admin' && x.method !== 'GET' ? ADMIN[operation.shape] : undefined;
        if (admin) this.#judge.must(admin, true, NOTHING);
        if (operation.id === 'read_task' && entry?.own) this.#judge.must('WM-EP-039', true, NOTHING);
      }
      return this.#holdSuccess(ws, operation, x, expected.requirement, what, entry);
    }
    const good = judgeRefusal(this.#judge, x, expected);
    this.#several.observe(x, expected, good);
    return good;
  }

  #holdOpen(x: Exchange, { accepts }: Expectation & { kind: 'open' }): boolean {
    const named = accepts && [400, 422].includes(x.status) ? faultyFields(x) : [];
    if (!accepts || named.length === 0 || !named.every((name) => accepts.right.includes(name))) return true;
    const say = sayStatus(`${x.method} ${x.path}, for its ${named.join(', ')}, returns ${x.status}`, 'success', x);
    return this.#judge.must(accepts.requirement, false, say, x);
  }

  #holdSuccess(
    ws: Workspace,
    operation: Operation,
    x: Exchange,
    requirement: string,
    what: string,
    entry: Entry | undefined,
  ): boolean {
    if (succeeded(x)) return this.#judge.must(requirement, true, NOTHING);
    if (x.status < 400 && x.status !== 304) return true;
    const say = sayStatus(`${what} returns ${x.status}`, 'success', x);
    const people = others(ws, sentBody(x));
    const about = faultyFields(x);
    const elsewhere = about.length > 0 && !about.some((name) => /assignee|member/.test(name));
    if (people.length > 0 && !elsewhere && [400, 409, 422, this.#judge.alone ? 404 : 0].includes(x.status)) {
      ws.doubts.push({ people, blame: () => this.#judge.must(requirement, false, say, x) });
      return false;
    }
    const denied = x.status === 403 || x.status === 401;
    if (denied && x.method === 'GET' && (x.as === 'write' || x.as === 'admin'))
      return this.#judge.must(x.as === 'write' ? 'WM-SCOPE-025' : 'WM-SCOPE-026', false, say, x);
    if (denied && x.as === 'write') return false;
    if (denied && x.as === 'admin' && x.method !== 'GET')
      return this.#judge.must(ADMIN[operation.shape] ?? requirement, false, say, x);
    if (x.status === 404 && entry && !entry.gone && !entry.own) {
      // Releases before 1.3 have no comments, which the preflight asks for.
      if (operation.shape === 'comment' && this.#judge.release < '1.3') return false;
      // Others delete what is theirs; if a later list shows it all the same, it was there.
      entry.missed = x;
      this.#judge.others.seen++;
      return false;
    }
    if (x.status === 404 && entry && !entry.gone) {
      const culprit = ws.refused.find((one) => mayHaveDeleted(one, entry));
      if (culprit) {
        entry.gone = x;
        const clause = effectClause(culprit.x.status, culprit.foreign, false);
        const message = `a DELETE that was refused with ${culprit.x.status} deleted`;
        const did = sayThat(message, claim(x, ['status'], 'differs', x.status));
        return this.#judge.must(clause, false, did, culprit.x, x);
      }
      // Nothing is known to have deleted it: from here on both responses are open.
      entry.unsure = true;
      const lost = x.as === 'read' ? requirement : operation.id === 'read_task' ? 'WM-EP-039' : 'WM-GEN-009';
      return this.#judge.must(lost, false, say, entry.made, x);
    }
    return this.#judge.must(requirement, false, say, x);
  }

  #refused(ws: Workspace, x: Exchange, id: string | undefined, foreign: boolean): void {
    if (x.method === 'GET' || x.status < 400 || x.status >= 500) return;
    const home = foreign
      ? [...this.#workspaces.values()].find(
          (other) => other !== ws && [...other.entries.values()].some((entry) => entry.id === id),
        )
      : ws;
    const creates = x.method === 'POST';
    if (!this.#judge.alone && ws.refused.length > MAX_REMEMBERED) ws.refused.shift();
    (home ?? ws).refused.push({ x, body: sentBody(x), ...(creates || id === undefined ? {} : { target: id }), foreign });
  }

  #adopt(entry: Entry, data: Json, x: Exchange): void {
    for (const [name, known] of entry.state)
      if (name in data) entry.state.set(name, { ...known, value: data[name] ?? null, by: x, from: 'seen', confirmed: true });
  }

  /** A record of a request that should have been refused: nothing more is said of it. */
  #adopted(ws: Workspace, kind: Kind, x: Exchange): void {
    const data = resource(x);
    const id = idOf(data);
    if (id === undefined) return;
    ws.epoch++;
    ws.moves++;
    const entry = ws.add(kind, id, x, this.#judge.alone);
    for (const [name, value] of Object.entries(data))
      if (!['id', 'member_count', 'members'].includes(name))
        entry.state.set(name, { value, by: x, from: 'seen', confirmed: true });
  }

  #apply(
    ws: Workspace,
    strangers: readonly Workspace[],
    operation: Operation,
    x: Exchange,
    entry: Entry | undefined,
    good: boolean,
  ): void {
    const kind = writtenKind(operation);
    if (operation.returns === 'list') {
      const query = new URLSearchParams(x.query);
      if (query.has('sort')) this.#sorted.set(`${operation.id} ${query.get('sort')}`, x);
      if (operation.id === 'list_tasks' && query.has('sort')) this.#judge.must('WM-SORT-011', true, NOTHING);
      if (this.#judge.release >= '1.2' && (query.has('page') || query.has('offset')) && !query.has('cursor')) this.#numbered(x);
      this.#listed(ws, strangers, operation, x);
    } else if (x.method === 'DELETE') {
      if (entry) deleted(ws, entry, x);
      else this.#mayBeGone(x, operation);
    } else if (kind === 'webhook') {
      // A world of the control API may draw what another has drawn.
      if (x.world === undefined) registered(this.#judge, this.#secrets, x);
    } else if (x.method === 'POST' && kind) {
      if (good) created(this.#judge, ws, kind, x, kind === 'task' ? target(x, operation)?.id : undefined);
      else this.#adopted(ws, kind, x);
      if (!this.#judge.alone) this.#lists.agreement.read(ws, kind, x);
    } else if (x.method === 'PATCH' && !entry?.gone) {
      const shown = entry ?? this.#met(ws, x);
      if (shown && good) updated(this.#judge, ws, shown, x);
      else if (shown) this.#adopt(shown, resource(x), x);
      if (shown && !this.#judge.alone) this.#lists.agreement.read(ws, shown.kind, x);
    } else if (x.method === 'GET') this.#read(ws, operation, x, entry);
  }

  /** A key may delete a record that another key has made: whose workspace is one, their records tell later. */
  #mayBeGone(x: Exchange, operation: Operation): void {
    const named = target(x, operation)!;
    for (const ws of this.#workspaces.values()) {
      const entry = ws.get(named.kind, named.id);
      if (entry && !this.#judge.alone) for (const one of [entry, ...ws.tasksOf(entry)]) one.unsure = true;
    }
  }

  /** A record that another client has made, and that no response has shown before. */
  #met(ws: Workspace, x: Exchange): Entry | undefined {
    const named = x.operation && target(x, x.operation);
    const data = resource(x);
    if (this.#judge.alone || !named || named.id !== data.id || ws.get(named.kind, named.id)) return undefined;
    const entry = ws.add(named.kind, named.id, x, false);
    learn(this.#judge, entry, data, x);
    return entry;
  }

  #read(ws: Workspace, operation: Operation, x: Exchange, entry: Entry | undefined): void {
    const data = resource(x);
    if (operation.shape === 'profile') this.#person(ws, data, x);
    const requestedId = target(x, operation)?.id;
    const shown = idOf(data);
    const isId = (wanted: string) => claim(x, fieldAt(x, 'id'), 'equals', wanted);
    if (!entry && requestedId !== undefined && shown !== undefined) {
      const say = differs('the id of the record that was asked for', requestedId, shown, isId(requestedId));
      this.#judge.must(operationClauses(operation.id).never ?? 'WM-GEN-009', shown === requestedId, say, x);
    }
    if (operation.shape === 'task' || operation.shape === 'project') this.#lists.agreement.read(ws, operation.shape, x);
    if (entry && !entry.gone) this.#judge.must('WM-GEN-009', true, NOTHING);
    if (operation.shape !== 'profile' && !entry) this.#met(ws, x);
    if (operation.shape === 'profile' || !entry || entry.gone) return;
    const other = differs('the id of the read', entry.id, shown, isId(entry.id));
    if (shown !== undefined) this.#judge.must('WM-ENV-005', shown === entry.id, other, x);
    this.#team(ws, entry, data, x);
    judgeRow(this.#judge, ws, entry, data, x, 'read');
  }

  /** The members of a team: those that were sent, and the creator if the target adds him; counted alike wherever they are counted. */
  #team(ws: Workspace, entry: Entry, row: Json, x: Exchange): void {
    const { team } = entry;
    if (!team) return;
    const { count, wanted } = team;
    const must = (requirement: string, ok: boolean, say: Say, ...by: readonly Exchange[]) =>
      this.#judge.must(requirement, ok, say, ...by, x);
    if (!Array.isArray(row.members)) {
      const { member_count: shown } = row;
      if (typeof shown !== 'number') return;
      if (count !== undefined) must('WM-TEAM-031', shown === count, differs('member_count', count, shown), entry.made);
      team.count ??= shown;
      return;
    }
    const people = row.members.filter(isRecord);
    const found = people.map((person) => String(person.id));
    const other = differs('members', wanted, found, ...wanted.map((id) => claim(x, MEMBERS, 'has', id)));
    const all = wanted.every((id) => found.includes(id));
    must('WM-TEAM-007', all, other, entry.made);
    const strange = found.filter((id) => !wanted.includes(id) && !(team.creator === undefined || id === team.creator));
    const named = `${strange.length} users are members though no request named them: ${strange.slice(0, 5).join(', ')}`;
    const more = sayThat(named, ...strange.map((id) => claim(x, MEMBERS, 'lacks', id)));
    must('WM-TEAM-007', team.open || strange.length === 0, more, entry.made);
    const twice = sayThat('a user stands twice in members', claim(x, MEMBERS, 'unique'));
    must('WM-TEAM-032', new Set(found).size === found.length, twice);
    const counted = differs('the number of members', count, found.length, claim(x, MEMBERS, 'count', count));
    if (count !== undefined) must('WM-TEAM-022', found.length === count, counted, entry.made);
    team.count ??= found.length;
    for (const person of people) {
      const known = ws.get('member', String(person.id));
      if (!known?.state.has('name') || person.name === undefined) continue;
      const name = fieldOf(known, 'name');
      const at = ['body', 'data', 'members', { id: String(person.id) }, 'name'] as const;
      must('WM-TEAM-033', person.name === name, differs("a member's name", name, person.name, claim(x, at, 'equals', name)));
    }
  }

  #person(ws: Workspace, row: Json, x: Exchange): void {
    const id = text(row.id);
    if (id === undefined) return;
    const mine = ws.profiles.get(x.as);
    const say = differs('the user of the same key', mine, id, claim(x, ['body', 'data', 'id'], 'equals', mine));
    if (mine !== undefined) this.#judge.must('WM-EP-013', mine === id, say, x);
    ws.profiles.set(x.as, id);
    const known = ws.get('member', id);
    if (known) judgeRow(this.#judge, ws, known, row, x, 'list');
    const entry = known ?? ws.add('member', id, x, false);
    learn(this.#judge, entry, row, x);
  }

  #listed(ws: Workspace, strangers: readonly Workspace[], operation: Operation, x: Exchange): void {
    const kind: Kind = kindOfList(operation);
    const seen = this.#judge.alone ? x : withoutBody(x);
    for (const row of records(x)) {
      const id = text(row.id);
      if (id === undefined) continue;
      const entry = ws.get(kind, id);
      if (entry && !entry.gone) {
        this.#team(ws, entry, row, x);
        judgeRow(this.#judge, ws, entry, row, seen, 'list');
      }
      if (!entry && instant(row.created_at) > this.#began) this.#judge.others.seen++;
      if (!entry) learn(this.#judge, ws.add(kind, id, seen, false), row, seen);
      else if (!entry.own) learn(this.#judge, entry, row, seen);
    }
    if (operation.id === 'list_members') this.#members(ws, strangers, x);
    this.#lists.observe(ws, strangers, operation, x);
  }

  #members(ws: Workspace, strangers: readonly Workspace[], x: Exchange): void {
    for (const id of ids(records(x))) ws.seen.add(id);
    if (metaOf(x).has_more !== false || x.query.includes('cursor=')) return;
    const now = new Set(records(x).map((row) => String(row.id)));
    for (const { people, blame } of ws.doubts) if (people.every((id) => now.has(id))) blame();
    ws.doubts = [];
    ws.members = now;
    for (const id of ws.profiles.values()) {
      const say = sayThat('the profile is not in the member list', claim(x, ['body', 'items', '*', 'id'], 'has', id));
      this.#judge.must('WM-USER-013', now.has(id), say, x);
    }
    if (x.as === 'other' && ws.profiles.size > 0) this.#foreigners(now, ws, strangers, x);
  }

  /** People may be members of both workspaces; a list that lacks its own key's user is another workspace's. */
  #foreigners(now: ReadonlySet<string>, ws: Workspace, strangers: readonly Workspace[], x: Exchange): void {
    const mine = [...ws.profiles.values()].every((id) => now.has(id));
    const theirs = !mine && strangers.some(({ people }) => [...now].some((id) => people.has(id)));
    const say = (message: string) => () => ({ message });
    this.#judge.must('WM-ISO-015', !theirs, say('members of another workspace are listed'), x);
    this.#judge.must('WM-USER-019', mine || theirs, say('the profile of the other key is no member of its workspace'), x);
  }
}
