// Who may ask: keys, scopes and the budget of requests. Each step is a field, so that a row or a test can put another in its place.
import type { Clock } from '../clock.ts';
import {
  type Call,
  type Issue,
  type Key,
  type Operation,
  Problem,
  type Scope,
  type Send,
  type ServiceResponse,
  type Workspace,
} from '../model.ts';
import type { Style } from '../styles.ts';
import type { Store } from '../world.ts';

const RANK: Readonly<Record<Scope, number>> = { read: 0, write: 1, admin: 2 };
const MINUTE = 60_000;

/** The parts of a service. */
export interface Parts {
  readonly db: Store;
  readonly style: Style;
  readonly clock: Clock;
  readonly newId: (prefix: string) => string;
  readonly nextNth: () => number;
  readonly send: Send;
}

export class Access implements Parts {
  readonly db: Store;
  readonly style: Style;
  readonly clock: Clock;
  readonly newId: (prefix: string) => string;
  readonly nextNth: () => number;
  readonly send: Send;
  /** Times of the counted requests by bucket; in a fixed window they all leave together. */
  readonly spending = new Map<string, number[]>();

  constructor(parts: Parts) {
    this.db = parts.db;
    this.style = parts.style;
    this.clock = parts.clock;
    this.newId = parts.newId;
    this.nextNth = parts.nextNth;
    this.send = parts.send;
  }

  now = (): number => this.clock.now();

  unauthorized = (_call: Call, why: string): Problem => new Problem(401, 'unauthorized', `The API key is ${why}.`);
  forbidden = (_call: Call): Problem => new Problem(403, 'forbidden', 'The scope of this key does not suffice.');
  notFound = (_call: Call, what: string): Problem => new Problem(404, this.style.notFoundCode, `There is no such ${what}.`);
  conflict = (_call: Call): Problem => new Problem(409, this.style.conflictCode, 'A team of this name exists already.');
  tooMany = (_call: Call): Problem => new Problem(429, 'rate_limit_exceeded', 'The requests of this minute are used up.');
  malformed = (_call: Call, message: string): Problem => new Problem(400, 'validation_error', message);
  /** An error about fields or parameters. */
  invalid = (status: number, issues: readonly Issue[], _call: Call): Problem =>
    new Problem(status, 'validation_error', 'Some values cannot be accepted.', issues);

  // Keys

  tokenOf = (call: Call): string | undefined => /^Bearer +(\S+)$/.exec(call.headers.get('authorization') ?? '')?.[1];
  keyOf = (token: string, _call: Call): Key | undefined => this.db.keys.find((key) => key.value === token);
  isRevoked = (key: Key, _call: Call): boolean => key.revoked === true;
  workspaceOf = (key: Key): Workspace => this.db.workspaces.find(({ id }) => id === key.workspace)!;

  authenticate = (call: Call): Key => {
    const token = this.tokenOf(call);
    if (token === undefined) throw this.unauthorized(call, 'missing');
    const key = this.keyOf(token, call);
    if (!key) throw this.unauthorized(call, 'unknown');
    if (this.isRevoked(key, call)) throw this.unauthorized(call, 'revoked');
    return key;
  };

  // Scopes

  neededScope = (operation: Operation): Scope => {
    if (operation === 'createWebhook') return this.style.webhookScope;
    if (operation === 'createTeam' || operation === 'deleteTeam') return this.style.teamScope;
    return /^(list|read)/.test(operation) ? 'read' : 'write';
  };

  permits = (has: Scope, needed: Scope, _operation: Operation): boolean => RANK[has] >= RANK[needed];

  authorise = (call: Call, operation: Operation): void => {
    const scope = call.key?.scope;
    if (!scope || !this.permits(scope, this.neededScope(operation), operation)) throw this.forbidden(call);
  };

  // Budget

  bucketOf = (call: Call): string => call.workspace?.id ?? 'none';
  quotaOf = (call: Call): number => call.workspace?.perMinute ?? this.style.plans[0];

  /** Times of the requests that count now. */
  counted = (bucket: string): number[] => {
    const times = this.spending.get(bucket) ?? [];
    const from = this.now() - MINUTE;
    const whole = (times[0] ?? 0) > from ? times : [];
    const alive = this.style.window === 'sliding' ? times.filter((at) => at > from) : whole;
    this.spending.set(bucket, alive);
    return alive;
  };

  isOver = (call: Call): boolean => this.counted(this.bucketOf(call)).length >= this.quotaOf(call);

  /** Counts a request; one that is refused for lack of budget does not count. */
  charge = (call: Call): void => {
    if (this.isOver(call)) throw this.tooMany(call);
    this.counted(this.bucketOf(call)).push(this.now());
  };

  /** Gives a request back whose response does not count. */
  refund = (call: Call, response: ServiceResponse): void => {
    if (!this.style.errorsCount && response.status >= 400 && response.status !== 429) this.counted(this.bucketOf(call)).pop();
  };

  spent = (call: Call): readonly number[] => (call.workspace ? this.counted(this.bucketOf(call)) : []);
  remaining = (call: Call): number => this.quotaOf(call) - this.spent(call).length;

  /** When the count is back at the full limit, in milliseconds. */
  resetAt = (call: Call): number => (this.spent(call).at(this.style.window === 'sliding' ? -1 : 0) ?? this.now()) + MINUTE;

  quotaHeaders = (call: Call, _response: ServiceResponse): Record<string, string> => ({
    'X-RateLimit-Limit': String(this.quotaOf(call)),
    'X-RateLimit-Remaining': String(this.remaining(call)),
    'X-RateLimit-Reset': String(Math.ceil(this.resetAt(call) / 1000)),
  });
}
