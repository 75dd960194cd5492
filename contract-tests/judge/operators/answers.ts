// Operators on envelopes, statuses, codes and headers: each operation × each status.
import { OPERATIONS } from '../../engine/operations.ts';
import type { Answer } from './answer.ts';
import { type Call, isOp, keyOf } from './call.ts';
import { faultsOf } from './faults.ts';
import { type Extra, type OperatorMutant, operator } from './operator.ts';
import { BODIES, LISTS, REFUSALS } from './tables.ts';
import { type Lab, type Make, refuse } from './tamper.ts';

type Spoil = (answer: Answer, call: Call) => boolean;

const on =
  (op: string, status: number | 'ok', change: Spoil): Make =>
  (lab) =>
  async (call, next) => {
    const answer = await next(call);
    const fits = isOp(op)(call) && (status === 'ok' ? answer.ok : answer.status === status);
    if (fits) lab.hit(change(answer, call));
    return answer;
  };

const header = (name: string, value: string | undefined): Spoil => {
  return ({ headers }) => {
    if (headers[name] === undefined || headers[name] === value) return false;
    if (value === undefined) delete headers[name];
    else headers[name] = value;
    return true;
  };
};

const RATES = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const HEADERS: readonly (readonly [string, string, Spoil])[] = [
  ...RATES.flatMap((name) => [
    ['missing', name, header(name, undefined)] as const,
    ['malformed', name, header(name, name.endsWith('remaining') ? '-1' : 'many')] as const,
  ]),
];

const BODY: readonly (readonly [string, Spoil])[] = [
  ['html', header('content-type', 'text/html')],
  ['no-type', header('content-type', undefined)],
  [
    'no-body',
    (answer) => {
      if (answer.text === '') return false;
      answer.replace('');
      return true;
    },
  ],
  [
    'broken',
    (answer) => {
      answer.replace(`${answer.sent.slice(0, -1)}`);
      return answer.text !== '';
    },
  ],
];

const error = (change: (error: Record<string, unknown>) => boolean): Spoil => {
  return ({ json }) => (json?.error && typeof json.error === 'object' ? change(json.error) : false);
};
const set = (name: string, value: unknown) => error((body) => body[name] !== value && Reflect.set(body, name, value));
const fields = (change: (entries: Record<string, unknown>[], details: Record<string, unknown>) => boolean) =>
  error(({ details }) => {
    const list = (details as { fields?: unknown } | undefined)?.fields;
    return Array.isArray(list) && list.length > 0 && change(list, details as Record<string, unknown>);
  });

const ERRORS: readonly (readonly [string, Spoil])[] = [
  ['code-missing', error((body) => delete body.code)],
  ['code-empty', set('code', '')],
  ['code-other', set('code', 'something_else')],
  ['message-missing', error((body) => delete body.message)],
  ['details-array', set('details', [])],
  ['details-null', set('details', null)],
  ['status-wrong', set('status', 599)],
  [
    'string',
    (answer) => {
      answer.json = { error: 'no' };
      return true;
    },
  ],
];

/** Only where fields are named: a body may also be wrong as a whole. */
const FIELDS: readonly (readonly [string, Spoil])[] = [
  ['fields-missing', fields((_list, details) => delete details.fields)],
  ['fields-empty', fields((list) => list.splice(0).length > 0)],
  [
    'fields-object',
    fields((list, details) => {
      details.fields = { ...list };
      return true;
    }),
  ],
  [
    'fields-strings',
    fields((list, details) =>
      Reflect.set(
        details,
        'fields',
        list.map(({ field }) => field),
      ),
    ),
  ],
  [
    'field-renamed',
    fields((list) => list.map((entry) => Reflect.set(entry, 'name', entry.field) && delete entry.field).length > 0),
  ],
  ['field-other', fields((list) => list.map((entry) => Reflect.set(entry, 'field', 'something_else')).length > 0)],
  ['issue-missing', fields((list) => list.map((entry) => delete entry.issue).length > 0)],
];

/** A 429 needs a budget that is used up. */
const allowed = (status: number, op: string): Extra => {
  const allow = [...(status === 429 ? (['quota'] as const) : []), ...(op === 'create_webhook' ? (['webhooks'] as const) : [])];
  return allow.length > 0 ? { allow } : {};
};

/** The code of a conflict is open, and so is that of a sort field that is not supported. */
const openCode = (op: string, status: number) => status === 409 || (status === 400 && LISTS.some(({ id }) => id === op));

const refusals: readonly OperatorMutant[] = REFUSALS.flatMap(({ op, status }) => [
  ...HEADERS.map(([name, which, change]) =>
    operator(`rate-header-${name}`, 'rate limits')(`${op} ${status} ${which}`, on(op, status, change), allowed(status, op)),
  ),
  ...BODY.map(([name, change]) =>
    operator(`body-${name}`, 'envelopes')(`${op} ${status}`, on(op, status, change), allowed(status, op)),
  ),
  ...ERRORS.filter(([name]) => name !== 'code-other' || !openCode(op, status)).map(([name, change]) =>
    operator(`error-${name}`, 'errors')(`${op} ${status}`, on(op, status, change), allowed(status, op)),
  ),
  ...(BODIES[op] && [400, 422].includes(status) ? FIELDS : []).map(([name, change]) =>
    operator(`error-${name}`, 'errors')(`${op} ${status}`, on(op, status, change), allowed(status, op)),
  ),
]);

