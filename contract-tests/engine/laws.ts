// The laws that hold on every response, tested at no extra request.
import { type Claim, claim, fieldAt, type Operator, type Path } from './claims.ts';
import type { Exchange, Json } from './exchange.ts';
import { errorOf, isRecord, metaOf, objectIn, records, resource, succeeded, workspaceOf } from './exchange.ts';
import { unfit } from './paths.ts';
import type { Recorder, Told } from './recorder.ts';
import { COUNT_CREATED, COUNT_LISTED, type Field, isUtc, namesZone, SHAPES, ZONED } from './shapes.ts';
import type { Skew } from './time.ts';

export interface LawContext {
  readonly record: Recorder;
  /** Values that no response may show, with the name of each. */
  readonly secrets: () => Iterable<string>;
  readonly isHookSecret: (value: string) => boolean;
  /** The target's clock, as its responses show it. */
  readonly skew: Skew;
  /** A smaller limit may be raised to it. */
  readonly smallestLimit: number;
  readonly limits: Map<string, number>;
  /** The code of each condition that has been met. */
  readonly codes: Map<string, string>;
  /** The breach of the OpenAPI document in a response; undefined when nothing is. */
  readonly schemaFault: (x: Exchange) => string | undefined;
}

type Law = (x: Exchange, c: LawContext) => boolean;

/** The fault of a response, and what must hold there: at a place, or as claims. */
type Wrong = readonly [message: string, at?: Path | readonly Claim[], op?: Operator, value?: unknown, than?: Path];

/** A judgement: the requirement, whether it holds, what is wrong if it does not. False where there is nothing to judge. */
type Rule = readonly [requirement: string, holds: boolean, ...Wrong] | false;

const toldOf = (x: Exchange, [message, at, op = 'present', value, than]: Wrong): Told => {
  if (at === undefined || typeof at[0] === 'object') return { message, claims: at as readonly Claim[] | undefined };
  return { message, claims: [{ ...claim(x, at as Path, op, value), ...(than ? { than: { call: x.number, at: than } } : {}) }] };
};

/** Judges by each rule. @returns whether all hold */
const judged = (x: Exchange, { record }: LawContext, rules: readonly Rule[]): boolean => {
  let good = true;
  for (const rule of rules) {
    if (rule === false) continue;
    const [requirement, holds, ...wrong] = rule;
    good = record.must(requirement, holds, holds ? '' : toldOf(x, wrong), x) && good;
  }
  return good;
};

const META = (name: string): Path => ['body', 'meta', name];
const ERROR = (name: string): Path => ['body', 'error', name];
const ROW = (at: number | '*'): Path => ['body', 'items', at];
const shown = (value: unknown): string => JSON.stringify(value) ?? 'missing';

const JSON_TYPE = '^application/([\\w.-]+\\+)?json\\b';

const body: Law = (x, c) => {
  if (x.status === 204) {
    const empty = x.text === '' && Number(x.headers.get('content-length') ?? 0) === 0;
    return judged(x, c, [['WM-GEN-002', empty, 'a 204 has a body', ['text'], 'equals', '']]);
  }
  if (x.operation === undefined && x.text === '') return true;
  const isJson = new RegExp(JSON_TYPE, 'i').test(x.headers.get('content-type') ?? '');
  const claims = [claim(x, ['body'], 'present'), claim(x, ['header', 'content-type'], 'matches', JSON_TYPE)];
  const holds = isJson && x.json !== undefined && x.flaw === undefined;
  return judged(x, c, [['WM-GEN-001', holds, `a ${x.status} response ${x.flaw ?? 'is not JSON'}`, claims]]);
};

const noServerError: Law = (x, c) =>
  judged(x, c, [['WM-ERR-014', x.status < 500, `${x.method} ${x.path} returns ${x.status}`, ['status'], 'less', 500]]);

