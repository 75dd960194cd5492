// Flags and options of a mock, read from the command line and the environment.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keptIo } from '../test/command-line.ts';
import { makeTestFolder } from '../test/temp-folder.ts';
import { readArgs } from './command-line/args.ts';
import { buildEnvironment } from './command-line/environment.ts';
import { COMMANDS, type Flag } from './command-line/flags.ts';
import { readMockOptions, startMock } from './commands/serve.ts';
import { createMock } from './index.ts';

const of = (words: readonly string[], env: Record<string, string> = {}, cwd = process.cwd()) =>
  readMockOptions(readArgs(words, env), keptIo({ env, cwd }).io);
const PLAIN = { choices: {} };

test.each<[readonly string[], Record<string, string>, object]>([
  [[], {}, {}],
  [['--now', '2025-01-20T09:00:00Z'], {}, { now: '2025-01-20T09:00:00Z' }],
  [['--random-seed', '0'], {}, { randomSeed: 0 }],
  [['--random-seed=4294967295'], {}, { randomSeed: 4_294_967_295 }],
  [['--plan', 'unlimited'], {}, { plan: 'unlimited' }],
  [['--latency', '20'], {}, { latency: { min: 20, max: 20 } }],
  [['--latency', '20-20'], {}, { latency: { min: 20, max: 20 } }],
  [['--latency', '1-999999'], {}, { latency: { min: 1, max: 999_999 } }],
  [['--release', '1.2'], {}, { release: '1.2' }],
  [['--forward-compat'], {}, { forwardCompat: 'all' }],
  [['--forward-compat=order,fields'], {}, { forwardCompat: 'order,fields' }],
  [['--forward-compat=none'], {}, { forwardCompat: 'none' }],
  [['--strict-webhooks'], {}, { choices: { 'webhook-url': 'public-https' } }],
  [['--choice', 'webhook-url=loopback-too', '--strict-webhooks'], {}, { choices: { 'webhook-url': 'public-https' } }],
  [['--choice', 'patch-status=200', '--choice', 'patch-status=201'], {}, { choices: { 'patch-status': '201' } }],
  [
    ['--choice', 'patch-status=201', '--choice', 'wrong-method=405'],
    {},
    { choices: { 'patch-status': '201', 'wrong-method': '405' } },
  ],
  [['--deliver-public'], {}, { deliverPublic: true }],
  [['--control-token', '!~'], {}, { controlToken: '!~' }],
  [['--allow-host', 'a', '--allow-host', 'b'], {}, { allowHosts: ['a', 'b'] }],
  [['--world-idle', '0'], {}, { worldIdleMs: 0 }],
  [['--world-idle', '1000000'], {}, { worldIdleMs: 60_000_000_000 }],
  [[], { WM_MOCK_PLAN: 'free', WM_MOCK_LATENCY: '5', WM_MOCK_NOW: '' }, { plan: 'free', latency: { min: 5, max: 5 } }],
  [['--plan', 'pro'], { WM_MOCK_PLAN: 'gold' }, { plan: 'pro' }],
  [[], { WM_MOCK_CHOICE: 'patch-status=201,wrong-method=405' }, { choices: { 'patch-status': '201', 'wrong-method': '405' } }],
  [[], { WM_MOCK_ALLOW_HOST: 'a,b' }, { allowHosts: ['a', 'b'] }],
  [[], { WM_MOCK_DELIVER_PUBLIC: '1', WM_MOCK_STRICT_WEBHOOKS: 'False' }, { deliverPublic: true }],
  [[], { WM_MOCK_DELIVER_PUBLIC: '0' }, { deliverPublic: false }],
  [[], { WM_MOCK_DELIVER_PUBLIC: 'no' }, { deliverPublic: false }],
  [[], { WM_MOCK_DELIVER_PUBLIC: '' }, {}],
  [[], { WM_MOCK_FORWARD_COMPAT: 'yes' }, { forwardCompat: true }],
  [[], { WM_MOCK_FORWARD_COMPAT: 'false' }, { forwardCompat: false }],
])('%j with %j', async (words, env, expected) => {
  expect(await of(words, env)).toEqual({ ...PLAIN, ...expected });
});

