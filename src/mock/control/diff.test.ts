// Differences of two worlds: created, gone and changed records with their fields, and deliveries.
import { expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { keep } from '../../test/closing.ts';
import { ask } from '../../test/sending.ts';
import type { Mock } from '../api/mock.ts';
import type { MockOptions } from '../api/options.ts';

const start = async (options: MockOptions = {}) => {
  const sender = async () => ({ kind: 'refused', error: 'no', took: 1 }) as const;
  const mock = keep(await createMock({ seed: 'demo', now: '2025-01-20T09:00:00Z', sender, ...options }));
  for (const { id } of mock.read.webhooks()) mock.remove.webhook(id);
  return mock;
};

/** Asks the control API. */
const asker = (mock: Mock) => async (query: string) => (await ask(mock, 'GET', `/_mock/diff${query}`)).body;

test('a world and a copy of it differ in what was done since', async () => {
  const mock = await start();
  const fork = mock.fork({ id: 'other' });
  expect(mock.diff(fork)).toEqual({ from: 'default', to: 'other', created: 0, gone: 0, changed: 0, items: [] });
  const made = fork.create.project({ name: 'Made' });
  fork.update.project('proj_app', { name: 'Renamed' });
  const [task] = fork.read.tasks();
  fork.remove.task(task!.id);
  const { items, ...counts } = mock.diff(fork);
  const removed = 1 + mock.read.comments({ task_id: task!.id }).length;
  expect(counts).toEqual({ from: 'default', to: 'other', created: 1, gone: removed, changed: 1 });
  const of = (id: string) => items.find((one) => one.id === id)!;
  const created = of(`projects/${made.id}`);
  expect(created).toMatchObject({ collection: 'projects', record: made.id, kind: 'created' });
  expect(created.fields.slice(0, 3)).toEqual(
    (['workspace_id', 'id', 'name'] as const).map((field) => ({ field, before: undefined, after: made[field] })),
  );
  expect(of('projects/proj_app').kind).toBe('changed');
  const before = mock.read.project('proj_app')!.name;
  expect(of('projects/proj_app').fields).toContainEqual({ field: 'name', before, after: 'Renamed' });
  expect(of(`tasks/${task!.id}`)).toMatchObject({ kind: 'gone' });
  expect(of(`tasks/${task!.id}`).fields).toContainEqual({ field: 'title', before: task!.title, after: undefined });
  expect(fork.diff(mock)).toMatchObject({ from: 'other', to: 'default', created: counts.gone, gone: 1, changed: 1 });
});

test('a record that was changed and changed back is the same', async () => {
  const mock = await start();
  const fork = mock.fork();
  const { name, updated_at } = fork.read.project('proj_app')!;
  fork.update.project('proj_app', { name: 'x' });
  fork.update.project('proj_app', { name, updated_at });
  expect(mock.diff(fork).items).toEqual([]);
});

test('deliveries differ in their state and their attempts', async () => {
  const mock = await start();
  const webhook = mock.create.webhook({ url: 'http://127.0.0.1:9/x', events: ['project.created'] });
  mock.create.project({ name: 'P' });
  await mock.webhooks.settled();
  const fork = mock.fork();
  fork.webhooks.simulate(webhook.id, [200]);
  await fork.clock.advance('30s');
  const { id } = mock.deliveries[0]!;
  const fields = [
    { field: 'state', before: 'retrying', after: 'delivered' },
    { field: 'attempts', before: ['refused'], after: ['refused', 200] },
    { field: 'next_attempt_at', before: '2025-01-20T09:00:30.000Z', after: null },
  ];
  const changed = { id: `deliveries/${id}`, collection: 'deliveries', record: id, kind: 'changed', fields };
  expect(mock.diff(fork).items).toEqual([changed]);
});

test('over HTTP worlds are named; unnamed, it is this one and how it began; pages have the counts of the whole', async () => {
  const mock = await start();
  const diff = asker(mock);
  const fork = mock.fork({ id: 'other' });
  await fork.create.project({ name: 'A' });
  const made = { from: 'default', to: 'other', created: 1, gone: 0, items: [{ kind: 'created' }] };
  expect(await diff('?from=default&to=other')).toMatchObject(made);
  expect(await diff('?from=other&to=default')).toMatchObject({ from: 'other', to: 'default', created: 0, gone: 1 });
  expect(await diff('?from=other')).toMatchObject({ from: 'other', to: 'default', gone: 1 });
  expect(await diff('?to=other')).toMatchObject({ from: 'origin', to: 'other', created: 1, changed: 0 });
  expect(await asker(fork)('')).toMatchObject({ from: 'origin', to: 'other', created: 1 });
  mock.create.project({ name: 'B' });
  mock.create.project({ name: 'C' });
  const first = await diff('?limit=1&from=other');
  const next_cursor = expect.stringMatching(/^projects\/proj_/);
  expect(first).toMatchObject({ created: 1, gone: 0, changed: 1, next_cursor, items: [{}] });
  expect(await diff(`?limit=5&from=other&cursor=${encodeURIComponent(first.next_cursor!)}`)).toMatchObject({ items: [{}] });
  for (const query of ['?from=none', '?to=none'])
    expect(await diff(query)).toMatchObject({ error: { message: 'No world has the id "none". GET /_mock/worlds lists them.' } });
});

test('a world that is gone is compared where worlds are recorded', async () => {
  const mock = await start({ record: true });
  const fork = mock.fork({ id: 'other' });
  fork.create.project({ name: 'A' });
  await fork.close();
  expect(await asker(mock)('?from=default&to=other')).toMatchObject({ from: 'default', to: 'other', created: 1, gone: 0 });
  expect(await asker(mock)('?from=other')).toMatchObject({ from: 'other', to: 'default', created: 0, gone: 1 });
});

test('a world that began with deliveries of its own is compared with them', async () => {
  const mock = await start();
  mock.create.webhook({ url: 'http://127.0.0.1:9/x', events: ['project.created'] });
  mock.create.project({ name: 'P' });
  await mock.webhooks.settled();
  const fork = mock.fork();
  // It was forked from a running state: no seed says how it began.
  expect(await asker(fork)('')).toMatchObject({ from: 'origin', created: 0, gone: 0, changed: 0 });
  expect(await asker(mock)('')).toMatchObject({ from: 'origin', created: 3 });
});

test('keys and secrets are hidden', async () => {
  const mock = await start();
  const fork = mock.fork({ mintKeys: true });
  fork.create.webhook({ url: 'http://127.0.0.1:9/x', secret: 'whsec_0123456789abcdef' });
  fork.update.project('proj_app', { name: `named ${fork.keys.at(-1)!.value}` });
  const text = JSON.stringify(await asker(mock)(`?from=default&to=${fork.id}`));
  expect(text).not.toContain('0123456789abcdef');
  for (const { value } of fork.keys) expect(text).not.toContain(value);
  expect(text).toContain('[hidden]');
});
