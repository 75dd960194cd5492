// Hosted worlds on a real workerd: they respond as Node does, and acknowledged writes outlive kill -9. Half a minute.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type RemoteMock } from '../../connect/connect.ts';
import { openReceiver } from '../../test/receiver.ts';
import { playedAt } from '../../test/session-steps.mjs';
import { createNodeMock } from '../create-mock.ts';
import { findWorkerd, type RunningWorkerd, startWorkerd } from './workerd.ts';

const run = promisify(execFile);
const OWNER = 'the-owner-of-all-of-this';
const NOW = '2025-01-20T09:00:00Z';
const env = { WM_OWNER_TOKEN: OWNER, WM_OPTIONS: '{"receivers":["127.0.0.1"]}' };

let folder: string;
let serving: RunningWorkerd;
let port = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wm-hosted-'));
  await start();
  port = Number(new URL(serving.origin).port);
});
afterAll(async () => {
  await kill();
  await rm(folder, { recursive: true, force: true });
});

const start = async () => {
  serving = await startWorkerd(findWorkerd(process.cwd()).default, folder, { host: '127.0.0.1', port, env });
};
const kill = async () => {
  serving.child.kill('SIGKILL');
  await serving.ended;
};
const crash = async () => {
  await kill();
  await start();
};

interface Tenant {
  readonly base_url: string;
  readonly control_url: string;
  readonly token: string;
}

const tenant = async (id: string, more: object = {}): Promise<Tenant> => {
  const headers = { authorization: `Bearer ${OWNER}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ id, seed: await readFile('fixtures/demo.yaml', 'utf8'), ...more });
  const response = await fetch(`${serving.origin}/_hosted/tenants`, { method: 'POST', headers, body });
  expect(response.status).toBe(201);
  return (await response.json()) as Tenant;
};

test('the contract suite is conformant, with nothing skipped', async () => {
  const { base_url, control_url, token } = await tenant('suite', { now: NOW });
  const words = [
    'contract',
    '--base-url',
    base_url,
    '--control-url',
    control_url,
    '--require-complete',
    '--report',
    join(folder, 'report'),
  ];
  const given = { ...process.env, WM_MOCK_CONTROL_TOKEN: token };
  const { stdout } = await run(process.execPath, ['dist/node/cli.js', ...words], { env: given, maxBuffer: 1e8 });
  expect(stdout).toContain('0 skipped');
  const report = JSON.parse(await readFile(join(folder, 'report/report.json'), 'utf8')) as { verdict: string };
  expect(report.verdict).toBe('conformant');
}, 120_000);

test('300 requests get the same bytes as from Node, though the process is killed in between', async () => {
  const mock = await createNodeMock({ seed: 'fixtures/demo.yaml', now: NOW });
  const server = await mock.listen({ port: 0 });
  const expected = await playedAt(server.baseUrl);
  await mock.close();
  const { base_url } = await tenant('transcript', { now: NOW });
  let crashes = 0;
  const transcript = await playedAt(base_url, async (sent) => {
    if (sent % 97 !== 96) return;
    // State that a read has changed is saved a moment later.
    await sleep(600);
    await crash();
    crashes += 1;
  });
  expect([transcript.length, crashes]).toEqual([300, 3]);
  expect(transcript).toEqual(expected);
}, 60_000);

test('kill -9 loses none of 200 acknowledged creates', async () => {
  const { base_url } = await tenant('crash');
  const headers = { authorization: 'Bearer wm_acme_admin', 'content-type': 'application/json' };
  const acknowledged: string[] = [];
  let [sent, killing] = [0, Promise.resolve()];
  const worker = async () => {
    while (acknowledged.length < 200) {
      const body = JSON.stringify({ name: `Project ${++sent}` });
      try {
        const response = await fetch(`${base_url}/projects`, { method: 'POST', headers, body });
        if (response.status === 201) acknowledged.push(((await response.json()) as { data: { id: string } }).data.id);
        else if (response.status === 429) await sleep(200);
        if (acknowledged.length > 0 && acknowledged.length % 50 === 0) killing = crash();
      } catch {
        // It was killed: this create got no response.
        await killing;
        await sleep(20);
      }
    }
  };
  await worker();
  await killing;
  await crash();
  const there = new Set<string>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const response: Response = await fetch(`${base_url}/projects?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`, {
      headers,
    });
    const { items, meta } = (await response.json()) as { items: { id: string }[]; meta: { next_cursor: string | null } };
    for (const { id } of items) {
      expect(there.has(id)).toBe(false);
      there.add(id);
    }
    cursor = meta.next_cursor;
  }
  expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
}, 60_000);

test('a retry that falls due while nothing runs is sent once, and a dead process is no excuse', async () => {
  let status = 500;
  const receiver = await openReceiver((_, response) => void response.writeHead(status).end());
  const { control_url, token } = await tenant('retry');
  const mock = await connect(control_url, { token });
  await mock.create.webhook({ url: receiver.url, events: ['project.created'] });
  await mock.create.project({ name: 'Announced' });
  await expect.poll(() => receiver.received.length).toBe(1);
  await expect.poll(async () => (await mock.deliveries).every(({ attempts }) => attempts.length === 1)).toBe(true);
  status = 204;
  await mock.clock.advance('27s');
  await kill();
  await sleep(4000);
  expect(receiver.received).toHaveLength(1);
  await start();
  // Without a request: the engine wakes the world.
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(2);
  await sleep(1000);
  const delivery = (await mock.deliveries).find(({ url }) => url === receiver.url);
  expect([receiver.received.length, delivery?.state]).toEqual([2, 'delivered']);
  await receiver.close();
}, 60_000);

test('the event stream of a quiet world ends so that it can sleep; a client that returns learns whether anything happened', async () => {
  const { control_url, token } = await tenant('quiet');
  const mock = await connect(control_url, { token });
  const readEvents = async (lastId?: string): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, ...(lastId !== undefined && { 'last-event-id': lastId }) };
    return (await fetch(`${control_url}/events`, { headers })).text();
  };
  const first = readEvents();
  await mock.create.project({ name: 'Seen' });
  const events = await first;
  expect(events).toContain('event: state');
  const [, id] = /retry: 30000\nid: (\S+)\nevent: rest\n/.exec(events)!;
  await crash();
  expect(await readEvents(id)).toBe(`: listening\n\nretry: 30000\nid: ${id}\nevent: rest\ndata: {}\n\n`);
  await mock.create.project({ name: 'Missed' });
  expect(await readEvents(id)).toContain('data: {"kind":"missed"}');
}, 60_000);

/** Megabytes that the engine has in memory. */
const resident = async (): Promise<number> =>
  Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${serving.child.pid}/status`, 'utf8'))?.[1]) / 1024;

