// The small parts of a delivery, one by one: outcomes on order, the log's filters, retries, what failed, waiting in line.
import { afterEach, describe, expect, test } from 'vitest';
import { timeInHand } from '../../test/hands.ts';
import { Deliveries } from './deliveries.ts';
import { acknowledged, afterAttempt, type Delivery, type EndedAttempt, stopDelivery } from './delivery.ts';
import { Scripts } from './scripts.ts';
import { fetchSender, JobQueue } from './sender.ts';

const AT = '2025-01-20T09:00:00.000Z';
const ended = (more: Partial<EndedAttempt> = {}): EndedAttempt => ({
  trigger: 'event',
  at: AT,
  ended_at: '2025-01-20T09:00:07.000Z',
  duration_ms: 7000,
  outcome: 'response',
  status: 500,
  signature_profile: 'hex',
  signature_ok: true,
  ...more,
});
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

test.each([
  [{ status: 199 }, false],
  [{ status: 200 }, true],
  [{ status: 299 }, true],
  [{ status: 300 }, false],
  [{ outcome: 'timeout', status: undefined }, false],
] as const)('an attempt that ended with %j is acknowledged: %s', (more, is) =>
  expect(acknowledged(ended(more as never))).toBe(is),
);

describe('after an attempt', () => {
  test('a delivery is tried again after 30 s, 2 min, 10 min, 30 min, 2 h, then no more', () => {
    let one = delivery();
    const next: (string | null)[] = [];
    for (let n = 1; n <= 6; n++) {
      one = afterAttempt(one, ended({ trigger: n === 1 ? 'event' : 'retry' }), 'failure');
      next.push(one.next_attempt_at);
      expect(one.attempts.map((attempt) => attempt.n)).toEqual(Array.from({ length: n }, (_, i) => i + 1));
      expect(one.state).toBe(n < 6 ? 'retrying' : 'failed');
    }
    expect(next.map((at) => at?.slice(11, 19))).toEqual(['09:00:37', '09:02:07', '09:10:07', '09:30:07', '11:00:07', undefined]);
    expect(afterAttempt(delivery(), ended(), 'attempt').next_attempt_at).toBe('2025-01-20T09:00:30.000Z');
  });

  test('a replay counts for nothing unless it is acknowledged', () => {
    const failed = delivery({ state: 'failed', next_attempt_at: null });
    const again = afterAttempt(failed, ended({ trigger: 'replay' }), 'failure');
    expect(again).toEqual({ ...failed, attempts: [{ n: 1, ...ended({ trigger: 'replay' }) }] });
    const twice = afterAttempt(again, ended({ trigger: 'retry' }), 'failure');
    expect([twice.state, twice.next_attempt_at, twice.attempts.length]).toEqual(['retrying', '2025-01-20T09:00:37.000Z', 2]);
    const good = afterAttempt(twice, ended({ trigger: 'replay', status: 204 }), 'failure');
    expect([good.state, good.next_attempt_at]).toEqual(['delivered', null]);
  });

  test('whose registration is gone there is none', () => {
    expect(stopDelivery(delivery({ state: 'retrying' }))).toEqual(
      delivery({ state: 'failed', next_attempt_at: null, stopped: 'the registration was deleted' }),
    );
  });
});

describe('outcomes on order', () => {
  test('are played in order, registration by registration, each once', () => {
    const scripts = new Scripts();
    expect([scripts.of('a'), scripts.take('a', 'd1'), [...scripts.ordered]]).toEqual([[], undefined, []]);
    scripts.order('a', [500, 'timeout']);
    scripts.order('b', [404]);
    scripts.order('a', [201]);
    expect(scripts.of('a')).toEqual([500, 'timeout', 201]);
    expect([scripts.take('a', 'd1'), scripts.take('b', 'd2'), scripts.take('b', 'd3'), scripts.take('a', 'd4')]).toEqual([
      500,
      404,
      undefined,
      'timeout',
    ]);
    expect(scripts.of('a')).toEqual([201]);
  });

  test('come again in a copy when their attempt has not ended', () => {
    const scripts = new Scripts();
    scripts.order('a', [1, 2, 3, 4]);
    for (const id of ['d1', 'd2', 'd3']) scripts.take('a', id);
    scripts.used('d2');
    const copy = scripts.fork();
    expect([copy.of('a'), scripts.of('a')]).toEqual([[1, 3, 4], [4]]);
    expect([...scripts.ordered]).toEqual([['a', [1, 3, 4]]]);
    for (const id of ['d1', 'd3']) scripts.used(id);
    expect([...scripts.ordered]).toEqual([['a', [4]]]);
    expect(copy.take('a', 'd1')).toBe(1);
    expect(scripts.of('a')).toEqual([4]);
  });
});

