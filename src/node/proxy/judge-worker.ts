// The thread of `wm-mock proxy` that judges, so that the one that forwards only copies bytes.
import { parentPort, workerData } from 'node:worker_threads';
import { decodeExchange } from './decode-exchange.ts';
import type { RawExchange } from './forwarder.ts';
import type { ProxyFacts } from './traffic.ts';
import { TrafficVerdict } from './traffic-verdict.ts';

export type ToJudge =
  | { readonly exchange: RawExchange; readonly size: number }
  | { readonly show: 'page' | 'live' | 'end'; readonly facts: ProxyFacts };

/** Bytes between two messages to the thread that forwards. */
const TAKEN_STEP = 1_000_000;

const verdict = new TrafficVerdict(await import(workerData.judge), workerData.options);
let takenBytes = 0;
parentPort!.on('message', async (message: ToJudge) => {
  if ('show' in message) {
    const { show, facts } = message;
    return parentPort!.postMessage({ shown: show === 'end' ? await verdict.end(facts) : verdict.show(show, facts) });
  }
  const { traffic, gap } = decodeExchange(message.exchange);
  verdict.observe(traffic, gap);
  takenBytes += message.size;
  if (takenBytes < TAKEN_STEP) return;
  parentPort!.postMessage({ taken: takenBytes });
  takenBytes = 0;
});
