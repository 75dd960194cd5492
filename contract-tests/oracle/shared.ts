// Holds a record that others may change against what is known of it: updated_at tells whether it is as it was.
import { absent, type Exchange, type Json } from '../engine/exchange.ts';
import { instant } from '../engine/shapes.ts';
import { clausesOf } from './clauses.ts';
import { differs, type Judge, sameValue } from './judge.ts';
import { type Entry, normal, type Workspace } from './model.ts';
import { ALWAYS, FIXED, fieldClause, judgeField, judgeOwnRow, rowDiffers, staleClause, type Where } from './rows.ts';
import type { Written } from './rules.ts';

/** Others may write within the tick of a clock that counts in seconds, and the target's is known to about one. */
const TICK_MS = 5000;
/** A change so near to a look, and no other in so long a time, is that of the look. */
const LOOK_MS = { near: 1000, apart: 5000 } as const;
/** A value that was shown longer ago than this may have been changed by others before a PATCH. */
const RECENT_MS = 10_000;

/** The fields that a row shows; what may be left out of it has no value then. */
const fieldsOf = (judge: Judge, { kind }: Entry, row: Json): string[] =>
  (judge.rules.create[kind as Written] ?? [])
    .filter(({ name, shown }) => shown && (row[name] !== undefined || !ALWAYS.has(name)))
    .map(({ name }) => name);

/** Knows of a record what a row shows. */
const follow = (judge: Judge, entry: Entry, row: Json, x: Exchange): void => {
  for (const name of [...fieldsOf(judge, entry, row), 'updated_at'])
    if (name !== 'updated_at' || row[name] !== undefined)
      entry.state.set(name, { value: normal(row[name]), by: x, from: 'seen', confirmed: true });
};

/** A PATCH whose response did not show what it sent: which of the two is wrong, the next look tells. */
const settle = (judge: Judge, entry: Entry, row: Json, isSame: boolean): void => {
  for (const [name, { by, wanted, got }] of entry.disputes) {
    const what = `${name} of a ${entry.kind}`;
    const holds = !isSame || sameValue(name, row[name], wanted);
    const clause = holds ? staleClause(entry) : clausesOf(entry.kind, name).changed;
    if (name === 'updated_at') {
      if (isSame && entry.kind === 'project') judge.must('WM-PROJ-011', false, differs(what, 'later', row[name]), by);
      if (instant(row[name]) > instant(got))
        judge.often(staleClause(entry), [name], false, differs(`${what} in the response to a PATCH`, row[name], got), by);
    } else judge.must(clause, false, differs(what, wanted, holds ? got : row[name]), by);
  }
  entry.disputes.clear();
};

/** No read shows what a PATCH did: the response to it shows something else than what was sent. */
export const giveUp = (judge: Judge, entry: Entry): void => {
  entry.disputes.delete('updated_at');
  settle(judge, entry, {}, false);
};

/** A field that a PATCH does not name stays; others may have changed it since the last look, now and then. */
const keepsTheRest = (judge: Judge, entry: Entry, row: Json, x: Exchange, written: ReadonlySet<string>): void => {
  const beside = [...written].flatMap((name) => [name, `${name}=${String(row[name]).slice(0, 20)}`]);
  const all = [...written].join();
  for (const name of fieldsOf(judge, entry, row).filter((each) => !written.has(each))) {
    const known = entry.state.get(name);
    // A field without a value tells nothing: what clears it would not show.
    const isOld = known && judge.others.seen > 0 && x.sent - known.by.came > RECENT_MS;
    if (!known || absent(known.value) || x.beside?.length || isOld) continue;
    const requirement = fieldClause(entry, name, known, 'update', x.requestBody === '{}');
    const kept = sameValue(name, row[name], known.value);
    const was = `${name}=${String(known.value).slice(0, 20)}`;
    const kinds = [name, `${was} beside ${all}`, ...beside.map((one) => `${name} beside ${one}`)];
    judge.often(requirement, kinds, kept, rowDiffers(entry, name, known, row[name], x), known.by, x);
  }
  const sent = [...written].map((name) => [name, entry.state.get(name)] as const);
  follow(judge, entry, row, x);
  for (const [name, known] of sent) if (known) entry.state.set(name, known);
};

/**
 * Where a service moves updated_at with each change, a row with the known updated_at shows the same in every field; a row with a later one
 * is what is known from then on; one with an earlier one is wrong if the known one was shown before it was requested.
 */
