// Infrastructure is not the service: its failures are repeated where that is safe, counted, and not blamed on the service.
import { expect, test } from 'vitest';
import type { Check } from '../engine/check.ts';
import { INFRA_LIMITS } from '../engine/infra.ts';
import { runCheck } from '../engine/plan.ts';
import { Recorder } from '../engine/recorder.ts';
import type { Fetch } from '../engine/terms.ts';
import type { Tools } from '../engine/tools.ts';
import { Trail } from '../engine/trail.ts';
import { Blocked } from '../engine/unjudged.ts';
import { summary } from '../report/summary.ts';
import { type ContractOptions, exitStatus, terminal } from '../run.ts';
import { runOn } from './runs.ts';
import { TestServer } from './test-server.ts';

interface Seen {
  readonly method: string;
  /** Below /v1. */
  readonly path: string;
  readonly body: string;
  /** How many calls with this method and kind of path came before. */
  readonly nth: number;
}

/** Responds in place of the server, which may have served before; undefined: the server responds. */
type Between = (call: Seen, serve: () => Promise<Response>) => Promise<Response> | Response | undefined;

const between = (fetch: Fetch, make: Between): Fetch => {
  const counts = new Map<string, number>();
  return async (url, init = {}) => {
    const { method = 'GET' } = init;
    const path = new URL(url).pathname.slice('/v1'.length);
    const kind = `${method} ${path.replace(/\/[0-9a-f-]{36}/g, '/*')}`;
    const nth = counts.get(kind) ?? 0;
    counts.set(kind, nth + 1);
    const serve = () => fetch(url, init);
    return (await make({ method, path, body: String(init.body ?? ''), nth }, serve)) ?? serve();
  };
};

const run = (server: TestServer, make: Between, options: Partial<ContractOptions> = {}) =>
  runOn(server, { ...options, through: (fetch) => between(fetch, make) });

const lost = (code: string): never => {
  throw Object.assign(new TypeError('fetch failed'), { cause: { code } });
};
const html = (status: number, text = '<html><center><h1>Bad Gateway</h1></center></html>') =>
  new Response(text, { status, headers: { 'content-type': 'text/html' } });
const json = (status: number, body: unknown, headers: Record<string, string> = {}) => Response.json(body, { status, headers });
const internal = (served: Response) =>
  json(500, { error: { code: 'internal_error', message: 'Oops.' } }, Object.fromEntries(served.headers));

const FAILURES: readonly (readonly [string, string, () => Response])[] = [
  ['a reset', 'reset', () => lost('ECONNRESET')],
  ['a closed socket', 'reset', () => lost('UND_ERR_SOCKET')],
  ['a refused connection', 'refused', () => lost('ECONNREFUSED')],
  ['no response in time', 'timeout', () => lost('UND_ERR_HEADERS_TIMEOUT')],
  ['502 of a gateway', 'gateway-502', () => html(502)],
  ['503 without a body', 'gateway-503', () => new Response('', { status: 503 })],
  ['504 as JSON of a gateway', 'gateway-504', () => json(504, { message: 'Endpoint request timed out' })],
  ['500 as HTML', 'gateway-500', () => html(500)],
  ['a 403 page of a gateway', 'gateway-403', () => html(403, '<html>Attention Required! | Cloudflare</html>')],
  ['a 429 page of a gateway', 'gateway-429', () => html(429)],
];

