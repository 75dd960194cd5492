// The part that we use of a durable object engine: the types that Cloudflare and workerd share, and how objects are called.
import { Problem } from '../service/contract/errors.ts';
import { wait } from '../service/world/time.ts';

/** The keys and values of an object, kept in its SQLite. */
export interface Kv {
  get(key: string): unknown;
  put(key: string, value: unknown): void;
  delete(key: string): unknown;
  /** In the order of the keys. */
  list(options: { readonly prefix: string }): Iterable<[string, unknown]>;
}

/** An object's writes are persisted before any of its later messages leave it. */
export interface Storage {
  readonly kv: Kv;
  readonly sql: {
    /** Bytes. */
    readonly databaseSize: number;
    exec<Row>(query: string, ...bindings: readonly unknown[]): Iterable<Row>;
  };
  transactionSync<T>(act: () => T): T;
  getAlarm(): Promise<number | null>;
  /** @param at milliseconds since 1970 */
  setAlarm(at: number): Promise<void>;
  deleteAlarm(): Promise<void>;
  deleteAll(): Promise<void>;
}

export interface ObjectState {
  readonly storage: Storage;
}

export interface Namespace<Stub> {
  idFromName(name: string): unknown;
  get(id: unknown): Stub;
}

/** Pauses between retries of a call whose object is moving to another machine, milliseconds. */
const WAITS = [10, 100, 500];

/** The engine's message when a call fails because machines come and go. */
const isLost = (error: unknown): boolean => (error as { readonly retryable?: unknown }).retryable === true;

/** @throws Problem 503 when it is lost each time */
const tried = async (call: () => unknown, waits: readonly number[]): Promise<unknown> => {
  for (let tries = 0; tries <= waits.length; tries++) {
    try {
      return await call();
    } catch (error) {
      if (!isLost(error)) throw error;
      if (tries < waits.length) await wait(waits[tries]!);
    }
  }
  const says =
    'The machine that had this request was lost on the way: it may have taken effect. Check, then retry; docs/hosted.md of wm-mock says more.';
  throw new Problem(503, 'service_unavailable', says, { headers: { 'retry-after': '1' } });
};

/** The object of a name. Lost calls are retried, so each may happen twice; lost requests only if they change nothing. */
export const named = <Stub extends object>(space: Namespace<Stub>, name: string): Stub =>
  new Proxy({} as Stub, {
    get:
      (_, method: string) =>
      (...given: unknown[]) => {
        const [asked] = given;
        const isChange = asked instanceof Request && !['GET', 'HEAD'].includes(asked.method);
        const stub = () => space.get(space.idFromName(name)) as Record<string, (...given: unknown[]) => unknown>;
        return tried(() => stub()[method]!(...given), isChange ? [] : WAITS);
      },
  });
