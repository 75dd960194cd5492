// Looking for requests by one line of words: `status:4xx -method:GET "some text"`.
import { readTime } from '../../mock/seed/times.ts';
import { requestText } from '../../service/http/body.ts';
import { type Exchange, withPageText } from '../../service/http/exchange.ts';
import type { JournalReader, RequestEntry } from '../../service/http/journal-entries.ts';
import { globFitsPath, statusFits } from '../../service/world/fault-match.ts';
import { findTouchedPoints } from './choices-touched.ts';

/** An exchange and what terms compare; its warnings and its entry are costly and made on demand. */
const searchSubjectOf = (exchange: Exchange, showing: JournalReader, now: number) => {
  const { key } = exchange.response.caller ?? {};
  return {
    exchange,
    showing,
    now,
    path: showing.path(exchange),
    keys: key ? [key.id, key.name, key.scope] : [],
    warnings: () => showing.summary(exchange).warnings.map(({ code }) => code as string),
  };
};
type SearchSubject = ReturnType<typeof searchSubjectOf>;

const includesText = (text: string | undefined | null, wanted: string): boolean => text?.toLowerCase().includes(wanted) === true;
const serializeBody = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** Raw bodies first, which is fast; then as they are shown, so that no search finds a secret. */
const searchBodies = ({ exchange, showing }: SearchSubject, wanted: string): boolean => {
  const { body } = exchange.request;
  if (!includesText(requestText(body), wanted) && !includesText(withPageText(exchange).text, wanted)) return false;
  const { request, response }: RequestEntry = showing.entry(exchange);
  return includesText(serializeBody(request.body), wanted) || includesText(serializeBody(response.body), wanted);
};
const matchesAny = (values: readonly string[], wanted: string): boolean =>
  wanted === 'any' ? values.length > 0 : values.some((value) => includesText(value, wanted));

type TermMatcher = (seen: SearchSubject, wanted: string) => boolean;
const isSince: TermMatcher = ({ exchange, now }, wanted) => exchange.at >= Date.parse(readTime(`-${wanted}`, now) ?? '');
const touchesPoint: TermMatcher = ({ exchange }, wanted) => findTouchedPoints(exchange).some((id) => id === wanted);

/** Terms by name. `world` chooses where to search and fits every request. */
export const SEARCH_TERMS: Readonly<Record<string, readonly [example: string, says: string, fits?: TermMatcher]>> = {
  method: ['method:post', 'its method', ({ exchange }, wanted) => exchange.request.method.toLowerCase() === wanted],
  status: [
    'status:4xx',
    'a status, a class of them, or closed',
    ({ exchange: { aborted, response } }, wanted) => statusFits(wanted === 'closed' ? 0 : wanted, aborted ? 0 : response.status),
  ],
  path: [
    'path:/tasks/*',
    'a pattern of its path, or a part of it',
    ({ path }, wanted) => (/^\/|\*/.test(wanted) ? globFitsPath(wanted, path.toLowerCase()) : includesText(path, wanted)),
  ],
  operation: [
    'operation:listTasks',
    'its operation',
    ({ exchange }, wanted) => exchange.request.operation?.toLowerCase() === wanted,
  ],
  key: ['key:admin', 'id, name or scope of its key', ({ keys }, wanted) => matchesAny(keys, wanted)],
  fault: ['fault:any', 'the fault that it met', ({ exchange }, wanted) => matchesAny([exchange.fault ?? []].flat(), wanted)],
  warning: ['warning:any', 'what it did against the contract', ({ warnings }, wanted) => matchesAny(warnings(), wanted)],
  since: ['since:1m', 'at most that long ago (s, m, h, d) by the clock of the world', isSince],
  point: ['point:owner-field', 'an open point that it touches', touchesPoint],
  body: ['body:"due date"', 'a part of either body', searchBodies],
  world: ['world:checkout', 'in every world of that name or test'],
};

export interface SearchTerm {
  /** A name of SEARCH_TERMS; '' for words. */
  readonly name: string;
  readonly wanted: string;
  readonly not: boolean;
}

/** The terms of a line in lower case; an unknown name is part of a word. */
export const parseSearch = (line: string): readonly SearchTerm[] =>
  [...line.matchAll(/(-?)((?:([a-z]+):)?(?:"([^"]*)"|(\S+)))/gi)].map(([, minus, whole = '', name = '', quoted, bare = '']) => {
    const known = Object.hasOwn(SEARCH_TERMS, name.toLowerCase());
    const wanted = known || name === '' ? (quoted ?? bare) : whole;
    return { name: known ? name.toLowerCase() : '', wanted: wanted.toLowerCase(), not: minus === '-' };
  });

const matchAnywhere: TermMatcher = (seen, wanted) =>
  includesText(seen.path, wanted) ||
  includesText(seen.exchange.request.operation, wanted) ||
  seen.keys.some((key) => includesText(key, wanted)) ||
  seen.warnings().some((code) => includesText(code, wanted)) ||
  searchBodies(seen, wanted);

export const createSearchFilter =
  (terms: readonly SearchTerm[], now: number) =>
  (exchange: Exchange, showing: JournalReader): boolean => {
    const subject = searchSubjectOf(exchange, showing, now);
    const fits = (name: string, wanted: string) => (SEARCH_TERMS[name]?.[2] ?? matchAnywhere)(subject, wanted);
    return terms.every(({ name, wanted, not }) => name === 'world' || fits(name, wanted) !== not);
  };