/** Each kind by turns, from another one on each time: so each meets other requests. */
test.each([
  ['none of which was served', 0, false],
  ['none of which was served, in another order', 3, false],
  ['which were served', 0, true],
  ['which were served, in another order', 3, true],
])('failures of every kind, %s, are repeated, counted and not blamed', async (_says, from, served) => {
  const kinds = FAILURES.filter(([, kind]) => !served || kind !== 'refused');
  const server = new TestServer({ limit: 5000 });
  const met: string[] = [];
  const report = await run(server, ({ nth }, serve) => {
    if (nth !== 1 && nth !== 3) return undefined;
    const [, kind, fail] = kinds[(from + met.length) % kinds.length]!;
    met.push(kind);
    return served ? serve().then(fail) : fail();
  });
  expect(report.failures).toEqual([]);
  expect(report.error).toBeUndefined();
  expect(report.infra.map((event) => event.kind)).toEqual(met);
  expect(new Set(met)).toEqual(new Set(kinds.map(([, kind]) => kind)));
  expect(report.infra[0]).toEqual({
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    kind: met[0],
    request: expect.stringMatching(/^[A-Z]+ \//),
  });
  expect(server.litter()).toEqual([]);
});

test('a create whose response got lost is found by its name, removed and repeated; it is never made twice', async () => {
  const server = new TestServer({ limit: 5000 });
  const names: string[] = [];
  const report = await run(server, async ({ method, path, body, nth }, serve) => {
    if (method !== 'POST' || path !== '/projects') return undefined;
    const response = await serve();
    if (response.status === 201) names.push((JSON.parse(body) as { name: string }).name);
    if (nth === 1) lost('ECONNRESET');
    return response;
  });
  expect(report.failures).toEqual([]);
  expect(names.length).toBe(new Set(names).size + 1);
  expect(server.litter()).toEqual([]);
});

test('a registration whose response got lost is not made again', async () => {
  const server = new TestServer({ limit: 5000 });
  let registrations = 0;
  const report = await run(
    server,
    async ({ path }, serve) => {
      if (path !== '/webhooks') return undefined;
      registrations++;
      await serve();
      return lost('ECONNRESET');
    },
    { profile: 'full', allow: ['webhooks'], only: ['events/announced'] },
  );
  expect(registrations).toBe(1);
  expect(report.failures).toEqual([]);
  expect(report.requirements.find(({ id }) => id === 'WM-EVT-001')?.reason).toBe('INFRA(reset)');
});

test('a 500 that comes once is no violation, one that comes again is', async () => {
  const once = await run(new TestServer({ limit: 5000 }), ({ method, path, nth }, serve) =>
    method === 'GET' && path === '/teams' && nth === 1 ? serve().then(internal) : undefined,
  );
  expect(once.failures).toEqual([]);
  expect(once.infra.map(({ kind }) => kind)).toEqual(['flaky-500']);
  const always = await run(new TestServer({ limit: 5000 }), ({ method, path }, serve) =>
    method === 'GET' && path === '/teams' ? serve().then(internal) : undefined,
  );
  expect(always.failures).toContain('WM-ERR-014');
  expect(exitStatus(always)).toBe(1);
});

test('a DELETE that returns 500 though it was done is a violation the second time', async () => {
  const report = await run(
    new TestServer({ limit: 5000 }),
    ({ method, path }, serve) =>
      method === 'DELETE' && path.startsWith('/tasks/')
        ? serve().then((response) => (response.status === 204 ? internal(new Response()) : response))
        : undefined,
    { profile: 'full', only: ['deletion/', 'WM-ERR-014'] },
  );
  expect(report.failures).toContain('WM-ERR-014');
});

test('a target that is gone in the middle ends the run with exit status 2 and what was seen so far', async () => {
  const server = new TestServer({ limit: 5000 });
  let calls = 0;
  const report = await run(server, () => (++calls > 80 ? lost('ECONNREFUSED') : undefined));
  expect(report.verdict).toBe('error');
  expect(exitStatus(report)).toBe(2);
  expect(report.error).toContain(`${INFRA_LIMITS.inARow} requests in a row got no response of the service`);
  expect(report.failures).toEqual([]);
  expect(report.requirements.filter(({ status }) => status === 'passed').length).toBeGreaterThan(20);
  expect(report.left_behind.map(({ path }) => path)).toContainEqual(expect.stringMatching(/^\/projects\//));
});

test('a gateway that fails too often ends the run with exit status 2, whatever else was found', async () => {
  const server = new TestServer({ limit: 5000, faults: ['first-field-only', 'patch-unchecked'] });
  let calls = 0;
  const report = await run(server, () => (++calls % 4 === 0 ? html(502) : undefined), { profile: 'full' });
  expect(report.verdict).toBe('error');
  expect(exitStatus(report)).toBe(2);
  expect(report.infra.length).toBeGreaterThan(INFRA_LIMITS.atLeast);
});

test('a service that returns its own errors as HTML is no gateway', async () => {
  const report = await run(new TestServer({ limit: 5000 }), ({ method, path }, serve) =>
    method === 'GET' && path.startsWith('/projects/')
      ? serve().then((response) => (response.status === 404 ? html(404, '<pre>Cannot GET</pre>') : response))
      : undefined,
  );
  expect(report.failures).toContain('WM-GEN-001');
  expect(report.infra).toEqual([]);
});

test('cleaning up continues after a failure, tries each thing twice, and says what stays', async () => {
  const server = new TestServer({ limit: 5000 });
  let stubborn = '';
  const lines: string[] = [];
  const report = await run(
    server,
    async ({ method, path, body }, serve) => {
      if (method === 'POST' && path === '/projects' && body.includes('-side')) {
        const response = await serve();
        stubborn = `/projects/${((await response.clone().json()) as { data: { id: string } }).data.id}`;
        return response;
      }
      return method === 'DELETE' && path === stubborn ? json(409, { error: { code: 'conflict', message: 'No.' } }) : undefined;
    },
    { log: (line) => lines.push(line) },
  );
  expect(report.left_behind).toEqual([{ path: stubborn, as: 'write', why: 'DELETE returns 409' }]);
  expect(lines).toContain(`cleanup: ${stubborn} (write) stays: DELETE returns 409`);
  expect(server.litter().length).toBe(1);
});

test('one failure is one, and two are failures', async () => {
  const report = await runOn([]);
  const [one, two] = [1, 2].map((count) => ({
    ...report,
    infra: Array.from({ length: count }, () => ({ at: report.started_at, kind: 'flaky-500', request: 'GET /tasks' }) as never),
  }));
  expect(terminal(one!)).toContain('- 1 failure between the run and the service, no violations: flaky-500');
  expect(terminal(two!)).toContain('- 2 failures between the run and the service, no violations: flaky-500');
  expect(summary(one!)).toContain('- 1 failure between the run and the service\n');
  expect(summary(two!)).toContain('- 2 failures between the run and the service\n');
});

test.each([
  ['nothing', ['WM-EP-016'], () => {}],
  ['a response that got lost', [], (t: { events: object[] }) => t.events.push({ kind: 'reset' })],
  ['a user who has left', [], (t: { doubts: boolean }) => Object.assign(t, { doubts: true })],
])('a check that cannot continue and what %s explains', async (_what, failures, happens) => {
  const state = { events: [] as object[], doubts: false };
  const oracle = {
    get doubts() {
      return state.doubts;
    },
  };
  const tools = { parts: { client: { infra: { events: state.events } }, oracle } } as unknown as Tools;
  const record = new Recorder();
  const run = async () => {
    happens(state);
    throw new Blocked('WM-EP-016');
  };
  const check: Check = { id: 'teams/create', says: '', covers: ['WM-EP-016'], profile: 'full', run };
  await runCheck(check, undefined, tools, record, new Trail());
  expect(record.findings.filter(({ status }) => status === 'failed').map(({ requirement }) => requirement)).toEqual(failures);
});
