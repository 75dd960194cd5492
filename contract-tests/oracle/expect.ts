// The response that a request must get, by the specification and the run's own records; or that it is open.
import { type Exchange, succeeded } from '../engine/exchange.ts';
import type { Operation } from '../engine/operations.ts';
import { decoded } from '../engine/paths.ts';
import { type Fault, groupOf, type Reading, readBody, reportOf, statusesOf } from './bodies.ts';
import { clausesOf, faultClause, operationClauses, SORTED_LISTS, shapeClause, sortClause } from './clauses.ts';
import type { Judge } from './judge.ts';
import { type Entry, fieldOf, maybeHidden, type Workspace } from './model.ts';
import type { Refusal } from './refusals.ts';
import type { FieldRule, Refers, Written } from './rules.ts';

export type Expectation =
  /** An open part of a body is no reason where the refusal names right texts alone. */
  | { readonly kind: 'open'; readonly accepts?: { readonly requirement: string; readonly right: readonly string[] } }
  | {
      readonly kind: 'success';
      readonly requirement: string;
      /** Clauses that an acceptance shows, too. */
      readonly also?: readonly string[];
    }
  | ({ readonly kind: 'refusal' } & Refusal);

const OPEN: Expectation = { kind: 'open' };

export const writtenKind = (operation: Operation): Written | undefined =>
  operation.method === 'POST' || operation.method === 'PATCH' ? (operation.shape as Written) : undefined;

/** Where ids are numbers, those of one kind may be those of another: the list of all members tells. */
export const surelyNoMember = ({ members, people }: Workspace, id: string): boolean =>
  !people.has(id) && (members !== undefined || !/^\d+$/.test(id));

/** Whether an id is a member's; others may have come since the list was read. */
const member =
  (ws: Workspace) =>
  (id: string, refers: Refers): boolean | undefined => {
    if (refers !== 'users') return ws.live(refers === 'tasks' ? 'task' : 'project').some((entry) => entry.id === id) || undefined;
    if (ws.people.has(id)) return true;
    const ours = [...ws.entries.values()].some((entry) => entry.id === id && entry.kind !== 'member');
    if ((ours && surelyNoMember(ws, id)) || ws.unusedIds.has(id) || id.startsWith('wmct-no-')) return false;
    return undefined;
  };

const readingOf = (x: Exchange, kind: Written, judge: Judge, ws: Workspace): Reading => {
  const creates = x.method === 'POST';
  const rules = creates ? judge.rules.create[kind] : judge.rules.update[kind];
  return readBody(x.requestBody, rules, creates, member(ws));
};

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** The clauses that a good body shows when it is accepted: those of its extreme values first. */
const acceptClauses = (operation: Operation, body: Readonly<Record<string, unknown>>, rules: readonly FieldRule[]): string[] => {
  const kind = operation.shape;
  const found: (string | undefined)[] = [];
  for (const { name, min, max, kind: type } of rules) {
    const value = body[name];
    const own = clausesOf(kind, name);
    if (typeof value !== 'string' || type !== 'text') continue;
    const letters = /[^ -~]/.test(value) && byteLength(value) > (max ?? Number.POSITIVE_INFINITY);
    if (letters) found.push(own.letters);
    if (value.length === max) found.push(own.longest);
    if (min > 0 && value.length === min) found.push(own.shortest);
  }
  if (operation.method === 'POST' && kind === 'task' && body.assignee_id !== undefined) found.push('WM-USER-015');
  const alone = { task: 'WM-TASK-041', project: 'WM-PROJ-005', team: 'WM-TEAM-006' } as Readonly<Record<string, string>>;
  const least = Object.keys(body).every((name) => rules.some((rule) => rule.name === name && rule.required));
  if (operation.method === 'POST' && least) found.push(alone[kind]);
  return [...found.filter((id) => id !== undefined), operation.requirement];
};

