// The object that keeps a snapshot which many worlds start from, in parts.
import type { ObjectState, Storage } from './engine.ts';

/** How many parts one call carries. */
export const PARTS_AT_ONCE = 8;

const partKey = (n: number): string => `part/${n}`;

export class OriginObject {
  readonly #storage: Storage;

  constructor(ctx: ObjectState) {
    this.#storage = ctx.storage;
  }

  /** How many parts there are; 0 until all are stored. */
  size(): number {
    return Number(this.#storage.kv.get('size') ?? 0);
  }

  put(from: number, parts: readonly string[], whole: boolean): void {
    const { kv } = this.#storage;
    parts.forEach((text, i) => void kv.put(partKey(from + i), text));
    if (whole) kv.put('size', from + parts.length);
  }

  get(from: number): string[] {
    const length = Math.min(PARTS_AT_ONCE, this.size() - from);
    return Array.from({ length }, (_, i) => String(this.#storage.kv.get(partKey(from + i))));
  }

  drop(): Promise<void> {
    return this.#storage.deleteAll();
  }
}
