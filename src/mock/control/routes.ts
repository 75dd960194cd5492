// Routes of the control API: from a request to a checked call, from its result to a Response.
import { type Context, Hono } from 'hono';
import { Problem } from '../../service/contract/errors.ts';
import { isJson, readBody as readText, tooManyBodiesProblem } from '../../service/http/body.ts';
import { pathFits, pathIn, rawPath, toPattern, variableOf, WORLD_PREFIX } from '../../service/http/paths.ts';
import { readJsonText, TEXT_FAULTS } from '../../service/validation/json-text.ts';
import { errorResponse, findOr404, refusal, responseOf, toResponse } from './call.ts';
import { checkBody, queryFindings } from './call-by-row.ts';
import type { Guard } from './guard.ts';
import type { Host } from './host.ts';
import { changesWorld, invoke } from './invoke.ts';
import { CONTROL, CONTROL_IDS, type ControlId, controlRow } from './operations.ts';
import { needsFields } from './shapes.ts';
import { refuseFindings } from './validate.ts';

/** Inline seeds are long. */
const BODY_BYTES = 64 * 1_048_576;

const malformedCall = (issue: string): Problem => refusal([{ field: 'body', issue }], 400, issue);

const WRONG_TYPE = 'The control API takes bodies as application/json alone. Send Content-Type: application/json.';
const wrongType = (): Problem => new Problem(415, 'unsupported_media_type', WRONG_TYPE);

const readQuery = (id: ControlId, url: string): Record<string, string> => {
  const { searchParams } = new URL(url);
  searchParams.delete('token');
  const twice = [...new Set(searchParams.keys())].filter((name) => searchParams.getAll(name).length > 1);
  const query = Object.fromEntries(searchParams);
  refuseFindings(queryFindings(id, query), 400);
  const repeated = twice.map((field) => ({ field, issue: 'must be given once' }));
  if (repeated.length > 0) throw refusal(repeated, 400);
  return query;
};

const readCallBody = async (id: ControlId, host: Host, request: Request): Promise<unknown> => {
  const { body: schema } = controlRow(id);
  const type = request.headers.get('content-type');
  if (type !== null && !isJson(type)) throw wrongType();
  const read = await readText(request, { host: host.reading, max: BODY_BYTES });
  if ('fault' in read) {
    if (read.fault === 'too many') throw tooManyBodiesProblem();
    throw malformedCall(read.fault === 'too large' ? `a body has at most ${BODY_BYTES} bytes` : 'the body must be UTF-8');
  }
  const { text } = read;
  if (text === '') {
    if (schema && needsFields(schema)) throw malformedCall('the body must be a JSON object; it is empty');
    return schema ? {} : undefined;
  }
  if (type === null) throw wrongType();
  if (!schema) return undefined;
  const { value, fault } = readJsonText(text);
  if (fault) throw malformedCall(`the body ${TEXT_FAULTS[fault]}`);
  checkBody(id, value);
  return value;
};

const perform = async (id: ControlId, host: Host, guard: Guard, request: Request, variable: string): Promise<Response> => {
  const row = controlRow(id);
  guard.admit(request, row);
  const address = rawPath(request.url);
  const changes = changesWorld(row);
  const found = changes ? host.find(address, undefined) : host.seen(address);
  const instance = findOr404('world', address.split('/')[2] ?? '', found);
  const query = row.open ? {} : readQuery(id, request.url);
  const body = row.open ? undefined : await readCallBody(id, host, request);
  const { recorder } = instance;
  if (recorder && !row.open && changes) {
    const text = body === undefined ? undefined : { text: JSON.stringify(body) };
    recorder.noteRequest('control', request, await recorder.nextTurn(text, request));
  }
  const title = `${request.method} ${address.replace(WORLD_PREFIX, '')}`;
  const site = { host, instance, request, title, isNoted: true };
  const response = await invoke({ id, ...row }, site, { variable, query, body });
  return response instanceof Response ? response : toResponse(responseOf(response, row.status));
};

const refuseUnknown = (guard: Guard, request: Request, path: string): never => {
  guard.admit(request);
  const allowed = CONTROL_IDS.filter((id) => pathFits(`/_mock${CONTROL[id].path}`, path));
  if (allowed.length > 0) {
    const methods = allowed.map((id) => CONTROL[id].method).join(', ');
    throw new Problem(405, 'method_not_allowed', `This path takes ${methods}.`, { headers: { allow: methods } });
  }
  throw new Problem(404, 'not_found', 'The control API has no such call. GET /_mock/openapi.json lists them.');
};

export const createControl = (host: Host, guard: Guard): Hono => {
  const app = new Hono({ getPath: (request) => pathIn(request.url) });
  app.use(async (c, next) => {
    const shared = guard.shared(c.req.raw);
    if (!shared) return next();
    if (c.req.method === 'OPTIONS') return new Response(null, { status: 204, headers: shared });
    await next();
    for (const [header, value] of Object.entries(shared)) c.res.headers.set(header, value);
  });
  for (const id of CONTROL_IDS) {
    const { method, path } = CONTROL[id];
    const name = variableOf(path);
    const run = (c: Context) => perform(id, host, guard, c.req.raw, name === undefined ? '' : (c.req.param(name) ?? ''));
    app.on(method === 'ANY' ? 'ALL' : method, toPattern(`/_mock${path}`), run);
  }
  app.get('/_mock', async (c, next) => {
    if (!c.req.header('accept')?.includes('text/html')) return next();
    guard.admit(c.req.raw);
    const { CONTROL_DOCS_PAGE, DOCS_HEADERS } = await import('../../service/openapi/docs-page.ts');
    return c.html(CONTROL_DOCS_PAGE, 200, DOCS_HEADERS);
  });
  app.all('*', (c) => refuseUnknown(guard, c.req.raw, c.req.path));
  app.onError((error) => errorResponse(error));
  return app;
};