test('choices of a file come before those of --choice, with or without a heading, and an empty file has none', async () => {
  const folder = makeTestFolder();
  writeFileSync(join(folder, 'c.yaml'), 'patch-status: 202\nwrong-method: "405"\n');
  writeFileSync(join(folder, 'h.json'), '{ "choices": { "patch-status": 202 } }');
  writeFileSync(join(folder, 'e.yaml'), '# nothing\n');
  const choices = async (...words: string[]) => (await of(words, {}, folder)).choices;
  const fromFile = { 'patch-status': 202, 'wrong-method': '405' };
  expect(await choices('--choices', 'c.yaml')).toEqual(fromFile);
  expect(await choices('--choices', 'c.yaml', '--choice', 'patch-status=201')).toEqual({ ...fromFile, 'patch-status': '201' });
  expect(await choices('--choices', 'h.json')).toEqual({ 'patch-status': 202 });
  expect(await choices('--choices', 'e.yaml')).toEqual({});
});

test('a command has its own flags and variables, and what follows it', () => {
  expect(readArgs([], {})).toEqual({ command: 'serve', flags: {}, rest: [] });
  expect(
    readArgs(['exec', '-s', 'a', '--', 'npm', '--port', '--forward-compat'], { WM_MOCK_PORT: '7', WM_MOCK_JSON: '1' }),
  ).toEqual({ command: 'exec', flags: { seed: 'a', port: '7' }, rest: ['npm', '--port', '--forward-compat'] });
  expect(readArgs(['check', 'a.yaml'], { WM_MOCK_SEED: 'b', WM_MOCK_HELP: '1', WM_MOCK_VERSION: '1' })).toEqual({
    command: 'check',
    flags: {},
    rest: ['a.yaml'],
  });
  expect(readArgs(['init', '--force'], { WM_MOCK_SERVICE_WORKER: 'no' }).flags).toEqual({ force: true, 'service-worker': false });
});

test('each flag of the suite has its variable, and no other one', () => {
  const variables = Object.values(COMMANDS.contract.flags).map(({ variable }) => variable);
  const known = `BASE_URL API_KEY_ADMIN API_KEY_WRITE API_KEY_READ API_KEY_REVOKED API_KEY_OTHER_WORKSPACE CONTROL_URL
    WEBHOOK_RECEIVER_URL WEBHOOK_RECEIVER_PORT TASK_WITH_COMMENTS PROFILE ALLOW RELEASE MAX_RPM ONLY WALK STEPS SEED RERUN_FAILED
    BASELINE WRITE_BASELINE BAIL KEEP THOROUGH HEADERS TIMEOUT REQUIRE_COMPLETE REPORT_DIR`;
  expect(variables).toEqual(known.split(/\s+/).map((name) => `WM_${name}`));
  const env = Object.fromEntries(variables.map((name) => [name, `of ${name}`]));
  const { flags } = readArgs(['contract'], { ...env, WM_MOCK_PROFILE: 'core' });
  const read = ({ type, multiple, variable }: Flag) => type === 'boolean' || (multiple ? [`of ${variable}`] : `of ${variable}`);
  expect(Object.entries(flags)).toEqual(Object.entries(COMMANDS.contract.flags).map(([name, flag]) => [name, read(flag)]));
});

test('a mock is started where flags say, with the seed that they name', async () => {
  const began = async (words: readonly string[], defaultPort = 0) => {
    const started = await startMock(readArgs(words, {}), keptIo({ cwd: 'fixtures' }).io, defaultPort);
    const { origin, port } = started.server;
    const response = await fetch(`${origin}/v1/tasks`, { headers: started.mock.auth('read') });
    await started.mock.close();
    return { name: started.seedName, origin: origin.replace(String(port), 'n'), status: response.status };
  };
  const there = { origin: 'http://127.0.0.1:n', status: 200 };
  expect(await began([])).toEqual({ name: 'the built-in demo', ...there });
  expect(await began(['--seed', 'tiny.yaml'])).toEqual({ name: 'tiny.yaml', ...there });
  expect(await began(['--seed', 'tiny.yaml', '--host', 'localhost'])).toMatchObject({ origin: 'http://localhost:n' });
  expect(await began(['--seed', 'tiny.yaml', '--host', '0.0.0.0', '--port', '0'], 1)).toMatchObject(there);
});

