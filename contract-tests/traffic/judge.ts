// Judges traffic that it did not send, that of a proxy or of HAR files: learns records from what is read, and leaves open what it can't know.
import { readDocument } from '../engine/document.ts';
import { type Exchange, metaOf, objectIn, resource, type Sent, succeeded } from '../engine/exchange.ts';
import { gatewayFailure } from '../engine/infra.ts';
import { keepLatest } from '../engine/keep-latest.ts';
import { applyLaws, type LawContext } from '../engine/laws.ts';
import { operationOf } from '../engine/operations.ts';
import { type Finding, Recorder } from '../engine/recorder.ts';
import { latestRelease, readRegister, readShippedDocument } from '../engine/register.ts';
import { isIn, type Release } from '../engine/releases.ts';
import { instant } from '../engine/shapes.ts';
import { realTime, Skew } from '../engine/time.ts';
import { inOrder, type Waiting } from '../engine/together.ts';
import { parsed } from '../engine/wire.ts';
import type { Judge } from '../oracle/judge.ts';
import { Oracle } from '../oracle/oracle.ts';
import { rulesOf } from '../oracle/rules.ts';
import { Keys } from './keys.ts';

/** One request that went by, and the response to it. */
export interface Traffic {
  readonly method: string;
  /** Path and query below the base URL. */
  readonly target: string;
  readonly requestHeaders: readonly (readonly [name: string, value: string])[];
  readonly requestBody: string | undefined;
  /** Undefined: none came. */
  readonly response:
    | {
        readonly status: number;
        readonly headers: readonly (readonly [name: string, value: string])[];
        readonly body: string;
      }
    | undefined;
  /** Milliseconds since 1970. */
  readonly sent: number;
  readonly came: number;
}

export interface Violation {
  readonly requirement: string;
  readonly quote: string;
  readonly line: number;
  /** Number of the exchange that showed it. */
  readonly exchange: number;
  readonly expected: string;
  readonly got: string;
  readonly says: string;
  readonly request: string;
}

export interface JudgedExchange {
  readonly number: number;
  readonly traffic: Traffic;
  readonly as: string;
  readonly operation: string | undefined;
  readonly violations: readonly Violation[];
}

export interface TrafficOptions {
  /** By role; others are told apart by what they do. */
  readonly keys: Readonly<Record<string, string | undefined>>;
  readonly release?: Release | undefined;
  readonly onJudged?: ((x: JudgedExchange) => void) | undefined;
}

/** More are judged without a pause between requests. */
const MAX_WAITING = 200;
/** Listed violations of a requirement. */
const MAX_LISTED = 100;
/** A fault this often, in this share of cases, is no other client's; where none is seen, twice is enough. */
const OFTEN = { times: 3, alone: 2, long: 100, share: 0.5 } as const;
/** Cases that are counted, and paths. */
const MAX_KINDS = 20_000;
const UNSPECIFIED: ReadonlySet<string> = new Set(['OPTIONS', 'HEAD']);
/** A limit that a service raises to its smallest one is no larger. */
const SMALL_LIMIT = 10;

const headersOf = (rows: readonly (readonly [string, string])[]): Headers => {
  const headers = new Headers();
  for (const [name, value] of rows)
    try {
      headers.append(name, value);
    } catch {
      // No header that HTTP knows: those of HTTP/2 begin with a colon.
    }
  return headers;
};

/** Headers that the oracle looks at. */
const REMEMBERED = /^(authorization|content-type|date|www-authenticate|x-ratelimit-\w+)$/i;

/** As the oracle may keep it: one that showed a record stays. */
const remembered = (x: Exchange): Exchange => {
  const only = (rows: Iterable<readonly string[]>) => Object.fromEntries([...rows].filter(([name]) => REMEMBERED.test(name!)));
  const requestHeaders = only(Object.entries(x.requestHeaders));
  return { ...x, requestHeaders, headers: new Headers(only(x.headers)), text: x.text.slice(0, 1) };
};

class TrafficJudge {
  exchanges = 0;
  readonly violations: Violation[] = [];
  readonly unknown: { readonly exchange: number; readonly says: string }[] = [];
  readonly #options: TrafficOptions;
  readonly #keys: Keys;
  readonly #record: Recorder;
  readonly #register = new Map(readRegister().map((row) => [row.id, row]));
  readonly #oracle: Oracle;
  readonly #laws: LawContext & { smallestLimit: number };
  readonly #skew: Skew;
  readonly #waiting: (Waiting & { readonly number: number; readonly traffic: Traffic })[] = [];
  readonly #others = { seen: 0 };
  /** Paths of what was deleted. */
  readonly #gone = new Set<string>();
  readonly #rates = new Map<string, { seen: number; broken: number }>();
  /** On this machine's clock: when the last response came. */
  #now = 0;
  #told = 0;
  #last: Exchange | undefined;

