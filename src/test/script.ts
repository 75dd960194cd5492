// Sends a mock one request after another and records requests and responses, for people to read.
import type { Mock } from '../mock/api/mock.ts';

export interface Ask {
  /** Part of the value of a key behind `wm_`; null: no Authorization header. */
  readonly key?: string | null;
  /** A string is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers of every response, which are recorded only on demand. */
const USUAL =
  /^(content-type|x-ratelimit-(limit|remaining|reset)|date|access-control-(allow-origin|expose-headers)|content-length)$/;

/** Long runs of one character, short enough to be read. */
const brief = (text: string): string => text.replace(/(.)\1{30,}/gsu, (run, one: string) => `${one}{${run.length}}`);

const byIds = (text: string): string => {
  const { items, meta } = JSON.parse(text);
  return items ? `${items.map(({ id }: { id: string }) => id).join(' ') || 'none'} ${JSON.stringify(meta)}` : text;
};

export class Script {
  readonly #mock: Pick<Mock, 'fetch'>;
  readonly #lines: string[] = [];
  /** Each exchange by itself. */
  readonly exchanges: string[] = [];
  /** Whether all headers of a response are recorded. */
  all = false;
  /** Whether the records of a list are recorded by their ids alone. */
  ids = false;

  constructor(mock: Pick<Mock, 'fetch'>) {
    this.#mock = mock;
  }

  /** A title above the exchanges that follow. */
  say(title: string): void {
    this.#lines.push('', `# ${title}`);
  }

  note(line: string): void {
    this.#lines.push(line);
  }

  /** @returns the parsed body of the response, or its text. */
  // biome-ignore lint/suspicious/noExplicitAny: responses are recorded whole, and read here freely.
  async ask(method: string, path: string, { key = 'busy_admin', body, headers = {} }: Ask = {}): Promise<any> {
    const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    const all = {
      ...(key === null ? {} : { authorization: `Bearer wm_${key}` }),
      ...(sent === null ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const response = await this.#mock.fetch(path, { method, body: sent, headers: all });
    const text = await response.text();
    const given = Object.entries(headers).map(([name, value]) => ` [${name}: ${value}]`);
    const line = `${method} ${path}${key === 'busy_admin' ? '' : key ? ` as ${key}` : ' without a key'}${given.join('')}`;
    const shown = [...response.headers].filter(([name]) => this.all || !USUAL.test(name));
    const result = [
      `  ${response.status}${shown.map(([name, value]) => ` [${name}: ${value}]`).join('')}`,
      ...(text === '' ? [] : [brief(this.ids ? byIds(text) : text)]),
    ].join(' ');
    const exchange = [brief(sent === null ? line : `${line} ${sent}`), result].join('\n');
    this.exchanges.push(exchange);
    this.#lines.push(exchange);
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }

  get text(): string {
    return `${this.#lines.join('\n').trimStart()}\n`;
  }
}

/** The exchanges that differ from the usual ones: the first of them, and their number. */
export const otherwise = (name: string, exchanges: readonly string[], usual: readonly string[], limit = 99): string => {
  const others = exchanges.filter((exchange, i) => exchange !== usual[i]);
  return [`# ${name}: ${others.length} of ${exchanges.length}`, ...others.slice(0, limit), ''].join('\n');
};
