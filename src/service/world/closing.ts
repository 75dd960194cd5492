// The end of something, reported to all who wait for it.

export class Closing {
  readonly #waiting = new Set<() => void>();
  #closed = false;

  /** Calls when it closes; at once when it has. @returns what calls it off. */
  tell(call: () => void): () => void {
    if (this.#closed) call();
    else this.#waiting.add(call);
    return () => void this.#waiting.delete(call);
  }

  close(): void {
    this.#closed = true;
    for (const call of this.#waiting) call();
    this.#waiting.clear();
  }
}
