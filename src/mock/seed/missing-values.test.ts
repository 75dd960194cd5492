// Values made where a seed has none, and generated ones: the same for the same random seed, to the byte.
import { expect, test } from 'vitest';
import { checkSeed } from './read.ts';

const NOW = Date.parse('2025-01-20T09:00:00Z');
/** A record a line. */
const layOut = (workspace: object): string =>
  Object.entries(workspace)
    .flatMap(([name, value]) =>
      Array.isArray(value) ? value.map((one) => `${name} ${JSON.stringify(one)}`) : `${name} ${value}`,
    )
    .join('\n');

const MINIMAL = { id: 'ws_acme', users: [{}], api_keys: [{}] };
const complete = (workspace: object, more: object = {}, randomSeed?: number) =>
  checkSeed(
    { ...more, workspaces: [{ ...MINIMAL, ...workspace }] },
    { name: 's', now: NOW, ...(randomSeed === undefined ? {} : { randomSeed }) },
  );

test('values left out are made', async () => {
  const seeds = [
    await complete({}),
    await complete({}, {}, 2),
    await complete({
      id: 'x',
      requests_per_minute: 7,
      users: [{ name: '王小明' }, { name: '!!', id: '??' }, { state: 'invited' }],
    }),
    await complete({
      name: 'Named',
      plan: 'free',
      api_keys: [{ scope: 'read' }, { revoked: true, created_at: '-1w' }],
      projects: [
        {},
        {
          tasks: [
            { title: 'a', comments: [{ body: 'b' }] },
            { title: 'c', updated_at: '-1h' },
          ],
        },
      ],
      teams: [{}, { name: 'Team 2' }, {}, { updated_at: '+1d', member_ids: [] }, { updated_at: '-1d' }, { created_at: '-2d' }],
      webhooks: [{ url: 'https://a.test' }, { url: 'https://b.test', events: ['all', 'task.created'], created_at: '-1d' }],
    }),
    await complete({ projects: [{ tasks: [{ title: 'a' }] }] }, { choices: { 'id-style': 'opaque' }, random_seed: 5 }),
  ];
  const lines = seeds.map(({ now, randomSeed, workspaces }) => `# ${now} ${randomSeed}\n${workspaces.map(layOut).join('\n')}\n`);
  await expect(lines.join('')).toMatchFileSnapshot('golden/left-out.txt');
});

test('records are generated', async () => {
  const generate = { users: 3, projects: 2, tasks_per_project: 6, comments_per_task: 1, teams: 23 };
  const seeds = [
    await complete({ generate }),
    await complete({ id: 'ws_other', generate: { projects: 1, tasks_per_project: 2 } }, { random_seed: 9 }),
    await complete({ users: [{ id: 'a', state: 'invited' }], generate: { projects: 2 } }),
    await complete({ users: [{ id: 'a', state: 'invited' }, { id: 'b' }], generate: { projects: 2 } }),
  ];
  const lines = seeds.map(({ workspaces: [workspace] }) => `${layOut(workspace!)}\n`);
  await expect(lines.join('\n')).toMatchFileSnapshot('golden/generated.txt');
});

test('due dates and ages keep their bounds', async () => {
  const [workspace] = (await complete({ generate: { users: 200, projects: 40, tasks_per_project: 50 } })).workspaces;
  const day = 86_400_000;
  const days = (text: string) => (Date.parse(text) - NOW) / day;
  const due = workspace!.tasks.flatMap(({ due_date }) => (due_date === null ? [] : [due_date]));
  expect(new Set(due.map((text) => text.slice(13)))).toEqual(new Set([':00:00.000Z']));
  const hours = due.map((text) => Number(text.slice(11, 13)));
  expect([Math.min(...hours), Math.max(...hours)]).toEqual([9, 17]);
  const from = due.map((text) => Math.floor(days(`${text.slice(0, 10)}T09:00:00Z`)));
  expect([Math.min(...from), Math.max(...from)]).toEqual([-21, 45]);
  for (const { created_at, due_date } of workspace!.tasks) {
    if (due_date !== null) expect(due_date.slice(0, 10) > created_at.slice(0, 10)).toBe(true);
  }
  const ages = workspace!.projects.map(({ created_at }) => -days(created_at));
  expect(ages.every((age) => age >= 14 && age <= 400)).toBe(true);
  const people = workspace!.users.slice(1);
  expect(people.filter(({ role }) => role === 'admin').length).toBeGreaterThan(5);
  expect(people.filter(({ role }) => role === 'admin').length).toBeLessThan(40);
  expect(people.filter(({ avatar_url }) => avatar_url === null).length).toBeGreaterThan(20);
  const joined = workspace!.users.slice(1).map(({ created_at }) => -days(created_at));
  expect(joined.every((age) => age >= 420 && age <= 800)).toBe(true);
});
