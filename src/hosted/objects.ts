// The objects that the engine runs: each passes its calls to engine-independent code.
import { realNow } from '../service/world/time.ts';
import { Directory, type WorldOrigin, type WorldUsage } from './directory.ts';
import { named, type ObjectState, type Storage } from './engine.ts';
import { type Env, readHostedOptions } from './env.ts';
import { HostedWorld } from './hosted-world.ts';
import { OriginObject } from './origin-object.ts';
import { readWorldId } from './resolve-world.ts';
import { ABSENT } from './worker.ts';

/** Delay before unused origins are collected, milliseconds; longer while one is held. */
const LATER_MS = 60_000;

class WorldObject {
  readonly #storage: Storage;
  readonly #env: Env;
  #world: HostedWorld | undefined;

  constructor(ctx: ObjectState, env: Env) {
    this.#storage = ctx.storage;
    this.#env = env;
  }

  get #birth(): WorldOrigin | undefined {
    return this.#storage.kv.get('birth') as WorldOrigin | undefined;
  }

  /** Undefined for another world than the one that this object is. */
  #of(id: string | undefined): HostedWorld | undefined {
    if (id === undefined || id !== (this.#world?.id ?? this.#birth?.id ?? id)) return undefined;
    this.#world ??= new HostedWorld(this.#storage, this.#env, id);
    return this.#world;
  }

  /** @param request its path names the world */
  async fetch(request: Request): Promise<Response> {
    const response = await this.#of(readWorldId(request))?.fetch(request);
    return response ?? new Response(null, { status: 404, headers: { [ABSENT]: '1' } });
  }

  async end(id: string): Promise<WorldUsage | undefined> {
    return this.#of(id)?.end();
  }

  async alarm(): Promise<void> {
    await this.#of(this.#birth?.id)?.wake();
  }
}

/** A directory that also has what it deletes removed from the other objects. */
class DirectoryObject extends Directory {
  readonly #env: Env;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(ctx: ObjectState, env: Env) {
    super(ctx.storage);
    this.#env = env;
  }

  /** An origin being collected can no longer be held: callers wait, and find it gone. */
  override async hold(ref: string, base: string | undefined, bytes: number): Promise<void> {
    await this.#sweeping.catch(() => {});
    super.hold(ref, base, bytes);
    // A world comes next, which has no alarm of its own until its first request.
    const { worldIdleMs } = readHostedOptions(this.#env);
    if (worldIdleMs > 0 && (await this.storage.getAlarm()) === null) await this.storage.setAlarm(realNow() + worldIdleMs);
  }

  override async leave(id: string): Promise<void> {
    super.leave(id);
    // If this stops half-way, the engine repeats it.
    await this.storage.setAlarm(realNow() + LATER_MS);
    await this.#sweep(realNow());
  }

  /** Deletes a world if it and those below it are idle. @returns undefined if so, otherwise the time of the last use */
  async retire(birth: Pick<WorldOrigin, 'id' | 'line'>, idleMs: number): Promise<number | undefined> {
    // A world that is not listed is not idle: the caller is mistaken about itself, and may call again later.
    const used = this.lastUse(birth) ?? realNow();
    if (used + idleMs > realNow()) return used;
    await this.leave(birth.id);
    return undefined;
  }

  /** Deletes the tenant with all its worlds. */
  async close(): Promise<void> {
    super.leave(this.tenant);
    await this.#sweep(Number.POSITIVE_INFINITY);
    await this.storage.deleteAlarm();
    await this.storage.deleteAll();
  }

  alarm(): Promise<void> {
    const { worldIdleMs } = readHostedOptions(this.#env);
    if (worldIdleMs > 0) for (const [id, used] of this.unused()) if (used + worldIdleMs <= realNow()) super.leave(id);
    return this.#sweep(realNow());
  }

  #sweep(now: number): Promise<void> {
    const collect = () => this.#collect(now);
    this.#sweeping = this.#sweeping.then(collect, collect);
    return this.#sweeping;
  }

  async #collect(now: number): Promise<void> {
    const { WORLDS, ORIGINS } = this.#env;
    for (const id of this.leaving) {
      const usage = await named(WORLDS, id).end(id);
      if (usage) this.report(id, usage);
      this.left(id);
    }
    for (let unheld = this.unheld(now); unheld.length > 0; unheld = this.unheld(now)) {
      for (const ref of unheld) {
        await named(ORIGINS, `${this.tenant}/${ref}`).drop();
        this.forget(ref);
      }
    }
    await this.#armLater(now);
  }

  /** For origins that were still held, and for worlds without any request yet. */
  async #armLater(now: number): Promise<void> {
    const { worldIdleMs } = readHostedOptions(this.#env);
    const due = worldIdleMs === 0 ? [] : this.unused().map(([, used]) => used + worldIdleMs);
    if (this.unheld(Number.POSITIVE_INFINITY).length > 0) due.push(now + LATER_MS);
    if (due.length > 0) await this.storage.setAlarm(Math.min(...due));
  }
}

const methodsOf = (prototype: object): string[] => {
  if (prototype === Object.prototype) return [];
  const own = Object.entries(Object.getOwnPropertyDescriptors(prototype)).filter(([, { value }]) => typeof value === 'function');
  return [...own.map(([name]) => name), ...methodsOf(Object.getPrototypeOf(prototype))];
};

type Made = new (ctx: ObjectState, env: Env) => object;

/** An engine object that delegates to one of ours. Engines only call prototype methods. */
const on = (Engine: new (ctx: never, env: never) => object, Ours: Made): Made => {
  class OnEngine extends Engine {
    readonly ours: object;

    constructor(ctx: ObjectState, env: Env) {
      super(ctx as never, env as never);
      this.ours = new Ours(ctx, env);
    }
  }
  for (const name of new Set(methodsOf(Ours.prototype))) {
    if (name === 'constructor') continue;
    const value = function (this: OnEngine, ...given: unknown[]) {
      return (this.ours as Record<string, (...given: unknown[]) => unknown>)[name]!(...given);
    };
    Object.defineProperty(OnEngine.prototype, name, { value });
  }
  return OnEngine;
};

/** The classes of the objects. @param Engine the class that the engine wants them to extend */
export const objectsOn = (Engine: new (ctx: never, env: never) => object) => ({
  WorldObject: on(Engine, WorldObject),
  OriginObject: on(Engine, OriginObject),
  DirectoryObject: on(Engine, DirectoryObject),
});
