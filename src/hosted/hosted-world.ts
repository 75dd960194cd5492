// One hosted world: opened at its first request, acknowledges changes once they are persisted, woken when something is due.

import { hostOptionsOf, mockOn, toSeed } from '../mock/api/create.ts';
import type { Mock } from '../mock/api/mock.ts';
import { type Elsewhere, Host, type HostOptions } from '../mock/control/host.ts';
import type { Instance } from '../mock/control/instance.ts';
import { plantSeed } from '../mock/control/snapshot.ts';
import { Keeper } from '../mock/saving/keeper.ts';
import { goOnFrom } from '../mock/saving/reopen.ts';
import { after, realNow, wait } from '../service/world/time.ts';
import { Alarm } from './alarm.ts';
import type { ExceededQuota, WorldOrigin, WorldUsage } from './directory.ts';
import type { Storage } from './engine.ts';
import { respondFromMock, respondWithError } from './hosted-responses.ts';
import { kvShelf } from './kv-shelf.ts';
import { type HostedOptions, IN_PUBLIC } from './options.ts';
import type { SharedOrigins } from './origins.ts';
import { senderFrom } from './receivers.ts';
import { mintWorldKeys, ownKeys, tokenOf } from './secrets.ts';
import type { Derive } from './tokens.ts';
import { isCounted, UsageMeter } from './usage-meter.ts';

export interface Around {
  readonly id: string;
  readonly storage: Storage;
  readonly options: HostedOptions;
  readonly derive: Derive;
  readonly origins: SharedOrigins;
  readonly elsewhere: Elsewhere;
  /** Undefined if the world was never opened. */
  birth(): Promise<WorldOrigin | undefined>;
  /** Has the world deleted if it is idle. @returns undefined if so, otherwise the time of the last use that counts */
  retire(): Promise<number | undefined>;
  report(usage: WorldUsage): Promise<ExceededQuota | undefined>;
  /** Calls the service itself, on whichever machine. */
  ask(request: Request): Promise<Response>;
}

interface OpenHostedWorld {
  readonly host: Host;
  readonly mock: Mock;
  readonly keeper: Keeper;
  /** Resolves once the changes so far are persisted. */
  kept: Promise<void>;
  /** Whether more changes may join the pending write. */
  joins: boolean;
  /** The world was deleted. */
  ended?: true;
}

/** Longest wait in the process itself; for anything later the engine wakes the world. */
const SHORT_MS = 1000;
/** An attempt still open after this long, in an idle world, has lost its process. */
const ATTEMPT_MS = 15_000;
/** How far the journal may be ahead of what is persisted. */
const SOON_MS = 250;
const LOOKS = ['GET', 'HEAD', 'OPTIONS'];
const MADE_OF = 'hosted';

export class HostedWorld {
  readonly #around: Around;
  #open: Promise<OpenHostedWorld | undefined> | undefined;
  /** Requests in progress. */
  #present = 0;
  #lastUsed = 0;
  readonly #usage: UsageMeter;
  readonly #alarm: Alarm;
  #soon: (() => void) | undefined;

  constructor(around: Around) {
    this.#around = around;
    this.#alarm = new Alarm(around.storage);
    this.#usage = new UsageMeter(around.storage, around.report);
  }

  get id(): string {
    return this.#around.id;
  }

  /** Undefined when there is no such world. */
  async fetch(request: Request): Promise<Response | undefined> {
    try {
      this.#present += 1;
      const open = await this.#opened();
      if (!open) return undefined;
      this.#lastUsed = realNow();
      const answer = await this.#answer(open, request).catch(respondWithError);
      const { host, mock } = open;
      if (!open.ended) this.#usage.asked(isCounted(request, answer, mock.guard, host.get(this.#around.id)?.world));
      return answer;
    } catch (error) {
      return respondWithError(error);
    } finally {
      this.#present -= 1;
    }
  }

