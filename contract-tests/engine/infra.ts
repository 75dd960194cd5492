// Infrastructure between the suite and the service: connections that break, gateways that respond in its place. Counted, reported, never judged.
import { type Exchange, errorOf } from './exchange.ts';
import { RunError } from './terms.ts';
import { Skipped } from './unjudged.ts';

/** A failure of the infrastructure, as it is in report.json. */
export interface InfraEvent {
  /** When, by our clock: ISO 8601. */
  readonly at: string;
  /** reset, refused, timeout, gateway-502, flaky-500 and the like. */
  readonly kind: string;
  /** Method, path and query. */
  readonly request: string;
}

/** The run ends past these: a share of all requests and a number, for chance has clusters, or some in a row. */
export const INFRA_LIMITS = { share: 0.05, atLeast: 40, inARow: 10 } as const;

/** Waits before each repeat of a request, in milliseconds; there are no more repeats. */
export const REPEAT_AFTER = [250, 1000, 4000] as const;

/** No response to a request, nor a safe way to repeat it: the rest of the check cannot be judged. */
export class NoResponse extends Skipped {
  readonly kind: string;
  /** True when what was to be deleted is gone. */
  readonly gone: boolean;
  /** The 5xx that came in its place. */
  readonly response: Exchange | undefined;
  constructor(kind: string, gone = false, response?: Exchange) {
    super(`INFRA(${kind})`);
    this.kind = kind;
    this.gone = gone;
    this.response = response;
  }
}

/** Too much went wrong on the way: the run says nothing about the service: exit status 2. */
export class InfraError extends RunError {}

export class Infra {
  readonly events: InfraEvent[] = [];
  #inARow = 0;

  /** The service itself has responded. */
  responded(): void {
    this.#inARow = 0;
  }

  /** @param requests how many were sent so far @throws InfraError past a limit */
  note(kind: string, request: string, requests: number): void {
    this.events.push({ at: new Date().toISOString(), kind, request });
    this.#inARow++;
    // A request that fails each time says more of the service than of what stands between: it counts once.
    const count = new Set(this.events.map((event) => event.request)).size;
    const many = count > INFRA_LIMITS.atLeast && count > requests * INFRA_LIMITS.share;
    if (!many && this.#inARow < INFRA_LIMITS.inARow) return;
    const found = this.#inARow >= INFRA_LIMITS.inARow ? `${this.#inARow} requests in a row` : `${count} of ${requests} requests`;
    throw new InfraError(
      `${found} got no response of the service (${this.summary()}): what stands between fails, so nothing is said about the service. ` +
        'Look at the gateway and the network and run again; each failure is under infra in report.json (contract-tests/README.md of the repository, Infrastructure)',
    );
  }

  /** Each kind with its count. */
  summary(): string {
    const counts = new Map<string, number>();
    for (const { kind } of this.events) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return [...counts].map(([kind, times]) => `${times} × ${kind}`).join(', ');
  }
}

/** Headers that only gateways add, to responses of their own. */
const MARKS = ['x-amzn-errortype', 'cf-mitigated'];
/** Texts on the error pages of gateways. */
const PAGES =
  /<center>|cloudflare|could not be satisfied|request blocked|bad gateway|gateway time-?out|temporarily unavailable|akamai/i;

const isHtml = (x: Exchange) => /^text\/html\b/i.test(x.headers.get('content-type') ?? '');

/** The kind of gateway failure that a response is; undefined for a response of the service itself. */
export const gatewayFailure = (x: Exchange): string | undefined => {
  const kind = `gateway-${x.status}`;
  if ([502, 503, 504].includes(x.status)) return kind;
  if (x.status < 400 || errorOf(x).code !== undefined) return undefined;
  if (x.status >= 500) return isHtml(x) ? kind : undefined;
  if (x.headers.has('x-ratelimit-limit')) return undefined;
  return MARKS.some((name) => x.headers.has(name)) || (isHtml(x) && PAGES.test(x.text)) ? kind : undefined;
};
