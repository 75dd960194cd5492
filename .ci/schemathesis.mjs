// Schemathesis, with all checks and stateful sequences, against the mock: no failure in at least 2,000 cases.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMock } from './start.mjs';
import { ROOT, run } from './tools.mjs';

const VERSION = '4.32.5';
const LEAST_CASES = 2000;
const LEAST_LINKS = 30;

// A stateful run ends when the sequences it plans meet a changed world, so it is repeated until its time is spent.
const PHASES = [
  ['--phases', 'examples,coverage,fuzzing'],
  ['--phases', 'stateful', '--max-time', '30'],
];

// Where Schemathesis asks for another conforming answer than ours, the mock gives that one and every check stays on.
const ANSWERS = [
  'wrong-method=405', // Its check unsupported_method wants 405 with Allow; the spec's table of statuses has no 405, so ours is 404.
  'broken-cursor=first-page', // It makes cursors up, which fit the schema (a string); ours is 400, as clients must not build cursors.
  'cursor-conflict=cursor-wins', // It follows a page with another filter or sort, which fits the schema too; ours is 400.
];

const install = () => {
  const home = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), `wm-mock/schemathesis-${VERSION}`);
  const program = join(home, 'bin/schemathesis');
  const complete = join(home, 'complete');
  if (existsSync(complete)) return program;
  if (spawnSync('python3', ['--version']).status !== 0) {
    throw new Error('Schemathesis needs python3, which is not installed. Install Python 3.10 or newer with its venv module.');
  }
  rmSync(home, { recursive: true, force: true });
  run('python3', ['-m', 'venv', home], { stdio: 'inherit' });
  run(join(home, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`], {
    stdio: 'inherit',
  });
  writeFileSync(complete, VERSION);
  return program;
};

const program = install();
const mock = await startMock('--plan', 'unlimited', ...ANSWERS.flatMap((answer) => ['--choice', answer]));
const folder = mkdtempSync(join(tmpdir(), 'wm-mock-schemathesis-'));
const authorization = `Bearer ${mock.key('admin')}`;
const results = [];
try {
  const me = await (await fetch(`${mock.baseUrl}/users/me`, { headers: { authorization } })).json();
  const env = {
    WM_USER_ID: me.data.id,
    SCHEMATHESIS_HOOKS: join(ROOT, '.ci/tools/schemathesis_hooks.py'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  for (const phases of PHASES) {
    const report = join(folder, `${results.length}.json`);
    const args = ['--config-file', join(ROOT, '.ci/tools/schemathesis.toml'), 'run', join(ROOT, 'openapi/openapi.json')];
    args.push('--url', mock.baseUrl, '--header', `Authorization: ${authorization}`, '--checks', 'all', '--no-color');
    args.push('--report', 'json', '--report-json-path', report, ...phases);
    const { status, stdout, stderr } = run(program, args, { cwd: folder, env, failing: true, timeout: 300_000 });
    if (status !== 0 || !existsSync(report)) throw new Error(`${stdout}${stderr}`);
    const links = Number(/API Links:\s+(\d+) covered/.exec(stdout)?.[1] ?? 0);
    results.push({ ...JSON.parse(readFileSync(report, 'utf8')), links });
  }
} finally {
  await mock.stop();
  rmSync(folder, { recursive: true });
}

const sum = (count) => results.reduce((total, result) => total + count(result), 0);
const cases = sum((result) => result.test_cases.generated);
const failures = sum((result) => result.test_cases.unique_failures);
const links = sum((result) => result.links);
const { tested, total } = results[0].operations;
console.log(
  `schemathesis ${VERSION}, all checks: ${cases} cases, ${tested} of ${total} operations, ${links} links followed, ${failures} failures`,
);
process.exitCode = cases >= LEAST_CASES && links >= LEAST_LINKS && tested === total && failures === 0 ? 0 : 1;
