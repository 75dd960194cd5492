// Operators on envelopes, statuses, codes and headers: each operation × each status.
import { OPERATIONS } from '../../engine/operations.ts';
import {
  become,
  blank,
  type Extra,
  extraOf,
  type Lab,
  type Make,
  type OperatorMutant,
  operator,
  put,
  type Rule,
  refuse,
} from './core.ts';
import { type Call, isOp, keyOf, type Loose, type ServedResponse } from './exchange.ts';
import { faultsOf } from './faults.ts';
import { BODIES, LISTS, REFUSALS, WRITES } from './tables.ts';

type Spoil = (response: ServedResponse) => unknown;
type Table = Readonly<Record<string, Spoil>>;

const on = (at: string, status: number | 'ok', spoil: Spoil): Rule => ({
  at,
  on: status,
  does: ({ response }) => void spoil(response),
});

const header =
  (name: string, value: ((old: string) => string) | undefined): Spoil =>
  ({ headers }) => {
    const old = headers[name];
    if (old !== undefined && value) headers[name] = value(old);
    else delete headers[name];
  };

const HEADERS = ['limit', 'remaining', 'reset'].flatMap((part) => {
  const malformed = part === 'remaining' ? '-1' : 'many';
  const name = `x-ratelimit-${part}`;
  return [['missing', name, header(name, undefined)] as const, ['malformed', name, header(name, () => malformed)] as const];
});

const BODY: Table = {
  html: header('content-type', () => 'text/html'),
  'no-type': header('content-type', undefined),
  'no-body': (response) => response.replace(''),
  broken: (response) => response.replace(response.sent.slice(0, -1)),
};

const error =
  (change: (error: Loose) => unknown): Spoil =>
  ({ json }) =>
    json?.error && typeof json.error === 'object' && change(json.error);
const set = (name: string, value: unknown) => error((body) => put(body, name, value));
/** Only where fields are named: a body may also be wrong as a whole. */
const fields = (change: (list: Loose[], details: Loose) => unknown) =>
  error(({ details }) => details?.fields?.length > 0 && change(details.fields, details));

const ERRORS: Table = {
  'code-missing': error((body) => delete body.code),
  'code-empty': set('code', ''),
  'code-other': set('code', 'something_else'),
  'message-missing': error((body) => delete body.message),
  'details-array': set('details', []),
  'details-null': set('details', null),
  'status-wrong': set('status', 599),
  string: (response) => put(response, 'json', { error: 'no' }),
};

const FIELDS: Table = {
  'fields-missing': fields((_list, details) => delete details.fields),
  'fields-empty': fields((list) => list.splice(0)),
  'fields-object': fields((list, details) => put(details, 'fields', { ...list })),
  'fields-strings': fields((list, details) =>
    put(
      details,
      'fields',
      Array.from(list, ({ field }) => field),
    ),
  ),
  'field-renamed': fields((list) => list.map((entry) => put(entry, 'name', entry.field) ?? delete entry.field)),
  'field-other': fields((list) => list.map((entry) => put(entry, 'field', 'something_else'))),
  'issue-missing': fields((list) => list.map((entry) => delete entry.issue)),
};

/** A 429 needs a budget that is used up. */
const allowed = (status: number | 'ok', op: string): Extra => {
  const allow = [...(status === 429 ? (['quota'] as const) : []), ...(extraOf(op).allow ?? [])];
  return allow.length > 0 ? { allow } : {};
};

/** The code of a conflict is open, and so is that of a sort field that is not supported. */
const openCode = (op: string, status: number) => status === 409 || (status === 400 && LISTS.some(({ id }) => id === op));

/** Faults that can be put in the responses of one operation with one status. */
const spoilt = (op: string, status: number | 'ok'): OperatorMutant[] => {
  const what = status === 'ok' ? 'success' : String(status);
  const extra = allowed(status, op);
  const each = (kind: string, clause: string, table: Table) =>
    Object.entries(table).map(([name, spoil]) =>
      operator(`${kind}-${name}`, clause)(`${op} ${what}`, on(op, status, spoil), extra),
    );
  const { 'code-other': _, ...withoutCode } = ERRORS;
  const bodyless = status === 'ok' && OPERATIONS.some(({ id, returns }) => id === op && returns === 'nothing');
  return [
    ...HEADERS.map(([name, which, spoil]) =>
      operator(`rate-header-${name}`, 'rate limits')(`${op} ${what} ${which}`, on(op, status, spoil), extra),
    ),
    ...(bodyless ? [] : each('body', 'envelopes', BODY)),
    ...(status === 'ok' ? [] : each('error', 'errors', openCode(op, status) ? withoutCode : ERRORS)),
    ...(BODIES[op] && [400, 422].includes(Number(status)) ? each('error', 'errors', FIELDS) : []),
  ];
};

