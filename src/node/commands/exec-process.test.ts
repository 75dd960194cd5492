// `wm-mock exec`: the command's environment and exit status, signals, and that nothing is left behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const CLI = 'dist/node/cli.js';
const REPORT = join(tmpdir(), `wm-mock-exec-${process.pid}`);
afterAll(() => rmSync(REPORT, { recursive: true, force: true }));
const FLAGS = ['--seed', 'fixtures/demo.yaml', '--now', '2025-01-20T09:00:00Z'];

interface Ended {
  readonly out: string;
  readonly err: string;
  readonly status: number | null;
}

const running = (words: readonly string[], env: Record<string, string> = {}, command = 'exec') => {
  const child = spawn(process.execPath, [CLI, command, ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (output.out += chunk));
  child.stderr.on('data', (chunk) => (output.err += chunk));
  const ended = once(child, 'close').then(([status]): Ended => ({ ...output, status: status as number | null }));
  return { child, output, ended };
};
const run = (script: string, env?: Record<string, string>) =>
  running([...FLAGS, '--', process.execPath, '-e', script], env).ended;
const until = async (output: { out: string }, child: ChildProcess): Promise<string> => {
  while (!output.out.includes('\n')) await Promise.race([once(child.stdout!, 'data'), once(child, 'close')]);
  return output.out.trim();
};
const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('the command has the address, the keys and the control API of a mock that responds', async () => {
  const script = `
    const { WM_BASE_URL: url, WM_CONTROL_URL: control, ...env } = process.env;
    const ask = (key) => fetch(url + '/tasks', { headers: { authorization: 'Bearer ' + key } }).then(({ status }) => status);
    const keys = ['ADMIN', 'WRITE', 'READ', 'REVOKED', 'OTHER_WORKSPACE'].map((name) => env['WM_API_KEY_' + name]);
    Promise.all([...keys.map(ask), fetch(control + '/health').then(({ status }) => status)]).then(async (statuses) => {
      const one = await fetch(url + '/tasks/' + env.WM_TASK_WITH_COMMENTS + '/comments', { headers: { authorization: 'Bearer ' + env.WM_API_KEY_READ } });
      console.log(JSON.stringify([...statuses, (await one.json()).meta.total > 0, new URL(url).port !== '0']));
    });`;
  const { out, err, status } = await run(script);
  expect(JSON.parse(out)).toEqual([200, 200, 200, 401, 200, 200, true, true]);
  expect(err).toMatch(/^wm-mock: fixtures\/demo.yaml at http:\/\/127\.0\.0\.1:\d+\/v1 for \S+node -e /);
  expect(status).toBe(0);
});

describe('a signal', () => {
  const idle = 'console.log(process.pid); setInterval(() => {}, 1000)';
  const waiting = `process.on('SIGTERM', () => process.exit(5)); ${idle}`;

  test.each([
    ['SIGTERM', waiting, 5],
    ['SIGINT', idle, 130],
    ['SIGHUP', idle, 129],
  ] as const)('%s reaches the command, which decides; neither it nor the server is left', async (signal, script, status) => {
    const { child, output, ended } = running([...FLAGS, '--', process.execPath, '-e', script]);
    const pid = Number(await until(output, child));
    const base = /http:\S+/.exec(output.err)![0];
    child.kill(signal);
    expect((await ended).status).toBe(status);
    expect(isThere(pid)).toBe(false);
    await expect(fetch(base)).rejects.toThrow();
  });

  test.each([
    ['exec', [...FLAGS]],
    ['proxy', ['--target', 'http://127.0.0.1:9/v1', '--port', '0', '--report', REPORT]],
  ] as const)('to %s alone reaches what a shell started, once', async (command, flags) => {
    const script = `process.on('SIGTERM', () => console.log('ended') ?? process.exit()); console.log(process.pid); setTimeout(() => {}, 30_000)`;
    const shell = ['/bin/sh', '-c', '"$0" -e "$1"; exit 3', process.execPath, script];
    const { child, output, ended } = running([...flags, '--', ...shell], {}, command);
    await until(output, child);
    child.kill('SIGTERM');
    // It holds the pipe that this waits for.
    await ended;
    expect(output.out.match(/ended/g)).toHaveLength(1);
  });

  test('may come twice: a command that takes its time is waited for', async () => {
    const slow =
      "process.on('SIGINT', () => setTimeout(() => process.exit(6), 300)); console.log(process.pid); setInterval(() => {}, 9)";
    const { child, output, ended } = running([...FLAGS, '--', process.execPath, '-e', slow]);
    await until(output, child);
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGINT'), 100);
    expect((await ended).status).toBe(6);
  });
});

test('a response that the server still holds does not delay the end', async () => {
  const script = `
    const { WM_BASE_URL: url, WM_CONTROL_URL: control, WM_API_KEY_READ: key } = process.env;
    const headers = { 'content-type': 'application/json' };
    fetch(control + '/faults', { method: 'POST', headers, body: '{"effect":{"hold":true}}' }).then(() => {
      fetch(url + '/tasks', { headers: { authorization: 'Bearer ' + key } }).catch(() => {});
      setTimeout(() => process.exit(4), 200);
    });`;
  expect((await run(script)).status).toBe(4);
});
