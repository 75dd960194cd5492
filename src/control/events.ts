// The event stream: what happens in a world, as server-sent events.
import { after } from '../world/clock.ts';
import type { Instance } from './instance.ts';

const HEARTBEAT_MS = 15_000;
/** A client that has left so many bytes unread is let go. */
const MOST_UNREAD = 1_001_000;
/** What the shortest event counts, bytes. */
const LEAST = 1000;

/** A response that goes on until the client leaves or the world is gone. */
export const eventStream = (instance: Instance): Response => {
  const encoder = new TextEncoder();
  let stop = () => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        let number = 0;
        let callOff = () => {};
        const end = () => {
          stop();
          controller.close();
        };
        const write = (text: string) => {
          if ((controller.desiredSize ?? 0) < 0) end();
          else controller.enqueue(encoder.encode(text));
        };
        const beat = () => {
          callOff = after(HEARTBEAT_MS, () => {
            beat();
            write(': still here\n\n');
          });
        };
        const leave = instance.feed.listen({
          heard: (kind, _, text) => {
            number += 1;
            write(`id: ${number}\nevent: ${kind}\ndata: ${text()}\n\n`);
          },
          ended: () => end(),
        });
        stop = () => {
          leave();
          callOff();
        };
        write(': listening\n\n');
        beat();
      },
      cancel: () => stop(),
    },
    { highWaterMark: MOST_UNREAD, size: (chunk) => Math.max(LEAST, chunk?.byteLength ?? 0) },
  );
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  });
};
