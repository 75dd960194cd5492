// An application that holds responses back: each is computed when its request comes, and goes out when its turn has come.

import type { App } from '../../mock/api/mock.ts';
import { isBelow, rawPath, WORLD_PREFIX } from '../../service/http/app.ts';
import { closeConnection } from '../../service/http/respond-with-fault.ts';
import { decoded } from '../../service/world/decoded.ts';
import { after } from '../../service/world/time.ts';

/** A response that is held back. */
export interface Hold {
  /** `GET /tasks?limit=2`; the second request of this name in a world is `GET /tasks?limit=2 #2`. `*`: each of them. */
  readonly held: string;
  /** The request whose response goes out before it; left out: the response waits until nothing happens any more. */
  readonly after?: string;
  /** What was asked is done, and then the connection ends: nobody hears the response. */
  readonly lost?: true;
}

/** The order of responses in a world: those that are not held go out as they are ready. */
export type Order = readonly Hold[];

/** What happened in a world, in its order: a request came, its response went, or it went though what it waited for had not come. */
export interface RaceNote {
  readonly what: 'came' | 'went' | 'gave up';
  readonly name: string;
  readonly status?: number;
}

/** A note with its moment, milliseconds of any beginning. */
export type TimedNote = RaceNote & { readonly at: number };

export const EVERY_REQUEST = '*';
/** The status of a response that was lost. */
export const LOST_STATUS = 0;

/** Nothing happens any more when no request came and no response went for so long, milliseconds, unless told. */
const QUIET_MS = 500;
/** A response is kept back for so long at most, milliseconds: clients lose patience. */
const MAX_HOLD_MS = 4000;
/** It is less where a client is quick. */
const limitHoldMs = (quietMs: number): number => Math.min(MAX_HOLD_MS, 8 * quietMs);
/** So long a client is given to take in one response before the next goes out: a part of the time after which nothing happens. */
const gapMs = (quietMs: number): number => Math.max(10, quietMs / 10);

/** A user who is slow for a moment is no end: several times the longest pause of the usual run, within bounds. @param least milliseconds */
export const measureQuietMs = (logs: readonly (readonly TimedNote[])[], least = QUIET_MS): number => {
  const pauses = logs.flatMap((log) => log.slice(1).map(({ at }, i) => at - log[i]!.at));
  return Math.round(Math.min(2000, Math.max(least, 3 * Math.max(0, ...pauses))));
};

/** The requests of one world. */
class ResponseQueue {
  readonly #order: Order;
  readonly #quietMs: number;
  readonly #note: (note: RaceNote) => void;
  readonly #came = new Map<string, number>();
  readonly #went = new Set<string>();
  readonly #held = new Set<() => void>();
  /** How many are being answered, and are not held. */
  #busy = 0;

  constructor(order: Order, quietMs: number, note: (note: RaceNote) => void) {
    this.#order = order;
    this.#quietMs = quietMs;
    this.#note = note;
  }

  came(request: string): string {
    const times = (this.#came.get(request) ?? 0) + 1;
    this.#came.set(request, times);
    const name = times === 1 ? request : `${request} #${times}`;
    this.#note({ what: 'came', name });
    this.#busy += 1;
    this.#stir();
    return name;
  }

  /** Resolves when the response may go out. @param gone when nobody waits for it any more @returns whether it is lost */
  async turn(name: string, gone: AbortSignal): Promise<boolean> {
    const hold = this.#order.find(({ held }) => held === name || held === EVERY_REQUEST);
    this.#busy -= 1;
    if (hold?.lost) return true;
    if (hold && !gone.aborted) await this.#kept(name, hold, gone);
    return false;
  }

  went(name: string, status: number): void {
    this.#note({ what: 'went', name, status });
    this.#went.add(name);
    this.#stir();
  }

  #stir(): void {
    for (const stirred of this.#held) stirred();
  }

  #kept(name: string, hold: Hold, gone: AbortSignal): Promise<void> {
    return new Promise((done) => {
      let cancel = () => {};
      const go = () => {
        cancel();
        longest();
        this.#held.delete(look);
        gone.removeEventListener('abort', go);
        done();
      };
      const giveUp = () => {
        if (hold.after !== undefined) this.#note({ what: 'gave up', name });
        go();
      };
      const goIfQuiet = () => (this.#busy === 0 ? go() : look());
      // A process that was busy hears its timers before its sockets: what came meanwhile is heard first.
      const quiet = () => (cancel = after(gapMs(this.#quietMs), goIfQuiet));
      const look = () => {
        cancel();
        if (hold.after === undefined) cancel = after(this.#quietMs, quiet);
        else if (this.#went.has(hold.after)) cancel = after(gapMs(this.#quietMs), go);
      };
      const longest = after(limitHoldMs(this.#quietMs), giveUp);
      gone.addEventListener('abort', go);
      this.#held.add(look);
      look();
    });
  }
}

/**
 * The same application, whose responses of the service go out in the order of their world.
 * @param orderOf asked once a world, by its id; that of the first world is empty
 * @param quietMs after which nothing happens any more
 */
export const delayResponses = (
  app: App,
  orderOf: (world: string) => Order,
  note: (world: string, note: RaceNote) => void,
  quietMs = QUIET_MS,
): App['fetch'] => {
  const lines = new Map<string, ResponseQueue>();
  const lineOf = (world: string): ResponseQueue => {
    const line = lines.get(world) ?? new ResponseQueue(orderOf(world), quietMs, (one) => note(world, one));
    lines.set(world, line);
    return line;
  };
  return async (request, env) => {
    const path = rawPath(request.url);
    if (request.method === 'OPTIONS' || !isBelow('/v1', path)) return app.fetch(request, env);
    const prefix = WORLD_PREFIX.exec(path)?.[0] ?? '';
    const sent = request.url.slice(request.url.indexOf(path) + prefix.length + '/v1'.length);
    const line = lineOf(prefix.replace('/worlds/', ''));
    const name = line.came(`${request.method} ${decoded(sent, true)}`);
    const response = await app.fetch(request, env);
    const isLost = await line.turn(name, request.signal);
    line.went(name, isLost ? LOST_STATUS : response.status);
    return isLost ? closeConnection(env) : response;
  };
};
