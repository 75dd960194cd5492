// The webhooks of one world: an observer that turns changes into deliveries and has the clock make their attempts.
import { Problem } from '../contract/errors.ts';
import type { Entry, Job } from '../world/agenda.ts';
import type { Faults } from '../world/faults.ts';
import type { WebhookRecord } from '../world/records.ts';
import { momentText } from '../world/time.ts';
import type { Change, World } from '../world/world.ts';
import { makeAttempt } from './attempt.ts';
import { createDeliveries } from './create-deliveries.ts';
import { Deliveries } from './deliveries.ts';
import { afterAttempt, type Delivery, type EndedAttempt, type Scripted, stopDelivery, type Trigger } from './delivery.ts';
import { disturbDelivery, isWaiting, ReorderQueue } from './event-faults.ts';
import { Scripts } from './scripts.ts';
import type { Sender } from './sender.ts';

export interface WebhookOptions {
  /** Whether events are really sent to receivers on other machines. */
  readonly deliverPublic?: boolean;
  /** Hosts to which they are always really sent. */
  readonly allowReceivers?: readonly string[] | undefined;
  readonly faults?: Faults;
  /** Makes the attempts instead of the sender, in recordings. */
  readonly attempting?: Attempting | undefined;
}

type WebhookState = ReturnType<typeof makeAttempt>;

/** Makes an attempt, by a sender of its own choice. */
export type Attempting = (delivery: Delivery, make: (sender: Sender) => WebhookState, sender: Sender) => WebhookState;

/** The parts that a copy takes over: log and scripted outcomes. The agenda belongs to the clock. */
export interface Saved {
  readonly deliveries: Deliveries;
  readonly scripts: Scripts;
}

export class Webhooks {
  readonly deliveries: Deliveries;
  readonly #world: World;
  readonly #sender: Sender;
  readonly #attempting: Attempting;
  readonly #sending: { readonly deliverPublic: boolean; readonly allowReceivers: readonly string[] };
  readonly #faults: Faults | undefined;
  readonly scripts: Scripts;
  /** Built from the log on first use: most copies of a world announce nothing. */
  #found: ReorderQueue | undefined;
  readonly #listeners = new Set<(delivery: Delivery) => void>();
  readonly #underWay = new Set<AbortController>();
  #leaving: WebhookRecord | undefined;

