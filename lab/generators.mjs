// Generators of others on the document: each makes a client of it, in words of 3.1 and of 3.0, which is compiled; four clients make
// a whole session with the mock as it is and ahead of its clients, two of the control API a short one; the recipes of
// docs/languages.md run as written. `node lab/generators.mjs go python`: the lines whose name holds one of these. Tools and clients stay
// in a cache. Needs Python 3 with venv, Go, Java 17 with Maven, Rust, and the registries of each.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startMock } from '../.ci/start.mjs';
import { ROOT, run } from '../.ci/tools.mjs';
import { GENERATORS, RECIPES, TOOLS } from './generators-table.mjs';
import { cacheOf, call } from './shared.mjs';

const CACHE = cacheOf('generators');
const PARTS = join(ROOT, 'examples/languages');
const PAGE = readFileSync(join(ROOT, 'docs/languages.md'), 'utf8');
const MINUTES = 20;
/** What generators say of themselves, of a name that they rename to itself, of a map of anything, or of a parameter as if it were a model. */
const OWN_WARNINGS =
  /model name matches existing language type\) cannot be used as a model name\. Renamed to ModelRecord|still in beta|Failed to get the schema name: null|Ignoring complex example|Abstract(Rust|Python)Codegen - .* cannot be used as|Codegen property is null|Unknown (env|user) config/;

const BIN = join(CACHE, 'bin');
const PATH = `${BIN}:${join(CACHE, 'python/bin')}:${process.env.PATH}`;
const own = { PATH, ROOT, TOOLS: CACHE, CARGO_TARGET_DIR: join(CACHE, 'target'), PYTHONDONTWRITEBYTECODE: '1', CI: '1' };
const env = { ...process.env, ...own };

