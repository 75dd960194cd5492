// Generated data: as much as asked, real enough, the same for the same seed word.
import { describe, expect, test } from 'vitest';
import { checkSeed } from './read.ts';

const NOW = Date.parse('2025-01-20T09:00:00Z');
const explicit = {
  id: 'ws_acme',
  users: [{ id: 'user_ada', email: 'ada@acme.test' }],
  api_keys: [{ value: 'k' }],
  teams: [{ id: 't', name: 'Design' }],
};
const generated = async (generate: object, randomSeed = 7, now = NOW) =>
  (await checkSeed({ workspaces: [{ ...explicit, generate }] }, { name: 'seed', now, randomSeed })).workspaces[0]!;
const share = <T>(list: readonly T[], holds: (one: T) => boolean) => list.filter(holds).length / list.length;

describe('generated data', async () => {
  const counts = { users: 300, projects: 330, tasks_per_project: 30, comments_per_task: 2, teams: 25 };
  const workspace = await generated(counts);
  const { users, projects, tasks, comments, teams } = workspace;

  test('is as much as asked, on top of what the file says', () => {
    expect([users, projects, tasks, comments, teams].map(({ length }) => length)).toEqual([301, 330, 9900, 19_800, 26]);
    expect(users[0]!.id).toBe('user_ada');
  });

  test('is a function of the random seed and the time', async () => {
    expect(await generated(counts)).toEqual(workspace);
    expect((await generated({ projects: 1, tasks_per_project: 1 }, 8)).tasks[0]).not.toEqual(
      (await generated({ projects: 1, tasks_per_project: 1 })).tasks[0],
    );
  });

  test('does not depend on who else drew from faker', async () => {
    const { faker } = await import('@faker-js/faker/locale/en');
    faker.seed(1);
    const first = faker.person.firstName();
    faker.seed(1);
    expect((await generated({ users: 5 })).users).toEqual(users.slice(0, 6));
    expect(faker.person.firstName()).toBe(first);
  });

  test('has unique ids, addresses, team names and project names', () => {
    for (const records of [users, projects, tasks, comments, teams])
      expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    expect(new Set(users.map(({ email }) => email)).size).toBe(users.length);
    expect(new Set(teams.map(({ name }) => name)).size).toBe(teams.length);
    expect(new Set(projects.map(({ name }) => name)).size).toBe(projects.length);
  });

  test('has titles of three to seven words', () => {
    const words = tasks.map(({ title }) => title.split(' ').length);
    expect([Math.min(...words), Math.max(...words)]).toEqual([3, 7]);
    expect(new Set(tasks.map(({ title }) => title)).size).toBeGreaterThan(3000);
  });

  test('is mixed as work is', () => {
    expect(share(tasks, ({ assignee_id }) => assignee_id !== null)).toBeCloseTo(0.85, 1);
    expect(share(tasks, ({ due_date }) => due_date !== null)).toBeCloseTo(0.7, 1);
    expect(share(tasks, ({ description }) => description !== null)).toBeCloseTo(0.67, 1);
    for (const status of ['backlog', 'todo', 'in_progress', 'in_review', 'done'])
      expect(share(tasks, (task) => task.status === status)).toBeGreaterThan(0.05);
  });

  test('keeps the order of time: project, task, comment, now', () => {
    const at = '2025-01-20T09:00:00.000Z';
    const born = new Map([...projects, ...tasks].map(({ id, created_at }) => [id, created_at]));
    const late = [
      ...tasks.map((task) => [born.get(task.project_id), task.created_at, task.updated_at]),
      ...comments.map((comment) => [born.get(comment.task_id), comment.created_at, at]),
    ];
    expect(late.filter(([first, second, third]) => !(first! <= second! && second! <= third! && third! <= at))).toEqual([]);
  });

  test('is checked like what people write: it can be read back', async () => {
    const { writeSeed } = await import('./write.ts');
    const seed = await checkSeed(
      { workspaces: [{ ...explicit, generate: { ...counts, projects: 5 } }] },
      { name: 'seed', now: NOW },
    );
    expect(await checkSeed(writeSeed(seed), { name: 'seed', now: 0 })).toEqual(seed);
  });

  test('can be made at either end of time, and out of nothing', async () => {
    for (const now of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])
      await generated({ users: 2, projects: 2, tasks_per_project: 9, teams: 2 }, 1, Date.parse(now));
    const none = await checkSeed(
      { workspaces: [{ id: 'ws', api_keys: [{}], generate: { users: 1 } }] },
      { name: 'seed', now: NOW },
    );
    expect(none.workspaces[0]!.keys[0]!.user_id).toBe(none.workspaces[0]!.users[0]!.id);
  });
});
