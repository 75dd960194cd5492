// The event stream: what happens in a world, as server-sent events.
import { Problem } from '../../service/contract/errors.ts';
import { after } from '../../service/world/time.ts';
import type { Instance } from './instance.ts';

/** A stream that ends when nothing happens, so that the world behind it can sleep; its client returns by itself. */
export interface RestTimes {
  /** Milliseconds without an event after which the stream ends. */
  readonly quietMs: number;
  /** Milliseconds after which the client returns. */
  readonly awayMs: number;
}

const HEARTBEAT_MS = 15_000;
/** A client that has left so many bytes unread is let go. */
const MAX_UNREAD_EVENT_BYTES = 250_250;
/** So many may listen to the worlds of a host at once. */
const MAX_STREAMS = 1000;
/** What the shortest event counts, bytes. */
const MIN_EVENT_BYTES = 250;
/** The id that a client of a stream at rest sends when it returns begins so. */
const REST_PREFIX = 'rest-';

/** The real time of the newest thing on the timeline that is known: no reset and no restore brings it back. */
const newestReal = ({ timeline, journal }: Instance): number =>
  Math.max(timeline.log.all().at(-1)?.real ?? 0, journal.get(journal.next - 1)?.real ?? 0);

/** Names the state of a world as no other state is ever named. A world that is kept and opened again has the same. */
const restIdOf = (instance: Instance): string => {
  const { timeline, journal, inbox } = instance;
  // The oldest of the journal may be on the shelf a little longer: only whether there is any is the same there.
  const requests = [journal.next, journal.first === journal.next ? 'cleared' : 'kept'];
  return REST_PREFIX + [timeline.next, newestReal(instance), inbox.number, ...requests].join('-');
};

const STREAMED = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

/** Who listens to the worlds of a host. */
export interface Listening {
  listening: number;
}

/**
 * A response that goes on until the client leaves or the world is gone.
 * @param all with those who listen to other worlds of its host @param lastId what the client that returns has sent as `Last-Event-ID`
 * @throws Problem 503 when too many listen
 */
export const eventStream = (instance: Instance, all: Listening, rest?: RestTimes, lastId = ''): Response => {
  const full = `${MAX_STREAMS} clients listen already. Close some of their streams, or ask again later.`;
  if (all.listening >= MAX_STREAMS) throw new Problem(503, 'service_unavailable', full);
  const encoder = new TextEncoder();
  let stop = () => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        let number = 0;
        let heard = 0;
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
          const before = heard;
          callOff = after(rest?.quietMs ?? HEARTBEAT_MS, () => {
            if (rest && before === heard) return goToRest(rest);
            beat();
            write(': still here\n\n');
          });
        };
        const leave = instance.feed.listen({
          heard: (kind, _, text) => {
            heard += 1;
            tell(kind, text());
          },
          ended: () => end(),
        });
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
