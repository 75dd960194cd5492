// The door of the control API: from a request to a checked call, from its answer to a Response.
import { Hono } from 'hono';
import { type FieldIssue, Problem } from '../contract/errors.ts';
import { isJson } from '../http/body.ts';
import { pathFits, rawPath, toPattern, variableOf, WORLD_PREFIX } from '../http/paths.ts';
import { nothingHere } from './call.ts';
import { findingsOf, queryFindings, refusal } from './checks.ts';
import { failed } from './failed.ts';
import type { Guard } from './guard.ts';
import type { Host } from './host.ts';
import { calls } from './invoke.ts';
import { CONTROL, CONTROL_IDS, type ControlId, controlRow } from './operations.ts';
import { needsFields } from './schema-words.ts';

/** An inline seed may be long. */
const BODY_BYTES = 64 * 1_048_576;

const malformed = (issue: string, fields: readonly FieldIssue[] = [{ field: 'body', issue }], status = 400): Problem =>
  new Problem(status, 'validation_error', `The call is refused: ${issue}. GET /_mock/openapi.json says what it takes.`, {
    fields,
  });

const wrongType = (): Problem =>
  new Problem(
    415,
    'unsupported_media_type',
    'The control API takes bodies as application/json alone. Send Content-Type: application/json.',
  );

const readQuery = (id: ControlId, url: string): Record<string, string> => {
  const { searchParams } = new URL(url);
  searchParams.delete('token');
  const twice = [...new Set(searchParams.keys())].filter((name) => searchParams.getAll(name).length > 1);
  const query = Object.fromEntries(searchParams);
  const findings = queryFindings(id, query);
  if (findings.length > 0) throw refusal(findings, 400);
  if (twice.length > 0) {
    const fields = twice.map((field) => ({ field, issue: 'must be given once' }));
    throw malformed(fields.map(({ field, issue }) => `${field} ${issue}`).join('; '), fields);
  }
  return query;
};

const readBody = async (id: ControlId, request: Request): Promise<unknown> => {
  const { body: schema } = controlRow(id);
  const type = request.headers.get('content-type');
  if (type !== null && !isJson(type)) throw wrongType();
  if (Number(request.headers.get('content-length') ?? 0) > BODY_BYTES) throw malformed(`a body has at most ${BODY_BYTES} bytes`);
  const text = await request.text();
  if (text.trim() === '') {
    if (schema && needsFields(schema)) throw malformed('the body must be a JSON object; it is empty');
    return schema ? {} : undefined;
  }
  if (type === null) throw wrongType();
  if (!schema) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed('the body must be valid JSON');
  }
  const findings = findingsOf(id, value);
  if (findings.length > 0) throw refusal(findings);
  return value;
};

const json = (value: unknown, status: number): Response =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } });

const perform = async (id: ControlId, host: Host, guard: Guard, request: Request, variable: string): Promise<Response> => {
  try {
    const row = controlRow(id);
    guard.admit(request, row.open);
    const instance = host.find(rawPath(request.url), undefined);
    if (!instance) throw nothingHere('world', rawPath(request.url).split('/')[2] ?? '', 'worlds');
    const query = row.open ? {} : readQuery(id, request.url);
    const body = row.open ? undefined : await readBody(id, request);
    const call = { host, instance, variable, query, body, request };
    const answer = await (calls[id] as (call: unknown) => unknown)(call);
    if (answer instanceof Response) return answer;
    return row.status === 204 ? new Response(null, { status: 204 }) : json(answer, row.status);
  } catch (error) {
    return failed(error);
  }
};

const unknownCall = (guard: Guard, request: Request, path: string): Response => {
  try {
    guard.admit(request);
    const allowed = CONTROL_IDS.filter((id) => pathFits(`/_mock${CONTROL[id].path}`, path));
    if (allowed.length > 0) {
      const methods = allowed.map((id) => CONTROL[id].method).join(', ');
      throw new Problem(405, 'method_not_allowed', `This path takes ${methods}.`, { headers: { allow: methods } });
    }
    throw new Problem(404, 'not_found', 'The control API has no such call. GET /_mock/openapi.json lists them.');
  } catch (error) {
    return failed(error);
  }
};

/** The control API of a host, on every world. */
export const createControl = (host: Host, guard: Guard): Hono => {
  const app = new Hono({ getPath: (request) => rawPath(request.url).replace(WORLD_PREFIX, '') });
  for (const id of CONTROL_IDS) {
    const { method, path } = CONTROL[id];
    const name = variableOf(path);
    const pattern = toPattern(`/_mock${path}`);
    const run = (request: Request, variable: string) => perform(id, host, guard, request, variable);
    if (method === 'ANY') app.all(pattern, (c) => run(c.req.raw, c.req.param(name ?? '') ?? ''));
    else app.on(method, pattern, (c) => run(c.req.raw, name === undefined ? '' : (c.req.param(name) ?? '')));
  }
  app.notFound((c) => unknownCall(guard, c.req.raw, c.req.path));
  app.onError((error) => failed(error));
  return app;
};
