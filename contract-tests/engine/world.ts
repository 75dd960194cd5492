// The records that most checks share: projects of this run, a grid of tasks and some to change, built once from the table of fields.
import type { FieldRule } from '../oracle/rules.ts';
import type { Json } from './exchange.ts';
import { idOf, ids, records, resource, succeeded } from './exchange.ts';
import { createdId, withoutId } from './made.ts';
import type { Requests } from './requests.ts';
import { type Ids, samplesOf } from './samples.ts';
import type { Made, World } from './scene.ts';
import { Blocked } from './unjudged.ts';

/** Texts that a careless pipeline alters: tags, entities, escapes, templates, letters outside ASCII and the BMP, decomposed ones, spaces. */
export const ODD =
  '<b>not bold</b> & &amp; "q" \'so\' \\ \\n %20 a+b {{x}} %s Éé e\u0301 ß 日本 😀 👩‍👩‍👧  two  spaces -- ﬁ ½ :tada:';
export const MARKUP = `${ODD}\nsecond line\n\n\tfourth line <script>alert(1)</script>`;

/** How titles begin that differ at their end alone. */
const ALIKE = 'another '.repeat(8);

/** The subject that has no assignee. */
export const NOBODYS = 2;
const NAMED = new Set(['title', 'description', 'assignee_id', 'due_date', 'status', 'priority']);

/** Titles that are taken for something else: none, a number, a day, nothing, a formula, a tag, a template. */
export const TITLES = ['0', '0012345', '2031-05-05', 'null', '=1+1', '<i></i>', 'no #1 costs $1'] as const;
/** More that a careless pipeline alters: hashes, separators, escapes, letters that look like others, words of other languages. */
const TEXTS = [
  'true',
  '😀 first of all',
  'ﬁrst ½ ² ™ ligatures',
  'Zebra before apple',
  'ärger, zebra, Ärger',
  'one, two; three',
  'in the 😀 middle',
  'wm # behind a hash',
  'Ωmega and жук',
  'line\nbreak\tand tab',
  '{"json": [1, 2]}',
  '%41%20%2F+ C:\\temp\\new',
  'undefined',
  '-- @someone **bold** [link](x)',
  'false',
  '1e3',
  '日本語のタイトル',
  '&<>"\''.repeat(40),
  'see https://example.com/?a=b&c=d#e',
  'NaN',
] as const;
/** Days that clocks and calendars get wrong: leap years, the last of a month, the week that is next year's, long ago, and offsets of every kind. */
const DAYS = [
  '2032-02-29T10:00:00Z',
  '2031-12-31T23:30:00+02:00',
  '2031-01-31T12:30:00Z',
  '2031-12-31T12:45:37-05:30',
  '2075-12-31T23:59:59Z',
  '2031-05-05T23:30:59.250+05:45',
  '2029-12-31T00:00:01Z',
  undefined,
  '1965-05-05T10:00:00.500Z',
  '2031-03-01T00:15:00+14:00',
  '2031-03-30T02:30:00.500Z',
  '1999-12-31T23:59:59Z',
  undefined,
  '2031-01-01T00:00:00-11:00',
  '2031-02-28T23:59:59.999Z',
] as const;

/** The state of a task and its assignee: the first or the second member's, the last one's, or no user's. */
type Part = readonly [status: string, priority: string, whose: number | undefined];
/** A value that half of the tasks have in common, so that filters together still give pages. */
export const HALVES: readonly Part[] = [
  ['todo', 'high', 0],
  ['in_progress', 'low', 1],
];
/** The first differ from a half in one field, so that a filter that isn't heeded shows. */
const OTHERS: readonly Part[] = [
  ['done', 'high', 0],
  ['todo', 'urgent', 0],
  ['todo', 'high', 1],
  ['in_review', 'low', 1],
  ['in_progress', 'medium', 1],
  ['in_progress', 'low', 0],
  ['backlog', 'medium', undefined],
  ['done', 'urgent', undefined],
  ['backlog', 'low', 0],
  ['in_review', 'high', undefined],
  ['done', 'medium', 1],
  ['backlog', 'urgent', 1],
  ['in_review', 'urgent', -1],
  ['in_progress', 'low', undefined],
  ['backlog', 'high', -1],
];
/** Three of seven tasks are of a half; the last page of seven is full. */
const SIZE = 28;
const HOT = [0, 2, 4] as const;

/** The longest, and the least that is enough, by their place among the others. */
const EDGES = { long: 12, accented: 13, markup: 14, least: 15 } as const;

/** A default value is left out here and there, beside whatever else is sent. */
const leftOut = (nth: number, value: string, fallback: unknown) => nth % 4 === 2 && value === fallback;

