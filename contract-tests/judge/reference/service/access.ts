// Who may ask: keys, scopes and the budget of requests.
import type { Clock } from '../clock.ts';
import { type Answer, type Call, type Issue, type Key, type Operation, Problem, type Scope, type Workspace } from '../model.ts';
import type { Style } from '../styles.ts';
import type { Store } from '../world.ts';

const RANK: Readonly<Record<Scope, number>> = { read: 0, write: 1, admin: 2 };
export const MINUTE = 60_000;

export class Access {
  readonly db: Store;
  readonly style: Style;
  readonly clock: Clock;
  readonly newId: (prefix: string) => string;
  readonly nextNth: () => number;
  /** Times of the counted requests by bucket; in a fixed window they all leave together. */
  readonly spending = new Map<string, number[]>();

  constructor(db: Store, style: Style, clock: Clock, newId: (prefix: string) => string, nextNth: () => number) {
    this.db = db;
    this.style = style;
    this.clock = clock;
    this.newId = newId;
    this.nextNth = nextNth;
  }

  now(): number {
    return this.clock.now();
  }

  unauthorized(_call: Call, why: string): Problem {
    return new Problem(401, 'unauthorized', `The API key is ${why}.`);
  }

  forbidden(_call: Call): Problem {
    return new Problem(403, 'forbidden', 'The scope of this key does not suffice.');
  }

  notFound(_call: Call, what: string): Problem {
    return new Problem(404, this.style.notFoundCode, `There is no such ${what}.`);
  }

  conflict(_call: Call): Problem {
    return new Problem(409, this.style.conflictCode, 'A team of this name exists already.');
  }

  tooMany(_call: Call): Problem {
    return new Problem(429, 'rate_limit_exceeded', 'The requests of this minute are used up.');
  }

  /** An error about fields or parameters. */
  invalid(status: number, issues: readonly Issue[], _call: Call): Problem {
    return new Problem(status, 'validation_error', 'Some values cannot be accepted.', issues);
  }

  // Keys

  tokenOf(call: Call): string | undefined {
    return /^Bearer +(\S+)$/.exec(call.headers.get('authorization') ?? '')?.[1];
  }

  keyOf(token: string, _call: Call): Key | undefined {
    return this.db.keys.find((key) => key.value === token);
  }

  isRevoked(key: Key, _call: Call): boolean {
    return key.revoked === true;
  }

  authenticate(call: Call): Key {
    const token = this.tokenOf(call);
    if (token === undefined) throw this.unauthorized(call, 'missing');
    const key = this.keyOf(token, call);
    if (!key) throw this.unauthorized(call, 'unknown');
    if (this.isRevoked(key, call)) throw this.unauthorized(call, 'revoked');
    return key;
  }

  workspaceOf(key: Key): Workspace {
    const found = this.db.workspaces.find(({ id }) => id === key.workspace);
    if (!found) throw new Error(`no workspace ${key.workspace}`);
    return found;
  }

  // Scopes

  neededScope(operation: Operation): Scope {
    if (operation === 'createWebhook') return this.style.webhookScope;
    if (operation === 'createTeam' || operation === 'deleteTeam') return this.style.teamScope;
    return /^(list|read)/.test(operation) ? 'read' : 'write';
  }

  permits(has: Scope, needed: Scope, _operation: Operation): boolean {
    return RANK[has] >= RANK[needed];
  }

  authorise(call: Call, operation: Operation): void {
    const scope = call.key?.scope;
    if (!scope || !this.permits(scope, this.neededScope(operation), operation)) throw this.forbidden(call);
  }

  // Budget

  bucketOf(call: Call): string {
    return call.workspace?.id ?? 'nobody';
  }

  quotaOf(call: Call): number {
    return call.workspace?.perMinute ?? this.style.plans[0];
  }

  /** Times of the requests that count now. */
  counted(bucket: string): number[] {
    const times = this.spending.get(bucket) ?? [];
    const now = this.now();
    const alive =
      this.style.window === 'sliding' ? times.filter((at) => at > now - MINUTE) : (times[0] ?? 0) > now - MINUTE ? times : [];
    this.spending.set(bucket, alive);
    return alive;
  }

  isOver(call: Call): boolean {
    return this.counted(this.bucketOf(call)).length >= this.quotaOf(call);
  }

  /** Counts a request; one that is refused for lack of budget does not count. */
  charge(call: Call): void {
    if (this.isOver(call)) throw this.tooMany(call);
    this.counted(this.bucketOf(call)).push(this.now());
  }

  /** Gives a request back whose answer does not count. */
  refund(call: Call, answer: Answer): void {
    if (!this.style.errorsCount && answer.status >= 400 && answer.status !== 429) this.counted(this.bucketOf(call)).pop();
  }

  remaining(call: Call): number {
    return call.workspace ? this.quotaOf(call) - this.counted(this.bucketOf(call)).length : this.quotaOf(call);
  }

  /** When the count is back at the full limit, in milliseconds. */
  resetAt(call: Call): number {
    const times = call.workspace ? this.counted(this.bucketOf(call)) : [];
    const from = this.style.window === 'sliding' ? times.at(-1) : times[0];
    return (from ?? this.now()) + MINUTE;
  }

  quotaHeaders(call: Call, _answer: Answer): Record<string, string> {
    return {
      'X-RateLimit-Limit': String(this.quotaOf(call)),
      'X-RateLimit-Remaining': String(this.remaining(call)),
      'X-RateLimit-Reset': String(Math.ceil(this.resetAt(call) / 1000)),
    };
  }
}
