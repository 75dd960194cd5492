// Flags of the control API on a served mock, and the line that it prints for each request.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { start } from '../../test/command-line.ts';
import { makeTestFolder } from '../../test/temp-folder.ts';
import { formatRequestLog } from '../command-line/request-log.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => void (await Promise.all(stops.splice(0).map((stop) => stop()))));

const WORDS = ['serve', '--seed', 'tiny.yaml', '--port', '0'];
const cwd = resolve('fixtures');
const serve = async (words: readonly string[], env: Record<string, string> = {}, screen = false) => {
  const run = start([...WORDS, ...words], { env, cwd, screen });
  stops.push(() => {
    run.stop();
    return run.status;
  });
  await run.until('\n');
  return { run, lines: () => run.out.trim().split('\n') };
};
const auth = { authorization: 'Bearer wm_tiny_read' };

test('--json prints one line for each request of any world', async () => {
  const { lines, run } = await serve(['--json']);
  const { base_url, control_url, control_token } = JSON.parse(lines()[0]!);
  const headers = { 'content-type': 'application/json' };
  await fetch(`${control_url}/worlds`, { method: 'POST', body: '{"id":"one"}', headers });
  await fetch(`${new URL(base_url).origin}/worlds/one/v1/tasks/task_none`, { headers: auth });
  const [, ...requests] = lines().map((line) => JSON.parse(line));
  const key_id = expect.stringMatching(/^key_/);
  expect(requests).toMatchObject([{ event: 'request', operation: 'getTask', status: 404, world: 'one', key_id }]);
  expect([control_token, run.err]).toEqual([undefined, '']);
});

