// Schemathesis, with all checks and stateful sequences, against the mock and its control API: no failure in some thousand cases.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMock } from '../.ci/start.mjs';
import { ROOT, run } from '../.ci/tools.mjs';
import { pythonWith, words } from './shared.mjs';

const VERSION = '4.32.5';
const STATELESS = words('--phases examples,coverage,fuzzing');
// A stateful run ends when the sequences it plans meet a changed world, so it is repeated until its time is spent.
const STATEFUL = words('--phases stateful --max-time');
/** Seconds of a stateful run; a machine that follows too few links in them is given the next. */
const PATIENCE = ['30', '150'];

// `page` beside `offset` or `cursor` fits the schema and is refused, as no schema can say.
const OF_RELEASE = { more: words('--exclude-checks positive_data_acceptance'), least: { cases: 500, links: 0 } };
/** What is judged: a document, with flags of the mock and of Schemathesis, and what a run must reach at least. */
const TARGETS = {
  '/v1': { document: 'openapi', more: [], least: { cases: 2000, links: 30 } },
  '/v1 at v1.0': { document: 'openapi-1.0', serve: ['--release', '1.0'], ...OF_RELEASE },
  '/v1 at v1.1': { document: 'openapi-1.1', serve: ['--release', '1.1'], ...OF_RELEASE },
  // No stateful phase: a reset or a released fault between two steps makes any sequence invalid by design.
  // Without the five methods of the inbox, which answers whatever it was told to, so that no check of its answers can hold,
  // and without the event stream, which does not end.
  '/_mock': {
    document: 'control',
    more: words('--exclude-path /inbox/{name} --exclude-path /events --max-examples 40'),
    leftOut: 6,
    least: { cases: 1500, links: 0 },
  },
};

// Where Schemathesis asks for another conforming answer than ours, the mock gives that one and every check stays on.
const ANSWERS = [
  'wrong-method=405', // Its check unsupported_method wants 405 with Allow; the spec's table of statuses has no 405, so ours is 404.
  'broken-cursor=first-page', // It makes cursors up, which fit the schema (a string); ours is 400, as clients must not build cursors.
  'cursor-conflict=cursor-wins', // It follows a page with another filter or sort, which fits the schema too; ours is 400.
].flatMap((answer) => ['--choice', answer]);

const program = join(pythonWith(`schemathesis==${VERSION}`), 'schemathesis');
const folder = mkdtempSync(join(tmpdir(), 'wm-mock-schemathesis-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const env = { SCHEMATHESIS_HOOKS: join(ROOT, 'lab/schemathesis/hooks.py'), PYTHONDONTWRITEBYTECODE: '1' };

/** @returns the report of one run, and how many links it followed */
const judged = (mock, document, phase) => {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const args = ['--config-file', join(ROOT, 'lab/schemathesis/config.toml'), 'run', join(ROOT, `openapi/${document}.json`)];
  args.push(...words('--checks all --no-color --report json --report-json-path'), report, ...phase, '--url');
  if (document === 'control') args.push(mock.controlUrl);
  else args.push(mock.baseUrl, '--header', `Authorization: Bearer ${mock.key('admin')}`);
  const { status, stdout, stderr } = run(program, args, { cwd: folder, env, failing: true, timeout: 400_000 });
  if (status !== 0 || !existsSync(report)) throw new Error(`${stdout}${stderr}`);
  return { ...JSON.parse(readFileSync(report, 'utf8')), links: Number(/API Links:\s+(\d+) covered/.exec(stdout)?.[1] ?? 0) };
};

for (const [name, { document, serve = [], more, leftOut = 0, least }] of Object.entries(TARGETS)) {
  const began = performance.now();
  const mock = await startMock('--plan', 'unlimited', ...ANSWERS, ...serve);
  const results = [judged(mock, document, [...STATELESS, ...more])];
  const links = () => Math.max(...results.map((result) => result.links));
  for (const seconds of PATIENCE) if (links() < least.links) results.push(judged(mock, document, [...STATEFUL, seconds]));
  await mock.stop();
  const sum = (count) => results.reduce((total, result) => total + result.test_cases[count], 0);
  const [cases, failures, { tested, total }] = [sum('generated'), sum('unique_failures'), results[0].operations];
  console.log(
    `schemathesis ${VERSION}, all checks, ${name}: ${cases} cases, ${tested} of ${total} operations, ${links()} links followed, ${failures} failures (${((performance.now() - began) / 1000).toFixed(0)} s)`,
  );
  if (cases < least.cases || links() < least.links || tested < total - leftOut || failures > 0) process.exitCode = 1;
}
