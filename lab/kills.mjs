// Kills a saving and recording server at random moments (kill -9), and looks for what it had said to be saved.
//   node lab/kills.mjs --kills 1000 --seed 1
// After each kill both files are whole, hold all that an earlier look at them showed, and all that was acknowledged MAX_STALE_MS before.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const CLI = 'dist/node/cli.js';
/** Files are written each second; a busy machine takes longer. */
const MAX_STALE_MS = 5000;
const MAX_LIFE_MS = 4000;
/** Rounds that go on from one file. */
const ROUNDS_PER_FILE = 10;
const REPLAY_EACH = 25;

const { values } = parseArgs({ options: { kills: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } } });
const kills = Number(values.kills);
let state = Number(values.seed);
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};

const folder = mkdtempSync(join(tmpdir(), 'wm-mock-kills-'));
const [saved, recorded] = [join(folder, 'state.yaml'), join(folder, 'session.wm.json')];
const textOf = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

const start = async () => {
  const child = spawn(
    process.execPath,
    [CLI, '--json', '--port', '0', '--plan', 'unlimited', '--save', saved, '--record', recorded],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise((done) => child.once('exit', done));
  for await (const line of createInterface({ input: child.stdout })) {
    const { base_url, keys } = JSON.parse(line);
    child.stdout.resume();
    const { value } = keys.find(({ scope }) => scope === 'admin');
    return { child, ended, base: base_url, headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' } };
  }
  throw new Error('the server did not start: is a file not whole, or still locked?');
};

const run = (...words) =>
  new Promise((done) => spawn(process.execPath, [CLI, ...words], { stdio: ['ignore', 'ignore', 'inherit'] }).once('exit', done));

/** Makes projects until the server is gone. @returns the moment of each acknowledgement, by its name */
const work = async ({ base, headers }, round, acknowledged) => {
  for (let n = 0; ; n++) {
    const name = `kill-${round}-${n}.`;
    try {
      const response = await fetch(`${base}/projects`, { method: 'POST', headers, body: JSON.stringify({ name }) });
      await response.arrayBuffer();
      if (response.status !== 201) throw new Error(`status ${response.status}`);
    } catch {
      return;
    }
    acknowledged.set(name, performance.now());
    await new Promise((done) => setTimeout(done, 20));
  }
};

/** Names of a file; it must be whole. */
const namesIn = (file) => new Set(textOf(file).match(/kill-\d+-\d+\./g) ?? []);
const lost = [];
/** Told at once: a run takes hours. */
const note = (line) => {
  lost.push(line);
  console.error(line);
};
let [stalest, acknowledgedInAll] = [0, 0];
for (let round = 1; round <= kills; round++) {
  if (round % ROUNDS_PER_FILE === 1) rmSync(saved, { force: true });
  const server = await start();
  const acknowledged = new Map();
  const shown = { [saved]: new Set(), [recorded]: new Set() };
  const look = setInterval(() => {
    for (const file of [saved, recorded]) shown[file] = namesIn(file);
  }, 150);
  const working = work(server, round, acknowledged);
  await new Promise((done) => setTimeout(done, random() * MAX_LIFE_MS));
  clearInterval(look);
  server.child.kill('SIGKILL');
  const killed = performance.now();
  await Promise.all([server.ended, working]);
  acknowledgedInAll += acknowledged.size;
  for (const file of [saved, recorded]) {
    const there = namesIn(file);
    for (const name of shown[file]) if (!there.has(name)) note(`${round}: ${file} no longer has ${name}`);
    for (const [name, at] of acknowledged) {
      if (there.has(name)) continue;
      stalest = Math.max(stalest, killed - at);
      if (killed - at > MAX_STALE_MS) note(`${round}: ${file} lacks ${name}, acknowledged ${Math.round(killed - at)} ms before`);
    }
  }
  if ((await run('check', saved)) !== 0) note(`${round}: the seed file is not whole`);
  if (round % REPLAY_EACH === 0 && (await run('replay', recorded)) !== 0) note(`${round}: the recording is not replayed alike`);
  JSON.parse(textOf(recorded));
  if (round % 10 === 0) console.log(`${round} kills, ${acknowledgedInAll} changes, ${lost.length} lost`);
}
const last = await start();
last.child.kill('SIGTERM');
await last.ended;
const left = readdirSync(folder).sort();
if (left.join() !== 'session.wm.json,state.yaml') note(`left behind: ${left.join(', ')}`);
rmSync(folder, { recursive: true, force: true });
console.log(
  `${kills} kills, ${acknowledgedInAll} changes acknowledged, the latest not yet written ${Math.round(stalest)} ms old, ${lost.length} lost`,
);
process.exit(lost.length > 0 ? 1 : 0);