/** A day or month that does not exist has a clause beside that of a text that is no date at all. */
const dateClause = (clause: string, value: unknown): string =>
  clause === 'WM-TASK-019' && /^\d{4}-\d\d-\d\d/.test(String(value)) ? 'WM-TASK-048' : clause;

const bodyExpectation = (
  x: Exchange,
  operation: Operation,
  reading: Reading,
  rules: readonly FieldRule[],
  ws: Workspace,
  entry: Entry | undefined,
): Expectation => {
  const kind = operation.shape as Written;
  const refusal = (
    requirement: string,
    statuses: readonly number[],
    why: string,
    faults: readonly Fault[] = [],
  ): Expectation => ({
    kind: 'refusal',
    requirement,
    statuses,
    why,
    ...(faults.length > 0
      ? {
          fields: faults.map(({ field }) => field),
          also: [
            ...faults.map((fault) => faultClause(kind, fault.field, fault.kind, creates)),
            ...(!creates && faults.some(({ field, kind: fault }) => field === 'status' && fault === 'value')
              ? ['WM-STATE-003']
              : []),
          ],
          several: faults.length > 1,
          alike: new Set(faults.map((fault) => reportOf(fault.kind))).size === 1,
        }
      : {}),
  });
  const creates = operation.method === 'POST';
  if (reading.shape !== 'object') {
    if (reading.shape === 'none' && !creates) return OPEN;
    const why = { broken: 'malformed JSON', other: 'a body that is no object', none: 'no body' }[reading.shape];
    return refusal(shapeClause(operation.id, creates, reading.shape, x.requestBody ?? ''), [400], why);
  }
  const type = Object.entries(x.requestHeaders).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (!type.startsWith('application/json')) return OPEN;
  const { faults } = reading;
  if (faults.length > 0) {
    if (new Set(faults.map((fault) => groupOf(fault.kind))).size > 1) return OPEN;
    const [{ field, kind: fault }] = faults as [Fault];
    if (operation.shape === 'webhook') return OPEN;
    const statuses = statusesOf(fault);
    const why = faults.map((one) => `${one.field}: ${one.kind}`).join(', ');
    return refusal(dateClause(faultClause(kind, field, fault, creates), reading.body[field]), statuses, why, faults);
  }
  if (kind === 'webhook') return OPEN;
  if (reading.open && kind === 'team') return OPEN;
  if (reading.open) return { kind: 'open', accepts: { requirement: operation.requirement, right: reading.right } };
  // The effect of an update of nothing is open.
  if (!creates && Object.keys(reading.body).length === 0) return OPEN;
  if (kind === 'team') {
    const taken = ws.live('team').some((team) => fieldOf(team, 'name') === reading.body.name);
    // A user beside those of our keys may have left: which of the two a response shows is open.
    const ours = [...ws.profiles.values()];
    const people = Array.isArray(reading.body.member_ids) && reading.body.member_ids.some((id) => !ours.includes(String(id)));
    if (taken) return refusal('WM-TEAM-004', people ? [409, 400, 422] : [409], 'a name in use');
    const alike = ws
      .live('team')
      .some((team) => String(fieldOf(team, 'name')).toLowerCase() === String(reading.body.name).toLowerCase());
    if (x.status === 409 && (alike || !/wmct-/.test(String(reading.body.name)))) return OPEN;
  }
  // No rule says which changes of status there are.
  if (!creates && reading.body.status !== undefined && reading.body.status !== (entry && fieldOf(entry, 'status'))) return OPEN;
  const [requirement, ...also] = acceptClauses(operation, reading.body, rules) as [string, ...string[]];
  return { kind: 'success', requirement, also };
};

const SORTABLE = /^-?(due_date|created_at|updated_at|title)$/;
/** Fields that nothing but a task has. */
const FIELDS_OF_TASKS = /^-?(due_date|title)$/;
const unsortable = (list: string, sort: string): string => {
  if (FIELDS_OF_TASKS.test(sort)) return list === 'list_projects' ? 'WM-SORT-024' : 'WM-SORT-007';
  return list === 'list_tasks' ? sortClause(list, sort) : 'WM-SORT-007';
};
const SURELY_NO_INTEGER = /^([a-z]+|-?\d+\.\d*[1-9]\d*|\d+[a-df-z]+)$/i;

