// What a request must be answered, as the specification and the run's own records have it; or that it is open.
import type { Exchange } from '../engine/exchange.ts';
import type { Operation } from '../engine/operations.ts';
import { type Fault, groupOf, type Reading, readBody, statusesOf } from './bodies.ts';
import { clausesOf, faultClause, operationClauses } from './clauses.ts';
import type { Judge } from './judge.ts';
import { type Entry, fieldOf, type Kind, type Workspace } from './model.ts';
import type { FieldRule, Written } from './rules.ts';

export type Expectation =
  | { readonly kind: 'open' }
  | { readonly kind: 'success'; readonly requirement: string }
  | {
      readonly kind: 'refusal';
      readonly requirement: string;
      readonly statuses: readonly number[];
      readonly why: string;
      /** Each is named in details.fields of a 400 or 422. */
      readonly fields?: readonly string[];
      /** One of several faults may be the one that a target overlooks: a single request tells. */
      readonly several?: boolean;
    };

const OPEN: Expectation = { kind: 'open' };

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** The record that the path names: its kind and id. */
export const target = (x: Exchange, operation: Operation): { kind: Kind; id: string } | undefined => {
  if (!operation.path.includes('{')) return undefined;
  const [, root = '', id = ''] = x.path.split('/');
  const kind = ({ projects: 'project', tasks: 'task', teams: 'team' } as const)[root];
  return kind ? { kind, id: decoded(id) } : undefined;
};

export const writtenKind = (operation: Operation): Written | undefined =>
  operation.method === 'POST' || operation.method === 'PATCH' ? (operation.shape as Written) : undefined;

/** Whether an id is a member's; others may have come since the list was read. */
const member =
  (ws: Workspace, strangers: readonly Workspace[]) =>
  (id: string): boolean | undefined => {
    if (ws.members?.has(id)) return true;
    const ours = [...ws.entries.values()].some((entry) => entry.id === id && entry.kind !== 'member');
    if (ours || /^wmct-no-/.test(id)) return false;
    return ws.members && strangers.some(({ members }) => members?.has(id)) ? false : undefined;
  };

export const readingOf = (x: Exchange, kind: Written, judge: Judge, ws: Workspace, strangers: readonly Workspace[]): Reading => {
  const creates = x.method === 'POST';
  const rules = creates ? judge.rules.create[kind] : judge.rules.update[kind];
  return readBody(x.requestBody, rules, creates, member(ws, strangers));
};

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** The clause that a refused good body breaks: that of its extreme value, if it has one. */
const acceptClause = (operation: Operation, body: Readonly<Record<string, unknown>>, rules: readonly FieldRule[]): string => {
  const kind = operation.shape;
  for (const { name, min, max, kind: type } of rules) {
    const value = body[name];
    const own = clausesOf(kind, name);
    if (typeof value !== 'string' || type !== 'text') continue;
    const foreign = /[^ -~]/.test(value) && byteLength(value) > (max ?? Number.POSITIVE_INFINITY);
    if (foreign && own.letters) return own.letters;
    if (value.length === max && own.longest) return own.longest;
    if (min > 0 && value.length === min && own.shortest) return own.shortest;
  }
  if (operation.method === 'POST' && kind === 'task' && body.assignee_id !== undefined) return 'WM-USER-015';
  if (operation.method === 'POST' && Object.keys(body).length === 1) {
    if (kind === 'task') return 'WM-TASK-041';
    if (kind === 'project') return 'WM-PROJ-005';
    if (kind === 'team') return 'WM-TEAM-006';
  }
  return operation.requirement;
};

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
    ...(faults.length > 0 ? { fields: faults.map(({ field }) => field), several: faults.length > 1 } : {}),
  });
  if (reading.shape === 'broken') return refusal('WM-ERR-008', [400], 'malformed JSON');
  if (reading.shape === 'other') return refusal('WM-ERR-027', [400], 'a body that is no object');
  if (reading.shape === 'none') return operation.method === 'POST' ? refusal('WM-ERR-008', [400], 'no body') : OPEN;
  const type = Object.entries(x.requestHeaders).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (!type.startsWith('application/json')) return OPEN;
  const { faults } = reading;
  if (faults.length > 0) {
    if (new Set(faults.map((fault) => groupOf(fault.kind))).size > 1) return OPEN;
    const [{ field, kind: fault }] = faults as [Fault];
    if (operation.shape === 'webhook') return OPEN;
    const statuses = statusesOf(fault);
    const why = faults.map((one) => `${one.field}: ${one.kind}`).join(', ');
    return refusal(faultClause(kind, field, fault, x.method === 'POST'), statuses, why, fault === 'reference' ? [] : faults);
  }
  if (reading.open || kind === 'webhook') return OPEN;
  if (kind === 'team') {
    const taken = ws.live('team').some((team) => fieldOf(team, 'name') === reading.body.name);
    if (taken) return refusal('WM-TEAM-004', [409], 'a name in use');
    const alike = ws
      .live('team')
      .some((team) => String(fieldOf(team, 'name')).toLowerCase() === String(reading.body.name).toLowerCase());
    if (alike || !/wmct-/.test(String(reading.body.name))) return OPEN;
  }
  // No rule says which changes of status there are.
  if (entry && reading.body.status !== undefined && reading.body.status !== fieldOf(entry, 'status')) return OPEN;
  return { kind: 'success', requirement: acceptClause(operation, reading.body, rules) };
};

