// A model of the service and the mock, given the same random commands, always agree (spec: Resources, Endpoints, List rules); `.ci/nightly` tries 2,000 sequences.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMock, type Mock } from './node/index.ts';
import { Model, type ModelQuery, type ModelTask, type TaskFields } from './test/model.ts';
import { ask } from './test/sending.ts';

/** One world of the mock with the model of it. */
interface Pair {
  readonly mock: Mock;
  readonly model: Model;
}
/** Subject of a command. Models of fast-check are counters here: expectations are in each pair's model. */
interface Real {
  readonly main: Mock;
  readonly pairs: Pair[];
  readonly snapshots: { readonly pair: Pair; readonly restore: () => void; readonly model: Model }[];
  at: number;
}
type Command = fc.AsyncCommand<object, Real>;

const call = ({ mock }: Pick<Pair, 'mock'>, method: string, path: string, body?: unknown) => ask(mock, method, path, body);
const command = (name: string, run: (pair: Pair, real: Real) => Promise<void>): Command => ({
  check: () => true,
  run: (_, real) => run(real.pairs[real.at % real.pairs.length]!, real),
  toString: () => name,
});
const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];
const SHOWN = 'id project_id title assignee_id due_date priority status created_at updated_at'.split(' ');
const shown = (task: ModelTask) =>
  Object.fromEntries(SHOWN.map((field) => [field, task[field as keyof ModelTask]])) as unknown as ModelTask;

const index = fc.nat(1000);
const title = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'b', 'B', 'aa', 'é', '10', '9', 'Ship it') },
  { weight: 1, arbitrary: fc.constantFrom('', 'x'.repeat(255), 'x'.repeat(256)) },
);
const dates = ['2025-01-01T00:00:00.000Z', '2025-02-01T12:30:00.000Z', '2026-01-01T00:00:00.000Z'];
const fields = {
  assignee_id: fc.constantFrom('user_ada', 'user_bo', 'user_none', null),
  due_date: fc.constantFrom(...dates, null),
  priority: fc.constantFrom('low', 'medium', 'high', 'urgent'),
  status: fc.constantFrom('backlog', 'todo', 'in_progress', 'done'),
};
const draft = fc.record({ title, ...fields }, { requiredKeys: ['title'] });
const patch = fc.record({ title, ...fields }, { requiredKeys: [] });
const query = fc.record({
  filters: fc.record(
    { status: fields.status, priority: fields.priority, assignee_id: fc.constantFrom('user_ada', 'user_bo'), project: index },
    { requiredKeys: [] },
  ),
  sort: fc.constantFrom(undefined, 'created_at', 'updated_at', 'due_date', 'title'),
  down: fc.boolean(),
  limit: fc.constantFrom(1, 2, 3, 7, 100),
  within: fc.boolean(),
});

const createTask = fc.tuple(index, draft).map(([at, given]) =>
  command(`create ${JSON.stringify(given)} in ${at}`, async (pair) => {
    const project = pick(pair.model.projects, at);
    const { status, body } = await call(pair, 'POST', `/projects/${project ?? 'proj_gone'}/tasks`, given);
    const refused = project === undefined ? 404 : pair.model.refusal(given as TaskFields);
    expect(status).toBe(refused ?? 201);
    if (refused !== undefined) return;
    const expected = { id: body.data.id, ...pair.model.draft(project!, given as TaskFields & { title: string }) };
    expect(shown(body.data)).toEqual(expected);
    pair.model.add(expected);
  }),
);

const patchTask = fc.tuple(index, patch).map(([at, given]) =>
  command(`patch ${at} ${JSON.stringify(given)}`, async (pair) => {
    const task = pick(pair.model.tasks, at);
    const { status, body } = await call(pair, 'PATCH', `/tasks/${task?.id ?? 'task_gone'}`, given);
    const refused = task === undefined ? 404 : pair.model.refusal(given as TaskFields);
    expect(status).toBe(refused ?? 200);
    if (refused === undefined) expect(shown(body.data)).toEqual(pair.model.patch(task!.id, given as TaskFields));
  }),
);

const deleteTask = index.map((at) =>
  command(`delete task ${at}`, async (pair) => {
    const task = pick(pair.model.tasks, at);
    const id = task?.id ?? 'task_gone';
    expect((await call(pair, 'DELETE', `/tasks/${id}`)).status).toBe(task ? 204 : 404);
    pair.model.remove(id);
    expect((await call(pair, 'GET', `/tasks/${id}`)).status).toBe(404);
  }),
);

const createProject = fc.constant(
  command('create project', async (pair) => {
    const { status, body } = await call(pair, 'POST', '/projects', { name: 'Another' });
    expect(status).toBe(201);
    pair.model.projects = [...pair.model.projects, body.data.id];
  }),
);

const deleteProject = index.map((at) =>
  command(`delete project ${at}`, async (pair) => {
    const project = pick(pair.model.projects, at);
    if (project === undefined) return;
    expect((await call(pair, 'DELETE', `/projects/${project}`)).status).toBe(204);
    pair.model.removeProject(project);
  }),
);

