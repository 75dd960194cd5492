// Data in one line: every field of every kind of record is said, read and changed, by a program and over HTTP alike; what is left out
// is made; what is wrong changes nothing.
import { describe, expect, test } from 'vitest';
import { connect } from '../../connect/connect.ts';
import { createMock } from '../../create-mock.ts';
import type { Problem } from '../../service/contract/errors.ts';
import { FIELDS, NAMES, type RecordName } from '../../service/world/records.ts';
import { keep } from '../../test/closing.ts';
import { samplesOf, wrongFor } from '../../test/samples.ts';
import { singularOf } from '../control/record-types.ts';
import type { Mock } from './mock.ts';

type Loose = Readonly<Record<string, unknown>>;
/** Functions of every kind alike, whatever its type and wherever the mock is. */
interface Any {
  readonly create: Record<string, (draft?: object) => Promise<Loose & { readonly id: string }>>;
  readonly read: Record<string, (query?: unknown) => Promise<Loose[]>>;
  readonly update: Record<string, (id: string, patch: object) => Promise<Loose>>;
  readonly remove: Record<string, (id: string) => Promise<void>>;
}

const SEED = {
  now: '2025-01-20T09:00:00Z',
  workspaces: [
    {
      id: 'ws_one',
      users: ['a', 'b'].map((id) => ({ id: `user_${id}`, name: id, email: `${id}@one.test` })),
      api_keys: [{ id: 'key_a', value: 'wm_one', scope: 'admin', user_id: 'user_a' }],
      projects: ['a', 'b'].map((id) => ({ id: `proj_${id}`, name: id, tasks: [{ id: `task_${id}`, title: id }] })),
    },
    {
      id: 'ws_two',
      users: [{ id: 'user_two', name: 'Two', email: 'two@two.test' }],
      api_keys: [{ id: 'key_two', value: 'wm_two', user_id: 'user_two' }],
    },
  ],
};

const start = async (): Promise<Mock> =>
  keep(await createMock({ seed: SEED, sender: async () => ({ kind: 'response', status: 204, took: 0 }) }));
/** The functions of a mock as promises, in whose words a refusal is left out. */
const doors: Readonly<Record<string, (mock: Mock) => Promise<Any>>> = {
  'in this process': async (mock) => mock as unknown as Any,
  'over HTTP': async ({ app }) =>
    (await connect('http://wm-mock.test', { fetch: async (...sent) => app.fetch(new Request(...sent)) })) as unknown as Any,
};
const drafts = (name: RecordName) => (name === 'webhooks' ? { url: 'https://hooks.one.test/x' } : {});
const refusal = async (act: () => unknown): Promise<Problem> => {
  try {
    await act();
  } catch (error) {
    return error as Problem;
  }
  throw new Error('nothing was refused');
};
const everything = (mock: Mock): unknown => [NAMES.map((name) => mock.world.store[name].all()), mock.world.save()];

/** Creates, reads, changes and removes a record with each of its fields, then some that are refused. Returns every result. */
const walk = async (name: RecordName, { create, read, update, remove }: Any, mock: Mock): Promise<unknown[]> => {
  const [one, results]: [string, unknown[]] = [singularOf(name), []];
  const refused = async (act: () => unknown) => {
    const before = everything(mock);
    const { status, fields } = await refusal(act);
    expect(everything(mock)).toEqual(before);
    results.push({ status, fields });
    return fields.map(({ field }) => field);
  };
  for (const field of FIELDS[name]) {
    const [first, second] = samplesOf(field);
    const made = await create[one]!({ ...drafts(name), [field.name]: first });
    expect(made[field.name]).toEqual(first);
    expect(await read[one]!(made.id)).toEqual(made);
    expect(await read[name]!({ id: made.id, [field.name]: [first].flat()[0] })).toEqual([made]);
    if (field.name === 'id') expect(await refused(() => update[one]!(made.id, { id: second }))).toEqual(['id']);
    else expect((await update[one]!(made.id, { [field.name]: second }))[field.name]).toEqual(second);
    results.push(made, await read[one]!(made.id));
    const wrong = { [field.name]: wrongFor(field) };
    expect(await refused(() => create[one]!({ ...drafts(name), ...wrong }))).toEqual([field.name]);
    expect(await refused(() => update[one]!(made.id, wrong))).toEqual([field.name]);
    if (field.schema.enum) expect(await refused(() => read[name]!({ [field.name]: 'none' }))).toEqual([field.name]);
    await remove[one]!(made.id);
    expect(await read[one]!(made.id)).toBeUndefined();
    await refused(() => remove[one]!(made.id));
  }
  const { id, ...made } = await create[one]!(drafts(name));
  const used = name === 'keys' ? ['last_used_at'] : [];
  expect(Object.keys({ id, ...made })).toEqual([...FIELDS[name].map((field) => field.name), 'workspace_id', ...used]);
  expect(await refused(() => create[one]!({ ...drafts(name), id }))).toEqual(['id']);
  const wrong = { nonsense: 1, created_at: 'yesterday' };
  for (const act of [() => create[one]!({ ...drafts(name), ...wrong }), () => update[one]!(id, wrong), () => read[name]!(wrong)])
    expect((await refused(act)).sort()).toEqual(['created_at', 'nonsense']);
  return [...results, id, made, await read[name]!()];
};

