// Holds `wm-mock matrix` and `wm-mock race` to what is planted in examples/assumptions and examples/races: all of it is found, twice,
// nothing else, and nothing in twins and in a command that fails by itself. Needs a build, a Chromium and Python 3.
//   node lab/planted.mjs                      all of it, about ten minutes
//   node lab/planted.mjs flaky 'race python'  the lines whose names hold one of these
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '../.ci/browser.mjs';
import { ROOT, run } from '../.ci/tools.mjs';

const [ASSUMPTIONS, RACES] = ['assumptions', 'races'].map((name) => join(ROOT, 'examples', name));
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
const assumptions = Object.values(json(join(ASSUMPTIONS, 'assumptions.json'))).sort();
const races = json(join(RACES, 'races.json'));
const scratch = mkdtempSync(join(tmpdir(), 'wm-mock-planted-'));
const PYTHON = ['python3', '-B', '-m', 'unittest', 'test_app'];
const NODE = { mode: 'matrix', cwd: ASSUMPTIONS, command: ['node', '--test', 'app.test.mjs'] };
const PAGE = { mode: 'race', cwd: RACES, command: ['node_modules/.bin/playwright', 'test'] };

/** By line: what is run where, its exit status, and the names of assumptions, or by test the order of responses, that are due. */
const LINES = {
  'matrix naive': { ...NODE, status: 1, names: assumptions },
  'matrix again': { ...NODE, status: 1, names: assumptions },
  'matrix tolerant': { ...NODE, env: { CLIENT: 'tolerant' }, status: 0, names: [] },
  'matrix flaky': { ...NODE, command: ['node', 'flaky.mjs'], status: 2, says: 'is flaky' },
  'matrix python': {
    mode: 'matrix',
    cwd: join(ASSUMPTIONS, 'python'),
    command: PYTHON,
    options: ['--only', 'choice,forward-compat,release'],
    status: 1,
    names: ['choice:patch-status'],
    test: 'test_renames_a_project',
  },
  'race naive': { ...PAGE, status: 1, races },
  'race again': { ...PAGE, status: 1, races },
  'race mended': { ...PAGE, env: { CLIENT: 'mended' }, status: 0, races: {} },
  'race python': {
    mode: 'race',
    cwd: join(RACES, 'python'),
    command: PYTHON,
    status: 1,
    races: { test_shows_what_was_asked_last: ['GET /tasks?filter[status]=done', 'GET /tasks?filter[status]=todo'] },
  },
};

/** Flips of one open point are one assumption: its kind and name; of an operation, with that. */
const nameOf = (id) => (id.startsWith('fault:') ? id : id.split('=')[0]);

const seenByMatrix = ({ assumptions: found, flips }, { names, test = '' }) => {
  const named = [...new Set(found.flatMap((one) => one.id.split(' + ').map(nameOf)))];
  return {
    missed: names.filter((name) => !named.includes(name)),
    invented: named.filter((name) => !names.includes(name)),
    vague: found.filter((one) => !one.test?.includes(test)).map(({ id }) => id),
    tried: `${flips.filter(({ status }) => status !== 'pruned').length} of ${flips.length} flips`,
  };
};

/** Whether a request is of a pattern, in which a star stands for any characters. */
const fits = (request, pattern) => {
  const [start, end] = pattern.split('*');
  return end === undefined ? request === pattern : request.startsWith(start) && request.endsWith(end);
};
const isOrder = (order, due) => order.length === due.length && order.every(({ request }, i) => fits(request, due[i]));

const seenByRace = ({ findings, orders }, { races: due }) => {
  const found = Object.entries(due).map(([test, order]) => [test, order, findings.filter((one) => one.test?.includes(test))]);
  const known = found.flatMap(([, , all]) => all);
  const longer = found.flatMap(([test, order, all]) => (all.every((one) => isOrder(one.order, order)) ? [] : [test]));
  return {
    missed: found.filter(([, , all]) => all.length === 0).map(([test]) => test),
    invented: findings.filter((one) => !known.includes(one)).map(({ id, test }) => test ?? id),
    vague: [...longer, ...found.filter(([, , all]) => all.length > 1).map(([test]) => `${test}, twice`)],
    tried: `${orders.tried} of ${orders.of} orders`,
  };
};

const judge = (line, { mode, cwd, command, env, options = [], status, says, ...due }) => {
  const report = join(scratch, line);
  const began = performance.now();
  const words = [join(ROOT, 'dist/node/cli.js'), mode, '--workers', '2', '--report', report, ...options, '--', ...command];
  const all = { CHROMIUM_PATH: findChromium(), TMPDIR: scratch, TURNS: join(scratch, 'turns'), ...env };
  const ended = run(process.execPath, words, { cwd, env: all, failing: true });
  const took = `${Math.round((performance.now() - began) / 1000)} s`;
  const wrong = (what) => {
    throw new Error(`${line}: ${what}\n${ended.stdout}${ended.stderr}`);
  };
  if (ended.status !== status) wrong(`expected the exit status ${status}, got ${ended.status}`);
  if (says !== undefined) return ended.stderr.includes(says) ? [line, says, took] : wrong(`it did not say "${says}"`);
  const { tried, ...problems } = (mode === 'matrix' ? seenByMatrix : seenByRace)(json(join(report, `${mode}.json`)), due);
  if (Object.values(problems).flat().length > 0) wrong(JSON.stringify(problems));
  return [line, `${(due.names ?? Object.keys(due.races)).length} found, none missed or invented, ${tried} tried`, took];
};

try {
  writeFileSync(join(scratch, 'turns'), '');
  const asked = process.argv.slice(2);
  const lines = Object.entries(LINES).filter(([line]) => asked.length === 0 || asked.some((one) => line.includes(one)));
  if (lines.some(([line]) => line.startsWith('race'))) run('npm', ['ci', '--ignore-scripts'], { cwd: RACES });
  for (const [line, due] of lines) console.log(judge(line, due).join('  |  '));
} finally {
  rmSync(scratch, { recursive: true });
}
