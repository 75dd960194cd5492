// The event stream: what happens in a world, as server-sent events.
import { Problem } from '../../service/contract/errors.ts';
import { after } from '../../service/world/time.ts';
import type { Instance } from './instance.ts';

/** Times of streams that end when quiet, so that their worlds can sleep. */
export interface RestTimes {
  readonly quietMs: number;
  /** Milliseconds after which the client reconnects. */
  readonly awayMs: number;
}

const HEARTBEAT_MS = 15_000;
const MAX_UNREAD_EVENT_BYTES = 250_250;
const MAX_STREAMS = 1000;
/** Every event counts at least this toward MAX_UNREAD_EVENT_BYTES. */
const MIN_EVENT_BYTES = 250;
/** Begins the `Last-Event-ID` of a client whose stream ended when quiet. */
const REST_PREFIX = 'rest-';

/** Real time of the newest entry; resets and restores never repeat it. */
const newestReal = ({ timeline, journal }: Instance): number =>
  Math.max(timeline.log.all().at(-1)?.real ?? 0, journal.get(journal.next - 1)?.real ?? 0);

/** Identifies a state of a world, also after it is saved and reopened. */
const restIdOf = (instance: Instance): string => {
  const { timeline, journal, inbox } = instance;
  // A saved journal may be longer: use only whether it is empty.
  const requests = [journal.next, journal.first === journal.next ? 'cleared' : 'kept'];
  return REST_PREFIX + [timeline.next, newestReal(instance), inbox.number, ...requests].join('-');
};

const STREAMED = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

/**
 * An event stream that ends when the client leaves or the world closes.
 * @param all counts the streams of the host @param lastId the `Last-Event-ID` of a returning client
 * @throws Problem 503 when there are too many streams
 */
export const eventStream = (instance: Instance, all: { listening: number }, rest?: RestTimes, lastId = ''): Response => {
  const full = `${MAX_STREAMS} clients listen already. Close some of their streams, or ask again later.`;
  if (all.listening >= MAX_STREAMS) throw new Problem(503, 'service_unavailable', full);
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
        const tell = (kind: string, text: string) => {
          number += 1;
          write(`id: ${number}\nevent: ${kind}\ndata: ${text}\n\n`);
        };
        const goToRest = ({ awayMs }: RestTimes) => {
          write(`retry: ${awayMs}\nid: ${restIdOf(instance)}\nevent: rest\ndata: {}\n\n`);
          end();
        };
        const beat = () => {
          const before = number;
          callOff = after(rest?.quietMs ?? HEARTBEAT_MS, () => {
            if (rest && before === number) return goToRest(rest);
            beat();
            write(': still here\n\n');
          });
        };
        const leave = instance.feed.listen({ heard: tell, ended: end });
        all.listening += 1;
        stop = () => {
          stop = () => {};
          all.listening -= 1;
          leave();
          callOff();
        };
        write(': listening\n\n');
        if (rest && lastId === restIdOf(instance)) return goToRest(rest);
        if (lastId.startsWith(REST_PREFIX)) tell('state', '{"kind":"missed"}');
        beat();
      },
      cancel: () => stop(),
    },
    { highWaterMark: MAX_UNREAD_EVENT_BYTES, size: (chunk) => Math.max(MIN_EVENT_BYTES, chunk?.byteLength ?? 0) },
  );
  return new Response(body, { headers: STREAMED });
};