test.each(NAMES)('%s are created, read, changed, removed and refused alike by a program and over HTTP', async (name) => {
  const [near, far] = await Promise.all(
    Object.values(doors).map(async (door) => {
      const mock = await start();
      return walk(name, await door(mock), mock);
    }),
  );
  expect(far).toEqual(near);
});

describe('a value left out', () => {
  test('puts a task into the first project and a comment on the first task, which are made where there are none', async () => {
    const mock = await start();
    expect(mock.create.task({ title: 'One' })).toMatchObject({ project_id: 'proj_a', title: 'One', status: 'backlog' });
    expect(mock.create.comment()).toMatchObject({ task_id: 'task_a', author_id: 'user_a', body: 'Comment 1' });
    const { task_id } = mock.create.comment({ workspace_id: 'ws_two' });
    const project = mock.read.project(mock.read.task(task_id)!.project_id);
    expect(project).toMatchObject({ workspace_id: 'ws_two', owner_id: 'user_two' });
  });

  test('is the workspace of what the record refers to', async () => {
    const mock = await start();
    expect(mock.create.project({ owner_id: 'user_two' }).workspace_id).toBe('ws_two');
    expect(mock.create.team({ member_ids: ['user_two'] }).workspace_id).toBe('ws_two');
  });

  test('never takes a name or address that another record has', async () => {
    const mock = await start();
    mock.create.team({ name: 'Team 2' });
    expect([mock.create.team().name, mock.create.team().name]).toEqual(['Team 3', 'Team 4']);
    const emails = Array.from({ length: 40 }, () => mock.create.user().email);
    expect(new Set(emails).size).toBe(40);
  });
});

describe('a project', () => {
  const tasks = [
    { title: 'One', comments: [{ body: 'Hello' }] },
    { title: 'Two', assignee_id: 'user_b' },
  ];

  test('comes with its nested tasks and comments', async () => {
    const mock = await start();
    const { id } = mock.create.project({ name: 'Site', tasks });
    const [one, two] = mock.read.tasks({ project_id: id });
    expect([one?.title, two?.assignee_id, mock.read.comments({ task_id: one!.id })[0]?.body]).toEqual(['One', 'user_b', 'Hello']);
  });

  test('is refused with the path of what is wrong in it', async () => {
    const mock = await start();
    const before = everything(mock);
    const wrong = [...tasks, { title: '', assignee_id: 'user_two', comments: [{ body: 'x', id: 'task_a' }] }];
    const { fields } = await refusal(() => mock.create.project({ tasks: wrong }));
    expect(fields.map(({ field }) => field)).toEqual(['tasks[2].title', 'tasks[2].assignee_id']);
    expect(everything(mock)).toEqual(before);
  });
});

test('a time may be relative to the world’s clock, and an update follows a creation', async () => {
  const mock = await start();
  await mock.clock.advance('1h');
  const task = mock.create.task({ created_at: '-2h', due_date: '+3d' });
  expect(task).toMatchObject({ created_at: '2025-01-20T08:00:00.000Z', due_date: '2025-01-23T10:00:00.000Z' });
  expect(task.updated_at).toBe(task.created_at);
  expect(mock.update.task(task.id, { status: 'done' }).updated_at).toBe('2025-01-20T10:00:00.000Z');
  expect(mock.update.task(task.id, { status: 'todo', updated_at: '-1h' }).updated_at).toBe('2025-01-20T09:00:00.000Z');
});

