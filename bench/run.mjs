// `npm run bench`: how fast wm-mock answers beside the most that its stack allows, and whether that holds as its data grow.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { GROWTH, PAGES, verdicts } from './bars.mjs';
import { measureForks, measureLoad, measureStarts } from './measure.mjs';
import { pinned, startGenerator } from './processes.mjs';
import { report } from './report.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { SIZES } from './seeds.mjs';
import { summarize } from './summary.mjs';

const USAGE = `npm run bench -- [options]
  --quick            3 rounds of short slices (under 3 minutes) instead of 7
  --gate             exit 1 if a bar is missed by more than the noise
  --write            keep the figures in bench/results.json
  --rounds <n>       so many rounds
  --sizes <a,b>      of ${Object.keys(SIZES).join(', ')}
  --only <a,b>       of ${SCENARIOS.map(({ name }) => name).join(', ')}
  --no-starts        leave the start times out
  --mock <cli.js>    another build of wm-mock
`;

const FULL = { rounds: 7, starts: 11, ms: { warm: 700, busy: 1200, alone: 500 } };
const QUICK = { rounds: 3, starts: 5, ms: { warm: 400, busy: 1000, alone: 300 } };

const options = readOptions();
const folder = mkdtempSync(join(tmpdir(), 'wm-mock-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const say = (text) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
};

try {
  process.exitCode = await bench();
} catch (error) {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}
process.exit();

async function bench() {
  const { cli, sizes, only, rounds, starts: startRounds, ms } = options;
  const generator = startGenerator();
  const load = await measureLoad({ cli, folder, sizes, only, rounds, ms, generator, say });
  generator.stop();
  const starts = options.withStarts ? await measureStarts({ cli, folder, rounds: startRounds, say }) : undefined;
  const forks = await measureForks({ folder, sizes, say });
  say('');

  const result = summarize({ load, starts, forks, how: { node: process.version, cpu: cpus()[0].model, pinned, rounds, ms } });
  console.log(report(result));
  if (options.write) writeFileSync(new URL('results.json', import.meta.url), `${JSON.stringify(rounded(result), null, 2)}\n`);

  const missed = verdicts(result).filter(({ verdict }) => verdict === 'missed');
  if (missed.length === 0) return 0;
  const byCpu = ({ bar, scenario }) => (bar === 'pages' ? result.scenarios[scenario].sizes[PAGES.size].byCpu.median : Number.NaN);
  const neighbours = missed.filter((miss) => byCpu(miss) >= PAGES.least);
  for (const miss of missed) {
    const cpu = neighbours.includes(miss) ? `, but ×${byCpu(miss).toFixed(2)} by CPU time: other programs were running` : '';
    console.log(`Missed: ${miss.scenario} (${miss.bar}) ×${miss.value.toFixed(2)}${cpu}.`);
  }
  return options.gate && neighbours.length < missed.length ? 1 : 0;
}

function rounded(value) {
  if (typeof value === 'number') return Number(value.toPrecision(4));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rounded(inner)]));
}

function readOptions() {
  const flags = ['quick', 'gate', 'write', 'no-starts', 'help'].map((name) => [name, { type: 'boolean' }]);
  const texts = ['rounds', 'sizes', 'only', 'mock'].map((name) => [name, { type: 'string' }]);
  const { values } = orUsage(() => parseArgs({ options: Object.fromEntries([...flags, ...texts]) }));
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const set = values.quick ? QUICK : FULL;
  const cli = values.mock ?? fileURLToPath(new URL('../dist/node/cli.js', import.meta.url));
  return orUsage(() => {
    if (!existsSync(cli)) throw new Error(`${cli} is not there: run npm run build first`);
    const sizes = some(values.sizes, Object.keys(SIZES));
    const missing = [GROWTH.from, GROWTH.to, PAGES.size].find((size) => !sizes.includes(size));
    if (values.gate && missing) throw new Error(`--gate judges ${missing} tasks: leave that size in`);
    return {
      ...set,
      cli,
      rounds: values.rounds ? Math.max(1, Number.parseInt(values.rounds, 10)) : set.rounds,
      sizes,
      only: some(
        values.only,
        SCENARIOS.map(({ name }) => name),
      ),
      gate: values.gate,
      write: values.write,
      withStarts: !values['no-starts'],
    };
  });
}

function some(text, known) {
  const asked = text?.split(',') ?? known;
  const strange = asked.find((one) => !known.includes(one));
  if (strange !== undefined) throw new Error(`${strange} is none of ${known.join(', ')}`);
  return asked;
}

function orUsage(read) {
  try {
    return read();
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
}
