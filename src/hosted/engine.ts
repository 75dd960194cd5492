// What is used of an engine of durable objects: the shapes that Cloudflare and workerd have in common.

/** The keys and values of an object, kept in its SQLite. */
export interface Kv {
  get(key: string): unknown;
  put(key: string, value: unknown): void;
  delete(key: string): unknown;
  /** In the order of the keys. */
  list(options: { readonly prefix: string }): Iterable<[string, unknown]>;
}

/** What an object writes is kept before anything that it says then leaves it. */
export interface Storage {
  readonly kv: Kv;
  /** Bytes. */
  readonly sql: { readonly databaseSize: number };
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

/** The object of a name. */
export const named = <Stub>(space: Namespace<Stub>, name: string): Stub => space.get(space.idFromName(name));
