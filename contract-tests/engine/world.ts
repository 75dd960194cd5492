// The records that most checks share: projects of this run, a grid of tasks and some to change, built once from the table of fields.
import type { FieldRule } from '../oracle/rules.ts';
import type { Json } from './exchange.ts';
import { idOf, ids, records, resource, succeeded } from './exchange.ts';
import { createdId, withoutId } from './made.ts';
import type { Requests } from './requests.ts';
import { type Ids, samplesOf } from './samples.ts';
import type { Made, World } from './scene.ts';
import { Blocked } from './unjudged.ts';

export const GRID = {
  size: 21,
  odd: 8,
  plain: 20,
  shortTitle: 20,
  longTitle: 15,
  accented: 19,
  longText: 18,
  markup: 17,
} as const;
/** What a careless text pipeline alters: tags, entities, escapes, templates, letters outside ASCII and the BMP, decomposed ones, spaces. */
export const ODD =
  '<b>not bold</b> & &amp; "quoted" \'so\' \\ \\n %20 a+b {{x}} %s Éé e\u0301 ß 日本 😀 👩‍👩‍👧  two  spaces -- :tada:';
export const MARKUP = `${ODD}\nsecond line\n\n\tfourth line <script>alert(1)</script>`;

/** How titles begin that differ at their end alone. */
const ALIKE = 'another '.repeat(8);

/** The subject that nobody is assigned to. */
export const NOBODYS = 2;
/** The tasks before this one are sent without what is the default. */
const DEFAULTS_LEFT_OUT = 5;
const NAMED = new Set(['title', 'description', 'assignee_id', 'due_date']);

/** Titles that are taken for something else: none, a number, a day, nothing, a formula, a tag, a template. */
export const TITLES = ['0', '0012345', '2031-05-05', 'null', '=1+1', '<i></i>', '#1 costs $1'] as const;
/** Days that calendars and clocks get wrong: of a leap year, the last of a month, of the second half of the century, of the week that is next year's, noon. */
const DAYS = [
  '2032-02-29T10:00:00Z',
  '2031-01-31T12:30:00Z',
  '2075-12-31T23:59:59Z',
  '2029-12-31T00:00:01Z',
  '2031-03-30T02:30:00.500Z',
];

/**
 * Twenty-one tasks, so that the last page of seven is full: each status meets each priority once; titles and dates are in another order than creation;
 * half of the dates are one and the same, so that equal ones stand on both sides of every page's end. Later ones may name earlier ones.
 */
const grid = (rules: readonly FieldRule[], known: Ids, members: readonly string[], run: string): (() => Json)[] =>
  Array.from({ length: GRID.size }, (_, i) => () => {
    const task: Record<string, unknown> = { title: `wm ${run} ${ALIKE}${String((i * 7) % GRID.size).padStart(2, '0')}` };
    if (i < GRID.plain) {
      for (const rule of rules.filter(({ name }) => !NAMED.has(name))) {
        const samples = samplesOf(rule, known);
        const value = samples[i % samples.length];
        // A default is left out here and there, beside whatever else is sent.
        if (samples.length > 0 && !(value === rule.fallback && i < DEFAULTS_LEFT_OUT)) task[rule.name] = value;
      }
    }
    if (i % 3 < 2 && members.length > 0) task.assignee_id = members[i % 3 === 1 && members.length > 1 ? 1 : 0];
    const day = String(1 + ((i * 5) % GRID.size)).padStart(2, '0');
    if (i % 4 !== 3) task.due_date = `2031-01-11T10:00:00${i % 4 === 0 ? 'Z' : '.500Z'}`;
    if (i % 4 === 1) task.due_date = DAYS[(i - 1) / 4] ?? `2031-01-${day}T10:00:00.500Z`;
    // Long ago, and in the earliest place.
    if (i === 4) task.due_date = '1965-05-05T10:00:00.500Z';
    if (i % 5 === 1) task.description = `wm description ${i}, see https://example.com/?a=1&b=2`;
    const odd = TITLES[i - GRID.odd];
    if (odd !== undefined) task.title = odd;
    if (i === GRID.shortTitle) return { title: 'x' };
    if (i === GRID.longTitle) task.title = `wm ${run}`.padEnd(255, 'y');
    if (i === GRID.accented) task.title = `wm ${run}`.padEnd(255, '日');
    if (i === GRID.longText) task.description = '日'.repeat(10_000);
    if (i === GRID.markup) Object.assign(task, { title: `${run} ${ODD}`, description: MARKUP });
    return task;
  });

/** Which value of a list the first of the tasks with every field set has: that one is urgent. */
const FROM = 3;

/** Long and odd, for what a change of another field does to it. */
const WORN = `${MARKUP} ${'wm '.repeat(400)}`;