test('--open shows the dashboard in the browser, signed in where a token is asked for', async () => {
  const folder = makeTestFolder();
  const [BROWSER, shown] = [join(folder, 'browser'), join(folder, 'shown')];
  writeFileSync(BROWSER, `#!/bin/sh\nprintf '%s' "$1" > '${shown}.part' && mv '${shown}.part' '${shown}'\n`, { mode: 0o755 });
  const { lines } = await serve(['--json', '--open', '--control-token', 'open&sesame'], { BROWSER });
  const { dashboard_url } = JSON.parse(lines()[0]!);
  const url = await vi.waitFor(() => readFileSync(shown, 'utf8'), 30_000);
  expect(url).toBe(`${dashboard_url}?token=open%26sesame`);
  const response = await fetch(url, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
  const cookie = response.headers.get('set-cookie')!.split(';')[0]!;
  expect((await fetch(dashboard_url, { headers: { cookie } })).status).toBe(200);
  expect((await fetch(`${dashboard_url}?token=wrong`, { headers: { cookie } })).status).toBe(401);
});

describe('a line for each request', () => {
  const linesFor = async (words: readonly string[], screen = true) => {
    const { run, lines } = await serve(words, {}, screen);
    await run.until('nothing is kept');
    const origin = /API +(\S+)\/v1/.exec(run.out)![1]!;
    await fetch(`${origin}/v1/tasks?page=2`, { headers: auth });
    await fetch(`${origin}/tasks`, { headers: auth });
    return lines().slice(lines().findIndex((line) => line.includes('nothing is kept')) + 2);
  };

  test('says time, status, operation and what the client did wrong, in no colour where none is wanted', async () => {
    expect(await linesFor([])).toEqual([
      expect.stringMatching(/^ {2}09:00:00\.000 200 GET {4}\/v1\/tasks\?page=2 {2}listTasks {2}0 ms$/),
      expect.stringMatching(/^ {4}warning {3}removed-parameter: page was removed/),
      expect.stringMatching(/^ {2}09:00:00\.000 404 GET {4}\/tasks {2}no operation {2}0 ms$/),
    ]);
  });

  test('says why as well with --verbose, and nothing with --quiet', async () => {
    expect((await linesFor(['--verbose'])).join('\n')).toMatch(
      /operation GET \/tasks is listTasks[\s\S]*response {2}.*put that before/,
    );
    expect(await linesFor(['--quiet'])).toEqual([]);
  });

  test('is for a terminal, unless --verbose asks for it', async () => {
    expect(await linesFor([], false)).toEqual([]);
    expect(await linesFor(['--verbose'], false)).not.toEqual([]);
  });

  test('is coloured by the status in a terminal, as is the check that refused, and names world and fault', () => {
    const summary = {
      at: '2025-01-20T09:00:00.000Z',
      method: 'GET',
      path: '/v1/tasks\u001b[2J',
      operation: 'listTasks' as const,
    };
    const more = { id: 'req_1', status: 500, duration_ms: 5, key_id: null, workspace_id: null, fault: 'fault_1', warnings: [] };
    const shown = {
      why: [{ check: 'fault', found: '500: it broke', part: 'mock' }],
      request: { body: null },
      response: { body: null },
    };
    const line = formatRequestLog({ colour: true }, true)({ ...summary, ...more }, 'one', () => ({ ...more, ...shown }) as never);
    expect(line).toContain('\u001b[31m500\u001b[0m GET    /v1/tasks\\u001b[2J');
    expect(line).toMatch(/listTasks {2}5 ms {2}one {2}fault_1[\s\S]*\[31mfault {5}500: it broke {2}\(mock\)/);
  });
});

test('--save keeps the data in a seed file, from which the next start continues, also after a reset', async () => {
  const folder = makeTestFolder();
  const file = join(folder, 'kept.json');
  const write = { authorization: 'Bearer wm_tiny_write', 'content-type': 'application/json' };
  const first = await serve(['--json', '--save', file]);
  const { base_url, control_url } = JSON.parse(first.lines()[0]!);
  await fetch(`${control_url}/reset`, { method: 'POST' });
  expect((await fetch(`${base_url}/projects`, { method: 'POST', headers: write, body: '{"name":"Kept"}' })).status).toBe(201);
  await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain('"Kept"'), 5000);
  await stops.pop()!();
  const second = await serve(['--json', '--save', file]);
  const { base_url: again } = JSON.parse(second.lines()[0]!);
  expect(await (await fetch(`${again}/projects?sort=-created_at`, { headers: auth })).text()).toContain('"Kept"');
  const { run } = await serve(['--json', '--save', join(folder, 'none/kept.json')]);
  expect([await run.status, run.err]).toEqual([1, expect.stringContaining('its folder is not there; make it first.')]);
});

test('a server has a repro file at hand without --record', async () => {
  const plain = await serve([]);
  await plain.run.until('Ctrl+C');
  const [, origin] = /API +(\S+)\/v1/.exec(plain.run.out)!;
  await fetch(`${origin}/v1/tasks`, { headers: auth });
  expect((await (await fetch(`${origin}/_mock/repro`)).json()).steps).toHaveLength(1);
});

test('--record says at the start what is written where, and at the end that it was and how to repeat it', async () => {
  const folder = makeTestFolder();
  const ended = async (file: string, ...words: readonly string[]) => {
    const { run } = await serve(['--record', file, ...words]);
    await run.until('Ctrl+C');
    const [, origin] = /API +(\S+)\/v1/.exec(run.out)!;
    await fetch(`${origin}/v1/tasks`, { headers: auth });
    await stops.pop()!();
    return [/Ctrl\+C.*/.exec(run.out)![0], run.err];
  };
  const file = join(folder, 'bug.wm.json');
  expect(await ended(file)).toEqual([
    `Ctrl+C stops it; all that comes in is written to ${file}.`,
    `wm-mock: 1 step written to ${file}. Repeat them: npx wm-mock replay ${file}\n`,
  ]);
  expect(JSON.parse(readFileSync(file, 'utf8')).steps).toHaveLength(1);
  const [spaced, kept] = [join(folder, 'my bug'), join(folder, 'kept.yaml')];
  expect(await ended(spaced, '--save', kept)).toEqual([
    `Ctrl+C stops it; ${kept} keeps the data, and all that comes in is written to ${spaced}.`,
    `wm-mock: 1 step written to ${spaced}. Repeat them: npx wm-mock replay '${spaced}'\n`,
  ]);
  const { run } = await serve(['--record', join(folder, 'none', 'bug')]);
  expect([await run.status, run.err]).toEqual([1, expect.stringContaining('none/bug: its folder is not there; make it first.')]);
});

test('--record is written as requests come, and says at the end if it cannot be', async () => {
  const file = join(makeTestFolder(), 'bug.wm.json');
  const { run, lines } = await serve(['--json', '--record', file]);
  await fetch(`${JSON.parse(lines()[0]!).base_url}/tasks`, { headers: auth });
  await vi.waitFor(() => expect(JSON.parse(readFileSync(file, 'utf8')).steps).toHaveLength(1), 5000);
  rmSync(dirname(file), { recursive: true });
  await fetch(`${JSON.parse(lines()[0]!).base_url}/tasks`, { headers: auth });
  await stops.pop()!();
  expect([await run.status, run.err]).toEqual([
    1,
    expect.stringMatching(/its folder is not there.*\n.*bug.wm.json lacks the last changes/),
  ]);
});

test('--allow-origin lets a page of that origin use the control API, and no other', async () => {
  const { lines } = await serve(['--json', '--allow-origin', 'http://localhost:5173']);
  const { control_url } = JSON.parse(lines()[0]!);
  const ask = async (origin: string, method = 'GET') => {
    const headers = { origin, 'sec-fetch-site': 'cross-site', 'access-control-request-headers': 'content-type' };
    const response = await fetch(`${control_url}/clock`, { method, headers });
    return [response.status, response.headers.get('access-control-allow-origin')];
  };
  expect(await ask('http://localhost:5173', 'OPTIONS')).toEqual([204, 'http://localhost:5173']);
  expect(await ask('http://localhost:5173')).toEqual([200, 'http://localhost:5173']);
  expect(await ask('http://localhost:5174')).toEqual([403, null]);
  expect((await ask('http://localhost:5174', 'OPTIONS'))[1]).toBeNull();
});

test.each([
  ['--control-token', ['--control-token', 'open-sesame'], {}],
  ['its twin', [], { WM_MOCK_CONTROL_TOKEN: 'open-sesame' }],
])('the token is what %s says, and is printed', async (_, words, env) => {
  const { lines } = await serve([...words, '--json'], env as Record<string, string>);
  const { control_url, control_token } = JSON.parse(lines()[0]!);
  expect(control_token).toBe('open-sesame');
  expect((await fetch(`${control_url}/data/keys`)).status).toBe(401);
  expect((await fetch(`${control_url}/data/keys`, { headers: { 'x-wm-control-token': 'open-sesame' } })).status).toBe(200);
});
