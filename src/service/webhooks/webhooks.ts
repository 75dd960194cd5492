// The webhooks of one world: an observer that turns changes into deliveries and has the clock make their attempts.
import { Problem } from '../contract/errors.ts';
import type { Entry, Job } from '../world/clock.ts';
import type { Faults } from '../world/faults.ts';
import type { WebhookRecord } from '../world/records.ts';
import { momentText } from '../world/time.ts';
import type { Change, World } from '../world/world.ts';
import { makeAttempt, type ReceiverRules } from './attempt.ts';
import { createDeliveries, disturbDelivery, isWaiting, waitingIn } from './create-deliveries.ts';
import { Deliveries } from './deliveries.ts';
import { afterAttempt, type Delivery, type EndedAttempt, type Scripted, stopDelivery, type Trigger } from './delivery.ts';
import { Scripts } from './scripts.ts';
import type { Sender } from './sender.ts';

export interface WebhookOptions extends ReceiverRules {
  readonly faults?: Faults;
  /** Makes the attempts instead of the sender, in recordings. */
  readonly attempting?: Attempting | undefined;
}

type WebhookState = ReturnType<typeof makeAttempt>;

/** Makes an attempt, by a sender of its own choice. */
export type Attempting = (delivery: Delivery, make: (sender: Sender) => WebhookState, sender: Sender) => WebhookState;

/** The parts that a copy takes over: log and scripted outcomes. The agenda belongs to the clock. */
export type Saved = Pick<Webhooks, 'deliveries' | 'scripts'>;

export class Webhooks {
  readonly deliveries: Deliveries;
  readonly scripts: Scripts;
  readonly #world: World;
  readonly #sender: Sender;
  readonly #options: WebhookOptions;
  /** Built from the log on first use: most copies of a world announce nothing. */
  #waitingInLog: Map<string, string> | undefined;
  readonly #listeners = new Set<(delivery: Delivery) => void>();
  readonly #underWay = new Set<AbortController>();
  #leaving: WebhookRecord | undefined;

  /** Attaches to a world: announces its changes and has its clock make the attempts on its agenda. */
  constructor(world: World, sender: Sender, options: WebhookOptions = {}, saved?: Saved) {
    this.#world = world;
    this.#sender = sender;
    this.#options = options;
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
    const announced = createDeliveries(this.#world, change);
    const { faults } = this.#options;
    const disturbed =
      faults?.size && announced.length > 0 ? disturbDelivery(this.#world, faults, announced, this.#waiting) : announced;
    for (const delivery of disturbed) {
      const ahead_of = isWaiting(delivery) ? [] : this.#takeWaiting(delivery.webhook_id);
      if (isWaiting(delivery)) this.#waiting.set(delivery.id, delivery.webhook_id);
      this.#schedule('event', ahead_of.length === 0 ? delivery : { ...delivery, ahead_of });
    }
  }

  get #waiting(): Map<string, string> {
    this.#waitingInLog ??= waitingIn(this.deliveries.list());
    return this.#waitingInLog;
  }

  #takeWaiting(webhook: string): readonly string[] {
    const ids = [...this.#waiting].flatMap(([id, of]) => (of === webhook ? [id] : []));
    for (const id of ids) this.#waiting.delete(id);
    return ids;
  }

  /** Sends deliveries that waited for another, once its first attempt has ended. */
  #follow({ webhook_id, attempts, ahead_of = [] }: Delivery): void {
    if (attempts.length > 0 || ahead_of.length === 0) return;
    for (const { delivery, entry } of this.deliveries.ahead(webhook_id)) {
      if (!ahead_of.includes(delivery.id) || !entry || !this.#world.clock.cancel(entry)) continue;
      this.#schedule('event', { ...delivery, next_attempt_at: momentText(this.#world.clock.now()) });
    }
  }

  #registration({ webhook_id }: Delivery): WebhookRecord | undefined {
    return this.#leaving?.id === webhook_id ? this.#leaving : this.#world.store.webhooks.get(webhook_id)?.value;
  }

  #schedule(kind: Trigger, delivery: Delivery): void {
    const { id, next_attempt_at } = delivery;
    this.#write(delivery, this.#world.clock.at(Date.parse(next_attempt_at!), { kind, id }));
  }

  #write(delivery: Delivery, entry?: Entry): void {
    const replaced = this.deliveries.put(delivery, entry);
    if (replaced?.entry) this.#world.clock.cancel(replaced.entry);
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
    this.#waitingInLog?.delete(id);
    const control = new AbortController();
    this.#underWay.add(control);
    const order = {
      ...this.#options,
      world: this.#world,
      delivery,
      trigger: kind as Trigger,
      secret: registration.secret,
      scripted: this.scripts.take(delivery.webhook_id, id),
      signal: control.signal,
    };
    const make = (sender: Sender) => makeAttempt({ ...order, sender });
    const { attempting } = this.#options;
    const { ended, request } = await (attempting?.(delivery, make, this.#sender) ?? make(this.#sender));
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
    else if (this.#registration(next)) this.#schedule('retry', next);
    else this.#write(stopDelivery(next));
  }
}
