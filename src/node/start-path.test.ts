// A start must not load lazy modules: V8's coverage of the built command line lists the files and modules that it loads.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeFileFolder } from '../test/temp-folder.ts';

const CLI = fileURLToPath(new URL('../../dist/node/cli.js', import.meta.url));
const KEY = 'wm_start_key';
const PROJECTS = [{ name: 'One', tasks: [{ title: 'First', due_date: '+2d' }] }];
const SEED = { workspaces: [{ id: 'ws_start', users: [{ id: 'user_start' }], api_keys: [{ value: KEY }], projects: PROJECTS }] };

const folder = makeFileFolder();

interface Coverage {
  readonly result: readonly { readonly url: string }[];
}

const loadedFiles = (coverage: string): readonly string[] => {
  const [report] = readdirSync(coverage);
  const { result } = JSON.parse(readFileSync(join(coverage, report!), 'utf8')) as Coverage;
  return result.filter(({ url }) => url.startsWith('file:')).map(({ url }) => fileURLToPath(url));
};

/** Every module that was loaded between the start and a stop: the bundle names each above its code. */
const modulesLoaded = async (name: string, seed: string | undefined, paths: readonly string[]): Promise<readonly string[]> => {
  const coverage = join(folder, name);
  const seedFile = join(folder, `${name}.seed`);
  if (seed !== undefined) writeFileSync(seedFile, seed);
  const mock = spawn(process.execPath, [CLI, ...(seed === undefined ? [] : ['--seed', seedFile]), '--port', '0', '--json'], {
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(mock, 'exit');
  try {
    const [line] = (await once(mock.stdout, 'data')) as [Buffer];
    const { base_url } = JSON.parse(String(line).split('\n')[0]!) as { base_url: string };
    for (const path of paths) {
      const response = await fetch(new URL(path, base_url), { headers: { authorization: `Bearer ${KEY}`, connection: 'close' } });
      expect([path, response.status]).toEqual([path, 200]);
      await response.arrayBuffer();
    }
  } finally {
    mock.kill('SIGTERM');
    await exited;
  }
  return loadedFiles(coverage).flatMap((file) => [
    file,
    ...(readFileSync(file, 'utf8').match(/^\/\/ (?:src|node_modules)\/\S+$/gm) ?? []),
  ]);
};

const LAZY = {
  ajv: /node_modules\/ajv\//,
  'the generated validators of responses': /responses\.generated/,
  YAML: /node_modules\/yaml\/|yaml-source/,
  faker: /node_modules\/@faker-js\//,
  'the generator of data': /src\/mock\/seed\/(generate|words)\./,
  'the dashboard': /src\/dashboard\//,
  'the page at /docs': /src\/service\/openapi\/docs-page/,
  'the OpenAPI document': /src\/service\/openapi\/openapi/,
  'the control API': /src\/mock\/control\/(operations|routes|call-by-row)\./,
  'the contract suite': /src\/node\/contract\.|dist\/contract-tests\//,
  'a package that is not bundled': /\/node_modules\//,
};
const listLazy = (modules: readonly string[]) =>
  Object.entries(LAZY)
    .filter(([, pattern]) => modules.some((module) => pattern.test(module)))
    .map(([name]) => name);
const BUNDLED = /^\/\/ node_modules\/(hono|@hono\/node-server)\//;
const own = (modules: readonly string[]) => modules.filter((module) => !BUNDLED.test(module));

const JSON_SEED = JSON.stringify(SEED);

test('a start on a JSON seed, and the requests of a client, touch no ajv, faker, YAML, pages, control API', async () => {
  const modules = own(await modulesLoaded('plain', JSON_SEED, ['v1/tasks?sort=due_date&status=todo', 'v1/users/me']));
  expect(modules.filter((module) => module.startsWith('// src/service/http/')).length).toBeGreaterThan(5);
  expect(listLazy(modules)).toEqual([]);
});

test('--version loads no chunk of the bundle', async () => {
  const coverage = join(folder, 'version');
  const env = { ...process.env, NODE_V8_COVERAGE: coverage };
  const version = spawn(process.execPath, [CLI, '--version'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  expect(await once(version, 'exit')).toEqual([0, null]);
  const files = loadedFiles(coverage);
  expect(files.map((file) => basename(file))).toEqual(['cli.js']);
});

test('a start on the built-in demo touches no YAML either: the build has read it', async () => {
  expect(listLazy(own(await modulesLoaded('demo', undefined, [])))).toEqual([]);
});

test.each<[string, string, readonly string[], readonly string[]]>([
  ['YAML for a YAML seed', `workspaces:\n  - ${JSON.stringify(SEED.workspaces[0])}\n`, [], ['YAML']],
  [
    'faker and the generator for generated data',
    JSON.stringify({ workspaces: [{ ...SEED.workspaces[0], generate: { users: 2 } }] }),
    [],
    ['faker', 'the generator of data'],
  ],
  [
    'pages and the control API',
    JSON_SEED,
    ['/openapi.json', '/docs', '/', '/_mock/clock'],
    ['the OpenAPI document', 'the page at /docs', 'the dashboard', 'the control API'],
  ],
])('a part that a start does not load is loaded on request: %s', async (name, seed, paths, expected) => {
  expect(listLazy(own(await modulesLoaded(name, seed, paths)))).toEqual(expect.arrayContaining(expected as string[]));
});