const successStatus: Law = (x, c) => {
  const { operation } = x;
  if (!operation || !(x.status >= 200 && x.status < 400)) return true;
  const { success, requirement } = operation;
  const says = `${operation.method} ${operation.path} returns ${x.status}`;
  if (success === undefined) {
    const hasBody = x.status < 300 && x.status !== 204 && x.status !== 205 && x.text !== '';
    return judged(x, c, [[requirement, hasBody, `${says} without a body`, ['body']]]);
  }
  const sides = { expected: String(success), got: String(x.status) };
  return c.record.must(requirement, x.status === success, { ...toldOf(x, [says, ['status'], 'equals', success]), ...sides }, x);
};

const field = (x: Exchange, { record }: LawContext, of: Json, { name, requirement, holds, types, time }: Field): boolean => {
  const value = of[name];
  const must = (id: string, ok: boolean, where: string, ...rest: readonly [Operator, unknown]) =>
    record.must(id, ok, ok ? '' : toldOf(x, [`${name} is ${shown(value)}${where}`, fieldAt(x, name), ...rest]), x);
  const op = value === undefined ? 'present' : types ? 'type' : 'differs';
  if (!must(requirement, holds(value), ` in ${x.method} ${x.path}`, op, types ?? value)) return false;
  const isDue = name === 'due_date' && typeof value === 'string';
  if (!isDue && (!time || !must('WM-GEN-007', isUtc(value), '', 'matches', ZONED))) return !time;
  return must('WM-GEN-013', namesZone(value as string), '', 'matches', ZONED);
};

const envelope: Law = (x, c) => {
  const { operation } = x;
  if (!operation || !succeeded(x) || x.json === undefined || x.status === 204) return true;
  const { returns, id, shape } = operation;
  if (shape === 'webhook' || returns === 'nothing') return true;
  const json = isRecord(x.json) ? x.json : {};
  const says = `${x.method} ${x.path} has no`;
  const isList = returns === 'list';
  let good = judged(x, c, [
    !isList && ['WM-ENV-001', isRecord(json.data), `${says} data object`, ['body', 'data'], 'type', ['object']],
    isList && ['WM-ENV-002', Array.isArray(json.items), `${says} items array`, ['body', 'items'], 'type', ['list']],
    isList && ['WM-ENV-003', isRecord(json.meta), `${says} meta object`, ['body', 'meta'], 'type', ['object']],
  ]);
  const count = id === 'create_team' ? [COUNT_CREATED] : id === 'list_teams' ? [COUNT_LISTED] : [];
  for (const row of isList ? records(x) : [resource(x)])
    for (const one of [...SHAPES[shape], ...count]) good = field(x, c, row, one) && good;
  if (shape !== 'member') return good;
  const extra = records(x).some((item) => 'avatar_url' in item || 'created_at' in item);
  const claims = ['avatar_url', 'created_at'].map((name) => claim(x, [...ROW('*'), name], 'absent'));
  return judged(x, c, [['WM-USER-011', !extra, 'a member row shows avatar_url or created_at', claims]]) && good;
};

/** Statuses with which a limit above 100 may be refused. */
const REFUSED = [400, 422];

