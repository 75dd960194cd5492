// `npm run bench`: how fast wm-mock answers beside the most that its stack allows and beside its peers, and whether that holds as its data grow.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureAdversarial } from './adversarial.mjs';
import { excused, failures, GATED_SIZES, judge, tooBusy } from './bars.mjs';
import { measureInside } from './inside.mjs';
import { installCli } from './installed.mjs';
import { measureLoad } from './load.mjs';
import { RESULTS, writePage } from './page.mjs';
import { installPeers, readyPeers } from './peers.mjs';
import { pinned, startGenerator } from './processes.mjs';
import { measureProfile } from './profile.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { SIZES } from './seeds.mjs';
import { measureStarts } from './starts.mjs';
import { adversarialFigures, summarize } from './summary.mjs';
import { allTables } from './tables.mjs';
import { peerFiles, startLimit, startMock, startPeer } from './targets.mjs';
import { measureUnopened } from './unopened.mjs';

const USAGE = `npm run bench -- [options]
  --quick            few short rounds without peers (under 3 minutes); writes nothing
  --gate             exit 1 if a bar is missed by more than its gate
  --rounds <n>       so many rounds of load
  --sizes <a,b>      of ${Object.keys(SIZES).join(', ')}
  --only <a,b>       of ${SCENARIOS.map(({ name }) => name).join(', ')}
  --no-peers         without the peers
  --no-write         leave bench/results.json and docs/performance.md alone
  --mock <cli.js>    another build of wm-mock
`;

const MINUTE_MS = 60_000;
const FULL = {
  sizes: Object.keys(SIZES),
  rounds: 7,
  peerRounds: 3,
  peerSizes: ['1k', '10k', '100k'],
  ms: { warm: 500, busy: 900, alone: 350, peer: { busy: 500, alone: 250 } },
  loadMs: 9.5 * MINUTE_MS,
  adversarial: { rounds: 5, ms: 250 },
  starts: { rounds: 9, peerRounds: 5, crowds: 3 },
  inside: {
    forks: ['1k', '10k', '100k', '1M'],
    worlds: 1000,
    engine: ['10k', '100k'],
    engineMs: 200,
    rounds: 7,
    suiteRounds: 3,
    mutants: 24,
  },
};
const QUICK = {
  sizes: GATED_SIZES,
  rounds: 3,
  peerRounds: 0,
  peerSizes: [],
  ms: { warm: 300, busy: 500, alone: 250 },
  loadMs: 1.5 * MINUTE_MS,
  adversarial: { rounds: 3, ms: 200 },
  starts: { rounds: 9, peerRounds: 0, crowds: 1 },
  inside: { forks: ['1k', '100k'], worlds: 300, engine: ['100k'], engineMs: 100, rounds: 5 },
};

