// Holds the response of a write that succeeded against what was sent, and keeps what is true from then on.
import { type Claim, claim, fieldAt } from '../engine/claims.ts';
import { type Exchange, idOf, isRecord, type Json, resource, secretOf, standsStill } from '../engine/exchange.ts';
import { keepLatest } from '../engine/keep-latest.ts';
import { instant, isUtc } from '../engine/shapes.ts';
import { clausesOf } from './clauses.ts';
import { differs, type Judge, NOTHING, type Said, sameValue, sayThat, shown } from './judge.ts';
import { type Entry, fieldOf, type Kind, normal, rivals, sentBody, type Workspace } from './model.ts';
import { staleClause } from './rows.ts';
import type { FieldRule, Written } from './rules.ts';
import { judgeRow } from './shared.ts';

/** A record that a request made twice comes soon. */
const MAX_BORN = 1000;
const TICK_MS = 100;

const MARKUP: Readonly<Record<string, string>> = { project: 'WM-PROJ-026', task: 'WM-TASK-039' };
const OWN_ID: Readonly<Record<string, string>> = { project: 'WM-PROJ-028', task: 'WM-TASK-042', team: 'WM-TEAM-029' };

/** The clause on a sent value: markup in a description has one of its own. */
const sentClause = (kind: string, name: string, value: unknown, creates: boolean): string => {
  const clauses = clausesOf(kind, name);
  const markup = name === 'description' && typeof value === 'string' && value.includes('<') ? MARKUP[kind] : undefined;
  return markup ?? (creates ? clauses.sent : clauses.changed);
};

const know = (entry: Entry, name: string, value: unknown, x: Exchange, from: 'create' | 'update'): void => {
  entry.state.set(name, { value: normal(value), by: x, from, confirmed: false });
};

const createdField = (judge: Judge, entry: Entry, rule: FieldRule, sent: Json, data: Json, x: Exchange): void => {
  const { name } = rule;
  const got = data[name];
  if (sent[name] === undefined) {
    const fallback = rule.fallback ?? null;
    const requirement = clausesOf(entry.kind, name).fallback ?? 'WM-GEN-014';
    // A text that was left out may be shown as an empty one.
    const none = fallback === null && rule.kind === 'text' && got === '';
    if (got !== undefined || fallback === null)
      judge.must(requirement, none || sameValue(name, got, fallback), differs(`${name}, which was left out,`, fallback, got), x);
    know(entry, name, got === undefined ? fallback : got, x, 'create');
    return;
  }
  // The effect of null, and of a date that is no whole datetime, is open.
  const clause = sentClause(entry.kind, name, sent[name], true);
  const other = differs(`${name} of a new ${entry.kind}`, sent[name], got);
  if (sent[name] !== null && got !== undefined) {
    const open = rule.kind === 'time' && Number.isNaN(instant(sent[name]));
    const same = open || sameValue(name, got, sent[name]);
    judge.must(clause, same, other, x);
    know(entry, name, got, x, 'create');
  } else if (sent[name] !== null && rule.fallback === undefined && !rule.required) {
    judge.must(clause, false, other, x);
    know(entry, name, sent[name], x, 'create');
  } else know(entry, name, got ?? (sent[name] === null ? rule.fallback : sent[name]), x, 'create');
};

/** A value that the server sets was taken from the body. */
const adopted = (name: string, sent: Json, x: Exchange) => (): Said => ({
  message: `${name} of the body of a ${x.method} is adopted: ${shown(sent[name])}`,
  claims: [claim(x, fieldAt(x, name), 'differs', sent[name])],
});

