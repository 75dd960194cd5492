// The laws that hold on every answer, tested at no extra request.
import { claim, fieldAt, type Operator, type Path } from './claims.ts';
import type { Exchange, Json } from './exchange.ts';
import { errorOf, isRecord, metaOf, records, resource, succeeded } from './exchange.ts';
import { unfit } from './paths.ts';
import type { Recorder, Told } from './recorder.ts';
import type { Field } from './shapes.ts';
import { COUNT_CREATED, COUNT_LISTED, isUtc, namesZone, SHAPES, ZONED } from './shapes.ts';
import type { Skew } from './time.ts';

export interface LawContext {
  readonly record: Recorder;
  /** Values that no answer may show, with the name of each. */
  readonly secrets: () => Iterable<string>;
  readonly isHookSecret: (value: string) => boolean;
  /** The target's clock, as its answers show it. */
  readonly skew: Skew;
  /** A smaller limit may be raised to it. */
  readonly smallestLimit: number;
  readonly limits: Map<string, number>;
  /** The code of each condition that has been met. */
  readonly codes: Map<string, string>;
  /** What is wrong with an answer by the OpenAPI document; undefined when nothing is. */
  readonly schemaFault: (x: Exchange) => string | undefined;
}

type Law = (x: Exchange, c: LawContext) => boolean;

/** What is wrong with a response, and what must hold there. */
const wrong = (message: string, x: Exchange, at: Path, op: Operator, value?: unknown, than?: Path): Told => ({
  message,
  claims: [{ ...claim(x, at, op, value), ...(than ? { than: { call: x.number, at: than } } : {}) }],
});

const META = (name: string): Path => ['body', 'meta', name];
const ERROR = (name: string): Path => ['body', 'error', name];
const ROWS: Path = ['body', 'items', '*'];

const body: Law = (x, { record }) => {
  if (x.status === 204)
    return record.must(
      'WM-GEN-002',
      x.text === '' && Number(x.headers.get('content-length') ?? 0) === 0,
      wrong('a 204 has a body', x, ['text'], 'equals', ''),
      x,
    );
  if (x.operation === undefined && x.text === '') return true;
  const type = x.headers.get('content-type') ?? '';
  return record.must(
    'WM-GEN-001',
    /^application\/([\w.-]+\+)?json\b/i.test(type) && x.json !== undefined && x.flaw === undefined,
    {
      message: `a ${x.status} answer ${x.flaw ?? 'is not JSON'}`,
      claims: [
        claim(x, ['body'], 'present'),
        claim(x, ['header', 'content-type'], 'matches', '^application/([\\w.-]+\\+)?json\\b'),
      ],
    },
    x,
  );
};

const noServerError: Law = (x, { record }) =>
  record.must('WM-ERR-014', x.status < 500, wrong(`${x.method} ${x.path} answers ${x.status}`, x, ['status'], 'less', 500), x);

const successStatus: Law = (x, { record }) => {
  const { operation } = x;
  if (!operation || !(x.status >= 200 && x.status < 400)) return true;
  const says = `${operation.method} ${operation.path} answers ${x.status}`;
  if (operation.success !== undefined) {
    const told = {
      ...wrong(says, x, ['status'], 'equals', operation.success),
      expected: String(operation.success),
      got: String(x.status),
    };
    return record.must(operation.requirement, x.status === operation.success, told, x);
  }
  return record.must(
    operation.requirement,
    x.status < 300 && x.status !== 204 && x.status !== 205 && x.text !== '',
    wrong(`${says} without a body`, x, ['body'], 'present'),
    x,
  );
};

const field = (x: Exchange, record: Recorder, of: Json, f: Field): boolean => {
  const value = of[f.name];
  const at = fieldAt(x, f.name);
  const good = record.must(
    f.requirement,
    f.holds(value),
    wrong(
      `${f.name} is ${JSON.stringify(value) ?? 'missing'} in ${x.method} ${x.path}`,
      x,
      at,
      value === undefined ? 'present' : f.types ? 'type' : 'differs',
      f.types ?? value,
    ),
    x,
  );
  if (good && f.name === 'due_date' && typeof value === 'string')
    return record.must(
      'WM-GEN-013',
      namesZone(value),
      wrong(`${f.name} is ${JSON.stringify(value)}`, x, at, 'matches', ZONED),
      x,
    );
  if (!good || !f.time) return good;
  const said = wrong(`${f.name} is ${JSON.stringify(value)}`, x, at, 'matches', ZONED);
  return record.must('WM-GEN-007', isUtc(value), said, x) && record.must('WM-GEN-013', namesZone(value as string), said, x);
};

