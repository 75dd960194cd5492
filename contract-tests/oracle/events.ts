// The oracle of events: holds what came to the run's registrations against what the run has changed, whichever check changed it.
import type { Claim } from '../engine/claims.ts';
import { succeeded } from '../engine/exchange.ts';
import type { Tools } from '../engine/tools.ts';
import type { Change, ChangeLog } from './changes.ts';
import { shown } from './judge.ts';
import {
  aboutIt,
  idOfEvent,
  judgeEnvelope,
  type Letter,
  lettersOf,
  nameOf,
  type Registration,
  sameJson,
  shownBy,
} from './letters.ts';
import { differences, type Moment, type Post, pair, untimely } from './pairing.ts';
import { STRAY, type Stray, straysOf } from './strays.ts';

/** The requirement that says when an event is fired. */
export const FIRED: Readonly<Record<string, string>> = {
  'task.created': 'WM-EVT-001',
  'task.updated': 'WM-EVT-002',
  'task.deleted': 'WM-EVT-003',
  'project.created': 'WM-EVT-004',
  'project.updated': 'WM-EVT-005',
  'project.deleted': 'WM-EVT-006',
};

/** How many examples of one fault are told. */
const EXAMPLES = 3;

/** Tries whose responses were lost may have been served up to this much earlier. */
const LOST_MS = 120_000;

/** By each clock that the target may go by: a gateway sets Date, and the application dates its records and events by its own. */
const momentsOf = (t: Tools): Moment => {
  const now = t.time.now();
  const clocks = t.parts.skew.clocks();
  const least = Math.min(...clocks.map(({ at, within }) => at - now - within));
  const most = Math.max(...clocks.map(({ at, within }) => at - now + within));
  return ({ headers, sent, came, lost }) => {
    const date = Date.parse(headers.get('date') ?? '');
    const [from, to] = [sent + least, came + most];
    const early = lost === undefined ? 0 : LOST_MS;
    if (Number.isNaN(date)) return { from: from - early, to };
    return { from: Math.min(from, date - (came - sent)) - early, to: Math.max(to, date + 1000) };
  };
};

/** Reads what has come so far. */
export const readPost = (t: Tools, log: ChangeLog, to: Registration): Post => {
  const letters = lettersOf(t.parts.receiver!.on(to.name));
  const mine = log.changes.filter(({ event, space }) => space === to.space && to.events.includes(event));
  /** A change before the registration may still be announced to it. */
  const must = (change: Change) => change.open === undefined && change.by.number > to.number;
  return { to, letters, due: mine.filter(must), pairing: pair(letters, mine, must, momentsOf(t)) };
};

/** Whether everything has come that must. */
export const isComplete = ({ pairing: { missing } }: Post): boolean => missing.length === 0;

/** How long the slowest letter took, in milliseconds. */
export const slowest = (posts: readonly Post[]): number =>
  Math.max(0, ...posts.flatMap(({ pairing }) => [...pairing.pairs].map(([letter, { by }]) => letter.first.at - by.came)));

/** Judges everything that came to the registrations; to be called when all has come that will. */
export const judgePosts = (t: Tools, log: ChangeLog, posts: readonly Post[]): void => {
  const moment = momentsOf(t);
  const { client, runName } = t.parts;
  /** Whether a write of such a record got no response, so that its effect is unknown. */
  const lost = (path: string) => client.infra.events.some(({ request }) => !request.startsWith('GET') && request.includes(path));
  const strays = posts.map((post) => straysOf(post, { log, run: runName, moment, lost }));
  for (const [i, { letters }] of posts.entries())
    for (const letter of letters) if (!strays[i]!.has(letter)) judgeEnvelope(t, letter, log);
  const [main] = posts;
  const created = ids(t, posts);
  for (const [i, post] of posts.entries()) {
    // Letters that share an id are taken for one: what is missing then is no other fault.
    if (created) announced(t, post, main!);
    snapshots(t, post, moment);
    unexplained(t, log, post, strays[i]!);
  }
  openPoints(t, log, main!);
};

