// Projects of others, one row each: the packed tarball in an empty folder, with the bundlers, test runners, runtimes and compilers that
// docs/compatibility.md names. Of them .ci/run tries esbuild and webpack: all together install a gigabyte.
//
//   node .ci/projects.mjs             every project, and whether the page names them all
//   node .ci/projects.mjs jest vite   those whose names begin so
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { browsersFor } from '../scripts/browser.mjs';
import { inFolder, install, pack, sh } from './packed.mjs';
import { ROOT } from './tools.mjs';

/** A mock with a socket, asked: prints `asked: Ada`. */
const ASK = `
  const mock = await createMock({ seed: 'demo' });
  const server = await mock.listen();
  const response = await fetch(server.baseUrl + '/users/me', { headers: mock.auth('read') });
  const { data } = await response.json();
  const page = await fetch(server.origin + '/');
  await page.text();
  await mock.close();
  if (typeof handlers !== 'function' || page.status !== 200 || !data.id.startsWith('user_')) throw new Error('no answer');
  console.log('asked');`;
const SERVER = `import { createMock } from 'wm-mock';\nimport { handlers } from 'wm-mock/msw';\n${ASK}\n`;
/** A mock in a page, without sockets. */
const PAGE = `import { createMock } from 'wm-mock';
createMock({ seed: 'demo' })
  .then(async (mock) => (await mock.fetch('/projects', { headers: mock.auth('read') })).json())
  .then(({ items }) => console.log(items.length > 0 ? 'shown' : 'nothing'));
`;
const BOTH = { 'server.mjs': SERVER, 'page.mjs': PAGE };
/** What was bundled for a page knows no Node. */
const RUN_BOTH =
  'node out/server.mjs && node out/page.mjs && ! grep -lE "(from|require\\() ?[\'\\"](node:|fs|path)" -r out --include=\'page*\'';

const CHECKED = ({ imports, open, close }) => `${imports}
${open}
  const mock = await createMock({ now: '2025-01-20T09:00:00Z' });
  const server = await mock.listen();
  const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
  const response = await mock.fetch(server.baseUrl + '/projects', { method: 'POST', headers, body: '{"name":"Site"}' });
  const { data } = await response.json();
  const [request] = mock.requests;
  await mock.close();
  check([response.status, data.name, request.operation], [201, 'Site', 'createProject']);
${close}
`;
const JEST = (imports, more = "\n  expect(mock).toHaveReceived('createProject', 1);") => {
  const open = "const check = (a, b) => expect(a).toEqual(b);\ntest('a project', async () => {";
  return CHECKED({ imports, open, close: `${more}\n});` });
};
const IMPORTED = "import { createMock } from 'wm-mock';";
const REQUIRED = "const { createMock } = require('wm-mock');\nrequire('wm-mock/jest');";
const JEST_ESM = JEST(`${IMPORTED}\nimport 'wm-mock/jest';`);
const JEST_CJS = JEST(REQUIRED);
const BABEL = { '.babelrc': '{"presets":[["@babel/preset-env",{"targets":{"node":"current"}}]]}' };
/** Written over the one that `install` makes, which says `module`. */
const COMMONJS = { 'package.json': '{"private":true}' };
const jest = '30.5.2';

