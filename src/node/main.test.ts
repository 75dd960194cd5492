// The command line, in process: what it prints, where, and its exit status.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CHOICES } from '../contract/choices.ts';
import { LATEST, RELEASE_NAMES } from '../contract/releases.ts';
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

  test.each([
    [['--port', 'x'], 2, '--port: wrong value, expected an integer from 0 to 65535, got "x"'],
    [['--plan', 'gold'], 2, '--plan: unknown value, expected one of free, pro, business, unlimited, got "gold"'],
    [['--latency', '9-1'], 2, '--latency: wrong value, expected milliseconds, at most 999999, or a range'],
    [['--now', 'soon'], 2, '--now: expected an ISO 8601 time with its time zone'],
    [['--choice', 'patch-status=204'], 2, 'patch-status: expected one of 200, 201, 202, got "204"'],
    [['--choice', 'nope'], 2, '--choice: expected <name=value>, got "nope"'],
    [['--wat'], 2, "Unknown option '--wat'"],
    [['sevre'], 2, 'unknown command "sevre": expected one of serve'],
    [['--watch'], 2, '--watch: expected a seed file'],
    [['--seed', 'none.yaml'], 1, 'none.yaml: there is no such file'],
    [['--choices', 'none.yaml'], 1, 'none.yaml: there is no such file'],
  ])('%j ends with one line and its exit status', async (words, status, says) => {
    const ended = await refused(words);
    expect(ended.status).toBe(status);
    expect(ended.err).toContain(says);
    expect(ended.err.trimEnd().split('\n')).toHaveLength(1);
    expect(ended.out).toBe('');
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

  test('a broken seed ends with every problem by line and column', async () => {
    const path = await seedFile(SEED.replace('scope: admin', 'scope: king').replace('user_id: user_a', 'user_id: user_b'));
    const ended = await refused(['--seed', path]);
    expect(ended.status).toBe(1);
    expect(ended.err.match(/seed\.yaml:1:\d+: /g)).toHaveLength(2);
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

describe('check', () => {
  test('a sound seed is fine', async () => {
    expect(await run(['check', await seedFile()])).toMatchObject({
      status: 0,
      out: expect.stringContaining('fine: 1 workspace, 1 user, '),
    });
  });

  test('a broken seed lists every problem as file:line:column and exits 1', async () => {
    const path = await seedFile(SEED.replace('id: ws_a,', 'id: ws_a, plan: gold, colour: red,'));
    const { status, err } = await run(['check', path]);
    expect(status).toBe(1);
    expect(err).toMatch(/seed\.yaml:1:\d+: .*plan.*gold/);
    expect(err).toMatch(/seed\.yaml:1:\d+: .*colour/);
  });

  test('without a file it is wrong usage', async () => {
    expect((await run(['check'])).status).toBe(2);
  });
});

test('init --service-worker copies the worker and what registers it, over older ones', async () => {
  for (const _ of [1, 2]) {
    const { status, out } = await run(['init', '--service-worker', 'public']);
    expect([status, out]).toEqual([0, expect.stringContaining('public/wm-mock-worker.js and public/wm-mock-register.js')]);
  }
});

test('init writes a starter that check finds fine, and does not overwrite a file unless forced', async () => {
  expect(await run(['init', 'mine.yaml'])).toMatchObject({ status: 0, out: expect.stringContaining('mine.yaml') });
  expect((await run(['check', 'mine.yaml'])).status).toBe(0);
  expect(await run(['init', 'mine.yaml'])).toMatchObject({ status: 1, err: expect.stringContaining('exists already') });
  expect((await run(['init', 'mine.yaml', '--force'])).status).toBe(0);
  expect(await readFile(join(folder, 'mine.yaml'), 'utf8')).toContain('#');
});

test('choices lists every open point with its options and our answer', async () => {
  const { out } = await run(['choices']);
  for (const [id, { ours }] of Object.entries(CHOICES)) {
    expect(out).toContain(id);
    expect(out).toContain(`* ${ours}`);
  }
});

test('openapi prints the document as JSON, or as YAML', async () => {
  const { out } = await run(['openapi']);
  expect(JSON.parse(out).openapi).toMatch(/^3\.1/);
  expect((await run(['openapi', '--yaml'])).out).toMatch(/^openapi: 3\.1/m);
});

test('openapi prints the document of an earlier release', async () => {
  expect(JSON.parse((await run(['openapi', '--release', '1.1'])).out).info.version).toBe('1.1.0');
  const { err, status } = await run(['openapi', '--release', '9']);
  expect([err, await status]).toEqual([
    `wm-mock: --release: unknown value, expected one of ${RELEASE_NAMES.join(', ')}, got "9".\n`,
    2,
  ]);
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

test('an unknown kind of change is wrong usage', async () => {
  const { err, status } = await refused(['--forward-compat=colour']);
  expect(err).toContain('--forward-compat: wrong value, expected all, none or any of fields, enums');
  expect(await status).toBe(2);
});

test('exec without a command is wrong usage', async () => {
  const { status, err } = await run(['exec']);
  expect([status, err]).toEqual([
    2,
    'wm-mock: exec: expected a command, as in wm-mock exec -- npm test. See wm-mock exec --help.\n',
  ]);
});

test('--help and --version say so on stdout', async () => {
  expect((await run(['--help'])).out).toContain('wm-mock check <seed>');
  expect((await run(['check', '--help'])).out).toContain('check a seed file');
  expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+/);
});
