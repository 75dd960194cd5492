// Schemathesis, with all checks and stateful sequences, against the mock and its control API: no failure in some thousand cases.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMock } from '../.ci/start.mjs';
import { ROOT, run } from '../.ci/tools.mjs';
import { pythonWith } from './shared.mjs';

const VERSION = '4.32.5';

// A stateful run ends when the sequences it plans meet a changed world, so it is repeated until its time is spent.
const STATELESS = ['--phases', 'examples,coverage,fuzzing'];
const STATEFUL = ['--phases', 'stateful', '--max-time'];
/** Seconds of a stateful run; a machine that follows too few links in them is given the next. */
const PATIENCE = ['30', '150'];

const ofRelease = (release) => ({
  name: `/v1 at v${release}`,
  document: `openapi/openapi-${release}.json`,
  url: 'baseUrl',
  serve: ['--release', release],
  // `page` beside `offset` or `cursor` fits the schema and is refused, as no schema can say.
  phases: [[...STATELESS, '--exclude-checks', 'positive_data_acceptance']],
  least: { cases: 500, links: 0 },
});

/** What is judged: a document, where the mock serves it and with which flags, and what a run must reach at least. */
const TARGETS = [
  {
    name: '/v1',
    document: 'openapi/openapi.json',
    url: 'baseUrl',
    phases: [STATELESS],
    stateful: true,
    least: { cases: 2000, links: 30 },
  },
  ofRelease('1.0'),
  ofRelease('1.1'),
  // No stateful phase: a reset or a released fault between two steps makes any sequence invalid by design.
  // Without the five methods of the inbox, which answers whatever it was told to, so that no check of its answers can hold,
  // and without the event stream, which does not end.
  {
    name: '/_mock',
    document: 'openapi/control.json',
    url: 'controlUrl',
    phases: [[...STATELESS, '--exclude-path', '/inbox/{name}', '--exclude-path', '/events', '--max-examples', '40']],
    leftOut: 6,
    least: { cases: 1500, links: 0 },
  },
];

// Where Schemathesis asks for another conforming answer than ours, the mock gives that one and every check stays on.
const ANSWERS = [
  'wrong-method=405', // Its check unsupported_method wants 405 with Allow; the spec's table of statuses has no 405, so ours is 404.
  'broken-cursor=first-page', // It makes cursors up, which fit the schema (a string); ours is 400, as clients must not build cursors.
  'cursor-conflict=cursor-wins', // It follows a page with another filter or sort, which fits the schema too; ours is 400.
];

const judge = (program, mock, { document, url, phases, stateful, least }, env, folder) => {
  const judged = (phase) => {
    const report = join(folder, 'report.json');
    rmSync(report, { force: true });
    const args = ['--config-file', join(ROOT, 'lab/schemathesis/config.toml'), 'run', join(ROOT, document)];
    args.push('--url', mock[url], '--checks', 'all', '--no-color', '--report', 'json', '--report-json-path', report, ...phase);
    if (url === 'baseUrl') args.push('--header', `Authorization: Bearer ${mock.key('admin')}`);
    const { status, stdout, stderr } = run(program, args, { cwd: folder, env, failing: true, timeout: 400_000 });
    if (status !== 0 || !existsSync(report)) throw new Error(`${stdout}${stderr}`);
    return { ...JSON.parse(readFileSync(report, 'utf8')), links: Number(/API Links:\s+(\d+) covered/.exec(stdout)?.[1] ?? 0) };
  };
  const results = phases.map(judged);
  const most = () => Math.max(...results.map(({ links }) => links));
  for (const seconds of stateful ? PATIENCE : []) if (most() < least.links) results.push(judged([...STATEFUL, seconds]));
  const sum = (count) => results.reduce((total, result) => total + count(result), 0);
  return {
    cases: sum((result) => result.test_cases.generated),
    failures: sum((result) => result.test_cases.unique_failures),
    links: most(),
    ...results[0].operations,
  };
};

const program = join(pythonWith(`schemathesis==${VERSION}`), 'schemathesis');
const folder = mkdtempSync(join(tmpdir(), 'wm-mock-schemathesis-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const target of TARGETS) {
  const began = performance.now();
  const mock = await startMock(
    '--plan',
    'unlimited',
    ...ANSWERS.flatMap((answer) => ['--choice', answer]),
    ...(target.serve ?? []),
  );
  const authorization = `Bearer ${mock.key('admin')}`;
  const me = await (await fetch(`${mock.baseUrl}/users/me`, { headers: { authorization } })).json();
  const env = {
    WM_USER_ID: me.data.id,
    SCHEMATHESIS_HOOKS: join(ROOT, 'lab/schemathesis/hooks.py'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const { cases, failures, links, tested, total } = judge(program, mock, target, env, folder);
  await mock.stop();
  console.log(
    `schemathesis ${VERSION}, all checks, ${target.name}: ${cases} cases, ${tested} of ${total} operations, ${links} links followed, ${failures} failures (${((performance.now() - began) / 1000).toFixed(0)} s)`,
  );
  const { least } = target;
  if (cases < least.cases || links < least.links || tested < total - (target.leftOut ?? 0) || failures > 0) process.exitCode = 1;
}