const envelope: Law = (x, { record }) => {
  const { operation } = x;
  if (!operation || !succeeded(x) || x.json === undefined || x.status === 204) return true;
  const json = isRecord(x.json) ? x.json : {};
  if (operation.shape === 'webhook') return true;
  if (operation.answers === 'nothing') return true;
  const shape = SHAPES[operation.shape];
  if (operation.answers === 'one') {
    let good = record.must(
      'WM-ENV-001',
      isRecord(json.data),
      wrong(`${x.method} ${x.path} has no data object`, x, ['body', 'data'], 'type', ['object']),
      x,
    );
    for (const f of operation.id === 'create_team' ? [...shape, COUNT_CREATED] : shape)
      good = field(x, record, resource(x), f) && good;
    return good;
  }
  let good = record.must(
    'WM-ENV-002',
    Array.isArray(json.items),
    wrong(`${x.method} ${x.path} has no items array`, x, ['body', 'items'], 'type', ['list']),
    x,
  );
  good =
    record.must(
      'WM-ENV-003',
      isRecord(json.meta),
      wrong(`${x.method} ${x.path} has no meta object`, x, ['body', 'meta'], 'type', ['object']),
      x,
    ) && good;
  const wanted = operation.shape === 'team' ? [...shape, COUNT_LISTED] : shape;
  for (const item of records(x)) for (const f of wanted) good = field(x, record, item, f) && good;
  if (operation.shape === 'member') {
    const extra = records(x).some((item) => 'avatar_url' in item || 'created_at' in item);
    const claims = ['avatar_url', 'created_at'].map((name) => claim(x, [...ROWS, name], 'absent'));
    good = record.must('WM-USER-011', !extra, { message: 'a member row shows avatar_url or created_at', claims }, x) && good;
  }
  return good;
};

const meta: Law = (x, { record, smallestLimit }) => {
  if (x.operation?.answers !== 'list' || !succeeded(x) || !isRecord(metaOf(x)) || Object.keys(metaOf(x)).length === 0)
    return true;
  const { total, limit, has_more, next_cursor } = metaOf(x);
  const count = records(x).length;
  const sent = new URLSearchParams(x.query).get('limit');
  let good = record.must(
    'WM-META-001',
    Number.isInteger(total),
    wrong(`meta.total is ${JSON.stringify(total)}`, x, META('total'), 'type', ['integer']),
    x,
  );
  good =
    record.must(
      'WM-META-002',
      Number.isInteger(limit),
      wrong(`meta.limit is ${JSON.stringify(limit)}`, x, META('limit'), 'type', ['integer']),
      x,
    ) && good;
  good =
    record.must(
      'WM-META-003',
      typeof has_more === 'boolean',
      wrong(`meta.has_more is ${JSON.stringify(has_more)}`, x, META('has_more'), 'type', ['boolean']),
      x,
    ) && good;
  const typed = next_cursor === null || typeof next_cursor === 'string';
  if (next_cursor !== undefined || has_more !== true) {
    good =
      record.must(
        'WM-META-004',
        typed,
        wrong(`meta.next_cursor is ${JSON.stringify(next_cursor) ?? 'missing'}`, x, META('next_cursor'), 'type', [
          'null',
          'text',
          'empty',
        ]),
        x,
      ) && good;
  }
  if (sent === null && !x.query.includes('cursor=')) {
    good =
      record.must(
        'WM-META-007',
        limit === 20,
        wrong(`meta.limit is ${JSON.stringify(limit)} without limit`, x, META('limit'), 'equals', 20),
        x,
      ) && good;
  } else if (sent !== null && /^([1-9]\d?|100)$/.test(sent) && Number(sent) >= smallestLimit) {
    good =
      record.must(
        'WM-META-006',
        limit === Number(sent),
        wrong(`meta.limit is ${JSON.stringify(limit)} for limit=${sent}`, x, META('limit'), 'equals', Number(sent)),
        x,
      ) && good;
    good =
      record.must(
        'WM-LIST-003',
        count <= Number(sent),
        wrong(`${count} records for limit=${sent}`, x, [...ROWS.slice(0, -1), Number(sent)], 'absent'),
        x,
      ) && good;
  }
  good =
    record.must(
      'WM-LIST-020',
      count <= 100 && !(typeof limit === 'number' && limit > 100),
      {
        message: `${count} records, meta.limit ${String(limit)}`,
        claims: [
          { ...claim(x, META('limit'), 'most', 100), unless: REFUSED },
          { ...claim(x, ['body', 'items', 100], 'absent'), unless: REFUSED },
        ],
      },
      x,
    ) && good;
  if (typeof limit === 'number' && x.query.includes('limit='))
    good =
      record.must(
        'WM-META-021',
        count <= limit,
        wrong(`${count} records on a page whose meta.limit is ${limit}`, x, ['body', 'items', limit], 'absent'),
        x,
      ) && good;
  if (sent !== null && /^\d+$/.test(sent) && Number(sent) > 100)
    good =
      record.must(
        'WM-META-022',
        limit === 100,
        {
          message: `limit=${sent} is accepted with meta.limit ${String(limit)}`,
          claims: [{ ...claim(x, META('limit'), 'equals', 100), unless: REFUSED }],
        },
        x,
      ) && good;
  if (has_more === false && typed) {
    good =
      record.must(
        'WM-META-010',
        next_cursor === null,
        wrong(`has_more is false and next_cursor is ${JSON.stringify(next_cursor)}`, x, META('next_cursor'), 'equals', null),
        x,
      ) && good;
  }
  if (has_more === true && (typed || next_cursor === undefined)) {
    good =
      record.must(
        'WM-META-011',
        typeof next_cursor === 'string' && next_cursor !== '',
        wrong('has_more is true without next_cursor', x, META('next_cursor'), 'type', ['text']),
        x,
      ) && good;
  }
  const why = typeof next_cursor === 'string' && next_cursor !== '' ? unfit(next_cursor, 'query') : undefined;
  if (why) good = record.must('WM-LIST-004', false, `next_cursor leads nowhere, for ${why}: ${JSON.stringify(next_cursor)}`, x);
  return good;
};

