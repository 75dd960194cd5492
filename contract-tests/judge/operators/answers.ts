// Operators on envelopes, statuses, codes and headers: each operation × each status.
import { OPERATIONS } from '../../engine/operations.ts';
import type { Answer, Loose } from './answer.ts';
import { type Call, keyOf } from './call.ts';
import { become, type Extra, extraOf, type Lab, type OperatorMutant, operator, put, type Rule, refuse } from './core.ts';
import { faultsOf } from './faults.ts';
import { BODIES, LISTS, REFUSALS } from './tables.ts';

/** Spoils an answer; says whether it did. */
type Spoil = (answer: Answer) => boolean;

const on = (at: string, status: number | 'ok', spoil: Spoil): Rule => ({
  at,
  when: ({ answer }) => (status === 'ok' ? answer.ok : answer.status === status),
  does: ({ answer }) => spoil(answer),
});

const header =
  (name: string, value: string | undefined): Spoil =>
  ({ headers }) => {
    if (headers[name] === undefined || headers[name] === value) return false;
    return value === undefined ? delete headers[name] : put(headers, name, value);
  };
const replaced =
  (text: (answer: Answer) => string): Spoil =>
  (answer) => {
    if (answer.text === '') return false;
    answer.replace(text(answer));
    return true;
  };

const HEADERS: readonly (readonly [name: string, which: string, Spoil])[] = ['limit', 'remaining', 'reset'].flatMap((part) => {
  const name = `x-ratelimit-${part}`;
  const malformed = part === 'remaining' ? '-1' : 'many';
  return [['missing', name, header(name, undefined)] as const, ['malformed', name, header(name, malformed)] as const];
});

const BODY: Readonly<Record<string, Spoil>> = {
  html: header('content-type', 'text/html'),
  'no-type': header('content-type', undefined),
  'no-body': replaced(() => ''),
  broken: replaced(({ sent }) => sent.slice(0, -1)),
};

const error =
  (change: (error: Loose) => boolean): Spoil =>
  ({ json }) =>
    json?.error && typeof json.error === 'object' ? change(json.error) : false;
const set = (name: string, value: unknown) => error((body) => put(body, name, value));
/** Only where fields are named: a body may also be wrong as a whole. */
const fields = (change: (list: Loose[], details: Loose) => unknown) =>
  error(({ details }) => {
    const list = details?.fields;
    if (!Array.isArray(list) || list.length === 0) return false;
    change(list, details);
    return true;
  });

const ERRORS: Readonly<Record<string, Spoil>> = {
  'code-missing': error((body) => delete body.code),
  'code-empty': set('code', ''),
  'code-other': set('code', 'something_else'),
  'message-missing': error((body) => delete body.message),
  'details-array': set('details', []),
  'details-null': set('details', null),
  'status-wrong': set('status', 599),
  string: (answer) => put(answer, 'json', { error: 'no' }),
};

const FIELDS: Readonly<Record<string, Spoil>> = {
  'fields-missing': fields((_list, details) => delete details.fields),
  'fields-empty': fields((list) => list.splice(0)),
  'fields-object': fields((list, details) => put(details, 'fields', { ...list })),
  'fields-strings': fields((list, details) =>
    put(
      details,
      'fields',
      list.map(({ field }) => field),
    ),
  ),
  'field-renamed': fields((list) => list.map((entry) => put(entry, 'name', entry.field) && delete entry.field)),
  'field-other': fields((list) => list.map((entry) => put(entry, 'field', 'something_else'))),
  'issue-missing': fields((list) => list.map((entry) => delete entry.issue)),
};

/** A 429 needs a budget that is used up. */
const allowed = (status: number, op: string): Extra => {
  const allow = [...(status === 429 ? (['quota'] as const) : []), ...(extraOf(op).allow ?? [])];
  return allow.length > 0 ? { allow } : {};
};

/** The code of a conflict is open, and so is that of a sort field that is not supported. */
const openCode = (op: string, status: number) => status === 409 || (status === 400 && LISTS.some(({ id }) => id === op));

/** What can be spoilt in the answers of one operation with one status. */
const spoilt = (op: string, status: number | 'ok'): OperatorMutant[] => {
  const what = status === 'ok' ? 'success' : String(status);
  const extra = allowed(Number(status), op);
  const each = (kind: string, clause: string, table: Readonly<Record<string, Spoil>>) =>
    Object.entries(table).map(([name, spoil]) =>
      operator(`${kind}-${name}`, clause)(`${op} ${what}`, on(op, status, spoil), extra),
    );
  const { 'code-other': _, ...withoutCode } = ERRORS;
  const bodyless = status === 'ok' && OPERATIONS.some(({ id, answers }) => id === op && answers === 'nothing');
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
  (status: number, empty = false): Spoil =>
  (answer) => {
    answer.status = status;
    if (empty) answer.replace('');
    return true;
  };

const SUCCESSES: Readonly<Record<string, Readonly<Record<string, Spoil>>>> = {
  GET: { '201': to(201), '202': to(202), '206': to(206) },
  POST: { '200': to(200), '202': to(202), 'empty 201': to(201, true), '204': to(204, true) },
  PATCH: { '204': to(204, true), 'empty 200': to(200, true) },
  DELETE: {
    '200': to(200),
    '202': to(202),
    '200 with a body': (answer) => become(answer, 200, {}).ok,
    '204 with a length': ({ headers }) => put(headers, 'content-length', '2'),
  },
};

const successes: readonly OperatorMutant[] = OPERATIONS.flatMap(({ id, method }) =>
  Object.entries(SUCCESSES[method]!)
    // Which success a webhook gets is open, but it has a body.
    .filter(([name]) => id !== 'create_webhook' || name.includes('empty') || name === '204')
    .map(([name, spoil]) => operator('success-status', 'status codes')(`${id} ${name}`, on(id, 'ok', spoil), extraOf(id))),
);

/** Statuses that stand beside the right one. */
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
      {
        at: op,
        when: ({ lab, call, answer }) => answer.status === from && lone(call, lab, from, other),
        does: ({ answer }) => refuse(answer, other),
      },
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
  ({ answers, id }) => answers !== 'nothing' && id !== 'create_webhook',
).flatMap(({ id, answers }) =>
  Object.entries(answers === 'list' ? LIST_ENVELOPES : ENVELOPES).map(([name, change]) =>
    operator('envelope', 'envelopes')(
      `${id} ${name}`,
      on(id, 'ok', (answer) => put(answer, 'json', change(answer.json, id.split('_')[1]!))),
    ),
  ),
);

export const answerMutants: readonly OperatorMutant[] = [
  ...REFUSALS.flatMap(({ op, status }) => spoilt(op, status)),
  ...OPERATIONS.flatMap(({ id }) => spoilt(id, 'ok')),
  ...successes,
  ...siblings,
  ...envelopes,
  ...REFUSALS.filter(({ status }) => status === 404).map(({ op }) =>
    operator('error-code-flip', 'codes')(
      `${op} 404`,
      on(
        op,
        404,
        error((body) => put(body, 'code', body.code === 'not_found' ? 'resource_not_found' : 'not_found')),
      ),
    ),
  ),
];
