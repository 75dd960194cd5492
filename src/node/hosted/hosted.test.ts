// `init --hosted`, `dev --hosted` and `deploy`, with a small engine in the place of workerd and of wrangler.
import { EventEmitter } from 'node:events';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { routeRequest } from '../../hosted/worker.ts';
import { keptIo, run } from '../../test/command-line.ts';
import { FakeEngine } from '../../test/fake-engine.ts';
import { makeTestFolder } from '../../test/temp-folder.ts';
import { readArgs } from '../command-line/args.ts';
import { deploy, dev, type Engine, initHosted, type RunProgram } from './hosted.ts';
import { hostedFiles, listWorkerModules, PINNED_WORKERD, workerdConfig } from './hosted-files.ts';
import { findWorkerd, startWorkerd } from './workerd.ts';

const real = globalThis.fetch;
let cwd: string;
beforeEach(() => {
  cwd = makeTestFolder();
});
afterEach(() => {
  globalThis.fetch = real;
});

const init = (...words: string[]) => {
  const { io, said } = keptIo({ cwd });
  return initHosted(readArgs(['init', '--hosted', ...words], {}), io).then((status) => ({ status, ...said }));
};

describe('init --hosted', () => {
  test('writes a worker, its configuration, a seed and what explains them; never over what is there, unless forced', async () => {
    expect(await init('mine')).toEqual({
      status: 0,
      out: 'wrote mine/worker.js, mine/wrangler.jsonc, mine/fleet.sh, mine/README.md, mine/.gitignore, mine/seed.yaml. Try it here: npx wm-mock dev --hosted mine\n',
      err: '',
    });
    const text = (name: string) => readFile(join(cwd, 'mine', name), 'utf8');
    expect(await text('worker.js')).toBe("export * from 'wm-mock/hosted';\nexport { default } from 'wm-mock/hosted';\n");
    expect(JSON.parse(await text('wrangler.jsonc'))).toEqual({
      name: 'wm-mock',
      main: 'worker.js',
      compatibility_date: '2026-07-01',
      durable_objects: {
        bindings: [
          { name: 'WORLDS', class_name: 'WorldObject' },
          { name: 'ORIGINS', class_name: 'OriginObject' },
          { name: 'DIRECTORY', class_name: 'DirectoryObject' },
        ],
      },
      migrations: [{ tag: 'v1', new_sqlite_classes: ['WorldObject', 'OriginObject', 'DirectoryObject'] }],
      vars: { WM_OPTIONS: '{"receivers":[],"worldIdleMs":604800000}' },
    });
    expect(await text('.gitignore')).toBe('state/\nowner-token\ndev.lock\nworkerd.capnp*\n.wrangler/\n');
    for (const word of [
      'npx wm-mock dev --hosted .',
      'npx wm-mock deploy .',
      'WM_OWNER_TOKEN',
      '/_hosted/tenants',
      `npm install -E workerd@${PINNED_WORKERD}\nsh fleet.sh\n`,
    ])
      expect(await text('README.md')).toContain(word);
    const fleet = await text('fleet.sh');
    expect(fleet).toMatch(/^#!\/bin\/sh\n# One machine of a fleet\./);
    expect(fleet.match(/(?<=\$\{)\w+(?=:\?)/g)).toEqual(['WM_OWNER_TOKEN', 'WM_CLUSTER_KEY', 'WM_CLUSTER_ADDRESS', 'WM_BUCKET']);
    expect(fleet).toMatch(/&& exec npx wm-mock deploy --bucket "\$WM_BUCKET" --host 0\.0\.0\.0 \.\n$/);
    expect(await text('seed.yaml')).toBe(await readFile('fixtures/starter.yaml', 'utf8'));
    await rm(join(cwd, 'mine/worker.js'));
    await expect(init('mine')).rejects.toThrow(
      `${join(cwd, 'mine/wrangler.jsonc')} exists already. Name another folder, or pass --force.`,
    );
    expect((await init('mine', '--force')).status).toBe(0);
    expect((await init()).out).toContain('wrote hosted/worker.js');
    expect((await init('.')).out).toMatch(/^wrote worker\.js, .* Try it here: npx wm-mock dev --hosted \.\n$/);
    expect(await run(['init', '--hosted', 'other'], { cwd })).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^wrote other\/worker\.js/),
    });
  });
});