const built = () => fileURLToPath(new URL('../dist/node/cli.js', import.meta.url));
const options = readOptions();
const folder = mkdtempSync(join(tmpdir(), 'wm-mock-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const say = (text) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (process.env.WM_BENCH_LOG) process.stderr.write(`${(performance.now() / 1000).toFixed(0)} s ${text}\n`);
};

try {
  process.exitCode = await bench();
} catch (error) {
  console.error(`\n${error.stack}`);
  process.exitCode = 1;
}
process.exit();

async function bench() {
  const { plan, gate, write } = options;
  const missing = {};
  const cli = options.cli ?? (plan.peerRounds > 0 ? installed(missing) : built());
  const peers = plan.peerRounds > 0 ? readyOr(missing) : [];
  const scenarios = SCENARIOS.filter(({ name }) => options.only.includes(name));
  const generator = startGenerator();

  const mocks = [];
  for (const size of plan.sizes) {
    say(`starting wm-mock with ${size} tasks`);
    mocks.push(await startMock({ cli, folder, size, scenarios }));
  }
  const small = mocks[0];
  const targets = [await startLimit({ folder, mock: small }), await startLimit({ folder, mock: small, dressed: true }), ...mocks];
  const files = {};
  for (const size of plan.peerSizes) {
    files[size] = peers.length > 0 && (await peerFiles(folder, size));
    for (const peer of peers.filter(({ data }) => data || size === plan.peerSizes[0])) {
      say(`starting ${peer.name} with ${size} tasks`);
      await targetOr(missing, `${peer.name} ${size}`, async () =>
        targets.push(await startPeer({ peer, folder, size, files: files[size], scenarios })),
      );
    }
  }

  const untilMs = performance.now() + plan.loadMs;
  const load = await measureLoad({ ...plan, targets, scenarios, untilMs, generator, say });
  for (const target of targets) target.memoryAfterLoad = target.memory();
  const large = mocks.find(({ size }) => size === '100k') ?? small;
  const hostile = await measureAdversarial({ ...plan.adversarial, mock: large, generator, say });
  for (const target of targets) await target.stop();

  const starts = await measureStarts({ ...plan.starts, cli, folder, peers, files: files[plan.peerSizes[0]], say });
  const inside = await measureInside({ ...plan.inside, folder, say });
  if (plan.inside.suiteRounds) inside.unopened = await measureUnopened({ cli, folder, rounds: plan.starts.rounds, say });
  const profile =
    options.plan.inside.suiteRounds &&
    (await measureProfile({ cli, folder, scenario: 'list', size: large.size, generator, say }));
  generator.stop();
  say('');

  const minutes = performance.now() / MINUTE_MS;
  const how = { node: process.version, cpu: cpus()[0].model, cores: cpus().length, pinned, ms: plan.ms, minutes };
  const adversarial = adversarialFigures({ ...hostile, size: large.size });
  const result = rounded(
    summarize({ load, limit: targets[0], mocks, peers, missing, adversarial, starts, inside, profile, how }),
  );
  console.log(allTables(result));
  if (write) {
    writeFileSync(RESULTS, `${JSON.stringify(result, null, 2)}\n`);
    writePage(result);
  }
  return verdict(result, gate);
}

function verdict(result, gate) {
  const groups = judge(result);
  const failed = failures(groups);
  const rows = groups.flatMap(({ rows }) => rows).filter((row) => row.verdict === 'missed');
  for (const row of rows) {
    const why = excused(row)
      ? `, but ×${row.byCpu.toFixed(2)} by CPU time: other programs were running`
      : failed.includes(row)
        ? ', beyond its gate'
        : row.gate
          ? ', within its gate'
          : ' (not gated)';
    console.log(`Missed: ${row.what}: ${row.value.toFixed(2)}, bar ${row.bar}${why}.`);
  }
  if (tooBusy(result)) {
    const percent = (100 * result.how.share).toFixed(0);
    console.log(`NOT JUDGED: other programs left the servers ${percent} % of their core. Run it again on a quiet machine.`);
    return 0;
  }
  return gate && failed.length > 0 ? 1 : 0;
}

/** The package as users install it; the built one, said loudly, when that cannot be done. */
function installed(missing) {
  try {
    return installCli(say);
  } catch (error) {
    missing['the installed package'] = `measured as built instead: ${error.message}`;
    return built();
  }
}

function readyOr(missing) {
  try {
    return readyPeers(installPeers(say));
  } catch (error) {
    missing['all peers'] = error.message;
    return [];
  }
}

async function targetOr(missing, name, start) {
  try {
    await start();
  } catch (error) {
    missing[name] = error.message.slice(0, 300);
  }
}

function rounded(value) {
  if (typeof value === 'number') return Number(value.toPrecision(4));
  if (Array.isArray(value)) return value.map(rounded);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rounded(inner)]));
}

function readOptions() {
  const flags = ['quick', 'gate', 'no-peers', 'no-write', 'help'].map((name) => [name, { type: 'boolean' }]);
  const texts = ['rounds', 'sizes', 'only', 'mock'].map((name) => [name, { type: 'string' }]);
  const { values } = orUsage(() => parseArgs({ options: Object.fromEntries([...flags, ...texts]) }));
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  return orUsage(() => {
    if (!existsSync(values.mock ?? built())) throw new Error(`${values.mock ?? built()} is not there: run npm run build first`);
    const plan = { ...(values.quick ? QUICK : FULL) };
    if (values.sizes) plan.sizes = some(values.sizes, Object.keys(SIZES));
    if (values.rounds) plan.rounds = Math.max(1, Number.parseInt(values.rounds, 10));
    const within = (sizes) => sizes.filter((size) => plan.sizes.includes(size));
    plan.peerSizes = within(plan.peerSizes);
    plan.inside = { ...plan.inside, forks: within(plan.inside.forks), engine: within(plan.inside.engine) };
    if (values['no-peers']) [plan.peerRounds, plan.peerSizes] = [0, []];
    const missing = GATED_SIZES.find((size) => !plan.sizes.includes(size));
    if (values.gate && missing) throw new Error(`--gate judges ${missing} tasks: leave that size in`);
    const only = some(
      values.only,
      SCENARIOS.map(({ name }) => name),
    );
    return { plan, cli: values.mock, only, gate: values.gate, write: !values.quick && !values['no-write'] };
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
