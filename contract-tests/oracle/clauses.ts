// Which requirement a judgement of the oracle speaks of: the register's row of that key, by resource and field, by operation, by list.
import type { FaultKind } from './bodies.ts';
import { CLAUSES } from './clauses.generated.ts';

const clause = (key: string): string | undefined => CLAUSES[key];

/** The rows of these keys, by the last part of each. */
const clausesAt = <K extends string>(prefix: string, names: readonly K[]): { readonly [N in K]?: string } =>
  Object.fromEntries(names.map((name) => [name, clause(`${prefix}/${name}`)] as const).filter(([, id]) => id !== undefined)) as {
    readonly [N in K]?: string;
  };

/** The row of a key that the register has. */
const known = (key: string): string => {
  const id = clause(key);
  if (id === undefined) throw new Error(`requirements.yaml has no row of ${key}`);
  return id;
};

export interface FieldClauses {
  /** A create shows the value that was sent. */
  readonly sent: string;
  /** A PATCH changes it. */
  readonly changed: string;
  /** The value that a create without it shows. */
  readonly fallback?: string;
  readonly missing?: string;
  readonly type?: string;
  readonly item?: string;
  readonly long?: string;
  readonly empty?: string;
  /** A value outside the enumeration, no datetime, or the id of no user. */
  readonly value?: string;
  /** The longest, the shortest and a non-ASCII value are accepted. */
  readonly longest?: string;
  readonly shortest?: string;
  readonly letters?: string;
}

/** For fields that the document has and the register does not name. */
const KEPT = known('field/kept');
const RULED = known('field/ruled');
const ASPECTS = ['missing', 'type', 'item', 'long', 'empty', 'value', 'longest', 'shortest', 'letters'] as const;
const OTHER: FieldClauses = {
  sent: KEPT,
  changed: KEPT,
  fallback: KEPT,
  ...Object.fromEntries(ASPECTS.map((aspect) => [aspect, RULED])),
};

const cache = new Map<string, FieldClauses>();

export const clausesOf = (resource: string, name: string): FieldClauses => {
  const key = `${resource}.${name}`;
  const clauses = cache.get(key) ?? { ...OTHER, ...clausesAt(key, ['sent', 'changed', 'fallback', ...ASPECTS]) };
  cache.set(key, clauses);
  return clauses;
};

/** The requirement that a faulty field of a body breaks. */
export const faultClause = (resource: string, name: string, kind: FaultKind, creates: boolean): string => {
  const aspect = kind === 'date' || kind === 'reference' ? 'value' : kind;
  return clause(`${resource}.${name}/${creates ? aspect : `change-${aspect}`}`) ?? RULED;
};

/** A header of Authorization that names no key. */
export const headerClause = (value: string): string => {
  const kind = /^Bearer (wmct-no|null)|^Token /.test(value)
    ? 'unknown'
    : value.startsWith('Basic ')
      ? 'basic'
      : value.trim() === 'Bearer'
        ? 'empty'
        : value.startsWith('Bearer ')
          ? 'garbled'
          : 'bare';
  return known(`header/${kind}`);
};

/** Clauses on a body that is no JSON, no object, or empty, by operation. */
export const shapeClause = (operation: string, creates: boolean, shape: 'broken' | 'other' | 'none', text: string): string => {
  if (shape === 'none') return known('body/none');
  const kind = creates && shape === 'other' && text.trimStart().startsWith('[') ? 'list' : shape;
  return clause(`${operation}/${kind}`) ?? known(`${creates ? 'create' : 'update'}/${kind}`);
};

interface OperationClauses {
  /** The record was deleted. */
  readonly gone?: string;
  /** The record is another workspace's. */
  readonly foreign?: string;
  /** A read key is refused, or may retrieve. */
  readonly read?: string;
  /** The record never was. */
  readonly never?: string;
  /** The record went with its project. */
  readonly orphan?: string;
}

export const operationClauses = (id: string): OperationClauses => clausesAt(id, ['gone', 'foreign', 'read', 'never', 'orphan']);

export const filterClause = (list: string, name: string): string => clause(`${list}/filter/${name}`) ?? RULED;

/** Lists whose row names `sort`. One sentence says that all lists take it, the rows of the others name `limit, cursor` alone: there it is open. */
export const SORTED_LISTS: ReadonlySet<string> = new Set(['list_projects', 'list_project_tasks', 'list_tasks']);

export const sortClause = (list: string, sort: string): string => {
  const sorted = SORTED_LISTS.has(list) ? list : 'list_projects';
  return clause(`${sorted}/sort/${sort}`) ?? known(`${sorted}/sort`);
};

/** A value that no record has: none come, or it is refused. */
export const unlistedClause = (field: string): string | undefined => clause(`filter/${field}/unlisted`);

/** Who counts: a list that no other client writes to has requirements of its own. */
export const totalClause = (list: string, exclusive: boolean, filtered: boolean): string => {
  const which = filtered ? 'filtered-total' : exclusive ? 'own-total' : 'total';
  return (exclusive ? undefined : clause(`${list}/${which}`)) ?? known(filtered ? 'list/filtered-total' : 'list/own-total');
};

/** limit and cursor page through a list. */
export const pagedClause = (list: string): string | undefined => clause(`${list}/paged`);

/** A record of this run is missing from a whole list. */
export const missingClause = (list: string): string => known(`${list}/missing`);

/** A deleted record is still in a list. */
export const ghostClause = (kind: string): string | undefined => clause(`${kind}/ghost`);

/** A record of another workspace is in a list. */
export const leakClause = (list: string): string => known(`${list}/leak`);

/** A request that was refused with this status had an effect. */
export const effectClause = (status: number, foreign: boolean, creates: false | string): string => {
  if (foreign) return known('refused/foreign');
  if ([401, 403, 429].includes(status)) return known(`refused/${status}`);
  if (creates === false) return known('refused/write');
  if (status === 409) return known('refused/409');
  return clause(`refused/create-${creates}`) ?? known('refused/create');
};
