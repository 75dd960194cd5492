// Events: each fault is found in its place, and nobody is blamed for how the letters of a conforming service come.
// Side by side: what is held back on the way to a receiver is waited for, and a run has a server and a clock of its own.
import { expect, test } from 'vitest';
import { freePort } from '../judge/free-port.ts';
import { type ContractOptions, runContract } from '../run.ts';
import { TestServer } from './test-server.ts';

const run = (server: TestServer, options: Partial<ContractOptions> = {}) =>
  runContract({
    baseUrl: 'http://127.0.0.1/v1',
    fetch: server.fetch,
    keys: server.roles(),
    time: server.clock,
    allow: ['webhooks'],
    reportDir: false,
    ...options,
  });

/** What a run says of events, deliveries and registrations that is not good. */
const blamed = ({ requirements }: Awaited<ReturnType<typeof run>>): string[] =>
  requirements
    .filter(({ id, status }) => /^WM-(EVT|DLV|HOOK)-/.test(id) && !['passed', 'observed'].includes(status))
    .filter(({ reason }) => reason !== 'NO_CONTROL')
    .map(({ id, reason }) => `${id} ${reason}`);

test.concurrent.each([
  ['comes minutes later', ['manner-late']],
  ['comes in any order', ['manner-shuffled']],
  ['comes twice now and then', ['manner-repeats-some']],
  ['leaves out an assignee who is not there', ['manner-leaves-out']],
  ['shows projects without an id', ['manner-nameless-projects']],
])('nobody is blamed whose post %s', async (_what, manners) => {
  expect(blamed(await run(new TestServer({ faults: manners, limit: 5000 })))).toEqual([]);
});

test.concurrent.each([-300_000, 300_000])('clocks that are %i ms apart are no fault', async (apart) => {
  const server = new TestServer({ limit: 5000 });
  const { clock } = server;
  const time = {
    now: () => clock.now() + apart,
    sleep: (ms: number) => clock.sleep(ms),
    after: (ms: number, job: () => void) => clock.after(ms, job),
    settle: () => clock.settle(),
    virtual: true,
  };
  const dated = async (url: string, init?: RequestInit) => {
    const answer = await server.fetch(url, init);
    answer.headers.set('date', new Date(clock.now()).toUTCString());
    return answer;
  };
  expect(blamed(await run(server, { time, fetch: dated }))).toEqual([]);
  expect(blamed(await run(server, { time }))).toEqual([]);
});

test.concurrent('what others do in the workspace is theirs', async () => {
  const server = new TestServer({ limit: 50_000 });
  const { admin } = server.roles();
  const ask = async (method: string, path: string, body?: object) => {
    const init = { method, headers: { authorization: `Bearer ${admin}` }, ...(body ? { body: JSON.stringify(body) } : {}) };
    return (await (await server.fetch(`http://127.0.0.1/v1${path}`, init)).json().catch(() => undefined)) as {
      data: { id: string };
    };
  };
  let busy = 0;
  const fetch = async (url: string, init?: RequestInit) => {
    if (++busy % 5 === 0) {
      const { data: project } = await ask('POST', '/projects', { name: `Theirs ${busy}` });
      const { data: task } = await ask('POST', `/projects/${project.id}/tasks`, { title: 'w'.repeat(200) });
      await ask('PATCH', `/tasks/${task.id}`, { title: 'theirs' });
      await ask('DELETE', `/projects/${project.id}`);
    }
    return server.fetch(url, init);
  };
  expect(blamed(await run(server, { fetch }))).toEqual([]);
});

test.concurrent('a second run on the same server and receiver, and two at once, hear their own events alone', async () => {
  const server = new TestServer({ limit: 50_000 });
  const receiverPort = await freePort();
  const first = await run(server, { receiverPort });
  const second = await run(server, { receiverPort });
  expect([...blamed(first), ...blamed(second)]).toEqual([]);
  const both = await Promise.all([run(server), run(server)]);
  expect(both.flatMap(blamed)).toEqual([]);
});

test.concurrent('a proxy may put more in front of the path of the receiver', async () => {
  const server = new TestServer({ limit: 5000 });
  const receiverPort = await freePort();
  const report = await run(server, { receiverPort, receiverUrl: `http://127.0.0.1:${receiverPort}/behind/a/proxy` });
  expect(blamed(report)).toEqual([]);
});

/** A server whose second and later registrations are refused, where they are such. */
const refusing = (status: number, code: string, such: (events: readonly string[]) => boolean = () => true) => {
  const server = new TestServer({ limit: 5000 });
  let made = 0;
  const fetch = async (url: string, init?: RequestInit) => {
    const answer = await server.fetch(url, init);
    if (!url.endsWith('/webhooks') || init?.method !== 'POST' || answer.status >= 300 || ++made < 2) return answer;
    if (!such(JSON.parse(String(init.body)).events)) return answer;
    const error = { code, message: 'One is enough.', details: { fields: [{ field: 'url', issue: 'is one too many' }] } };
    return new Response(JSON.stringify({ error }), { status, headers: answer.headers });
  };
  return run(server, { fetch });
};

test.concurrent.each([
  [409, 'conflict'],
  [422, 'validation_error'],
])('how many registrations a workspace may have is open: %i', async (status, code) => {
  const report = await refusing(status, code);
  expect(report.failures).toEqual([]);
  expect(blamed(report).every((said) => said.includes('NO_SECOND_REGISTRATION'))).toBe(true);
});

test.concurrent('a registration for some of the events is not refused where one for all of them is taken', async () => {
  const report = await refusing(422, 'validation_error', (events) => events.length < 5);
  expect(report.failures).toContain('WM-EP-019');
});

test.concurrent('a service that delivers nothing is told so once', async () => {
  const server = new TestServer({ faults: ['hook-silent'], limit: 5000 });
  expect((await run(server)).failures).toEqual(['WM-EVT-001']);
});