describe('deploy', () => {
  const TOKEN = 'x'.repeat(24);
  const deployed = async (env: Record<string, string>, statuses = [0, 0], words: string[] = [], version = PINNED_WORKERD) => {
    const { io } = keptIo({ cwd, env });
    const ran: unknown[] = [];
    const start: RunProgram = async (command, given, options) => {
      ran.push([command, ...given, options]);
      return statuses.shift()!;
    };
    const parts = { find: () => ({ default: '/bin/workerd', version }), modules: async () => ['hosted/index.js'] };
    return { status: await deploy(readArgs(['deploy', ...words], {}), io, start, parts), ran };
  };

  test('checks folder, token and seed, then has wrangler deploy it and keep the token', async () => {
    await init();
    const folder = join(cwd, 'hosted');
    const put = ['npx', 'wrangler', 'secret', 'put', 'WM_OWNER_TOKEN', { cwd: folder, input: TOKEN }];
    expect(await deployed({ WM_OWNER_TOKEN: TOKEN })).toEqual({
      status: 0,
      ran: [['npx', 'wrangler', 'deploy', { cwd: folder }], put],
    });
    expect(await deployed({ WM_OWNER_TOKEN: TOKEN }, [3])).toEqual({
      status: 3,
      ran: [['npx', 'wrangler', 'deploy', { cwd: folder }]],
    });
    expect((await deployed({ WM_OWNER_TOKEN: TOKEN }, [0, 7])).status).toBe(7);
    await rm(join(folder, 'seed.yaml'));
    expect((await deployed({ WM_OWNER_TOKEN: TOKEN })).status).toBe(0);
  });

  test('runs nothing when something is wrong, and says what to do', async () => {
    await expect(deployed({ WM_OWNER_TOKEN: TOKEN }, [], ['mine'])).rejects.toThrow(
      `deploy: ${join(cwd, 'mine')} holds no wrangler.jsonc. Write it: wm-mock init --hosted mine. docs/hosted.md says more.`,
    );
    await init();
    for (const token of ['', 'x'.repeat(23), `${'x'.repeat(12)} ${'x'.repeat(12)}`])
      await expect(deployed({ WM_OWNER_TOKEN: token })).rejects.toThrow(
        'deploy: WM_OWNER_TOKEN must have at least 24 characters and no blank: it creates tenants, and every other token derives from it. Set it: export WM_OWNER_TOKEN=$(openssl rand -hex 24). docs/hosted.md says more.',
      );
    await writeFile(join(cwd, 'hosted/seed.yaml'), 'workspaces: 5');
    for (const words of [[], ['--bucket', 's3://b']])
      await expect(deployed({ WM_OWNER_TOKEN: TOKEN }, [], words)).rejects.toThrow('workspaces');
  });

  const FLEET = { WM_OWNER_TOKEN: TOKEN, WM_CLUSTER_KEY: 'k'.repeat(32), WM_CLUSTER_ADDRESS: '10.0.0.1:4701' };

  test('--bucket serves as one machine of a fleet, with what its environment says', async () => {
    await init();
    const folder = join(cwd, 'hosted');
    const { status, ran } = await deployed(FLEET, [4], ['--bucket', 's3://b/"p"']);
    const config = join(folder, 'workerd.capnp');
    expect([status, ran]).toEqual([
      4,
      [['/bin/workerd', 'serve', '--experimental', config, { cwd: folder, stop: expect.any(AbortSignal) }]],
    ]);
    const text = await readFile(config, 'utf8');
    expect(text).toContain('address = "127.0.0.1:4700", http = (), service = "main")],\n');
    expect(text).toContain(
      `\n  cluster = (bucket = "s3://b/\\"p\\"",key = "${'k'.repeat(32)}",address = "10.0.0.1:4701"),\n);\n`,
    );
    expect(text).toMatch(/esModule = embed "[^"]*dist\/hosted\/index\.js"/);
    expect([(await stat(config)).mode & 0o077, (await stat(join(folder, 'state'))).isDirectory()]).toEqual([0, true]);
    await deployed(FLEET, [0], ['--bucket', 's3://b', '--host', '::', '--port', '80']);
    expect(await readFile(config, 'utf8')).toContain('address = "[::]:80"');
  });

  test('--bucket runs the workerd that is pinned and no other, and asks for a key and an address', async () => {
    await init();
    const bucket = ['--bucket', 's3://b'];
    await expect(deployed(FLEET, [], bucket, '1.20261118.1')).rejects.toThrow(
      `workerd 1.20261118.1 is installed, but fleets are tested only with ${PINNED_WORKERD}: the protocol between machines changes with versions. Install it: npm install -E workerd@${PINNED_WORKERD}. docs/hosted.md says more.`,
    );
    for (const wrong of [{ WM_CLUSTER_KEY: '' }, { WM_CLUSTER_ADDRESS: '' }, { WM_CLUSTER_KEY: 'k'.repeat(31) }])
      await expect(deployed({ ...FLEET, ...wrong }, [], bucket)).rejects.toThrow(
        'deploy: with --bucket, WM_CLUSTER_KEY must have at least 32 characters and WM_CLUSTER_ADDRESS must say where the other machines reach this one. Set both as fleet.sh says. docs/hosted.md says more.',
      );
    await expect(deployed(FLEET, [], [...bucket, '--port', 'x'])).rejects.toThrow('--port: expected');
    const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(devDependencies.workerd).toBe(PINNED_WORKERD);
  });
});

