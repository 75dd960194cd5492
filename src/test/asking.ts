// Asks a mock with no socket, checks what the control API answers against its document, and writes each exchange down.
import { readFileSync } from 'node:fs';
import { controlRow } from '../control/operations.ts';
import { createMock } from '../mock/create.ts';
import type { Mock } from '../mock/mock.ts';
import type { MockOptions } from '../mock/options.ts';
import { type ControlAnswer, callOf, problemsOf } from './control.ts';
import { answerOf, initOf } from './sending.ts';

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

export type Told = ControlAnswer;

/** What every answer of the service carries. */
const USUAL = /^(content-type|x-ratelimit-(limit|remaining|reset)|date|access-control-(allow-origin|expose-headers))$/;

/** Long texts are cut: what they hold has tests of its own. */
const brief = (text: string): string => (text.length > 4000 ? `${text.slice(0, 400)}…` : text);

/** What happens to every sending: each receiver takes it. */
const sender = async () => ({ kind: 'response', status: 200, excerpt: 'taken', took: 7 }) as const;

/** A mock on the smallest fixture, its clock frozen, whose requests are written down. @param hide replaces what no two runs share. */
export const asking = async (options: MockOptions = {}, hide: (text: string) => string = (text) => text): Promise<Asking> => {
  const mock = await createMock({ seed: readFileSync('fixtures/tiny.yaml', 'utf8'), sender, ...options });
  const said: string[] = [];
  const ask = async (method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Told> => {
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const own = Object.entries(headers).map(([name, value]) => ` [${name}: ${value}]`);
    said.push([`> ${method} ${path}${own.join('')}`, ...(sent === undefined ? [] : [brief(sent)])].join(' '));
    let response: Response;
    try {
      response = await mock.app.fetch(new Request(`http://wm-mock.test${path}`, initOf(method, body, headers)));
    } catch (error) {
      said.push(`< ${String(error)}`);
      return { status: 0, text: '', headers: new Headers(), body: undefined };
    }
    const answer = await answerOf(response);
    const shown = [...response.headers]
      .filter(([name]) => path.includes('/_mock') || !USUAL.test(name))
      .map(([name, value]) => ` [${name}: ${value}]`);
    said.push(`< ${answer.status}${shown.sort().join('')} ${brief(answer.text)}`.trimEnd());
    const [, below] = path.split('/_mock');
    const id = below === undefined ? undefined : callOf(method, below);
    const wrong = id === undefined || controlRow(id).open ? [] : problemsOf(id, answer);
    if (wrong.length > 0) throw new Error(`${method} ${path} ${answer.status}: ${wrong.join('; ')}`);
    return answer;
  };
  const at = (world?: string) => (world === undefined ? '' : `/worlds/${world}`);
  return {
    mock,
    control: (method, path, body, { headers = {}, world } = {}) => ask(method, `${at(world)}/_mock${path}`, body, headers),
    service: (method, path, body, key = 'wm_tiny_admin', world) =>
      ask(method, `${at(world)}/v1${path}`, body, { authorization: `Bearer ${key}` }),
    note: (line) => void said.push(`# ${line}`),
    text: () => hide(`${said.join('\n')}\n`),
  };
};