const limitClause = (value: string): string =>
  /^[a-z]/i.test(value) ? 'WM-LIST-019' : value.includes('.') ? 'WM-LIST-035' : 'WM-LIST-036';

/** Whether an id that a filter names may be refused as unknown: it is none that the run knows to be there. */
const maybeUnknown = (ws: Workspace, field: string, id: string): boolean => {
  if (field === 'assignee_id') return !ws.people.has(id) && ![...ws.profiles.values()].includes(id);
  const entry = ws.get('project', id);
  return !entry || entry.gone !== undefined;
};

const queryExpectation = (
  x: Exchange,
  operation: Operation,
  judge: Judge,
  { ws, cursorOpen }: Pick<Surveyed, 'ws' | 'cursorOpen'>,
): Expectation => {
  const query = new URLSearchParams(x.query);
  const retrieves = (
    { read: operationClauses(operation.id).read, write: 'WM-SCOPE-025', admin: 'WM-SCOPE-026' } as Readonly<
      Record<string, string | undefined>
    >
  )[x.as];
  // A cursor alone, and brackets in either spelling, have clauses of their own.
  const own = query.size === 1 && query.has('cursor') ? 'WM-LIST-004' : x.query.includes('%5B') ? 'WM-LIST-018' : undefined;
  const requirement = own ?? ((x.as === 'read' && retrieves) || operation.requirement);
  const success: Expectation = { kind: 'success', requirement, also: [operation.requirement, ...(retrieves ? [retrieves] : [])] };
  if (operation.returns !== 'list') return query.size === 0 ? success : OPEN;
  let open = cursorOpen;
  let refusal: Expectation | undefined;
  for (const [name, value] of query) {
    if (name === 'limit') {
      if (judge.release < '1.1') open = true;
      else if (SURELY_NO_INTEGER.test(value))
        return query.size === 1
          ? { kind: 'refusal', requirement: limitClause(value), statuses: [400], why: `limit=${value}`, invalid: true }
          : OPEN;
      if (!/^([1-9]\d?|100)$/.test(value) || Number(value) < judge.smallestLimit()) open = true;
    } else if (name === 'sort') {
      if (!SORTED_LISTS.has(operation.id) || (SORTABLE.test(value) && operation.id.endsWith('tasks'))) {
        // A field that is not sortable here is refused with 400: see the judgement of the order.
        open = true;
      } else if (value.endsWith('nonsense') || FIELDS_OF_TASKS.test(value)) {
        refusal = { kind: 'refusal', requirement: unsortable(operation.id, value), statuses: [400], why: `sort=${value}` };
      } else open = true;
    } else if (name === 'cursor') continue;
    else {
      const field = /^filter\[(\w+)\]$/.exec(name)?.[1];
      const filter = judge.rules.filters(operation.id).find((candidate) => candidate.field === field);
      if (!filter || value === '' || (filter.values.length > 0 && !filter.values.includes(value))) open = true;
      if (filter && filter.values.length === 0 && (!/^[\w-]+$/.test(value) || maybeUnknown(ws, filter.field, value))) open = true;
    }
  }
  return open ? OPEN : (refusal ?? success);
};

const WRITES_WITH_ADMIN = new Set(['team', 'webhook']);

export interface Surveyed {
  readonly operation: Operation;
  readonly ws: Workspace;
  readonly entry: Entry | undefined;
  /** The record of the path is another workspace's. */
  readonly foreign: boolean;
  /** A team of another workspace has the name that is sent. */
  readonly taken: boolean;
  /** The cursor is none that the target gave for this very query. */
  readonly cursorOpen: boolean;
}

