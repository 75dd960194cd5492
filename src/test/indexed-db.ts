// As much of IndexedDB as a shelf needs, in memory: transactions one after the other, whole or not at all.

interface Asked {
  onsuccess?: () => void;
  onerror?: () => void;
  onblocked?: () => void;
  onupgradeneeded?: () => void;
  result?: unknown;
  error?: unknown;
}
type Values = Map<string, unknown>;
interface Range {
  readonly lower: string;
  readonly upper: string;
}

const turn = (): Promise<void> => new Promise((done) => setTimeout(done, 0));

class Transaction {
  oncomplete: (() => void) | undefined;
  onabort: (() => void) | undefined;
  error: Error | null = null;
  readonly #steps: (() => void)[] = [];
  readonly #values: Values;
  #aborted = false;

  constructor(values: Values, before: Promise<void>) {
    this.#values = values;
    this.ended = before.then(() => this.#run());
  }

  readonly ended: Promise<void>;

  async #run(): Promise<void> {
    const kept = new Map(this.#values);
    for (let empty = 0; empty < 2 && !this.#aborted; ) {
      const step = this.#steps.shift();
      step?.();
      await turn();
      empty = step || this.#steps.length > 0 ? 0 : empty + 1;
    }
    if (!this.#aborted) return this.oncomplete?.();
    this.#values.clear();
    for (const [key, value] of kept) this.#values.set(key, value);
    this.onabort?.();
  }

  abort(): void {
    this.#aborted = true;
  }

  /** Gives up by itself, as a full disk makes it. */
  fail(error: Error | null): void {
    this.error = error;
    this.#aborted = true;
  }

  objectStore(_name: string) {
    const values = this.#values;
    const ask = (run: () => unknown): Asked => {
      const asked: Asked = {};
      this.#steps.push(() => {
        asked.result = run();
        asked.onsuccess?.();
      });
      return asked;
    };
    const sorted = () => [...values].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      get: (key: string) => ask(() => values.get(key)),
      getAll: () => ask(() => sorted().map(([, value]) => value)),
      getAllKeys: () => ask(() => sorted().map(([key]) => key)),
      put: (value: unknown, key: string) => ask(() => void values.set(key, structuredClone(value))),
      delete: (key: string | Range) =>
        ask(() => {
          for (const one of [...values.keys()])
            if (typeof key === 'string' ? one === key : one >= key.lower && one <= key.upper) values.delete(one);
        }),
    };
  }
}

class Database {
  onversionchange: (() => void) | undefined;
  closed = false;
  last: Promise<void> = Promise.resolve();
  readonly stores = new Map<string, Values>();
  readonly begun: {
    readonly names: string;
    readonly mode: string;
    readonly options: unknown;
    readonly transaction: Transaction;
  }[] = [];

  createObjectStore(name: string): void {
    this.stores.set(name, new Map());
  }

  transaction(name: string, mode: string, options?: unknown): Transaction {
    const transaction = new Transaction(this.stores.get(name)!, this.last);
    this.last = transaction.ended;
    this.begun.push({ names: name, mode, options, transaction });
    return transaction;
  }

  close(): void {
    this.closed = true;
  }
}

/** What stands in place of `indexedDB` and `IDBKeyRange`. */
export const indexedDbInMemory = () => {
  const databases = new Map<string, Database>();
  /** Makes the next opening, or deletion, end with this error. */
  const wrong: { error?: Error } = {};
  const ask = (run: (asked: Asked) => void): Asked => {
    const asked: Asked = {};
    setTimeout(() => {
      if (wrong.error === undefined) return run(asked);
      asked.error = wrong.error;
      delete wrong.error;
      asked.onerror?.();
    }, 0);
    return asked;
  };
  return {
    databases,
    wrong,
    IDBKeyRange: { bound: (lower: string, upper: string): Range => ({ lower, upper }) },
    indexedDB: {
      open: (name: string, _version: number) =>
        ask((asked) => {
          const known = databases.get(name);
          asked.result = known ?? new Database();
          if (!known) {
            databases.set(name, asked.result as Database);
            asked.onupgradeneeded?.();
          }
          asked.onsuccess?.();
        }),
      deleteDatabase: (name: string) =>
        ask((asked) => {
          const database = databases.get(name);
          database?.onversionchange?.();
          if (database && !database.closed) return asked.onblocked?.();
          databases.delete(name);
          asked.onsuccess?.();
        }),
    },
  };
};
