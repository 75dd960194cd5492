// Looking for requests by one line of words: `status:4xx -method:GET "some text"`.
import { type Exchange, withPageText } from '../../service/http/exchange.ts';
import type { RequestEntry, Showing } from '../../service/http/show-exchange.ts';
import { globFitsPath, statusFits } from '../../service/world/fault-match.ts';

/** What a request is asked; the entry costs more than all the rest, and is made when it is needed. */
interface Seen {
  readonly exchange: Exchange;
  readonly showing: Showing;
  readonly path: string;
  readonly keys: readonly string[];
  readonly warnings: () => readonly string[];
}

const holds = (text: string | undefined | null, wanted: string): boolean => text?.toLowerCase().includes(wanted) === true;
const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** Bodies as they were first, which is fast; then as they are shown: a secret is found by nobody. */
const inBodies = ({ exchange, showing }: Seen, wanted: string): boolean => {
  const { body } = exchange.asked;
  if (!holds(body && 'text' in body ? body.text : '', wanted) && !holds(withPageText(exchange).text, wanted)) return false;
  const { request, response }: RequestEntry = showing.entry(exchange);
  return holds(textOf(request.body), wanted) || holds(textOf(response.body), wanted);
};
const oneOf = (values: readonly string[], wanted: string): boolean =>
  wanted === 'any' ? values.length > 0 : values.some((value) => holds(value, wanted));

type Fits = (seen: Seen, wanted: string) => boolean;

/** What can be asked for by name: an example, and what it means. `world` is no question to a request, but where it is looked for. */
export const NAMES: Readonly<Record<string, readonly [example: string, says: string, fits?: Fits]>> = {
  method: ['method:post', 'its method', ({ exchange }, wanted) => exchange.asked.method.toLowerCase() === wanted],
  status: [
    'status:4xx',
    'a status, a class of them, or closed',
    ({ exchange: { aborted, reply } }, wanted) => statusFits(wanted === 'closed' ? 0 : wanted, aborted ? 0 : reply.status),
  ],
  path: [
    'path:/tasks/*',
    'a pattern of its path, or a part of it',
    ({ path }, wanted) => (/^\/|\*/.test(wanted) ? globFitsPath(wanted, path.toLowerCase()) : holds(path, wanted)),
  ],
  operation: ['operation:listTasks', 'its operation', ({ exchange }, wanted) => exchange.asked.id?.toLowerCase() === wanted],
  key: ['key:admin', 'id, name or scope of its key', ({ keys }, wanted) => oneOf(keys, wanted)],
  fault: ['fault:any', 'the fault that struck it', ({ exchange }, wanted) => oneOf([exchange.fault ?? []].flat(), wanted)],
  warning: ['warning:any', 'what it did against the contract', ({ warnings }, wanted) => oneOf(warnings(), wanted)],
  body: ['body:"due date"', 'a part of either body', inBodies],
  world: ['world:checkout', 'in every world of that name or test'],
};

export interface Term {
  /** Of what is asked for by name; '' for words. */
  readonly name: string;
  readonly wanted: string;
  readonly not: boolean;
}

/** What a line asks for, each in small letters; a name that is none is a word. */
export const termsIn = (line: string): readonly Term[] =>
  [...line.matchAll(/(-?)((?:([a-z]+):)?(?:"([^"]*)"|(\S+)))/gi)].map(([, minus, whole = '', name = '', quoted, bare = '']) => {
    const known = Object.hasOwn(NAMES, name.toLowerCase());
    const wanted = known || name === '' ? (quoted ?? bare) : whole;
    return { name: known ? name.toLowerCase() : '', wanted: wanted.toLowerCase(), not: minus === '-' };
  });

const anywhere: Fits = (seen, wanted) =>
  holds(seen.path, wanted) ||
  holds(seen.exchange.asked.id, wanted) ||
  seen.keys.some((key) => holds(key, wanted)) ||
  seen.warnings().some((code) => holds(code, wanted)) ||
  inBodies(seen, wanted);

/** Whether exchanges are what the terms ask for. */
export const fitting =
  (terms: readonly Term[]) =>
  (exchange: Exchange, showing: Showing): boolean => {
    const { key } = exchange.reply.caller ?? {};
    const seen: Seen = {
      exchange,
      showing,
      path: showing.path(exchange),
      keys: key ? [key.id, key.name, key.scope] : [],
      warnings: () => showing.summary(exchange).warnings.map(({ code }) => code),
    };
    return terms.every(({ name, wanted, not }) => name === 'world' || (NAMES[name]?.[2] ?? anywhere)(seen, wanted) !== not);
  };
