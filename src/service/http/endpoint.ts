// The life of one request, top to bottom: who, how many, may they, is it there, is it sound, do it, say it.
import { errorMessage, Problem } from '../contract/errors.ts';
import { type CollectionName, neededScope, type Operation, type OperationId, successStatus } from '../contract/operations.ts';
import { HEADER_SPANS, isIn } from '../contract/releases.ts';
import { covers } from '../contract/states.ts';
import type { Terms } from '../contract/terms.ts';
import { bodyText, forwardResponse, isAhead } from '../forward-compat/responses.ts';
import { cachePage, type PageOf } from '../lists/page.ts';
import { listName, readList, rejectParameters } from '../lists/query.ts';
import { nearestWord } from '../validation/show.ts';
import type { Row } from '../world/collection.ts';
import { type Caller, View } from '../world/view.ts';
import type { Quota } from '../world/window.ts';
import type { World } from '../world/world.ts';
import { checkRequestBody } from './check-body.ts';
import type { ServiceResponse } from './exchange.ts';
import { type Handler, handlers, recordNameIn } from './handlers/index.ts';
import { identify } from './identify.ts';
import { pathFits } from './paths.ts';
import { anonymousQuota, countRequest, rateLimitProblem } from './rate-limit.ts';
import type { RequestInfo } from './request-info.ts';
import { formatRecord, writeData, writeError } from './write.ts';

const NO_HEADERS = {};

/** Handles a request in a world. Never throws; a refused request has changed nothing but its count. */
export const handleRequest = (world: World, request: RequestInfo): ServiceResponse => {
  const { terms } = world;
  const response = handleToday(world, request);
  return isAhead(terms) ? forwardResponse(terms, request, response) : response;
};

const handleToday = (world: World, request: RequestInfo): ServiceResponse => {
  const { terms } = world;
  const row = request.operation && terms.contract.operations[request.operation];
  const deprecation = deprecationHeaders(terms, row, request);
  let quota: Quota | undefined;
  let caller: Caller | undefined;
  try {
    caller = identify(world, request.authorization, request.keyValue);
    quota = countRequest(world, caller);
    if (!quota.passes) throw rateLimitProblem(world, quota, caller);
    if (!row) throw unknownRouteProblem(world, request);
    const need = neededScope(row, terms.choices);
    if (!covers(caller.key.scope, need)) {
      const says = `This action needs a key of scope ${need}; this key has ${caller.key.scope}.`;
      throw new Problem(403, 'forbidden', says, { check: 'scope' });
    }
    const view = new View(world, caller);
    const act = () => performOperation(request.operation!, row, view, request);
    const { status, text, page } = row.list
      ? pageResult(cachePage(world, caller.workspace, request.url, () => act().page!))
      : act();
    return { status, text, page, headers: deprecation ?? NO_HEADERS, quota, caller, problem: undefined };
  } catch (error) {
    const problem = error instanceof Problem ? error : internalProblem(world, error);
    quota ??= anonymousQuota(world);
    const headers = deprecation ? { ...problem.headers, ...deprecation } : problem.headers;
    return { status: problem.status, text: writeError(problem, terms), page: undefined, headers, quota, caller, problem };
  }
};

export const performOperation = (
  id: OperationId,
  row: Operation,
  view: View,
  request: RequestInfo,
): Pick<ServiceResponse, 'status' | 'text' | 'page'> => {
  const read = () => {
    const { parameters } = request;
    const list = listName(view.caller.workspace, id, request.variable);
    const query = row.list ? readList(row, list, parameters, view.terms) : rejectParameters(row, parameters, view.terms);
    return { query, body: row.body ? checkRequestBody(id, row, view, request) : undefined };
  };
  const bodyFirst = view.choices['check-order'] === 'body';
  const early = bodyFirst ? read() : undefined;
  const found = row.finds ? requireRecord(view, row.finds, request.variable ?? '') : undefined;
  const { query, body } = early ?? read();
  const output = (handlers[id] as Handler<never>)(view, { found, query, body } as never) as unknown;
  if (row.status === 204) return { status: 204, text: null, page: undefined };
  if (row.list) return pageResult(output as PageOf<unknown>);
  return { ...serialize(id, row, view, output), page: undefined };
};