/** Follows the cursors to the end. */
const walk = async (pair: Pair, path: string, parameters: readonly string[]) => {
  const items: ModelTask[] = [];
  const totals = new Set<number>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = [...parameters, ...(cursor ? [`cursor=${cursor}`] : [])].join('&');
    const { status, body } = await call(pair, 'GET', `${path}?${query}`);
    expect(status).toBe(200);
    items.push(...body.items);
    totals.add(body.meta.total);
    expect(body.meta.has_more).toBe(body.meta.next_cursor !== null);
    cursor = body.meta.next_cursor;
  }
  return { items, totals: [...totals] };
};

const list = query.map(({ filters: { project, ...rest }, sort, down, limit, within }) =>
  command(`list ${JSON.stringify({ ...rest, project, sort, down, limit, within })}`, async (pair) => {
    const project_id = project === undefined ? undefined : pick(pair.model.projects, project);
    const filters = { ...rest, ...(project_id === undefined ? {} : { project_id }) } as ModelQuery['filters'];
    const inProject = within && project_id !== undefined;
    const listed = Object.entries(filters).filter(([field]) => !(inProject && field === 'project_id'));
    const { items, totals } = await walk(pair, inProject ? `/projects/${project_id}/tasks` : '/tasks', [
      `limit=${limit}`,
      ...(sort === undefined ? [] : [`sort=${down ? '-' : ''}${sort}`]),
      ...listed.map(([field, value]) => `filter[${field}]=${value}`),
    ]);
    const expected = pair.model.list({
      filters,
      down: down && sort !== undefined,
      ...(sort === undefined ? {} : { sort: sort as never }),
    });
    expect(items.map(shown)).toEqual(expected.map(shown));
    expect(totals).toEqual([expected.length]);
  }),
);

const advance = fc.constantFrom(1, 999, 60_000, 86_400_000).map((ms) =>
  command(`advance ${ms}`, async ({ mock, model }) => {
    await mock.clock.advance(ms);
    model.now += ms;
    expect(mock.clock.now).toBe(new Date(model.now).toISOString());
  }),
);

const fork = fc.constant(
  command('fork', async ({ mock, model }, real) => {
    real.pairs.push({ mock: mock.fork(), model: model.copy() });
    real.at = real.pairs.length - 1;
  }),
);
const change = index.map((at) =>
  command(`to world ${at}`, async (_, real) => {
    real.at = at;
  }),
);
const snapshot = fc.constant(
  command('snapshot', async (pair, real) => {
    real.snapshots.push({ pair, restore: pair.mock.snapshot().restore, model: pair.model.copy() });
  }),
);
const restore = index.map((at) =>
  command(`restore ${at}`, async (_, real) => {
    const saved = pick(real.snapshots, at);
    if (!saved) return;
    saved.restore();
    saved.pair.model.become(saved.model);
  }),
);
const reset = fc.constant(
  command('reset', async ({ mock, model }) => {
    mock.reset();
    model.become(await modelOf(mock));
  }),
);

/** The model begins as the seed: what it says is read once, before any command. */
const modelOf = async (mock: Mock): Promise<Model> => {
  const read = async (path: string) => (await call({ mock }, 'GET', path)).body.items;
  const [projects, tasks] = [await read('/projects'), await read('/tasks')];
  const ids = projects.map(({ id }: { id: string }) => id);
  return new Model(Date.parse(mock.clock.now), ids, tasks.map(shown), ['user_ada', 'user_bo']);
};

const commands = [
  { weight: 6, arbitrary: createTask },
  { weight: 4, arbitrary: patchTask },
  { weight: 2, arbitrary: deleteTask },
  { weight: 1, arbitrary: createProject },
  { weight: 1, arbitrary: deleteProject },
  { weight: 6, arbitrary: list },
  { weight: 2, arbitrary: advance },
  { weight: 1, arbitrary: fork },
  { weight: 2, arbitrary: change },
  { weight: 1, arbitrary: snapshot },
  { weight: 1, arbitrary: restore },
];
const [SEQUENCES, SEED] = [Number(process.env.WM_MODEL_RUNS ?? 100), Number(process.env.WM_MODEL_SEED ?? 1)];

test(`${SEQUENCES} random sequences of commands: model and mock agree at every step`, { timeout: 600_000 }, async () => {
  const main = await createMock({ seed: 'fixtures/tiny.yaml', plan: 'unlimited' });
  const began = await modelOf(main);
  const any = fc.commands(
    [...commands.flatMap(({ arbitrary, weight }) => Array.from({ length: weight }, () => arbitrary)), reset],
    { maxCommands: 60, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(any, async (sequence) => {
      const pair = { mock: main.fork({ from: 'seed' }), model: began.copy() };
      const real: Real = { main, pairs: [pair], snapshots: [], at: 0 };
      await fc.asyncModelRun(() => ({ model: {}, real }), sequence);
      await Promise.all(real.pairs.map(({ mock }) => mock.close()));
    }),
    { numRuns: SEQUENCES, seed: SEED, endOnFailure: false },
  );
  await main.close();
});
