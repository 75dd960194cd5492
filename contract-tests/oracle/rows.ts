// Holds a resource in a response against what is known of it: every field, and the dates.
import { type Claim, claim, fieldAt } from '../engine/claims.ts';
import { type Exchange, type Json, standsStill } from '../engine/exchange.ts';
import { instant } from '../engine/shapes.ts';
import { clausesOf, effectClause } from './clauses.ts';
import { differs, type Judge, NOTHING, type Say, sameTime, sameValue, sayThat, shown } from './judge.ts';
import { type Entry, fieldOf, type Kind, type Known, normal, rivals, type Workspace } from './model.ts';

export type Where = 'update' | 'read' | 'list';

/** Left out, these break a law on the shape of the resource, which says so already. */
export const ALWAYS = new Set([
  'id',
  'name',
  'title',
  'visibility',
  'status',
  'priority',
  'project_id',
  'created_at',
  'email',
  'role',
]);
/** Fields that no client changes; everything else of a record that is not ours may move at any time. */
export const FIXED: { readonly [K in Kind]: readonly string[] } = {
  project: ['created_at'],
  task: ['created_at', 'project_id'],
  team: ['created_at'],
  comment: ['author_id', 'body', 'created_at'],
  member: ['name', 'email', 'role', 'created_at'],
};

const kept = (entry: Entry): string => (entry.kind === 'project' ? 'WM-EP-027' : 'WM-EP-047');
export const staleClause = (entry: Entry): string => (entry.kind === 'project' ? 'WM-EP-026' : 'WM-EP-046');
const created = (entry: Entry): string => (entry.kind === 'project' ? 'WM-PROJ-012' : 'WM-TASK-035');
/** created_at is the same wherever the record is shown. */
const born: Readonly<Record<string, string>> = { project: 'WM-PROJ-033', task: 'WM-TASK-051', team: 'WM-TEAM-030' };
const PERSON: ReadonlyMap<string, string> = new Map([
  ['name', 'WM-USER-016'],
  ['email', 'WM-USER-017'],
  ['role', 'WM-USER-018'],
]);

/** The clause that a field breaks which is not as it is known. */
export const fieldClause = (entry: Entry, name: string, known: Known, where: Where, empty: boolean): string => {
  if (entry.kind === 'member') return PERSON.get(name) ?? 'WM-USER-013';
  if (where === 'update') {
    if (name === 'created_at') return created(entry);
    if (name === 'project_id') return 'WM-TASK-049';
    return empty ? 'WM-EP-074' : entry.kind === 'project' ? 'WM-EP-025' : 'WM-EP-045';
  }
  if (!known.confirmed && known.from === 'update') return kept(entry);
  if (name === 'created_at' && entry.written !== entry.made && where === 'read') return created(entry);
  if (name === 'created_at') return born[entry.kind] ?? 'WM-ENV-006';
  if (entry.kind === 'team') return 'WM-TEAM-030';
  return where === 'list' ? 'WM-ENV-006' : 'WM-ENV-005';
};

/** The refused request that wanted a field to be so. */
const culprit = (ws: Workspace, entry: Entry, name: string, value: unknown) =>
  ws.refused.find(({ target, body }) => target === entry.id && name in body && sameValue(name, body[name], value));

const settle = (judge: Judge, entry: Entry, name: string, value: unknown, x: Exchange): void => {
  const dispute = entry.disputes.get(name);
  if (!dispute) return;
  entry.disputes.delete(name);
  const known = entry.state.get(name);
  const what = `${name} of a ${entry.kind}`;
  if (sameValue(name, value, dispute.wanted)) {
    const { by, wanted, got } = dispute;
    const say = () => ({
      ...differs(what, wanted, got, claim(by, fieldAt(by, name), 'equals', wanted))(),
      message: `PATCH returns ${what} as it was: ${shown(got)}`,
    });
    judge.must(staleClause(entry), false, say, by, x);
  } else {
    const changed = clausesOf(entry.kind, name).changed;
    const say = () => ({
      ...differs(what, dispute.wanted, value, claim(x, fieldAt(x, name, entry.id), 'equals', dispute.wanted))(),
      message: `PATCH does not change ${what}, which stays ${shown(value)}`,
    });
    judge.must(changed, false, say, dispute.by, x);
  }
  if (known) entry.state.set(name, { ...known, value: normal(value) });
};