describe('a change', () => {
  test('is told to webhooks as in the service, and counted and written down nowhere', async () => {
    const mock = await start();
    mock.create.webhook({ url: 'https://hooks.one.test/x', events: 'all' });
    const { id } = mock.create.task();
    mock.update.task(id, { title: 'Other' });
    mock.update.task(id, { title: 'Other' });
    mock.remove.task(id);
    const user = mock.create.user({ state: 'invited' });
    for (const state of ['joined', 'joined'] as const) mock.update.user(user.id, { state });
    await mock.webhooks.settled();
    const events = ['task.created', 'task.updated', 'task.deleted', 'member.invited', 'member.joined'];
    expect(mock.deliveries.map(({ event }) => event.event)).toEqual(events);
    expect(mock.requests).toEqual([]);
    expect((await mock.fetch('/tasks', { headers: mock.auth('admin') })).headers.get('x-ratelimit-remaining')).toBe('299');
  });

  test('stays in its world', async () => {
    const mock = await start();
    const fork = mock.fork();
    fork.create.task({ id: 'task_fork' });
    expect([fork.read.task('task_fork')?.id, mock.read.task('task_fork')]).toEqual(['task_fork', undefined]);
  });

  test('is a conflict when only one record may have its value', async () => {
    const mock = await start();
    const { id } = mock.create.team({ name: 'Core' });
    const conflicts: readonly (readonly [() => unknown, string])[] = [
      [() => mock.create.team({ name: 'Core' }), 'name'],
      [() => mock.create.task({ id: 'task_a' }), 'id'],
      [() => mock.update.key('key_a', { value: 'wm_two' }), 'value'],
    ];
    const issue = expect.stringContaining('another record');
    for (const [act, field] of conflicts) expect(await refusal(act)).toMatchObject({ status: 409, fields: [{ field, issue }] });
    expect(mock.update.team(id, { name: 'Core' }).name).toBe('Core');
  });

  test('names nothing of another workspace, and says what failed, why and where to read', async () => {
    const mock = await start();
    const problem = await refusal(() => mock.update.task('task_a', { assignee_id: 'user_two' }));
    expect(problem.message).toBe(
      'update.task is refused: assignee_id: must be the id of a user of this workspace, got "user_two". The types of wm-mock say what it takes.',
    );
    expect((await refusal(() => mock.create.task({ workspace_id: 'ws_none' }))).message).toContain('workspace_id');
  });
});

describe('a removed record', () => {
  test('takes with it what cannot be without it', async () => {
    const mock = await start();
    mock.create.comment({ task_id: 'task_a' });
    mock.remove.project('proj_a');
    expect([mock.read.tasks(), mock.read.comments()]).toMatchObject([[{ id: 'task_b' }], []]);
  });

  test('is no user whom another record names, and not the last key of a workspace', async () => {
    const mock = await start();
    mock.update.task('task_a', { assignee_id: 'user_b' });
    const { message, status } = await refusal(() => mock.remove.user('user_b'));
    expect([status, message]).toEqual([409, expect.stringContaining('is the assignee_id of the task task_a')]);
    expect(await refusal(() => mock.remove.key('key_two'))).toMatchObject({ status: 409 });
    mock.update.task('task_a', { assignee_id: null });
    mock.remove.user('user_b');
    expect(mock.read.users({ workspace_id: 'ws_one' })).toMatchObject([{ id: 'user_a' }]);
  });
});

test('an unknown member does not compile', async () => {
  const { create, read, update } = await start();
  // @ts-expect-error a webhook has an address
  expect(() => create.webhook()).toThrow('url');
  // @ts-expect-error there is no such status
  expect(() => create.task({ status: 'finished' })).toThrow('status');
  // @ts-expect-error an id stays
  expect(() => update.task('task_a', { id: 'task_b' })).toThrow('id');
  // @ts-expect-error tasks have no name
  expect(() => read.tasks({ name: 'x' })).toThrow('name');
});