/** Which rules there are on meta depends on what was asked for, and on what meta says itself. */
const meta: Law = (x, c) => {
  if (x.operation?.returns !== 'list' || !succeeded(x) || Object.keys(metaOf(x)).length === 0) return true;
  const { total, limit, has_more: more, next_cursor: next } = metaOf(x);
  const [LIMIT_AT, MORE, NEXT] = [META('limit'), META('has_more'), META('next_cursor')];
  const count = records(x).length;
  const sent = new URLSearchParams(x.query).get('limit');
  const bound = Number(sent);
  const isTaken = sent !== null && /^([1-9]\d?|100)$/.test(sent) && bound >= c.smallestLimit;
  const isBare = sent === null && !x.query.includes('cursor=');
  const isLarge = bound > 100 && /^\d+$/.test(sent ?? '');
  const isSized = typeof limit === 'number' && x.query.includes('limit=');
  const isTyped = next === null || typeof next === 'string';
  const leads = typeof next === 'string' && next !== '';
  const why = leads ? unfit(next, 'query') : undefined;
  const says = (name: string) => `meta.${name} is ${shown(metaOf(x)[name])}`;
  const most: Claim = { ...claim(x, LIMIT_AT, 'most', 100), unless: REFUSED };
  const few: Claim = { ...claim(x, ROW(100), 'absent'), unless: REFUSED };
  const hundred: Claim = { ...claim(x, LIMIT_AT, 'equals', 100), unless: REFUSED };
  return judged(x, c, [
    ['WM-META-001', Number.isInteger(total), says('total'), META('total'), 'type', ['integer']],
    ['WM-META-002', Number.isInteger(limit), says('limit'), LIMIT_AT, 'type', ['integer']],
    ['WM-META-003', typeof more === 'boolean', says('has_more'), MORE, 'type', ['boolean']],
    (next !== undefined || more !== true) && [
      'WM-META-004',
      isTyped,
      says('next_cursor'),
      NEXT,
      'type',
      ['null', 'text', 'empty'],
    ],
    isBare && ['WM-META-007', limit === 20, `${says('limit')} without limit`, LIMIT_AT, 'equals', 20],
    isTaken && ['WM-META-006', limit === bound, `${says('limit')} for limit=${sent}`, LIMIT_AT, 'equals', bound],
    isTaken && ['WM-LIST-003', count <= bound, `${count} records for limit=${sent}`, ROW(bound), 'absent'],
    [
      'WM-LIST-020',
      count <= 100 && !(typeof limit === 'number' && limit > 100),
      `${count} records, meta.limit ${String(limit)}`,
      [most, few],
    ],
    isSized && ['WM-META-021', count <= limit, `${count} records on a page whose ${says('limit')}`, ROW(limit), 'absent'],
    isLarge && ['WM-META-022', limit === 100, `limit=${sent} is accepted with meta.limit ${String(limit)}`, [hundred]],
    more === false &&
      isTyped && ['WM-META-010', next === null, `has_more is false and next_cursor is ${shown(next)}`, NEXT, 'equals', null],
    more === true &&
      (isTyped || next === undefined) && ['WM-META-011', leads, 'has_more is true without next_cursor', NEXT, 'type', ['text']],
    why !== undefined && ['WM-LIST-004', false, `next_cursor leads nowhere, for ${why}: ${shown(next)}`],
  ]);
};

/** The documented codes, each with its statuses. */
const STATUSES_OF: ReadonlyMap<string, readonly number[]> = new Map([
  ['unauthorized', [401]],
  ['forbidden', [403]],
  ['not_found', [404]],
  ['resource_not_found', [404]],
  ['validation_error', [400, 422]],
  ['rate_limit_exceeded', [429]],
]);

/** The one code that a status has, and the requirement that says so. */
const CODE_OF: Readonly<Record<number, readonly [requirement: string, code: string]>> = {
  401: ['WM-AUTH-007', 'unauthorized'],
  403: ['WM-SCOPE-014', 'forbidden'],
  422: ['WM-ERR-009', 'validation_error'],
  429: ['WM-RATE-019', 'rate_limit_exceeded'],
};
const NOT_FOUND = ['not_found', 'resource_not_found'];

/** A missing record and a taken name have one code each for every caller, except in a conflict of writes at once. */
const isStable = (x: Exchange, { record, codes }: LawContext, code: string): boolean => {
  const condition =
    x.status === 404 ? '404' : x.status === 409 && !x.beside ? `409 of ${x.method} ${x.operation?.path}` : undefined;
  if (condition === undefined) return true;
  const known = codes.get(condition) ?? code;
  codes.set(condition, known);
  return record.must('WM-ERR-012', known === code, `a ${condition} has the code ${code}, and had ${known}`, x);
};

/** A name or a sort that was sent is no part of what never changes. */
const isEchoed = (x: Exchange, code: string): boolean =>
  [...new URLSearchParams(x.query).values(), ...Object.values(objectIn(x.requestBody))].some(
    (value) =>
      typeof value === 'string' && value.length >= 5 && code.toLowerCase().includes(value.replace(/^-/, '').toLowerCase()),
  );