const REFUSED = [400, 422];

/** The documented codes, each with its statuses. */
const STATUSES_OF: ReadonlyMap<string, readonly number[]> = new Map([
  ['unauthorized', [401]],
  ['forbidden', [403]],
  ['not_found', [404]],
  ['resource_not_found', [404]],
  ['validation_error', [400, 422]],
  ['rate_limit_exceeded', [429]],
]);

/** The texts of a JSON body's fields. */
const textsOf = (body: string | undefined): string[] => {
  try {
    const json: unknown = JSON.parse(body ?? 'null');
    return isRecord(json) ? Object.values(json).filter((value) => typeof value === 'string') : [];
  } catch {
    return [];
  }
};

/** What is not there, and a name that is taken, have one code each, whoever asks for it. Of two writes at once the conflict may be another. */
const isStable = (x: Exchange, { record, codes }: LawContext, code: string): boolean => {
  const condition =
    x.status === 404 ? '404' : x.status === 409 && !x.beside ? `409 of ${x.method} ${x.operation?.path}` : undefined;
  if (condition === undefined) return true;
  const known = codes.get(condition) ?? code;
  codes.set(condition, known);
  return record.must('WM-ERR-012', known === code, `a ${condition} has the code ${code}, and had ${known}`, x);
};

const errorBody: Law = (x, c) => {
  const { record } = c;
  if (x.status < 400 || x.json === undefined) return true;
  const error = errorOf(x);
  if (
    !record.must(
      'WM-ENV-004',
      isRecord(x.json) && isRecord(x.json.error),
      wrong(`a ${x.status} answer has no error object`, x, ['body', 'error'], 'type', ['object']),
      x,
    )
  )
    return false;
  let good = record.must(
    'WM-ERR-001',
    typeof error.code === 'string' && error.code !== '',
    wrong(`error.code is ${JSON.stringify(error.code)}`, x, ERROR('code'), 'type', ['text']),
    x,
  );
  good =
    record.must(
      'WM-ERR-002',
      typeof error.message === 'string' && error.message.trim() !== '',
      wrong(`error.message is ${JSON.stringify(error.message)}`, x, ERROR('message'), 'type', ['text']),
      x,
    ) && good;
  good =
    record.must(
      'WM-ERR-003',
      error.details === undefined || isRecord(error.details),
      wrong(`error.details is ${JSON.stringify(error.details)}`, x, ERROR('details'), 'type', ['object', 'missing']),
      x,
    ) && good;
  good =
    record.must(
      'WM-ERR-007',
      error.status === undefined || error.status === x.status,
      wrong(`error.status ${String(error.status)} in a ${x.status}`, x, ERROR('status'), 'equals', undefined, ['status']),
      x,
    ) && good;
  const fields = isRecord(error.details) ? error.details.fields : undefined;
  if (fields !== undefined && good) {
    const pairs =
      Array.isArray(fields) && fields.every((f) => isRecord(f) && typeof f.field === 'string' && typeof f.issue === 'string');
    good =
      record.must(
        'WM-ERR-005',
        pairs,
        {
          message: 'details.fields does not hold { field, issue }',
          claims: ['field', 'issue'].map((name) => claim(x, ['body', 'error', 'details', 'fields', '*', name], 'matches', '.')),
        },
        x,
      ) && good;
  }
  // Which codes there are where no operation is, is open.
  if (!good || typeof error.code !== 'string' || (x.operation === undefined && x.status !== 401)) return good;
  // A name or a sort that was sent is no part of what never changes.
  const { code } = error;
  const sent = [...new URLSearchParams(x.query).values(), ...textsOf(x.requestBody)].filter((value) => value.length >= 5);
  const echoed = sent.find((value) => code.toLowerCase().includes(value.replace(/^-/, '').toLowerCase()));
  good = record.must(
    'WM-ERR-001',
    echoed === undefined,
    wrong(`error.code ${code} holds what was sent`, x, ERROR('code'), 'differs', code),
    x,
  );
  const own = STATUSES_OF.get(error.code);
  good =
    good &&
    record.must(
      'WM-ERR-040',
      own === undefined || own.includes(x.status),
      {
        message: `a ${x.status} has the code ${error.code}`,
        claims: [{ ...claim(x, ERROR('code'), 'differs', code), ...(own ? { unless: own } : {}) }],
      },
      x,
    );
  if (x.status === 401)
    return record.must(
      'WM-AUTH-007',
      error.code === 'unauthorized',
      wrong(`a 401 has the code ${error.code}`, x, ERROR('code'), 'equals', 'unauthorized'),
      x,
    );
  if (x.status === 403)
    return record.must(
      'WM-SCOPE-014',
      error.code === 'forbidden',
      wrong(`a 403 has the code ${error.code}`, x, ERROR('code'), 'equals', 'forbidden'),
      x,
    );
  if (x.status === 429)
    return record.must(
      'WM-RATE-019',
      error.code === 'rate_limit_exceeded',
      wrong(`a 429 has the code ${error.code}`, x, ERROR('code'), 'equals', 'rate_limit_exceeded'),
      x,
    );
  if (!isStable(x, c, code)) return false;
  if (x.status === 404)
    return record.must(
      'WM-ERR-010',
      ['not_found', 'resource_not_found'].includes(error.code),
      wrong(`a 404 has the code ${error.code}`, x, ERROR('code'), 'in', ['not_found', 'resource_not_found']),
      x,
    );
  return true;
};