/** Twenty-eight tasks; titles and dates come in pairs, in another order than creation. Later ones may name earlier ones. */
const grid = (rules: readonly FieldRule[], known: Ids, members: readonly string[], run: string): (() => Json)[] =>
  Array.from({ length: SIZE }, (_, i) => () => {
    const turn = HOT.indexOf((i % 7) as 0);
    const hot = Math.floor(i / 7) * HOT.length + turn;
    const other = i - (turn >= 0 ? 0 : Math.floor(i / 7) * HOT.length + HOT.filter((at) => at < i % 7).length);
    if (turn < 0 && other === EDGES.least) return { title: 'x' };
    const [status, priority, whose] = turn >= 0 ? HALVES[hot % 2]! : OTHERS[other]!;
    const nth = hot >> 1;
    const day = String(10 + (nth % 3)).padStart(2, '0');
    const task: Record<string, unknown> = {
      title: turn >= 0 ? `wm ${run} ${ALIKE}${hot % 2}${(nth * 2) % 3}` : (TITLES[other] ?? TEXTS[other - TITLES.length]),
      description: TEXTS[i % TEXTS.length],
      due_date: turn < 0 ? DAYS[other] : nth % 3 === 2 ? undefined : `2031-01-${day}T10:00:00${hot % 2 ? '.500' : ''}Z`,
    };
    for (const rule of rules.filter(({ name }) => !NAMED.has(name))) {
      const samples = samplesOf(rule, known);
      if (samples.length > 0) task[rule.name] = samples[i % samples.length];
    }
    for (const [name, value] of [
      ['status', status],
      ['priority', priority],
    ] as const) {
      const rule = rules.find((one) => one.name === name);
      if (rule?.values.includes(value) && !(turn < 0 && leftOut(other, value, rule.fallback))) task[name] = value;
    }
    const person = whose === undefined ? undefined : (members.at(whose) ?? members[0]);
    if (person !== undefined) task.assignee_id = person;
    if (turn >= 0) return task;
    if (other === EDGES.long) Object.assign(task, { title: `wm ${run}`.padEnd(255, '&y'), description: '日'.repeat(10_000) });
    if (other === EDGES.accented) task.title = `wm ${run}`.padEnd(255, '日');
    if (other === EDGES.markup) Object.assign(task, { title: `${run} ${ODD}`, description: MARKUP });
    return task;
  });

/** Which value of a list the first of the tasks with every field set has: that one is urgent. */
const FROM = 3;

/** Long and odd, for what a change of another field does to it. */
const WORN = `${MARKUP} ${'wm '.repeat(400)}`;

/** Tasks with every field set, to show disturbed ones; one has no assignee, and two have one title. */
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

const make = async (t: Requests, path: string, sent: Json): Promise<Made> => {
  const response = await t.post(path, sent);
  const ok = createdId(response) !== undefined;
  return { sent, response, got: ok ? resource(response) : {}, ok };
};

/** A task; where its assignee may have left, assigned to the user of our key, or to none where that is not listed. */
const assigned = async (t: Requests, path: string, sent: Json, members: readonly string[]): Promise<Made> => {
  const made = await make(t, path, sent);
  const me = members.find((id) => id === t.parts.scene.user);
  if (made.ok || succeeded(made.response) || sent.assignee_id === undefined || sent.assignee_id === me) return made;
  return make(t, path, { ...sent, assignee_id: me });
};

/** A project with the longest name and description; with shorter ones where these are refused, which is judged already. */
const makeMain = async (t: Requests): Promise<Made> => {
  const name = t.name('main');
  const bodies = [
    // Up to the first letter whose length depends on the unit.
    { name: name.padEnd(150, 'n'), description: ODD.split(' e')[0]!.padEnd(1000, '日'), visibility: 'team' },
    { name: name.padEnd(150, 'n'), description: 'Made by a contract run.', visibility: 'team' },
    { name, description: 'Made by a contract run.', visibility: 'team' },
  ];
  for (const body of bodies) {
    const made = await make(t, '/projects', body);
    if (made.ok) return made;
    if (succeeded(made.response)) throw new Blocked(withoutId(made.response) ?? 'WM-PROJ-001');
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
  t.must('WM-EP-014', succeeded(listed), `GET /workspace/members returns ${listed.status}`, listed);
  t.note('WM-USER-012', [...new Set(records(listed).map((item) => String(item.role)))].sort().join(', '), listed);
  const rules = t.parts.rules.create.task;
  const main = await makeMain(t);
  const side = await make(t, '/projects', { name: t.name('side') });
  if (!side.ok) throw new Blocked(withoutId(side.response) ?? 'WM-PROJ-005');
  const mainId = idOf(main.got)!;
  const sideId = idOf(side.got)!;
  const attempts: Made[] = [];
  // Two runs at once make no task of one title, as far as its length allows.
  const run = t.parts.runName.slice(-6);
  const inMain = `/projects/${encodeURIComponent(mainId)}/tasks`;
  const known: Ids = (refers) => (refers === 'users' ? members : t.ids(refers));
  for (const next of grid(rules, known, members, run)) {
    // On a virtual clock some are made at one moment, and some not.
    if (t.time.virtual && attempts.length % 3 === 1) await t.time.sleep(2000);
    attempts.push(await assigned(t, inMain, next(), members));
  }
  // Whether keys of other users see a private project is open. What was made meanwhile tells that time went by.
  await t.patch(`/projects/${encodeURIComponent(sideId)}`, { visibility: 'public' });
  const sideTasks: Made[] = [];
  for (const sent of subjects(rules, known, run))
    sideTasks.push(await assigned(t, `/projects/${encodeURIComponent(sideId)}/tasks`, sent, members));
  const tasks = attempts.filter((made) => made.ok);
  if (tasks.length === 0) {
    const taken = attempts.find((made) => succeeded(made.response))?.response;
    throw new Blocked(taken ? (withoutId(taken) ?? 'WM-TASK-001') : 'WM-EP-008');
  }
  return { main, side, mainId, sideId, attempts, tasks, sideTasks: sideTasks.filter((made) => made.ok), members };
};