interface Shown {
  readonly mode: string;
  readonly workspaces: readonly [{ readonly name: string; readonly projects: readonly { readonly tasks?: readonly object[] }[] }];
}

describe('dev --hosted', () => {
  /** A small engine in the place of workerd, which records its calls. */
  const engine = () => {
    let fake: FakeEngine;
    const calls: unknown[] = [];
    let end = () => {};
    const start: Engine['start'] = async (binary, folder, { host, port, env }) => {
      calls.push([binary, folder.slice(cwd.length), host, port, env.WM_OPTIONS]);
      fake ??= new FakeEngine(env);
      globalThis.fetch = (async (url: string, init?: RequestInit) =>
        routeRequest(new Request(url, init), fake.env)) as typeof fetch;
      const ended = new Promise<void>((done) => {
        end = done;
      });
      return {
        origin: 'http://127.0.0.1:4701',
        ended,
        child: {
          kill: (signal: string) => {
            calls.push(signal);
            end();
            return true;
          },
        } as never,
      };
    };
    return { calls, over: () => end(), engine: { find: () => ({ default: 'workerd', version: 'any' }), start } };
  };
  const serve = (given: Engine, words: string[] = [], env: Record<string, string> = {}) => {
    const { io, said, until, stop } = keptIo({ cwd, env });
    return { said, until, stop, status: dev(readArgs(['dev', '--hosted', ...words], {}), io, given) };
  };
  /** Serves until it is ready, then stops. */
  const served = async (given: Engine, words: string[] = [], env: Record<string, string> = {}) => {
    const { until, stop, status, said } = serve(given, words, env);
    await until(words.includes('--json') ? '"ready"' : 'Ctrl+C');
    stop();
    expect(await status).toBe(0);
    return said;
  };
  const OPTIONS = '{"receivers":["localhost"]}';

  test('serves a tenant of the demo, says where it is and by which tokens, and continues with it', async () => {
    const { calls, engine: given } = engine();
    const first = await served(given);
    expect(calls).toEqual([['workerd', '/.wm-mock-hosted', '127.0.0.1', 4700, OPTIONS], 'SIGTERM']);
    const owner = await readFile(join(cwd, '.wm-mock-hosted/owner-token'), 'utf8');
    expect(owner).toMatch(/^[0-9a-f]{48}$/);
    expect((await stat(join(cwd, '.wm-mock-hosted/owner-token'))).mode & 0o077).toBe(0);
    const lines = first.out.split('\n');
    const token = /token ([0-9a-f]{40})$/.exec(lines[3]!)![1];
    expect(lines.slice(0, 6)).toEqual([
      '',
      '  API    http://127.0.0.1:4701/worlds/main/v1',
      `  Dash   http://127.0.0.1:4701/worlds/main/?token=${token}`,
      `  Ctrl   http://127.0.0.1:4701/worlds/main/_mock   token ${token}`,
      `  Owner  http://127.0.0.1:4701/_hosted/tenants   token ${owner}`,
      '  Key    admin  wm_acme_admin',
    ]);
    expect(first.out).toContain('\n\n  Ctrl+C stops it; .wm-mock-hosted keeps all acknowledged changes.\n');
    // As an editor leaves it.
    await writeFile(join(cwd, '.wm-mock-hosted/owner-token'), `${owner}\n`);
    const again = await served(given, ['--json', '--port', '0', '--host', '::1']);
    expect(JSON.parse(again.out)).toMatchObject({
      event: 'ready',
      base_url: 'http://127.0.0.1:4701/worlds/main/v1',
      control_url: 'http://127.0.0.1:4701/worlds/main/_mock',
      control_token: token,
      owner_token: owner,
      keys: expect.arrayContaining([expect.objectContaining({ scope: 'read', value: 'wm_acme_read' })]),
    });
    expect(calls[2]).toEqual(['workerd', '/.wm-mock-hosted', '::1', 0, OPTIONS]);
  });

  test('refuses a folder that is being served, and leaves it free when it ends', async () => {
    const { engine: given, calls } = engine();
    const first = serve(given);
    await first.until('Ctrl+C');
    await expect(serve(given, ['--port', '0']).status).rejects.toThrow(
      /^dev --hosted: .*\.wm-mock-hosted is already served by process \d+: two at once would lose acknowledged changes\./,
    );
    expect(calls).toHaveLength(1);
    first.stop();
    await first.status;
    expect(await readdir(join(cwd, '.wm-mock-hosted'))).toEqual(['owner-token']);
  });

  test('demo is the built-in seed, and a folder that has its state says what it did not look at', async () => {
    await init('mine');
    const { engine: given } = engine();
    const started = (...words: string[]) => served(given, ['mine', ...words]);
    const first = await started('--seed', 'demo', '--now', '2025-01-20');
    expect([first.out.includes('wm_acme_admin'), first.err]).toEqual([true, '']);
    const says = (names: string) =>
      `dev --hosted: ${names} had no effect: ${join(cwd, 'mine')} continues with the state that it has. To start afresh, name another folder, or delete ${join(cwd, 'mine/state')}. docs/hosted.md says more.\n`;
    expect((await started('--seed', 'demo', '--now', '2025-01-20')).err).toBe(says('--seed and --now'));
    expect((await started('--now', '2025-01-20')).err).toBe(says('--now'));
    expect((await started()).err).toBe('');
  });

  test('takes the options of its environment, as deployed', async () => {
    const { engine: given, calls } = engine();
    const options = '{"receivers":["hooks.example.com"],"worldIdleMs":1000}';
    for (const WM_OPTIONS of [options, '']) await served(given, [], { WM_OPTIONS });
    expect(calls.filter(Array.isArray).map((words) => words.at(-1))).toEqual([options, OPTIONS]);
  });

  test('begins with the seed that is named, or that of its folder, generated records and all', async () => {
    const seed = (name: string) =>
      `workspaces:
  - id: ws_a
    name: ${name}
    api_keys: [{ id: key_a, value: wm_a, scope: admin, user_id: user_a }]
    users: [{ id: user_a, name: Ann }]
    generate: { projects: 1, tasks_per_project: 3 }
`;
    await init('mine');
    await writeFile(join(cwd, 'mine/seed.yaml'), seed('Own'));
    await writeFile(join(cwd, 'named.yaml'), seed('Named'));
    for (const [words, name] of [
      [['mine'], 'Own'],
      [['mine', '--seed', 'named.yaml', '--now', '2025-01-20'], 'Named'],
    ] as const) {
      const { engine: given } = engine();
      const { out } = await served(given, ['--json', ...words], { WM_OWNER_TOKEN: 'y'.repeat(30) });
      const { control_url, control_token, owner_token } = JSON.parse(out);
      const headers = { authorization: `Bearer ${control_token}` };
      const getControl = async (path: string): Promise<Shown> => (await fetch(control_url + path, { headers })).json();
      const state = await getControl('/state');
      const [{ name: shown, projects }] = state.workspaces;
      expect([shown, projects.flatMap(({ tasks = [] }) => tasks).length]).toEqual([name, 3]);
      expect([owner_token, (await getControl('/clock')).mode]).toEqual(['y'.repeat(30), name === 'Named' ? 'frozen' : 'running']);
    }
    expect(await readdir(join(cwd, 'mine'))).not.toContain('owner-token');
  });

  test('ends with what went wrong', async () => {
    const { engine: given, over } = engine();
    const ended = serve(given);
    await ended.until('Ctrl+C');
    over();
    await expect(ended.status).rejects.toThrow(
      'dev --hosted: workerd has exited. Start it again: acknowledged changes are kept.',
    );
    await expect(serve(given, ['--port', '70000']).status).rejects.toThrow(
      '--port: expected a number from 0 to 65535, got "70000".',
    );
    await expect(serve(given, ['--port=-1']).status).rejects.toThrow('got "-1"');
    const short = engine();
    await expect(serve(short.engine, [], { WM_OWNER_TOKEN: 'short' }).status).rejects.toThrow(
      'dev --hosted: This service has no owner',
    );
    expect(short.calls.at(-1)).toBe('SIGTERM');
    const before = keptIo({ cwd });
    before.stop();
    expect(await dev(readArgs(['dev', '--hosted'], {}), before.io, given)).toBe(0);
    const { status, err } = await run(['dev'], { cwd });
    expect([status, (await run(['deploy', 'none'], { cwd })).status]).toEqual([2, 1]);
    expect(err).toContain('wm-mock: dev: expected --hosted. wm-mock serve starts a mock in one process. See wm-mock dev --help.');
  });
});