const VITEST = `import { expect, extendTest } from 'wm-mock/vitest';
const test = extendTest({ seed: 'demo' });
test('a project is created', async ({ mock, baseUrl }) => {
  const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
  await fetch(baseUrl + '/projects', { method: 'POST', headers, body: '{"name":"Site"}' });
  expect(mock).toHaveReceived({ operation: 'createProject', body: { name: 'Site' } });
  expect(mock).not.toHaveReceived('deleteTask');
});
test('a key of the seed does not reach a world that tests share', async ({ mock, sharedUrl }) => {
  const at = (headers: Record<string, string>) => fetch(sharedUrl + '/users/me', { headers }).then(({ status }) => status);
  expect([await at({ authorization: 'Bearer wm_acme_read' }), await at(mock.auth('read'))]).toEqual([401, 200]);
});
`;
const vitest = (version) => ({
  needs: [`vitest@${version}`, 'typescript@5.9.3', '@types/node@24.10.1'],
  files: { 'a.test.ts': VITEST },
  run: 'npx vitest run && npx tsc --noEmit --strict --target es2022 --module nodenext --skipLibCheck false a.test.ts',
  prints: '2 passed',
});
const browserMode = (version) => ({
  needs: [`vitest@${version}`, `@vitest/browser-playwright@${version}`, 'playwright@1.65.1', 'playwright-core'],
  browser: true,
  files: {
    'vitest.config.js': `import { playwright } from '@vitest/browser-playwright';
const provider = playwright({ launchOptions: { args: ['--no-sandbox'] } });
export default { test: { browser: { enabled: true, headless: true, provider, instances: [{ browser: 'chromium' }] } } };
`,
    'a.test.js': `import { expect, extendTest } from 'wm-mock/vitest';
extendTest({ seed: 'demo' })('in a page', async ({ mock }) => {
  expect(location.protocol).toBe('http:');
  await mock.fetch('/projects', { headers: mock.auth('read') });
  expect(mock).toHaveReceived('listProjects', 1);
  if (import.meta.env.VITE_FAULT) expect(mock).not.toHaveReceived('listProjects');
});
`,
  },
  run: 'npx vitest run && ! VITE_FAULT=1 npx vitest run > out.txt 2>&1 && npx wm-mock replay test-results/a.test.js-in-a-page.wm.json && ls test-results/*.html',
  prints: '1 passed',
});

const msw = (version, ...more) => ({
  needs: [`msw@${version}`, ...more],
  files: {
    'a.test.mjs': `import assert from 'node:assert/strict';
import test from 'node:test';
import { setupServer } from 'msw/node';
import { createMock } from 'wm-mock';
import { handlers } from 'wm-mock/msw';
test('asked by fetch', async () => {
  const mock = await createMock({ seed: 'demo' });
  const server = setupServer(...handlers(mock, { baseUrl: 'https://api.example.com/v1' }));
  server.listen();
  const response = await fetch('https://api.example.com/v1/projects', { headers: mock.auth('read') });
  assert.deepEqual([response.status, mock.requests.length], [200, 1]);
  server.close();
});
`,
  },
  run: 'node --test a.test.mjs',
  prints: 'pass 1',
});
const playwright = (version) => ({
  needs: [`@playwright/test@${version}`, `playwright-core@${version}`],
  browser: true,
  files: {
    'a.spec.js': `import { expect, test } from 'wm-mock/playwright';
test.use({ mockOptions: { apiUrl: 'https://api.example.com/v1' } });
test('an app is served by its world', async ({ mock, page }) => {
  mock.faults.add({ match: { operation: 'listProjects' }, effect: { status: 500 } });
  await page.setContent("<p>Loading</p><script>fetch('https://api.example.com/v1/projects', { headers: { authorization: 'Bearer wm_read' } }).then((r) => { document.querySelector('p').textContent = r.status; })</script>");
  await expect(page.getByText('500')).toBeVisible();
  await expect(mock).toHaveReceived('listProjects', 1);
});
`,
  },
  run: 'npx playwright test',
  prints: '1 passed',
});

const TYPED = `import { createMock, type EventName, type Mock, type Task, type TaskDraft } from 'wm-mock';
import { handlers } from 'wm-mock/msw';
export const status: Task['status'] = 'todo';
export const event: EventName = 'task.created';
// @ts-expect-error there is no such status
export const wrong: TaskDraft['status'] = 'nope';
export const mock = createMock({ seed: 'demo' }).then((made: Mock) => handlers(made, { baseUrl: 'http://127.0.0.1/v1' }));
`;
const tsc = (more) => `npx tsc --noEmit --strict --target es2022 --skipLibCheck false ${more}`;
const BUNDLER = tsc('--module esnext --moduleResolution bundler --lib es2023,dom --types "" a.ts').replace('--types ""', '');
const typescript = (version, ...runs) => ({
  needs: [`typescript@${version}`, 'msw'],
  files: { ...COMMONJS, 'a.ts': TYPED, 'b.mts': TYPED },
  run: runs.join(' && '),
});
const NODE16 = tsc('--module node16 --moduleResolution node16 --lib es2023,dom a.ts b.mts');