const to =
  (status: number, text?: string): Spoil =>
  (response) => {
    response.status = status;
    if (text !== undefined) response.replace(text);
  };

const SUCCESSES: Readonly<Record<string, Table>> = {
  GET: { '201': to(201), '202': to(202), '206': to(206) },
  POST: { '200': to(200), '202': to(202), 'empty 201': to(201, ''), '204': to(204, '') },
  PATCH: { '204': to(204, ''), 'empty 200': to(200, '') },
  DELETE: {
    '200': to(200),
    '202': to(202),
    '200 with a body': (response) => become(response, 200, {}),
    '204 with a length': ({ headers }) => put(headers, 'content-length', '2'),
  },
};

const successes: readonly OperatorMutant[] = OPERATIONS.flatMap(({ id, method }) =>
  Object.entries(SUCCESSES[method]!)
    // Which success a webhook gets is open, but it has a body.
    .filter(([name]) => id !== 'create_webhook' || name.includes('empty') || name === '204')
    .map(([name, spoil]) => operator('success-status', 'status codes')(`${id} ${name}`, on(id, 'ok', spoil), extraOf(id))),
);

/** Statuses that are beside the right one. */
const SIBLINGS: Readonly<Record<number, readonly number[]>> = {
  401: [400, 403, 404],
  403: [400, 401, 404],
  404: [400, 403, 410, 422],
  409: [400, 422, 500],
  429: [400, 403, 503],
  400: [404, 500],
  422: [404, 500],
};

/** Another status is wrong only where the request has no other fault: the order of checks is open. */
const lone = (call: Call, lab: Lab, from: number, other: number): boolean => {
  // Which scope teams and webhooks need is open.
  const scoped = /_(team|webhook)$/.test(call.op!.id) && call.method !== 'GET' && keyOf(call) !== lab.keys.admin;
  if (other === 403 && call.home && scoped) return from === 401;
  if (from !== 404 && lab.memory(call).fate(call.id, call) !== 'own') return false;
  if (from === 404 && call.method !== 'GET' && keyOf(call) === lab.keys.read) return false;
  const parts = call.op && BODIES[call.op.id];
  if (!parts || from === 400 || from === 422) return true;
  return faultsOf(call.body, parts, call.op!.method === 'PATCH', []).length === 0;
};

const siblings: readonly OperatorMutant[] = REFUSALS.flatMap(({ op, status: from }) =>
  (SIBLINGS[from] ?? []).map((other) =>
    operator('refusal-status', 'status codes')(
      `${op} ${from} as ${other}`,
      { at: op, on: from, when: ({ lab, call }) => lone(call, lab, from, other), does: ({ response: x }) => refuse(x, other) },
      allowed(from, op),
    ),
  ),
);

const LIST_ENVELOPES: Readonly<Record<string, (json: Loose) => unknown>> = {
  bare: ({ items }) => items,
  'under data': ({ items, meta }) => ({ data: items, meta }),
  'without meta': ({ items }) => ({ items }),
  'without items': ({ meta }) => ({ meta }),
  'meta flat': ({ items, meta }) => ({ items, ...meta }),
  'items an object': ({ items, meta }) => ({ items: { ...items }, meta }),
};
const ENVELOPES: Readonly<Record<string, (json: Loose, name: string) => unknown>> = {
  bare: ({ data }) => data,
  'an array': ({ data }) => ({ data: [data] }),
  'under the name': ({ data }, name) => ({ [name]: data }),
  null: () => ({ data: null }),
};

const envelopes: readonly OperatorMutant[] = OPERATIONS.filter(
  ({ returns, id }) => returns !== 'nothing' && id !== 'create_webhook',
).flatMap(({ id, returns }) =>
  Object.entries(returns === 'list' ? LIST_ENVELOPES : ENVELOPES).map(([name, change]) => {
    const spoil: Spoil = (response) => put(response, 'json', change(response.json, id.split('_')[1]!));
    return operator('envelope', 'envelopes')(`${id} ${name}`, on(id, 'ok', spoil));
  }),
);

const flip = error((body) => put(body, 'code', body.code === 'not_found' ? 'resource_not_found' : 'not_found'));

export const responseMutants: readonly OperatorMutant[] = [
  ...REFUSALS.flatMap(({ op, status }) => spoilt(op, status)),
  ...OPERATIONS.flatMap(({ id }) => spoilt(id, 'ok')),
  ...successes,
  ...siblings,
  ...envelopes,
  ...REFUSALS.filter(({ status }) => status === 404).map(({ op }) =>
    operator('error-code-flip', 'codes')(`${op} 404`, on(op, 404, flip)),
  ),
];

const LIMIT = 'x-ratelimit-limit';
const LEFT = 'x-ratelimit-remaining';
const RESET = 'x-ratelimit-reset';