/** Two events never share an id; whether one event has one id for all registrations is open. */
const ids = (t: Tools, posts: readonly Post[]): boolean => {
  const first = new Map<string, Letter>();
  let good = true;
  for (const letter of posts.flatMap(({ letters }) => letters)) {
    const id = idOfEvent(letter.first);
    if (id === undefined) continue;
    const other = first.get(id);
    if (!other) first.set(id, letter);
    else {
      const same =
        other.first.path !== letter.first.path && other.event === letter.event && sameJson(other.snapshot, letter.snapshot);
      good = t.must('WM-EVT-018', same, shownBy(`${nameOf(letter)} has the id of ${nameOf(other)}`, other, letter)) && good;
    }
  }
  if (first.size > 0) t.must('WM-EVT-018', true, '');
  return good;
};

/** The role of which nothing is told though others are told of; undefined when there is none. */
const ignoredRole = ({ due, pairing }: Post): string | undefined => {
  const roles = [...new Set(due.map(({ by }) => by.as))];
  const silent = roles.filter((role) => due.every((change) => change.by.as !== role || pairing.missing.includes(change)));
  return silent.length === 1 && roles.length > 1 ? silent[0] : undefined;
};

/** Every change is announced to everyone who asked for its event. */
const announced = (t: Tools, post: Post, main: Post): void => {
  const { to, due, pairing } = post;
  const ignored = ignoredRole(post);
  const counts = new Map<string, number>();
  for (const change of pairing.missing) {
    const { event, id, by } = change;
    // An event that one registration got and another did not has fired.
    const elsewhere =
      main.to !== to && main.to.space === to.space && main.due.includes(change) && !main.pairing.missing.includes(change);
    const requirement = elsewhere ? 'WM-EVT-036' : FIRED[event]!;
    const count = (counts.get(requirement) ?? 0) + 1;
    counts.set(requirement, count);
    const who = by.as === 'keyless' ? 'a key' : `the ${by.as} key`;
    const message = `${event} of ${id} does not come to "${to.name}" after ${by.method} ${by.path} by ${who}`;
    const others = post.letters.filter(({ about }) => about === id);
    const sent = post.letters.filter((letter) => letter.about === id && letter.event === event).length;
    const claims = [{ deliveries: { to: to.name, event, about: id }, at: [], op: 'least', value: sent + 1 }] as const;
    if (count <= EXAMPLES) t.must(requirement, false, { ...shownBy(message, ...others), claims }, by);
    // That a key is passed over is one fault, whatever it writes.
    if (by.as === ignored) break;
  }
  // An event without a name breaks a requirement of its own.
  for (const [letter, { event, by }] of pairing.misnamed.filter(([{ event }]) => event !== '').slice(0, EXAMPLES))
    t.must(FIRED[event]!, false, shownBy(`${event} comes as ${nameOf(letter)}`, letter), by);
  for (const event of new Set(due.map((change) => change.event))) t.must(FIRED[event]!, true, '');
  if (main.to !== to && due.length > 0) t.must('WM-EVT-036', true, '');
};

/** A letter shows the record as it was, and the time at which it changed. */
const snapshots = (t: Tools, { pairing, to, letters }: Post, moment: Moment): void => {
  for (const [letter, { by, state }] of pairing.misfits.slice(0, EXAMPLES)) {
    const wrong = differences(letter, { state });
    const times = untimely(letter, by, moment);
    const [field] = wrong;
    const after = `${by.method} ${by.path}`;
    if (field !== undefined) {
      const message = `the snapshot of ${nameOf(letter)} after ${after} shows another ${wrong.join(', ')} than the record had`;
      const [expected, got] = [shown(state.get(field)), shown(letter.snapshot[field])];
      const [kind] = letter.event.split('.') as [string];
      const alike = letters.filter(({ event, about }) => event === letter.event && about === letter.about);
      const deliveries = { ...aboutIt(letter), nth: alike.indexOf(letter) };
      const than = field.endsWith('_at') ? { than: { call: by.number, at: ['body', 'data', field] } } : {};
      const claimed = { deliveries, at: ['body', 'data', kind, field], op: 'equals', value: state.get(field), ...than } as const;
      t.must(
        'WM-EVT-024',
        false,
        { ...shownBy(message, letter), expected: `${field}: ${expected}`, got: `${field}: ${got}`, claims: [claimed] },
        by,
      );
    } else {
      const says = (what: string) => shownBy(`${what} of ${nameOf(letter)} is not the time of ${after}`, letter);
      if (t.must('WM-EVT-035', !times.includes('created_at'), says('created_at'), by))
        t.must('WM-EVT-012', !times.includes('stamp'), says('X-Service-Timestamp'), by);
    }
  }
  if (pairing.pairs.size === 0) return;
  for (const requirement of ['WM-EVT-024', 'WM-EVT-035', 'WM-EVT-012']) t.must(requirement, true, '');
  if (to.space === 'own') t.must('WM-EVT-037', true, '');
};