/** needs: packages; files: by name; run: a shell script; prints: what it has to print; browser: it is to find a Chromium. */
const PROJECTS = {
  webpack: {
    needs: ['webpack@5.112.2', 'msw'],
    files: {
      ...BOTH,
      'build.mjs': `import webpack from 'webpack';
const output = (filename) => ({ module: true, path: process.cwd() + '/out', filename, chunkFilename: filename.replace('.', '-[id].') });
const build = { mode: 'production', experiments: { outputModule: true } };
webpack([
  { ...build, target: 'node', entry: './server.mjs', output: output('server.mjs') },
  { ...build, target: ['web', 'es2022'], entry: './page.mjs', output: { ...output('page.mjs'), chunkLoading: 'import' } },
], (error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString({ all: false, errors: true }));
});
`,
    },
    run: `node build.mjs && ${RUN_BOTH}`,
    prints: 'asked\nshown',
  },
  ...Object.fromEntries(
    ['turbopack', 'webpack'].map((bundler) => [
      `next-${bundler}`,
      {
        needs: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1', 'msw'],
        files: {
          ...COMMONJS,
          'app/layout.js':
            'export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }',
          'app/page.js': `export const dynamic = 'force-dynamic';
export default async function Page() {
  const response = await fetch(process.env.API + '/users/me', { headers: { authorization: 'Bearer ' + process.env.KEY } });
  return <p>asked {(await response.json()).data.id}</p>;
}
`,
          'instrumentation.js': `export const register = async () => {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { createMock } = await import('wm-mock');
  await import('wm-mock/msw');
  const mock = await createMock({ seed: 'demo' });
  process.env.API = (await mock.listen()).baseUrl;
  process.env.KEY = mock.keys[0].value;
};
`,
          'ask.mjs': `import { spawn } from 'node:child_process';
const next = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'start', '-p', '0', '-H', '127.0.0.1']);
let said = '';
next.stderr.pipe(process.stderr);
for await (const bytes of next.stdout) {
  const [url] = /http:\\/\\/127\\.0\\.0\\.1:[1-9]\\d*/.exec((said += bytes)) ?? [];
  if (!url) continue;
  console.log((await (await fetch(url)).text()).includes('user_') ? 'rendered' : 'nothing');
  next.kill();
  break;
}
`,
        },
        run: `npx next build --${bundler} && node ask.mjs`,
        prints: 'rendered',
      },
    ]),
  ),
  vite: {
    needs: ['vite@8.3.8', 'msw'],
    files: {
      ...BOTH,
      'build.mjs': `import { build } from 'vite';
const output = { entryFileNames: '[name].mjs', chunkFileNames: 'page-[name].mjs' };
const common = { logLevel: 'warn', configFile: false };
await build({ ...common, build: { ssr: 'server.mjs', outDir: 'out', rolldownOptions: { output: { entryFileNames: '[name].mjs' } } }, ssr: { noExternal: true } });
await build({ ...common, build: { outDir: 'out', emptyOutDir: false, modulePreload: false, rolldownOptions: { input: 'page.mjs', output } } });
`,
    },
    run: `node build.mjs && ${RUN_BOTH}`,
    prints: 'asked\nshown',
  },
  rollup: {
    needs: [
      'rollup@4.68.7',
      '@rollup/plugin-node-resolve@16.0.3',
      '@rollup/plugin-commonjs@29.0.3',
      '@rollup/plugin-json@6.1.0',
      'msw',
    ],
    files: {
      ...BOTH,
      'build.mjs': `import { rollup } from 'rollup';
import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import resolve from '@rollup/plugin-node-resolve';
const output = { dir: 'out', format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: 'page-[name].mjs' };
for (const [input, options] of [['server.mjs', { exportConditions: ['node'] }], ['page.mjs', { browser: true }]])
  await (await rollup({ input, plugins: [resolve(options), commonjs(), json()] })).write({ ...output, chunkFileNames: input.slice(0, 4) + '-[name].mjs' });
`,
    },
    run: `node build.mjs && ${RUN_BOTH}`,
    prints: 'asked\nshown',
  },
  esbuild: {
    needs: ['esbuild@0.28.2', 'msw'],
    files: {
      ...BOTH,
      'build.mjs': `import { build } from 'esbuild';
const common = { bundle: true, format: 'esm', outdir: 'out', outExtension: { '.js': '.mjs' } };
const js = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
await build({ ...common, entryPoints: ['server.mjs'], platform: 'node', banner: { js } });
await build({ ...common, entryPoints: ['page.mjs'], platform: 'browser' });
`,
      'worker.js': `import { start } from 'wm-mock/service-worker';
import seed from './seed.json';
start({ seed });
`,
      'seed.json': '{"workspaces":[{"id":"ws_a","users":[{"id":"user_a"}],"api_keys":[{"user_id":"user_a"}]}]}',
      // A worker may load nothing later.
      'listens.mjs': `import { readFileSync } from 'node:fs';
const heard = [];
Object.assign(globalThis, { self: globalThis, registration: { scope: 'http://localhost/' }, location: new URL('http://localhost/worker.js') });
globalThis.addEventListener = (name) => heard.push(name);
await import('./one/worker.js');
if (!heard.includes('fetch') || /\\bimport\\(/.test(readFileSync('one/worker.js', 'utf8'))) throw new Error('no worker');
`,
    },
    run: `node build.mjs && ${RUN_BOTH} && npx esbuild worker.js --bundle --format=iife --outdir=one && node listens.mjs`,
    prints: 'asked\nshown',
  },
  'vitest-3': vitest('3.2.7'),
  'vitest-4': vitest('4.1.12'),
  'vitest-5': vitest('5.1.1'),
  'browser-mode-4': browserMode('4.1.12'),
  'browser-mode-5': browserMode('5.1.1'),
  'contract-vitest': {
    needs: ['vitest@4.1.12'],
    files: {
      'contract.test.js': `import { readFileSync } from 'node:fs';
import { createMock } from 'wm-mock';
import { contract, contractDocument } from 'wm-mock/contract';
contractDocument(JSON.parse(readFileSync('node_modules/wm-mock/openapi/openapi.json', 'utf8')));
contract(async () => {
  const mock = await createMock({ seed: 'demo', now: '2025-01-20T09:00:00Z' });
  if (process.env.FAULT) mock.faults.add({ match: { operation: 'getTeam' }, effect: { status: 404 } });
  const { baseUrl, origin } = await mock.listen();
  return { baseUrl, controlUrl: origin + '/_mock' };
});
`,
    },
    run: "npx vitest run && ! FAULT=1 npx vitest run > out.txt 2>&1 && grep -E 'FAIL.*WM-SCOPE-004' out.txt && grep -E 'curl .*teams' out.txt",
    prints: 'CONFORMANT',
  },
  // This one does not open without it.
  'msw-2.4': msw('2.4.0', 'graphql@16.11.0'),
  'msw-2.15': msw('2.15.0'),
  'playwright-1.50': playwright('1.50.0'),
  'playwright-1.65': playwright('1.65.1'),
  'jest-commonjs': {
    needs: [`jest@${jest}`],
    files: { ...COMMONJS, 'a.test.js': JEST_CJS },
    run: "npx jest --transform '{}'",
    prints: '1 passed',
  },
  'jest-esm': {
    needs: [`jest@${jest}`],
    files: { 'a.test.js': JEST_ESM },
    run: "NODE_OPTIONS=--experimental-vm-modules npx jest --transform '{}'",
    prints: '1 passed',
  },
  'jest-babel': {
    needs: [`jest@${jest}`, '@babel/core@7.28.5', '@babel/preset-env@7.28.5'],
    files: { ...COMMONJS, ...BABEL, 'a.test.js': JEST_ESM },
    run: 'npx jest',
    prints: '1 passed',
  },
  'jest-swc': {
    needs: [`jest@${jest}`, '@swc/core@1.16.22', '@swc/jest@0.2.39'],
    files: { ...COMMONJS, 'a.test.js': JEST_ESM },
    run: `npx jest --transform '{"\\\\.js$":"@swc/jest"}'`,
    prints: '1 passed',
  },
  'jest-jsdom': {
    needs: [`jest@${jest}`, `jest-environment-jsdom@${jest}`, '@babel/core@7.28.5', '@babel/preset-env@7.28.5'],
    files: { ...COMMONJS, ...BABEL, 'a.test.js': JEST_ESM },
    run: 'npx jest --env jsdom',
    prints: '1 passed',
  },
  'jest-esm-jsdom': {
    needs: [`jest@${jest}`, `jest-environment-jsdom@${jest}`],
    files: {
      'a.test.js': JEST(
        `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n${REQUIRED}`,
      ),
    },
    run: "NODE_OPTIONS=--experimental-vm-modules npx jest --env jsdom --transform '{}'",
    prints: '1 passed',
  },
  'node-test': {
    needs: [],
    files: {
      'a.test.mjs': CHECKED({
        imports: `import test from 'node:test';\nimport { deepEqual as check } from 'node:assert/strict';\nimport { createMock } from 'wm-mock';`,
        open: "test('a project', async () => {",
        close: '});',
      }),
    },
    run: 'node --test a.test.mjs',
    prints: 'pass 1',
  },
  bun: {
    needs: ['bun@1.4.5', 'msw'],
    files: {
      'server.mjs': SERVER,
      'a.test.js': `import { expect, test } from 'bun:test';\n${JEST(IMPORTED, '')}`,
    },
    run: 'npx bun server.mjs && npx bun test',
    prints: '1 pass',
  },
  deno: {
    needs: ['deno@2.9.6', 'msw'],
    files: { 'server.mjs': `${SERVER}Deno.exit();\n` },
    run: 'npx deno run --allow-all server.mjs',
    prints: 'asked',
  },
  'typescript-5': typescript('5.9.3', tsc('--module commonjs --moduleResolution node10 a.ts'), NODE16, BUNDLER),
  'typescript-6': typescript(
    '6.0.3',
    tsc('--module commonjs --moduleResolution node10 --ignoreDeprecations 6.0 a.ts'),
    NODE16,
    BUNDLER,
  ),
  'typescript-7': typescript('7.0.2', NODE16, BUNDLER),
};

