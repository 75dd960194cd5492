// Responses in other orders: each is computed when its request comes, and goes out when its turn has come.
import { getOrMake } from '../service/contract/keyed.ts';
import { rawPath, WORLD_PREFIX, worldIn } from '../service/http/paths.ts';
import { decodeText } from '../service/lists/query.ts';
import { after } from '../service/world/time.ts';

export interface Hold {
  /** `GET /tasks?limit=2`; a second one in the same world ends in ` #2`. `*`: every request. */
  readonly held: string;
  /** The request whose response goes first; default: wait until the world is idle. */
  readonly after?: string;
  /** Goes when the world is idle, those that came last first. */
  readonly reversed?: true;
  /** Holds it this long, milliseconds, and what comes later until then: the order stays as it was. */
  readonly inOrder?: number;
}

/** Responses without a hold go out as they are ready. */
export type Order = readonly Hold[];

/** A request came, its response went, or it went without waiting any longer. */
export interface RaceNote {
  readonly what: 'came' | 'went' | 'gave up';
  readonly name: string;
  readonly status?: number;
}

export type TimedNote = RaceNote & { readonly at: number };

export const EVERY_REQUEST = '*';

/** A world is idle after this long without a request or response. */
const QUIET_MS = 500;
const MAX_QUIET_MS = 1000;
/** Clients lose patience. */
const MAX_HOLD_MS = 4000;
const limitHoldMs = (quietMs: number): number => Math.min(MAX_HOLD_MS, 8 * quietMs);
/** Time for a client to process one response before the next. */
const gapMs = (quietMs: number): number => Math.max(10, quietMs / 5);

/** Three times the longest pause of the usual run, within bounds. @param least milliseconds */
export const measureQuietMs = (logs: readonly (readonly TimedNote[])[], least = QUIET_MS): number => {
  const pauses = logs.flatMap((log) => log.slice(1).map(({ at }, i) => at - log[i]!.at));
  return Math.round(Math.min(MAX_QUIET_MS, Math.max(least, 3 * Math.max(0, ...pauses))));
};

const findHold = (order: Order, name: string): Hold | undefined =>
  order.find((one) => one.held === name || one.held === EVERY_REQUEST);

/** Responses that go out in reverse once nothing has happened for a while. */
const createPile = (quietMs: number, isBusy: () => boolean) => {
  const releases: (() => void)[] = [];
  let cancel = () => {};
  const releaseAll = async () => {
    for (const release of releases.splice(0).reverse()) {
      release();
      await new Promise<void>((done) => after(gapMs(quietMs), done));
    }
  };
  const arm = () => {
    cancel();
    if (releases.length > 0) cancel = after(quietMs, () => (isBusy() ? arm() : void releaseAll()));
  };
  const hold = (): Promise<void> =>
    new Promise((done) => {
      // A client that polls is never idle.
      if (releases.push(done) === 1) after(limitHoldMs(quietMs), () => void releaseAll());
      arm();
    });
  return { arm, hold };
};

const createResponseQueue = (order: Order, quietMs: number, note: (note: RaceNote) => void) => {
  const arrivals = new Map<string, number>();
  const responses = new Set<string>();
  const holds = new Set<() => void>();
  /** While a response is held in order: those that came after it wait for it. */
  let inOrder: Promise<void> | undefined;
  /** Requests being handled and not held. */
  let busy = 0;
  const stir = () => [...holds].map((look) => look());
  const hold = (name: string, other: string | undefined, gone: AbortSignal): Promise<void> =>
    new Promise((done) => {
      let cancel = () => {};
      const go = () => {
        cancel();
        longest();
        holds.delete(look);
        gone.removeEventListener('abort', go);
        done();
      };
      const giveUp = () => {
        if (other !== undefined) note({ what: 'gave up', name });
        go();
      };
      const goIfQuiet = () => (busy === 0 ? go() : look());
      // A busy process runs its timers before its sockets.
      const quiet = () => (cancel = after(gapMs(quietMs), goIfQuiet));
      const look = () => {
        cancel();
        if (other === undefined) cancel = after(quietMs, quiet);
        else if (responses.has(other)) cancel = after(gapMs(quietMs), go);
      };
      const longest = after(limitHoldMs(quietMs), giveUp);
      gone.addEventListener('abort', go);
      holds.add(look);
      look();
    });
  const pile = createPile(quietMs, () => busy > 0);
  const holdInOrder = (ms: number): Promise<void> => {
    const turn = new Promise<void>((done) => after(ms, done));
    // Those that wait go after this one has gone.
    inOrder = turn.then(() => void after(gapMs(quietMs), () => (inOrder = undefined)));
    return inOrder;
  };
  return {
    came: (request: string): string => {
      const times = (arrivals.get(request) ?? 0) + 1;
      arrivals.set(request, times);
      const name = times === 1 ? request : `${request} #${times}`;
      note({ what: 'came', name });
      busy += 1;
      stir();
      pile.arm();
      return name;
    },
    /** @param gone aborts when the client has left */
    turn: async (name: string, gone: AbortSignal): Promise<void> => {
      const found = findHold(order, name);
      busy -= 1;
      if (found?.reversed) await pile.hold();
      else if (found?.inOrder !== undefined) await holdInOrder(found.inOrder);
      else if (inOrder) {
        await inOrder;
        await new Promise<void>((done) => after(gapMs(quietMs) / 2, done));
      } else if (found && !gone.aborted) await hold(name, found.after, gone);
    },
    went: (name: string, status: number): void => {
      note({ what: 'went', name, status });
      responses.add(name);
      stir();
    },
  };
};

type FetchResponse = (request: Request, env?: object) => Response | Promise<Response>;

/** @param orderOf called once a world; the id of the first world is empty @param quietMs idle time of worlds that begin */
export const delayResponses = (
  fetch: FetchResponse,
  orderOf: (world: string) => Order,
  note: (world: string, note: RaceNote) => void,
  quietMs = (): number | undefined => undefined,
): FetchResponse => {
  const queues = new Map<string, ReturnType<typeof createResponseQueue>>();
  const queueOf = (world: string) =>
    getOrMake(queues, world, () => createResponseQueue(orderOf(world), quietMs() ?? QUIET_MS, (one) => note(world, one)));
  return async (request, env) => {
    const path = rawPath(request.url);
    const sent = request.url.slice(request.url.indexOf(path)).replace(WORLD_PREFIX, '').slice('/v1'.length);
    const queue = queueOf(worldIn(path));
    const name = queue.came(`${request.method} ${decodeText(sent, true)}`);
    const response = await fetch(request, env);
    await queue.turn(name, request.signal);
    queue.went(name, response.status);
    return response;
  };
};
