// The built program as a process: how it is called, how it ends, and what it finds when it starts again.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDeafReceiver } from '../test/deaf-receiver.ts';

const CLI = 'dist/node/cli.js';
const killLater = (child: ChildProcess) => onTestFinished(() => void child.kill('SIGKILL'));

interface Program {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  readonly origin: string;
  /** Exit status, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>;
}

const WORDS = [process.execPath, CLI, '--seed', 'fixtures/tiny.yaml', '--port', '0', '--json', '--plan', 'unlimited'];
const start = async (...words: string[]): Promise<Program> => {
  const [command, ...rest] = [...words, ...WORDS] as [string, ...string[]];
  const child = spawn(command, rest);
  killLater(child);
  const ended = new Promise<number | string>((done) => child.once('exit', (code, signal) => done(code ?? signal ?? 'gone')));
  const ready = await new Promise<string>((done, fail) => {
    let output = '';
    child.stdout.on('data', (bytes) => {
      output += bytes;
      if (output.includes('\n')) done(output.slice(0, output.indexOf('\n')));
    });
    void ended.then((status) => fail(new Error(`the program ended with ${status} before it was ready`)));
  });
  const { base_url } = JSON.parse(ready);
  return { child, baseUrl: base_url, origin: new URL(base_url).origin, ended };
};

const authorization = 'Bearer wm_tiny_admin';
const stateOf = async ({ origin }: Program): Promise<string> => (await fetch(`${origin}/_mock/state?format=json`)).text();
const create = ({ baseUrl }: Program): Promise<Response> =>
  fetch(`${baseUrl}/projects`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Under load' }),
  });

test.skipIf(process.platform === 'win32')('a fresh build of the program can be called by its path, as npx does', () => {
  expect(String(execFileSync(resolve(CLI), ['--version']))).toMatch(/^\d+\.\d+\.\d+\n$/);
});

describe('a program that is told to stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s under load finishes every response it began and exits with 0 within 5 s',
    async (signal) => {
      const program = await start();
      let [completed, signalledAt] = [0, 0];
      let cutOff = 0;
      const client = async () => {
        for (;;) {
          let response: Response;
          try {
            response = await create(program);
          } catch {
            return;
          }
          // The head of the response has come: its body must come whole.
          const text = await response.text().catch(() => '');
          if (response.status === 201 && text.endsWith('}')) completed++;
          else cutOff++;
          if (completed !== 100 || signalledAt !== 0) continue;
          signalledAt = performance.now();
          program.child.kill(signal);
        }
      };
      await Promise.all(Array.from({ length: 8 }, client));
      expect(await program.ended).toBe(0);
      expect(performance.now() - signalledAt).toBeLessThan(5000);
      expect([completed >= 100, cutOff]).toEqual([true, 0]);
    },
  );

  test('with responses that a fault delays sends them at once and ends within 5 s', async () => {
    const program = await start();
    const fault = { match: { operation: 'listTasks' }, effect: { delay_ms: 60_000 } };
    const headers = { 'content-type': 'application/json' };
    await (await fetch(`${program.origin}/_mock/faults`, { method: 'POST', headers, body: JSON.stringify(fault) })).text();
    const response = fetch(`${program.baseUrl}/tasks`, { headers: { authorization } });
    await expect.poll(async () => (await (await fetch(`${program.origin}/_mock/faults`)).json()).items[0].hits).toBe(1);
    const signalledAt = performance.now();
    program.child.kill('SIGTERM');
    expect([(await response).status, await program.ended]).toEqual([200, 0]);
    expect(performance.now() - signalledAt).toBeLessThan(5000);
  });

  test('with a client that keeps an idle connection open ends all the same', async () => {
    const program = await start();
    const stream = await fetch(`${program.origin}/_mock/events`);
    await (await fetch(`${program.baseUrl}/tasks`, { headers: { authorization } })).text();
    program.child.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    await stream.text().catch(() => '');
  });

  test('with hundreds of deliveries to a receiver that never reads responds all along and ends within 5 s', async () => {
    const receiver = await openDeafReceiver();
    const program = await start();
    const body = JSON.stringify({ url: receiver.url });
    const headers = { authorization, 'content-type': 'application/json' };
    expect((await fetch(`${program.baseUrl}/webhooks`, { method: 'POST', headers, body })).status).toBe(201);
    for (let i = 0; i < 300; i++) expect(await (await create(program)).json()).toHaveProperty(['data']);
    await expect.poll(() => receiver.accepted, { timeout: 20_000 }).toBe(64);
    const signalledAt = performance.now();
    program.child.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    expect(performance.now() - signalledAt).toBeLessThan(5000);
    expect(await receiver.look()).toEqual({ asked: 64, open: 0 });
    await receiver.close();
  });
});

test('a program whose first line alone is read continues to respond', async () => {
  const program = await start();
  program.child.stdout!.destroy();
  for (let i = 0; i < 5; i++) expect((await create(program)).status).toBe(201);
  program.child.kill('SIGTERM');
  expect(await program.ended).toBe(0);
});

test.each(['SIGTERM', 'SIGINT'] as const)('a program ends by %s while its standard output is not read', async (signal) => {
  const { child, baseUrl, ended } = await start();
  child.stdout!.pause();
  for (let i = 0; i < 150; i++) await (await fetch(`${baseUrl}/users/me?x=${'y'.repeat(8000)}`)).text();
  child.kill(signal);
  expect(await ended).toBe(0);
});

test.skipIf(process.platform === 'win32')('a program has its control API once there are files to open again', async () => {
  const { baseUrl, origin } = await start('sh', '-c', 'ulimit -n 60; exec "$0" "$@"');
  const port = Number(new URL(baseUrl).port);
  const control = connect(port, '127.0.0.1');
  await new Promise((done) => control.once('connect', done));
  const sockets = Array.from({ length: 80 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  const ask = () =>
    new Promise<string>((done) => {
      control.once('data', (data) => done(String(data).slice(9, 12)));
      control.write('GET /_mock/data/keys HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    });
  await new Promise((done) => setTimeout(done, 500));
  const first = await ask();
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await fetch(`${origin}/_mock/health`)).status).toBe(200);
  expect([first, await ask()]).toEqual(['200', '200']);
  control.destroy();
});

test('a program that was killed comes back at the seed, with the same ids and secrets for the same requests', async () => {
  const session = async () => {
    const program = await start();
    const before = await stateOf(program);
    const { data } = await (await create(program)).json();
    expect(await stateOf(program)).not.toBe(before);
    program.child.kill('SIGKILL');
    expect(await program.ended).toBe('SIGKILL');
    return { before, data };
  };
  expect(await session()).toEqual(await session());
});

test.skipIf(process.platform === 'win32')(
  'with --exit-with-parent a program ends when the one that started it is gone',
  async () => {
    const program = `"${process.execPath}" ${CLI} --seed fixtures/tiny.yaml --port 0 --json --exit-with-parent`;
    const parent = spawn('sh', ['-c', `${program} & read line`], { stdio: ['pipe', 'pipe', 'inherit'] });
    killLater(parent);
    const ended = new Promise<void>((done) => parent.stdout.once('end', done));
    const ready = await new Promise<Buffer>((done) => parent.stdout.once('data', done));
    const { base_url } = JSON.parse(String(ready).split('\n')[0]!);
    expect((await fetch(base_url)).status).toBe(401);
    parent.kill('SIGKILL');
    await ended;
    await expect(fetch(base_url)).rejects.toThrow('fetch failed');
  },
  15_000,
);