const tried = async ({ needs, files, run, prints = '', browser }, tarball) =>
  inFolder(async (folder) => {
    install(folder, tarball, needs);
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    const { status, said } = sh(run, folder, { NEXT_TELEMETRY_DISABLED: '1', ...(browser ? browsersFor(folder) : {}) });
    return status === 0 && said.includes(prints) ? undefined : `exit status ${status}\n${said.slice(-4000)}`;
  });

const asked = process.argv.slice(2);
const names = Object.keys(PROJECTS).filter((name) => asked.length === 0 || asked.some((start) => name.startsWith(start)));
const page = readFileSync(join(ROOT, 'docs/compatibility.md'), 'utf8');
const unnamed = Object.keys(PROJECTS).filter((name) => !page.includes(`\`${name}\``));
if (unnamed.length > 0) throw new Error(`docs/compatibility.md does not name ${unnamed.join(', ')}`);
for (const [, first, versions] of page.matchAll(/^\| (`[^|]+) \| ([^|]+) \|/gm)) {
  const needs = [...first.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => {
    if (!PROJECTS[name]) throw new Error(`docs/compatibility.md names ${name}, which is no project`);
    return PROJECTS[name].needs;
  });
  for (const [version] of versions.matchAll(/\d+(\.\d+)+/g))
    if (!needs.some((need) => need.includes(`@${version}`)))
      throw new Error(`docs/compatibility.md says ${version} of ${first}, and the project has ${needs.join(', ')}`);
}
let failed = 0;
await inFolder(async (packing) => {
  const { path } = pack(packing);
  for (const name of names) {
    const began = performance.now();
    const why = await tried(PROJECTS[name], path);
    if (why) failed += 1;
    console.log(`${name}: ${why ?? 'works'} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  }
});
console.log(`${names.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
