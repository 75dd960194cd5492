// The traffic that goes by a proxy, and the judge of it, which the contract suite has.

type HeaderRows = readonly (readonly [name: string, value: string])[];

/** One request that went by, and the response to it. */
export interface Traffic {
  readonly method: string;
  /** Path and query below the base URL, as they were sent: /tasks?limit=2 */
  readonly target: string;
  readonly requestHeaders: HeaderRows;
  /** Undefined: none was sent. */
  readonly requestBody: string | undefined;
  /** Undefined: none came. */
  readonly response: { readonly status: number; readonly headers: HeaderRows; readonly body: string } | undefined;
  /** Milliseconds since 1970 on this machine's clock. */
  readonly sent: number;
  readonly came: number;
}

export interface Unknown {
  /** Number of the exchange that showed it. */
  readonly exchange: number;
  readonly says: string;
}

export interface Violation extends Unknown {
  readonly requirement: string;
  readonly quote: string;
  readonly line: number;
  readonly expected: string;
  readonly got: string;
  readonly request: string;
}

export interface JudgedExchange {
  /** From 1, in the order in which responses came. */
  readonly number: number;
  readonly traffic: Traffic;
  /** The role of the key, or key-1 … where its scope is not known. */
  readonly as: string;
  readonly operation: string | undefined;
  readonly violations: readonly Violation[];
}

/** Observes traffic in the order in which responses came. */
export interface TrafficJudge {
  observe(traffic: Traffic): void;
  flush(): void;
  readonly violations: readonly Violation[];
  readonly unknown: readonly Unknown[];
}

export interface TrafficJudgeOptions {
  readonly keys: Readonly<Record<string, string | undefined>>;
  readonly release?: string | undefined;
  /** Gets each exchange once it is judged. */
  readonly onJudged?: (x: JudgedExchange) => void;
}

/** contract-tests/traffic/judge.js */
export interface JudgeModule {
  createTrafficJudge(options: TrafficJudgeOptions): TrafficJudge;
}

/** Measured where traffic is forwarded. */
export interface ProxyFacts {
  readonly seconds: number;
  readonly deliveries: number;
  readonly added_ms: { readonly p50: number; readonly p99: number };
  /** Why there is no verdict, if no response came. */
  readonly error: string;
}

/** proxy.json */
export interface ProxyReport extends Pick<ProxyFacts, 'added_ms' | 'seconds'> {
  readonly version: 1;
  readonly target: string;
  readonly exchanges: number;
  readonly verdict: 'agrees' | 'violations' | 'error';
  readonly violations: readonly Violation[];
  readonly choices: Readonly<Record<string, string>>;
  readonly unknown: readonly Unknown[];
}

export interface EndedTraffic {
  readonly report: ProxyReport;
  /** All files of the report's folder, by name. */
  readonly files: Readonly<Record<string, string>>;
}