/** A write key may do everything with projects and tasks. */
const writeScope: Law = (x, { record }) => {
  if (x.as !== 'write' || !x.operation || x.method === 'GET' || !['project', 'task'].includes(x.operation.shape)) return true;
  const requirement = x.operation.shape === 'project' ? 'WM-SCOPE-016' : 'WM-SCOPE-017';
  return record.must(
    requirement,
    x.status !== 403 && x.status !== 401,
    {
      message: `${x.method} with a write key is answered ${x.status}`,
      claims: [401, 403].map((status) => claim(x, ['status'], 'differs', status)),
    },
    x,
  );
};

/** The clause on the three headers, by status. */
const HEADERS_OF: Readonly<Record<number, string>> = {
  204: 'WM-RATE-002',
  400: 'WM-RATE-027',
  401: 'WM-RATE-003',
  403: 'WM-RATE-028',
  404: 'WM-RATE-004',
  409: 'WM-RATE-029',
  422: 'WM-RATE-030',
  429: 'WM-RATE-020',
};

const rateHeaders: Law = (x, c) => {
  const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
  const missing = names.filter((name) => x.headers.get(name) === null);
  const requirement = HEADERS_OF[x.status] ?? 'WM-RATE-001';
  if (
    !c.record.must(
      requirement,
      missing.length === 0,
      {
        message: `a ${x.status} lacks ${missing.join(', ')}`,
        claims: missing.map((name) => claim(x, ['header', name], 'present')),
      },
      x,
    )
  )
    return false;
  const [limit, remaining, reset] = names.map((name) => x.headers.get(name)!);
  const integer = (value: string | undefined) => /^\d+$/.test(value ?? '');
  let good = c.record.must(
    'WM-RATE-006',
    integer(limit) && Number(limit) > 0,
    wrong(`X-RateLimit-Limit is ${limit}`, x, ['header', names[0]!], 'matches', '^[0-9]*[1-9][0-9]*$'),
    x,
  );
  good =
    c.record.must(
      'WM-RATE-007',
      integer(remaining) && Number(remaining) <= Number(limit),
      {
        message: `X-RateLimit-Remaining is ${remaining} of ${limit}`,
        claims: [
          claim(x, ['header', names[1]!], 'matches', '^[0-9]+$'),
          { ...claim(x, ['header', names[1]!], 'most'), than: { call: x.number, at: ['header', names[0]!] } },
        ],
      },
      x,
    ) && good;
  const seconds = Number(reset);
  const isSeconds = integer(reset) && seconds > 1_000_000_000 && seconds < 100_000_000_000;
  good =
    c.record.must(
      'WM-RATE-008',
      isSeconds,
      wrong(`X-RateLimit-Reset is ${reset}`, x, ['header', names[2]!], 'matches', '^[0-9]{10,11}$'),
      x,
    ) && good;
  if (x.status === 401) return good;
  if (isSeconds) {
    // A world of the control API has a clock of its own, which its Date shows.
    const ahead = seconds * 1000 - Date.parse(x.headers.get('date') ?? '');
    // It was true when it was said, which may be as long ago as the answer took.
    const ago = 2000 + x.came - x.sent;
    const within = x.world !== undefined ? !(ahead < -ago || ahead > 62_000) : c.skew.fits(seconds * 1000, ago, 62_000, x.came);
    good =
      c.record.must(
        'WM-RATE-009',
        within,
        wrong(`X-RateLimit-Reset is ${Math.round(seconds - x.at / 1000)} s ahead`, x, ['header', names[2]!], 'near', undefined, [
          'header',
          'date',
        ]),
        x,
      ) && good;
  }
  if (x.world !== undefined || x.as === 'nobody' || !integer(limit)) return good;
  const group = x.as === 'other' ? 'other' : 'own';
  const known = c.limits.get(group);
  if (known === undefined) c.limits.set(group, Number(limit));
  else
    good =
      c.record.must(
        'WM-RATE-013',
        known === Number(limit),
        wrong(`X-RateLimit-Limit was ${known} and is ${limit}`, x, ['header', names[0]!], 'matches', `^${known}$`),
        x,
      ) && good;
  return good;
};

