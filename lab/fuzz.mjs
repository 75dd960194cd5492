// Fuzzes /v1 and /_mock with raw bytes that fast-check makes (--calls 100000, --seed 1): no call is answered 500, none stays without an
// answer or an end. --hosted: a world on workerd in place of Node.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { startHosted, startMock } from '../.ci/start.mjs';
import { words } from './shared.mjs';

const options = {
  calls: { type: 'string', default: '100000' },
  seed: { type: 'string', default: '1' },
  hosted: { type: 'boolean' },
};
const { values } = parseArgs({ options });
const AT_ONCE = 50;
const PATIENCE_MS = 20_000;

const folder = mkdtempSync(join(tmpdir(), 'wm-fuzz-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const mock = await (values.hosted ? startHosted(folder) : startMock('--plan', 'unlimited'));
/** Before each path: where a hosted world is. */
const { port, pathname } = new URL(mock.baseUrl);
const WORLD = pathname.replace(/\/v1$/, '');
const TOKEN = mock.token === undefined ? {} : { authorization: `Bearer ${mock.token}` };
const KEY = mock.key('admin');
const METHODS = words('GET GET POST POST PATCH DELETE PUT HEAD OPTIONS TRACE get X');
const PATHS = [
  ...words(`/v1/tasks /v1/tasks?filter[status]=todo&sort=-due_date&limit=3 /v1/projects /v1/teams /v1/webhooks /v1/users/me
    /v1/workspace/members / /dashboard/requests /dashboard/settings /openapi.json /docs /worlds/w/v1/tasks /worlds/w/_mock/reset`),
  ...words(`health state clock clock/advance keys faults requests?limit=2 deliveries choices snapshots worlds webhooks release
    compatibility data/users inbox/a inbox/a/messages inbox/a/respond workspaces reset`).map((path) => `/_mock/${path}`),
];
/** What is put in somewhere. */
const BITS = [
  ...words('%00 %zz %2e%2e ../ " \\ { [ ] } : , -1 1e999 null __proto__ \u{1f600} ? & # ; * chunked HTTP/1.0 Host:a'),
  ...['Content-Length:9', '\0', '\r\n', '\r\n\r\n', '\ud800', '9'.repeat(40), 'a'.repeat(3000)],
];
const VALUES = [
  ...words('null 1 "" "a" [] {} -1 1e400 true ["todo"] "2025-01-20T09:00:00Z" "next" "1h" {"status":503} {"delay_ms":1} [200]'),
  `"${'x'.repeat(600)}"`,
];
const FIELDS =
  words(`title name status due_date assignee_id description effect match times by to now mode id from seed statuses url events
  member_ids release plan email role workspace_id __proto__`);

const one = (list) => fc.constantFrom(...list);
const request = fc
  .record({
    method: one(METHODS),
    path: one(PATHS),
    fields: fc.array(fc.tuple(one(FIELDS), one(VALUES)), { maxLength: 3 }),
    wrongLength: one([...Array(95), '-1', '1e3', '9', '', '0x5']),
    known: fc.integer({ min: 0, max: 9 }),
  })
  .map(({ method, path, fields, wrongLength, known }) => {
    const text = /^(GET|HEAD)$/.test(method) ? '' : `{${fields.map(([name, value]) => `"${name}":${value}`).join(',')}}`;
    const key = path.includes('/_mock/') ? (mock.token ?? KEY) : KEY;
    return `${method} ${WORLD}${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${known === 0 ? '' : `Authorization: Bearer ${key}\r\n`}Content-Type: application/json\r\nContent-Length: ${wrongLength ?? Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`;
  });
/** What happens to the bytes at a place: another byte, some lost, something put in, some twice. */
const mutation = fc.record({
  at: fc.oneof(fc.nat(60), fc.nat(6000)),
  change: fc.oneof(
    fc.nat(255).map((byte) => () => ({ lost: 1, put: [byte] })),
    fc.integer({ min: 1, max: 8 }).map((lost) => () => ({ lost, put: [] })),
    one(BITS).map((bit) => () => ({ lost: 0, put: Buffer.from(bit) })),
    fc.nat(30).map((count) => (bytes, at) => ({ lost: 0, put: bytes.slice(at, at + count) })),
  ),
});
const call = fc.tuple(request, fc.array(mutation, { maxLength: 3 })).map(([text, mutations]) => {
  const bytes = [...Buffer.from(text)];
  for (const { at, change } of mutations) {
    const place = at % (bytes.length + 1);
    const { lost, put } = change(bytes, place);
    bytes.splice(place, lost, ...put);
  }
  return Buffer.from(bytes);
});

/** The status of the response, or how the connection ended; a request that is cut off ends it itself. */
const send = (bytes) =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    let [text, hangs] = ['', false];
    const timer = setTimeout(() => {
      hangs = true;
      socket.destroy();
    }, PATIENCE_MS);
    socket.on('data', (data) => {
      if (text.length < 600) text += data.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      done({ status: hangs ? 'hangs' : (/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 'closed'), text });
    });
  });

const statuses = {};
let made = 0;
const lone = async (bytes) => {
  made += 1;
  // A listener's stream has no end.
  if (bytes.includes('/events')) return;
  const { status, text } = await send(bytes);
  statuses[status] = (statuses[status] ?? 0) + 1;
  if (status === '500' || status === 'hangs')
    throw new Error(`${status}: ${text.slice(-300)}\n  ${JSON.stringify(bytes.toString('latin1').slice(0, 600))}`);
};
const batch = fc.asyncProperty(fc.array(fc.noBias(call), { minLength: AT_ONCE, maxLength: AT_ONCE }), async (calls) => {
  // A reset now and then, so that worlds and faults do not pile up.
  if (made % 500 === 0) await fetch(`${mock.controlUrl}/reset`, { method: 'POST', headers: TOKEN });
  await Promise.all(calls.map(lone));
});
const numRuns = Math.ceil(Number(values.calls) / AT_ONCE);
const { failed, errorInstance } = await fc.check(batch, { numRuns, seed: Number(values.seed), endOnFailure: true });
const alive = await fetch(`${mock.controlUrl}/health`).then(({ status }) => status, String);
const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
console.log(
  `fuzz${values.hosted ? ' on workerd' : ''}: ${made} calls of raw bytes, seed ${values.seed}: ${counts.join(', ')}; afterwards it answers ${alive}`,
);
if (failed) console.log(errorInstance.message);
process.exitCode = failed || alive !== 200 ? 1 : 0;
await mock.stop();
