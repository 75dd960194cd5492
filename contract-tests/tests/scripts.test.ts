// A script for each failure: it shows the violation on a clean workspace, with a shell and curl alone.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { ContractOptions } from '../run.ts';
import { freshFolder, runOn } from './runs.ts';
import { TestServer } from './test-server.ts';

const folder = freshFolder();
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** The reference server on a socket, and the variables that a script asks for. */
const listening = async (faults: readonly string[]) => {
  const server = new TestServer({ faults, limit: 5000 });
  open.push(server);
  return { server, env: environment(await server.listen(), server) };
};

const environment = (baseUrl: string, server: TestServer, more: Record<string, string> = {}) => ({
  PATH: process.env.PATH,
  WM_BASE_URL: baseUrl,
  WM_API_KEY_ADMIN: server.roles().admin,
  WM_API_KEY_WRITE: server.roles().write,
  WM_API_KEY_READ: server.roles().read,
  WM_API_KEY_OTHER_WORKSPACE: server.roles().other,
  ...more,
});

/** Runs a script to its end, while the server of this process answers. */
const repeat = (id: string, env: NodeJS.ProcessEnv): Promise<{ status: number; out: string; err: string }> =>
  new Promise((done) => {
    const child = execFile('sh', [folder.at(`failures/${id}.sh`)], { env, cwd: folder.path }, (_, out, err) =>
      done({ status: child.exitCode ?? -1, out, err }),
    );
  });

/** The last answer that a script shows. */
const lastBody = (out: string): unknown =>
  JSON.parse(/^ {4}(\{.*\})$/gm.exec(out.slice(out.lastIndexOf('    HTTP')))?.[1] ?? 'null');

/** The last answer that the report shows of a violation. */
const recorded = (id: string): { items: unknown[]; meta: { total: number } } => {
  const { evidence } = folder.report().requirements.find((result) => result.id === id)!;
  return JSON.parse(evidence![0]!.exchanges.at(-1)!.body);
};

const find = (faults: readonly string[], options: Partial<ContractOptions> = {}) =>
  runOn(faults, { reportDir: folder.path, profile: 'full', ...options });

test('a write that should be refused: the record that it needs is made first', async () => {
  await find(['patch-unchecked'], { profile: 'core' });
  const id = folder.report().failures[0]!;
  const faulty = await listening(['patch-unchecked']);
  const { status, out } = await repeat(id, faulty.env);
  expect([status, out.match(/PATCH .*: 202 \(in the run: 202\)/) !== null]).toEqual([0, true]);
  expect(out).toMatch(/expected: .*(400|422).*\ngot in the run: .*202/);
  const mended = await listening([]);
  const again = await repeat(id, mended.env);
  expect([again.status, again.out.match(/PATCH .*: 4\d\d \(in the run: 202\)/) !== null]).toEqual([1, true]);
});

test('a read of several pages: the list is made as it was, and the cursor is that of this workspace', async () => {
  await find(['has-more-on-exact']);
  const faulty = await listening(['has-more-on-exact']);
  const shown = await repeat('WM-META-013', faulty.env);
  const seen = lastBody(shown.out) as { items: unknown[]; meta: object };
  const { items, meta } = recorded('WM-META-013');
  expect([shown.status, seen.items.length, seen.meta]).toMatchObject([0, items.length, { total: meta.total, has_more: true }]);
  const mended = await listening([]);
  expect(lastBody((await repeat('WM-META-013', mended.env)).out)).toMatchObject({
    meta: { total: meta.total, has_more: false },
  });
});

test('a cascade: what was deleted on the way is deleted again', async () => {
  await find(['tasks-outlive-project']);
  const id = folder.report().failures[0]!;
  const faulty = await listening(['tasks-outlive-project']);
  const shown = await repeat(id, faulty.env);
  expect([shown.status, shown.out.match(/GET .*: 200 \(in the run: 200\)/) !== null]).toEqual([0, true]);
  const mended = await listening([]);
  expect((await repeat(id, mended.env)).out).toMatch(/GET .*: 404 \(in the run: 200\)/);
});

test('two workspaces: each record is made with the key of its own', async () => {
  await find(['no-isolation']);
  const id = folder.report().failures[0]!;
  const faulty = await listening(['no-isolation']);
  expect((await repeat(id, faulty.env)).status).toBe(0);
  const mended = await listening([]);
  const { status, out } = await repeat(id, mended.env);
  expect([status, out.includes(': 404 (in the run: ')]).toEqual([1, true]);
});

test('events: the registration is made at a receiver of the reader', async () => {
  await find(['hook-snake-name'], { allow: ['webhooks'] });
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    request.on('data', (part) => received.push(String(part)));
    request.on('end', () => response.end());
  });
  open.push(asClosable(receiver));
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const faulty = await listening(['hook-snake-name']);
  const missing = await repeat('WM-EVT-019', faulty.env);
  expect([missing.status, missing.err]).toEqual([2, expect.stringContaining('set WM_WEBHOOK_RECEIVER_URL')]);
  expect((await repeat('WM-EVT-019', { ...faulty.env, WM_WEBHOOK_RECEIVER_URL: url })).status).toBe(0);
  await faulty.server.clock.settle();
  await expect.poll(() => received.join('\n')).toMatch(/"event":"[a-z]+_created"/);
});

