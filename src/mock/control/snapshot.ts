// All of a world at rest: what snapshots keep, what a reset goes back to, what a fork begins with; from a seed, and back to one.
import { saveTerms } from '../../service/contract/terms.ts';
import { putLaterValues } from '../../service/forward-compat/responses.ts';
import { bytesOfExchange, type Exchange } from '../../service/http/exchange.ts';
import type { Saved } from '../../service/webhooks/webhooks.ts';
import type { Row } from '../../service/world/collection.ts';
import { Faults } from '../../service/world/faults.ts';
import { Journal } from '../../service/world/log.ts';
import { hash32, Random } from '../../service/world/random.ts';
import {
  type KeyRecord,
  ofEach,
  type Progress,
  type RecordName,
  type Runs,
  type Seed,
  type WorkspaceSeed,
} from '../../service/world/records.ts';
import { World } from '../../service/world/world.ts';
import { Inbox } from './inbox.ts';
import { Timeline } from './timeline.ts';

/** The parts of a world's state, forked from those of another. */
export class StateParts {
  readonly world: World;
  readonly faults: Faults;
  readonly journal: Journal<Exchange>;
  readonly inbox: Inbox;
  readonly timeline: Timeline;

  constructor(from: StateParts) {
    this.world = from.world.fork();
    this.faults = from.faults.fork();
    this.journal = from.journal.fork();
    this.inbox = from.inbox.fork();
    this.timeline = from.timeline.fork();
  }
}

/** Immutable, so any number of instances continue from it. */
export interface Snapshot extends StateParts {
  readonly webhooks: Saved | undefined;
}

/** The past of a seed or a fork. */
export const emptyPast = () => ({ journal: new Journal<Exchange>(bytesOfExchange), timeline: new Timeline() });

export const snapshotOf = (world: World): Snapshot => ({
  world,
  faults: new Faults(),
  ...emptyPast(),
  inbox: new Inbox(),
  webhooks: undefined,
});

/** Saved states have the values of later releases already. */
export const plantSeed = (seed: Seed): Snapshot => {
  const world = World.plant(seed);
  if (!seed.progress) putLaterValues(world);
  return snapshotOf(world);
};

const runsOf = (turns: readonly number[]): Runs => {
  const runs: { from: number; count: number }[] = [];
  for (const turn of turns) {
    const last = runs.at(-1);
    if (last && last.from + last.count === turn) last.count += 1;
    else runs.push({ from: turn, count: 1 });
  }
  return runs;
};

const progressOf = (world: World): Progress => {
  const workspaces = [...world.workspaces.keys()];
  const turns = (name: RecordName) => {
    const rows = world.store[name].all();
    return workspaces.flatMap((id) => rows.filter(({ workspace }) => workspace === id).map(({ sequence }) => sequence));
  };
  return {
    sequence: world.sequence,
    drawn: [...world.random.drawn].map(([stream, count]) => ({ stream, count })),
    order: ofEach((name) => runsOf(turns(name))),
  };
};

const settingsOf = (world: World) => ({
  now: world.clock.mode === 'frozen' ? world.clock.now() : null,
  randomSeed: world.random.seed,
  ...saveTerms(world.terms),
  choices: world.choices,
});

/** @returns a function with another result for each change of the seed */
export const watchSeed = (currentWorld: () => World): (() => string) => {
  let changes = 0;
  let watched: World | undefined;
  return () => {
    const world = currentWorld();
    // A reset replaces the world.
    if (world !== watched) {
      world.observers.push(() => (changes += 1));
      changes += 1;
      watched = world;
    }
    return JSON.stringify([changes, settingsOf(world), [...world.workspaces.values()]]);
  };
};

export const seedOf = (world: World): Seed => {
  const rows = ofEach((name): readonly Row<unknown>[] => world.store[name].all());
  const recordsOf = (workspace: string) =>
    ofEach((name) => rows[name].flatMap((row) => (row.workspace === workspace ? [row.value] : [])));
  return {
    ...settingsOf(world),
    workspaces: [...world.workspaces.values()].map(
      (workspace) => ({ ...workspace, ...recordsOf(workspace.id) }) as WorkspaceSeed,
    ),
    progress: progressOf(world),
  };
};

/** The id keeps values apart when two ids share a hash. */
const ownValue = (world: string, random: Random): string =>
  `wm_${world.replace(/[^A-Za-z0-9]/g, '')}_${random.letters('key', 24)}`;

/**
 * Adds a key beside each working one, with an id made from its id: equal sessions look equal in every world.
 * @param named makes the value; by default from the id of the world
 */
export const mintKeys = (world: World, id: string, named?: (key: KeyRecord) => string): KeyRecord[] => {
  const random = new Random(hash32(id));
  return world.store.keys
    .all()
    .filter(({ value }) => !value.revoked)
    .map(({ value: key, workspace }) => {
      const own = { ...key, id: `${key.id}_own`, name: `${key.name} (this world)`, value: named?.(key) ?? ownValue(id, random) };
      world.store.keys.put({ value: own, workspace, sequence: world.nextSequence() });
      return own;
    });
};