  constructor(options: TrafficOptions) {
    this.#options = options;
    const release = options.release ?? latestRelease();
    this.#keys = new Keys(options.keys);
    this.#record = new Recorder((id) => isIn(this.#register.get(id) ?? {}, release));
    this.#skew = new Skew({ ...realTime(), now: () => this.#now });
    const document = readShippedDocument(release);
    const compiled = readDocument(document, release);
    this.#laws = {
      record: this.#record,
      secrets: () => this.#keys.values.filter((value) => value.length >= 8),
      isHookSecret: () => false,
      skew: this.#skew,
      smallestLimit: 1,
      limits: new Map(),
      codes: new Map(),
      schemaFault: (x) => compiled?.fault(x),
    };
    const must: Judge['must'] = (requirement, ok, say, ...x) => this.#record.must(requirement, ok, ok ? '' : say(), ...x);
    this.#oracle = new Oracle({
      ...{ rules: rulesOf(document, release), release, alone: false, must },
      // No name of the traffic is one of ours.
      mark: '\0',
      smallestLimit: () => this.#laws.smallestLimit,
      near: (at, x) => this.#skew.fits(at, 60_000 + x.came - x.sent, 60_000, x.came),
      often: (requirement, what, ok, say, ...x) => {
        const often = what.filter((one) => this.#isOften(`${requirement} ${one}`, ok));
        if (!ok && often.length > 0) must(requirement, ok, say, ...x);
      },
      others: this.#others,
    });
  }

  /** Counts one more case of a kind. @returns whether most of its cases are broken, and too many for others to be the reason */
  #isOften(kind: string, ok: boolean, share: number = OFTEN.share): boolean {
    const rate = this.#rates.get(kind) ?? { seen: 0, broken: 0 };
    this.#rates.set(kind, rate);
    keepLatest(this.#rates, MAX_KINDS);
    keepLatest(this.#gone, MAX_KINDS);
    rate.seen++;
    if (!ok) rate.broken++;
    const isAlone = share < 1 && this.#others.seen === 0 && this.exchanges > OFTEN.long;
    return rate.broken >= (isAlone ? OFTEN.alone : OFTEN.times) && rate.broken >= rate.seen * share;
  }

  /** Takes traffic in the order in which responses came; it is judged once nothing overlaps with it. */
  observe(traffic: Traffic): void {
    const { sent, came } = traffic;
    if (this.#waiting.length >= MAX_WAITING || this.#waiting.every(({ until }) => until <= sent)) this.#judgeWaiting();
    this.#now = Math.max(this.#now, came);
    const number = ++this.exchanges;
    const request = this.#request(traffic);
    // Browsers ask for permission before a request, and whether their copy is still good: the specification has neither.
    const asksForNew = request.as === 'keyless' || traffic.requestHeaders.some(([name]) => /^if-/i.test(name));
    if (UNSPECIFIED.has(traffic.method) || (traffic.response?.status === 304 && asksForNew)) {
      this.#options.onJudged?.({ number, traffic, as: request.as, operation: undefined, violations: [] });
      return;
    }
    const x = this.#exchange(number, request, traffic);
    const waiting = { number, traffic, from: sent, until: came };
    const isServed = x !== undefined && !this.#isLost(x);
    this.#waiting.push(isServed ? { ...waiting, sent: request, x } : { ...waiting, sent: { ...request, noResponse: true } });
  }

  /** Nothing more comes. */
  flush(): void {
    this.#judgeWaiting();
    this.#oracle.end();
    if (this.#last) this.#fresh(this.#last);
  }

  /** Judges what waits for requests that may overlap with it. */
  #judgeWaiting(): void {
    const waiting = this.#waiting.splice(0);
    const trafficOf = new Map(waiting.map(({ number, traffic }) => [number, traffic]));
    for (const x of inOrder(waiting)) this.#judge(x, trafficOf.get(x.number)!);
    for (const { x, sent, number, traffic } of waiting) {
      if (x) continue;
      this.#oracle.noResponse(sent);
      if (sent.method !== 'GET') this.#leaveOpen(number, 'no response of the service came: whether it was done is not known');
      this.#options.onJudged?.({ number, traffic, as: sent.as, operation: sent.operation?.id, violations: [] });
    }
  }

  #request({ method, target, requestHeaders, requestBody, response }: Traffic): Sent {
    const path = target.split('?', 1)[0]!;
    const authorization = requestHeaders.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
    return { method, path, ...this.#keys.of(authorization, response?.status), operation: operationOf(method, path), requestBody };
  }

  #exchange(number: number, request: Sent, { target, requestHeaders, response, sent, came }: Traffic): Exchange | undefined {
    if (!response) return undefined;
    const headers = headersOf(response.headers);
    this.#skew.date(headers.get('date'), sent, came);
    const { json, flaw } = parsed(response.body);
    const [, query = ''] = target.split(/\?(.*)/s, 2);
    return {
      ...{ number, ...request, query, url: target, requestHeaders: Object.fromEntries(requestHeaders) },
      ...{ status: response.status, headers, text: response.body, json, sent, came, at: this.#skew.now().at },
      ...(flaw === undefined ? {} : { flaw }),
    };
  }

  /** Whether a response is none of the service, or one of bad luck. */
  #isLost(x: Exchange): boolean {
    if (gatewayFailure(x) !== undefined) return true;
    // A 5xx is bad luck unless most requests of an operation get it, or each of one kind since the first.
    const query = [...new URLSearchParams(x.query)];
    const names = [...query.map(([name]) => name), ...Object.keys(objectIn(x.requestBody))].sort();
    const operation = `${x.method} ${x.operation?.path ?? x.path}`;
    if (x.method === 'DELETE' && succeeded(x)) this.#gone.add(x.path);
    const kinds = [
      `${x.as} ${operation}`,
      `${x.method} ${x.path}`,
      ...query.filter(([name]) => name !== 'cursor').map((pair) => `${operation} ${pair}`),
      `${operation} ${names}`,
      `${operation} ${this.#gone.has(x.path)}`,
      `${operation} ${x.path} ${x.query} ${x.requestBody}`,
    ];
    const often = [operation, ...kinds]
      .filter((kind) => x.status >= 500 || kind === operation || this.#rates.has(kind))
      .map((kind) => this.#isOften(kind, x.status < 500, kind === operation ? OFTEN.share : 1));
    return x.status >= 500 && !often.includes(true);
  }

  /** The smallest limit is the service's to say: it raises a smaller one, or refuses it. */
  #learnLimit(x: Exchange): void {
    const limit = Number(new URLSearchParams(x.query).get('limit') ?? Number.NaN);
    if (x.operation?.returns !== 'list' || !(limit >= this.#laws.smallestLimit && limit <= SMALL_LIMIT)) return;
    const taken = Number(metaOf(x).limit);
    if (x.status === 400) this.#laws.smallestLimit = limit + 1;
    else if (taken > limit && taken <= SMALL_LIMIT) this.#laws.smallestLimit = taken;
  }

  #judge(seen: Exchange, traffic: Traffic): void {
    for (const workspace of this.#keys.learn(seen)) this.#oracle.forget(workspace);
    const workspace = this.#keys.workspaceOf(seen.as);
    const x = workspace === undefined ? seen : { ...seen, workspace };
    this.#last = x;
    this.#learnLimit(x);
    if (succeeded(x) && x.method === 'POST') this.#skew.made(instant(resource(x).created_at), x.sent, x.came);
    applyLaws(x, this.#laws);
    this.#oracle.observe(remembered(x));
    if (x.as.startsWith('key-') && x.status === 403) this.#leaveOpen(x.number, `${x.as} is refused: its scope is not known`);
    this.#options.onJudged?.({ number: x.number, traffic, as: x.as, operation: x.operation?.id, violations: this.#fresh(x) });
  }

  /** Says once why something is not known. */
  #leaveOpen(exchange: number, says: string): void {
    if (!this.unknown.some((one) => one.says === says)) this.unknown.push({ exchange, says });
  }

  /** Findings since the last exchange. The law of the document says again, and worse, what another requirement says. */
  #fresh(x: Exchange): Violation[] {
    const found = this.#record.findings.slice(this.#told).filter(({ status }) => status === 'failed');
    this.#told = this.#record.findings.length;
    const others = found.filter(({ requirement }) => requirement !== 'WM-GEN-011');
    const violations = (others.length > 0 ? others : found).map((finding) => this.#violation(finding, x));
    const listed = (id: string) => this.violations.filter(({ requirement }) => requirement === id).length;
    this.violations.push(...violations.filter(({ requirement }) => listed(requirement) < MAX_LISTED));
    return violations;
  }

  #violation({ requirement, message, expected = '', got = '' }: Finding, x: Exchange): Violation {
    const { quote = '', line = 0 } = this.#register.get(requirement) ?? {};
    const request = `${x.method} ${x.path}${x.query === '' ? '' : `?${x.query}`}`;
    return { requirement, quote, line, exchange: x.number, expected, got, says: message, request };
  }
}

export const createTrafficJudge = (options: TrafficOptions): TrafficJudge => new TrafficJudge(options);
