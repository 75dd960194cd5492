// Mutation testing: does a test notice when an expression of src is wrong? Stryker makes the mutants, mutation/runner.mjs tries them.
//
//   node .ci/mutation.mjs                     all of src
//   node .ci/mutation.mjs src/service/lists           a room, or files, tried with all tests
//   node .ci/mutation.mjs --share 0.01        a fixed draw of the mutants: a mutant's code alone decides whether it is drawn
//   --tests src/service/lists,src/service/http   fewer tests, for a quick look     --at-least 90   fails below that score, in percent
//   --concurrency 2   --out coverage/mutation   (survivors.txt, mutants.json, and Stryker's index.html without --share)
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { isDrawn } from './mutation/draw.mjs';
import { ROOT, tool } from './tools.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    share: { type: 'string', default: '1' },
    'at-least': { type: 'string', default: '0' },
    concurrency: { type: 'string', default: '2' },
    out: { type: 'string', default: 'coverage/mutation' },
    tests: { type: 'string', default: 'src,scripts' },
  },
});

/** Tests that look at what mutants cannot change: other processes, the built package, browsers; and those that wait or take minutes. */
const BLIND = /spawn|execFile|\bfork\(process|(?<!ajv\/)dist\/|\.browser\.test|\.slow\.test|test\/pages|vi\.useFakeTimers/;
const TESTS_OF_OTHERS = [
  'src/architecture.test.ts',
  'src/budgets.test.ts',
  'scripts/sizes.test.ts',
  'scripts/names.test.ts',
  'src/language.test.ts',
  'src/links.test.ts',
  'src/service/lists/naive.test.ts',
  'src/mock/control/worlds.test.ts',
];

/** What runs in pages alone is tested in a Chromium, and no mutant is tried there. */
const IN_PAGES = /^src\/dashboard\/panel\/(?!where)/;

const files = ['src', 'scripts']
  .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  .sort();
const below = (paths) => (file) => paths.some((path) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`));
const tests = files
  .filter((file) => /\.test\.tsx?$/.test(file) && !/\.(browser|slow)\.test\./.test(file) && !TESTS_OF_OTHERS.includes(file))
  .filter(below(values.tests.split(',')))
  .filter((file) => !BLIND.test(readFileSync(join(ROOT, file), 'utf8')));
const mutate = files
  .filter((file) => /(?<!\.test|\.d|\.generated)\.tsx?$/.test(file) && !file.startsWith('src/test/') && !IN_PAGES.test(file))
  .filter(below(positionals.length > 0 ? positionals : ['src']));

tool('stryker');
const { Stryker } = await import('./tools/node_modules/@stryker-mutator/core/dist/src/index.js');
const results = await new Stryker({
  testRunner: 'in-process',
  plugins: [join(import.meta.dirname, 'mutation/runner.mjs')],
  inProcess: { tests, share: Number(values.share) },
  mutate,
  coverageAnalysis: 'perTest',
  disableTypeChecks: false,
  tsconfigFile: 'no-tsconfig.json',
  reporters: values.share === '1' ? ['html'] : [],
  htmlReporter: { fileName: join(values.out, 'index.html') },
  tempDirName: 'coverage/stryker',
  ignorePatterns: ['dist/!(assets)', 'bench', 'examples', 'contract-report', 'coverage', '.ci/tools'],
  concurrency: Number(values.concurrency),
  timeoutMS: 10_000,
  timeoutFactor: 4,
  dryRunTimeoutMinutes: 20,
  allowConsoleColors: false,
  fileLogLevel: 'off',
}).runMutationTest();

const drawn = results.filter((mutant) => isDrawn(mutant, Number(values.share)));
const counted = drawn.filter(({ status }) => ['Killed', 'Survived', 'NoCoverage', 'Timeout'].includes(status));
const score = (mutants) => (100 * mutants.filter(({ status }) => status === 'Killed').length) / mutants.length;

const groups = new Map();
for (const mutant of counted) {
  const file = relative(ROOT, mutant.fileName);
  for (const name of [file.split('/').slice(0, -1).join('/'), file]) groups.set(name, [...(groups.get(name) ?? []), mutant]);
}
const number = (mutants, wanted) => String(mutants.filter(({ status }) => status === wanted).length).padStart(6);
const row = (name, mutants) =>
  `${score(mutants).toFixed(1).padStart(6)} % ${['Killed', 'Survived', 'NoCoverage', 'Timeout'].map((one) => number(mutants, one)).join(' ')}  ${name}`;
const table = [
  '  score   killed survived no-cov timeout',
  ...[...groups].sort().map(([name, mutants]) => row(name, mutants)),
  row('all', counted),
];

const lines = new Map();
const source = (fileName) => {
  if (!lines.has(fileName)) lines.set(fileName, readFileSync(fileName, 'utf8').split('\n'));
  return lines.get(fileName);
};
const short = (text) => text.replaceAll(/\s+/g, ' ').slice(0, 160);
const original = ({ fileName, location: { start, end } }) => {
  const chosen = source(fileName).slice(start.line - 1, end.line);
  chosen.push(chosen.pop().slice(0, end.column - 1));
  chosen[0] = chosen[0].slice(start.column - 1);
  return chosen.join(' ');
};
const survivors = counted
  .filter(({ status }) => status !== 'Killed')
  .map((mutant) => {
    const { fileName, location, mutatorName, replacement, status } = mutant;
    return `${relative(ROOT, fileName)}:${location.start.line}:${location.start.column} ${status} ${mutatorName}: ${short(original(mutant))}  =>  ${short(replacement)}`;
  });
mkdirSync(values.out, { recursive: true });
writeFileSync(join(values.out, 'survivors.txt'), `${survivors.sort().join('\n')}\n`);
writeFileSync(join(values.out, 'mutants.json'), JSON.stringify(counted, null, 1));

console.log(table.join('\n'));
console.log(
  `\n${counted.length} mutants, ${score(counted).toFixed(2)} % killed (timeouts are not), ${drawn.length - counted.length} not valid; ${join(values.out, 'survivors.txt')} has the others`,
);
if (!(score(counted) >= Number(values['at-least']))) {
  console.error(`The score is below ${values['at-least']} %.`);
  process.exitCode = 1;
}
