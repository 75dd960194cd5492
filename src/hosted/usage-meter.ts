// Usage of a tenant's quotas by one world: reported to the directory every few seconds, which says what is used up.
import type { Guard } from '../mock/control/guard.ts';
import { Problem } from '../service/contract/errors.ts';
import { bearerOf, callerOf } from '../service/http/identify.ts';
import { pathFits, pathIn } from '../service/http/paths.ts';
import { after, realNow } from '../service/world/time.ts';
import type { World } from '../service/world/world.ts';
import { type ExceededQuota, REPORT_MS, type WorldUsage } from './directory.ts';
import type { Storage } from './engine.ts';

/** Wait without a request before the rest is reported: the engine evicts an object after ten quiet seconds. */
const USAGE_QUIET_MS = 5000;

/** Calls of a tenant that has used up a quota: signing in and out, restoring, and deleting. */
const SIGN_IN = ['/dashboard/login', '/dashboard/logout'];
const ALLOWED_OVER_QUOTA = {
  requests: { methods: [] as string[], calls: [...SIGN_IN, 'DELETE /_mock/worlds/{id}'] },
  bytes: {
    methods: ['GET', 'HEAD', 'OPTIONS', 'DELETE'],
    calls: [...SIGN_IN, 'POST /_mock/reset', 'POST /_mock/snapshots/{id}/restore'],
  },
};

const isAllowedOverQuota = (what: ExceededQuota['what'], { method, url }: Request): boolean => {
  const { methods, calls } = ALLOWED_OVER_QUOTA[what];
  const path = pathIn(url);
  return methods.includes(method) || calls.some((call) => pathFits(call, call.includes(' ') ? `${method} ${path}` : path));
};

/** Whether a request counts: a caller without a valid key or token uses up nothing. @param world undefined: it could not be kept */
export const isCounted = (request: Request, { status }: Response, guard: Guard, world: World | undefined): boolean => {
  if (status === 401 || !world) return false;
  return guard.opens(request) || callerOf(world, bearerOf(request.headers.get('authorization') ?? undefined)) !== undefined;
};

const ASK = 'or ask the owner of this service for more (PATCH /_hosted/tenants/{id}); docs/hosted.md of wm-mock says how.';

export class UsageMeter {
  readonly #storage: Storage;
  readonly #report: (usage: WorldUsage) => Promise<ExceededQuota | undefined>;
  /** Not reported yet. */
  #requests = 0;
  /** Whether there was any request since the last report: also what does not count may have stored something. */
  #isUnreported = false;
  /** Times of the last report and the last request, milliseconds since 1970. */
  #reportedAt = 0;
  #lastRequestAt = 0;
  #over: ExceededQuota | undefined;
  #quiet: (() => void) | undefined;

  constructor(storage: Storage, report: (usage: WorldUsage) => Promise<ExceededQuota | undefined>) {
    this.#storage = storage;
    this.#report = report;
  }

  noteRequest(isCounted: boolean): void {
    this.#lastRequestAt = realNow();
    if (isCounted) this.#requests += 1;
    this.#isUnreported = true;
    if (this.#lastRequestAt - this.#reportedAt >= REPORT_MS) this.#reportNow();
    else this.#reportWhenQuiet(USAGE_QUIET_MS);
  }

  /** Nothing is reported any more. @returns what was not reported yet */
  end(): WorldUsage | undefined {
    this.#quiet?.();
    this.#quiet = undefined;
    this.#reportedAt = 0;
    this.#over = undefined;
    return this.#isUnreported ? this.#take() : undefined;
  }

  #take(): WorldUsage {
    const usage = { requests: this.#requests, bytes: this.#storage.sql.databaseSize, used: this.#lastRequestAt };
    this.#requests = 0;
    this.#isUnreported = false;
    return usage;
  }

  /** One timer at a time, however many requests there are. */
  #reportWhenQuiet(ms: number): void {
    this.#quiet ??= after(ms, () => {
      this.#quiet = undefined;
      if (!this.#isUnreported) return;
      const left = this.#lastRequestAt + USAGE_QUIET_MS - realNow();
      if (left > 0) this.#reportWhenQuiet(left);
      else this.#reportNow();
    });
  }

  /** Not awaited: requests of the next seconds go by what is known. */
  #reportNow(): void {
    const usage = this.#take();
    this.#reportedAt = realNow();
    this.#send(usage).then(
      (over) => {
        this.#over = over;
      },
      () => {
        this.#requests += usage.requests;
        this.#isUnreported = true;
      },
    );
  }

  async #send(usage: WorldUsage): Promise<ExceededQuota | undefined> {
    this.#storage.kv.put('used', usage.used);
    return this.#report(usage);
  }

  /** @throws Problem 429 or 507 when a quota is used up */
  admit(request: Request): void {
    if (!this.#over || isAllowedOverQuota(this.#over.what, request)) return;
    const { what, most, until } = this.#over;
    if (what === 'requests' && until > realNow()) {
      const headers = { 'retry-after': String(Math.ceil((until - realNow()) / 1000)) };
      throw new Problem(429, 'quota_exceeded', `The ${most} requests of today are used up. Try again tomorrow (UTC), ${ASK}`, {
        headers,
      });
    }
    if (what === 'bytes')
      throw new Problem(507, 'quota_exceeded', `All worlds together store more than ${most} bytes. Delete some, ${ASK}`);
  }
}
