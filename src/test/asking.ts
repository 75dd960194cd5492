// Calls a mock with no socket, checks responses of the control API against its document, and records each exchange.
import { readFileSync } from 'node:fs';
import { createMock } from '../create-mock.ts';
import type { MockOptions } from '../mock/api/options.ts';
import { CONTROL, CONTROL_IDS, type ControlId, controlRow } from '../mock/control/operations.ts';
import { ErrorBody } from '../service/contract/resources.ts';
import { check, lineOf } from '../service/validation/check.ts';
import { pathText } from '../service/validation/show.ts';
import { compiled } from './compiled.ts';
import { type ApiResponse, initOf, readResponse } from './sending.ts';

/** Headers of every response of the service. */
const USUAL = /^(content-type|x-ratelimit-(limit|remaining|reset)|date|access-control-(allow-origin|expose-headers))$/;

/** Long texts are cut: what they hold has tests of its own. */
const brief = (text: string): string => (text.length > 4000 ? `${text.slice(0, 400)}…` : text);

/** Acknowledges every sending. */
const sender = async () => ({ kind: 'response', status: 200, excerpt: 'taken', took: 7 }) as const;

/** The call that a method and a path below `/_mock` name. */
export const callOf = (method: string, path: string): ControlId | undefined => {
  const parts = path.replace(/\?.*$/s, '').split('/');
  return CONTROL_IDS.find((id) => {
    const row = CONTROL[id];
    const wanted = row.path.split('/');
    const fits = wanted.length === parts.length && wanted.every((part, i) => part === parts[i] || part.startsWith('{'));
    return fits && (row.method === method || row.method === 'ANY');
  });
};

/** Differences between a response and the document of the control API. */
const problemsOf = (id: ControlId, { status, body, headers }: ApiResponse): string[] => {
  const row = controlRow(id);
  const schema = status >= 400 ? ErrorBody : row.response;
  const cors = headers.has('access-control-allow-origin') ? ['a CORS header'] : [];
  if (status < 400 && status !== row.status) return [`expected ${row.status}`];
  if (!schema || (body === undefined && status < 400)) return cors;
  return [...cors, ...check(compiled(schema), body).map((finding) => lineOf(pathText(finding.path), finding))];
};

/** A mock on the smallest fixture, its clock frozen, whose requests are recorded. @param hide replaces text that differs between runs. */
export const asking = async (options: MockOptions = {}, hide: (text: string) => string = (text) => text) => {
  const mock = await createMock({ seed: readFileSync('fixtures/tiny.yaml', 'utf8'), sender, ...options });
  const lines: string[] = [];
  const ask = async (method: string, path: string, body: unknown, headers: Record<string, string>): Promise<ApiResponse> => {
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const own = Object.entries(headers).map(([name, value]) => ` [${name}: ${value}]`);
    lines.push([`> ${method} ${path}${own.join('')}`, ...(sent === undefined ? [] : [brief(sent)])].join(' '));
    let response: Response;
    try {
      response = await mock.app.fetch(new Request(`http://wm-mock.test${path}`, initOf(method, body, headers)));
    } catch (error) {
      lines.push(`< ${String(error)}`);
      return { status: 0, text: '', headers: new Headers(), body: undefined };
    }
    const read = await readResponse(response);
    const shown = [...response.headers]
      .filter(([name]) => path.includes('/_mock') || !USUAL.test(name))
      .map(([name, value]) => ` [${name}: ${value}]`);
    lines.push(`< ${read.status}${shown.sort().join('')} ${brief(read.text)}`.trimEnd());
    const [, below] = path.split('/_mock');
    const id = below === undefined ? undefined : callOf(method, below);
    const wrong = id === undefined || controlRow(id).open ? [] : problemsOf(id, read);
    if (wrong.length > 0) throw new Error(`${method} ${path} ${read.status}: ${wrong.join('; ')}`);
    return read;
  };
  const at = (world?: string) => (world === undefined ? '' : `/worlds/${world}`);
  return {
    mock,
    /** A call of the control API, of another world when its id is given. A text is sent as it is. */
    control: (
      method: string,
      path: string,
      body?: unknown,
      { headers = {}, world }: { headers?: Record<string, string>; world?: string } = {},
    ) => ask(method, `${at(world)}/_mock${path}`, body, headers),
    /** A request to the service as the key's owner. */
    service: (method: string, path: string, body?: unknown, key = 'wm_tiny_admin', world?: string) =>
      ask(method, `${at(world)}/v1${path}`, body, { authorization: `Bearer ${key}` }),
    /** Puts a line between the requests. */
    note: (line: string) => void lines.push(`# ${line}`),
    /** All requests and responses so far. */
    text: () => hide(`${lines.join('\n')}\n`),
    close: () => mock.close(),
  };
};

export type Asking = Awaited<ReturnType<typeof asking>>;