/** Values that the server sets: an id of its own and a moment of creation, neither from the body. */
const serverSet = (judge: Judge, ws: Workspace, kind: Written, id: string, sent: Json, data: Json, x: Exchange): void => {
  const other = ws.get(kind as Kind, id);
  judge.must(
    kind === 'project' ? 'WM-PROJ-027' : 'WM-GEN-016',
    // A list that overlapped with the create may have shown it before.
    other === undefined || (other.made.method === 'GET' && other.made.came > x.sent),
    () => ({
      message: `the new ${kind} has the id of another record`,
      claims: [
        { ...claim(x, fieldAt(x, 'id'), 'differs'), than: { call: other!.made.number, at: fieldAt(other!.made, 'id', id) } },
      ],
    }),
    ...(other ? [other.made] : []),
    x,
  );
  if (sent.updated_at !== undefined && kind !== 'team') {
    const requirement = kind === 'project' ? 'WM-PROJ-032' : 'WM-TASK-050';
    judge.must(requirement, !sameValue('updated_at', sent.updated_at, data.updated_at), adopted('updated_at', sent, x), x);
  }
  const own = OWN_ID[kind];
  if (!own) return;
  if (sent.id !== undefined) judge.must(own, sent.id !== id, adopted('id', sent, x), x);
  if (sent.created_at !== undefined) {
    judge.must(own, !sameValue('created_at', sent.created_at, data.created_at), adopted('created_at', sent, x), x);
  }
};

const createdTeam = (judge: Judge, ws: Workspace, entry: Entry, sent: Json, data: Json, x: Exchange): void => {
  const named = Array.isArray(sent.member_ids) ? sent.member_ids.map(String) : [];
  const wanted = [...new Set(named)].filter((id) => ws.people.has(id));
  const creator = ws.profiles.get(x.as);
  const open = named.some((id) => !ws.people.has(id));
  const count = typeof data.member_count === 'number' ? data.member_count : undefined;
  entry.team = { wanted, creator, open, count };
  if (count === undefined || open) return;
  // Whether the creator joins is open; the first team tells.
  const repeated = named.length !== wanted.length;
  const requirement = repeated ? 'WM-TEAM-025' : 'WM-TEAM-022';
  const judged = (expected: number) => judge.must(requirement, count === expected, differs('member_count', expected, count), x);
  if (creator === undefined) {
    // It is unknown whose key this is.
    judged(count === wanted.length + 1 ? count : wanted.length);
    return;
  }
  const how = sent.member_ids === undefined ? 'alone' : 'named';
  if (!wanted.includes(creator) && !repeated) ws.creatorJoins[how] ??= count === wanted.length + 1;
  judged(ws.creatorJoins[how] && !wanted.includes(creator) ? wanted.length + 1 : wanted.length);
};

/** A time that the server sets at a write names that moment. */
const timely = (judge: Judge, requirement: string, name: string, data: Json, x: Exchange): void => {
  const at = data[name];
  const near: Claim = { ...claim(x, fieldAt(x, name), 'near'), than: { call: x.number, at: ['header', 'date'] } };
  const say = sayThat(`${name} is ${at} at ${new Date(x.at).toISOString()}`, near);
  if (isUtc(at)) judge.must(requirement, judge.near(instant(at), x), say, x);
};

export const created = (judge: Judge, ws: Workspace, kind: Exclude<Written, 'webhook'>, x: Exchange, project?: string): void => {
  const data = resource(x);
  const id = idOf(data);
  const sent = sentBody(x);
  ws.epoch++;
  if (id === undefined) return;
  serverSet(judge, ws, kind, id, sent, data, x);
  const entry = ws.add(kind, id, x, judge.alone);
  if (instant(data.created_at) % 1000 !== 0)
    ws.born.set(`${kind} ${String(data.created_at)} ${String(data.title ?? data.name)}`, entry);
  keepLatest(ws.born, MAX_BORN);
  for (const rule of judge.rules.create[kind]) if (rule.shown) createdField(judge, entry, rule, sent, data, x);
  if (kind === 'team') createdTeam(judge, ws, entry, sent, data, x);
  judge.must('WM-GEN-014', true, NOTHING);
  timely(judge, 'WM-GEN-008', 'created_at', data, x);
  timely(judge, 'WM-GEN-017', 'updated_at', data, x);
  for (const name of ['created_at', 'updated_at'])
    if (typeof data[name] === 'string') entry.state.set(name, { value: data[name], by: x, from: 'create', confirmed: false });
  if (kind !== 'task' || project === undefined) return;
  const moved = sent.project_id !== undefined ? 'WM-TASK-034' : 'WM-TASK-002';
  const shows = data.project_id;
  if (shows !== undefined) judge.must(moved, shows === project, differs('project_id of a new task', project, shows), x);
  know(entry, 'project_id', project, x, 'create');
};

