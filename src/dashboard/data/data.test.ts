// The data page without a browser: lists as the service has them, records made, changed and deleted by forms, mistakes shown at their fields.
import { describe, expect, test } from 'vitest';
import type { MockOptions } from '../../node/index.ts';
import { startDashboard as open } from '../../test/dashboard.ts';
import { mainOf, partOf, rowsOf } from '../../test/reading.ts';
import { TIME_INPUT } from '../form.ts';
import { type RecordField, readTyped } from './collection.ts';
import { makeInput, renderCell } from './derived.tsx';

const start = async (options?: MockOptions) => {
  const bench = await open(options);
  const read = async (path: string) => (await bench.mock.fetch(path, { headers: bench.mock.auth('read') })).json();
  return { ...bench, read };
};
const linkOf = (text: string, words: RegExp): string => {
  const link = [...text.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)].find(([whole]) => words.test(whole));
  return link![1]!.replaceAll('&amp;', '&');
};
const TASKS = '/dashboard/data/tasks';

describe('a list', () => {
  test('is that of the service: same filters, same sort, same pages by cursor', async () => {
    const { get, read } = await start();
    const query = 'filter[status]=todo&sort=title&limit=4';
    const first = await get(`${TASKS}?${query}`);
    const { items, meta } = await read(`/tasks?${query}`);
    expect(rowsOf(first.text)).toEqual(items.map(({ id }: { id: string }) => id));
    expect(first.text).toContain(`1–4 of ${meta.total}`);
    const second = await get(linkOf(first.text, /rel="next"/));
    const next = await read(`/tasks?${query}&cursor=${meta.next_cursor}`);
    expect(rowsOf(second.text)).toEqual(next.items.map(({ id }: { id: string }) => id));
    expect(second.text).toContain(`5–8 of ${meta.total}`);
    expect(rowsOf((await get(linkOf(second.text, /First page/))).text)).toEqual(rowsOf(first.text));
    const third = await get(`${TASKS}?q=a&limit=5&from=10`);
    expect(linkOf(third.text, /Previous 5/)).toBe(`${TASKS}?q=a&limit=5&from=5`);
  });

  test('shows one workspace, the one that is asked for', async () => {
    const { get } = await start();
    const [acme, globex] = [await get('/dashboard/data/projects'), await get('/dashboard/data/projects?workspace=ws_globex')];
    expect(rowsOf(acme.text)).toHaveLength(5);
    expect(rowsOf(globex.text)).toHaveLength(2);
    expect(acme.text).not.toContain(rowsOf(globex.text)[0]!);
    expect(rowsOf((await get(`${TASKS}?id=${rowsOf(globex.text)[0]}`)).text)).toEqual([]);
  });

  test('without records says how to make one, unless something narrows it', async () => {
    const users = [{ id: 'user_a', name: 'Ann', role: 'guest' }];
    const api_keys = [{ value: 'wm_a', scope: 'read', user_id: 'user_a' }];
    const { get } = await start({ seed: { workspaces: [{ id: 'ws_a', name: 'A', users, api_keys }] } });
    const says = async (query: string) =>
      /<p class="strong">([^<]*)<\/p>/.exec(partOf((await get(TASKS + query)).text, 'rows'))?.[1];
    for (const query of ['', '?sort=title&limit=5', '?q=&id=&filter[status]='])
      expect([query, await says(query)]).toEqual([query, 'There are no tasks yet']);
    for (const query of ['', '?new=1']) {
      const text = mainOf((await get(TASKS + query)).text);
      expect([text.includes('new=1">Create a project first</a>'), /Bearer|id="new-/.test(text)]).toEqual([true, false]);
    }
    for (const query of ['?q=x', '?id=task_none', '?filter[status]=todo', '?task_id=x'])
      expect([query, await says(query)]).toEqual([query, 'No task fits']);
    expect((await get('/dashboard/data/users')).text).toContain('<span class="chip plain">guest</span>');
  });

  test.each(['1.0', '1.1', '1.2'] as const)('goes by cursor at release %s too, which may have none', async (release) => {
    const { get } = await start({ seed: 'fixtures/demo.yaml', now: '2025-01-20T09:00:00Z', release });
    const { text } = await get(`${TASKS}?limit=5&filter[priority]=high`);
    const next = await get(linkOf(text, /rel="next"/));
    expect(rowsOf(next.text)).toHaveLength(5);
    expect(rowsOf(next.text)).not.toContain(rowsOf(text)[0]);
    expect((await get('/dashboard/data/teams')).status).toBe(200);
  });
});

describe('a field', () => {
  const NO_ONE = ['', 'no one'];
  const ANN = ['user_a', 'Ann'];
  const list = () => ({ total: 1, rows: () => [{ value: { id: 'user_a', name: 'Ann' } }] });
  const store = { users: { get: () => undefined, list } };
  const context = { workspace: { id: 'ws_a' }, world: { clock: { now: () => 0 }, store } } as never;
  test.each<[object, object]>([
    [{ type: 'integer' }, { type: 'number', json: true }],
    [{ type: 'number' }, { type: 'number', step: 'any', json: true }],
    [
      { type: 'number', kind: 'preset', start: 0 },
      { type: 'number', step: 'any', json: true, start: '0' },
    ],
    [
      { type: 'boolean', kind: 'preset', start: false },
      { json: true, options: ['true', 'false'], start: 'false' },
    ],
    [
      { type: 'integer', kind: 'preset', start: 5, nullable: true },
      { type: 'number', json: true, start: '5', nullable: true },
    ],
    [
      { type: 'string', kind: 'preset', start: 'a', enum: ['a', 'b', null], nullable: true },
      { options: [['', 'none'], 'a', 'b'], start: 'a', nullable: true },
    ],
    [
      { type: 'string', kind: 'preset', start: 'S', format: 'date-time' },
      { type: 'datetime-local', step: '1', hint: 'In UTC.', start: 'S' },
    ],
    [
      { type: 'array', kind: 'preset', start: [], itemType: 'string', enum: ['a', 'b'] },
      { multiple: true, options: ['a', 'b'], hint: 'As many as you like: hold Ctrl or Cmd.' },
    ],
    [
      { type: 'array', kind: 'preset', start: ['x'], itemType: 'string' },
      { listed: true, lines: 3, hint: 'One a line.', start: ['x'] },
    ],
    [
      { type: 'array', kind: 'preset', start: [], itemType: 'integer' },
      { listed: true, lines: 3, hint: 'One a line.', json: true },
    ],
    [
      { type: 'array', kind: 'preset', start: [], itemType: 'string', refers: 'tasks' },
      { listed: true, lines: 3, hint: 'Ids of tasks, one a line.' },
    ],
    [{ type: 'boolean' }, { json: true, options: [['', 'none'], 'true', 'false'] }],
    [{ type: 'string', kind: 'required', maxLength: 200 }, { needed: true }],
    [{ type: 'string', maxLength: 201 }, { width: 'wide' }],
    [
      { type: 'string', maxLength: 256, start: 'S' },
      { width: 'wide', lines: 3, start: 'S' },
    ],
    [
      { type: 'string', format: 'date-time' },
      { type: 'datetime-local', step: '1', hint: 'In UTC; empty: none.' },
    ],
    [{ type: 'string', enum: ['a', null, 'b'] }, { options: [['', 'none'], 'a', 'b'] }],
    [{ type: 'string', kind: 'preset', enum: ['a', 'b'] }, { options: ['a', 'b'] }],
    [{ type: 'string', refers: 'tasks' }, { hint: 'The id of a task.' }],
    [{ type: 'string', refers: 'users' }, { options: [NO_ONE, ANN] }],
    [
      { type: 'array', refers: 'users' },
      { multiple: true, options: [['user_a', 'Ann']], hint: 'As many as you like: hold Ctrl or Cmd.' },
    ],
  ])('with the rules %j is asked for with %j', (rules, input) => {
    expect(makeInput({ name: 'story_points', kind: 'optional', ...rules } as never, context)).toEqual({
      name: 'story_points',
      label: 'Story points',
      ...input,
    });
  });

  test.each<[object, unknown, string]>([
    [{ type: 'integer' }, 5, '5'],
    [{ type: 'array', refers: 'users' }, ['a', 'b'], '2'],
    [{ type: 'string' }, null, '<span class="muted">none</span>'],
    [{ type: 'string', enum: ['in_review'] }, 'in_review', '<span class="chip warn">in review</span>'],
    [{ type: 'string', refers: 'users' }, null, '<span class="muted">no one</span>'],
    [{ type: 'string', name: 'id' }, 'i', '<span class="mono muted">i</span>'],
  ])('with the rules %j shows %j as %s', (rules, value, shown) => {
    expect(String(renderCell({ name: 'points', ...rules } as never, value, context))).toBe(shown);
  });
});

describe('a form', () => {
  const FIELDS: readonly RecordField[] = [
    { name: 'effort', label: 'Effort', json: true },
    { name: 'mood', label: 'Mood', start: 'good', nullable: true },
    { name: 'labels', label: 'Labels', listed: true, start: ['x'] },
    { name: 'sizes', label: 'Sizes', listed: true, json: true, nullable: true },
    { name: 'due', label: 'Due', ...TIME_INPUT },
  ];
  const STATED = 'labels=x&mood=good';
  test.each<[string, Record<string, unknown> | undefined, object]>([
    [`${STATED}&effort=0.25`, undefined, { effort: 0.25, mood: 'good' }],
    [`${STATED}&due=2025-03-01T12:00`, undefined, { due: '2025-03-01T12:00:00Z', mood: 'good' }],
    [`${STATED}&due=2025-03-01T12:00:05`, { labels: ['x'], mood: 'good', due: '2025-03-01T12:00:05.123Z' }, {}],
    [`${STATED}&effort=-3`, undefined, { effort: -3, mood: 'good' }],
    [`${STATED}&effort=1e`, undefined, { effort: '1e', mood: 'good' }],
    ['labels=x&mood=', undefined, { mood: null }],
    ['labels=&mood=good', undefined, { labels: [], mood: 'good' }],
    ['labels=a, b%0D%0A%0D%0A c&mood=good', undefined, { labels: ['a, b', 'c'], mood: 'good' }],
    ['labels=x&sizes=1%0A2.5&mood=', { labels: ['x'], sizes: [1], mood: null }, { sizes: [1, 2.5] }],
    ['labels=x&sizes=1&mood=', { labels: ['x'], sizes: [1], mood: 'good' }, { mood: null }],
    ['labels=x&sizes=&mood=', { labels: ['x'], sizes: [1], mood: null }, { sizes: null }],
    ['labels=x&sizes=&mood=', { labels: ['x'], sizes: null, mood: null }, {}],
  ])('with %j over %j is read as %j', (typed, record, read) => {
    expect(readTyped(new URLSearchParams(typed), FIELDS, record)).toEqual(read);
  });
});

describe('the largest page that there can be', () => {
  const LONG = `"<&'`;
  const fill = (length: number) => LONG.repeat(length).slice(0, length);
  test('is below 200 kB, whatever its hundred records say', async () => {
    const users = [{ id: 'user_a', name: fill(900), email: 'a@x.test', role: 'admin' }];
    const comments = Array.from({ length: 100 }, () => ({ author_id: 'user_a', body: fill(90_000) }));
    const tasks = Array.from({ length: 100 }, (_, i) => ({
      id: `task_${i}`,
      title: fill(255),
      description: fill(10_000),
      assignee_id: 'user_a',
      due_date: '+1d',
      ...(i === 0 ? { comments } : {}),
    }));
    const workspaces = [
      {
        id: 'ws_a',
        name: fill(500),
        users,
        api_keys: [{ value: 'wm_a_admin', name: fill(500), scope: 'admin', user_id: 'user_a' }],
        projects: Array.from({ length: 100 }, (_, i) => ({
          id: `proj_${i}`,
          name: fill(150),
          description: fill(1000),
          ...(i === 0 ? { tasks } : {}),
        })),
        teams: Array.from({ length: 100 }, (_, i) => ({ name: `${i} ${fill(90)}`, member_ids: ['user_a'] })),
      },
    ];
    const { get } = await start({ seed: { workspaces } });
    for (const path of [
      '/',
      '/dashboard/settings',
      ...['projects', 'tasks', 'users', 'teams', 'comments'].map((name) => `/dashboard/data/${name}?limit=100`),
      `${TASKS}?limit=50&open=task_0`,
      `${TASKS}?limit=50&new=1`,
      '/dashboard/data/projects?limit=100&open=proj_0',
    ]) {
      const { status, text } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text.length, path).toBeLessThan(200_000);
    }
    const [comment] = rowsOf((await get('/dashboard/data/comments?limit=1')).text);
    expect((await get(`/dashboard/data/comments?id=${comment}`)).text.length).toBeLessThan(200_000);
  });
});
