// The app's tests: what its user does, over HTTP, on the service that the environment names.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from './client.mjs';

const { WM_BASE_URL, WM_API_KEY_ADMIN, WM_TASK_WITH_COMMENTS } = process.env;
const app = new Client(WM_BASE_URL, WM_API_KEY_ADMIN);
const project = () => app.addProject('Kitchen');
const task = async (title) => app.addTask((await project()).id, { title });

test('greets the user by name', async () => {
  assert.match((await app.me()).name, /\w/);
});

test('opens a new project', async () => {
  assert.equal((await project()).name, 'Kitchen');
});

test('shows no date on a task without one', async () => {
  assert.equal(app.isDue(await task('Buy flour')), false);
});

test('renames a task', async () => {
  const { id } = await task('Buy flour');
  assert.equal((await app.renameTask(id, 'Buy rye')).title, 'Buy rye');
});

test('says how old a task is', async () => {
  const age = app.age(await task('Buy flour'));
  assert.ok(Math.abs(age) < 60_000, `${age} ms`);
});

test('says that a deleted task is gone', async () => {
  const { id } = await task('Buy flour');
  assert.equal(await app.isGone(id), false);
  await app.removeTask(id);
  assert.equal(await app.isGone(id), true);
});

test('asks for a title when there is none', async () => {
  const { id } = await project();
  const { status, said } = await app.addTask(id, {}).catch((error) => error);
  assert.equal(status, 400);
  assert.deepEqual(
    said.error.details.fields.map(({ field }) => field),
    ['title'],
  );
});

test('shows every task on the board', async () => {
  await task('Bake bread');
  const titles = [...(await app.board()).values()].flat();
  assert.ok(titles.length > 50 && titles.includes('Bake bread'));
});

test('opens a project at its newest task', async () => {
  const { id } = await project();
  for (const title of ['Mix', 'Knead', 'Bake']) {
    await app.addTask(id, { title });
    await wait(5);
  }
  assert.equal((await app.newest(id)).title, 'Bake');
});

test('shows the comments of a task', async () => {
  const comments = await app.comments(WM_TASK_WITH_COMMENTS);
  assert.ok(comments.length > 0);
});

test('tells of each new task once', async (t) => {
  const told = [];
  const notify = app.notifier((title) => told.push(title));
  const receiver = createServer(async (request, response) => {
    notify(await json(request));
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  t.after(() => receiver.close());
  await once(receiver, 'listening');
  await app.subscribe(`http://127.0.0.1:${receiver.address().port}/hooks`);
  const { id } = await project();
  for (const title of ['Wash', 'Dry']) await app.addTask(id, { title });
  for (let turn = 0; new Set(told).size < 2 && turn < 100; turn++) await wait(50);
  await wait(200);
  assert.deepEqual(told.sort(), ['Dry', 'Wash']);
});