const isPair = (entry: unknown): boolean => isRecord(entry) && typeof entry.field === 'string' && typeof entry.issue === 'string';

const errorBody: Law = (x, c) => {
  if (x.status < 400 || x.json === undefined) return true;
  const { code, message, details, status } = errorOf(x);
  const hasError = isRecord(x.json) && isRecord(x.json.error);
  if (
    !judged(x, c, [['WM-ENV-004', hasError, `a ${x.status} response has no error object`, ['body', 'error'], 'type', ['object']]])
  )
    return false;
  const says = (name: string) => `error.${name} is ${shown(errorOf(x)[name])}`;
  const hasMessage = typeof message === 'string' && message.trim() !== '';
  const hasDetails = details === undefined || isRecord(details);
  const sameStatus = status === undefined || status === x.status;
  let good = judged(x, c, [
    ['WM-ERR-001', typeof code === 'string' && code !== '', says('code'), ERROR('code'), 'type', ['text']],
    ['WM-ERR-002', hasMessage, says('message'), ERROR('message'), 'type', ['text']],
    ['WM-ERR-003', hasDetails, says('details'), ERROR('details'), 'type', ['object', 'missing']],
    ['WM-ERR-007', sameStatus, `${says('status')} in a ${x.status}`, ERROR('status'), 'equals', undefined, ['status']],
  ]);
  const fields = isRecord(details) ? details.fields : undefined;
  if (fields !== undefined && good) {
    const pairs = Array.isArray(fields) && fields.every(isPair);
    const claims = ['field', 'issue'].map((name) => claim(x, ['body', 'error', 'details', 'fields', '*', name], 'matches', '.'));
    good = judged(x, c, [['WM-ERR-005', pairs, 'details.fields does not hold { field, issue }', claims]]);
  }
  // Which codes there are where no operation is, is open.
  if (!good || typeof code !== 'string' || (x.operation === undefined && x.status !== 401)) return good;
  const own = STATUSES_OF.get(code);
  const [requirement, only] = CODE_OF[x.status] ?? [];
  const has = `a ${x.status} has the code ${code}`;
  const elsewhere = [{ ...claim(x, ERROR('code'), 'differs', code), ...(own ? { unless: own } : {}) }];
  const documented = judged(x, c, [
    ['WM-ERR-001', !isEchoed(x, code), `error.code ${code} holds what was sent`, ERROR('code'), 'differs', code],
    ['WM-ERR-040', own?.includes(x.status) ?? true, has, elsewhere],
    requirement !== undefined && [requirement, code === only, has, ERROR('code'), 'equals', only],
  ]);
  if (requirement !== undefined || !isStable(x, c, code) || x.status !== 404) return documented;
  return judged(x, c, [['WM-ERR-010', NOT_FOUND.includes(code), has, ERROR('code'), 'in', NOT_FOUND]]) && documented;
};

/** A write key may do everything with projects and tasks. */
const WRITES: Readonly<Record<string, string>> = { project: 'WM-SCOPE-016', task: 'WM-SCOPE-017' };

