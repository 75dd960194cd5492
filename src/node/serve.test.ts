// What the flags of the control API do to a served mock, and what it prints for each request.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { start } from '../test/command-line.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => void (await Promise.all(stops.splice(0).map((stop) => stop()))));

const WORDS = ['serve', '--seed', 'tiny.yaml', '--port', '0'];
const cwd = resolve('fixtures');
const serve = async (words: readonly string[], env: Record<string, string> = {}) => {
  const said = start([...WORDS, ...words], { env, cwd });
  stops.push(() => {
    said.stop();
    return said.status;
  });
  await said.until('\n');
  return { said, lines: () => said.out.trim().split('\n') };
};
const auth = { authorization: 'Bearer wm_tiny_read' };

describe('--json', () => {
  test('prints one line when ready and one for each request of any world, with no key in it', async () => {
    const { lines, said } = await serve(['--json']);
    const ready = JSON.parse(lines()[0]!);
    expect(Object.keys(ready)).toEqual(['event', 'base_url', 'control_url', 'dashboard_url', 'keys']);
    await fetch(`${ready.base_url}/tasks?limit=1&api_key=wm_tiny_admin`, { headers: auth });
    await fetch(`${ready.control_url}/worlds`, {
      method: 'POST',
      body: '{"id":"one"}',
      headers: { 'content-type': 'application/json' },
    });
    await fetch(`${new URL(ready.base_url).origin}/worlds/one/v1/tasks/task_none`, { headers: auth });
    const [, first, second] = lines().map((line) => JSON.parse(line));
    expect(first).toEqual({
      event: 'request',
      method: 'GET',
      path: '/v1/tasks?limit=1&api_key=[hidden]',
      status: 200,
      operation: 'listTasks',
      key_id: expect.stringMatching(/^key_/),
      world: 'default',
      duration_ms: 0,
    });
    expect(second).toMatchObject({ operation: 'getTask', status: 404, world: 'one' });
    expect(lines()).toHaveLength(3);
    expect(lines().slice(1).join('')).not.toContain('wm_tiny');
    expect(said.err).toBe('');
  });
});

describe('--open', () => {
  /** A browser that writes down what it is asked to show. */
  const browser = () => {
    const folder = mkdtempSync(join(tmpdir(), 'wm-mock-open-'));
    const [command, shown] = [join(folder, 'browser'), join(folder, 'shown')];
    writeFileSync(command, `#!/bin/sh\nprintf '%s' "$1" > '${shown}.part' && mv '${shown}.part' '${shown}'\n`, { mode: 0o755 });
    stops.push(async () => rmSync(folder, { recursive: true }));
    return { command, shown: () => vi.waitFor(() => readFileSync(shown, 'utf8'), 30_000) };
  };

  test('shows the dashboard in the browser, signed in where a token is asked for', async () => {
    const { command, shown } = browser();
    const { lines } = await serve(['--json', '--open', '--control-token', 'open&sesame'], { BROWSER: command });
    const { dashboard_url } = JSON.parse(lines()[0]!);
    const url = await shown();
    expect(url).toBe(`${dashboard_url}?token=open%26sesame`);
    const answer = await fetch(url, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    expect((await fetch(dashboard_url, { headers: { cookie } })).status).toBe(200);
    expect((await fetch(`${dashboard_url}?token=wrong`, { headers: { cookie } })).status).toBe(401);
  });
});

describe('the token', () => {
  test('is what --control-token or its twin says, and is printed', async () => {
    for (const [words, env] of [
      [['--control-token', 'open-sesame'], {}],
      [[], { WM_MOCK_CONTROL_TOKEN: 'open-sesame' }],
    ] as const) {
      const { lines } = await serve([...words, '--json'], env);
      const { control_url, control_token } = JSON.parse(lines()[0]!);
      expect(control_token).toBe('open-sesame');
      expect((await fetch(`${control_url}/keys`)).status).toBe(401);
      expect((await fetch(`${control_url}/keys`, { headers: { 'x-wm-control-token': 'open-sesame' } })).status).toBe(200);
    }
  });
});
