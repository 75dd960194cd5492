// Holds `wm-mock client` to examples/client: each duty that is due is found, nothing else, and nothing in the mended twin; each finding
// repeats by its own line, and not in the twin. Needs a build and Python 3; takes about three minutes.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from '../.ci/tools.mjs';

const CLIENT = join(ROOT, 'examples/client');
const CLI = join(ROOT, 'dist/node/cli.js');
const scratch = mkdtempSync(join(tmpdir(), 'wm-mock-planted-'));
process.on('exit', () => rmSync(scratch, { recursive: true }));
const json = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));
const due = Object.keys(json(CLIENT, 'expected.json'));
const TESTS = ['node', '--test', 'app.test.mjs'];
const MENDED = { CLIENT: 'mended' };

const CALL = `node -e 'fetch(process.env.WM_BASE_URL + "/users/me")'`;
/** Fails every second time, whatever the service does. */
const FLAKY = ['sh', '-c', `${CALL}; mkdir ${scratch}/turn || { rmdir ${scratch}/turn; exit 1; }`];

/** By line: the command, its exit status, and the duties that are due. */
const LINES = {
  'the client': { command: TESTS, status: 1, due, repeats: true },
  'its mended twin': { command: TESTS, env: MENDED, status: 0, due: [] },
  'a flaky command': { command: FLAKY, status: 2, due: [] },
  'a test in Python': {
    command: ['python3', '-B', '-m', 'unittest', 'test_app'],
    cwd: join(CLIENT, 'python'),
    status: 1,
    due: ['WM-CLI-018', 'WM-CLI-029'],
  },
};

const fail = (what, { stdout, stderr }) => {
  throw new Error(`${what}\n${stdout}${stderr}`);
};

/** Runs the line that a finding prints, as a reader would. */
const repeat = ({ id, repeat: line }, env, status) => {
  const ended = run('sh', ['-c', line.replace('npx wm-mock', `node ${CLI}`)], { cwd: CLIENT, env, failing: true });
  if (ended.status !== status) fail(`${id}: expected the exit status ${status} of ${line}, got ${ended.status}`, ended);
};

const judge = ([line, { command, cwd = CLIENT, env = {}, status, due, repeats }]) => {
  const report = join(scratch, line.replaceAll(' ', '-'));
  const ended = run(process.execPath, [CLI, 'client', '--report', report, '--', ...command], { cwd, env, failing: true });
  if (ended.status !== status) fail(`${line}: expected the exit status ${status}, got ${ended.status}`, ended);
  const { findings, runs, seconds } = json(report, 'client.json');
  const broken = findings.filter(({ duty }) => duty.startsWith('WM-CLI-'));
  const ids = broken.map(({ duty }) => duty).sort();
  if (ids.join() !== due.join()) fail(`${line}: expected ${due.join() || 'nothing'}, got ${ids.join()}`, ended);
  for (const finding of repeats ? broken : []) {
    repeat(finding, {}, 1);
    repeat(finding, MENDED, 0);
  }
  console.log(`${line}: ${ids.length} found, none missed or invented; ${runs} runs in ${Math.round(seconds)} s`);
};

for (const line of Object.entries(LINES)) judge(line);
