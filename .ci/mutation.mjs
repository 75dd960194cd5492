// Mutation testing: does a test of vitest notice when an expression of src is wrong? Stryker makes the mutants and tries them.
//
//   node .ci/mutation.mjs                        a fixed draw, one line in 150 of src; fails below 90 %
//   node .ci/mutation.mjs src/service/lists …    rooms or files, whole; what did not change since the last time is not tried again
//
// coverage/mutation/mutation.html shows each mutant. docs/decisions/0011 has the figures.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, tool } from './tools.mjs';

const SHARE = 150;
const LEAST_PERCENT = 90;
/** What runs in pages, in Node or in other engines alone is tested there, and no mutant is tried. */
const ROOMS = ['client', 'connect', 'dashboard', 'mock', 'service', 'testing'].map((room) => `src/${room}`);
const ELSEWHERE = /\/panel\/|\.test\.tsx?$|\.generated\.ts$|\/script\.js$/;

const files = ROOMS.flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true }).map((name) => join(room, name).replaceAll('\\', '/')),
).filter((file) => /\.tsx?$/.test(file) && !ELSEWHERE.test(file));

/** The text of a line alone decides whether its mutants are drawn: a change of code changes few of them. */
const isDrawn = (line) => createHash('sha256').update(line.trim()).digest().readUInt32BE() % SHARE === 0;
const drawn = () =>
  files.flatMap((file) => {
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
    return lines.flatMap((line, i) => (isDrawn(line) ? [`${file}:${i + 1}-${i + 1}`] : []));
  });

const asked = process.argv.slice(2);
const below = (file) => asked.some((path) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`));

tool('stryker');
const tools = join(import.meta.dirname, 'tools/node_modules/@stryker-mutator');
const { Stryker } = await import(join(tools, 'core/dist/src/index.js'));
await new Stryker({
  mutate: asked.length > 0 ? files.filter(below) : drawn(),
  testRunner: 'vitest',
  plugins: [join(tools, 'vitest-runner/dist/src/index.js')],
  vitest: { configFile: '.ci/mutants.config.ts', related: false },
  coverageAnalysis: 'perTest',
  incremental: asked.length > 0,
  incrementalFile: 'coverage/mutation/incremental.json',
  disableTypeChecks: false,
  tsconfigFile: 'no-tsconfig.json',
  reporters: ['clear-text', 'html'],
  htmlReporter: { fileName: 'coverage/mutation/mutation.html' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: LEAST_PERCENT, break: asked.length > 0 ? null : LEAST_PERCENT },
  tempDirName: 'coverage/stryker',
  ignorePatterns: ['dist/!(assets)', 'bench', 'examples', 'lab', 'contract-report', 'coverage', '.ci/tools', 'docs/screenshots'],
  concurrency: 2,
  timeoutMS: 10_000,
  timeoutFactor: 4,
  dryRunTimeoutMinutes: 20,
  allowConsoleColors: false,
  fileLogLevel: 'off',
}).runMutationTest();
