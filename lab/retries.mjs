// Clients in Python and Go that retry get through a used-up window, a gateway that fails in HTML and a pause that is asked for: on a
// running clock, and on a frozen one that is moved on when they are refused. Those in JavaScript: docs/faults.md.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMock } from '../.ci/start.mjs';
import { ROOT, run } from '../.ci/tools.mjs';
import { cacheOf, call, pythonWith } from './shared.mjs';

const HOME = cacheOf('retries');
const PARTS = join(ROOT, 'examples/languages/retries');
mkdirSync(HOME, { recursive: true });

const python = join(pythonWith('tenacity==9.2.1', 'urllib3==2.8.0'), 'python');
const CLIENTS = { urllib3: [python, join(PARTS, 'clients.py')], tenacity: [python, join(PARTS, 'clients.py')] };
if (spawnSync('go', ['version']).status === 0) {
  cpSync(join(PARTS, 'main.go'), join(HOME, 'main.go'));
  const inHome = { cwd: HOME };
  if (!existsSync(join(HOME, 'go.mod'))) run('go', ['mod', 'init', 'example.test/retries'], inHome);
  run('go', ['get', 'github.com/hashicorp/go-retryablehttp@v0.7.8'], inHome);
  run('go', ['build', '-o', 'retries', '.'], inHome);
  CLIENTS['go-retryablehttp'] = [join(HOME, 'retries')];
} else console.log('go-retryablehttp: not tried, for there is no Go');

const mock = await startMock();
const GATEWAY = { status: 502, raw: '<html><h1>502 Bad Gateway</h1></html>' };

/** @returns the statuses that the client has met. */
const asked = async ([program, ...words], times, { base_url, control_url }, frozen) => {
  const statuses = async () => (await call(`${control_url}/requests`)).items.map(({ status }) => status);
  const before = (await statuses()).length;
  const env = { ...process.env, WM_BASE_URL: base_url };
  const child = spawn(program, [...words, String(times)], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  let ended;
  child.once('exit', (status) => (ended = status));
  child.once('error', (error) => (ended = error.message));
  for (let moved = 0; ended === undefined; await sleep(50)) {
    const refused = (await statuses()).filter((status) => status === 429).length;
    for (; frozen && moved < refused; moved += 1) await call(`${control_url}/clock/advance`, { by: '1s' });
  }
  if (ended !== 0) throw new Error(`${program} ends with ${ended}: ${await statuses()}`);
  return (await statuses()).slice(before);
};

for (const [name, words] of Object.entries(CLIENTS)) {
  for (const frozen of [false, true]) {
    const people = { users: [{ id: 'user_ada' }], api_keys: [{ value: 'wm_acme', scope: 'read', user_id: 'user_ada' }] };
    const workspace = { id: 'ws_acme', requests_per_minute: 3, window_ms: 1000, ...people };
    const seed = { ...(frozen && { now: '2025-01-20T09:00:00Z' }), workspaces: [workspace] };
    const world = await call(`${mock.controlUrl}/worlds`, { seed });
    const window = await asked([...words, name], 4, world, frozen);
    if (window.filter((status) => status === 200).length !== 4 || (frozen && !window.includes(429)))
      throw new Error(`${name}: a used-up window: ${window}`);
    await call(`${world.control_url}/clock/advance`, { by: '1m' });
    for (const effect of [GATEWAY, { status: 503, retry_after: 1 }])
      await call(`${world.control_url}/faults`, { effect, times: 1 });
    const failed = await asked([...words, name], 1, world, frozen);
    if (String(failed) !== '502,503,200') throw new Error(`${name}: a gateway and a pause: ${failed}`);
    console.log(`${name}: ${frozen ? 'frozen' : 'running'} clock: ${window}; ${failed}`);
  }
}
await mock.stop();
