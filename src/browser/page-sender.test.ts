// How webhooks leave a mock in a browser: to its own inbox, to a page that takes them, else they are simulated.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withGlobals } from '../test/globals.ts';
import { soon } from '../test/within.ts';
import type { PageMessage, WebhookCall } from './messages.ts';
import { type Client, pageSender } from './page-sender.ts';

const SENDING = { url: 'https://far.test/hooks', headers: { 'x-service-signature': 'c0ffee' }, body: '{"id":"evt_1"}' };
const SIMULATED = { kind: 'response', status: 200, simulated: true, took: 0 };
const signal = new AbortController().signal;

const ports: MessagePort[] = [];
/** A page that responds with these messages, one after the other. */
const page = (messages: readonly PageMessage[], seen: unknown[] = []): Client => ({
  postMessage: (message, [port]) => {
    seen.push(message);
    ports.push(port!);
    for (const one of messages) port!.postMessage(one);
  },
});
const send = (pages: readonly Client[], own: (request: Request) => Promise<Response> | undefined = () => undefined) =>
  soon(pageSender({ own, pages: async () => pages })(SENDING, signal));

describe('A webhook', () => {
  const waits: number[] = [];
  let over = 0;
  let back: () => void;
  beforeEach(() => {
    waits.length = 0;
    over = 0;
    const real = globalThis.setTimeout;
    // No test waits for seconds: the wait that it is about ends soon.
    const quick = (call: () => void, ms = 0) => {
      waits.push(ms);
      return real(call, ms === over ? 20 : ms);
    };
    back = withGlobals({ setTimeout: quick });
  });
  afterEach(() => {
    back();
    for (const port of ports.splice(0)) port.close();
  });

  test('for the mock itself goes nowhere else', async () => {
    const seen: unknown[] = [];
    let received: Request | undefined;
    const outcome = await send([page([{ taken: true }], seen)], (request) => {
      received = request;
      return Promise.resolve(new Response('kept', { status: 202 }));
    });
    expect(outcome).toEqual({ kind: 'response', status: 202, excerpt: 'kept', took: expect.any(Number) });
    const results = [received?.url, received?.method, received?.headers.get('x-service-signature'), await received?.text()];
    expect(results).toEqual([SENDING.url, 'POST', 'c0ffee', SENDING.body]);
    expect(seen).toEqual([]);
    expect(outcome.took < 1000).toBe(true);
  });

  test('is offered to each page as it is, and ends as the one that takes it says', async () => {
    const seen: unknown[] = [];
    const outcome = await send([
      page([{ taken: false }], seen),
      page([{ taken: true }, { status: 503, excerpt: 'no' }], seen),
      page([{ taken: false }], seen),
    ]);
    expect(outcome).toEqual({ kind: 'response', status: 503, excerpt: 'no', took: expect.any(Number) });
    const call: WebhookCall = { wmMock: 'webhook', ...SENDING };
    expect(seen).toEqual([call, call, call]);
    const { took } = outcome;
    expect(took >= 0 && took < 1000).toBe(true);
  });

  test('without a page that takes it is simulated', async () => {
    expect(await send([])).toEqual(SIMULATED);
    expect(await send([page([{ taken: false }]), page([{ taken: false }])])).toEqual(SIMULATED);
    expect(waits.filter((ms) => ms === 500 || ms === 10_000)).toEqual([500, 500]);
  });

  test('without a message from its page is simulated after half a second', async () => {
    over = 500;
    expect(await send([page([])])).toEqual(SIMULATED);
    expect(waits.filter((ms) => ms === 500 || ms === 10_000)).toEqual([500]);
  });

  test('taken by a page that never responds times out as with a receiver', async () => {
    over = 10_000;
    expect(await send([page([{ taken: true }])])).toEqual({ kind: 'timeout', error: 'no response within 10 s', took: 10_000 });
    expect(waits.filter((ms) => ms === 500 || ms === 10_000)).toEqual([500, 10_000]);
  });

  test('ends at the first status of its page, and its port is closed', async () => {
    const outcome = await send([page([{ taken: true }, { status: 204, excerpt: '' }, { status: 500, excerpt: 'late' }])]);
    expect(outcome).toMatchObject({ status: 204, excerpt: '' });
    await new Promise((done) => setTimeout(done, 40));
  });
});
