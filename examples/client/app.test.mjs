// The app's tests: they pass with the client as it is and with its mended twin.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, createCounter } from './client.mjs';

const app = new Client(process.env.WM_BASE_URL, process.env.WM_API_KEY_ADMIN);
const addTask = async (title) => app.addTask((await app.addProject(`To ${title}`)).id, title);

test('renames a task', async () => {
  const { id } = await addTask('Buy flour');
  assert.equal((await app.renameTask(id, 'Buy rye')).title, 'Buy rye');
});

test('says that a deleted task is gone', async () => {
  const { id } = await addTask('Mix dough');
  assert.equal(await app.isGone(id), false);
  await app.removeTask(id);
  assert.equal(await app.isGone(id), true);
});

test('shows every task on the board', async () => {
  assert.ok([...(await app.board()).values()].flat().length > 50);
});

test('continues behind a task', async () => {
  const { id } = await addTask('Knead dough');
  await wait(5);
  await addTask('Bake bread');
  assert.deepEqual(
    (await app.tasksAfter(id)).map(({ title }) => title),
    ['Bake bread'],
  );
});

test('shows what was typed last', async () => {
  await Promise.all([app.search('low'), app.search('urgent')]);
  assert.ok(app.shown.length > 0 && app.shown.every(({ priority }) => priority === 'urgent'));
});

test('counts each new task once', async (t) => {
  const counter = createCounter();
  const receiver = createServer(async (request, response) => {
    counter.handle(await json(request));
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  t.after(() => receiver.close());
  await once(receiver, 'listening');
  await app.subscribe(`http://127.0.0.1:${receiver.address().port}/hooks`);
  for (const title of ['Wash', 'Dry']) await addTask(title);
  for (let turn = 0; counter.count < 2 && turn < 100; turn++) await wait(50);
  await wait(300);
  assert.equal(counter.count, 2);
});
