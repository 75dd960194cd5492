// Who listens to what happens in a world: the event stream of the control API.

export const FEED_KINDS = ['request', 'delivery', 'clock', 'state'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

export interface FeedListener {
  heard(kind: FeedKind, data: unknown): void;
  /** The world is gone. */
  ended(): void;
}

export class Feed {
  readonly #listeners = new Set<FeedListener>();

  get size(): number {
    return this.#listeners.size;
  }

  /** @returns what ends it. */
  listen(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @param make is called only when somebody listens. */
  tell(kind: FeedKind, make: () => unknown): void {
    if (this.#listeners.size === 0) return;
    const data = make();
    for (const listener of this.#listeners) listener.heard(kind, data);
  }

  end(): void {
    for (const listener of this.#listeners) listener.ended();
    this.#listeners.clear();
  }
}
