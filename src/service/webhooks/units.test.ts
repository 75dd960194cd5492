// The small parts of a delivery, one by one: outcomes on order, the log's filters, what failed, waiting in line.
import { afterEach, describe, expect, test } from 'vitest';
import { useFakeTime } from '../../test/fake-time.ts';
import { Deliveries } from './deliveries.ts';
import type { Delivery } from './delivery.ts';
import { Scripts } from './scripts.ts';
import { fetchSender, JobQueue } from './sender.ts';

const AT = '2025-01-20T09:00:00.000Z';
const delivery = (more: Partial<Delivery> = {}): Delivery => ({
  id: 'dlv_1',
  webhook_id: 'wh_1',
  workspace_id: 'ws_1',
  event: { id: 'evt_1', event: 'task.created', created_at: AT, data: {} },
  url: 'http://127.0.0.1:9/a',
  request: { headers: {}, body: '{}' },
  state: 'pending',
  attempts: [],
  next_attempt_at: AT,
  ...more,
});

test('outcomes on order are played in order by registration, and again in a copy when their attempt has not ended', () => {
  const scripts = new Scripts();
  scripts.order('a', [1, 2, 3]);
  scripts.order('b', [404]);
  scripts.order('a', [4]);
  const ids = ['d1', 'd2', 'd3'];
  const results = [ids.map((id) => scripts.take('a', id)), scripts.take('b', 'd4'), scripts.take('b', 'd5')];
  expect(results).toEqual([[1, 2, 3], 404, undefined]);
  for (const id of ['d2', 'd4']) scripts.used(id);
  const copy = scripts.fork();
  expect([copy.of('a'), scripts.of('a'), copy.of('b')]).toEqual([[1, 3, 4], [4], []]);
  expect([...scripts.ordered]).toEqual([['a', [1, 3, 4]]]);
  for (const id of ['d1', 'd3']) scripts.used(id);
  expect([...scripts.ordered]).toEqual([['a', [4]]]);
  expect([copy.take('a', 'd1'), scripts.of('a')]).toEqual([1, [4]]);
});

describe('the log', () => {
  const entry = { due: 1, sequence: 1, job: { kind: 'retry', id: 'x' } };
  const ids = (list: readonly Delivery[]) => list.map(({ id }) => id).join('');

  test('is filtered by registration, event and state, all at once', () => {
    const deliveries = new Deliveries();
    deliveries.put(delivery({ id: 'a' }));
    deliveries.put(delivery({ id: 'b', webhook_id: 'wh_2', state: 'failed' }), entry);
    deliveries.put(delivery({ id: 'c', event: { id: 'e', event: 'task.deleted', created_at: AT, data: {} } }), entry);
    expect(ids(deliveries.list())).toBe('abc');
    expect(ids(deliveries.list({ webhook_id: 'wh_1' }))).toBe('ac');
    expect(ids(deliveries.list({ event: 'task.created' }))).toBe('ab');
    expect(ids(deliveries.list({ state: 'failed' }))).toBe('b');
    expect(ids(deliveries.list({ webhook_id: 'wh_1', event: 'task.created', state: 'pending' }))).toBe('a');
    expect(ids(deliveries.list({ webhook_id: 'wh_1', event: 'task.created', state: 'failed' }))).toBe('');
    expect(deliveries.ahead('wh_1').map(({ delivery: { id } }) => id)).toEqual(['c']);
  });

  test('lets the oldest settled delivery go when it is full, else the oldest', () => {
    const full = new Deliveries([], 2);
    expect(full.put(delivery({ id: 'a' }), entry)).toBeUndefined();
    expect(full.put(delivery({ id: 'b', state: 'delivered' }))).toBeUndefined();
    expect(full.put(delivery({ id: 'b', state: 'failed' }))).toBeUndefined();
    expect(full.put(delivery({ id: 'c', state: 'retrying' }))?.delivery.id).toBe('b');
    expect(full.put(delivery({ id: 'd', state: 'delivered' }))?.delivery.id).toBe('d');
    expect(full.put(delivery({ id: 'e' }))).toEqual({ delivery: delivery({ id: 'a' }), entry });
    expect(ids(full.list())).toBe('ce');
  });

  test('lets the oldest delivery of the registration go that has the most to come, when none is settled', () => {
    const of = (id: string, webhook_id: string, state: Delivery['state'] = 'pending') => delivery({ id, webhook_id, state });
    const fill = (...all: readonly Delivery[]) => {
      const full = new Deliveries([], 3);
      return all.map((one) => full.put(one)?.delivery.id ?? '-').join('');
    };
    expect(fill(of('a', 'w1'), of('b', 'w2'), of('c', 'w2'), of('d', 'w3'))).toBe('---b');
    expect(fill(of('a', 'w1'), of('b', 'w2'), of('b', 'w2'), of('b', 'w2', 'retrying'), of('c', 'w1'), of('d', 'w3'))).toBe(
      '-----a',
    );
    expect(fill(of('a', 'w1'), of('b', 'w2'), of('c', 'w2'), of('d', 'w1'), of('e', 'w1'), of('f', 'w3'))).toBe('---abd');
    expect(
      fill(of('a', 'w1'), of('b', 'w2'), of('c', 'w2'), of('c', 'w2', 'failed'), of('d', 'w1'), of('e', 'w2'), of('f', 'w3')),
    ).toBe('----cab');
    const origin = new Deliveries([], 3);
    for (const one of [of('a', 'w1'), of('b', 'w2'), of('c', 'w2')]) origin.put(one);
    const copy = origin.fork();
    expect([
      copy.put(of('b', 'w2', 'delivered')),
      origin.put(of('d', 'w3'))?.delivery.id,
      copy.put(of('d', 'w3'))?.delivery.id,
    ]).toEqual([undefined, 'b', 'b']);
    expect([copy.put(of('e', 'w1'))?.delivery.id, ids(copy.list())]).toEqual(['a', 'cde']);
  });
});

