// An exchange as JSON: what the journal shows, made when it is read, with no key and no secret in it.
import type { Check } from '../contract/errors.ts';
import { mapValues } from '../contract/keyed.ts';
import { OPERATION_IDS } from '../contract/operations.ts';
import { any, array, type Is, integer, map, nullable, object, oneOf, type Schema, string, time } from '../contract/schema.ts';
import { readJson } from '../validation/json-text.ts';
import type { Journal } from '../world/log.ts';
import type { World } from '../world/world.ts';
import { type ClientWarning, findWarnings, WARNING_WINDOW } from './client-warnings.ts';
import { touchedBy } from './differences.ts';
import { type Exchange, withPageText } from './exchange.ts';
import { createRedactor, HIDDEN, hideSecrets, isSecretName, MIN_SECRET_LENGTH, readEscapes, redactPath } from './redact.ts';
import { headerPairs, type RequestInfo } from './request-info.ts';
import { responseHeaders } from './respond.ts';
import { traceExchange } from './trace.ts';

const summary = {
  id: string({ description: '`pending` while a fault keeps its response back.', examples: ['req_1'] }),
  at: time('When it came.'),
  method: string(),
  /** Without the prefix of a world. */
  path: string({ description: 'With the query.' }),
  operation: nullable(oneOf(OPERATION_IDS as readonly string[])),
  status: integer({ description: '0 when the connection was closed in place of a response.' }),
  duration_ms: integer({ description: 'On the clock of the world.' }),
  key_id: nullable(string()),
  workspace_id: nullable(string()),
  fault: nullable(string({ description: 'The fault that applied to it.' })),
  warnings: array(object({ code: string() as Schema<ClientWarning['code']>, says: string() })),
};
const RequestSummary = object(summary);
export interface RequestSummary extends Is<typeof RequestSummary> {}

export const RequestEntry = object({
  ...summary,
  request: object({ headers: map<string>('Without secrets.'), body: any('Parsed JSON, or text.') }),
  response: object({ headers: map<string>('As sent.'), body: any('Parsed JSON, or text.') }),
  why: array(object({ check: string() as Schema<Check>, found: string(), part: string() })),
  changes: array(object({ collection: string(), id: string(), kind: oneOf(['created', 'updated', 'deleted']) })),
});
export interface RequestEntry extends Is<typeof RequestEntry> {}

/** Connections say nothing of the client's conduct, and they differ from run to run. */
const CONNECTION_HEADERS = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding']);

const showHeaders = (headers: RequestInfo['headers']): Record<string, string> => {
  const shown: Record<string, string> = Object.create(null);
  for (const [name, value] of headerPairs(headers)) {
    const lower = name.toLowerCase();
    if (CONNECTION_HEADERS.has(lower)) continue;
    const scheme = lower === 'authorization' ? (/^(\w+) /.exec(value)?.[1] ?? '') : '';
    const safe = isSecretName(lower) ? `${scheme} ${HIDDEN}`.trim() : value;
    shown[lower] = shown[lower] === undefined ? safe : `${shown[lower]}, ${safe}`;
  }
  return { ...shown };
};

const showBody = (text: string | null | undefined, hide: (text: string) => string): unknown => {
  if (text === null || text === undefined || text === '') return null;
  const hidden = hide(text);
  const json = readJson(hidden);
  // A letter may be written as \u0061: decoded texts are redacted once more.
  return json === undefined ? hidden.replace(/("secret"\s*:\s*")[^"]*/g, `$1${HIDDEN}`) : hideSecrets(json, hide);
};

export const exchangeId = ({ number }: Exchange): string => (number === 0 ? 'pending' : `req_${number}`);

export const exchangeNumber = (id: string): number => Number(/^req_([1-9]\d{0,14})$/.exec(id)?.[1] ?? 0);

const exchangesBefore = (journal: Journal<Exchange>, number: number): Exchange[] =>
  Array.from({ length: WARNING_WINDOW }, (_, i) => journal.get(number - WARNING_WINDOW + i)).filter((one) => one !== undefined);

const MAX_CACHED_PATHS = 100;
const MAX_CACHED_PATH_CHARACTERS = 1000;

/** Shows exchanges of a world; its secrets are looked up once. */
export class JournalReader {
  readonly #journal: Journal<Exchange>;
  readonly #hide: (text: string) => string;
  /** Paths as they are shown, by what was asked: clients ask for the same again and again. */
  readonly #paths = new Map<string, string>();

  constructor(world: World, journal: Journal<Exchange>, secrets: Iterable<string> = []) {
    this.#journal = journal;
    this.#hide = createRedactor(world, secrets);
  }

  /** Hides what an exchange carried as its key as well: an unknown key is a key of somewhere. */
  #hiding({ request }: Exchange): (text: string) => string {
    const own = request.keyValue ?? request.authorization ?? '';
    if (own.length < MIN_SECRET_LENGTH) return this.#hide;
    return readEscapes((text) => this.#hide(text.replaceAll(own, HIDDEN).replaceAll(encodeURIComponent(own), HIDDEN)));
  }

  hidden<T>(value: T): T {
    return hideSecrets(value, this.#hide) as T;
  }

  path(exchange: Exchange): string {
    const { url, authorization } = exchange.request;
    const key = `${authorization} ${url}`;
    const known = this.#paths.get(key);
    if (known !== undefined) return known;
    const shown = redactPath(exchange.request.target, this.#hiding(exchange));
    if (this.#paths.size >= MAX_CACHED_PATHS) this.#paths.clear();
    if (key.length <= MAX_CACHED_PATH_CHARACTERS) this.#paths.set(key, shown);
    return shown;
  }

  summary(exchange: Exchange): RequestSummary {
    const { number, at, ended, request, response, fault, aborted } = exchange;
    const journal = this.#journal;
    const hiding = () => this.#hiding(exchange);
    return {
      id: exchangeId(exchange),
      at: new Date(at).toISOString(),
      method: request.method,
      path: this.path(exchange),
      operation: request.operation ?? null,
      status: aborted ? 0 : response.status,
      duration_ms: Math.max(0, ended - at),
      key_id: response.caller?.key.id ?? null,
      workspace_id: response.caller?.workspace ?? null,
      fault: fault ?? null,
      // They cost more than all the rest, and a log line has none.
      get warnings() {
        const hide = hiding();
        const before = exchangesBefore(journal, number || journal.next);
        return findWarnings(exchange, before).map(({ code, says }) => ({ code, says: hide(says) }));
      },
    };
  }

  entry(exchange: Exchange): RequestEntry {
    const hide = this.#hiding(exchange);
    const { request, at, aborted } = exchange;
    const response = withPageText(exchange);
    const hidden = (headers: Record<string, string>) => mapValues(headers, hide);
    return {
      ...this.summary(exchange),
      request: { headers: hidden(showHeaders(request.headers)), body: showBody(request.text, hide) },
      response: {
        headers: aborted ? {} : hidden(responseHeaders(response, at)),
        body: aborted ? null : showBody(response.text, hide),
      },
      why: traceExchange(exchange).map((step) => ({ ...step, found: hide(step.found) })),
      changes: exchange.changes.map(touchedBy),
    };
  }
}