test('events of the demo go to the inbox of its mock, where the port is known', async () => {
  const elsewhere = await startMock(readArgs([], {}), keptIo().io, 0);
  expect(elsewhere.mock.read.webhook('wh_hooks')?.url).toBe('http://127.0.0.1:9999/hooks');
  await elsewhere.mock.close();
  const { port } = elsewhere.server;
  const { mock } = await startMock(readArgs(['--port', String(port)], {}), keptIo().io, 0);
  expect(mock.read.webhook('wh_hooks')?.url).toBe(`http://127.0.0.1:${port}/_mock/inbox/hooks`);
  mock.create.task({ title: 'Heard' });
  await mock.webhooks.settled();
  const inbox = await (await fetch(`http://127.0.0.1:${port}/_mock/inbox/hooks/messages`)).json();
  expect(inbox.items).toMatchObject([{ body: { event: 'task.created' } }]);
  await mock.close();
});

test('an address that cannot be had is named with the reason', async () => {
  const began = startMock(readArgs(['--host', '203.0.113.1', '--port', '7'], {}), keptIo().io, 0);
  await expect(began).rejects.toThrow(
    /^cannot open port 7 on 203\.0\.113\.1: (this machine has no such address\. Give the host 127\.0\.0\.1,|ports below 1024 may need more rights\. Give) .+\.$/,
  );
});

describe('other programs', () => {
  const workspace = (id: string, keys: object[], talks = true) => ({
    id,
    users: [{ id: `user_${id}` }],
    api_keys: keys,
    projects: talks ? [{ tasks: [{ title: 'quiet' }, { id: `task_${id}`, title: 'x', comments: [{ body: 'y' }] }] }] : [],
  });
  const [admin, read, revoked] = [
    { value: 'admin', scope: 'admin' },
    { value: 'read', scope: 'read' },
    { value: 'revoked', scope: 'admin', revoked: true },
  ];
  const TINY = { WM_API_KEY_ADMIN: 'wm_tiny_admin', WM_API_KEY_WRITE: 'wm_tiny_write', WM_API_KEY_READ: 'wm_tiny_read' };
  const OF_TWO = { WM_API_KEY_READ: 'read', WM_API_KEY_REVOKED: 'revoked', WM_API_KEY_OTHER_WORKSPACE: 'admin' };
  test.each<[string, string | object[], Record<string, string>]>([
    ['a seed', 'fixtures/tiny.yaml', { ...TINY, WM_TASK_WITH_COMMENTS: 'task_talked' }],
    ['two', [workspace('a', [read, revoked]), workspace('b', [admin])], { ...OF_TWO, WM_TASK_WITH_COMMENTS: 'task_a' }],
    [
      'comments in the second alone',
      [workspace('a', [admin], false), workspace('b', [read])],
      { WM_API_KEY_ADMIN: 'admin', WM_API_KEY_OTHER_WORKSPACE: 'read' },
    ],
    ['a revoked key alone', [workspace('a', [revoked], false)], { WM_API_KEY_REVOKED: 'revoked' }],
  ])('are told the address and keys of the first workspace, and what there is of others: %s', async (_, seed, told) => {
    const mock = await createMock({ seed: typeof seed === 'string' ? seed : { workspaces: seed }, controlToken: 'sesame' });
    const server = { baseUrl: 'http://x/v1', origin: 'http://x', port: 1, close: async () => {} };
    const own = { WM_BASE_URL: 'http://x/v1', WM_CONTROL_URL: 'http://x/_mock', WM_MOCK_CONTROL_TOKEN: 'sesame' };
    expect(buildEnvironment(mock, server)).toEqual({ ...own, ...told });
  });
});
