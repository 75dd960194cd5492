// Faults of keys at large, and of JSON.
import type { Answer, Call } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn } from './fault.ts';

/** Serves requests without a key to some paths as if they had one. */
const open = (service: Service, method: string, path: RegExp): void =>
  around(service, 'authenticate', (was, call) => {
    const first = service.db.keys[0];
    return call.method === method && path.test(call.path) && !call.headers.has('authorization') && first ? first : was(call);
  });
const authenticates = clause(10, 'Every request authenticates with a Bearer API key.');
const isJson = clause(10, 'Every response body is JSON, except the empty body of `204`.');
const asText = (
  service: Service,
  when: (answer: Answer, call: Call) => boolean,
  text: (answer: Answer) => string | undefined,
): void =>
  around(service, 'write', (was, answer, call) =>
    when(answer, call) ? { text: text(answer), type: 'text/html' } : was(answer, call),
  );
const page = ({ status }: Answer) => `<html><body><h1>${status}</h1></body></html>`;
const basics: Fault[] = [
  authenticates('no-key-profile', 'GET /users/me answers without a key', (s) => open(s, 'GET', /^\/users\/me$/)),
  authenticates('no-key-teams', 'GET /teams answers without a key', (s) => open(s, 'GET', /^\/teams$/)),
  authenticates('no-key-team', 'GET /teams/{team_id} answers without a key', (s) => open(s, 'GET', /^\/teams\/./)),
  authenticates('no-key-comments', 'GET /tasks/{task_id}/comments answers without a key', (s) => open(s, 'GET', /comments$/)),
  authenticates('no-key-members', 'GET /workspace/members answers without a key', (s) => open(s, 'GET', /members$/)),
  authenticates('no-key-webhooks', 'POST /webhooks registers without a key', (s) => open(s, 'POST', /^\/webhooks$/)),
  authenticates('no-key-patch-task', 'PATCH /tasks/{task_id} works without a key', (s) => open(s, 'PATCH', /^\/tasks\//)),
  authenticates('no-key-delete-team', 'DELETE /teams/{team_id} works without a key', (s) => open(s, 'DELETE', /^\/teams\//)),
  authenticates('no-key-project-tasks', 'GET /projects/{project_id}/tasks answers without a key', (s) =>
    open(s, 'GET', /^\/projects\/.+\/tasks$/),
  ),
  authenticates('no-key-create-task', 'POST /projects/{project_id}/tasks works without a key', (s) => open(s, 'POST', /tasks$/)),

  isJson('html-unknown-route', 'a path that does not exist answers an HTML page', (s) =>
    asText(s, (answer, call) => answer.status >= 400 && call.operation === undefined && call.key !== undefined, page),
  ),
  isJson('html-401', 'a missing key is answered with an HTML page', (s) => asText(s, ({ status }) => status === 401, page)),
  isJson(
    'text-429',
    'the rate limiter answers plain text',
    (s) =>
      asText(
        s,
        ({ status }) => status === 429,
        () => 'Too many requests',
      ),
    { needs: 'quota' },
  ),
  isJson('html-malformed-json', 'a body that is not JSON is answered with an HTML page', (s) => {
    const broken = new WeakSet<Call>();
    around(s, 'parse', (was, text, call) => {
      try {
        return was(text, call);
      } catch (error) {
        broken.add(call);
        throw error;
      }
    });
    asText(s, (answer, call) => answer.status === 400 && broken.has(call), page);
  }),
  isJson('empty-404-on-delete', 'DELETE of an unknown id answers 404 with an empty body', (s) =>
    asText(
      s,
      ({ status }, { method }) => status === 404 && method === 'DELETE',
      () => undefined,
    ),
  ),
  isJson('empty-403', 'a refused scope is answered with an empty body', (s) =>
    asText(
      s,
      ({ status }) => status === 403,
      () => undefined,
    ),
  ),
  isJson('truncated-long-lists', 'answers of more than 16 KB are cut in the middle', (s) => {
    around(s, 'write', (was, answer, call) => {
      const { text, type } = was(answer, call);
      return { text: text?.slice(0, 16_384), type };
    });
  }),
  isJson('double-encoded-error', 'errors are JSON inside a JSON string', (s) => {
    around(s, 'write', (was, answer, call) => {
      const { text, type } = was(answer, call);
      return answer.status >= 400 && text ? { text: JSON.stringify(text), type } : { text, type };
    });
  }),
  isJson('debug-line-after-patch', 'PATCH of a task leaves a debug line behind the body', (s) => {
    around(s, 'write', (was, answer, call) => {
      const { text, type } = was(answer, call);
      return isOn(call, 'changeTask') && answer.status < 300 ? { text: `${text}\nqueries: 3`, type } : { text, type };
    });
  }),
  isJson('nan-in-empty-list', 'an empty list has a total of NaN, which is not JSON', (s) => {
    around(s, 'write', (was, answer, call) => {
      const { text, type } = was(answer, call);
      return { text: text?.replace('"items":[],"meta":{"total":0', '"items":[],"meta":{"total":NaN'), type };
    });
  }),
];
const decoding = clause(11, 'send JSON and the header `Content-Type: application/json`');
const latin = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
const json: Fault[] = [
  decoding('patch-wants-merge-patch', 'PATCH refuses application/json and wants application/merge-patch+json', (s) =>
    around(s, 'acceptsType', (was, type, call) => (call.method === 'PATCH' ? type.includes('merge-patch') : was(type, call))),
  ),
  decoding('body-read-as-latin-1', 'bodies are decoded as Latin-1, so that é comes back as Ã©', (s) =>
    around(s, 'parse', (was, text, call) => was(latin(text), call)),
  ),
  decoding('patch-read-as-latin-1', 'only PATCH decodes its body as Latin-1', (s) =>
    around(s, 'parse', (was, text, call) => was(call.method === 'PATCH' ? latin(text) : text, call)),
  ),
  decoding('form-bodies-only-for-teams', 'POST /teams reads a form and refuses JSON', (s) =>
    around(s, 'acceptsType', (was, type, call) => (isOn(call, 'createTeam') ? type.includes('form') : was(type, call))),
  ),
];

export const faults: readonly Fault[] = [...basics, ...json];
