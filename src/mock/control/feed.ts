// Listeners to the changes of one world.

export type FeedKind = 'request' | 'delivery' | 'clock' | 'state';

export interface FeedListener {
  /** @param text the JSON of the change */
  heard(kind: FeedKind, text: string): void;
  ended(): void;
}

export class Feed {
  readonly #listeners = new Set<FeedListener>();
  readonly #write: (data: unknown) => string;

  /** @param write makes JSON without secrets */
  constructor(write: (data: unknown) => string) {
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
    const text = this.#write(make());
    for (const listener of this.#listeners) listener.heard(kind, text);
  }

  end(): void {
    for (const listener of this.#listeners) listener.ended();
    this.#listeners.clear();
  }
}
