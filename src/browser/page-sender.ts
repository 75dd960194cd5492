// How webhooks leave a mock in a browser: to the mock's own inbox, to a page that receives them, else not at all.
import { ACKNOWLEDGE_MS } from '../service/contract/limits.ts';
import type { Outcome } from '../service/webhooks/delivery.ts';
import type { Sender, Sending } from '../service/webhooks/sender.ts';
import { after, realNow } from '../service/world/time.ts';
import type { PageMessage, WebhookCall } from './messages.ts';

/** A page, as the worker sees it. */
export interface Client {
  postMessage(message: unknown, transfer: MessagePort[]): void;
}

export interface PageSending {
  /** Responds to requests for the mock itself; undefined for others. */
  readonly own: (request: Request) => Promise<Response> | undefined;
  readonly pages: () => Promise<readonly Client[]>;
}

/** How long a page has to say that it takes a webhook, milliseconds. */
const TAKEN_MS = 500;

const SIMULATED: Outcome = { kind: 'response', status: 200, simulated: true, took: 0 };
const TIMEOUT: Outcome = { kind: 'timeout', error: `no response within ${ACKNOWLEDGE_MS / 1000} s`, took: ACKNOWLEDGE_MS };

/** Offers a webhook to one page. @returns undefined when the page does not take it. */
const offer = (page: Client, { url, headers, body }: Sending, started: number): Promise<Outcome | undefined> =>
  new Promise((end) => {
    const { port1, port2 } = new MessageChannel();
    let callOff = after(TAKEN_MS, () => finish(undefined));
    const finish = (outcome: Outcome | undefined) => {
      callOff();
      port1.close();
      end(outcome);
    };
    port1.onmessage = ({ data }: MessageEvent<PageMessage>) => {
      if ('status' in data) finish({ kind: 'response', ...data, took: realNow() - started });
      else if (!data.taken) finish(undefined);
      else {
        callOff();
        callOff = after(ACKNOWLEDGE_MS, () => finish(TIMEOUT));
      }
    };
    page.postMessage({ wmMock: 'webhook', url, headers, body } satisfies WebhookCall, [port2]);
  });

/** Sends nothing over a network: what neither the mock nor a page receives is simulated and marked so. */
export const pageSender =
  ({ own, pages }: PageSending): Sender =>
  async (sending) => {
    const started = realNow();
    const { url, headers, body } = sending;
    const response = await own(new Request(url, { method: 'POST', headers, body }));
    if (response) return { kind: 'response', status: response.status, excerpt: await response.text(), took: realNow() - started };
    const offers = (await pages()).map((page) => offer(page, sending, started));
    const taken = (await Promise.all(offers)).find((outcome) => outcome !== undefined);
    return taken ?? SIMULATED;
  };
