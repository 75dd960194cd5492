// Memory: the bytes of values, and of the records that a world holds beyond its seed; forks share earlier parts.

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

const FIELD_BYTES = 16;

export const bytesOf = (value: unknown): number => {
  if (typeof value === 'string') return FIELD_BYTES + 2 * value.length;
  if (typeof value !== 'object' || value === null) return FIELD_BYTES;
  let sum = 2 * FIELD_BYTES;
  for (const inner of Object.values(value)) sum += FIELD_BYTES + bytesOf(inner);
  return sum;
};

/** The bytes of a record: its JSON is cached beside it. */
export const bytesOfRecord = (record: object | undefined): number => (record === undefined ? 0 : 500 + 2 * bytesOf(record));
