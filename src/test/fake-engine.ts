// A small engine of durable objects: storage that outlives its objects, alarms that are run by hand.
import { onTestFinished } from 'vitest';
import type { Namespace, ObjectState, Storage } from '../hosted/engine.ts';
import type { Env } from '../hosted/env.ts';
import { objectsOn } from '../hosted/objects.ts';

class Stored implements Storage {
  readonly kept: Map<string, unknown>;
  readonly long: Map<number, { readonly n: number; readonly key: string; readonly text: string }>;
  alarm: number | null = null;
  fails: Error | undefined;
  writes = 0;
  transactions = 0;

  constructor({ kept = new Map(), long = new Map(), alarm = null }: Partial<Pick<Stored, 'kept' | 'long' | 'alarm'>> = {}) {
    this.kept = new Map(kept);
    this.long = new Map(long);
    this.alarm = alarm;
  }

  #wrote(): void {
    if (this.fails) throw this.fails;
    this.writes += 1;
  }

  /** The keys of short and long values on the shelf. */
  keys(): string[] {
    return [...this.kept.keys(), ...[...this.long.values()].map(({ key }) => key)];
  }

  readonly kv: Storage['kv'] = {
    get: (key) => structuredClone(this.kept.get(key)),
    put: (key, value) => {
      this.#wrote();
      this.kept.set(key, structuredClone(value));
    },
    delete: (key) => this.kept.delete(key),
    list: ({ prefix }) =>
      [...this.kept]
        .filter(([key]) => key.startsWith(prefix))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, value]) => [key, structuredClone(value)]),
  };

  get sql(): Storage['sql'] {
    const { kept, long } = this;
    return {
      databaseSize: JSON.stringify([...kept, ...long]).length,
      // The statements of the shelf, known by how they begin.
      exec: <Row>(query: string, n: unknown, key: unknown, text: unknown) => {
        if (query.startsWith('INSERT')) {
          this.#wrote();
          long.set(Number(n), { n: Number(n), key: String(key), text: String(text) });
        }
        if (query.startsWith('DELETE')) long.delete(Number(n));
        const rows = query.startsWith('SELECT') ? [...long.values()].sort((a, b) => a.n - b.n) : [];
        return rows as Row[];
      },
    };
  }

  transactionSync<T>(act: () => T): T {
    this.transactions += 1;
    const [kept, long] = [new Map(this.kept), new Map(this.long)];
    try {
      return act();
    } catch (error) {
      this.kept.clear();
      this.long.clear();
      for (const [key, value] of kept) this.kept.set(key, value);
      for (const [n, row] of long) this.long.set(n, row);
      throw error;
    }
  }

  async getAlarm() {
    return this.alarm;
  }
  async setAlarm(at: number) {
    this.alarm = at;
  }
  async deleteAlarm() {
    this.alarm = null;
  }
  async deleteAll() {
    this.kept.clear();
    this.long.clear();
  }
}

type Instance = Record<string, (...given: unknown[]) => unknown>;
class Nothing {}
const CLASSES = objectsOn(Nothing);
const SPACES = { WORLDS: 'WorldObject', ORIGINS: 'OriginObject', DIRECTORY: 'DirectoryObject' } as const;

export class FakeEngine {
  /** Names of methods whose next call happens, but loses its response. */
  readonly loses = new Set<string>();
  readonly storages = new Map<string, Stored>();
  readonly #instances = new Map<string, Instance>();
  readonly #worlds: { readonly id: string; readonly instance: Instance }[] = [];
  readonly env: Env;

  constructor(options: Partial<Env> = {}) {
    const spaces = Object.fromEntries(Object.keys(SPACES).map((space) => [space, this.#space(space as keyof typeof SPACES)]));
    this.env = { WM_OWNER_TOKEN: 'the-owner-of-all-of-this', ...options, ...spaces } as Env;
    // The timers of a world would outlive the test, and meet the next one.
    onTestFinished(async () => void (await Promise.all(this.#worlds.map(({ id, instance }) => instance.end!(id)))));
  }

  #space(space: keyof typeof SPACES): Namespace<unknown> {
    return {
      idFromName: (name) => name,
      get: (name) =>
        new Proxy(
          {},
          {
            get:
              (_, method: string) =>
              async (...given: unknown[]) => {
                const cloned = given.map((one) => (one instanceof Request ? one : structuredClone(one)));
                const response = await this.instance(space, String(name))[method]!(...cloned);
                if (method !== 'fetch' && this.loses.delete(method))
                  throw Object.assign(new Error('Network connection lost.'), { retryable: true });
                return response instanceof Response ? response : structuredClone(response);
              },
          },
        ),
    };
  }

  storage(space: keyof typeof SPACES, name: string): Stored {
    const at = `${space} ${name}`;
    if (!this.storages.has(at)) this.storages.set(at, new Stored());
    return this.storages.get(at)!;
  }

  instance(space: keyof typeof SPACES, name: string): Instance {
    const at = `${space} ${name}`;
    const known = this.#instances.get(at);
    if (known) return known;
    const state: ObjectState = { storage: this.storage(space, name) };
    const made = new CLASSES[SPACES[space]](state, this.env) as unknown as Instance;
    this.#instances.set(at, made);
    if (space === 'WORLDS') this.#worlds.push({ id: name, instance: made });
    return made;
  }

  /** The processes end; what was written stays, and what they still do is nothing any more. */
  restart(): void {
    for (const [at, stored] of this.storages) this.storages.set(at, new Stored(stored));
    this.#instances.clear();
  }

  /** The names of the objects that hold anything. */
  holding(space: keyof typeof SPACES): string[] {
    return [...this.storages]
      .flatMap(([at, { kept, long }]) =>
        at.startsWith(`${space} `) && kept.size + long.size > 0 ? [at.slice(space.length + 1)] : [],
      )
      .sort();
  }

  /** Lets an object's alarm go, whenever it is due. */
  async ring(space: keyof typeof SPACES, name: string): Promise<void> {
    this.storage(space, name).alarm = null;
    await this.instance(space, name).alarm!();
  }
}