/** @returns what a script said, and why it failed. */
const sh = (script, cwd, more = {}) => {
  const words = ['-n', '15', 'bash', '-euo', 'pipefail', '-c', script];
  const limits = { maxBuffer: 2 ** 27, timeout: MINUTES * 60_000 };
  const options = { cwd, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', env: { ...env, ...more }, ...limits };
  const { status, stdout, stderr, error } = spawnSync('nice', words, options);
  const said = `${stdout ?? ''}${stderr ?? ''}`;
  return { said, failed: error ? error.message : status === 0 ? undefined : `exit status ${status}\n${said.slice(-3000)}` };
};

/** Installs tools that are not in the cache. */
const need = (names) => {
  for (const [there, script] of names.map((name) => TOOLS[name])) {
    const { failed } = existsSync(join(CACHE, there)) ? {} : sh(script, CACHE);
    if (failed) throw new Error(`${there} could not be installed: ${failed}`);
  }
};

/** What the mock has seen when a session is whole. */
const WHOLE = `getMe 429, getMe 200, createWebhook 201, createProject 201, createTask 201, updateTask 200, updateTask 422,
deleteTask 204, getTask 404, listProjectTasks 200 .*(limit=2.*cursor=|cursor=.*limit=2), listProjectTasks 200 .*sort=-title,
listTasks 200 .*priority(%5D|])=high`.split(/,\s/);

/** Calls with a mock of its own, which it then ends. */
const withMock = async (flags, use) => {
  const mock = await startMock(...flags);
  return use(mock).finally(() => mock.stop());
};

/** Runs a session against a mock of its own and asks that mock what was done. */
const sessionWith = (script, folder, flags) =>
  withMock(['--plan', 'unlimited', ...flags], async (mock) => {
    const effect = { status: 429, retry_after: 1 };
    await call(`${mock.controlUrl}/faults`, { match: { operation: 'getMe' }, effect, times: 1 });
    const { baseUrl: WM_BASE_URL, controlUrl: WM_CONTROL_URL } = mock;
    const { failed } = sh(script, folder, { WM_BASE_URL, WM_CONTROL_URL, WM_API_KEY_WRITE: mock.key('write'), WM_LIMITED: '1' });
    if (failed) return failed;
    const { items } = await call(`${mock.controlUrl}/requests`);
    const seen = items.map(({ operation, status, path }) => `${operation} ${status} ${path}`);
    const missing = WHOLE.filter((row) => !seen.some((one) => RegExp(`^${row}`).test(one)));
    const { items: received } = await call(`${mock.controlUrl}/inbox/session/messages`);
    if (!received.some(({ body }) => JSON.stringify(body).includes('task.created'))) missing.push('a webhook received');
    return missing.length > 0 ? `the session lacks ${missing.join(', ')}` : undefined;
  });

/** Judges a generated client by its session. @returns which duties it breaks, unless docs/languages.md says the same */
const dutiesOf = (name, script, folder) => {
  writeFileSync(join(folder, 'session.sh'), script);
  const { said } = sh('npx wm-mock client --plan unlimited -- bash -euo pipefail session.sh', folder);
  const report = join(folder, 'wm-client-report/client.json');
  if (!existsSync(report)) return said;
  const duties = JSON.parse(readFileSync(report, 'utf8')).duties.filter(({ status }) => status === 'broken');
  const told = duties.map(({ id }) => id).join(', ') || 'none';
  const [, tool, option] = /^(\S+)(?: (.+))?$/.exec(name);
  const row = PAGE.split('\n').find((line) => line.startsWith(`| ${tool}${option ? ` \`${option}\`` : ''} |`));
  return row?.endsWith(`| ${told} |`) ? undefined : `it breaks ${told}; the page says: ${row}`;
};

/** The same of a client of the control API. */
const controlWith = (script, folder) =>
  withMock([], async (mock) => {
    const { failed } = sh(script, folder, { WM_CONTROL_URL: mock.controlUrl });
    if (failed) return failed;
    const world = mock.controlUrl.replace('/_mock', '/worlds/session/_mock');
    const [{ now }, { items: faults }, { items }] = await Promise.all(
      ['clock', 'faults', 'requests'].map((of) => call(`${world}/${of}`)),
    );
    const seen = [now, ...faults.map(({ hits }) => hits), ...items.map(({ status }) => status)].join(' ');
    return seen === '2025-01-21T09:00:00.000Z 1 503 200' ? undefined : `the session left: ${seen}`;
  });

/** @returns what was tried, each with why it failed */
const judge = async (name, { tools, generate, compile, session, control }, words) => {
  const document = `${control ? 'control' : 'openapi'}-${words}`;
  need(tools);
  const folder = join(CACHE, 'out', `${name} ${words}`.replaceAll(' ', '-'));
  rmSync(folder, { recursive: true, force: true });
  cpSync(PARTS, folder, { recursive: true, filter: (file) => !file.endsWith('.mjs') || file.endsWith('config.mjs') });
  const { said, failed } = sh(generate, folder, { DOCUMENT: join(CACHE, `${document}.json`) });
  const warnings = said.split('\n').filter((line) => /\bwarn(ing)?\b/i.test(line) && !OWN_WARNINGS.test(line));
  const result = { generates: failed ?? (warnings.length > 0 ? warnings.slice(0, 5).join('\n') : undefined) };
  if (compile && !failed) result.compiles = sh(compile, folder).failed;
  if (!session || result.compiles || failed) return result;
  if (control) return { ...result, session: await controlWith(session, folder) };
  result.session = await sessionWith(session, folder, []);
  result.ahead = await sessionWith(session, folder, ['--forward-compat']);
  if (words === '3.1') result.duties = dutiesOf(name, session, folder);
  return result;
};

/** Runs a recipe as written, and once more with a wrong expectation: it has to fail and to show the journal. */
const follow = (name, { tools, run: script, file }) => {
  need(tools);
  const folder = join(CACHE, 'out', `recipe-${name}`);
  rmSync(folder, { recursive: true, force: true });
  for (const [, path, code] of PAGE.matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm)) {
    if (!path.startsWith(`${name}/`)) continue;
    const written = join(folder, path.slice(name.length + 1));
    mkdirSync(dirname(written), { recursive: true });
    writeFileSync(written, code);
  }
  const { failed } = sh(script, folder);
  if (failed) return { session: failed };
  const test = join(folder, file);
  writeFileSync(test, readFileSync(test, 'utf8').replace('2025-01-21T', '2025-01-22T'));
  const wrong = sh(script, folder);
  const shows = wrong.failed && /PATCH \/v1\/projects\/proj_\w+ 200 .*Shop/.test(wrong.said);
  return { session: shows ? undefined : `a test that fails does not show what the mock was asked:\n${wrong.said}` };
};

/** Compilers are those of this machine: where the page names other versions, that is said and fails nothing. */
const COMPILERS = { Python: 'python3 --version', Go: 'go version', Java: 'java -version', Rust: 'cargo --version' };
for (const [name, script] of Object.entries(COMPILERS)) {
  const [, version] = /(\d+\.[\d.]+)/.exec(sh(script, ROOT).said) ?? [];
  const [, told] = new RegExp(`${name} ([\\d.]*\\d)`).exec(PAGE);
  if (!version?.startsWith(`${told}.`)) console.error(`docs/languages.md says ${name} ${told}; here is ${version ?? 'none'}`);
}

mkdirSync(BIN, { recursive: true });
// The recipes say npx, as those do who have installed the package.
writeFileSync(join(BIN, 'npx'), `#!/bin/sh\nshift\nexec node ${ROOT}/dist/node/cli.js "$@"\n`, { mode: 0o755 });
for (const words of ['3.1', '3.0']) {
  const { stdout } = run('node', ['dist/node/cli.js', 'openapi', '--openapi', words]);
  writeFileSync(join(CACHE, `openapi-${words}.json`), stdout);
}
cpSync(join(ROOT, 'openapi/control.json'), join(CACHE, 'control-3.1.json'));
const lines = [
  ...Object.entries(GENERATORS).flatMap(([name, row]) =>
    (row.words ?? ['3.1', '3.0']).map((words) => [`${name} ${words}`, () => judge(name, row, words)]),
  ),
  ...Object.entries(RECIPES).map(([name, row]) => [`recipe ${name}`, () => follow(name, row)]),
];
const [, , ...wanted] = process.argv;
for (const [name, judged] of lines.filter(([name]) => wanted.length === 0 || wanted.some((word) => name.includes(word)))) {
  const began = performance.now();
  const result = Object.entries(await judged());
  const cells = result.map(([column, why]) => `${column} ${why ? 'FAILED' : 'ok'}`).join(', ');
  console.log(`${name}: ${cells} (${((performance.now() - began) / 1000).toFixed(0)} s)`);
  for (const [column, why] of result.filter(([, why]) => why)) {
    console.error(`${name}: ${column}: ${why}`);
    process.exitCode = 1;
  }
}
