// What an action has to say, kept until the page that it leads to shows it, once.

/** What an action did. */
export interface Done {
  /** Where to go on, an address made by `context.href`; absent: the page that was posted from. */
  readonly to?: string;
  /** One sentence for the person who did it. */
  readonly says?: string;
  /** So many deliveries came of it. */
  readonly deliveries?: number;
  /** A value that is shown this once and never again, such as a new key. */
  readonly once?: { readonly label: string; readonly value: string };
}

const MAX_NOTES = 50;

export class Notes {
  readonly #kept = new Map<string, Done>();
  #made = 0;

  /** Keeps a note. @returns the address at which it is shown. */
  leave(done: Done, to: string): string {
    if (done.says === undefined) return to;
    this.#made += 1;
    const id = String(this.#made);
    this.#kept.set(id, done);
    if (this.#kept.size > MAX_NOTES) this.#kept.delete(this.#kept.keys().next().value!);
    const [address = '', hash] = to.split('#', 2);
    return `${address}${address.includes('?') ? '&' : '?'}note=${id}${hash === undefined ? '' : `#${hash}`}`;
  }

  take(id: string | null): Done | undefined {
    if (id === null) return undefined;
    const note = this.#kept.get(id);
    this.#kept.delete(id);
    return note;
  }
}
