// One hosted world: opened at its first request, acknowledges changes once they are persisted, woken when something is due.
import { hostOptionsOf, mockOn, toSeed } from '../mock/api/create.ts';
import type { Mock } from '../mock/api/mock.ts';
import { errorResponse } from '../mock/control/call.ts';
import { Host, type HostOptions } from '../mock/control/host.ts';
import type { Instance } from '../mock/control/instance.ts';
import { plantSeed } from '../mock/control/snapshot.ts';
import { Keeper } from '../mock/saving/host-keeper.ts';
import { goOnFrom } from '../mock/saving/reopen.ts';
import { fetchUnlessClosed } from '../service/http/respond-with-fault.ts';
import { after, realNow, wait } from '../service/world/time.ts';
import { createAlarm } from './alarm.ts';
import type { WorldOrigin, WorldUsage } from './directory.ts';
import { named, type Storage } from './engine.ts';
import { createDerive, type DirectoryStub, type Env, readHostedOptions } from './env.ts';
import { kvShelf } from './kv-shelf.ts';
import { worldsBelow } from './open-world.ts';
import { type HostedOptions, IN_PUBLIC } from './options.ts';
import { SharedOrigins } from './origins.ts';
import { senderFrom } from './receivers.ts';
import { tenantOf } from './resolve-world.ts';
import { mintWorldKeys, ownKeys, tokenOf } from './tokens.ts';
import { isCounted, UsageMeter } from './usage-meter.ts';
import { routeRequest } from './worker.ts';

interface OpenHostedWorld {
  readonly host: Host;
  readonly mock: Mock;
  readonly keeper: Keeper;
  /** Resolves once the changes so far are persisted. */
  kept: Promise<void>;
  /** Whether more changes may join the pending write. */
  joins: boolean;
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

const respondWithError = (error: unknown): Response => errorResponse(error, 'This world cannot respond');

/** There is no socket that a fault could close, so the body is cut off instead. */
const cutOff = (error: Error): Response =>
  new Response(new ReadableStream({ start: (stream) => stream.error(error) }), { status: 502 });

export class HostedWorld {
  readonly id: string;
  readonly #storage: Storage;
  readonly #env: Env;
  readonly #directory: DirectoryStub;
  readonly #origins: SharedOrigins;
  readonly #options: HostedOptions;
  readonly #usage: UsageMeter;
  readonly #alarm: ReturnType<typeof createAlarm>;
  #open: Promise<OpenHostedWorld | undefined> | undefined;
  /** Requests in progress. */
  #present = 0;
  #lastUsed = 0;
  #soon: (() => void) | undefined;

  constructor(storage: Storage, env: Env, id: string) {
    this.id = id;
    this.#storage = storage;
    this.#env = env;
    this.#directory = named(env.DIRECTORY, tenantOf(id));
    this.#origins = new SharedOrigins(env, tenantOf(id));
    this.#options = readHostedOptions(env);
    this.#alarm = createAlarm(storage);
    this.#usage = new UsageMeter(storage, (usage) => this.#directory.report(id, usage));
  }

  /** Undefined when there is no such world. */
  async fetch(request: Request): Promise<Response | undefined> {
    try {
      this.#present += 1;
      const open = await this.#opened();
      if (!open) return undefined;
      this.#lastUsed = realNow();
      const response = await this.#respond(open, request).catch(respondWithError);
      const { host, mock } = open;
      if (!open.ended) this.#usage.noteRequest(isCounted(request, response, mock.guard, host.get(this.id)?.world));
      return response;
    } catch (error) {
      return respondWithError(error);
    } finally {
      this.#present -= 1;
    }
  }

  async #respond(open: OpenHostedWorld, request: Request): Promise<Response> {
    const changes = !LOOKS.includes(request.method);
    this.#usage.admit(request);
    const response = await fetchUnlessClosed(open.mock.app, request, cutOff);
    // Requests do not wait for the journal and the request windows, which are all that a read changes.
    if (changes) this.#keepTogether(open);
    // Reads wait too: they may have seen changes that are not persisted yet.
    await open.kept;
    this.#keepSoon(open);
    return response;
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
    await this.#storage.deleteAll();
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

  /** Deletes the world if it and those below it are idle, which only its directory knows. */
  async #retires({ feed }: Instance): Promise<boolean> {
    const idle = this.#idleAt();
    if (idle === null || idle > realNow()) return false;
    const birth = this.#storage.kv.get('birth') as WorldOrigin;
    const used = feed.size > 0 ? realNow() : await this.#directory.retire(birth, this.#options.worldIdleMs);
    if (used !== undefined) this.#lastUsed = used;
    return used === undefined;
  }

  #idleAt(): number | null {
    const { worldIdleMs } = this.#options;
    return worldIdleMs === 0 || !this.id.includes('~') ? null : this.#lastUsed + worldIdleMs;
  }

  /** The main world of the host stays empty. */
  #instance({ host }: OpenHostedWorld): Instance {
    return host.get(this.id)!;
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
    const { id } = this;
    const [storage, origins, derive] = [this.#storage, this.#origins, createDerive(this.#env)];
    const birth = (storage.kv.get('birth') as WorldOrigin | undefined) ?? (await this.#directory.birth(id));
    if (!birth) return undefined;
    const options = this.#hostOptions(this.#options.url ?? birth.at);
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

  /** @param at the address of the service */
  #hostOptions(at: string): HostOptions {
    const { receivers } = this.#options;
    const own = new URL(at);
    return {
      ...hostOptionsOf({
        worldIdleMs: 0,
        allowReceivers: [...receivers, own.hostname],
        sender: senderFrom(own, receivers, (request) => routeRequest(request, this.#env)),
      }),
      elsewhere: worldsBelow(this.#env, this.id, this.#origins, at),
      ...IN_PUBLIC,
      wake: (ms, call) => (ms <= SHORT_MS ? after(ms, call) : () => {}),
    };
  }
}
