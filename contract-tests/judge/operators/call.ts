// A request as an operator sees it, and the same one with something else in it.
import { type Operation, operationOf, type Shape } from '../../engine/operations.ts';
import type { Loose } from './answer.ts';

export interface Call {
  readonly method: string;
  /** Below /v1. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly raw: string | undefined;
  readonly body: Loose;
  readonly authorization: string | undefined;
  readonly op: Operation | undefined;
  /** The id that the path names. */
  readonly id: string | undefined;
  /** URL up to and with /v1. */
  readonly base: string;
  /** False in a world of a control API. */
  readonly home: boolean;
  /** True when the brackets of a filter came percent-encoded. */
  readonly encoded: boolean;
}

export const keyOf = (call: Call): string | undefined => /^Bearer (\S+)$/.exec(call.authorization ?? '')?.[1];

/** The same call with another path, query, body or header. */
export const changed = (call: Call, change: Partial<Omit<Call, 'raw' | 'op' | 'id'>>): Call => {
  const method = change.method ?? call.method;
  const path = change.path ?? call.path;
  const raw = 'body' in change ? (change.body === undefined ? undefined : JSON.stringify(change.body)) : call.raw;
  const moved = 'path' in change || 'method' in change;
  return { ...call, ...change, raw, ...(moved ? { op: operationOf(method, path), id: idIn(path) } : {}) };
};

export const get = (call: Call, path: string, query: Record<string, string> = {}): Call =>
  changed(call, { method: 'GET', path, query: new URLSearchParams(query), body: undefined });

export const as = (call: Call, key: string): Call => changed(call, { authorization: `Bearer ${key}` });

export const idIn = (path: string): string | undefined => {
  const [, root, id] = path.split('/');
  return root === 'users' || root === 'workspace' || id === undefined ? undefined : decodeURIComponent(id);
};

export const isOp =
  (...ids: readonly string[]) =>
  (call: Call): boolean =>
    call.op !== undefined && ids.includes(call.op.id);

/** Resources by the family that keeps them: a team is one whether listed or read. */
export const family = (shape: Shape): 'project' | 'task' | 'team' | 'member' | 'comment' | 'webhook' =>
  shape === 'team-read' ? 'team' : shape === 'profile' ? 'member' : shape;
