// Asks the control API over a socket; every answer is checked against the document of its own.
import { ErrorBody } from '../contract/resources.ts';
import { CONTROL, CONTROL_IDS, type ControlId, controlRow } from '../control/operations.ts';
import { createMock, type Mock, type MockOptions, type Server } from '../node/index.ts';
import { check, lineOf } from '../validation/check.ts';
import { showPath } from '../validation/show.ts';
import { compiled } from './compiled.ts';
import { type Answer, answerOf, initOf } from './sending.ts';

export type ControlAnswer = Answer;

export interface ControlBench {
  readonly mock: Mock;
  readonly server: Server;
  /** Calls below `/_mock` of a world; a string body is sent as it is. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
    world?: string,
  ): Promise<ControlAnswer>;
  /** Calls the service below `/v1`. */
  call(method: string, path: string, body?: unknown, key?: string, world?: string): Promise<ControlAnswer>;
}

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

/** A mock on a socket with both of its doors. */
export const controlBench = async (options: MockOptions = {}): Promise<ControlBench> => {
  const mock = await createMock({ seed: 'fixtures/tiny.yaml', ...options });
  const server = await mock.listen({ port: 0 });
  return {
    mock,
    server,
    ask: async (method, path, body, headers = {}, world) => {
      const url = `${server.origin}${world === undefined ? '' : `/worlds/${world}`}/_mock${path}`;
      const answer = await answerOf(await fetch(url, initOf(method, body, headers)));
      const id = callOf(method, path);
      const wrong = id === undefined || controlRow(id).open ? [] : problemsOf(id, answer);
      if (wrong.length > 0)
        throw new Error(`${method} ${path} ${answer.status}: ${wrong.join('; ')}\n${answer.text.slice(0, 500)}`);
      return answer;
    },
    call: async (method, path, body, key = 'wm_tiny_admin', world) => {
      const url = `${server.origin}${world === undefined ? '' : `/worlds/${world}`}/v1${path}`;
      return answerOf(await fetch(url, initOf(method, body, { authorization: `Bearer ${key}` })));
    },
  };
};

/** What an answer has against the document of the control API. */
export const problemsOf = (
  id: ControlId,
  { status, body, headers }: Pick<ControlAnswer, 'status' | 'body' | 'headers'>,
): string[] => {
  const row = controlRow(id);
  const schema = status >= 400 ? ErrorBody : row.response;
  const cors = headers.has('access-control-allow-origin') ? ['a CORS header'] : [];
  if (status < 400 && status !== row.status) return [`expected ${row.status}`];
  if (!schema || (body === undefined && status < 400)) return cors;
  return [...cors, ...check(compiled(schema), body).map((finding) => lineOf(showPath(finding.path), finding))];
};