const writeScope: Law = (x, c) => {
  const requirement = WRITES[x.operation?.shape ?? ''];
  if (x.as !== 'write' || x.method === 'GET' || requirement === undefined) return true;
  const claims = [401, 403].map((status) => claim(x, ['status'], 'differs', status));
  const may = x.status !== 403 && x.status !== 401;
  return judged(x, c, [[requirement, may, `${x.method} with a write key returns ${x.status}`, claims]]);
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
const QUOTA = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const [LIMIT, REMAINING, RESET] = QUOTA.map((name): Path => ['header', name]) as [Path, Path, Path];

const isCount = (value: string | undefined): boolean => /^\d+$/.test(value ?? '');

/** Whether a Reset lies within the next minute, on the clock that it goes by. */
const isNear = (x: Exchange, { skew }: LawContext, seconds: number): boolean => {
  // It was true when it was said, which may be as long ago as the response took.
  const ago = 2000 + x.came - x.sent;
  if (x.world === undefined) return skew.fits(seconds * 1000, ago, 62_000, x.came);
  // A world of the control API has a clock of its own, which its Date shows.
  const ahead = seconds * 1000 - Date.parse(x.headers.get('date') ?? '');
  return !(ahead < -ago || ahead > 62_000);
};

const rateHeaders: Law = (x, c) => {
  const found = QUOTA.map((name) => x.headers.get(name));
  const missing = QUOTA.filter((_, i) => found[i] === null);
  const absent = missing.map((name) => claim(x, ['header', name], 'present'));
  const requirement = HEADERS_OF[x.status] ?? 'WM-RATE-001';
  if (!judged(x, c, [[requirement, missing.length === 0, `a ${x.status} lacks ${missing.join(', ')}`, absent]])) return false;
  const [limit, remaining, reset] = found as [string, string, string];
  const seconds = Number(reset);
  const isSeconds = isCount(reset) && seconds > 1_000_000_000 && seconds < 100_000_000_000;
  const counts = [
    claim(x, REMAINING, 'matches', '^[0-9]+$'),
    { ...claim(x, REMAINING, 'most'), than: { call: x.number, at: LIMIT } },
  ];
  const ahead = `X-RateLimit-Reset is ${Math.round(seconds - x.at / 1000)} s ahead`;
  const judgesTime = isSeconds && x.status !== 401;
  const good = judged(x, c, [
    [
      'WM-RATE-006',
      isCount(limit) && Number(limit) > 0,
      `X-RateLimit-Limit is ${limit}`,
      LIMIT,
      'matches',
      '^[0-9]*[1-9][0-9]*$',
    ],
    [
      'WM-RATE-007',
      isCount(remaining) && Number(remaining) <= Number(limit),
      `X-RateLimit-Remaining is ${remaining} of ${limit}`,
      counts,
    ],
    ['WM-RATE-008', isSeconds, `X-RateLimit-Reset is ${reset}`, RESET, 'matches', '^[0-9]{10,11}$'],
    judgesTime && ['WM-RATE-009', isNear(x, c, seconds), ahead, RESET, 'near', undefined, ['header', 'date']],
  ]);
  if (x.status === 401 || x.world !== undefined || x.as === 'keyless' || !isCount(limit)) return good;
  const group = workspaceOf(x);
  const known = c.limits.get(group);
  if (known === undefined) c.limits.set(group, Number(limit));
  const text = `X-RateLimit-Limit was ${known} and is ${limit}`;
  return (
    judged(x, c, [known !== undefined && ['WM-RATE-013', known === Number(limit), text, LIMIT, 'matches', `^${known}$`]]) && good
  );
};

/** The response that creates a registration is the one place that shows its secret. */
const ownSecret = (x: Exchange): unknown => (x.operation?.id === 'create_webhook' ? resource(x).secret : undefined);

const noSecret: Law = (x, c) => {
  // JSON may write any letter as an escape.
  const text = x.text.includes('\\u') && x.json !== undefined ? x.text + JSON.stringify(x.json) : x.text;
  for (const value of c.secrets()) {
    if (value !== ownSecret(x) && text.includes(value)) {
      const key = !c.isHookSecret(value);
      return c.record.must(key ? 'WM-AUTH-015' : 'WM-HOOK-005', false, `a response shows a ${key ? 'key' : 'secret'}`, x);
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
  for (const { id } of x.operation.returns === 'list' ? records(x) : [resource(x)]) {
    const why = typeof id === 'string' && id !== '' ? unfit(id) : undefined;
    if (why) good = record.must('WM-GEN-009', false, `an id cannot be in a path, for ${why}: ${JSON.stringify(id)}`, x);
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

/** Judges a response by every law; the document comes last and only on a response that broke no other law. */
export const applyLaws = (x: Exchange, c: LawContext): void => {
  const check = c.record.check;
  c.record.check = 'laws';
  let good = true;
  for (const law of LAWS) good = law(x, c) && good;
  if (good) schema(x, c);
  c.record.check = check;
};