const flipCode = (op: string): OperatorMutant =>
  operator('error-code-flip', 'codes')(
    `${op} 404`,
    on(
      op,
      404,
      error((body) => Reflect.set(body, 'code', body.code === 'not_found' ? 'resource_not_found' : 'not_found')),
    ),
  );

const status = (to: number, empty = false): Spoil => {
  return (answer) => {
    answer.status = to;
    if (empty) answer.replace('');
    return true;
  };
};

const SUCCESSES: Readonly<Record<string, readonly (readonly [string, Spoil])[]>> = {
  GET: [
    ['201', status(201)],
    ['202', status(202)],
    ['206', status(206)],
  ],
  POST: [
    ['200', status(200)],
    ['202', status(202)],
    ['empty 201', status(201, true)],
    ['204', status(204, true)],
  ],
  PATCH: [
    ['204', status(204, true)],
    ['empty 200', status(200, true)],
  ],
  DELETE: [
    ['200', status(200)],
    ['202', status(202)],
    [
      '200 with a body',
      (answer) => {
        answer.headers['content-type'] = 'application/json';
        answer.replace('{}');
        return status(200)(answer, undefined as never);
      },
    ],
    ['204 with a length', (answer) => Reflect.set(answer.headers, 'content-length', '2')],
  ],
};

const successes: readonly OperatorMutant[] = OPERATIONS.flatMap(({ id, method, answers }) => {
  const extra = allowed(200, id);
  // Which success a webhook gets is open, but it has a body.
  const statuses = SUCCESSES[method]!.filter(([name]) => id !== 'create_webhook' || name.includes('empty') || name === '204');
  return [
    ...HEADERS.map(([name, which, change]) =>
      operator(`rate-header-${name}`, 'rate limits')(`${id} success ${which}`, on(id, 'ok', change), extra),
    ),
    ...(answers === 'nothing' ? [] : BODY).map(([name, change]) =>
      operator(`body-${name}`, 'envelopes')(`${id} success`, on(id, 'ok', change), extra),
    ),
    ...statuses.map(([name, change]) => operator('success-status', 'status codes')(`${id} ${name}`, on(id, 'ok', change), extra)),
  ];
});

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
const lone = (call: Call, lab: Lab, from: number, to: number): boolean => {
  const memory = lab.memory(call);
  // Which scope teams and webhooks need is open.
  if (to === 403 && call.home && /_(team|webhook)$/.test(call.op!.id) && call.method !== 'GET' && keyOf(call) !== lab.keys.admin)
    return from === 401;
  if (from !== 404 && memory.fate(call.id, call) !== 'own') return false;
  if (from === 404 && call.method !== 'GET' && keyOf(call) === lab.keys.read) return false;
  const parts = call.op && BODIES[call.op.id];
  if (!parts || from === 400 || from === 422) return true;
  return faultsOf(call.body, parts, call.op!.method === 'PATCH', []).length === 0;
};

const siblings: readonly OperatorMutant[] = REFUSALS.flatMap(({ op, status: from }) =>
  (SIBLINGS[from] ?? []).map((to) =>
    operator('refusal-status', 'status codes')(
      `${op} ${from} as ${to}`,
      (lab) => {
        lab.remember();
        return async (call, next) => {
          const answer = await next(call);
          if (!isOp(op)(call) || answer.status !== from || !lone(call, lab, from, to)) return answer;
          lab.hit();
          return refuse(answer, to);
        };
      },
      allowed(from, op),
    ),
  ),
);

const envelopes: readonly OperatorMutant[] = OPERATIONS.filter(
  ({ answers, id }) => answers !== 'nothing' && id !== 'create_webhook',
).flatMap(({ id, answers }) => {
  const make = operator('envelope', 'envelopes');
  const change = (name: string, spoil: (json: Record<string, unknown>) => unknown) =>
    make(
      `${id} ${name}`,
      on(id, 'ok', (answer) => {
        answer.json = spoil(answer.json);
        return true;
      }),
    );
  if (answers === 'list')
    return [
      change('bare', ({ items }) => items),
      change('under data', ({ items, meta }) => ({ data: items, meta })),
      change('without meta', ({ items }) => ({ items })),
      change('without items', ({ meta }) => ({ meta })),
      change('meta flat', ({ items, meta }) => ({ items, ...(meta as object) })),
      change('items an object', ({ items, meta }) => ({ items: { ...(items as object[]) }, meta })),
    ];
  return [
    change('bare', ({ data }) => data),
    change('an array', ({ data }) => ({ data: [data] })),
    change('under the name', ({ data }) => ({ [id.split('_')[1]!]: data })),
    change('null', () => ({ data: null })),
  ];
});

export const answerMutants: readonly OperatorMutant[] = [
  ...refusals,
  ...successes,
  ...siblings,
  ...envelopes,
  ...REFUSALS.filter(({ status }) => status === 404).map(({ op }) => flipCode(op)),
];