const pageResult = (page: PageOf<unknown>) => ({ status: 200, text: null, page });

const serialize = (id: OperationId, row: Operation, { choices, terms }: View, output: unknown) => {
  const status = successStatus(row, choices);
  const shape = id === 'createWebhook' ? choices['webhook-create-shape'] : 'data';
  if (shape === 'minimal') return { status, text: writeData({ secret: (output as { secret: string }).secret }, terms) };
  const kind = recordNameIn(row);
  return { status, text: shape === 'bare' ? bodyText(formatRecord(output, terms, kind), terms) : writeData(output, terms, kind) };
};

const requireRecord = (view: View, name: CollectionName, id: string): Row<unknown> => {
  const row = view.find(name, id);
  const says = `No ${name.slice(0, -1)} of this workspace has this id.`;
  if (!row) throw new Problem(404, view.choices['not-found-code'], says, { check: 'record' });
  return row;
};

/** The methods that a path has, of an operation that a release has. */
export const methodsAt = ({ contract }: Terms, path: string): readonly string[] =>
  Object.values(contract.operations).flatMap((row) => (pathFits(`/v1${row.path}`, path) ? [row.method] : []));

const unknownRouteProblem = ({ choices, terms }: World, { path, method }: RequestInfo): Problem => {
  const allowed = methodsAt(terms, path);
  if (allowed.length > 0 && choices['wrong-method'] === '405') {
    const headers = { allow: allowed.join(', ') };
    return new Problem(405, 'method_not_allowed', 'This path does not take this method.', { headers, check: 'operation' });
  }
  const says = `No operation has this method and path.${routeHint(terms, path, method)}`;
  return new Problem(404, choices['not-found-code'], says, { check: 'operation' });
};

/** The likely mistake in a method and path that no operation has. */
const routeHint = (terms: Terms, path: string, method: string): string => {
  const operations = Object.values(terms.contract.operations);
  const isRoute = (other: string) => methodsAt(terms, other).length > 0;
  if (path.endsWith('/') && isRoute(path.replace(/\/+$/, ''))) return ' Leave the slash at its end out.';
  if (isRoute(`/v1${path}`)) return ' The base URL ends in /v1: put that before the path.';
  if (isRoute(path.replace(/^\/v1/, ''))) return ' The base URL ends in /v1: leave the second one out.';
  const word = path.slice(path.lastIndexOf('/') + 1);
  const isAlike = (row: Operation) => row.path.endsWith(`/${word}`) || row.tag.toLowerCase() === word;
  const alike = operations.flatMap((row) => (row.method === method && isAlike(row) ? `${method} ${row.path}` : []));
  const near = isRoute(path) ? undefined : operations.flatMap((row) => nearestPath(`/v1${row.path}`, path) ?? [])[0];
  if (near !== undefined || alike.length > 0) return ` Did you mean ${near ?? alike.join(' or ')}?`;
  return isRoute(path) ? ` It takes ${methodsAt(terms, path).join(', ')}.` : '';
};

/** A path with the words of a route where they are near; undefined where one is not. */
const nearestPath = (route: string, path: string): string | undefined => {
  const [own, parts] = [route.split('/'), path.split('/')];
  const words = own.map((word, i) => (word.startsWith('{') ? parts[i] : nearestWord(parts[i] ?? '', [word])));
  return own.length === parts.length && !words.includes(undefined) ? words.join('/') : undefined;
};

const internalProblem = (world: World, error: unknown): Problem =>
  new Problem(500, world.choices['internal-code'], `The mock failed: ${errorMessage(error)}`);

/** September 2024, as RFC 9745 writes a date. */
const DEPRECATION = { deprecation: '@1725148800' };

const deprecationHeaders = ({ contract }: Terms, row: Operation | undefined, request: Pick<RequestInfo, 'parameters'>) => {
  if (!row?.list || !isIn(HEADER_SPANS.Deprecation, contract.release)) return undefined;
  const isSignalled = request.parameters.some(([name]) => name === 'page' || name === 'offset');
  return isSignalled ? DEPRECATION : undefined;
};
