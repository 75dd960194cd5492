// A shelf that lasts as long as the program.
import { type Shelf, ShelfTaken } from '../mock/saving/shelf.ts';

/** Storage of shelves that last as long as the program: each is a view of it. */
export class Memory {
  readonly #kept = new Map<string, string>();
  #owner: symbol | undefined;

  /** The stored entries; reading takes nothing over. */
  kept(): Map<string, unknown> {
    return new Map([...this.#kept].sort().map(([key, text]) => [key, JSON.parse(text) as unknown]));
  }

  /** Another view of the same shelf. Values go through JSON, as a shelf may do. */
  shelf(): Shelf {
    let mine = Symbol();
    return {
      read: async () => {
        mine = Symbol();
        this.#owner = mine;
        return this.kept();
      },
      write: async ({ put, remove, clear }) => {
        if (mine !== this.#owner) throw new ShelfTaken();
        for (const key of [...this.#kept.keys()]) if (clear.some((start) => key.startsWith(start))) this.#kept.delete(key);
        for (const key of remove) this.#kept.delete(key);
        for (const [key, value] of put) this.#kept.set(key, JSON.stringify(value));
      },
    };
  }
}
