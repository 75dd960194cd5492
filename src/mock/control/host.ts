// The host: many worlds behind one address, found by the path or by a key of their own.
import { Problem } from '../../service/contract/errors.ts';
import type { Release } from '../../service/contract/releases.ts';
import type { ReadingBodies } from '../../service/http/body.ts';
import type { Exchange, Service, Services } from '../../service/http/exchange.ts';
import { bearerOf } from '../../service/http/identify.ts';
import type { ScriptSource } from '../../service/openapi/docs-page.ts';
import type { KeyRecord, Seed } from '../../service/world/records.ts';
import { realNow } from '../../service/world/time.ts';
import type { ToGenerate } from '../seed/read.ts';
import type { RestTimes } from './events.ts';
import { Instance } from './instance.ts';
import { EMPTY_BYTES, HostMemory, MEGABYTE } from './memory.ts';
import { mintKeys } from './mint.ts';
import type { Recording } from './recorder.ts';
import type { SendOptions } from './running.ts';
import type { Snapshot } from './snapshot.ts';

/** A world that another host has opened. */
export interface OpenedElsewhere {
  readonly id: string;
  readonly release: Release;
  readonly keys: readonly Pick<KeyRecord, 'id' | 'value' | 'scope' | 'user_id'>[];
  /** Opens its control API and its dashboard. */
  readonly token: string;
}

export type WorldElsewhere = Pick<Instance, 'id' | 'release' | 'lastUsed' | 'about'>;

/** Worlds beside this one that other hosts keep, each perhaps on another machine. */
export interface Elsewhere {
  /** @param id one is made unless given @throws Problem 409 when the id is taken or there are too many */
  open(id: string | undefined, origin: Snapshot, mint: boolean, about: Instance['about']): Promise<OpenedElsewhere>;
  /** @returns undefined when there is no such world */
  note(id: string, about: Instance['about']): Promise<WorldElsewhere | undefined>;
  /** @returns whether there was such a world. */
  remove(id: string): Promise<boolean>;
  list(): Promise<readonly WorldElsewhere[]>;
}

export interface HostOptions extends SendOptions {
  /** Where worlds are opened; in this host unless told otherwise. */
  readonly elsewhere?: Elsewhere | undefined;
  /** Delay of every `/v1` answer, milliseconds. */
  readonly latency?: { readonly min: number; readonly max: number } | undefined;
  /** Real milliseconds after which a world that nobody asks is deleted; 0: never. */
  readonly worldIdleMs: number;
  /** When event streams end on which nothing happens; they stay open unless told otherwise. */
  readonly restStreams?: RestTimes | undefined;
  /** Milliseconds of real time in which a body has to be there, where no server sees to that. */
  readonly bodyPatience?: number | undefined;
  /** What is kept beyond the seed, megabytes. */
  readonly memory?: number | undefined;
  /** What the inboxes of a world keep, bytes; limited by `memory` alone unless told otherwise. */
  readonly inboxBytes?: number | undefined;
  readonly recording?: Recording | undefined;
  /** Text of the panel's script. */
  readonly panelScript?: ScriptSource | undefined;
  /** The version of wm-mock, where its package can be read. */
  readonly version?: (() => Promise<string>) | undefined;
  /** Reads an inline seed, of which so many records may be generated. @throws SeedError, and what `toGenerate` throws */
  readonly readSeed: (seed: unknown, mostGenerated?: number, toGenerate?: ToGenerate) => Promise<Seed>;
  /** Reads a parsed seed at once. @throws SeedError, RangeError when something in it is to be generated */
  readonly seedNow: (seed: object) => Seed;
}

export interface Minting {
  readonly made: number;
  /** Value of a key, id of its world. */
  readonly keys: readonly (readonly [string, string])[];
}

const PREFIX = '/worlds/';
const MAX_WORLDS = 10_000;
/** So many worlds that are gone are kept where worlds are recorded. */
const MAX_PAST_WORLDS = 20;
/** Megabytes. */
const DEFAULT_MEMORY_MB = 256;
/** How often idle worlds are looked for, milliseconds. */
const SWEEP_MS = 1000;

export class Host implements Services {
  readonly main: Instance;
  readonly options: HostOptions;
  readonly latency?: { readonly min: number; readonly max: number };
  readonly memory: HostMemory;
  /** How many event streams its worlds have. */
  listening = 0;
  readonly reading: ReadingBodies;
  readonly onExchange = new Set<(instance: Instance, exchange: Exchange) => void>();
  /** The last worlds that are gone, the newest first, where worlds are recorded. */
  readonly past: Instance[] = [];
  readonly #instances = new Map<string, Instance>();
  /** Worlds by the values of the keys minted for them. */
  readonly #minted = new Map<string, Instance>();
  #made = 0;
  #swept = realNow();

