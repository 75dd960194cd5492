// An exchange as the contract reads it: operation, record in the path, and the records that the response shows.
import { OPERATION_IDS, type Operation, type OperationId, operation } from '../../service/contract/operations.ts';
import { isObject } from '../../service/contract/schema.ts';
import { recordNameIn } from '../../service/http/handlers/index.ts';
import { pathFits } from '../../service/http/paths.ts';
import { decodeText, type Parameters, readParameters } from '../../service/lists/query.ts';
import { toUtc } from '../../service/validation/formats.ts';
import { readJson } from '../../service/validation/json-text.ts';
import { BLANKS, FIELDS, type RecordName } from '../../service/world/records.ts';
import type { JudgedExchange, Traffic } from './traffic.ts';

export type LooseRecord = Readonly<Record<string, unknown>> & { readonly id: string };

export interface ReadExchange {
  readonly traffic: Traffic;
  readonly as: string;
  readonly id: OperationId | undefined;
  readonly row: Operation | undefined;
  /** Kind of the records that a success shows. */
  readonly kind: RecordName | undefined;
  readonly variable: string | undefined;
  readonly parameters: Parameters;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly got: Readonly<Record<string, unknown>>;
  readonly status: number;
  /** Whether the service itself responded, and neither failed nor was out of quota. */
  readonly isSound: boolean;
  readonly succeeded: boolean;
  readonly records: readonly { readonly kind: RecordName; readonly record: LooseRecord }[];
  /** The service's clock, milliseconds since 1970. */
  readonly at: number;
}

export const headerOf = (headers: Traffic['requestHeaders'], name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1];

const isRecord = (value: unknown): value is LooseRecord => isObject(value) && typeof value.id === 'string' && value.id !== '';

const shownRecordsOf = ({ kind, got, variable }: Pick<ReadExchange, 'kind' | 'got' | 'variable'>): ReadExchange['records'] => {
  const shown = Array.isArray(got.items) ? got.items : [got.data];
  return shown.filter(isRecord).flatMap((record) => {
    const members = Array.isArray(record.members) ? record.members.filter(isRecord) : undefined;
    const own = {
      ...record,
      ...(kind === 'comments' && { task_id: variable }),
      ...(members && { member_ids: members.map(({ id }) => id) }),
    };
    const users = (members ?? []).map((member) => ({ kind: 'users' as const, record: member }));
    return [...(kind ? [{ kind, record: own }] : []), ...users];
  });
};

const asObject = (text: string | undefined) => {
  const value = text === undefined ? undefined : readJson(text);
  return isObject(value) ? value : {};
};

export const readExchange = ({ traffic, as }: Pick<JudgedExchange, 'traffic' | 'as'>): ReadExchange => {
  const { method, target, requestBody, response } = traffic;
  const path = target.replace(/[?#].*/s, '');
  const id = OPERATION_IDS.find((one) => operation(one).method === method && pathFits(operation(one).path, path));
  const row = id && operation(id);
  const kind = row && (row.path === '/workspace/members' ? 'users' : recordNameIn(row));
  const place = row ? row.path.split('/').findIndex((part) => part.startsWith('{')) : -1;
  const variable = place < 0 ? undefined : decodeText(path.split('/')[place]!);
  const { status = 0, headers = [], body = '' } = response ?? {};
  const got = asObject(body);
  const succeeded = status === 204 || (status >= 200 && status < 300 && ('data' in got || 'items' in got || 'secret' in got));
  const refused = status >= 400 && status < 500 && status !== 429 && isObject(got.error) && typeof got.error.code === 'string';
  const date = Date.parse(headerOf(headers, 'date') ?? '');
  return {
    traffic,
    as,
    id,
    row,
    kind,
    variable,
    parameters: readParameters(target),
    sent: asObject(requestBody),
    got,
    status,
    isSound: succeeded || refused,
    succeeded,
    records: row && succeeded ? shownRecordsOf({ kind, got, variable }) : [],
    at: Number.isNaN(date) ? traffic.sent : date,
  };
};

/** The fields of the contract with times in UTC; those that a response left out are null, or as they were where it never shows them. */
export const recordFrom = (kind: RecordName, seen: LooseRecord, before: LooseRecord | undefined): LooseRecord => {
  const unseen = kind === 'users' || kind === 'teams' ? before : before && { owner_id: before.owner_id };
  const fields = FIELDS[kind].flatMap(({ name, schema }) => {
    const value = schema.format === 'date-time' && seen[name] !== null ? toUtc(String(seen[name])) : seen[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...BLANKS[kind], ...unseen, ...Object.fromEntries(fields), id: seen.id };
};
