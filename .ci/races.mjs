// Holds `wm-mock race` to examples/races: it finds the six planted races of the naive app, each with its shortest order, twice, and
// none in its mended twin; and it finds one in a test in Python. Needs a build, a Chromium and Python 3.
//
//   node .ci/races.mjs                  all of it
//   node .ci/races.mjs mended python    these lines: naive, again, mended, python
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '../scripts/browser.mjs';
import { ROOT, run } from './tools.mjs';

const APP = join(ROOT, 'examples/races');
const TESTS = ['node_modules/.bin/playwright', 'test'];
const planted = JSON.parse(readFileSync(join(APP, 'races.json'), 'utf8'));

const PYTHON = `
import json, os, threading, time, unittest, urllib.request


def ask(path):
    request = urllib.request.Request(os.environ["WM_BASE_URL"] + path)
    request.add_header("Authorization", "Bearer " + os.environ["WM_API_KEY_READ"])
    with urllib.request.urlopen(request) as response:
        return json.load(response)["items"]


class Search(unittest.TestCase):
    def test_shows_what_was_asked_last(self):
        shown = {}

        def show(status):
            shown["tasks"] = {task["status"] for task in ask("/tasks?filter[status]=" + status)}

        threads = [threading.Thread(target=show, args=[status]) for status in ("todo", "done")]
        for thread in threads:
            thread.start()
            time.sleep(0.1)
        for thread in threads:
            thread.join()
        self.assertEqual(shown["tasks"], {"done"})
`;

const scratch = mkdtempSync(join(tmpdir(), 'wm-mock-races-'));
writeFileSync(join(scratch, 'test_app.py'), PYTHON);

/** By line: where, what, in which environment; the exit status, and by test the order of responses that is due. */
const LINES = {
  naive: { cwd: APP, command: TESTS, status: 1, races: planted },
  again: { cwd: APP, command: TESTS, status: 1, races: planted },
  mended: { cwd: APP, command: TESTS, env: { CLIENT: 'mended' }, status: 0, races: {} },
  python: {
    cwd: scratch,
    command: ['python3', '-m', 'unittest', 'test_app'],
    status: 1,
    races: { test_shows_what_was_asked_last: ['GET /tasks?filter[status]=done', 'GET /tasks?filter[status]=todo'] },
  },
};

/** Whether a request is of a pattern, in which a star stands for any characters. */
const fits = (request, pattern) => {
  const [start, end] = pattern.split('*');
  return end === undefined ? request === pattern : request.startsWith(start) && request.endsWith(end);
};
const isOrder = (order, due) => order.length === due.length && order.every(({ request }, i) => fits(request, due[i]));

const judge = (line, { cwd, command, env, status, races }) => {
  const report = join(scratch, line);
  const began = performance.now();
  const cli = join(ROOT, 'dist/node/cli.js');
  const words = ['race', '--report', report, '--workers', '2', '--', ...command];
  const all = { CHROMIUM_PATH: findChromium(), TMPDIR: scratch, ...env };
  const ended = run(process.execPath, [cli, ...words], { cwd, env: all, failing: true });
  const took = `${Math.round((performance.now() - began) / 1000)} s`;
  const wrong = (what) => {
    throw new Error(`${line}: ${what}\n${ended.stdout}${ended.stderr}`);
  };
  if (ended.status !== status) wrong(`expected the exit status ${status}, got ${ended.status}`);
  const { findings, orders } = JSON.parse(readFileSync(join(report, 'race.json'), 'utf8'));
  const due = Object.entries(races);
  const found = due.map(([test]) => findings.filter((one) => one.test?.includes(test)));
  const missed = due.filter((_, i) => found[i].length === 0).map(([test]) => test);
  const invented = findings.filter((one) => !found.flat().includes(one)).map(({ id, test }) => test ?? id);
  if (missed.length + invented.length > 0) wrong(`missed: ${missed.join(', ')}; invented: ${invented.join(', ')}`);
  const longer = found.flatMap((all, i) => all.filter(({ order }) => !isOrder(order, due[i][1])));
  if (longer.length > 0) wrong(`not the shortest orders: ${JSON.stringify(longer.map(({ test, order }) => ({ test, order })))}`);
  if (findings.length > due.length) wrong('it names a test twice');
  return [line, `${due.length} of ${due.length} found, none invented, ${orders.tried} of ${orders.of} orders tried`, took];
};

try {
  run('npm', ['ci', '--ignore-scripts'], { cwd: APP });
  const asked = process.argv.slice(2);
  const lines = Object.entries(LINES).filter(([line]) => asked.length === 0 || asked.includes(line));
  for (const [line, due] of lines) console.log(judge(line, due).join('  |  '));
} finally {
  rmSync(scratch, { recursive: true });
}
