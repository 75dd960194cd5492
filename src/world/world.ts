// A world: one value that holds everything that can change, time and chance included.
import { type Choices, choose } from '../contract/choices.ts';
import type { Forward } from '../contract/forward.ts';
import { KEY_CEILING, PLANS } from '../contract/limits.ts';
import type { Release } from '../contract/releases.ts';
import { type SavedTerms, saveTerms, type Terms, termsFrom, termsOf } from '../contract/terms.ts';
import { Clock, type SavedClock } from './clock.ts';
import { Collection, type Row } from './collection.ts';
import { Random } from './random.ts';
import { byAge, NAMES, type RecordName, type Records, type Seed, type WorkspaceSeed } from './records.ts';
import { type Store, storeOf } from './store.ts';
import { turnsOf } from './turns.ts';
import { type SavedWindow, Window } from './window.ts';

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly plan: WorkspaceSeed['plan'];
}

/** Something that was committed. */
export interface Change<N extends RecordName = RecordName> {
  readonly name: N;
  readonly workspace: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly before: Records[N] | undefined;
  readonly after: Records[N] | undefined;
}

export { NAMES, type RecordName, type Records };

/** Everything of a world but its records, as plain data. */
export interface SavedWorld {
  readonly workspaces: readonly Workspace[];
  readonly terms: SavedTerms;
  readonly sequence: number;
  readonly clock: SavedClock;
  readonly random: { readonly seed: number; readonly drawn: readonly (readonly [string, number])[] };
  readonly lastUsed: readonly (readonly [string, number])[];
  readonly windows: readonly (readonly [string, SavedWindow])[];
}

export class World {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Told of each change once it is committed. */
  readonly observers: ((change: Change) => void)[] = [];
  /** When each key was last used, milliseconds since 1970. */
  readonly lastUsed: Map<string, number>;
  #workspaces: ReadonlyMap<string, Workspace>;
  #terms: Terms;
  #sequence: number;
  readonly #windows: Map<string, Window>;

  private constructor(parts: Pick<World, 'store' | 'clock' | 'random' | 'workspaces' | 'lastUsed' | 'terms'>, sequence: number) {
    this.store = parts.store;
    this.clock = parts.clock;
    this.random = parts.random;
    this.#workspaces = parts.workspaces;
    this.lastUsed = parts.lastUsed;
    this.#terms = parts.terms;
    this.#sequence = sequence;
    this.#windows = new Map();
  }

  /** A new world that holds what the seed says. Nobody is told: planting announces nothing. */
  static plant(seed: Seed): World {
    const { progress } = seed;
    const turns = progress && turnsOf(seed, progress);
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
    const workspaces = new Map(seed.workspaces.map(({ id, name, plan }) => [id, { id, name, plan }]));
    const clock = new Clock(seed.now);
    const random = new Random(seed.randomSeed, new Map(progress?.drawn.map(({ stream, count }) => [stream, count])));
    const parts = { store, clock, random, workspaces, lastUsed: new Map(), terms: termsOf(seed) };
    return new World(parts, turns && progress ? progress.sequence : sequence);
  }

  save(): SavedWorld {
    return {
      workspaces: [...this.workspaces.values()],
      terms: saveTerms(this.#terms),
      sequence: this.#sequence,
      clock: this.clock.save(),
      random: { seed: this.random.seed, drawn: [...this.random.drawn] },
      lastUsed: [...this.lastUsed],
      windows: [...this.#windows].map(([id, window]) => [id, window.save()] as const),
    };
  }

  /** The world that was saved, with its records. */
  static from(saved: SavedWorld, rowsOf: (name: RecordName) => readonly Row<Records[RecordName]>[]): World {
    const { random } = saved;
    const world = new World(
      {
        store: storeOf((name) => new Collection(rowsOf(name))),
        clock: Clock.from(saved.clock),
        random: new Random(random.seed, new Map(random.drawn)),
        workspaces: new Map(saved.workspaces.map((workspace) => [workspace.id, workspace])),
        lastUsed: new Map(saved.lastUsed),
        terms: termsFrom(saved.terms),
      },
      saved.sequence,
    );
    for (const [id, window] of saved.windows) world.#windows.set(id, Window.from(window));
    return world;
  }

  /** An independent copy of everything but the observers, at a cost that does not depend on the data. */
  fork(): World {
    const copy = new World(
      {
        store: storeOf((name) => this.store[name].fork()),
        clock: this.clock.fork(),
        random: this.random.fork(),
        workspaces: this.workspaces,
        lastUsed: new Map(this.lastUsed),
        terms: this.#terms,
      },
      this.#sequence,
    );
    for (const [id, window] of this.#windows) copy.#windows.set(id, window.fork());
    return copy;
  }

  /** The terms on which it answers, as they are now. */
  get terms(): Terms {
    return this.#terms;
  }

  get choices(): Choices {
    return this.#terms.choices;
  }

  get release(): Release {
    return this.#terms.contract.release;
  }

  get forward(): Forward {
    return this.#terms.forward;
  }

  /** Becomes the service of another release; what that one does not know is kept, and not shown. */
  become(release: Release): void {
    this.#terms = termsOf({ ...this.#terms, release });
  }

  /** Makes these changes of a later release from now on; none of them is in its records. */
  moveAhead(forward: Forward): void {
    this.#terms = { ...this.#terms, forward };
  }

  /** Answers some open points anew. @throws RangeError naming each unknown answer. */
  choose(answers: Readonly<Record<string, unknown>>): void {
    this.#terms = { ...this.#terms, choices: choose(answers, this.choices) };
  }

  /** The last turn of creation. */
  get sequence(): number {
    return this.#sequence;
  }

  nextSequence(): number {
    return ++this.#sequence;
  }

  get workspaces(): ReadonlyMap<string, Workspace> {
    return this.#workspaces;
  }

  /** Puts a workspace on another plan; the requests of the last minute stay counted. @throws RangeError when there is no such one. */
  setPlan(id: string, plan: Workspace['plan']): void {
    const workspace = this.#workspaces.get(id);
    if (!workspace) throw refused('workspace', [...this.#workspaces.keys()].join(', '), id);
    if (!(typeof plan === 'number' ? plan >= 1 : Object.hasOwn(PLANS, plan)))
      throw refused('plan', `${Object.keys(PLANS).join(', ')}, or requests a minute`, plan);
    this.#workspaces = new Map(this.#workspaces).set(id, { ...workspace, plan });
    const window = this.#windows.get(id);
    if (window) this.#windows.set(id, Window.from({ ...window.save(), limit: this.limitOf(id) }));
  }

  /** Requests per minute that a workspace's plan allows. */
  limitOf(workspace: string): number {
    const plan = this.workspaces.get(workspace)?.plan ?? 'pro';
    return typeof plan === 'number' ? plan : PLANS[plan];
  }

  /** The request window of a workspace. */
  windowOf(workspace: string): Window {
    return this.#window(workspace, () => this.limitOf(workspace));
  }

  /** The request window of one key, for the answer to `rate-source` that has one. */
  keyWindowOf(key: string): Window {
    return this.#window(`key ${key}`, () => KEY_CEILING);
  }

  #window(id: string, limit: () => number): Window {
    const known = this.#windows.get(id);
    if (known) return known;
    const made = new Window(limit());
    this.#windows.set(id, made);
    return made;
  }
}

const refused = (what: string, known: string, got: unknown): RangeError =>
  new RangeError(
    `world.setPlan is refused: unknown ${what}, expected one of ${known}, got ${JSON.stringify(got)}. The types of wm-mock say what it takes.`,
  );
