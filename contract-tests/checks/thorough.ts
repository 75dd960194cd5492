// What a budget of requests leaves out: every operation with every key, every list in every size, order and mixture, every value alone.
import type { Check } from '../engine/check.ts';
import { type Exchange, ids, records, resource, succeeded } from '../engine/exchange.ts';
import type { Ids } from '../engine/scene.ts';
import type { Tools } from '../engine/tools.ts';
import type { FieldRule, Written } from '../oracle/rules.ts';
import { neighbours, once } from './spare.ts';
import { at, of } from './spelling.ts';
import { filters, type Long, many, mixtures, near, orders, projectOrders, seams, sizes, thorough } from './thorough-lists.ts';
import { wrongValues } from './wrong-values.ts';

/** Records that nobody else's check looks at. */
const subjects = async (t: Tools): Promise<Ids> => {
  const known = t.parts.shared.get('thorough') as Ids | undefined;
  if (known) return known;
  const { members } = await t.world();
  const project = await t.project('thorough');
  const task = await t.task(encodeURIComponent(project), { title: t.name('thorough'), description: 'untouched' });
  const team = t.knows('1.2') ? (await t.team({ name: t.name('thorough'), member_ids: members.slice(0, 2) })).id : 'wmct-no-team';
  const made = { project, task, team };
  t.parts.shared.set('thorough', made);
  return made;
};

const look = async (t: Tools): Promise<void> => {
  const { project, task, team } = await subjects(t);
  await t.get(at('projects', project));
  await t.get(at('tasks', task));
  await t.get(`${at('projects', project)}/tasks?limit=100`);
  if (t.knows('1.2')) await t.get(at('teams', team));
};

/** Each field, changed alone a moment later: every list shows it at once, whatever else is asked of the list. */
const changes = thorough('changes', 'What was changed shows in every list at once', async (t) => {
  const { mainId } = await t.world();
  const project = encodeURIComponent(await t.project('changes'));
  // At the same moment as far as a clock can tell, for the order of equal times.
  await t.post('/projects', { name: t.name('changes-too'), visibility: 'team' });
  const statuses = t.parts.rules.create.task.find(({ name }) => name === 'status')?.values ?? [];
  const body = {
    title: t.name('changes'),
    status: statuses[0],
    priority: 'low',
    due_date: '2031-01-02T03:04:05Z',
    description: 'old',
  };
  const tasks = [await t.task(project, body), await t.task(project, { ...body, title: t.name('changes-too') })];
  const lists = [`/projects/${project}/tasks?`, `/tasks?filter[project_id]=${project}&`];
  for (const rule of t.parts.rules.update.task) {
    const values = rule.kind === 'text' ? ['wm changed'] : t.samples(rule);
    await t.time.sleep(t.time.virtual ? 1100 : 50);
    for (const [i, task] of tasks.entries()) await t.patch(at('tasks', task), { [rule.name]: values[(i + 1) % values.length] });
    for (const list of lists)
      for (const query of [
        '',
        'sort=title&',
        'sort=-updated_at&',
        `${of('status', statuses[0] ?? 'backlog')}&`,
        'filter[priority]=low&',
      ])
        await t.walk(`${list}${query}limit=${query ? 100 : 1}`, 3);
    for (const task of tasks) await t.get(at('tasks', task));
  }
  for (const rule of t.parts.rules.update.project)
    for (const value of rule.kind === 'text' ? [t.name('changed')] : t.samples(rule)) {
      await t.time.sleep(t.time.virtual ? 1100 : 50);
      await t.patch(at('projects', mainId), { [rule.name]: value });
      for (const query of [
        '',
        'sort=created_at&',
        'sort=-updated_at&',
        ...t.samples(rule).map((one) => `${of('visibility', String(one))}&`),
      ])
        await t.walk(`/projects?${query.includes('undefined') ? '' : query}limit=${query ? 100 : 2}`, 9);
      await t.get(at('projects', mainId));
    }
  await t.patch(at('projects', mainId), { name: t.name('main'), visibility: 'team' });
});

const sampleText = (rule: FieldRule, t: Tools): readonly string[] => {
  const { max, name } = rule;
  if (max !== undefined && max < 40) return t.samples(rule) as string[];
  const base = name === 'name' ? t.name('%41 <i>"ü" \\ 😀') : 'wm %41 <i>"ü" \\ 😀';
  return [base, ...(max ? [base.padEnd(max - 3, 'n')] : [])];
};

const elsewhere = thorough('elsewhere', 'Records in the second workspace, before every list is read', (t) => once(t, neighbours));

