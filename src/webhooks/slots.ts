// How many do something at once, by what they do it to; the rest wait in line.

export class Slots {
  readonly #most: number;
  readonly #lines = new Map<string, { busy: number; readonly waiting: (() => void)[] }>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Does something as soon as fewer than the most do something to the same. */
  async within<T>(name: string, act: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(name) ?? { busy: 0, waiting: [] };
    this.#lines.set(name, line);
    if (line.busy < this.#most) line.busy += 1;
    else await new Promise<void>((turn) => line.waiting.push(turn));
    try {
      return await act();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.busy === 0) this.#lines.delete(name);
    }
  }
}
