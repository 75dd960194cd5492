// The judge in a thread of its own, as the thread that forwards sees it.
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { PACKAGE_FOLDER } from '../package-folder.ts';
import type { RawExchange } from './forwarder.ts';
import type { ToJudge } from './judge-worker.ts';
import type { EndedTraffic, ProxyFacts } from './traffic.ts';
import type { VerdictOptions } from './traffic-verdict.ts';

/** Bytes that may wait for the judge; beyond it, requests wait. */
const MAX_WAITING_BYTES = 64_000_000;
/** An exchange without its bodies. */
const HEAD_BYTES = 2000;
const ROOM_POLL_MS = 5;

/** @param judge URL of the module that judges */
export const startJudgeThread = (judge: string, options: VerdictOptions, onFail: (error: Error) => void) => {
  // Bundlers of others look for the file of each `new Worker`.
  const file = join(PACKAGE_FOLDER, 'dist/node/judge-worker.js');
  const worker: Worker = Reflect.construct(Worker, [file, { workerData: { judge, options } }]);
  const pending: { done(shown: unknown): void; fail(error: Error): void }[] = [];
  let waiting = 0;
  let failure: Error | undefined;
  worker.on('message', ({ taken = 0, shown }: { readonly taken?: number; readonly shown?: unknown }) => {
    waiting -= taken;
    if (shown !== undefined) pending.shift()?.done(shown);
  });
  worker.on('error', (error) => {
    failure = error;
    for (const { fail } of pending.splice(0)) fail(error);
    onFail(error);
  });
  const post = (message: ToJudge, moved: readonly ArrayBuffer[] = []) => worker.postMessage(message, moved);
  const show = (part: 'page' | 'live' | 'end', facts: ProxyFacts) =>
    new Promise<unknown>((done, fail) => {
      if (failure) return fail(failure);
      pending.push({ done, fail });
      post({ show: part, facts });
    });
  const isFull = () => waiting >= MAX_WAITING_BYTES && failure === undefined;
  const waitForRoom = async () => {
    while (isFull()) await wait(ROOM_POLL_MS);
  };
  return {
    observe: (exchange: RawExchange): void => {
      if (failure) return;
      const bodies = [exchange.requestBody, ...(exchange.response ? [exchange.response.body] : [])];
      const size = bodies.reduce((sum, { length }) => sum + length, HEAD_BYTES);
      waiting += size;
      post(
        { exchange, size },
        bodies.map(({ buffer }) => buffer as ArrayBuffer),
      );
    },
    /** Undefined while the judge keeps up. */
    whenRoom: () => (isFull() ? waitForRoom() : undefined),
    show: show as (part: 'page' | 'live', facts: ProxyFacts) => Promise<string>,
    end: (facts: ProxyFacts) => show('end', facts) as Promise<EndedTraffic>,
    close: () => worker.terminate(),
  };
};
