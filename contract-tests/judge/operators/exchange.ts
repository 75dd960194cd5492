// A request as an operator sees it, and its response on the way from the target to the suite.
import { type Operation, operationOf, type Shape } from '../../engine/operations.ts';

// biome-ignore lint/suspicious/noExplicitAny: operators take bodies apart that have no type
export type Loose = any;

export const parse = (text: string | undefined): Loose => {
  try {
    return text === undefined || text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A response whose body is parsed when an operator looks at it. */
export class ServedResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  #json: Loose;
  #parsed = false;

  constructor(status: number, headers: Record<string, string>, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  get json(): Loose {
    if (!this.#parsed) this.json = parse(this.text);
    return this.#json;
  }

  set json(value: Loose) {
    this.#parsed = true;
    this.#json = value;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** The rows of a list, or the one resource. */
  get rows(): Loose[] {
    const { json } = this;
    if (Array.isArray(json?.items)) return json.items;
    return json?.data && typeof json.data === 'object' ? [json.data] : [];
  }

  /** Puts bytes in place of the body, which need not be JSON. */
  replace(text: string): void {
    this.text = text;
    this.#parsed = false;
  }

  get sent(): string {
    return this.#parsed && this.#json !== undefined ? JSON.stringify(this.#json) : this.text;
  }

  /** All that a client sees of it. */
  get print(): string {
    const { status, headers, json } = this;
    return JSON.stringify([status, headers, json ?? this.text]);
  }
}

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

/** The fields that a query filters by. */
export const filtersOf = (query: URLSearchParams): string[] =>
  [...query.keys()].filter((name) => name.startsWith('filter[')).map((name) => name.slice(7, -1));

export const idIn = (path: string): string | undefined => {
  const [, root, id] = path.split('/');
  return root === 'users' || root === 'workspace' || id === undefined ? undefined : decodeURIComponent(id);
};

/** A call with another path, query, body or header. */
export const changed = (call: Call, change: Partial<Omit<Call, 'raw' | 'op' | 'id'>>): Call => {
  const { method, path } = { ...call, ...change };
  const raw = 'body' in change ? (change.body === undefined ? undefined : JSON.stringify(change.body)) : call.raw;
  const moved = 'path' in change || 'method' in change;
  return { ...call, ...change, raw, ...(moved ? { op: operationOf(method, path), id: idIn(path) } : {}) };
};

export const get = (call: Call, path: string, query: Record<string, string> = {}): Call =>
  changed(call, { method: 'GET', path, query: new URLSearchParams(query), body: undefined });

/** A call without a parameter, or with another value of it. */
export const withQuery = (call: Call, name: string, value?: string): Call => {
  const query = new URLSearchParams(call.query);
  if (value === undefined) query.delete(name);
  else query.set(name, value);
  return changed(call, { query });
};

export const as = (call: Call, key: string): Call => changed(call, { authorization: `Bearer ${key}` });

export const isOp =
  (...ids: readonly string[]) =>
  (call: Call): boolean =>
    call.op !== undefined && ids.includes(call.op.id);

/** Resources by the family that keeps them: a team is one whether listed or read. */
export const family = (shape: Shape): 'project' | 'task' | 'team' | 'member' | 'comment' | 'webhook' =>
  shape === 'team-read' ? 'team' : shape === 'profile' ? 'member' : shape;

/** Knowledge from the target's responses: resources, their values before the last update, and those that are gone. */
export class Memory {
  readonly alive = new Map<string, Known>();
  readonly gone = new Map<string, Known>();
  readonly #other: string;

  constructor(other: string) {
    this.#other = other;
  }

  learn(call: Call, { ok, rows }: ServedResponse): void {
    const { op, id } = call;
    if (!op || !ok || op.shape === 'webhook') return;
    if (op.returns === 'nothing') this.#bury(id);
    const known = this.alive.get(id ?? '');
    if (op.method === 'PATCH' && known) known.before = known.row;
    for (const row of rows) {
      if (typeof row.id !== 'string' || (op.method === 'GET' && this.gone.has(row.id))) continue;
      const old = this.alive.get(row.id);
      const fresh = { ...old?.row, ...row };
      if (old) old.row = fresh;
      else this.alive.set(row.id, { family: family(op.shape), foreign: keyOf(call) === this.#other, row: fresh });
    }
  }

  #bury(id: string | undefined): void {
    for (const [key, known] of this.alive) {
      if (key !== id && !(known.family === 'task' && known.row.project_id === id)) continue;
      this.alive.delete(key);
      this.gone.set(key, known);
    }
  }

  /** The resources of a family in one workspace, oldest knowledge first. */
  all(kind: Known['family'], foreign = false): Known[] {
    return [...this.alive.values()].filter((known) => known.family === kind && known.foreign === foreign);
  }

  /** The meaning of an id to a caller. */
  fate(id: string | undefined, call: Call): 'own' | 'foreign' | 'deleted' | 'unknown' {
    if (id === undefined) return 'own';
    const known = this.alive.get(id);
    if (known) return known.foreign === (keyOf(call) === this.#other) ? 'own' : 'foreign';
    return this.gone.has(id) ? 'deleted' : 'unknown';
  }
}

export interface Known {
  readonly family: ReturnType<typeof family>;
  /** True in the second workspace. */
  readonly foreign: boolean;
  row: Loose;
  /** As it was before its last update. */
  before?: Loose;
}
