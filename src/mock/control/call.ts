// A call of the control API: a function of a world and checked input.
import { errorMessage, type FieldIssue, issuesOf, Problem } from '../../service/contract/errors.ts';
import { termsOf } from '../../service/contract/terms.ts';
import type { PlainResponse } from '../../service/http/respond.ts';
import { writeError } from '../../service/http/write.ts';
import { bytesOf } from '../../service/world/growth.ts';
import type { RecordName } from '../../service/world/records.ts';
import type { Host } from './host.ts';
import type { Instance } from './instance.ts';
import type { ControlBody, ControlId } from './operations.ts';
import type { One } from './record-types.ts';
import type { CallInput } from './recorder.ts';

export interface Call<Id extends ControlId> extends Required<Omit<CallInput, 'body' | 'seed'>>, Pick<CallInput, 'seed'> {
  readonly host: Host;
  readonly instance: Instance;
  readonly body: ControlBody<Id>;
  readonly request: Request;
}

/** Functions behind the calls; each returns a JSON value, a Response or nothing. */
export type Calls = { readonly [Id in ControlId]?: (call: Call<Id>) => unknown };

const LISTED = {
  snapshot: 'snapshots',
  world: 'worlds',
  workspace: 'workspaces',
  registration: 'data/webhooks',
  delivery: 'deliveries',
  exchange: 'requests',
  fault: 'faults',
  operation: 'openapi.json',
};

/** @throws Problem 404 when the value is undefined or false */
export const findOr404 = <T>(what: keyof typeof LISTED | One<RecordName>, id: string, value: T | undefined): T => {
  if (value !== undefined && value !== false) return value;
  const list = what in LISTED ? LISTED[what as keyof typeof LISTED] : `data/${what}s`;
  throw new Problem(404, 'not_found', `No ${what} has the id ${JSON.stringify(id)}. GET /_mock/${list} lists them.`);
};

/** @param status 400: the structure, 409: the state, 422: a rule @param says replaces the list of fields */
export const refusal = (fields: readonly FieldIssue[], status: 400 | 409 | 422 = 422, says = issuesOf(fields)): Problem => {
  const code = status === 409 ? 'conflict' : 'validation_error';
  return new Problem(status, code, `The call is refused: ${says}. GET /_mock/openapi.json says what it takes.`, { fields });
};

export const refuse = (fields: readonly FieldIssue[], status: 409 | 422 = 422): never => {
  throw refusal(fields, status);
};

/** A single larger item is still shown. */
export const MAX_SHOWN_BYTES = 16_000_000;

/** The first rows, shown, up to a size in bytes. */
export const showUpTo = <T, S>(rows: Iterable<T>, show: (row: T) => S, most = MAX_SHOWN_BYTES): S[] => {
  const items: S[] = [];
  let bytes = 0;
  for (const row of rows) {
    const item = show(row);
    bytes += bytesOf(item);
    if (bytes > most && items.length > 0) break;
    items.push(item);
  }
  return items;
};

/**
 * A page of rows: at most `limit`, from `cursor` on, up to MAX_SHOWN_BYTES. Pages of a log lead from its newest rows to older ones.
 * @throws Problem 422 when no row has the id `cursor`
 */
export const pageOfRows = <T extends { readonly id: string }, S = T>(
  { limit, cursor }: { readonly limit?: string | undefined; readonly cursor?: string | undefined },
  rows: readonly T[],
  kind: 'list' | 'log' = 'list',
  show = (row: T): S => row as unknown as S,
): { readonly items: readonly S[]; readonly next_cursor?: string } => {
  const at = cursor === undefined ? undefined : rows.findIndex(({ id }) => id === cursor);
  if (at === -1)
    throw refusal([{ field: 'cursor', issue: 'must be the next_cursor of a page of this list, and still there' }], 422);
  const log = kind === 'log';
  const left = log ? rows.slice(0, at).reverse() : rows.slice((at ?? -1) + 1);
  const items = showUpTo(left.slice(0, limit === undefined ? undefined : Number(limit)), show);
  const next = items.length < left.length ? { next_cursor: left[items.length - 1]!.id } : {};
  return { items: log ? items.reverse() : items, ...next };
};

const TERMS = termsOf();

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

export const responseOf = (value: unknown, status: number): PlainResponse =>
  status === 204 ? { status, headers: {}, text: '' } : { status, headers: JSON_HEADERS, text: JSON.stringify(value) ?? '' };

export const errorResponseOf = (error: unknown, says = 'The mock failed'): PlainResponse => {
  const problem = error instanceof Problem ? error : new Problem(500, 'internal_error', `${says}: ${errorMessage(error)}.`);
  const { status, headers } = problem;
  return { status, headers: { ...JSON_HEADERS, ...headers }, text: writeError(problem, TERMS) };
};

export const toResponse = ({ status, headers, text }: PlainResponse): Response =>
  new Response(status === 204 ? null : text, { status, headers });

export const errorResponse = (error: unknown, says?: string): Response => toResponse(errorResponseOf(error, says));