test.skipIf(process.platform !== 'linux')('bodies that never end, of strangers at three worlds, share one bound', async () => {
  const worlds = await Promise.all(['flood-a', 'flood-b', 'flood-c'].map((id) => tenant(id)));
  const before = await resident();
  const { hostname, port } = new URL(serving.origin);
  const sockets = Array.from({ length: 720 }, (_, i) => {
    const socket = connectSocket(Number(port), hostname).on('error', () => {});
    const head = `POST ${new URL(worlds[i % 3]!.base_url).pathname}/projects HTTP/1.1\r\nHost: ${hostname}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 2000000\r\n\r\n`);
    socket.write(Buffer.alloc(1_048_576, 'a'));
    return socket;
  });
  let [last, now] = [0, before];
  for (; now > last; await sleep(3000)) [last, now] = [now, await resident()];
  for (const socket of sockets) socket.destroy();
  expect(now - before).toBeLessThan(500);
  expect((await fetch(`${worlds[0]!.control_url}/health`)).status).toBe(200);
});

test('a program holds a hosted world as any other: it forks it, has keys of its own at the plain /v1, and deletes it', async () => {
  const { control_url, token } = await tenant('program');
  const mock = await connect(control_url, { token });
  const fork: RemoteMock = await mock.fork({ id: 'pr-1', mintKeys: true });
  expect(fork.id).toBe('program~pr-1');
  const { id } = await fork.create.task({ title: 'Here alone' });
  const own = (await fork.keys).find(({ value, scope }) => value.startsWith('wm_program~pr-1_') && scope === 'read')!;
  const response = await fetch(`${serving.origin}/v1/tasks/${id}`, { headers: { authorization: `Bearer ${own.value}` } });
  expect([response.status, await mock.read.task(id)]).toEqual([200, undefined]);
  await fork.faults.add({ match: { operation: 'listTasks' }, effect: { abort: true } });
  await expect(fork.fetch('/tasks', { headers: await fork.auth('read') }).then((response) => response.text())).rejects.toThrow();
  await fork.close();
  await expect(fork.read.tasks()).rejects.toMatchObject({ status: 404 });
});
