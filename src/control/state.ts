// The state of a world with all that is its own: at rest, as snapshots and origins of forks are kept, or live.
import type { Exchange, Realm } from '../http/exchange.ts';
import { DELIVERIES_KEPT } from '../webhooks/deliveries.ts';
import type { Sender } from '../webhooks/sender.ts';
import { type Saved, type WebhookOptions, Webhooks } from '../webhooks/webhooks.ts';
import { Closing } from '../world/closing.ts';
import { Faults } from '../world/faults.ts';
import { Journal } from '../world/journal.ts';
import type { World } from '../world/world.ts';
import { Inbox } from './inbox.ts';

/** How live worlds send. */
export interface Sending extends WebhookOptions {
  readonly sender: Sender;
}

/** State at rest: nothing in it changes or runs, so any number of live states are made of it. */
export interface Still {
  readonly world: World;
  readonly faults: Faults;
  readonly journal: Journal<Exchange>;
  readonly inbox: Inbox;
  readonly webhooks: Saved | undefined;
}

/** The state of a planted world that nobody has used. */
export const stillOf = (world: World): Still => ({
  world,
  faults: new Faults(),
  journal: new Journal(),
  inbox: new Inbox(),
  webhooks: undefined,
});

export class Live implements Realm {
  readonly world: World;
  readonly faults: Faults;
  readonly journal: Journal<Exchange>;
  readonly inbox: Inbox;
  readonly webhooks: Webhooks;
  readonly closing = new Closing();
  /** What it was made of. */
  readonly base: Still;
  /** Secrets of registrations that were deleted: still to be hidden. */
  readonly retired = new Set<string>();

  /** Deliveries in which an attempt was made since the last advance: what is due is sent on the next turn, before anybody asks. */
  readonly attempted = new Set<string>();

  constructor(still: Still, { sender, ...options }: Sending) {
    this.base = still;
    this.world = still.world.fork();
    this.faults = still.faults.fork();
    this.journal = still.journal.fork();
    this.inbox = still.inbox.fork();
    const { journal, retired } = this;
    this.world.observers.push((change) => {
      journal.note(change);
      if (change.name === 'webhooks' && change.before) retired.add((change.before as { secret: string }).secret);
    });
    this.webhooks = new Webhooks(this.world, sender, options, still.webhooks);
    this.webhooks.onDelivery(({ id, attempts }) => {
      if (attempts.length === 0) return;
      this.attempted.delete(id);
      this.attempted.add(id);
      if (this.attempted.size > DELIVERIES_KEPT) this.attempted.delete(this.attempted.values().next().value!);
    });
  }

  /** A copy at rest, as it stands now. @param journal whether it keeps what was asked so far. */
  still(journal: 'with journal' | 'without journal'): Still {
    return {
      world: this.world.fork(),
      faults: this.faults.fork(),
      journal: journal === 'with journal' ? this.journal.fork() : new Journal(),
      inbox: this.inbox.fork(),
      webhooks: this.webhooks.save(),
    };
  }

  /** Ends what it has going: attempts, and answers that are delayed or kept back. */
  stop(): void {
    this.closing.close();
    this.webhooks.stop();
    this.faults.observers.length = 0;
    this.faults.clear();
  }
}