  async #answer(open: OpenHostedWorld, request: Request): Promise<Response> {
    const changes = !LOOKS.includes(request.method);
    this.#usage.admit(request);
    const answer = await respondFromMock(open.mock, request);
    // Requests do not wait for the journal and the request windows, which are all that a read changes.
    if (changes) this.#keepTogether(open);
    // Reads wait too: they may have seen changes that are not persisted yet.
    await open.kept;
    this.#keepSoon(open);
    return answer;
  }

  /** The world is deleted completely. @returns what it used since its last report */
  async end(): Promise<WorldUsage | undefined> {
    const usage = this.#usage.end();
    const open = await this.#open?.catch(() => undefined);
    this.#open = undefined;
    if (open) {
      open.ended = true;
      open.host.close();
    }
    await this.#alarm.off();
    await this.#around.storage.deleteAll();
    return usage;
  }

  /** Does what is due. The engine retries if it fails. */
  async wake(): Promise<void> {
    const open = await this.#opened();
    if (!open) return;
    this.#alarm.rang();
    const instance = this.#instance(open);
    if (await this.#retires(instance)) return;
    instance.opened?.world.clock.startDue();
    // Due jobs start on the next turn.
    await wait(0);
    await instance.opened?.webhooks.settled();
    await this.#keep(open);
  }

  /** After a failed write the next request reloads the last persisted state. */
  async #keep(open: OpenHostedWorld, whole = true): Promise<void> {
    if (open.ended) return;
    open.joins = false;
    try {
      await open.keeper.save(whole);
    } catch (error) {
      if ((await this.#open) === open) this.#open = undefined;
      open.host.close();
      throw error;
    }
    await this.#arm(open);
  }

  /** Concurrent changes share one write, which costs more than a request. The keeper itself writes changes that trigger webhooks. */
  #keepTogether(open: OpenHostedWorld): void {
    if (open.joins) return;
    open.joins = this.#present > 1;
    open.kept = (open.joins ? wait(0) : Promise.resolve()).then(() => this.#keep(open, false));
  }

  #keepSoon(open: OpenHostedWorld): void {
    this.#soon ??= after(SOON_MS, () => {
      this.#soon = undefined;
      void this.#keep(open).catch(() => {});
    });
  }

  /** Sets the alarm at which the engine wakes the world, even if its process has ended. */
  async #arm(open: OpenHostedWorld): Promise<void> {
    const left = this.#instance(open).opened?.world.clock.left ?? null;
    const due = left === null ? null : realNow() + (left === 0 ? ATTEMPT_MS : left);
    const idle = this.#idleAt();
    const at = due === null || idle === null ? (due ?? idle) : Math.min(due, idle);
    await this.#alarm.read();
    if (at !== null && !open.ended) await this.#alarm.by(at);
  }

  /** Deletes the world if nobody has used it, nor any below it: its directory knows that, and nobody else. */
  async #retires({ feed }: Instance): Promise<boolean> {
    const idle = this.#idleAt();
    if (idle === null || idle > realNow()) return false;
    const used = feed.size > 0 ? realNow() : await this.#around.retire();
    if (used !== undefined) this.#lastUsed = used;
    return used === undefined;
  }

  #idleAt(): number | null {
    const { id, options } = this.#around;
    return options.worldIdleMs === 0 || !id.includes('~') ? null : this.#lastUsed + options.worldIdleMs;
  }

  /** The main world of the host stays empty. */
  #instance({ host }: OpenHostedWorld): Instance {
    return host.get(this.#around.id)!;
  }

  #opened(): Promise<OpenHostedWorld | undefined> {
    if (this.#open) return this.#open;
    const opening = this.#reopen();
    this.#open = opening;
    const again = () => {
      if (this.#open === opening) this.#open = undefined;
    };
    opening.then((open) => open ?? again(), again);
    return opening;
  }

  async #reopen(): Promise<OpenHostedWorld | undefined> {
    const { id, storage, origins, derive } = this.#around;
    const birth = (storage.kv.get('birth') as WorldOrigin | undefined) ?? (await this.#around.birth());
    if (!birth) return undefined;
    const options = this.#hostOptions(birth.at);
    const origin = await origins.lean(birth.ref);
    const shelf = kvShelf(storage);
    const kept = await goOnFrom(await shelf.read(), shelf, MADE_OF, options, origins);
    const host = kept?.host ?? new Host(plantSeed(await toSeed({})), options);
    const keeper = kept?.keeper ?? new Keeper(host, shelf, MADE_OF, origins);
    if (!kept) {
      const { origin: own } = host.open(id, birth.mint ? await mintWorldKeys(origin, birth, derive) : origin, false);
      host.resume({ made: 0, keys: ownKeys(own, id).map(({ value }) => [value, id]) });
      storage.kv.put('birth', birth);
    }
    this.#lastUsed ||= Number(storage.kv.get('used') ?? realNow());
    const mock = mockOn(host, {}, async (of, guard) => new (await import('../dashboard/dashboard.tsx')).Dashboard(of, guard));
    const [own, ...above] = await Promise.all([...birth.line].reverse().map((who) => tokenOf(derive, who)));
    mock.guard.token = own;
    mock.guard.also = above;
    mock.guard.allow('*');
    const open: OpenHostedWorld = { host, mock, keeper, kept: Promise.resolve(), joins: false };
    // Background changes may have moved the next due time.
    keeper.onKept = () => void this.#arm(open).catch(() => {});
    await this.#keep(open);
    return open;
  }

  #hostOptions(at: string): HostOptions {
    const { options, elsewhere } = this.#around;
    const own = new URL(options.url ?? at);
    return {
      ...hostOptionsOf({
        worldIdleMs: 0,
        allowReceivers: [...options.receivers, own.hostname],
        sender: senderFrom(own, options.receivers, this.#around.ask),
      }),
      elsewhere,
      ...IN_PUBLIC,
      wake: (ms, call) => (ms <= SHORT_MS ? after(ms, call) : () => {}),
    };
  }
}
