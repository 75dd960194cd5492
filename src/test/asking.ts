// Asks a mock with no socket, and writes down each request with its whole answer.
import { readFileSync } from 'node:fs';
import { createMock } from '../mock/create.ts';
import type { Mock } from '../mock/mock.ts';
import type { MockOptions } from '../mock/options.ts';

export interface Asking {
  readonly mock: Mock;
  /** A call of the control API, of another world when its id is given. A text is sent as it is. */
  control(
    method: string,
    path: string,
    body?: unknown,
    more?: { headers?: Record<string, string>; world?: string },
  ): Promise<Told>;
  /** A request to the service as the key's owner. */
  service(method: string, path: string, body?: unknown, key?: string, world?: string): Promise<Told>;
  /** Puts a line between the requests. */
  note(line: string): void;
  /** All that was asked and answered so far. */
  text(): string;
}

export interface Told {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely; the whole text is compared
  readonly body: any;
}

/** JSON with a line for each value, when that loses nothing of the text; short ones as they are. */
const laidOut = (text: string): string => {
  if (text.length <= 140) return text;
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 1) : text;
  } catch {
    return text;
  }
};

const told = async (response: Response): Promise<Told> => {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, text, body };
};

/** What happens to every sending: each receiver takes it. */
const sender = async () => ({ kind: 'response', status: 200, excerpt: 'taken', took: 7 }) as const;

/** A mock on the smallest fixture, its clock frozen, whose requests are written down. @param hide replaces what no two runs share. */
export const asking = async (options: MockOptions = {}, hide: (text: string) => string = (text) => text): Promise<Asking> => {
  const mock = await createMock({ seed: readFileSync('fixtures/tiny.yaml', 'utf8'), sender, ...options });
  const said: string[] = [];
  const ask = async (method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Told> => {
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const type = body === undefined || headers['content-type'] !== undefined ? {} : { 'content-type': 'application/json' };
    const init = { method, headers: { ...type, ...headers }, ...(sent === undefined ? {} : { body: sent }) };
    said.push(
      [`> ${method} ${path}`, ...own, ...(sent === undefined ? [] : [sent.length > 3000 ? '(long)' : sent])].join('\n> '),
    );
    let response: Response;
    try {
      response = await mock.app.fetch(new Request(`http://wm-mock.test${path}`, init));
    } catch (error) {
      said.push(`< ${String(error)}\n`);
      return { status: 0, text: '', body: undefined };
    }
    const answer = await told(response);
    const shown = [...response.headers].map(([name, value]) => `< ${name}: ${value}`).sort();
    said.push([`< ${answer.status}`, ...shown, ...(answer.text === '' ? [] : [laidOut(answer.text)]), ''].join('\n'));
    return answer;
  };
  const at = (world?: string) => (world === undefined ? '' : `/worlds/${world}`);
  return {
    mock,
    control: (method, path, body, { headers = {}, world } = {}) => ask(method, `${at(world)}/_mock${path}`, body, headers),
    service: (method, path, body, key = 'wm_tiny_admin', world) =>
      ask(method, `${at(world)}/v1${path}`, body, { authorization: `Bearer ${key}` }),
    note: (line) => void said.push(`# ${line}\n`),
    text: () => hide(said.join('\n')),
  };
};