/** Tasks with every field set, so that a change of one that disturbs another shows; one has nobody, and two one title. */
const subjects = (rules: readonly FieldRule[], known: Ids, run: string): Json[] =>
  Array.from({ length: 5 }, (_, i) => ({
    ...Object.fromEntries(
      rules.flatMap((rule) => {
        const samples = samplesOf(rule, known);
        return samples.length > 0 ? [[rule.name, samples[(i + (rule.name === 'priority' ? FROM : 1)) % samples.length]]] : [];
      }),
    ),
    ...(i === NOBODYS ? { assignee_id: undefined } : {}),
    title: `wm ${run} side ${'abcdd'[i]}`,
    description: `before ${i} ${WORN}`,
    due_date: `2032-0${i + 1}-01T08:00:00Z`,
  }));

export const make = async (t: Requests, path: string, sent: Json): Promise<Made> => {
  const answer = await t.post(path, sent);
  const ok = createdId(answer) !== undefined;
  return { sent, answer, got: ok ? resource(answer) : {}, ok };
};

/** A task; where it is refused for somebody who may have left, assigned to the user of our key, or to nobody where that one is not listed. */
const assigned = async (t: Requests, path: string, sent: Json, members: readonly string[]): Promise<Made> => {
  const made = await make(t, path, sent);
  const me = members.find((id) => id === t.parts.scene.user);
  if (made.ok || succeeded(made.answer) || sent.assignee_id === undefined || sent.assignee_id === me) return made;
  return make(t, path, { ...sent, assignee_id: me });
};

/** A project with the longest name and description; with shorter ones where these are refused, which is judged already. */
const makeMain = async (t: Requests): Promise<Made> => {
  const name = t.name('main');
  const bodies = [
    { name: name.padEnd(150, 'n'), description: '日'.repeat(1000), visibility: 'team' },
    { name: name.padEnd(150, 'n'), description: 'Made by a contract run.', visibility: 'team' },
    { name, description: 'Made by a contract run.', visibility: 'team' },
  ];
  for (const body of bodies) {
    const made = await make(t, '/projects', body);
    if (made.ok) return made;
    if (succeeded(made.answer)) throw new Blocked(withoutId(made.answer) ?? 'WM-PROJ-001');
  }
  throw new Blocked('WM-EP-002');
};

/** @throws Blocked when not even a project and a few tasks can be made. */
export const buildWorld = async (t: Requests): Promise<World> => {
  const listed = await t.get('/workspace/members?limit=100', { as: t.reader });
  // Others may leave meanwhile; the user of our key stays.
  const me = t.parts.scene.user;
  const members = ids(records(listed)).sort((a, b) => Number(b === me) - Number(a === me));
  t.parts.scene.memberNames = new Set(
    records(listed).flatMap(({ id, name, email }) => [name, email].filter((one) => one !== id)),
  );
  t.must('WM-EP-014', succeeded(listed), `GET /workspace/members answers ${listed.status}`, listed);
  t.note('WM-USER-012', [...new Set(records(listed).map((item) => String(item.role)))].sort().join(', '), listed);
  const rules = t.parts.rules.create.task;
  const main = await makeMain(t);
  const side = await make(t, '/projects', { name: t.name('side') });
  if (!side.ok) throw new Blocked(withoutId(side.answer) ?? 'WM-PROJ-005');
  const mainId = idOf(main.got)!;
  const sideId = idOf(side.got)!;
  // Whether keys of other users see a private project is open.
  await t.patch(`/projects/${encodeURIComponent(sideId)}`, { visibility: 'public' });
  const attempts: Made[] = [];
  // Two runs at once make no task of one title, as far as its length allows.
  const run = t.parts.runName.slice(-6);
  const inMain = `/projects/${encodeURIComponent(mainId)}/tasks`;
  const known: Ids = (refers) => (refers === 'users' ? members : t.ids(refers));
  for (const next of grid(rules, known, members, run)) {
    if (t.time.virtual && [1, 11, GRID.size - 1].includes(attempts.length)) await t.time.sleep(2000);
    attempts.push(await assigned(t, inMain, next(), members));
  }
  const sideTasks: Made[] = [];
  for (const sent of subjects(rules, known, run))
    sideTasks.push(await assigned(t, `/projects/${encodeURIComponent(sideId)}/tasks`, sent, members));
  const tasks = attempts.filter((made) => made.ok);
  if (tasks.length === 0) {
    const taken = attempts.find((made) => succeeded(made.answer))?.answer;
    throw new Blocked(taken ? (withoutId(taken) ?? 'WM-TASK-001') : 'WM-EP-008');
  }
  return { main, side, mainId, sideId, attempts, tasks, sideTasks: sideTasks.filter((made) => made.ok), members };
};