const asClosable = (server: Server) => ({
  close: () => new Promise<void>((done) => void server.close(() => done())),
});

/** The reference server with ids that no URL and no shell takes as they are. */
const strange = (server: TestServer, odd: string) => {
  const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  const inJson = JSON.stringify(odd).slice(1, -1);
  const bare = (text: string) => encodeURIComponent(decodeURIComponent(text).replace(odd, ''));
  const undressed = (url: string): string => {
    const { origin, pathname, searchParams } = new URL(url);
    const query = new URLSearchParams([...searchParams].map(([name, value]) => [name, value.replace(odd, '')]));
    return `${origin}${pathname.split('/').map(bare).join('/')}?${query}`;
  };
  return async (url: string, init: RequestInit = {}): Promise<Response> => {
    const body = init.body === undefined ? {} : { body: String(init.body).replaceAll(inJson, '') };
    const answer = await server.fetch(undressed(url), { ...init, ...body });
    if (answer.status === 204) return answer;
    return new Response(
      (await answer.text()).replace(UUID, (id) => inJson + id),
      answer,
    );
  };
};

const ODD = `a/b c?d&e"f'g$h\`i\\j%k+é=`;

/** A function as a server on a socket. */
const served = async (fetch: (url: string, init: RequestInit) => Promise<Response>): Promise<string> => {
  const door = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += String(part);
    const { method = 'GET', headers } = request;
    const init = { method, headers: headers as Record<string, string>, ...(text === '' ? {} : { body: text }) };
    const answer = await fetch(`http://127.0.0.1${request.url}`, init);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  open.push(asClosable(door));
  await new Promise<void>((done) => door.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(door.address() as AddressInfo).port}/v1`;
};

test('ids may have any characters', async () => {
  const server = new TestServer({ faults: ['has-more-on-exact'], limit: 5000 });
  await find([], { fetch: strange(server, ODD), keys: server.roles(), only: ['WM-META-013'] });
  expect(folder.report().failures).toEqual(['WM-META-013']);
  const other = new TestServer({ faults: ['has-more-on-exact'], limit: 5000 });
  const env = environment(await served(strange(other, ODD)), other);
  const { status, out, err } = await repeat('WM-META-013', env);
  expect([status, err]).toEqual([0, '']);
  expect(lastBody(out)).toMatchObject({ meta: { total: recorded('WM-META-013').meta.total, has_more: true } });
});

test('what a target answers is no command of a script', async () => {
  const hostile = `\n touch pwned\n;touch pwned;$(touch pwned)\`touch pwned\`'"$(touch pwned)`;
  const server = new TestServer({ faults: ['has-more-on-exact'], limit: 5000 });
  await find([], { fetch: strange(server, hostile), keys: server.roles(), only: ['WM-META-013', 'WM-ENV-005'] });
  const env = environment(await served(strange(server, hostile)), server);
  const { failures } = folder.report();
  expect(failures).toContain('WM-META-013');
  for (const id of failures) expect((await repeat(id, env)).out).toContain('in the run');
  expect(existsSync(folder.at('pwned'))).toBe(false);
});

test('no key, no secret and no header of a gateway is in a script; it asks for each by its name', async () => {
  const server = new TestServer({ faults: ['has-more-on-exact', 'no-isolation'], limit: 5000 });
  const headers = { 'X-Gateway': 'open sesame 1', 'X-Mode': 'on' };
  await find([], { fetch: server.fetch, keys: server.roles(), headers });
  const text = folder.read('failures/WM-META-013.sh');
  for (const value of [...Object.values(server.roles()), 'open sesame 1', ': on']) expect(text).not.toContain(value);
  expect(text).toContain('-H "X-Gateway: $WM_HEADER_X_GATEWAY"');
  expect(text).toContain('-H "X-Mode: $WM_HEADER_X_MODE"');
  expect(text).toContain('need WM_HEADER_X_GATEWAY');
});

test('every violation of a server with many faults has a script that a shell can read', async () => {
  const faults = ['has-more-on-exact', 'no-isolation', 'tasks-outlive-project', 'cursor-drops-filters', 'hook-two-keys'];
  const report = await find(faults, { allow: ['webhooks'] });
  const failed = report.requirements.filter(({ status }) => status === 'failed');
  expect(failed.length).toBeGreaterThan(5);
  expect(failed.filter(({ script }) => script === undefined).map(({ id }) => id)).toEqual([]);
  for (const { script } of failed) execFileSync('sh', ['-n', folder.at(script!)]);
});
