// The OpenAPI document as a judge of responses: what it says too narrowly for the specification is widened first.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type DocumentedField, fieldsOf } from './document-fields.ts';
import type { Exchange, Json } from './exchange.ts';
import { isRecord } from './exchange.ts';
import { OPERATIONS, operationsOf } from './operations.ts';
import type { Release } from './releases.ts';
import { RunError } from './terms.ts';

/** Fields that a response may leave out or show as null. */
const OPTIONAL = new Set(['description', 'assignee_id', 'due_date', 'details', 'avatar_url']);

/** Unknown fields, unknown enumeration values and null for what is unset are allowed, whatever the document says. */
const widen = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(widen);
  if (!isRecord(node)) return node;
  const wide: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (['additionalProperties', 'unevaluatedProperties'].includes(key) && value === false) continue;
    if (['enum', 'const', 'pattern', 'maxLength', 'minLength', 'format', 'example', 'examples', 'default'].includes(key))
      continue;
    if (key === 'required' && Array.isArray(value)) wide[key] = value.filter((name) => !OPTIONAL.has(String(name)));
    else if (key === 'properties' && isRecord(value)) {
      wide[key] = Object.fromEntries(
        Object.entries(value).map(([name, schema]) => [
          name,
          OPTIONAL.has(name) ? { anyOf: [widen(schema), { type: 'null' }] } : widen(schema),
        ]),
      );
    } else wide[key] = widen(value);
  }
  return wide;
};

const pointer = (...parts: readonly string[]) =>
  parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** An operation of the document that no check calls, such as `PATCH /teams/{team_id}`. */
export interface UncheckedOperation {
  readonly operation: string;
  readonly statuses: readonly number[];
}

export interface ContractDocument {
  readonly unchecked: readonly UncheckedOperation[];
  /** Statuses that the document gives for an operation. */
  readonly statuses: (operation: string) => readonly number[];
  readonly fault: (x: Exchange) => string | undefined;
  /** The members that requests may hold, and success bodies. */
  readonly fields: readonly DocumentedField[];
}

/** Compiled schemas, which cost more than a run's requests: a process may run more than once. */
const read = new WeakMap<object, Map<Release, ContractDocument>>();

/** Undefined when there is no document. @throws RunError when it is broken. */
export const readDocument = (document: object | undefined, release: Release): ContractDocument | undefined => {
  if (document === undefined) return undefined;
  const releases = read.get(document) ?? new Map<Release, ContractDocument>();
  const known = releases.get(release) ?? compiledDocument(document, release);
  read.set(document, releases.set(release, known));
  return known;
};

interface Described {
  readonly path: string;
  readonly method: string;
  readonly responses: Json;
}

/** A path without the names of its variables. */
const shapeOf = (path: string): string => path.replace(/\{[^}]+\}/g, '{}').replace(/^\/v1/, '');

const statusesOf = (responses: Json): readonly number[] => Object.keys(responses).map(Number).filter(Number.isInteger);

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

const uncheckedIn = (paths: Json): readonly UncheckedOperation[] => {
  const checked = new Set(OPERATIONS.map(({ method, path }) => `${method} ${shapeOf(path)}`));
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(isRecord(item) ? item : {}).flatMap(([key, call]) => {
      const method = key.toUpperCase();
      if (!METHODS.includes(key) || checked.has(`${method} ${shapeOf(path)}`)) return [];
      const responses = isRecord(call) && isRecord(call.responses) ? call.responses : {};
      return [{ operation: `${method} ${path}`, statuses: statusesOf(responses) }];
    }),
  );
};

/** Where the document describes each operation of a release. @throws RunError when it lacks one */
const describedBy = (paths: Json, release: Release): ReadonlyMap<string, Described> =>
  new Map(
    operationsOf(release).map((operation) => {
      const path = Object.keys(paths).find((candidate) => shapeOf(candidate) === shapeOf(operation.path));
      const item = path === undefined ? undefined : paths[path];
      const method = operation.method.toLowerCase();
      const call = isRecord(item) ? item[method] : undefined;
      if (path === undefined || !isRecord(call) || !isRecord(call.responses))
        throw new RunError(`the OpenAPI document is broken: it lacks ${operation.method} ${operation.path}`);
      return [operation.id, { path, method, responses: call.responses }];
    }),
  );

/** The value that a JSON pointer leads to. */
const found = (document: object, at: string): unknown =>
  at
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (node, part) => (isRecord(node) ? node[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
      document,
    );

/** The validators of responses, by operation and status; null where the document says nothing of a body. @throws RunError */
const validatorsOf = (document: object, described: ReadonlyMap<string, Described>) => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, allErrors: false });
  ajv.addSchema(widen(document) as object, 'document');
  const compiled = new Map<string, ValidateFunction | null>();
  const compile = (operation: string, status: string): ValidateFunction | null => {
    const { path, method, responses } = described.get(operation)!;
    let response = responses[status];
    let at = pointer('paths', path, method, 'responses', status);
    if (isRecord(response) && typeof response.$ref === 'string') {
      at = response.$ref.slice(1);
      response = found(document, at);
    }
    const content = isRecord(response) && isRecord(response.content) ? response.content['application/json'] : undefined;
    if (!isRecord(content) || content.schema === undefined) return null;
    try {
      return ajv.compile({ $ref: `document#${encodeURI(`${at}${pointer('content', 'application/json', 'schema')}`)}` });
    } catch (cause) {
      throw new RunError(`the OpenAPI document is broken at ${operation} ${status}: ${(cause as Error).message}`);
    }
  };
  return (operation: string, status: string): ValidateFunction | null => {
    const key = `${operation} ${status}`;
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const validate = compile(operation, status);
    compiled.set(key, validate);
    return validate;
  };
};

const compiledDocument = (document: object, release: Release): ContractDocument => {
  if (!isRecord(document) || !String(document.openapi ?? '').startsWith('3.1') || !isRecord(document.paths)) {
    throw new RunError('the OpenAPI document is broken: expected openapi 3.1 with paths');
  }
  const paths = document.paths;
  const byOperation = describedBy(paths, release);
  const judge = validatorsOf(document, byOperation);
  for (const [id, { responses }] of byOperation) for (const status of Object.keys(responses)) judge(id, status);
  const calls = [...byOperation].map(([operation, { path, method }]) => {
    const item = (paths as Json)[path] as Json;
    return { operation, call: item[method] as Json, shared: item.parameters };
  });
  return {
    fields: calls.flatMap(({ operation, call, shared }) => fieldsOf(document, operation, call, shared)),
    unchecked: uncheckedIn(paths),
    statuses: (operation) => statusesOf(byOperation.get(operation)?.responses ?? {}),
    fault: (x) => {
      // The specification leaves the shape of a created registration open.
      if (
        !x.operation ||
        !byOperation.has(x.operation.id) ||
        x.json === undefined ||
        (x.operation.shape === 'webhook' && x.status < 300)
      )
        return undefined;
      const validate = judge(x.operation.id, String(x.status));
      if (!validate || validate(x.json)) return undefined;
      const error = validate.errors?.[0];
      return `${x.method} ${x.path} ${x.status}: ${error?.instancePath || '/'} ${error?.message}`;
    },
  };
};