/** A field of the server that a PATCH names stays as it is. */
const serverSetAgain = (judge: Judge, entry: Entry, sent: Json, data: Json, x: Exchange): void => {
  const requirement = entry.kind === 'project' ? 'WM-PROJ-032' : 'WM-TASK-050';
  for (const name of ['id', 'created_at', 'updated_at']) {
    if (sent[name] === undefined || data[name] === undefined) continue;
    judge.must(requirement, !sameValue(name, sent[name], data[name]), adopted(name, sent, x), x);
  }
  const home = fieldOf(entry, 'project_id');
  const moved = differs('project_id after a PATCH that names another', home, data.project_id);
  if (sent.project_id !== undefined && data.project_id !== undefined)
    judge.must('WM-TASK-049', data.project_id === home, moved, x);
  if (Object.keys(sent).length === 0) judge.must('WM-EP-074', true, NOTHING);
};

/** A second or more went by since the last write of the record, or since a try whose response got lost. */
const later = (entry: Entry, x: Exchange): boolean => !x.lost && x.sent - entry.written.came >= 1000;

/** A project's updated_at stays though time went by on the target's clock too: what was made since the last write has a later time. */
const stays = (ws: Workspace, { kind, written }: Entry, before: number, now: number, x: Exchange): boolean => {
  const isLate = ({ made, state }: Entry): boolean =>
    made.sent >= written.came && made.came <= x.sent && instant(state.get('created_at')?.value) >= before + TICK_MS;
  if (kind !== 'project' || now !== before || x.lost || x.beside || written.beside) return false;
  return before % 1000 !== 0 && x.sent - written.came >= TICK_MS && [...ws.born.values()].some(isLate);
};

export const updated = (judge: Judge, ws: Workspace, entry: Entry, x: Exchange): void => {
  const data = resource(x);
  const sent = sentBody(x);
  const rules = judge.rules.update[entry.kind as Written] ?? [];
  ws.epoch++;
  ws.moves++;
  const others = rivals(x, entry);
  const written = new Set<string>(others.keys());
  let changed = false;
  for (const { name, kind, shown } of rules) {
    if (sent[name] === undefined || !shown) continue;
    written.add(name);
    const old = fieldOf(entry, name);
    const open = sent[name] === null || (kind === 'time' && Number.isNaN(instant(sent[name])));
    // The effect of null is open, and a response may leave out what is not set.
    const seen = name in data ? data[name] : sent[name] === null && idOf(data) !== undefined ? null : old;
    const wanted = open ? seen : sent[name];
    if (!sameValue(name, old, wanted)) changed = true;
    const unsettled = entry.disputes.get(name);
    entry.disputes.delete(name);
    // No read came since: the change or its response was wrong; the response, if it is late by one.
    const late = unsettled && sameValue(name, data[name], unsettled.wanted) && !sameValue(name, wanted, unsettled.wanted);
    const clause = late ? staleClause(entry) : clausesOf(entry.kind, name).changed;
    if (unsettled) judge.must(clause, false, differs(`${name} after a PATCH`, unsettled.wanted, unsettled.got), unsettled.by);
    const either = others.get(name);
    const fits = [wanted, ...(either ?? [])].some((value) => sameValue(name, data[name], value));
    if (!open && x.text !== '' && !fits) {
      // The response shows something else: the next look at the record tells whether the change or the response is wrong.
      entry.disputes.set(name, { wanted, got: data[name], by: x });
    } else if (!open)
      for (const id of [sentClause(entry.kind, name, wanted, false), staleClause(entry)]) judge.must(id, true, NOTHING, x);
    const or = either && [...either, ...(entry.state.get(name)?.or ?? [])];
    entry.state.set(name, { value: normal(wanted), by: x, from: 'update', confirmed: false, ...(or ? { or } : {}) });
  }
  // A request without a response may have been served before this, after it, or never: the next look tells.
  const lost = (x.beside ?? []).filter(({ noResponse }) => noResponse);
  for (const [name, values] of rivals({ beside: lost }, entry)) {
    const known = entry.state.get(name);
    if (known && sent[name] === undefined) entry.state.set(name, { ...known, or: [known.value, ...values] });
  }
  serverSetAgain(judge, entry, sent, data, x);
  const id = idOf(data);
  if (id !== undefined) judge.must(staleClause(entry), id === entry.id, differs('the id of the updated record', entry.id, id), x);
  const before = fieldOf(entry, 'updated_at');
  const since = entry.state.get('updated_at')?.by;
  if (isRecord(x.json)) judgeRow(judge, ws, entry, data, x, 'update', written);
  const still = stays(ws, entry, instant(before), instant(data.updated_at), x);
  const tells = typeof data.updated_at === 'string' && before !== undefined && (still || later(entry, x));
  if (changed && tells && (entry.own || !judge.alone)) {
    const moved = instant(data.updated_at) > instant(before);
    ws.touches.set(entry.kind, moved && ws.touches.get(entry.kind) !== false);
    if (!moved && (still || !judge.alone) && entry.kind === 'project') {
      // Others can't turn it back, and a clock that stands still moves nothing.
      const say = sayThat(`updated_at stays ${shown(data.updated_at)} after a PATCH`);
      if (still || !standsStill(entry.written, x)) judge.must('WM-PROJ-011', false, say, ...(since ? [since] : []), x);
    } else if (!moved) entry.disputes.set('updated_at', { wanted: before, got: data.updated_at, by: x, since });
    else if (entry.kind === 'project') judge.must('WM-PROJ-011', true, NOTHING, x);
    if (moved && !judge.alone) judge.often(staleClause(entry), ['updated_at'], true, NOTHING);
    if (moved) timely(judge, 'WM-GEN-017', 'updated_at', data, x);
  }
  entry.written = x;
};