describe('the log', () => {
  const entry = { due: 1, sequence: 1, job: { kind: 'retry', id: 'x' } };
  const log = () => {
    const deliveries = new Deliveries();
    deliveries.put(delivery({ id: 'a' }));
    deliveries.put(delivery({ id: 'b', webhook_id: 'wh_2', state: 'failed' }), entry);
    deliveries.put(delivery({ id: 'c', event: { id: 'e', event: 'task.deleted', created_at: AT, data: {} } }), entry);
    return deliveries;
  };
  const ids = (list: readonly Delivery[]) => list.map(({ id }) => id).join('');

  test('is filtered by registration, event and state, all at once', () => {
    const deliveries = log();
    expect(ids(deliveries.list())).toBe('abc');
    expect(ids(deliveries.list({ webhook_id: 'wh_1' }))).toBe('ac');
    expect(ids(deliveries.list({ event: 'task.created' }))).toBe('ab');
    expect(ids(deliveries.list({ state: 'failed' }))).toBe('b');
    expect(ids(deliveries.list({ webhook_id: 'wh_1', event: 'task.created', state: 'pending' }))).toBe('a');
    expect(ids(deliveries.list({ webhook_id: 'wh_1', event: 'task.created', state: 'failed' }))).toBe('');
  });

  test('tells what it holds, what is ahead of a registration, and is made again from that', () => {
    const deliveries = log();
    expect([deliveries.size, deliveries.get('b')?.webhook_id, deliveries.get('z')]).toEqual([3, 'wh_2', undefined]);
    expect(deliveries.ahead('wh_1').map(({ delivery: { id } }) => id)).toEqual(['c']);
    expect(deliveries.ahead('wh_2').map(({ entry: at }) => at)).toEqual([entry]);
    const again = new Deliveries(deliveries.held());
    expect([...again.held()]).toEqual([...deliveries.held()]);
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
    const held = new Deliveries(
      [of('a', 'w1'), of('b', 'w2'), of('c', 'w2')].map((one) => ({ delivery: one, entry: undefined })),
    );
    expect([...held.held()].map(({ delivery: { id } }) => id)).toEqual(['a', 'b', 'c']);
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

  test('has copies of which whoever writes first makes its own', () => {
    const deliveries = log();
    const [one, two] = [deliveries.fork(), deliveries.fork()];
    one.put(delivery({ id: 'd' }));
    deliveries.put(delivery({ id: 'e' }));
    expect([ids(deliveries.list()), ids(one.list()), ids(two.list())]).toEqual(['abce', 'abcd', 'abc']);
    const small = new Deliveries([], 1).fork();
    small.put(delivery({ id: 'a' }));
    expect(small.put(delivery({ id: 'b' }))?.delivery.id).toBe('a');
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
  const hands = timeInHand();
  const realFetch = globalThis.fetch;
  afterEach(() => {
    globalThis.fetch = realFetch;
  });
  const sending = { url: 'http://a.test:9/x', headers: { 'X-A': 'b' }, body: '{"a":1}' };
  const answering = (answer: (init: RequestInit) => Promise<Response>) => {
    const asked: [unknown, RequestInit][] = [];
    globalThis.fetch = ((url: unknown, init: RequestInit) => {
      asked.push([url, init]);
      return answer(init);
    }) as never;
    return asked;
  };
  const failing = (thrown: unknown) => {
    answering(() => Promise.reject(thrown));
    return fetchSender(sending, new AbortController().signal);
  };
  const coded = (code: unknown, message = 'said') => Object.assign(new Error('fetch failed'), { cause: { code, message } });

  test('posts what it is given, over a connection of its own, and follows no redirect', async () => {
    const asked = answering(async () => new Response('Thanks', { status: 202 }));
    expect(await fetchSender(sending, new AbortController().signal)).toEqual({
      kind: 'response',
      status: 202,
      took: 0,
      excerpt: 'Thanks',
    });
    const [[url, { signal, ...init }]] = asked as [[unknown, RequestInit]];
    expect([url, init]).toEqual([
      sending.url,
      { method: 'POST', headers: { 'X-A': 'b', connection: 'close' }, body: sending.body, redirect: 'manual' },
    ]);
    expect(signal?.aborted).toBe(false);
    expect(hands.pending).toEqual([]);
  });

  test.each([
    ['ETIMEDOUT', 'timeout'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
    ['UND_ERR_BODY_TIMEOUT', 'error'],
    ['XETIMEDOUT', 'error'],
    ['ETIMEDOUTX', 'error'],
    ['ECONNREFUSED', 'refused'],
    ['XECONNREFUSED', 'error'],
    ['ECONNREFUSEDX', 'error'],
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['EAI_', 'error'],
    ['XENOTFOUND', 'error'],
    ['ENOTFOUND-', 'error'],
    ['ECONNRESET', 'reset'],
    ['EPIPE', 'reset'],
    ['UND_ERR_SOCKET', 'reset'],
    ['XEPIPE', 'error'],
    ['EPIPEX', 'error'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
    ['EPROTO', 'tls'],
    ['HOSTNAME_MISMATCH', 'tls'],
    ['XEPROTO', 'error'],
    ['EPROTOX', 'error'],
    ['X_UNABLE_TO_', 'error'],
    ['XERR_TLS', 'error'],
    ['XHOSTNAME_MISMATCH', 'error'],
    ['ELSE', 'error'],
    [5, 'error'],
    [undefined, 'error'],
  ])('that fails with %s says %s', async (code, kind) => {
    const outcome = await failing(coded(code));
    expect(outcome).toEqual(
      kind === 'timeout' ? { kind, error: 'no answer within 10 s', took: 10_000 } : { kind, error: 'said', took: 0 },
    );
  });

  test('says why in what words there are', async () => {
    expect(await failing(coded('ECONNREFUSED', ''))).toEqual({ kind: 'refused', error: 'ECONNREFUSED', took: 0 });
    expect(await failing(new TypeError('bad port'))).toEqual({ kind: 'error', error: 'bad port', took: 0 });
    expect(await failing('a text')).toEqual({ kind: 'error', error: 'a text', took: 0 });
  });

  test('waits 10 s for an answer, and counts one that comes just then as none', async () => {
    let answer: (response: Response) => void = () => {};
    const slow = (init: RequestInit) =>
      new Promise<Response>((done, fail) => {
        answer = done;
        init.signal!.addEventListener('abort', () => fail(new Error('aborted')));
      });
    answering(slow);
    const timeout = { kind: 'timeout', error: 'no answer within 10 s', took: 10_000 };
    const signal = new AbortController().signal;
    const none = fetchSender(sending, signal);
    await hands.pass(9999);
    expect(hands.pending).toEqual([1]);
    await hands.pass(1);
    expect(await none).toEqual(timeout);
    const early = fetchSender(sending, signal);
    await hands.pass(9999);
    answer(new Response(null, { status: 204 }));
    expect(await early).toEqual({ kind: 'response', status: 204, took: 9999 });
    answering(
      () =>
        new Promise<Response>((done) => {
          answer = done;
        }),
    );
    const late = fetchSender(sending, signal);
    await hands.pass(10_000);
    answer(new Response('x'));
    expect(await late).toEqual(timeout);
  });

  test('gives up when it is told to, before or while it waits', async () => {
    const given = new AbortController();
    answering(
      (init) =>
        new Promise((_, fail) => {
          if (init.signal!.aborted) fail(new Error('aborted'));
          init.signal!.addEventListener('abort', () => fail(new Error('aborted')));
        }),
    );
    const waiting = fetchSender(sending, given.signal);
    await hands.pass(5);
    given.abort();
    expect((await waiting).kind).toBe('timeout');
    expect((await fetchSender(sending, given.signal)).kind).toBe('timeout');
    expect(hands.pending).toEqual([]);
  });

  test('reads a kilobyte of the answer, for a second at most', async () => {
    const signal = new AbortController().signal;
    answering(async () => new Response('x'.repeat(1025)));
    expect(await fetchSender(sending, signal)).toEqual({ kind: 'response', status: 200, took: 0, excerpt: 'x'.repeat(1024) });
    const pieces = (...sizes: number[]) =>
      new ReadableStream({
        start: (controller) => {
          for (const size of sizes) controller.enqueue(new Uint8Array(size).fill(97));
          controller.close();
        },
      });
    answering(async () => new Response(pieces(1000, 24)));
    expect(await fetchSender(sending, signal)).toMatchObject({ excerpt: 'a'.repeat(1024) });
    answering(async () => new Response(pieces(1000, 23)));
    expect(await fetchSender(sending, signal)).toMatchObject({ excerpt: 'a'.repeat(1023) });
    answering(async () => new Response(pieces(1000, 23, 500)));
    expect(await fetchSender(sending, signal)).toMatchObject({ excerpt: 'a'.repeat(1024) });
    answering(
      async () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1100).fill(97)) })),
    );
    expect(await fetchSender(sending, signal)).toEqual({ kind: 'response', status: 200, took: 0, excerpt: 'a'.repeat(1024) });
    answering(async () => new Response(''));
    expect(await fetchSender(sending, signal)).toEqual({ kind: 'response', status: 200, took: 0 });
    answering(async () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(Uint8Array.of(0xc3)) })));
    const endless = fetchSender(sending, signal);
    await hands.pass(999);
    expect(hands.pending).toEqual([1]);
    await hands.pass(1);
    expect(await endless).toEqual({
      kind: 'response',
      status: 200,
      took: 0,
      error: 'the body of the answer had not ended after 1 s',
    });
    answering(async () => new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('off')) })));
    expect(await fetchSender(sending, signal)).toMatchObject({ status: 200, error: 'the body of the answer broke off' });
  });

  test('calls what it may not see a redirect that is not followed', async () => {
    answering(async () => Response.error());
    expect(await fetchSender(sending, new AbortController().signal)).toEqual({
      kind: 'error',
      error: 'a redirect, which is not followed',
      took: 0,
    });
  });
});
