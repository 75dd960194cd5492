// Kills saving and recording servers at random moments (kill -9), and looks for what they had said to be saved.
//   node lab/kills.mjs --kills 1000 --seed 1 --lanes 6
// After each kill both files are whole, hold all that an earlier look at them showed, and all that was acknowledged MAX_STALE_MS before.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { startMock } from '../.ci/start.mjs';
import { createMock, replay } from '../dist/node/index.js';

/** Files are written each second; a busy machine takes longer. */
const MAX_STALE_MS = 5000;
const MAX_LIFE_MS = 4000;
/** Rounds that go on from one file. */
const ROUNDS_PER_FILE = 10;
const REPLAY_EACH = 25;

const number = (value) => ({ type: 'string', default: String(value) });
const { values } = parseArgs({ options: { kills: number(1000), seed: number(1), lanes: number(6) } });
const [kills, seed, lanes] = [values.kills, values.seed, values.lanes].map(Number);
const lives = fc.sample(fc.noBias(fc.nat(MAX_LIFE_MS)), { numRuns: kills, seed });

const textOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
const namesIn = (file) => new Set(textOf(file).match(/kill-\d+-\d+\./g) ?? []);

/** Makes projects until the server is gone. @returns the moment of each acknowledgement, by its name */
const work = async ({ baseUrl, key }, round) => {
  const acknowledged = new Map();
  const headers = { authorization: `Bearer ${key('admin')}`, 'content-type': 'application/json' };
  for (let n = 0; ; n++) {
    const name = `kill-${round}-${n}.`;
    const response = await fetch(`${baseUrl}/projects`, { method: 'POST', headers, body: JSON.stringify({ name }) }).catch(
      () => {},
    );
    const body = await response?.text().catch(() => {});
    if (body === undefined) return acknowledged;
    if (response.status !== 201) note(`${round}: status ${response.status}`);
    else acknowledged.set(name, performance.now());
    await wait(20);
  }
};

const lost = [];
/** Told at once: a run takes long. */
const note = (line) => {
  lost.push(line);
  console.error(line);
};
let [begun, done, stalest, acknowledgedInAll] = [0, 0, 0, 0];

/** One life of a server: work, a kill, and a look at both files. */
const live = async (files, round) => {
  const [saved, recorded] = files;
  const server = await startMock('--plan', 'unlimited', '--save', saved, '--record', recorded);
  const shown = {};
  const look = setInterval(() => {
    for (const file of files) shown[file] = namesIn(file);
  }, 150);
  const working = work(server, round);
  await wait(lives[round - 1]);
  clearInterval(look);
  const killed = performance.now();
  await server.stop('SIGKILL');
  const acknowledged = await working;
  acknowledgedInAll += acknowledged.size;
  for (const file of files) {
    const there = namesIn(file);
    for (const name of shown[file] ?? []) if (!there.has(name)) note(`${round}: ${file} no longer has ${name}`);
    for (const [name, at] of acknowledged) {
      if (there.has(name)) continue;
      stalest = Math.max(stalest, killed - at);
      if (killed - at > MAX_STALE_MS) note(`${round}: ${file} lacks ${name}, acknowledged ${Math.round(killed - at)} ms before`);
    }
  }
  const notWhole = ({ message }) => note(`${round}: the seed file is not whole: ${message}`);
  const whole = await createMock({ seed: saved }).catch(notWhole);
  await whole?.close();
  const text = textOf(recorded);
  JSON.parse(text);
  if (round % REPLAY_EACH === 0 && (await replay(text)).difference) note(`${round}: the recording is not replayed alike`);
};

const root = mkdtempSync(join(tmpdir(), 'wm-mock-kills-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));
const lane = async (_, at) => {
  const folder = join(root, String(at));
  mkdirSync(folder);
  const files = ['state.yaml', 'session.wm.json'].map((name) => join(folder, name));
  for (let rounds = 0; begun < kills; rounds++) {
    if (rounds % ROUNDS_PER_FILE === 0) rmSync(files[0], { force: true });
    await live(files, ++begun);
    if (++done % 50 === 0) console.log(`${done} kills, ${acknowledgedInAll} changes, ${lost.length} lost`);
  }
  const last = await startMock('--save', files[0], '--record', files[1]);
  await last.stop();
  const left = readdirSync(folder).sort();
  if (left.join() !== 'session.wm.json,state.yaml') note(`left behind: ${left.join(', ')}`);
};
await Promise.all(Array.from({ length: Math.min(kills, lanes) }, lane));
console.log(
  `${kills} kills, ${acknowledgedInAll} changes acknowledged, the latest not yet written ${Math.round(stalest)} ms old, ${lost.length} lost`,
);
process.exit(lost.length > 0 ? 1 : 0);