export const deleted = (ws: Workspace, entry: Entry, x: Exchange): void => {
  ws.epoch++;
  ws.moves++;
  entry.gone = x;
  for (const task of ws.tasksOf(entry)) task.gone = x;
};

const secretClaim = (x: Exchange, before: Exchange | undefined): Claim => ({
  ...claim(x, fieldAt(x, 'secret'), 'differs'),
  ...(before ? { than: { call: before.number, at: fieldAt(before, 'secret') } } : {}),
});

const namesEvent = (name: unknown): name is string => typeof name === 'string' && /^[a-z]+\.[a-z_]+$/.test(name);

/** A registration has a secret of its own, and shows what was asked for as far as it shows it. @param secrets those of all before it */
export const registered = (judge: Judge, secrets: Map<string, Exchange>, x: Exchange): void => {
  const data = resource(x);
  const sent = sentBody(x);
  const secret = secretOf(x) ?? '';
  const before = secrets.get(secret);
  const isText = claim(x, fieldAt(x, 'secret'), 'type', ['text']);
  const shared = sayThat('a registration shows the secret of another', secretClaim(x, before));
  // A response may show what was there already without its secret.
  if (x.status === 201)
    judge.must('WM-HOOK-004', secret !== '', sayThat('the response to a registration has no secret', isText), x);
  if (secret !== '' && secrets.size > 0) judge.must('WM-HOOK-012', !before, shared, ...(before ? [before] : []), x);
  if (secret !== '') secrets.set(secret, x);
  // Nothing more is said of a request that should have been refused.
  if (!String(sent.url).includes(judge.mark) || !Array.isArray(sent.events) || !sent.events.every(namesEvent)) return;
  const wanted = [...sent.events].sort();
  const named = Array.isArray(data.events) && data.events.every(namesEvent) ? [...data.events].sort() : wanted;
  // A name that was sent twice may be shown so.
  const fits = [wanted, [...new Set(wanted)]].some((list) => sameValue('events', named, list));
  judge.must('WM-HOOK-015', fits, differs('events of a new registration', sent.events, data.events), x);
  const { url } = data;
  const same = typeof url !== 'string' || !URL.canParse(url) || new URL(url).href === new URL(String(sent.url)).href;
  judge.must('WM-HOOK-015', same, differs('url of a new registration', sent.url, url), x);
  // A response may show any of the rest.
  for (const { name, named, fallback } of judge.rules.create.webhook) {
    if (named || data[name] === undefined) continue;
    const wanted = sent[name] === undefined ? fallback : sent[name];
    const say = differs(`${name} of a new registration`, wanted, data[name]);
    judge.must(clausesOf('webhook', name).sent, sameValue(name, data[name], wanted), say, x);
  }
};