const judgeShared = (
  judge: Judge,
  ws: Workspace,
  entry: Entry,
  row: Json,
  x: Exchange,
  where: Where,
  written: ReadonlySet<string>,
): void => {
  const last = entry.shown;
  entry.shown = x;
  const known = entry.state.get('updated_at');
  const [before, now] = [instant(known?.value), instant(row.updated_at)];
  for (const name of ['created_at', 'project_id'])
    if (entry.state.has(name) && row[name] !== undefined) judgeField(judge, ws, entry, name, row, x, where);
  if (now < before && known!.by.came <= x.sent && !x.beside?.length) {
    const requirement = where === 'list' ? 'WM-ENV-006' : entry.kind === 'project' ? 'WM-PROJ-011' : 'WM-TASK-036';
    judge.must(requirement, false, differs('updated_at, which goes back,', known!.value, row.updated_at), known!.by, x);
  }
  if (where === 'update') {
    keepsTheRest(judge, entry, row, x, written);
    return;
  }
  if (now < before) return;
  // To look at a record changes nothing: others change it at other moments than that of a look.
  if (last?.method === 'GET' && x.sent - last.came > LOOK_MS.apart) {
    const byLook = now > before && Math.abs(now - last.at) < LOOK_MS.near + last.came - last.sent;
    const say = differs(`updated_at of a ${entry.kind}, which was looked at then,`, known?.value, row.updated_at);
    const clause = entry.kind === 'project' ? 'WM-PROJ-011' : 'WM-ENV-005';
    judge.often(clause, [`${last.operation?.id} moves a ${entry.kind}`], !byLook, say, last, x);
  }
  const isSame =
    ws.touches.get(entry.kind) === true && now === before && (before % 1000 !== 0 || known!.by.at - before > TICK_MS);
  if (isSame)
    for (const name of fieldsOf(judge, entry, row))
      if (entry.state.has(name) && !entry.disputes.has(name)) judgeField(judge, ws, entry, name, row, x, where);
  if (now > before) judge.others.seen++;
  settle(judge, entry, row, isSame);
  follow(judge, entry, row, x);
};

/** People are renamed and get other roles, now and then. */
const judgeMember = (judge: Judge, entry: Entry, row: Json, x: Exchange): void => {
  for (const name of FIXED.member) {
    if (row[name] === undefined) continue;
    const [known, here] = [entry.state.get(name), `${name} in ${x.operation?.id}`];
    const before = entry.state.get(here);
    for (const key of [name, here]) entry.state.set(key, { value: normal(row[name]), by: x, from: 'seen', confirmed: true });
    if (!known) continue;
    const same = sameValue(name, row[name], known.value);
    const clause = fieldClause(entry, name, known, 'list', false);
    const say = rowDiffers(entry, name, known, row[name], x);
    judge.often(clause, [name], same, say, known.by, x);
    // No client has changed a value that an operation shows again after another has shown something else.
    const again = !same && sameValue(name, row[name], before?.value);
    if (before && known.by.operation?.id !== x.operation?.id)
      judge.often(clause, [`${name} of ${entry.id}`], !again, say, known.by, x);
  }
};

/** Judges a row of a list, or the resource of a read or an update. Fields that the request has just written are the caller's. */
export const judgeRow = (
  judge: Judge,
  ws: Workspace,
  entry: Entry,
  row: Json,
  x: Exchange,
  where: Where,
  written: ReadonlySet<string> = new Set(),
): void => {
  const isShared = entry.kind === 'project' || entry.kind === 'task';
  if (judge.alone || !(isShared || entry.kind === 'member')) judgeOwnRow(judge, ws, entry, row, x, where, written);
  else if (isShared) judgeShared(judge, ws, entry, row, x, where, written);
  else judgeMember(judge, entry, row, x);
  for (const name of entry.doubts ?? []) learnField(entry, name, row, x);
};

const learnField = ({ state }: Entry, name: string, row: Json, x: Exchange): void => {
  if (row[name] !== undefined && !state.has(name))
    state.set(name, { value: normal(row[name]), by: x, from: 'seen', confirmed: true });
};

/** Learns what a row shows of a record that was not known before. */
export const learn = (judge: Judge, entry: Entry, row: Json, x: Exchange): void => {
  if (!judge.alone && !entry.state.has('updated_at')) follow(judge, entry, row, x);
  if (!judge.alone && entry.kind === 'member' && !entry.state.has('name')) judgeMember(judge, entry, row, x);
  for (const name of FIXED[entry.kind]) learnField(entry, name, row, x);
};