  constructor(origin: Snapshot, options: HostOptions) {
    this.options = options;
    this.reading = { bytes: 0, patience: options.bodyPatience };
    if (options.latency) this.latency = options.latency;
    const counted = () => [this.main, ...this.#instances.values(), ...this.past];
    this.memory = new HostMemory((options.memory ?? DEFAULT_MEMORY_MB) * MEGABYTE, counted, () => this.#forgetPast());
    this.main = this.#instance('default', origin);
  }

  service(path: string, authorization: string | undefined): Service | undefined {
    return this.find(path, authorization)?.running;
  }

  find(path: string, authorization: string | undefined): Instance | undefined {
    if (this.#instances.size === 0) return path.startsWith(PREFIX) ? undefined : this.main;
    this.#sweep();
    const instance = this.#named(path) ?? (path.startsWith(PREFIX) ? undefined : (this.#owner(authorization) ?? this.main));
    if (instance) instance.lastUsed = realNow();
    return instance;
  }

  /** The world of a path to look at: one that is gone as well. */
  seen(path: string): Instance | undefined {
    return this.find(path, undefined) ?? this.past.find(({ id }) => path.startsWith(`${PREFIX}${id}/`));
  }

  get(id: string): Instance | undefined {
    return this.#instances.get(id);
  }

  /** A world to look at, by its id: the main one, another, or one that is gone. */
  known(id: string): Instance | undefined {
    return this.all().find((one) => one.id === id);
  }

  mintedFor(value: string): Instance | undefined {
    return this.#minted.get(value);
  }

  list(): readonly Instance[] {
    this.#sweep();
    return [...this.#instances.values()];
  }

  /** Every world to look at: the main one, the others and those that are gone, the newest first. */
  all(): readonly Instance[] {
    return [this.main, ...[...this.list()].reverse(), ...this.past];
  }

  get minting(): Minting {
    return { made: this.#made, keys: [...this.#minted].map(([value, instance]) => [value, instance.id] as const) };
  }

  /** Goes on where it was saved, once its worlds are open again. */
  resume({ made, keys }: Minting): void {
    this.#made = made;
    for (const [value, id] of keys) {
      const instance = this.#instances.get(id);
      if (instance) this.#minted.set(value, instance);
    }
  }

  freeId(): string {
    do this.#made += 1;
    while (this.#instances.has(`world_${this.#made}`));
    return `world_${this.#made}`;
  }

  /** Opens a world. @throws Problem 409 when the id is taken or there are too many. */
  open(id: string, origin: Snapshot, mint: boolean): Instance {
    this.#sweep();
    if (id === this.main.id || this.#instances.has(id)) {
      throw new Problem(409, 'conflict', `A world has the id ${id} already. Delete it, or choose another id.`, {
        fields: [{ field: 'id', issue: 'is taken' }],
      });
    }
    if (this.#instances.size >= MAX_WORLDS)
      throw new Problem(409, 'conflict', `There are ${MAX_WORLDS} worlds already. Delete some.`);
    this.memory.take('world', EMPTY_BYTES.world + EMPTY_BYTES.running);
    const own = mint ? { ...origin, world: origin.world.fork() } : origin;
    this.#forgetPast((one) => one.id !== id);
    const instance = this.#instance(id, own);
    if (mint) for (const { value } of mintKeys(own.world, id)) this.#minted.set(value, instance);
    this.#instances.set(id, instance);
    return instance;
  }

  /** @returns whether there was such a world. */
  remove(id: string): boolean {
    const instance = this.#instances.get(id);
    if (!instance) return false;
    this.#instances.delete(id);
    for (const [value, owner] of this.#minted) if (owner === instance) this.#minted.delete(value);
    instance.close();
    const { recording } = this.options;
    recording?.end(id);
    if (recording) this.past.unshift(instance);
    this.#forgetPast((one, i) => i < MAX_PAST_WORLDS && one.opened !== undefined);
    return true;
  }

  /** @param stays which of them are kept */
  #forgetPast(stays: (one: Instance, i: number) => boolean = () => false): void {
    for (const { id } of this.past.filter((one, i) => !stays(one, i))) this.options.recording!.forget(id);
    this.past.splice(0, this.past.length, ...this.past.filter(stays));
  }

  close(): void {
    for (const id of [...this.#instances.keys()]) this.remove(id);
    this.#forgetPast();
    this.main.close();
  }

  #instance(id: string, origin: Snapshot): Instance {
    const told = (instance: Instance, exchange: Exchange) => {
      instance.feed.tell('request', () => instance.showing().summary(exchange));
      for (const hears of this.onExchange) hears(instance, exchange);
    };
    const recorder = this.options.recording?.recorderOf(id, origin, () => void instance.running);
    const instance = new Instance(id, origin, this.options, this.memory, told, recorder);
    return instance;
  }

  #named(path: string): Instance | undefined {
    if (!path.startsWith(PREFIX)) return undefined;
    const end = path.indexOf('/', PREFIX.length);
    return this.#instances.get(path.slice(PREFIX.length, end < 0 ? undefined : end));
  }

  #owner(authorization: string | undefined): Instance | undefined {
    if (this.#minted.size === 0) return undefined;
    const value = bearerOf(authorization);
    return value === undefined ? undefined : this.#minted.get(value);
  }

  #sweep(): void {
    const { worldIdleMs } = this.options;
    const now = realNow();
    if (worldIdleMs === 0 || now - this.#swept < Math.min(SWEEP_MS, worldIdleMs)) return;
    this.#swept = now;
    for (const [id, instance] of this.#instances)
      if (now - instance.lastUsed > worldIdleMs && instance.feed.size === 0) this.remove(id);
  }
}