const SORTABLE = /^-?(due_date|created_at|updated_at|title)$/;
const LISTS_THAT_SORT = new Set(['list_projects', 'list_tasks', 'list_project_tasks']);
const SURELY_NO_INTEGER = /^([a-z]+|-?\d+\.\d*[1-9]\d*|\d+[a-df-z]+)$/i;

const queryExpectation = (x: Exchange, operation: Operation, judge: Judge, cursorOpen: boolean): Expectation => {
  const query = new URLSearchParams(x.query);
  const requirement = (x.as === 'read' && operationClauses(operation.id).read) || operation.requirement;
  const success: Expectation = { kind: 'success', requirement };
  if (operation.answers !== 'list') return query.size === 0 ? success : OPEN;
  let open = cursorOpen;
  for (const [name, value] of query) {
    if (name === 'limit') {
      if (judge.release < '1.1') open = true;
      else if (SURELY_NO_INTEGER.test(value))
        return query.size === 1 ? { kind: 'refusal', requirement: 'WM-LIST-019', statuses: [400], why: `limit=${value}` } : OPEN;
      if (!/^([1-9]\d?|100)$/.test(value) || Number(value) < judge.smallestLimit()) open = true;
    } else if (name === 'sort') {
      if (SORTABLE.test(value) && operation.id.endsWith('tasks')) {
        // A field that is not sortable here is refused with 400: see the judgement of the order.
        open = true;
      } else if (/^-?[a-z]*nonsense$/.test(value) && LISTS_THAT_SORT.has(operation.id)) {
        return query.size === 1 ? { kind: 'refusal', requirement: 'WM-SORT-007', statuses: [400], why: `sort=${value}` } : OPEN;
      } else open = true;
    } else if (name === 'cursor') continue;
    else {
      const field = /^filter\[(\w+)\]$/.exec(name)?.[1];
      const filter = judge.rules.filters(operation.id).find((candidate) => candidate.field === field);
      if (!filter || value === '' || (filter.values.length > 0 && !filter.values.includes(value))) open = true;
      if (filter && filter.values.length === 0 && !/^[\w-]+$/.test(value)) open = true;
    }
  }
  return open ? OPEN : success;
};

const WRITES_WITH_ADMIN = new Set(['team', 'webhook']);

export interface Surveyed {
  readonly operation: Operation;
  readonly ws: Workspace;
  readonly strangers: readonly Workspace[];
  readonly entry: Entry | undefined;
  /** The record of the path is another workspace's. */
  readonly foreign: boolean;
  /** The cursor is none that the target gave for this very query. */
  readonly cursorOpen: boolean;
}

const accessExpectation = (x: Exchange, { operation, entry, foreign }: Surveyed): Expectation | undefined => {
  const clauses = operationClauses(operation.id);
  const refused = (requirement: string | undefined, status: number, why: string): Expectation =>
    requirement === undefined ? OPEN : { kind: 'refusal', requirement, statuses: [status], why };
  if (x.as === 'read' && x.method !== 'GET') {
    if (foreign || entry?.gone || (operation.path.includes('{') && !entry)) return OPEN;
    return refused(clauses.read, 403, 'a read key');
  }
  const teamOrHook = WRITES_WITH_ADMIN.has(operation.shape) && x.method !== 'GET' && x.as !== 'admin';
  if (foreign) return teamOrHook ? OPEN : refused(clauses.foreign, 404, 'a record of another workspace');
  if (entry?.gone) return teamOrHook ? OPEN : refused(clauses.gone, 404, `a ${entry.kind} that was deleted`);
  const id = decoded(x.path.split('/')[2] ?? '');
  if (operation.path.includes('{') && !entry)
    return /^wmct-no-/.test(id) ? refused('WM-ERR-029', 404, 'an id that never was') : OPEN;
  return teamOrHook && x.status === 403 ? OPEN : undefined;
};

/** Breaks of two rules at once leave open which of them is answered. */
export const expectationOf = (x: Exchange, judge: Judge, surveyed: Surveyed): Expectation => {
  const { operation, ws, strangers, entry } = surveyed;
  const kind = writtenKind(operation);
  const reading = kind && readingOf(x, kind, judge, ws, strangers);
  const access = accessExpectation(x, surveyed);
  if (access) {
    const sound = !reading || (reading.shape === 'object' && reading.faults.length === 0 && !reading.open);
    const queries = operation.answers !== 'list' || queryExpectation(x, operation, judge, surveyed.cursorOpen).kind === 'success';
    return access.kind === 'open' || (sound && queries) ? access : OPEN;
  }
  if (x.method === 'GET') return queryExpectation(x, operation, judge, surveyed.cursorOpen);
  if (!kind || !reading) return { kind: 'success', requirement: operation.requirement };
  const rules = x.method === 'POST' ? judge.rules.create[kind] : judge.rules.update[kind];
  return bodyExpectation(x, operation, reading, rules, ws, entry);
};