/** The create answer of a registration is the one place that shows its secret. */
const ownSecret = (x: Exchange): unknown => (x.operation?.id === 'create_webhook' ? resource(x).secret : undefined);

const noSecret: Law = (x, c) => {
  // JSON may write any letter as an escape.
  const text = x.text.includes('\\u') && x.json !== undefined ? x.text + JSON.stringify(x.json) : x.text;
  for (const value of c.secrets()) {
    if (value !== ownSecret(x) && text.includes(value)) {
      const key = !c.isHookSecret(value);
      return c.record.must(key ? 'WM-AUTH-015' : 'WM-HOOK-005', false, `an answer shows a ${key ? 'key' : 'secret'}`, x);
    }
  }
  return c.record.must('WM-AUTH-015', true, '');
};

const schema: Law = (x, c) => {
  const fault = c.schemaFault(x);
  return c.record.must('WM-GEN-011', fault === undefined, fault ?? '', x);
};

/** An id can be given to the next request: in its path, which takes any text but none at all and no step. */
const fitIds: Law = (x, { record }) => {
  if (!x.operation || !succeeded(x) || x.operation.shape === 'webhook') return true;
  let good = true;
  for (const { id } of x.operation.answers === 'list' ? records(x) : [resource(x)]) {
    const why = typeof id === 'string' && id !== '' ? unfit(id) : undefined;
    if (why) good = record.must('WM-GEN-009', false, `an id cannot stand in a path, for ${why}: ${JSON.stringify(id)}`, x);
  }
  return good;
};

const LAWS: readonly Law[] = [
  noServerError,
  body,
  successStatus,
  envelope,
  fitIds,
  meta,
  errorBody,
  writeScope,
  rateHeaders,
  noSecret,
];

/** Judges an answer by every law; the document comes last and only on an answer that broke no other law. */
export const applyLaws = (x: Exchange, c: LawContext): void => {
  const check = c.record.check;
  c.record.check = 'laws';
  let good = true;
  for (const law of LAWS) good = law(x, c) && good;
  if (good) schema(x, c);
  c.record.check = check;
};
