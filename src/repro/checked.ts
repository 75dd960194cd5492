// Validates a repro file before it is replayed: each relevant member, up to the first invalid one.
import { RELEASE_NAMES } from '../contract/releases.ts';
import { isObject } from '../contract/schema.ts';
import { parseJson } from '../seed/source.ts';
import { type Expected, type Step, sha256 } from './file.ts';

type Loose = Readonly<Record<string, unknown>>;
/** @returns what was expected instead; undefined if it is valid */
type Check = (value: unknown) => string | undefined;
type Shape = Readonly<Record<string, Check>>;

const is =
  (words: string, holds: (value: unknown) => boolean): Check =>
  (value) =>
    holds(value) ? undefined : words;
const isText = (value: unknown): value is string => typeof value === 'string';
const matching = (words: string, pattern: RegExp): Check => is(words, (value) => isText(value) && pattern.test(value));
const orNothing =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value);

const text = is('a text', isText);
const object = is('an object', isObject);
const place = is('an integer from 1', (value) => Number.isInteger(value) && (value as number) >= 1);
const texts = is('an object of texts', (value) => isObject(value) && Object.values(value).every(isText));
const hash = matching('64 hexadecimal digits', /^[\da-f]{64}$/);
const oneOf = (names: readonly unknown[]): Check => is(`one of ${names.join(', ')}`, (value) => names.includes(value));
const isTime = (value: unknown) =>
  isText(value) && /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value));

const FILE: Shape = { release: oneOf(RELEASE_NAMES), options: object, seed: object, steps: is('a list', Array.isArray) };

const CAME: Shape = { n: place, at: is('an ISO 8601 time', isTime), world: orNothing(text) };
const ASKED: Shape = {
  method: matching('a method', /^[\w-]+$/),
  path: matching('a path, which begins with /', /^\//),
  headers: texts,
  body: orNothing(text),
  unread: orNothing(oneOf(['too large', 'not UTF-8', 'too many'])),
};
const CALLED: Shape = { call: text, given: is('a list', Array.isArray) };
const KINDS: { readonly [K in Step['kind']]: Shape } = {
  request: ASKED,
  control: ASKED,
  edit: ASKED,
  clock: { wait: place },
  receiver: { attempt: place, delivery: text, outcome: orNothing(object), expect: object },
  gone: { request: place },
};
const EXPECTED: Shape = {
  status: is('a status, or 0', (value) => Number.isInteger(value)),
  headers: texts,
  sha256: orNothing(hash),
  body: orNothing(text),
};
const SENT: Shape = { sha256: hash, body: orNothing(text) };

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80));

const faultIn = (value: unknown, at: string, shape: Shape): string | undefined => {
  if (!isObject(value)) return `${at}: expected an object, got ${shown(value)}`;
  for (const [name, check] of Object.entries(shape)) {
    const expected = check(value[name]);
    if (expected) return `${at === '' ? '' : `${at}.`}${name}: expected ${expected}, got ${shown(value[name])}`;
  }
  return undefined;
};

const faultOfAnswer = ({ kind, expect, unanswered }: Loose, at: string): string | undefined => {
  if (expect === undefined && unanswered === true) return undefined;
  if (expect === undefined) return `${at}.expect: expected what was answered, or \`"unanswered": true\` beside it, got nothing`;
  const { sha256: hashed, body } = (expect ?? {}) as Partial<Expected>;
  const isBare = kind !== 'edit' && hashed === undefined && body === undefined;
  return (
    faultIn(expect, `${at}.expect`, EXPECTED) ??
    (isBare ? `${at}.expect: expected sha256, body, or both, got neither` : undefined)
  );
};

const faultOfStep = (step: unknown, at: string, before: number): string | undefined => {
  const fault = faultIn(step, at, { kind: oneOf(Object.keys(KINDS)), ...CAME });
  if (fault) return fault;
  const one = step as Loose & Step;
  if (one.n <= before) return `${at}.n: expected more than ${before}, got ${one.n}`;
  const isCall = one.kind === 'control' && 'call' in one;
  const own = faultIn(one, at, isCall ? CALLED : KINDS[one.kind]);
  if (own) return own;
  if (one.kind === 'receiver') return faultIn(one.expect, `${at}.expect`, SENT);
  if (one.kind === 'gone')
    return one.request < one.n ? undefined : `${at}.request: expected a step before it, got ${one.request}`;
  return one.kind === 'clock' ? undefined : faultOfAnswer(one, at);
};

const isJson = ({ text: said }: Loose): boolean => isText(said) && isObject(parseJson(said));

/** @returns the first mistake in a file, in words */
export const faultOf = (file: Loose): string | undefined => {
  const fault = faultIn(file, '', FILE);
  if (fault) return fault;
  if (!isJson(file.seed as Loose)) return 'seed.text: expected a seed as JSON';
  let before = 0;
  for (const [i, step] of (file.steps as readonly unknown[]).entries()) {
    const wrong = faultOfStep(step, `steps[${i}]`, before);
    if (wrong) return wrong;
    before = (step as Step).n;
  }
  return undefined;
};

/** @returns the first body that does not match its hash */
export const faultOfHashes = async (steps: readonly Step[]): Promise<string | undefined> => {
  for (const [i, step] of steps.entries()) {
    const { body, sha256: hashed } = ('expect' in step && step.expect) || ({} as Partial<Expected>);
    if (body !== undefined && hashed !== undefined && step.kind !== 'edit' && (await sha256(body)) !== hashed)
      return `steps[${i}].expect: the body is none that has this sha256: one of them was edited. Leave sha256 out, and the body is compared`;
  }
  return undefined;
};