describe('waiting in line', () => {
  test('a key has a limit of jobs at once, the rest wait in order, and an idle key is forgotten', async () => {
    const slots = new JobQueue(2);
    const diary: string[] = [];
    const ends = new Map<string, (failed?: boolean) => void>();
    const run = (line: string, name: string) =>
      slots
        .within(line, () => {
          diary.push(`${name} begins`);
          return new Promise<string>((done, fail) => ends.set(name, (failed) => (failed ? fail(new Error(name)) : done(name))));
        })
        .then(
          (what) => diary.push(`${what} done`),
          (problem: Error) => diary.push(`${problem.message} failed`),
        );
    expect(slots.size).toBe(0);
    const all = [run('x', 'a'), run('x', 'b'), run('x', 'c'), run('x', 'd'), run('y', 'e')];
    expect(diary).toEqual(['a begins', 'b begins', 'e begins']);
    expect(slots.size).toBe(2);
    ends.get('b')!(true);
    await all[1];
    expect(diary.slice(3)).toEqual(['c begins', 'b failed']);
    ends.get('a')!();
    await all[0];
    for (const name of ['c', 'd', 'e']) ends.get(name)!();
    await Promise.all(all);
    expect(diary.filter((line) => line.endsWith('begins'))).toHaveLength(5);
    const again = run('x', 'f');
    expect(diary.at(-1)).toBe('f begins');
    ends.get('f')!();
    await again;
    expect(slots.size).toBe(0);
  });
});

