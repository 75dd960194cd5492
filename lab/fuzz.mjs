// Fuzzes /v1 and /_mock with raw bytes (--calls 100000, --seed 1): no call is answered 500, none stays without an answer or an end.
// --hosted: a world on workerd in place of Node.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startHosted, startMock } from '../.ci/start.mjs';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    hosted: { type: 'boolean', default: false },
  },
});
const CALLS = Number(values.calls);
const AT_ONCE = 50;
const PATIENCE_MS = 20_000;

// mulberry32
let state = Number(values.seed);
const chance = () => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const below = (n) => Math.floor(chance() * n);
const one = (list) => list[below(list.length)];

const folder = mkdtempSync(join(tmpdir(), 'wm-fuzz-'));
const mock = await (values.hosted ? startHosted(folder) : startMock('--plan', 'unlimited'));
/** Before each path: where a hosted world is. */
const WORLD = new URL(mock.baseUrl).pathname.replace(/\/v1$/, '');
const TOKEN = mock.token === undefined ? {} : { authorization: `Bearer ${mock.token}` };
const port = Number(new URL(mock.baseUrl).port);
const KEY = mock.key('admin');
const words = (text) => text.trim().split(/\s+/);
const PATHS = [
  ...words('tasks tasks?filter[status]=todo&sort=-due_date&limit=3 projects teams webhooks users/me workspace/members').map(
    (path) => `/v1/${path}`,
  ),
  ...words(`health state clock clock/advance keys faults requests?limit=2 deliveries choices snapshots worlds webhooks release
    compatibility data/users inbox/a inbox/a/messages inbox/a/respond workspaces reset`).map((path) => `/_mock/${path}`),
  ...words('/ /dashboard/requests /dashboard/settings /openapi.json /docs /worlds/w/v1/tasks /worlds/w/_mock/reset'),
];
/** What is put in somewhere. */
const BITS = [
  ...words(
    '%00 %zz %2e%2e ../ " \\ { [ ] } : , -1 1e999 null __proto__ \u{1f600} ? & # ; * chunked HTTP/1.0 Host:a Content-Length:9',
  ),
  ...['\0', '\r\n', '\r\n\r\n', '\ud800', '9'.repeat(40), 'a'.repeat(3000)],
];
const VALUES = [
  ...words('null 1 "" "a" [] {} -1 1e400 true ["todo"] "2025-01-20T09:00:00Z" "next" "1h" {"status":503} {"delay_ms":1} [200]'),
  `"${'x'.repeat(600)}"`,
];
const FIELDS =
  words(`title name status due_date assignee_id description effect match times by to now mode id from seed statuses url events
  member_ids release plan email role workspace_id __proto__`);

const body = () => `{${Array.from({ length: below(4) }, () => `"${one(FIELDS)}":${one(VALUES)}`).join(',')}}`;
const request = () => {
  const method = one(['GET', 'GET', 'POST', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'TRACE', 'get', 'X']);
  const text = method === 'GET' || method === 'HEAD' ? '' : body();
  const length = chance() < 0.05 ? one(['-1', '1e3', '9', '', '0x5']) : Buffer.byteLength(text);
  const path = WORLD + one(PATHS);
  const known = path.includes('/_mock/') ? (mock.token ?? KEY) : KEY;
  const key = chance() < 0.9 ? `Authorization: Bearer ${known}\r\n` : '';
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${key}Content-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${text}`;
};
const mutated = (text) => {
  const bytes = [...Buffer.from(text)];
  for (let i = below(4); i > 0; i--) {
    const at = chance() < 0.5 ? below(Math.min(60, bytes.length)) : below(bytes.length);
    const how = below(4);
    if (how === 0) bytes[at] = below(256);
    else if (how === 1) bytes.splice(at, 1 + below(8));
    else if (how === 2) bytes.splice(at, 0, ...Buffer.from(one(BITS)));
    else bytes.splice(at, 0, ...bytes.slice(at, at + below(30)));
  }
  return Buffer.from(bytes);
};

/** What comes back before the connection ends; a request that is cut off ends it itself. */
const call = (bytes) =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    let text = '';
    const timer = setTimeout(() => {
      text = 'hangs';
      socket.destroy();
    }, PATIENCE_MS);
    socket.on('data', (data) => {
      if (text.length < 600) text += data.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      done(text);
    });
  });

const statuses = {};
const problems = [];
let made = 0;
const lane = async () => {
  while (made < CALLS && problems.length < 10) {
    made += 1;
    const bytes = mutated(request());
    // A reset now and then, so that worlds and faults do not pile up; and no listener, whose stream has no end.
    if (bytes.includes('/events')) continue;
    const text = await call(bytes);
    const status = text === 'hangs' ? text : (/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 'closed');
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === '500') problems.push(`${text.slice(-300)}\n  ${JSON.stringify(bytes.toString('latin1').slice(0, 600))}`);
    if (status === 'hangs') problems.push(`no end: ${JSON.stringify(bytes.toString('latin1').slice(0, 600))}`);
    if (made % 500 === 0) await fetch(`${mock.controlUrl}/reset`, { method: 'POST', headers: TOKEN });
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, lane));
const alive = await fetch(`${mock.controlUrl}/health`).then(({ status }) => status, String);
if (alive !== 200) problems.push(`afterwards it answers ${alive}`);
console.log(
  `fuzz${values.hosted ? ' on workerd' : ''}: ${made} calls of raw bytes, seed ${values.seed}: ${Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')}; ${problems.length} problems`,
);
for (const problem of problems) console.log(`  ${problem}`);
await mock.stop();
rmSync(folder, { recursive: true, force: true });
process.exitCode = problems.length > 0 ? 1 : 0;