const isGone = (ws: Workspace, id: unknown): boolean =>
  typeof id === 'string' && (['task', 'project'] as const).some((kind) => ws.get(kind, id)?.gone !== undefined);

/** For a value that was written while another request was under way. */
const atOnce = ({ by }: Known): string => (by.beside?.length ? ', which was written beside another request' : '');

/** The known value of a field: where two requests wrote it at once, the first look decides which came last. */
const settled = (entry: Entry, name: string, value: unknown): Known => {
  const { or, ...known } = entry.state.get(name)!;
  if (!or) return entry.state.get(name)!;
  const last = or.find((one) => sameValue(name, value, one));
  const now = last === undefined ? known : { ...known, value: normal(last) };
  entry.state.set(name, now);
  return now;
};

export const judgeField = (
  judge: Judge,
  ws: Workspace,
  entry: Entry,
  name: string,
  row: Json,
  x: Exchange,
  where: Where,
): void => {
  const value = row[name];
  const known = settled(entry, name, value);
  if (value === undefined && ALWAYS.has(name)) return;
  // The fate of a deleted record's id is open.
  const mayMove = !FIXED[entry.kind].includes(name) && [known.value].flat().some((id) => isGone(ws, id));
  if (mayMove && !sameValue(name, value, known.value))
    entry.state.set(name, { value: normal(value), by: x, from: 'seen', confirmed: true });
  else if (!sameValue(name, value, known.value)) {
    const refused = culprit(ws, entry, name, value);
    const requirement = refused
      ? effectClause(refused.x.status, refused.foreign, false)
      : fieldClause(entry, name, known, where, x.requestBody === '{}');
    const difference = rowDiffers(entry, name, known, value, x)();
    const message = refused
      ? `a request that was refused with ${refused.x.status} changed ${name} to ${shown(value)}`
      : difference.message + atOnce(known);
    judge.must(requirement, false, () => ({ ...difference, message }), ...(refused ? [refused.x] : [known.by]), x);
    if (where !== 'list' || !known.confirmed)
      entry.state.set(name, { value: normal(value), by: x, from: 'seen', confirmed: true });
    return;
  }
  if (name === 'created_at' && entry.written !== entry.made) judge.must(created(entry), true, NOTHING);
  if (where === 'update') {
    if (entry.kind !== 'member') judge.must(entry.kind === 'project' ? 'WM-EP-025' : 'WM-EP-045', true, NOTHING);
    return;
  }
  if (!known.confirmed) {
    const requirement = entry.kind === 'member' ? PERSON.get(name) : known.from === 'update' ? kept(entry) : 'WM-ENV-005';
    judge.must(requirement ?? 'WM-ENV-005', true, NOTHING);
    known.confirmed = true;
  }
  if (where === 'list') judge.must('WM-ENV-006', true, NOTHING);
  const person = entry.kind === 'member' ? PERSON.get(name) : undefined;
  if (person) judge.must(person, true, NOTHING);
  const same = entry.kind === 'team' ? 'WM-TEAM-030' : name === 'created_at' ? born[entry.kind] : undefined;
  if (same) judge.must(same, true, NOTHING);
};

/** A response shows a later updated_at than one before it. */
const movesBetween = ({ id }: Entry, since: Exchange, x: Exchange): Claim => ({
  call: x.number,
  at: fieldAt(x, 'updated_at', id),
  op: 'more',
  than: { call: since.number, at: fieldAt(since, 'updated_at', id) },
});

/** A field of a row is not as it is known; what the service made up is where it was first shown. */
export const rowDiffers = (entry: Entry, name: string, known: Known, value: unknown, x: Exchange): Say => {
  const { id, kind } = entry;
  const at = fieldAt(x, name, id);
  const made = name.endsWith('_at') || !entry.own;
  const than = made ? { than: { call: known.by.number, at: fieldAt(known.by, name, id) } } : {};
  return differs(`${name} of a ${kind}`, known.value, value, { ...claim(x, at, 'equals', known.value), ...than });
};

/** How much later than a response a date is no echo of what came before it. */
const ECHO_MS = 2000;

