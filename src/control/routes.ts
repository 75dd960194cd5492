// The door of the control API: from a request to a checked call, from its answer to a Response.
import { Hono } from 'hono';
import { type FieldIssue, Problem } from '../contract/errors.ts';
import { isJson } from '../http/body.ts';
import { pathFits, rawPath, toPattern, variableOf, WORLD_PREFIX } from '../http/paths.ts';
import { nothingHere } from './call.ts';
import { check, type Finding, needsFields } from './check.ts';
import { failed } from './failed.ts';
import type { Guard } from './guard.ts';
import type { Host } from './host.ts';
import { calls, refusal } from './invoke.ts';
import { CONTROL, CONTROL_IDS, type ControlId, type ControlRow, controlRow } from './operations.ts';

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

const readQuery = ({ query = {} }: ControlRow, url: string): Record<string, string> => {
  const { searchParams } = new URL(url);
  const found: Record<string, string> = {};
  const findings: Finding[] = [];
  for (const [name, value] of searchParams) {
    if (name === 'token') continue;
    const schema = Object.hasOwn(query, name) ? query[name] : undefined;
    if (!schema) {
      const known = Object.keys(query).join(', ');
      findings.push({ field: name, issue: `is no parameter of this call; it has ${known || 'none'}`, kind: 'structure' });
    } else if (Object.hasOwn(found, name)) findings.push({ field: name, issue: 'must be given once', kind: 'structure' });
    else {
      findings.push(...check(schema, value, name));
      found[name] = value;
    }
  }
  if (findings.length > 0) throw refusal(findings, 400);
  return found;
};

const readBody = async ({ body: schema }: ControlRow, request: Request): Promise<unknown> => {
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
  const findings = check(schema, value);
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
    const query = row.open ? {} : readQuery(row, request.url);
    const body = row.open ? undefined : await readBody(row, request);
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
