// The alarm at which the engine wakes a world, even if its process has ended: set when something is due earlier than it goes off.
import type { Storage } from './engine.ts';

export class Alarm {
  readonly #storage: Storage;
  /** Milliseconds since 1970; undefined until read. */
  #at: number | null | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Reads what an earlier process has set. */
  async read(): Promise<void> {
    if (this.#at === undefined) this.#at = await this.#storage.getAlarm();
  }

  /** @param at milliseconds since 1970 */
  async by(at: number): Promise<void> {
    if (typeof this.#at === 'number' && this.#at <= at) return;
    this.#at = at;
    await this.#storage.setAlarm(at);
  }

  rang(): void {
    this.#at = null;
  }

  async off(): Promise<void> {
    this.#at = undefined;
    await this.#storage.deleteAlarm();
  }
}
