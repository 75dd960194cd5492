// Values that a seed file leaves out, and how they are made.
import { describe, expect, test } from 'vitest';
import { EVENT_NAMES } from '../../service/contract/resources.ts';
import { newId } from '../../service/world/ids.ts';
import { Random } from '../../service/world/random.ts';
import type { SeedFile } from './format.ts';
import { checkSeed } from './read.ts';
import { createSeedContext, idMaker } from './seed-context.ts';
import { SeedTimeReader } from './times.ts';

const NOW = Date.parse('2025-01-20T09:00:00Z');
const AT = '2025-01-20T09:00:00.000Z';
const least = { id: 'ws_acme_gardens', users: [{}], api_keys: [{}] };
const seedOf = (workspace: object, more: Partial<SeedFile> = {}) =>
  checkSeed({ ...more, workspaces: [{ ...least, ...workspace }] }, { name: 'seed', now: NOW });
const only = async (workspace: object) => (await seedOf(workspace)).workspaces[0]!;

describe('completing a seed', () => {
  test('an id, a user and a key are enough', async () => {
    const seed = await seedOf({});
    expect(seed).toMatchObject({ now: null, randomSeed: 1 });
    const [workspace] = seed.workspaces;
    expect(workspace).toMatchObject({
      name: 'Acme Gardens',
      plan: 'pro',
      projects: [],
      tasks: [],
      comments: [],
      teams: [],
      webhooks: [],
    });
    const [user] = workspace!.users;
    expect(user).toMatchObject({ role: 'member', avatar_url: null, state: 'joined', created_at: AT });
    expect(user!.id).toMatch(/^user_\w{16}$/);
    expect(user!.email).toMatch(/^[a-z.]+@acme-gardens\.test$/);
    expect(workspace!.keys).toMatchObject([
      { name: 'Admin key', scope: 'admin', user_id: user!.id, revoked: false, created_at: AT },
    ]);
  });

  test('is a function of the random seed', async () => {
    const file = { workspaces: [{ ...least, projects: [{ tasks: [{ title: 'x' }] }], webhooks: [{ url: 'https://a.test' }] }] };
    const read = (randomSeed?: number) => checkSeed(file, { name: 'seed', now: NOW, ...(randomSeed ? { randomSeed } : {}) });
    expect(await read()).toEqual(await read(1));
    expect((await read(2)).workspaces[0]!.tasks[0]!.id).not.toBe((await read(1)).workspaces[0]!.tasks[0]!.id);
    expect(await checkSeed({ ...file, random_seed: 9 }, { name: 'seed', now: NOW, randomSeed: 2 })).toEqual(await read(2));
  });

  test('makes no id that the world, starting from the same seed word, will make', async () => {
    const workspace = await only({ projects: [{ tasks: [{ title: 'x' }] }] });
    expect(workspace.tasks[0]!.id).not.toBe(newId(new Random(1), 'tasks'));
  });

  test('makes no id that the file gives', async () => {
    const projects = [{ tasks: [{ title: 'x' }] }];
    const made = (await only({ projects })).tasks[0]!.id;
    const again = await only({ projects: [...projects, { tasks: [{ id: made, title: 'y' }] }] });
    expect(new Set(again.tasks.map(({ id }) => id)).size).toBe(2);
  });

  test('a project or task without created_at is not younger than what it holds', async () => {
    const comments = [{ body: 'hi', created_at: '-3d' }];
    const tasks = [
      { title: 'x', comments },
      { title: 'y', created_at: '-2d' },
      { title: 'z', updated_at: '-1d' },
    ];
    const workspace = await only({ projects: [{ tasks }, {}, { updated_at: '-5d' }] });
    expect(workspace.tasks.map((task) => task.created_at.slice(0, 10))).toEqual(['2025-01-17', '2025-01-18', '2025-01-19']);
    const results = workspace.projects.map((project) => project.created_at.slice(0, 10));
    expect(results).toEqual(['2025-01-17', '2025-01-20', '2025-01-15']);
  });

  test('times are relative to the now of the file, else to the clock', async () => {
    const users = [{ created_at: '-1d' }];
    const seed = await seedOf({ users }, { now: '2030-05-05T00:00:00+02:00' });
    expect(seed.now).toBe(Date.parse('2030-05-04T22:00:00Z'));
    expect(seed.workspaces[0]!.users[0]!.created_at).toBe('2030-05-03T22:00:00.000Z');
    expect((await only({ users })).users[0]!.created_at).toBe('2025-01-19T09:00:00.000Z');
  });

  test.each([
    [undefined, EVENT_NAMES],
    ['all', EVENT_NAMES],
    [['*'], EVENT_NAMES],
    [['task.created', 'task.created'], ['task.created']],
    [[], []],
  ])('a webhook with events %j hears %j', async (events, heard) => {
    expect((await only({ webhooks: [{ url: 'https://a.test', ...(events ? { events } : {}) }] })).webhooks[0]!.events).toEqual(
      heard,
    );
  });

  test('tasks and comments may stand outside their parents', async () => {
    const workspace = await only({
      projects: [{ id: 'p', tasks: [{ id: 'one', title: 'One' }] }],
      tasks: [{ id: 'two', project_id: 'p', title: 'Two', comments: [{ body: 'nested' }] }],
      comments: [{ task_id: 'one', body: 'loose' }],
    });
    expect(workspace.tasks.map(({ id, project_id }) => [id, project_id])).toEqual([
      ['one', 'p'],
      ['two', 'p'],
    ]);
    expect(workspace.comments.map(({ task_id, body }) => [task_id, body])).toEqual([
      ['two', 'nested'],
      ['one', 'loose'],
    ]);
  });
});

describe('a record that a file says something of', () => {
  const sources = { random: new Random(1), makeId: idMaker(new Set(), 'prefixed'), emails: new Set<string>() };
  const making = createSeedContext(new SeedTimeReader(NOW), sources);

  test('is made only where everything is stated that it needs', () => {
    // @ts-expect-error the team has no name
    making.createRecord('teams', {}, { updated_at: making.start });
  });
});
