// A world: one value that holds all mutable state, including time and randomness.
import { type Choices, choose } from '../contract/choices.ts';
import { getOrMake } from '../contract/keyed.ts';
import { KEY_CEILING, PLANS, WINDOW_MS, WINDOW_RANGE_MS } from '../contract/limits.ts';
import type { Release } from '../contract/releases.ts';
import { saveTerms, type Terms, termsFrom, termsOf } from '../contract/terms.ts';
import { Clock } from './clock.ts';
import { Collection, type Row } from './collection.ts';
import { Growth } from './growth.ts';
import { Random } from './random.ts';
import { byAge, creationTurns, NAMES, ofEach, type RecordName, type Records, type Seed, type Workspace } from './records.ts';
import { Window } from './window.ts';

export interface Change<N extends RecordName = RecordName> {
  readonly name: N;
  readonly workspace: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly before: Records[N] | undefined;
  readonly after: Records[N] | undefined;
}

export { NAMES, type RecordName, type Records, type Workspace };

export type SavedWorld = ReturnType<World['save']>;

type WorldParts = Pick<World, 'store' | 'clock' | 'random' | 'workspaces' | 'lastUsed' | 'terms' | 'sequence'> &
  Partial<Pick<World, 'growth'>>;

export class World {
  readonly store!: Store;
  readonly clock!: Clock;
  readonly random!: Random;
  readonly observers: ((change: Change) => void)[] = [];
  /** When each key was last used, milliseconds since 1970. */
  readonly lastUsed!: Map<string, number>;
  /** The memory of records beyond the seed. */
  readonly growth: Growth = new Growth();
  workspaces!: ReadonlyMap<string, Workspace>;
  /** Terms and turn of creation; records are unchanged when the terms change. */
  terms!: Terms;
  sequence!: number;
  /** Cache of list pages since the last write, by request. */
  readonly pages = new Map<string, unknown>();
  /** Called with each record that is put or removed, quietly or not. */
  onTouch: ((name: RecordName, id: string) => void) | undefined;
  /** Why it accepts no keys, if it does not. */
  refuses?: string;
  readonly #windows: Map<string, Window>;

  private constructor(parts: WorldParts, windows: Iterable<readonly [string, Window]> = []) {
    Object.assign(this, parts);
    this.#windows = new Map(windows);
    for (const name of NAMES) {
      this.store[name].onTouch = (id) => {
        this.pages.clear();
        this.onTouch?.(name, id);
      };
    }
  }

  /** A new world with the seed's data. Planting announces nothing. */
  static plant(seed: Seed): World {
    const { progress } = seed;
    const turns = progress && creationTurns(seed, progress);
    let sequence = 0;
    const rows = (name: RecordName): Row<Records[RecordName]>[] => {
      let place = 0;
      return seed.workspaces.flatMap((workspace) => {
        const records = turns ? workspace[name] : byAge<Records[RecordName]>(workspace[name]);
        return records.map((value) => {
          sequence += 1;
          return { value, workspace: workspace.id, sequence: turns?.[name][place++] ?? sequence };
        });
      });
    };
    const store = storeOf((name) => new Collection(rows(name)));
    const workspaces = new Map(
      seed.workspaces.map(({ id, name, plan, window_ms: ms }) => [id, { id, name, plan, ...(ms && { window_ms: ms }) }]),
    );
    const clock = new Clock(seed.now);
    const random = new Random(seed.randomSeed, new Map(progress?.drawn.map(({ stream, count }) => [stream, count])));
    if (turns && progress) sequence = progress.sequence;
    return new World({ store, clock, random, workspaces, lastUsed: new Map(), terms: termsOf(seed), sequence });
  }