/** When the run last wrote to a record of its own, or to a task of it. */
const writtenAt = (ws: Workspace, entry: Entry): number =>
  Math.max(
    entry.written.at,
    ...[...ws.entries.values()]
      .filter((task) => entry.kind === 'project' && task.kind === 'task' && fieldOf(task, 'project_id') === entry.id)
      .map((task) => Math.max(task.written.at, task.gone?.at ?? 0)),
  );

/** updated_at never goes back; that of a project moves with an update, and with nothing else. */
const updated = (judge: Judge, ws: Workspace, entry: Entry, row: Json, x: Exchange, where: Where): void => {
  const now = instant(row.updated_at);
  const known = entry.state.get('updated_at');
  if (Number.isNaN(now)) return;
  const before = known ? instant(known.value) : Number.NaN;
  const dispute = entry.disputes.get('updated_at');
  if (dispute && where !== 'update') {
    entry.disputes.delete('updated_at');
    const { by, wanted, since = entry.made } = dispute;
    const old = instant(wanted);
    if (now > old) {
      const say = sayThat(`PATCH returns updated_at as it was: ${shown(wanted)}`, movesBetween(entry, since, by));
      judge.must(staleClause(entry), false, say, since, by, x);
    } else if (entry.kind === 'project' && !standsStill(entry.made, dispute.by)) {
      const stays = sayThat(`updated_at stays ${shown(row.updated_at)} after a PATCH`, movesBetween(entry, since, x));
      judge.must('WM-PROJ-011', false, stays, since, by, x);
    }
  }
  // Nothing updates a team.
  const other = differs('updated_at of a team', known?.value, row.updated_at);
  if (entry.kind === 'team' && known) judge.must('WM-TEAM-030', sameTime(row.updated_at, known.value), other, known.by, x);
  // No client has written to the task since it was made.
  else if (
    entry.kind === 'task' &&
    entry.written === entry.made &&
    known?.from === 'create' &&
    where !== 'update' &&
    now > before
  )
    judge.must('WM-ENV-005', false, differs('updated_at of a task', known.value, row.updated_at), known.by, x);
  else if (now < before && !sameValue('updated_at', row.updated_at, known!.value)) {
    const requirement = where === 'list' ? 'WM-ENV-006' : entry.kind === 'project' ? 'WM-PROJ-011' : 'WM-TASK-036';
    judge.must(requirement, false, differs('updated_at, which goes back,', known!.value, row.updated_at), known!.by, x);
  } else if (where !== 'update' && known && now > Math.max(before, known.by.at, writtenAt(ws, entry)) + ECHO_MS) {
    const tried = ws.refused.findLast((one) => one.target === entry.id && one.x.number > known.by.number);
    const quiet = entry.kind === 'project' ? 'WM-PROJ-011' : 'WM-ENV-005';
    const requirement = tried ? effectClause(tried.x.status, tried.foreign, false) : quiet;
    const moves = `updated_at of a ${entry.kind} that no request has updated since`;
    judge.must(requirement, false, differs(moves, known.value, row.updated_at), tried?.x ?? known.by, x);
  } else if (entry.kind === 'task') judge.must('WM-TASK-036', true, NOTHING);
  if (Number.isNaN(before) || now > before)
    entry.state.set('updated_at', { value: row.updated_at, by: x, from: 'seen', confirmed: true });
};

/** Judges a record that the run alone changes. */
export const judgeOwnRow = (
  judge: Judge,
  ws: Workspace,
  entry: Entry,
  row: Json,
  x: Exchange,
  where: Where,
  written: ReadonlySet<string> = new Set(),
): void => {
  entry.shown = x;
  const others = rivals(x, entry);
  for (const name of entry.state.keys()) {
    if (name === 'updated_at' || written.has(name) || others.has(name)) continue;
    if (!entry.own && !(name in row)) continue;
    if (where !== 'update' && entry.disputes.has(name) && (row[name] !== undefined || !ALWAYS.has(name)))
      settle(judge, entry, name, row[name], x);
    else judgeField(judge, ws, entry, name, row, x, where);
  }
  if (!entry.own) return;
  // Which of two updates at once came last is not known: the next look tells.
  if (others.size > 0) for (const known of [entry.state, entry.disputes]) known.delete('updated_at');
  else updated(judge, ws, entry, row, x, where);
  for (const { target, x: refused, foreign } of ws.refused)
    if (target === entry.id) judge.must(effectClause(refused.status, foreign, false), true, NOTHING);
};
