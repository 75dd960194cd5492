// Listeners to the changes of one world.

export type FeedKind = 'request' | 'delivery' | 'clock' | 'state';

export interface FeedListener {
  /** @param text makes the JSON of `data`, once for all listeners */
  heard(kind: FeedKind, data: unknown, text: () => string): void;
  ended(): void;
}

export class Feed {
  readonly #listeners = new Set<FeedListener>();
  readonly #write: (data: unknown) => string;

  /** @param write makes JSON without secrets */
  constructor(write: (data: unknown) => string = JSON.stringify) {
    this.#write = write;
  }

  get size(): number {
    return this.#listeners.size;
  }

  listen(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(kind: FeedKind, make: () => unknown): void {
    if (this.#listeners.size === 0) return;
    const data = make();
    let made: string | undefined;
    const text = () => {
      made ??= this.#write(data);
      return made;
    };
    for (const listener of this.#listeners) listener.heard(kind, data, text);
  }

  end(): void {
    for (const listener of this.#listeners) listener.ended();
    this.#listeners.clear();
  }
}