  save() {
    return {
      workspaces: [...this.workspaces.values()],
      terms: saveTerms(this.terms),
      sequence: this.sequence,
      clock: this.clock.save(),
      random: { seed: this.random.seed, drawn: [...this.random.drawn] },
      lastUsed: [...this.lastUsed],
      windows: [...this.#windows].map(([id, window]) => [id, window.save()] as const),
    };
  }

  static from(saved: SavedWorld, collectionOf: (name: RecordName) => Collection<Records[RecordName]>): World {
    const { random } = saved;
    const parts = {
      store: storeOf(collectionOf),
      clock: Clock.from(saved.clock),
      random: new Random(random.seed, new Map(random.drawn)),
      workspaces: new Map(saved.workspaces.map((workspace) => [workspace.id, workspace])),
      lastUsed: new Map(saved.lastUsed),
      terms: termsFrom(saved.terms),
      sequence: saved.sequence,
    };
    const windows = saved.windows.map(([id, window]) => [id, Window.from(window)] as const);
    return new World(parts, windows);
  }

  /** An independent copy of everything but the observers, in constant time. */
  fork(): World {
    const store = storeOf((name) => this.store[name].fork());
    const own = { store, clock: this.clock.fork(), random: this.random.fork(), lastUsed: new Map(this.lastUsed) };
    return new World(
      { ...own, growth: this.growth.fork(), workspaces: this.workspaces, terms: this.terms, sequence: this.sequence },
      [...this.#windows].map(([id, window]) => [id, window.fork()]),
    );
  }

  get choices(): Choices {
    return this.terms.choices;
  }

  get release(): Release {
    return this.terms.contract.release;
  }

  /** Becomes the service of another release; data unknown to it is kept, but not shown. */
  become(release: Release): void {
    this.terms = termsOf({ ...this.terms, release });
  }

  /** Changes the choices at some open points. @throws RangeError naming each unknown choice. */
  choose(choices: Readonly<Record<string, unknown>>): void {
    this.terms = { ...this.terms, choices: choose(choices, this.choices) };
  }

  nextSequence(): number {
    return ++this.sequence;
  }

  /** Changes a workspace's plan; the requests of the last minute stay counted. @throws RangeError when it does not exist. */
  setPlan(id: string, plan: Workspace['plan']): void {
    const workspace = this.workspaces.get(id);
    if (!workspace) throw worldRefusal('workspace', [...this.workspaces.keys()].join(', '), id);
    if (!(typeof plan === 'number' ? plan >= 1 : Object.hasOwn(PLANS, plan)))
      throw worldRefusal('plan', `${Object.keys(PLANS).join(', ')}, or requests a minute`, plan);
    this.workspaces = new Map(this.workspaces).set(id, { ...workspace, plan });
    const window = this.#windows.get(id);
    if (window) this.#windows.set(id, Window.from({ ...window.save(), limit: this.limitOf(id) }));
  }

  /** Changes the length of a workspace's rate window; requests within it stay counted. @throws RangeError */
  setWindow(id: string, ms: number): void {
    const workspace = this.workspaces.get(id);
    const { least, most } = WINDOW_RANGE_MS;
    if (!workspace) throw worldRefusal('workspace', [...this.workspaces.keys()].join(', '), id, 'setWindow');
    if (!(Number.isInteger(ms) && ms >= least && ms <= most))
      throw worldRefusal('window', `milliseconds from ${least} to ${most}`, ms, 'setWindow');
    this.workspaces = new Map(this.workspaces).set(id, { ...workspace, window_ms: ms });
  }

  windowMsOf(workspace: string): number {
    return this.workspaces.get(workspace)?.window_ms ?? WINDOW_MS;
  }

  /** Requests per window that a workspace's plan allows. */
  limitOf(workspace: string): number {
    const plan = this.workspaces.get(workspace)?.plan ?? 'pro';
    return typeof plan === 'number' ? plan : PLANS[plan];
  }

  windowOf(workspace: string): Window {
    return getOrMake(this.#windows, workspace, () => new Window(this.limitOf(workspace)));
  }

  /** The request window of one key, if `rate-source` has one. */
  keyWindowOf(key: string): Window {
    return getOrMake(this.#windows, `key ${key}`, () => new Window(KEY_CEILING));
  }
}

const worldRefusal = (what: string, known: string, got: unknown, call = 'setPlan'): RangeError =>
  new RangeError(
    `world.${call} is refused: unknown ${what}, expected one of ${known}, got ${JSON.stringify(got)}. The types of wm-mock say what it takes.`,
  );

export type Store = { readonly [N in RecordName]: Collection<Records[N]> };

const storeOf = ofEach as unknown as (make: (name: RecordName) => unknown) => Store;