describe('a sender', () => {
  const time = useFakeTime();
  const realFetch = globalThis.fetch;
  afterEach(() => {
    globalThis.fetch = realFetch;
  });
  const sending = { url: 'http://a.test:9/x', headers: { 'X-A': 'b' }, body: '{"a":1}' };
  const responding = (respond: (init: RequestInit) => Promise<Response>) => {
    const requests: [unknown, RequestInit][] = [];
    globalThis.fetch = ((url: unknown, init: RequestInit) => {
      requests.push([url, init]);
      return respond(init);
    }) as never;
    return requests;
  };
  const send = (signal = new AbortController().signal) => fetchSender(sending, signal);
  const failing = (thrown: unknown) => {
    responding(() => Promise.reject(thrown));
    return send();
  };
  const coded = (code: unknown, message = 'said') => Object.assign(new Error('fetch failed'), { cause: { code, message } });

  test('posts what it is given, over a connection of its own, and follows no redirect', async () => {
    const requests = responding(async () => new Response('Thanks', { status: 202 }));
    expect(await send()).toEqual({ kind: 'response', status: 202, took: 0, excerpt: 'Thanks' });
    const [[url, { signal, ...init }]] = requests as [[unknown, RequestInit]];
    expect([url, init]).toEqual([
      sending.url,
      { method: 'POST', headers: { 'X-A': 'b', connection: 'close' }, body: sending.body, redirect: 'manual' },
    ]);
    expect(signal?.aborted).toBe(false);
    expect(time.pending).toEqual([]);
  });

  test.each([
    ['timeout', 'ETIMEDOUT UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT'],
    ['refused', 'ECONNREFUSED'],
    ['dns', 'ENOTFOUND EAI_AGAIN'],
    ['reset', 'ECONNRESET EPIPE UND_ERR_SOCKET'],
    ['tls', 'ERR_TLS_CERT_ALTNAME_INVALID ERR_SSL_WRONG_VERSION_NUMBER CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['tls', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE EPROTO HOSTNAME_MISMATCH'],
    ['error', 'UND_ERR_BODY_TIMEOUT XETIMEDOUT ETIMEDOUTX XECONNREFUSED ECONNREFUSEDX EAI_ XENOTFOUND ENOTFOUND-'],
    ['error', 'XEPIPE EPIPEX XEPROTO EPROTOX X_UNABLE_TO_ XERR_TLS XHOSTNAME_MISMATCH ELSE'],
  ])('calls it %s when it fails with %s', async (kind, codes) => {
    const outcome =
      kind === 'timeout' ? { kind, error: 'no response within 10 s', took: 10_000 } : { kind, error: 'said', took: 0 };
    for (const code of codes.split(' ')) expect(await failing(coded(code)), code).toEqual(outcome);
  });

  test('says why in what words there are', async () => {
    expect(await failing(coded('ECONNREFUSED', ''))).toEqual({ kind: 'refused', error: 'ECONNREFUSED', took: 0 });
    for (const code of [5, undefined]) expect(await failing(coded(code))).toEqual({ kind: 'error', error: 'said', took: 0 });
    expect(await failing(new TypeError('bad port'))).toEqual({ kind: 'error', error: 'bad port', took: 0 });
    expect(await failing('a text')).toEqual({ kind: 'error', error: 'a text', took: 0 });
  });

  test('waits 10 s for a response, and counts one that comes just then as none', async () => {
    let release: (response: Response) => void = () => {};
    const slow = (init: RequestInit) =>
      new Promise<Response>((done, fail) => {
        release = done;
        init.signal!.addEventListener('abort', () => fail(new Error('aborted')));
      });
    responding(slow);
    const timeout = { kind: 'timeout', error: 'no response within 10 s', took: 10_000 };
    const none = send();
    await time.pass(9999);
    expect(time.pending).toEqual([1]);
    await time.pass(1);
    expect(await none).toEqual(timeout);
    const early = send();
    await time.pass(9999);
    release(new Response(null, { status: 204 }));
    expect(await early).toEqual({ kind: 'response', status: 204, took: 9999 });
    const response = new Promise<Response>((done) => {
      release = done;
    });
    responding(() => response);
    const late = send();
    await time.pass(10_000);
    release(new Response('x'));
    expect(await late).toEqual(timeout);
  });

  test('gives up when it is told to, before or while it waits', async () => {
    const given = new AbortController();
    responding(
      (init) =>
        new Promise((_, fail) => {
          if (init.signal!.aborted) fail(new Error('aborted'));
          init.signal!.addEventListener('abort', () => fail(new Error('aborted')));
        }),
    );
    const waiting = send(given.signal);
    await time.pass(5);
    given.abort();
    expect((await waiting).kind).toBe('timeout');
    expect((await send(given.signal)).kind).toBe('timeout');
    expect(time.pending).toEqual([]);
  });

  test('reads a kilobyte of the response, for a second at most', async () => {
    const read = (body: BodyInit) => {
      responding(async () => new Response(body));
      return send();
    };
    const bytes = (...sizes: number[]) => sizes.map((size) => new Uint8Array(size).fill(97));
    const open = (...parts: Uint8Array[]) =>
      new ReadableStream({
        start: (controller) => {
          for (const part of parts) controller.enqueue(part);
        },
      });
    const response = { kind: 'response', status: 200, took: 0 };
    expect(await read('x'.repeat(1025))).toEqual({ ...response, excerpt: 'x'.repeat(1024) });
    for (const sizes of [[1000, 24], [1000, 23, 500], [1100]])
      expect(await read(open(...bytes(...sizes)))).toEqual({ ...response, excerpt: 'a'.repeat(1024) });
    expect(await read(new Blob(bytes(1000, 23)))).toEqual({ ...response, excerpt: 'a'.repeat(1023) });
    expect(await read('')).toEqual(response);
    const endless = read(open(Uint8Array.of(0xc3)));
    await time.pass(999);
    expect(time.pending).toEqual([1]);
    await time.pass(1);
    expect(await endless).toEqual({ ...response, error: 'the body of the response had not ended after 1 s' });
    const off = new ReadableStream({ pull: (controller) => controller.error(new Error('off')) });
    expect(await read(off)).toMatchObject({ status: 200, error: 'the body of the response broke off' });
  });

  test('calls what it may not see a redirect that is not followed', async () => {
    responding(async () => Response.error());
    expect(await send()).toEqual({ kind: 'error', error: 'a redirect, which is not followed', took: 0 });
  });
});
