// An answer on its way from the target to the suite.

// biome-ignore lint/suspicious/noExplicitAny: a mutant takes bodies apart that have no type
export type Loose = any;

export const parse = (text: string | undefined): Loose => {
  try {
    return text === undefined || text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** An answer whose body is parsed when a layer looks at it. */
export class Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
  #json: Loose;
  #parsed = false;

  constructor(status: number, headers: Record<string, string>, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  get json(): Loose {
    if (!this.#parsed) {
      this.#parsed = true;
      this.#json = parse(this.text);
    }
    return this.#json;
  }

  set json(value: Loose) {
    this.#parsed = true;
    this.#json = value;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** The rows of a list, or the one resource. */
  get rows(): Loose[] {
    const { json } = this;
    if (Array.isArray(json?.items)) return json.items;
    return json?.data && typeof json.data === 'object' ? [json.data] : [];
  }

  /** Puts bytes in place of the body, which need not be JSON. */
  replace(text: string): void {
    this.text = text;
    this.#parsed = false;
  }

  get sent(): string {
    return this.#parsed && this.#json !== undefined ? JSON.stringify(this.#json) : this.text;
  }
}