const accessExpectation = (x: Exchange, judge: Judge, { operation, ws, entry, foreign }: Surveyed): Expectation | undefined => {
  const clauses = operationClauses(operation.id);
  const refused = (requirement: string | undefined, status: number, why: string): Expectation =>
    requirement === undefined ? OPEN : { kind: 'refusal', requirement, statuses: [status], why };
  if (entry?.unsure) return OPEN;
  if (x.status === 404 && !entry?.gone && maybeHidden(ws, entry, x.as)) return OPEN;
  if (x.as === 'read' && x.method !== 'GET') {
    if (foreign || entry?.gone || (operation.path.includes('{') && !entry)) return OPEN;
    return refused(clauses.read, 403, 'a read key');
  }
  const teamOrHook = WRITES_WITH_ADMIN.has(operation.shape) && x.method !== 'GET' && x.as !== 'admin';
  if (foreign) {
    // A key that has written in its own workspace has the scope; of one that has not, 403 may be said as well.
    // Which scope teams need is open, unless the key has made one.
    const scoped =
      x.method === 'GET' || (ws.wrote && (x.status !== 403 || operation.shape !== 'team' || ws.live('team').length > 0));
    return clauses.foreign === undefined
      ? OPEN
      : {
          kind: 'refusal',
          requirement: clauses.foreign,
          statuses: scoped ? [404] : [403, 404],
          why: 'a record of another workspace',
        };
  }
  if (entry?.gone) {
    const orphan = entry.kind === 'task' && entry.gone.operation?.id === 'delete_project' ? clauses.orphan : undefined;
    return teamOrHook ? OPEN : refused(orphan ?? clauses.gone, 404, `a ${entry.kind} that was deleted`);
  }
  const id = decoded(x.path.split('/')[2] ?? '');
  // A record that was never seen is there where a request to it is carried out, or refused for its body.
  const there = succeeded(x) || x.status === 400 || x.status === 422;
  // Each scope retrieves whatever there is.
  if (!judge.alone && x.status === 403 && x.method === 'GET') return refused(clauses.read, 404, 'a key of any scope');
  if (operation.path.includes('{') && !entry && (judge.alone || !there))
    return /^wmct-no-/.test(id) && !(teamOrHook && x.status === 403) ? refused(clauses.never, 404, 'an id that never was') : OPEN;
  return teamOrHook && x.status === 403 ? OPEN : undefined;
};

/** Breaks of two rules at once leave open which of them the response names. */
const strictExpectation = (x: Exchange, judge: Judge, surveyed: Surveyed): Expectation => {
  const { operation, ws, entry, taken } = surveyed;
  const kind = writtenKind(operation);
  const reading = kind && readingOf(x, kind, judge, ws);
  const access = accessExpectation(x, judge, surveyed);
  if (access) {
    const sound = !reading || (reading.shape === 'object' && reading.faults.length === 0 && !reading.open);
    const queries = operation.returns !== 'list' || queryExpectation(x, operation, judge, surveyed).kind === 'success';
    // The request is refused for either; the one in the response shows nothing of the other.
    return succeeded(x) || (sound && queries) ? access : OPEN;
  }
  if (x.method === 'GET') return queryExpectation(x, operation, judge, surveyed);
  if (!kind || !reading) return { kind: 'success', requirement: operation.requirement };
  const rules = x.method === 'POST' ? judge.rules.create[kind] : judge.rules.update[kind];
  const expected = bodyExpectation(x, operation, reading, rules, ws, entry);
  if (expected.kind !== 'success' || kind !== 'team' || !taken) return expected;
  return { ...expected, requirement: 'WM-TEAM-005', also: [expected.requirement, ...(expected.also ?? [])] };
};

/** The response that a request must get, or that it is open. */
export const expectationOf = (x: Exchange, judge: Judge, surveyed: Surveyed): Expectation => {
  const expected = strictExpectation(x, judge, surveyed);
  // Others may have deleted the record, or hidden it from this key.
  const mayBeGone = !judge.alone && x.status === 404 && surveyed.operation.path.includes('{');
  return mayBeGone && expected.kind === 'refusal' ? OPEN : expected;
};
