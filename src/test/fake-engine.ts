// A small engine of durable objects: storage that outlives its objects, alarms that are let go by hand.
import type { Namespace, ObjectState, Storage } from '../hosted/engine.ts';
import type { Env } from '../hosted/env.ts';
import { objectsOn } from '../hosted/objects.ts';

class Stored implements Storage {
  readonly kept: Map<string, unknown>;
  alarm: number | null = null;
  fails: Error | undefined;
  writes = 0;
  transactions = 0;

  constructor(kept: Iterable<[string, unknown]> = [], alarm: number | null = null) {
    this.kept = new Map(kept);
    this.alarm = alarm;
  }

  readonly kv: Storage['kv'] = {
    get: (key) => structuredClone(this.kept.get(key)),
    put: (key, value) => {
      if (this.fails) throw this.fails;
      this.writes += 1;
      this.kept.set(key, structuredClone(value));
    },
    delete: (key) => this.kept.delete(key),
    list: ({ prefix }) =>
      [...this.kept]
        .filter(([key]) => key.startsWith(prefix))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, value]) => [key, structuredClone(value)]),
  };

  get sql() {
    return { databaseSize: JSON.stringify([...this.kept]).length };
  }

  transactionSync<T>(act: () => T): T {
    this.transactions += 1;
    const before = new Map(this.kept);
    try {
      return act();
    } catch (error) {
      this.kept.clear();
      for (const [key, value] of before) this.kept.set(key, value);
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
  }
}

type Instance = Record<string, (...given: unknown[]) => unknown>;
class Nothing {}
const CLASSES = objectsOn(Nothing);
const SPACES = { WORLDS: 'WorldObject', ORIGINS: 'OriginObject', DIRECTORY: 'DirectoryObject' } as const;

export class FakeEngine {
  /** Of these methods the next call happens, and its answer is lost. */
  readonly loses = new Set<string>();
  readonly storages = new Map<string, Stored>();
  readonly #instances = new Map<string, Instance>();
  readonly env: Env;

  constructor(options: Partial<Env> = {}) {
    const spaces = Object.fromEntries(Object.keys(SPACES).map((space) => [space, this.#space(space as keyof typeof SPACES)]));
    this.env = { WM_OWNER_TOKEN: 'the-owner-of-all-of-this', ...options, ...spaces } as Env;
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
                const answer = await this.instance(space, String(name))[method]!(...cloned);
                if (method !== 'fetch' && this.loses.delete(method))
                  throw Object.assign(new Error('Network connection lost.'), { retryable: true });
                return answer instanceof Response ? answer : structuredClone(answer);
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
    return made;
  }

  /** The processes end; what was written stays, and what they still do is nothing any more. */
  restart(): void {
    for (const [at, { kept, alarm }] of this.storages) this.storages.set(at, new Stored(kept, alarm));
    this.#instances.clear();
  }

  /** The names of the objects that hold anything. */
  holding(space: keyof typeof SPACES): string[] {
    return [...this.storages]
      .flatMap(([at, { kept }]) => (at.startsWith(`${space} `) && kept.size > 0 ? [at.slice(space.length + 1)] : []))
      .sort();
  }

  /** Lets an object's alarm go, whenever it is due. */
  async ring(space: keyof typeof SPACES, name: string): Promise<void> {
    this.storage(space, name).alarm = null;
    await this.instance(space, name).alarm!();
  }
}