describe('workerd', () => {
  test('is that of the project, or the one beside this package; without one it is asked for', () => {
    expect(findWorkerd(process.cwd())).toMatchObject({
      default: expect.stringMatching(/workerd(\.exe)?$/),
      version: PINNED_WORKERD,
    });
    expect(findWorkerd(cwd)).toBe(findWorkerd(process.cwd()));
    expect(() => findWorkerd(cwd, join(cwd, 'none.js'))).toThrow(
      `workerd is not installed: hosted worlds run on it. Install it: npm install -E workerd@${PINNED_WORKERD}. docs/hosted.md says more.`,
    );
  });

  test('is given each module that the worker reaches, once, however it is imported', async () => {
    const files: Record<string, string> = {
      'hosted/index.js': 'import { a } from "../chunks/a.js";\nimport { D } from "cloudflare:workers";',
      'chunks/a.js': 'import "./b.js";const c=async()=>(await import(`./c.js`)).c;export { d } from \'./d.js\';',
      'chunks/b.js': 'import { a } from "./a.js";',
      'chunks/c.js': '',
      'chunks/d.js': 'await import ( "./b.js" )',
    };
    expect(await listWorkerModules(async (path) => files[path]!)).toEqual(
      'hosted/index.js chunks/a.js chunks/b.js chunks/c.js chunks/d.js'.split(' '),
    );
    const config = workerdConfig(['hosted/index.js'], '/tmp/x', '127.0.0.1:5');
    for (const line of [
      '(name = "state", disk = (path = "/tmp/x/state", writable = true)),',
      'address = "127.0.0.1:5"',
      'compatibilityDate = "2026-07-01"',
      '(name = "WORLDS", durableObjectNamespace = "WorldObject"),',
      '(name = "WM_OWNER_TOKEN", fromEnvironment = "WM_OWNER_TOKEN"),',
      '(name = "WM_OPTIONS", fromEnvironment = "WM_OPTIONS"),',
      '(className = "DirectoryObject", uniqueKey = "wm-DirectoryObject", enableSql = true),',
      'durableObjectStorage = (localDisk = "state"),',
    ])
      expect(config).toContain(line);
    expect(config).toMatch(/\(name = "hosted\/index\.js", esModule = embed "\.\.\/.*hosted\/index\.js"\),/);
    expect(Object.keys(hostedFiles())).toHaveLength(5);
    expect(config).toMatch(/service = "main"\)\],\n\);\nconst worker/);
  });

  const child = () =>
    Object.assign(new EventEmitter(), {
      stderr: new EventEmitter(),
      killed: '',
      kill(signal: string) {
        this.killed = signal;
      },
    });
  const started = (made: ReturnType<typeof child>, given: object = {}, seen: unknown[] = []) => {
    const begin = (...words: unknown[]) => {
      seen.push(words);
      return made;
    };
    const options = { host: '::1', port: 4711, env: { WM_OPTIONS: 'x' }, ...given };
    return { serving: startWorkerd('/bin/workerd', cwd, options, begin as never, async () => ['hosted/index.js']) };
  };

  test('is waited for until it responds itself: another one may have its port', async () => {
    let attempts = 0;
    const seen: unknown[] = [];
    const own = () => (seen[0] as [string, string[], { env: { WM_START: string } }])[2].env.WM_START;
    globalThis.fetch = (async (url: string) => {
      attempts += 1;
      expect(url).toBe('http://[::1]:4711/_hosted/health');
      if (attempts === 1) throw new Error('refused');
      if (attempts === 2) return new Response(null, { status: 503 });
      return Response.json({ status: 'ok', start: [undefined, 'of another', own()][attempts - 3] });
    }) as typeof fetch;
    const made = child();
    const { serving } = started(made, {}, seen);
    const { origin, ended } = await serving;
    expect([origin, attempts]).toEqual(['http://[::1]:4711', 5]);
    expect(seen[0]).toMatchObject([
      '/bin/workerd',
      ['serve', '--experimental', join(cwd, 'workerd.capnp')],
      { env: { WM_OPTIONS: 'x' } },
    ]);
    expect(await readFile(join(cwd, 'workerd.capnp'), 'utf8')).toContain('address = "[::1]:4711"');
    expect((await stat(join(cwd, 'state'))).isDirectory()).toBe(true);
    made.emit('exit', 0);
    await ended;
  });

  test('is ended when it does not come up, and its last words are shown', async () => {
    globalThis.fetch = (async () => {
      throw new Error('refused');
    }) as typeof fetch;
    for (const [says, event] of [
      ['Address already in use', 'exit'],
      ['it says nothing', 'error'],
    ] as const) {
      const made = child();
      const { serving } = started(made, { host: '127.0.0.1', port: 0 });
      serving.catch(() => {});
      await expect.poll(() => made.listenerCount(event)).toBe(1);
      if (event === 'exit') made.stderr.emit('data', `${'x'.repeat(3000)}${says}\n`);
      made.emit(event, new Error('gone'));
      await expect(serving).rejects.toThrow(
        new RegExp(
          `^dev --hosted: workerd does not serve at http://127\\.0\\.0\\.1:[1-9]\\d+: x{0,2000}${says}\\. Choose another --port\\. docs/hosted\\.md says more\\.$`,
        ),
      );
      expect(made.killed).toBe('SIGKILL');
    }
  });
});
