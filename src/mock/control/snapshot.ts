// All of a world at rest: what snapshots keep, what a reset goes back to, what a fork begins with.
import { putLaterValues } from '../../service/forward-compat/values.ts';
import { bytesOfExchange, type Exchange } from '../../service/http/exchange.ts';
import type { Saved } from '../../service/webhooks/webhooks.ts';
import { Faults } from '../../service/world/faults.ts';
import { Journal } from '../../service/world/journal.ts';
import type { Seed } from '../../service/world/records.ts';
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
