// The bytes of a world's records beyond its seed: forks share what was added before them, so that it counts once.

const MAX_PARTS = 500;

export interface GrowthPart {
  readonly bytes: number;
}

export class Growth {
  /** One part for each fork in a world's past. */
  #shared: readonly GrowthPart[];
  #own = { bytes: 0 };

  constructor(shared: readonly GrowthPart[] = []) {
    this.#shared = shared;
  }

  get parts(): readonly GrowthPart[] {
    return [...this.#shared, this.#own];
  }

  add(bytes: number): void {
    this.#own.bytes += bytes;
  }

  fork(): Growth {
    if (this.#own.bytes !== 0) {
      const parts = this.parts;
      const sum = () => ({ bytes: parts.reduce((all, { bytes }) => all + bytes, 0) });
      this.#shared = parts.length < MAX_PARTS ? parts : [sum()];
      this.#own = { bytes: 0 };
    }
    return new Growth(this.#shared);
  }
}
