// The features of a response in which the options of open points differ, without the data of the response.
import { isObject } from '../../service/contract/schema.ts';
import type { LooseRecord } from './read-exchange.ts';

export interface ComparedResponse {
  readonly status: number;
  readonly header: (name: string) => string | null | undefined;
  readonly body: unknown;
}

export type Signature = Readonly<Record<string, string | number | boolean | undefined>> & { readonly status: number };

/** Three different values at least: fewer are in some order by chance. */
const directionOf = (values: readonly unknown[]): string | undefined => {
  const steps = values.slice(1).map((value, i) => Math.sign(Date.parse(String(value)) - Date.parse(String(values[i]))));
  const turns = new Set(steps.filter((step) => step !== 0));
  if (turns.size !== 1 || steps.filter((step) => step !== 0).length < 2) return undefined;
  return turns.has(1) ? 'up' : 'down';
};

const placeOfNulls = (rows: readonly LooseRecord[]): string | undefined => {
  const empty = rows.map(({ due_date }) => due_date == null);
  const changes = empty.filter((one, i) => i > 0 && one !== empty[i - 1]).length;
  return changes === 1 ? (empty[0] ? 'first' : 'last') : undefined;
};

const TIME_STYLES = [/^[^.]*Z$/, /\.\d{3}Z$/, /\+00:00$/];
const OPTIONAL_FIELDS = ['description', 'assignee_id', 'due_date'];

const recordFeatures = (rows: readonly LooseRecord[], isWork: boolean) => {
  const times = rows.flatMap(({ created_at, updated_at }) => [created_at, updated_at]).filter((time) => typeof time === 'string');
  const missing = rows.flatMap((row) =>
    OPTIONAL_FIELDS.flatMap((name) =>
      (name === 'description' || 'project_id' in row) && row[name] == null ? String(row[name]) : [],
    ),
  );
  return {
    times: [...new Set(times.map((time) => TIME_STYLES.findIndex((style) => style.test(time))))].sort().join() || undefined,
    missing: isWork ? [...new Set(missing)].sort().join() || undefined : undefined,
    owner: isWork ? rows.some((row) => 'owner_id' in row) : undefined,
  };
};

const errorFeatures = ({ status, header }: ComparedResponse, { error }: { readonly error?: unknown }) => {
  if (!isObject(error)) return {};
  const { code, details, status: repeated } = error as Readonly<Record<string, unknown>>;
  const fields = isObject(details) && Array.isArray(details.fields) ? details.fields.map((one) => String(one?.field)) : [];
  return {
    code: status === 405 ? undefined : String(code),
    fields: fields.length > 0 ? [...new Set(fields)].sort().join('\n') : undefined,
    details: fields.length > 0 ? undefined : details !== undefined,
    repeated: repeated !== undefined,
    ...(status === 401 && { challenge: header('www-authenticate') != null, quota: header('x-ratelimit-limit') ?? undefined }),
  };
};

/** @param before the record that a PATCH changes; undefined where it is not known */
export const signatureOf = (response: ComparedResponse, path: string, before: LooseRecord | undefined): Signature => {
  const { status, body } = response;
  const got = (isObject(body) ? body : {}) as Readonly<Record<string, unknown>>;
  const one = isObject(got.data) ? (got.data as LooseRecord) : undefined;
  const isWebhook = path === '/webhooks' && status < 300;
  const shown = Array.isArray(got.items) ? got.items : isWebhook ? [] : [one];
  const rows = shown.filter(isObject) as unknown as readonly LooseRecord[];
  const hook = isWebhook ? ((one ?? got) as Readonly<Record<string, unknown>>) : {};
  return {
    status,
    ...errorFeatures(response, got),
    ...recordFeatures(rows, /^\/(projects|tasks)/.test(path) && !path.endsWith('/comments')),
    limit: isObject(got.meta) ? Number(got.meta.limit) : undefined,
    order: directionOf(rows.map(({ created_at }) => created_at)),
    nulls: placeOfNulls(rows),
    isEmpty: rows.length === 0,
    prefixed: status === 201 && one && !isWebhook ? /^(proj|task|team)_/.test(String(one.id)) : undefined,
    hook: isWebhook ? `${one ? 'data' : 'bare'} ${'url' in hook}` : undefined,
    events: Array.isArray(hook.events) ? hook.events.length : undefined,
    moved:
      before && one && status < 300 ? Date.parse(String(one.updated_at)) !== Date.parse(String(before.updated_at)) : undefined,
  };
};

/** Names of fields agree if one contains the other's own name: `limit` and `query.limit`, `filter[status]` and `status`. */
const fieldsAgree = (ours: string | undefined, theirs: string | undefined): boolean => {
  if (ours === undefined) return theirs === undefined;
  if (ours === 'body') return theirs === undefined || /body|content|json/i.test(theirs);
  const names = theirs?.split('\n') ?? [];
  const own = ours.split('\n').map((name) => name.replace(/^filter\[(.*)\]$/s, '$1'));
  return own.length === names.length && own.every((name) => names.some((one) => one.includes(name)));
};

/** The options whose response has the features in which they differ as the real one has; undefined where they do not differ. */
export const matchOptions = (options: readonly Signature[], real: Signature): readonly number[] | undefined => {
  const names = [...new Set(options.flatMap((one) => Object.keys(one)))];
  const differing = (of: readonly Signature[]) => names.filter((name) => of.some((one) => one[name] !== of[0]![name]));
  if (differing(options).length === 0) return undefined;
  const alike = options.filter(({ status }) => status === real.status);
  const compared = differing(alike).filter((name) => name !== 'fields');
  return options.flatMap((one, i) => {
    const agrees = compared.every((name) => one[name] === real[name]) && fieldsAgree(one.fields as string, real.fields as string);
    return alike.includes(one) && agrees ? [i] : [];
  });
};
