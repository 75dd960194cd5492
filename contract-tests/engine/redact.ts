// Keys and secrets never reach an artefact: each value that is known is replaced by the name that stands for it.
export class Redactor {
  readonly #names = new Map<string, string>();

  know(value: string | undefined, name: string): void {
    if (value && value.length >= 4) this.#names.set(value, name);
  }

  /** The values that must not be seen in a response. */
  secrets(): IterableIterator<string> {
    return this.#names.keys();
  }

  nameOf(value: string): string | undefined {
    return this.#names.get(value);
  }

  clean(text: string): string {
    let clean = text;
    for (const [value, name] of [...this.#names].sort(([a], [b]) => b.length - a.length)) {
      for (const form of new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])) {
        clean = clean.replaceAll(form, name);
      }
    }
    return clean;
  }
}