  /** Attaches to a world: announces its changes and has its clock make the attempts on its agenda. */
  constructor(world: World, sender: Sender, options: WebhookOptions = {}, saved?: Saved) {
    this.#world = world;
    const { deliverPublic = false, allowReceivers = [] } = options;
    this.#sender = sender;
    this.#attempting = options.attempting ?? ((_, make) => make(sender));
    this.#sending = { deliverPublic, allowReceivers };
    this.#faults = options.faults;
    this.deliveries = saved?.deliveries.fork() ?? new Deliveries();
    this.scripts = saved?.scripts.fork() ?? new Scripts();
    world.observers.push((change) => this.#observe(change));
    world.clock.run((job) => this.#run(job));
  }

  /** The current state that a copy of the world needs. Keeps nothing running. */
  save(): Saved {
    return { deliveries: this.deliveries.fork(), scripts: this.scripts.fork() };
  }

  /** Sends the same event again. @throws Problem 404 when the log has no such delivery, 409 when it is not settled. */
  replay(id: string): Delivery {
    const delivery = this.deliveries.get(id);
    if (!delivery) throw new Problem(404, 'not_found', 'The log has no delivery with this id.');
    if (delivery.state === 'pending' || delivery.state === 'retrying')
      throw new Problem(409, 'conflict', `The delivery is ${delivery.state}: only a delivered or failed one can be replayed.`);
    if (!this.#registration(delivery))
      throw new Problem(409, 'conflict', 'The registration of this delivery was deleted, and its secret with it.');
    this.#world.clock.at(this.#world.clock.now(), { kind: 'replay', id });
    return delivery;
  }

  /** Scripts the outcomes of a registration's next attempts, with nothing sent. @throws Problem 404 when there is no such registration. */
  simulate(webhookId: string, outcomes: readonly Scripted[]): void {
    if (!this.#world.store.webhooks.get(webhookId)) throw new Problem(404, 'not_found', 'No registration has this id.');
    this.#world.clock.startDue();
    this.scripts.order(webhookId, outcomes);
  }

  ordered(webhookId: string): readonly Scripted[] {
    return this.scripts.of(webhookId);
  }

  settled(): Promise<void> {
    return this.#world.clock.settled();
  }

  /** Calls with each delivery after a change: announced, attempted, stopped. @returns what ends it. */
  onDelivery(listener: (delivery: Delivery) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends everything: running attempts are aborted, none follows. */
  stop(): void {
    this.#world.clock.stop();
    for (const attempt of this.#underWay) attempt.abort();
    this.#listeners.clear();
  }

  #observe(change: Change): void {
    if (change.name === 'webhooks' && change.before && !change.after) this.#forget(change.before as WebhookRecord);
    for (const delivery of this.#announced(change)) {
      if (isWaiting(delivery)) this.#waiting.add(delivery);
      const ahead_of = isWaiting(delivery) ? [] : this.#waiting.take(delivery.webhook_id);
      const placed = ahead_of.length === 0 ? delivery : { ...delivery, ahead_of };
      this.#write(placed, this.#schedule('event', placed));
    }
  }

  get #waiting(): ReorderQueue {
    this.#found ??= new ReorderQueue(this.deliveries.list());
    return this.#found;
  }

  #announced(change: Change): readonly Delivery[] {
    const deliveries = createDeliveries(this.#world, change);
    if (deliveries.length === 0 || !this.#faults?.size) return deliveries;
    return disturbDelivery(this.#world, this.#faults, deliveries, (webhook) => this.#waiting.has(webhook));
  }

  /** Sends deliveries that waited for another, once its first attempt has ended. */
  #follow({ webhook_id, attempts, ahead_of = [] }: Delivery): void {
    if (attempts.length > 0 || ahead_of.length === 0) return;
    for (const { delivery, entry } of this.deliveries.ahead(webhook_id)) {
      if (!ahead_of.includes(delivery.id) || !entry || !this.#world.clock.cancel(entry)) continue;
      const now = { ...delivery, next_attempt_at: momentText(this.#world.clock.now()) };
      this.#write(now, this.#schedule('event', now));
    }
  }

  #registration({ webhook_id }: Delivery): WebhookRecord | undefined {
    return this.#leaving?.id === webhook_id ? this.#leaving : this.#world.store.webhooks.get(webhook_id)?.value;
  }

  #schedule(trigger: Trigger, { id, next_attempt_at }: Delivery): Entry {
    return this.#world.clock.at(Date.parse(next_attempt_at!), { kind: trigger, id });
  }

  #write(delivery: Delivery, entry?: Entry): void {
    const gone = this.deliveries.put(delivery, entry);
    if (gone?.entry) this.#world.clock.cancel(gone.entry);
    for (const listener of this.#listeners) listener(delivery);
  }

  /** Stops the future attempts of a deleted registration; those already due count as sent. */
  #forget(registration: WebhookRecord): void {
    this.#leaving = registration;
    this.#world.clock.startDue();
    this.#leaving = undefined;
    for (const { delivery, entry } of this.deliveries.ahead(registration.id)) {
      if (entry && this.#world.clock.cancel(entry)) this.#write(stopDelivery(delivery));
    }
  }

  async #run({ kind, id }: Job): Promise<() => void> {
    const delivery = this.deliveries.get(id);
    const registration = delivery && this.#registration(delivery);
    if (!delivery || !registration) return () => {};
    this.#found?.forget(delivery);
    const { clock, choices } = this.#world;
    const control = new AbortController();
    this.#underWay.add(control);
    const order = {
      delivery,
      trigger: kind as Trigger,
      secret: registration.secret,
      profile: choices.signature,
      at: clock.now(),
      frozen: clock.mode === 'frozen',
      scripted: this.scripts.take(delivery.webhook_id, id),
      ...this.#sending,
      signal: control.signal,
    };
    const make = (sender: Sender) => makeAttempt({ ...order, sender });
    const { ended, request } = await this.#attempting(delivery, make, this.#sender);
    this.#underWay.delete(control);
    return () => this.#record(id, ended, request);
  }

  #record(id: string, ended: EndedAttempt, request: Delivery['request']): void {
    this.scripts.used(id);
    const latest = this.deliveries.get(id);
    if (!latest) return;
    this.#follow(latest);
    const next = afterAttempt({ ...latest, request }, ended, this.#world.choices['retry-counted-from']);
    if (next.state !== 'retrying') this.#write(next);
    else if (this.#registration(next)) this.#write(next, this.#schedule('retry', next));
    else this.#write(stopDelivery(next));
  }
}
