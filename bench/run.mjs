// `npm run bench`: how fast wm-mock answers beside the most that its stack allows and beside its peers, and whether that holds as its data grow.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { GATED_SIZES, judge } from './bars.mjs';
import { compareWithLast } from './last.mjs';
import { measureLoad, summarize } from './load.mjs';
import { startPeers } from './peers.mjs';
import { report } from './report.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { generatedSeed, SIZES, tasksIn, writtenSeed } from './seeds.mjs';
import { here, measureStarts, pinned, startLimit, startMock } from './servers.mjs';

const USAGE = `node bench/run.mjs [options]      prints its report as Markdown
  --quick           few short rounds, two sizes, no peers (three to six minutes, no network)
It warns of what is far from its bar, names what moved since the last run on this machine, and fails nothing.`;

const FULL = { sizes: Object.keys(SIZES), rounds: 7, ms: 900, peers: true, inMs: 100, forks: 1000, queries: 30_000 };
const QUICK = { sizes: GATED_SIZES, rounds: 5, ms: 500, peers: false, inMs: 60, forks: 300, queries: 10_000 };

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, help: { type: 'boolean' } } });
const CLI = here('../dist/node/cli.js');
const plan = values.quick ? QUICK : FULL;
const say = (text) => process.stderr.isTTY && process.stderr.write(`\r\x1b[K${text}`);

/** Runs a script of inside/ by itself and reads the JSON that it prints. */
const inside = (script, ...args) => {
  say(`in process: ${script} ${args.join(' ')}`);
  const words = ['--expose-gc', here(`inside/${script}.mjs`), ...args.map(String)];
  return JSON.parse(execFileSync(process.execPath, words, { cwd: here('..'), encoding: 'utf8' }));
};

const underLoad = async (folder, missing) => {
  const mocks = [];
  for (const size of plan.sizes) {
    say(`starting wm-mock with ${size} tasks`);
    mocks.push(await startMock({ cli: CLI, folder, size }));
  }
  say('starting wm-mock with its log lines');
  mocks.push(await startMock({ cli: CLI, folder, size: '100k', flags: ['--json'] }));
  const limit = await startLimit(mocks[0], join(folder, 'page.json'));
  const peers = plan.peers ? await startPeers({ folder, sizes: ['1k', '100k'], missing, say }) : [];
  const servers = [limit, ...mocks, ...peers];
  const rows = await measureLoad({ servers, scenarios: Object.keys(SCENARIOS), rounds: plan.rounds, ms: plan.ms, say });
  const memory = {};
  for (const { name, restMegabytes, atRest } of mocks) {
    const after = await atRest();
    memory[name] = { restMegabytes, afterLoadMegabytes: after, ratio: after / restMegabytes };
  }
  for (const server of servers) await server.stop();
  return { load: summarize(rows), memory };
};

const measure = async (folder) => {
  const missing = {};
  const { load, memory } = await underLoad(folder, missing);
  say('starting again and again');
  const start = await measureStarts({ cli: CLI, seed: writtenSeed(folder), rounds: 40 });
  const large = generatedSeed(folder, '100k');
  const service = inside('service', large, tasksIn('100k'), 7, plan.inMs);
  const among = inside('among', large, plan.queries);
  const forks = Object.fromEntries(plan.sizes.map((size) => [size, inside('forks', generatedSeed(folder, size), plan.forks)]));
  const dashboard = inside('dashboard', 2, plan.inMs / 4);
  const minutes = performance.now() / 60_000;
  const place = pinned ? 'servers on one core, the load on another' : 'no cores of their own';
  const how = { node: process.version, cpu: cpus()[0].model, cores: cpus().length, place, rounds: plan.rounds, minutes };
  return { how, missing, load, memory, start, service, among, forks, dashboard };
};

if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
if (!existsSync(CLI)) throw new Error(`${CLI} is not there: run npm run build first`);
const folder = mkdtempSync(join(tmpdir(), 'wm-mock-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const result = await measure(folder);
const rows = judge(result);
say('');
console.log(report(result, rows));
for (const { what, verdict } of rows) if (verdict === 'far off') console.log(`Warning, beyond its gate: ${what}`);
compareWithLast(result.how, rows);
process.exit();
