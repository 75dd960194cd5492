// Rules of a fault beyond its schema: one that can never apply is refused.
import type { FieldIssue } from '../../service/contract/errors.ts';
import { OPERATIONS } from '../../service/contract/operations.ts';
import {
  EVENT_EFFECTS,
  type FaultEffect,
  type FaultOrder,
  REQUEST_EFFECTS,
  REQUEST_MATCHES,
} from '../../service/world/fault-draft.ts';

type OrderedMatch = NonNullable<FaultOrder['match']>;
type Rule = readonly [field: string, broken: boolean, issue: string];

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const OF_THE_CONNECTION = ['connection', 'content-length', 'keep-alive', 'transfer-encoding'];
const BODILESS = [204, 205, 304];

const NAME_ISSUE = 'has a name that no header can have: use letters, digits and dashes';
const VALUE_ISSUE = 'must be of printable Latin characters, without line breaks';

const headerRules = ({ headers = {}, content_type: type, retry_after: seconds }: FaultEffect): Rule[] => {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const isTwice = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
  const known = 'says the same as effect.headers: give one of them';
  return [
    ...Object.entries(headers).flatMap(([name, value]): Rule[] => [
      [`headers.${name}`, !TOKEN.test(name), NAME_ISSUE],
      [`headers.${name}`, OF_THE_CONNECTION.includes(name.toLowerCase()), 'is of the connection: leave it out'],
      [`headers.${name}`, !HEADER_VALUE.test(value ?? ''), VALUE_ISSUE],
      [`headers.${name}`, isTwice(name.toLowerCase()), 'must be given once'],
    ]),
    ['content_type', !HEADER_VALUE.test(type ?? ''), VALUE_ISSUE],
    ['content_type', type !== undefined && names.includes('content-type'), known],
    ['retry_after', seconds !== undefined && names.includes('retry-after'), known],
  ];
};

const responseRules = (effect: FaultEffect): Rule[] => {
  const { status, abort, body, raw, error, delay_ms: delay, latency } = effect;
  const ofResponses = ['raw', 'error', 'headers', 'content_type', 'retry_after'] as const;
  const more = ofResponses.filter((name) => effect[name] !== undefined);
  const [hasStatus, hasRaw] = [status !== undefined, raw !== undefined];
  return [
    ['delay_ms', typeof delay === 'object' && delay.max < delay.min, 'must have a min that is not above its max'],
    ['latency', latency !== undefined && latency.p99_ms < latency.p50_ms, 'must have a p50_ms that is not above its p99_ms'],
    ['latency', latency !== undefined && delay !== undefined, 'says the same as effect.delay_ms: give one of them'],
    ['abort', abort === true && (hasStatus || body !== undefined), 'leaves no response: give it without status and body'],
    ...more.map((name): Rule => [name, abort === true, 'is part of a response, and abort leaves none']),
    ['error', error !== undefined && !hasStatus, 'needs effect.status: an error replaces the response'],
    ['raw', hasRaw && !hasStatus, 'needs effect.status: it replaces the response'],
    ['raw', hasRaw && error !== undefined, 'is the whole body, effect.error included: give one of them'],
    ['status', Number(status) < 400 && !hasRaw, `must be at least 400 unless effect.raw gives the body, got ${status}`],
    ['raw', BODILESS.includes(status ?? 0) && hasRaw && raw !== '', `must be "": a ${status} has no body`],
  ];
};

const eventRules = (match: OrderedMatch, effect: FaultEffect): Rule[] => {
  const { event } = match;
  const [matches, effects] = [match, effect] as Readonly<Record<string, unknown>>[];
  const requestMembers = [...REQUEST_MATCHES, 'when'].filter((name) => matches![name] !== undefined);
  const done = (names: readonly string[]) => names.filter((name) => effects![name] !== undefined);
  if (event === undefined)
    return done(EVENT_EFFECTS).map((name) => [`effect.${name}`, true, 'is of events: name one in match.event']);
  return [
    ...requestMembers.map((name): Rule => [`match.${name}`, true, 'is of requests: give it without match.event']),
    ...done(REQUEST_EFFECTS).map((name): Rule => [`effect.${name}`, true, 'is of requests: give it without match.event']),
  ];
};

const matchRules = ({ body, operation, method, header = {} }: OrderedMatch): Rule[] => {
  const bodiless = operation !== undefined && !('body' in OPERATIONS[operation]);
  const isOther = operation !== undefined && OPERATIONS[operation].method !== method;
  return [
    ['method', isOther && method !== undefined, `is not that of ${operation}`],
    ['body', body !== undefined && bodiless, `never fits: ${operation} takes no body`],
    ['body', body !== undefined && (method === 'GET' || method === 'DELETE'), `never fits: ${method} has no body here`],
    ...Object.keys(header).flatMap((name): Rule[] => [
      [`header.${name}`, !TOKEN.test(name), NAME_ISSUE],
      [`header.${name}`, name.toLowerCase() === 'authorization', 'is a secret: give match.key'],
    ]),
  ];
};

const within = (place: string, rules: readonly Rule[]): Rule[] =>
  rules.map(([field, broken, issue]) => [`${place}.${field}`, broken, issue]);

export const faultIssues = ({ match = {}, effect }: FaultOrder): FieldIssue[] =>
  [
    ...within('match', matchRules(match)),
    ...within('effect', [...responseRules(effect), ...headerRules(effect)]),
    ...eventRules(match, effect),
  ].flatMap(([field, broken, issue]) => (broken ? [{ field, issue }] : []));
