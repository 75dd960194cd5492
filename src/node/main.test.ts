// The command line, in process: what it prints, where, and its exit status.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LATEST } from '../contract/releases.ts';
import { type Run, refused as refusedIn, run as runIn, start as startIn } from '../test/command-line.ts';
import { wait } from '../world/clock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wm-mock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const start = (words: readonly string[], env: Record<string, string> = {}) => startIn(words, { env, cwd: folder });
const run = (words: readonly string[], env: Record<string, string> = {}) => runIn(words, { env, cwd: folder });
const refused = (words: readonly string[]) => refusedIn(words, { cwd: folder });
const SEED =
  'workspaces: [{ id: ws_a, users: [{ id: user_a, name: Ann }], api_keys: [{ value: wm_a, scope: admin, user_id: user_a }] }]\n';
const seedFile = async (text = SEED) => {
  const path = join(folder, 'seed.yaml');
  await writeFile(path, text);
  return path;
};
const readyOf = (started: Run) => JSON.parse(started.out.slice(0, started.out.indexOf('\n')));

describe('serve', () => {
  test('shows base URL, docs, a key a scope with whose it is, and a curl line whose URL and key answer 200', async () => {
    const started = start(['--port', '0']);
    await started.until('Ctrl+C');
    for (const scope of ['read', 'write', 'admin'])
      expect(started.out).toMatch(new RegExp(`^ +${scope} +wm_\\S+ +\\S+ \\S+.*, \\S+`, 'm'));
    expect(started.out).toMatch(/Docs {2}http:\/\/127\.0\.0\.1:\d+\/docs/);
    const [, key, url] = /curl -H "Authorization: Bearer (\S+)" "(\S+)"/.exec(started.out)!;
    expect((await fetch(url!, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
    started.stop();
    expect(await started.status).toBe(0);
    await expect(fetch(url!)).rejects.toThrow();
  });

  test('--json says on one line that it is ready, with the keys that work', async () => {
    const started = start(['serve', '--seed', await seedFile(), '--port', '0', '--json']);
    await started.until('\n');
    const ready = readyOf(started);
    const origin = ready.base_url.replace(/\/v1$/, '');
    expect(ready).toEqual({
      event: 'ready',
      base_url: `${origin}/v1`,
      control_url: `${origin}/_mock`,
      dashboard_url: `${origin}/`,
      keys: [{ value: 'wm_a', scope: 'admin', workspace_id: 'ws_a', user_id: 'user_a' }],
    });
    started.stop();
    expect(await started.status).toBe(0);
  });

  test('a flag wins over its environment twin', async () => {
    const started = start(['--port', '0', '--json', '--plan', 'free'], {
      WM_MOCK_PLAN: 'business',
      WM_MOCK_NOW: '2025-01-20T09:00:00Z',
    });
    await started.until('\n');
    const { base_url, keys } = readyOf(started);
    const { headers } = await fetch(`${base_url}/tasks`, { headers: { authorization: `Bearer ${keys[0].value}` } });
    expect([headers.get('x-ratelimit-limit'), headers.get('date')]).toEqual(['60', 'Mon, 20 Jan 2025 09:00:00 GMT']);
    started.stop();
    await started.status;
  });

  test('--watch takes a new seed up, keeps the old one when the new one is broken, and says why', async () => {
    const path = await seedFile();
    const started = start(['--seed', path, '--port', '0', '--json', '--watch']);
    await started.until('"ready"');
    const { base_url } = readyOf(started);
    const name = async () => {
      const answer = await fetch(`${base_url}/users/me`, { headers: { authorization: 'Bearer wm_a' } });
      return (await answer.json()).data.name;
    };
    expect(await name()).toBe('Ann');
    await writeFile(join(dirname(path), 'other.txt'), 'other');
    await wait(200);
    expect(started.err).toBe('');
    await seedFile(SEED.replace('Ann', 'Bea'));
    await started.until('reloaded');
    expect(await name()).toBe('Bea');
    await seedFile(SEED.replace('scope: admin', 'scope: king'));
    await started.until('still serving the old seed');
    await started.until('seed.yaml:1:');
    expect(await name()).toBe('Bea');
    started.stop();
    expect(await started.status).toBe(0);
    const { err } = started;
    await seedFile(SEED);
    await wait(200);
    expect(started.err).toBe(err);
  });

  test('a busy port ends with one line that says what to do', async () => {
    const holder = createServer();
    await new Promise<void>((done) => holder.listen(0, '127.0.0.1', done));
    const { port } = holder.address() as { port: number };
    const ended = await refused(['--port', String(port)]);
    expect([ended.status, ended.err]).toEqual([
      1,
      `wm-mock: port ${port} on 127.0.0.1 is busy. Stop what uses it, or pass --port 0 for any free one.\n`,
    ]);
    holder.close();
  });

  test('--latency keeps every answer back', async () => {
    const started = start(['--port', '0', '--json', '--latency', '80-90']);
    await started.until('\n');
    const { base_url, keys } = readyOf(started);
    const began = performance.now();
    await fetch(`${base_url}/tasks`, { headers: { authorization: `Bearer ${keys[0].value}` } });
    expect(performance.now() - began).toBeGreaterThanOrEqual(79);
    started.stop();
    await started.status;
  });

  test('answers of a choices file are taken, and --choice wins over them', async () => {
    const path = join(folder, 'choices.yaml');
    await writeFile(path, 'patch-status: 202\nnot-found-code: resource_not_found\n');
    const started = start([
      '--port',
      '0',
      '--json',
      '--choices',
      path,
      '--choice',
      'not-found-code=not_found',
      '--choice',
      'error-status-field=present',
    ]);
    await started.until('\n');
    const { base_url, keys } = readyOf(started);
    const answer = await fetch(`${base_url}/tasks/none`, { headers: { authorization: `Bearer ${keys[0].value}` } });
    expect((await answer.json()).error).toMatchObject({ code: 'not_found', status: 404 });
    started.stop();
    await started.status;
  });
});

test('init --service-worker copies the worker and what registers it, over older ones', async () => {
  for (const _ of [1, 2]) {
    const { status, out } = await run(['init', '--service-worker', 'public']);
    expect([status, out]).toEqual([0, expect.stringContaining('public/wm-mock-worker.js and public/wm-mock-register.js')]);
  }
});

test.each([
  [['--release', '1.1', '--forward-compat'], {}, '1.1', 6],
  [['--forward-compat=fields,order'], { WM_MOCK_RELEASE: '1.0' }, '1.0', 2],
  [[], { WM_MOCK_FORWARD_COMPAT: 'enums' }, LATEST, 1],
  [[], { WM_MOCK_FORWARD_COMPAT: '1' }, LATEST, 6],
])('serve %j with %j is release %s with %i kinds of change', async (words, env, release, kinds) => {
  const started = start(['--port', '0', '--json', ...words], env as Record<string, string>);
  await started.until('\n');
  const { control_url } = JSON.parse(started.out.split('\n')[0]!);
  const shown = await (await fetch(`${control_url}/release`)).json();
  expect([shown.release, shown.forward_compat.length]).toEqual([release, kinds]);
  started.stop();
  await started.status;
});
