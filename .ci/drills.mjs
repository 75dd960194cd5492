// Makes the changes that a newcomer will make, each in a copy of the tree, and counts the files that have to be touched by hand.
// `node .ci/drills.mjs [name]`: builds each copy, runs the tests of what was changed, fails when one fails or a ceiling is broken.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const FIELDS = 'src/contract/resources.ts';
const AFTER_STATUS = /(\n {2}status: preset\([\s\S]*?\n {2}\}\),)/;

/** A field of Task, stated in the contract; what else there is to do follows. */
const field = (name, stated) => ({
  ceiling: 1,
  edits: { [FIELDS]: (text) => text.replace(AFTER_STATUS, `$1\n  ${name}: ${stated},`) },
  tests: ['src/fields.test.ts'],
  /** Names that tests must have, so that what was changed is what was tested. */
  named: [`tasks.${name}`],
});

const DRILLS = {
  'a field that is a number': field('points', "optional(integer({ minimum: 0, description: 'How big it is.', examples: [3] }))"),
  'a field that is text': field('summary', "optional(text(80, 'In one line.', 'Notes for 1.4'))"),
  'a field that is a list of ids': field(
    'watcher_ids',
    "preset(array(userId, { description: 'Who is told.' }), [], { refers: 'users' })",
  ),
};

const run = (folder, command, ...args) =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 });

const copied = () => {
  const folder = mkdtempSync(join(tmpdir(), 'wm-mock-drill-'));
  const files = run(ROOT, 'git', 'ls-files', '-co', '--exclude-standard', '-z').split('\0').filter(Boolean);
  for (const file of files) cpSync(join(ROOT, file), join(folder, file));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};

/** @returns the files that were touched by hand. */
const edit = (folder, edits) =>
  Object.entries(edits).map(([file, change]) => {
    const before = readFileSync(join(folder, file), 'utf8');
    const after = change(before);
    if (after === before) throw new Error(`${file}: the drill no longer fits it; bring .ci/drills.mjs up to date`);
    writeFileSync(join(folder, file), after);
    return file;
  });

/** Runs the tests. @throws Error naming those that fail, or what none of them names. */
const test = (folder, { tests, named }) => {
  const report = join(folder, 'report.json');
  try {
    run(folder, 'npx', 'vitest', 'run', ...tests, '--reporter=json', `--outputFile=${report}`);
  } catch {
    // The report says which failed.
  }
  const results = JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.filter(({ status }) => status !== 'passed').map(({ fullName }) => fullName);
  if (results.length === 0 || failed.length > 0) throw new Error(['tests failed:', ...failed].join('\n    '));
  for (const name of named) {
    if (!results.some(({ fullName }) => fullName.includes(name))) throw new Error(`no test is about ${name}`);
  }
  return named.map((name) => `${results.filter(({ fullName }) => fullName.includes(name)).length} tests about ${name}`);
};

const drill = (name, { ceiling, edits, ...tests }) => {
  const folder = copied();
  try {
    const touched = edit(folder, edits);
    run(folder, 'npm', 'run', 'docs');
    for (const project of ['tsconfig.pure.json', 'tsconfig.test.json']) run(folder, 'npx', 'tsc', '-p', project);
    const told = test(folder, tests);
    console.log(`${name}: ${touched.length} of at most ${ceiling} files by hand (${touched.join(', ')}); ${told.join(', ')}`);
    return touched.length <= ceiling;
  } catch (error) {
    console.error(`${name}: ${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`);
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const wanted = process.argv.slice(2);
const chosen = Object.entries(DRILLS).filter(([name]) => wanted.length === 0 || wanted.some((one) => name.includes(one)));
if (chosen.length === 0) throw new Error(`there is no such drill: ${Object.keys(DRILLS).join(', ')}`);
const passed = chosen.map(([name, one]) => drill(name, one));
process.exitCode = passed.every(Boolean) ? 0 : 1;
