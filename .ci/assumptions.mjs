// Holds `wm-mock matrix` to examples/assumptions: it names the ten planted assumptions of the naive app, twice, and none of its
// tolerant twin; it blames nothing for a command that fails by itself; and it judges tests in Python. Needs a build and Python 3.
//
//   node .ci/assumptions.mjs                  all of it, about five minutes
//   node .ci/assumptions.mjs flaky pytest     these lines: naive, again, tolerant, flaky, pytest
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from './tools.mjs';

const APP = join(ROOT, 'examples/assumptions');
const TESTS = ['node', '--test', 'app.test.mjs'];
const planted = Object.values(JSON.parse(readFileSync(join(APP, 'assumptions.json'), 'utf8'))).sort();

/** Fails each fifth time, whatever the service does. */
const FLAKY = `
import { appendFileSync, statSync } from 'node:fs';
await fetch(process.env.WM_BASE_URL + '/users/me', { headers: { authorization: 'Bearer ' + process.env.WM_API_KEY_READ } });
appendFileSync('turns', '.');
process.exitCode = statSync('turns').size % 5 === 0 ? 1 : 0;
`;

const PYTHON = `
import json, os, unittest, urllib.request


def ask(method, path, body=None):
    request = urllib.request.Request(os.environ["WM_BASE_URL"] + path, method=method)
    request.add_header("Authorization", "Bearer " + os.environ["WM_API_KEY_WRITE"])
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, body and json.dumps(body).encode()) as response:
        return response.status, json.load(response)["data"]


class Projects(unittest.TestCase):
    def test_renames_a_project(self):
        _, project = ask("POST", "/projects", {"name": "Kitchen"})
        status, renamed = ask("PATCH", "/projects/" + project["id"], {"name": "Garden"})
        self.assertEqual((status, renamed["name"]), (200, "Garden"))
`;

const scratch = mkdtempSync(join(tmpdir(), 'wm-mock-assumptions-'));
writeFileSync(join(scratch, 'flaky.mjs'), FLAKY);
writeFileSync(join(scratch, 'test_app.py'), PYTHON);

const hasPytest = run('python3', ['-c', 'import pytest'], { failing: true }).status === 0;
const OF_PYTHON = hasPytest ? ['python3', '-m', 'pytest', '-q'] : ['python3', '-m', 'unittest', 'test_app'];

/** By line: where, what, in which environment, with which options; the exit status and the names that are due. */
const LINES = {
  naive: { cwd: APP, command: TESTS, status: 1, names: planted },
  again: { cwd: APP, command: TESTS, status: 1, names: planted },
  tolerant: { cwd: APP, command: TESTS, env: { CLIENT: 'tolerant' }, status: 0, names: [] },
  flaky: { cwd: scratch, command: ['node', 'flaky.mjs'], status: 2, says: 'is flaky' },
  pytest: {
    cwd: scratch,
    command: OF_PYTHON,
    options: ['--only', 'choice,forward-compat,release'],
    status: 1,
    names: ['choice:patch-status'],
    test: 'test_renames_a_project',
  },
};

/** Flips of one open point are one assumption: its kind and name; of an operation, with that. */
const nameOf = (id) => (id.startsWith('fault:') ? id : id.split('=')[0]);

const judge = (line, { cwd, command, env, options = [], status, names, says, test }) => {
  const report = join(scratch, line);
  const began = performance.now();
  const cli = join(ROOT, 'dist/node/cli.js');
  const words = ['matrix', '--workers', '2', '--report', report, ...options, '--', ...command];
  const ended = run(process.execPath, [cli, ...words], { cwd, env, failing: true });
  const took = `${Math.round((performance.now() - began) / 1000)} s`;
  const wrong = (what) => {
    throw new Error(`${line}: ${what}\n${ended.stdout}${ended.stderr}`);
  };
  if (ended.status !== status) wrong(`expected the exit status ${status}, got ${ended.status}`);
  if (says !== undefined) return ended.stderr.includes(says) ? [line, says, took] : wrong(`it did not say "${says}"`);
  const { assumptions, flips } = JSON.parse(readFileSync(join(report, 'matrix.json'), 'utf8'));
  const found = [...new Set(assumptions.flatMap((one) => one.id.split(' + ').map(nameOf)))].sort();
  const missing = names.filter((name) => !found.includes(name));
  const invented = found.filter((name) => !names.includes(name));
  if (missing.length + invented.length > 0) wrong(`missed: ${missing.join(', ')}; invented: ${invented.join(', ')}`);
  const unnamed = assumptions.filter((one) => !(one.test ?? '').includes(test ?? '') || !one.test);
  if (unnamed.length > 0) wrong(`no test, or another one, is named for ${unnamed.map(({ id }) => id).join(', ')}`);
  const tried = flips.filter((flip) => flip.status !== 'pruned').length;
  return [line, `${found.length} of ${names.length} named, none invented, ${tried} of ${flips.length} flips tried`, took];
};

try {
  const asked = process.argv.slice(2);
  const lines = Object.entries(LINES).filter(([line]) => asked.length === 0 || asked.includes(line));
  for (const [line, due] of lines) console.log(judge(line, due).join('  |  '));
} finally {
  rmSync(scratch, { recursive: true });
}