/** Every value of every field alone, by create and by update, and a look after each. */
const values = thorough('values', 'Every value of every field, by create and by update', async (t) => {
  const { project, task } = await subjects(t);
  const inside = `${at('projects', project)}/tasks`;
  const valuesOf = (rule: FieldRule) => (rule.kind === 'text' ? sampleText(rule, t) : t.samples(rule));
  for (const rule of t.parts.rules.create.project)
    for (const value of valuesOf(rule)) {
      const made = await t.post('/projects', { name: t.name('value'), [rule.name]: value });
      if (!succeeded(made)) continue;
      await t.get(at('projects', resource(made).id));
      await t.delete(at('projects', resource(made).id));
    }
  for (const rule of t.parts.rules.create.task)
    for (const value of valuesOf(rule)) await t.post(inside, { title: 'wm value', [rule.name]: value });
  await t.get(`${inside}?limit=100`);
  for (const [path, rules] of [
    [at('projects', project), t.parts.rules.update.project],
    [at('tasks', task), t.parts.rules.update.task],
  ] as const)
    for (const rule of rules)
      for (const value of [...valuesOf(rule), ...valuesOf(rule).slice(0, 1)]) {
        await t.patch(path, { [rule.name]: value });
        await t.get(path);
      }
  await t.get(`${inside}?limit=100`);
  await t.count('/projects', project);
});

const wrongs = thorough(
  'wrongs',
  'Every wrong value of every field alone, by create and by update, and what is no body',
  async (t) => {
    const { project, task } = await subjects(t);
    let count = 0;
    const name = () => t.name(`wrong-${++count}`);
    const places: readonly (readonly [Written, 'POST' | 'PATCH', string, () => object])[] = [
      ['project', 'POST', '/projects', () => ({ name: name() })],
      ['task', 'POST', `${at('projects', project)}/tasks`, () => ({ title: name() })],
      ...(t.knows('1.2') ? [['team', 'POST', '/teams', () => ({ name: name() })] as const] : []),
      ['project', 'PATCH', at('projects', project), () => ({})],
      ['task', 'PATCH', at('tasks', task), () => ({})],
    ];
    for (const [kind, method, path, good] of places) {
      const as = kind === 'team' ? t.strong : t.main;
      const rules = method === 'POST' ? t.parts.rules.create[kind] : t.parts.rules.update[kind];
      for (const rule of rules)
        for (const value of wrongValues(rule)) await t.send(method, path, { as, body: { ...good(), [rule.name]: value } });
      for (const raw of ['{"name"', '[]', '"wm"', '5', 'true', 'null', '']) {
        const x = await t.send(method, path, { as, raw, headers: { 'content-type': 'application/json' } });
        if (raw === '' && method === 'PATCH') t.must('WM-ERR-014', x.status < 500, 'an empty body is answered 5xx', x);
      }
    }
    await look(t);
  },
);

/** Every write that is refused for its scope or its workspace, once more on records with a look after each. */
const gone = thorough('gone', 'Every operation on what was deleted', async (t) => {
  const project = await t.project('gone');
  const task = await t.task(encodeURIComponent(project), { title: 'wm gone', status: 'todo', priority: 'high' });
  const kept = await t.task(encodeURIComponent(project), { title: 'wm stays', status: 'todo', priority: 'high' });
  await t.delete(at('tasks', task));
  const lists = [`${at('projects', project)}/tasks`, '/tasks'];
  const queries = [
    'limit=100',
    `${of('status', 'todo')}&limit=100`,
    `${of('priority', 'high')}&limit=100`,
    'sort=title&limit=100',
  ];
  const within = async (): Promise<Exchange[]> => {
    const pages: Exchange[] = [];
    for (const list of lists)
      for (const query of queries)
        pages.push((await t.walk(`${list}?${list === '/tasks' ? `${of('project_id', project)}&` : ''}${query}`, 2)).pages[0]!);
    return pages;
  };
  await within();
  for (const method of ['GET', 'PATCH', 'DELETE'])
    await t.send(method, at('tasks', task), { as: t.main, body: method === 'PATCH' ? { title: 'wm lost' } : undefined });
  await t.delete(at('projects', project));
  for (const id of [task, kept]) {
    await t.get(at('tasks', id));
    await t.patch(at('tasks', id), { title: 'wm lost' });
    await t.delete(at('tasks', id));
    if (t.knows('1.3')) await t.get(`${at('tasks', id)}/comments`);
  }
  const shown = (await within()).flatMap((page) => ids(records(page)));
  t.must('WM-EP-031', ![task, kept].some((id) => shown.includes(id)), 'a task of a deleted project is listed');
  for (const visibility of ['', `${of('visibility', 'private')}&`]) await t.walk(`/projects?${visibility}limit=100`, 3);
});

const ALL = [
  elsewhere,
  changes,
  values,
  wrongs,
  ...Object.values(sizes),
  orders,
  projectOrders,
  filters,
  near,
  mixtures,
  gone,
  many,
];

export const thoroughChecks = ALL.map(
  ({ id, says, play }): Check => ({
    id: `thorough/${id}`,
    says,
    // What it shows, the oracle tells; this is what a run without it has seen already.
    covers: ['WM-GEN-001'],
    profile: 'full',
    run: async (t) => {
      if (t.thorough) await play(t);
    },
  }),
);

/** The same for requests that have to be sent anyway, the most telling first. */
export const LONG: readonly Long[] = [
  ...[projectOrders, gone, sizes.comments, orders, values, filters, sizes.teams, changes, sizes.members, many],
  ...[wrongs, sizes.projects, mixtures, seams, sizes['tasks of a project'], near, sizes.tasks],
];
