// Where the webhooks of a hosted world may go: to worlds of the same service, and to the receivers on its owner's list.
import { namesHost } from '../service/validation/receiver-url.ts';
import { fetchOutward, newQueues, type Sender, senderOver } from '../service/webhooks/sender.ts';

/** @param own the address of the service, which is called without a network @param ask calls it */
export const senderFrom = (own: URL, receivers: readonly string[], ask: (request: Request) => Promise<Response>): Sender =>
  senderOver(async (url, init) => {
    const { origin, hostname } = new URL(url);
    if (origin === own.origin) return ask(new Request(url, init));
    if (namesHost(receivers, hostname)) return fetchOutward(url, init);
    const says = `not sent: ${hostname} is not among the receivers of this service. Ask its owner; docs/hosted.md of wm-mock says more.`;
    throw new Error(says);
  }, newQueues());