interface Told {
  readonly lab: Lab;
  readonly call: Call;
  /** Responses before this one. */
  readonly nth: number;
  readonly first: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Values of a header in place of its own. */
const SAYINGS: Readonly<Record<string, readonly [name: string, value: (old: string, told: Told) => unknown]>> = {
  'Remaining never falls': [LEFT, (_old, { headers }) => headers[LIMIT]],
  'Remaining above Limit': [LEFT, (_old, { headers }) => Number(headers[LIMIT]) + 1],
  'Remaining a fraction': [LEFT, (old) => `${old}.5`],
  'Remaining with a unit': [LEFT, (old) => `${old} requests`],
  'Limit with its window': [LIMIT, (old) => `${old};w=60`],
  'Limit changes': [LIMIT, (old, { nth }) => Number(old) + (nth % 2)],
  'Limit differs by key': [LIMIT, (old, { call, lab }) => (keyOf(call) === lab.keys.read ? Number(old) * 2 : old)],
  'Limit of an hour': [LIMIT, (old) => Number(old) * 60],
  'Reset in milliseconds': [RESET, (old) => `${old}000`],
  'Reset as seconds to wait': [RESET, (old, { lab }) => Math.max(0, Number(old) - Math.floor(lab.now() / 1000))],
  'Reset a date': [RESET, (old) => new Date(Number(old) * 1000).toISOString()],
  'Reset past': [RESET, (old) => Number(old) - 3600],
  'Reset an hour ahead': [RESET, (old) => Number(old) + 3600],
  'Reset never moves': [RESET, (_old, { first }) => first[RESET]],
};
/** It shows only in a run of more than a minute. */
const LONG = 'Reset never moves';

const WHERE: Readonly<Record<string, (call: Call, response: ServedResponse) => boolean>> = {
  always: () => true,
  reads: ({ method }, response) => method === 'GET' && response.ok,
  writes: ({ method }, response) => method !== 'GET' && response.ok,
  refusals: (_call, response) => !response.ok,
};

/** Whether a fault can be told: one that needs several responses cannot in refusals, which may cost nothing. */
const visible = (name: string, where: string): boolean => {
  if (name === 'Limit of an hour') return where !== 'always';
  if (['Remaining never falls', LONG].includes(name)) return where !== 'refusals' && where !== 'writes';
  return !(name === 'Limit differs by key' && where === 'writes');
};

const headers: readonly OperatorMutant[] = Object.entries(SAYINGS).flatMap(([name, [at, value]]) =>
  Object.entries(WHERE)
    .filter(([where]) => visible(name, where))
    .map(([where, test]) => {
      const make: Make = (lab) => {
        let nth = 0;
        let first: Record<string, string> | undefined;
        return async (call, next) => {
          const response = await next(call);
          if (!call.home || response.status === 401 || !test(call, response)) return response;
          first ??= { ...response.headers };
          const before = response.headers[at];
          header(at, (old) => String(value(old, { lab, call, nth, first: first!, headers: response.headers })))(response);
          nth += 1;
          lab.hit(response.headers[at] !== before && (name !== LONG || Number(first[RESET]) * 1000 < lab.now()));
          return response;
        };
      };
      const extra: Extra = name === LONG ? { allow: ['webhooks', 'slow'] } : {};
      return operator('rate', 'rate limits')(`${name}, ${where}`, make, extra);
    }),
);

/** How many requests of the true budget are held back, so that a request beyond the told one can still be carried out. */
const HELD = 20;

/** A budget that is told smaller than it is: later requests get 429, and are served where the operator says so. */
const overBudget =
  (op: string | undefined, early: number): Make =>
  (lab) => {
    let [told, until] = [HELD, 0];
    return async (call, next) => {
      const spent = call.home && told <= early && lab.now() < until;
      const idle = spent && call.method !== 'GET' && !(op !== undefined && isOp(op)(call));
      const response = idle ? await blank(lab, call, next) : await next(call);
      if (!call.home || response.status === 401 || response.status === 429) return response;
      const [limit, left] = [LIMIT, LEFT].map((name) => Number(response.headers[name]) - HELD) as [number, number];
      Object.assign(response.headers, { [LIMIT]: String(limit), [LEFT]: String(Math.max(0, left)) });
      [told, until] = [left, Number(response.headers[RESET]) * 1000];
      if (left >= early) return response;
      lab.hit(op === undefined ? left >= 0 : isOp(op)(call) && response.ok);
      return refuse(response, 429);
    };
  };

const QUOTA: Extra = { allow: ['quota'], on: 'reference' };

export const rateMutants: readonly OperatorMutant[] = [
  ...headers,
  ...WRITES.filter(({ id }) => id !== 'create_webhook').map(({ id }) =>
    operator('429-and-done', 'refused requests')(id, overBudget(id, 0), QUOTA),
  ),
  operator('429-early', 'rate limits')('five too early', overBudget(undefined, 5), QUOTA),
];
