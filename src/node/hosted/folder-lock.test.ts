// A folder has one server at a time, and one that was killed blocks no other.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { makeTestFolder } from '../../test/temp-folder.ts';
import { lockFolder } from './folder-lock.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = makeTestFolder();
  file = join(folder, 'dev.lock');
});

const sleeper = (): ChildProcess => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};
const messages: string[] = [];
const lock = () => {
  messages.length = 0;
  return lockFolder(folder, (text) => messages.push(text));
};
const readLock = async () => JSON.parse(await readFile(file, 'utf8'));
/** A process that has ended. */
const oldPid = async (): Promise<number> => {
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid!;
};

test('a second server of a folder is refused, until the first one has ended', async () => {
  const first = await lock();
  await expect(lock()).rejects.toThrow(
    `dev --hosted: ${folder} is already served by process ${process.pid}: two at once would lose acknowledged changes. Stop that one, or name another folder; if it is no wm-mock, delete ${file}. docs/hosted.md says more.`,
  );
  first.names(process.pid);
  await expect(lock()).rejects.toThrow('is already served');
  first.release();
  expect(await readdir(folder)).toEqual([]);
  (await lock()).release();
  expect(messages).toEqual([]);
});

test('a single one of several that find the file of a killed one gets the folder', async () => {
  await writeFile(file, JSON.stringify({ holder: { pid: await oldPid() } }));
  const tries = await Promise.allSettled([lock(), lock(), lock()]);
  expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
});

test('a process that is gone, another one of its id, or half a file holds nothing', async () => {
  (await lock()).release();
  for (const text of [
    JSON.stringify({ holder: { pid: await oldPid(), began: '1' } }),
    JSON.stringify({ holder: { pid: process.pid, began: 'at another time' } }),
    '{"holder":{"pi',
  ]) {
    await writeFile(file, text);
    const own = await lock();
    expect((await readLock()).holder.pid).toBe(process.pid);
    own.release();
  }
});

test('the engine that a killed server has left running is ended, and a message says so', async () => {
  const engine = sleeper();
  const before = await lock();
  before.names(engine.pid);
  const { child } = await readLock();
  expect(child.pid).toBe(engine.pid);
  await writeFile(file, JSON.stringify({ holder: { pid: await oldPid() }, child }));
  const ended = once(engine, 'exit');
  const own = await lock();
  expect((await ended)[1]).toBe('SIGKILL');
  expect(messages).toEqual([
    `dev --hosted: process ${engine.pid} still served ${folder} for an earlier start that was killed; it is ended now.\n`,
  ]);
  own.release();
});

test('another process that has the id of that engine by now is left alone', async () => {
  const other = sleeper();
  await writeFile(file, JSON.stringify({ holder: { pid: await oldPid() }, child: { pid: other.pid, began: 'at another time' } }));
  (await lock()).release();
  expect([messages, other.exitCode, other.signalCode]).toEqual([[], null, null]);
});
