// What goes by a proxy, and what is found about it.
/** One request that went by, and the response to it. */
export interface Traffic {
  readonly method: string;
  /** Path and query below the base URL, as they were sent: /tasks?limit=2 */
  readonly target: string;
  readonly requestHeaders: readonly (readonly [name: string, value: string])[];
  /** Undefined: none was sent. */
  readonly requestBody: string | undefined;
  /** Undefined: none came. */
  readonly response:
    | { readonly status: number; readonly headers: readonly (readonly [name: string, value: string])[]; readonly body: string }
    | undefined;
  /** Milliseconds since 1970 on this machine's clock. */
  readonly sent: number;
  readonly came: number;
}
export interface Violation {
  readonly requirement: string;
  readonly quote: string;
  readonly line: number;
  readonly exchange: number;
  readonly expected: string;
  readonly got: string;
  readonly says: string;
  readonly request: string;
}
export interface JudgedExchange {
  readonly number: number;
  readonly traffic: Traffic /** read, write, admin, other, revoked, nobody, or key-1 … for keys whose scope is not known. */;
  readonly as: string;
  readonly operation: string | undefined;
  readonly violations: readonly Violation[];
}