/** The claim on an event that came once too often. */
const fewer = (letters: readonly Letter[], { event, about, first }: Letter): Claim => {
  const count = letters.filter((one) => one.event === event && one.about === about).length;
  return { deliveries: { to: first.path, event, about }, at: [], op: 'most', value: count - 1 };
};

const SAYS: { readonly [S in Stray]: (letter: Letter) => string } = {
  'WM-EVT-028': (letter) => `${nameOf(letter)} is of another workspace`,
  'WM-EVT-027': (letter) => `a refused write fires ${nameOf(letter)}`,
  'WM-EVT-037': (letter) => `${nameOf(letter)} tells again what another event has told`,
  'WM-EVT-033': (letter) => `nothing was done that ${nameOf(letter)} could tell of`,
};

/** Other records that an event is about, such as the registration itself, no request can read. */
const OF_THE_WORKSPACE = /^(project|task|comment|user|member|team)\b/;

/** Judges what no change explains. */
const unexplained = (t: Tools, log: ChangeLog, { to, letters, pairing }: Post, strays: ReadonlyMap<Letter, Stray>): void => {
  const misnamed = new Set(pairing.misnamed.map(([letter]) => letter));
  for (const letter of letters.filter(({ event }) => !to.shared?.includes(event)))
    if (OF_THE_WORKSPACE.test(letter.event) && !to.everything && !misnamed.has(letter))
      t.must('WM-EVT-026', to.events.includes(letter.event), {
        ...shownBy(`"${to.name}" did not ask for ${nameOf(letter)}`, letter),
        claims: [{ deliveries: { to: to.name, event: letter.event }, at: [], op: 'most', value: 0 }],
      });
  for (const requirement of STRAY)
    for (const [letter] of [...strays].filter(([, blame]) => blame === requirement).slice(0, EXAMPLES))
      t.must(requirement, false, { ...shownBy(SAYS[requirement](letter), letter), claims: [fewer(letters, letter)] });
  if (to.space !== 'own' || pairing.pairs.size === 0) return;
  const since = log.changes.filter(({ by }) => by.number > to.number);
  if (since.some(({ space }) => space === 'other')) t.must('WM-EVT-028', true, '');
  if (log.refusals.some(({ space, sure }) => space === 'own' && sure)) t.must('WM-EVT-027', true, '');
  for (const requirement of ['WM-EVT-033', 'WM-EVT-037']) t.must(requirement, true, '');
};

const openPoints = (t: Tools, log: ChangeLog, { to, letters, pairing }: Post): void => {
  const since = log.changes.filter(({ by, space }) => by.number > to.number && space === to.space);
  const announced = new Set(pairing.pairs.values());
  const cascades = since.filter(({ open }) => open === 'cascade');
  if (cascades.length > 0) {
    const each = cascades.some((change) => announced.has(change));
    t.note('WM-EVT-029', each ? 'each task too' : 'the project alone');
    t.observe('project-delete-events', each ? 'each' : 'project');
  }
  const idle = since.filter(({ open, by }) => open === 'no change' && succeeded(by));
  if (idle.length > 0) {
    const fired = idle.filter((change) => announced.has(change)).length;
    t.note('WM-EVT-030', fired === 0 ? 'it does not' : fired === idle.length ? 'it fires' : 'it does at times', idle[0]!.by);
  }
  const project = letters.find(({ event }) => event.startsWith('project.'));
  if (project) t.note('WM-EVT-025', `project: ${Object.keys(project.snapshot).join(', ')}`);
  const task = letters.find(({ event, about }) => event === 'task.created' && log.spaceOf('task', about) !== undefined);
  if (task) t.observe('task-snapshot', Object.keys(task.snapshot).some((name) => !MINIMAL.includes(name)) ? 'full' : 'minimal');
};

const MINIMAL = ['id', 'title', 'project_id', 'status', 'assignee_id'];
