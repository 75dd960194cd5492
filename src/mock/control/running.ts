// A world that runs, with all that is its own: made from a snapshot, stopped when another one takes its place.
import { touchedBy } from '../../service/http/differences.ts';
import type { Exchange, Service } from '../../service/http/exchange.ts';
import { JournalReader } from '../../service/http/journal-entries.ts';
import { isGeneratedSecret } from '../../service/http/redact.ts';
import type { RequestInfo } from '../../service/http/request-info.ts';
import { MAX_DELIVERIES } from '../../service/webhooks/deliveries.ts';
import type { Delivery } from '../../service/webhooks/delivery.ts';
import type { Sender } from '../../service/webhooks/sender.ts';
import { type WebhookOptions, Webhooks } from '../../service/webhooks/webhooks.ts';
import { bytesOfRecord } from '../../service/world/growth.ts';
import type { WebhookRecord } from '../../service/world/records.ts';
import { CloseSignal, type Time } from '../../service/world/time.ts';
import type { Change, World } from '../../service/world/world.ts';
import type { Feed } from './feed.ts';
import type { WorldRecorder } from './recorder.ts';
import { emptyPast, type Snapshot, StateParts } from './snapshot.ts';

/** Hears what happens in every world of a host. */
export interface Watcher {
  /** Called before anything happens in a world. @param id empty for the first */
  open(world: World, id: string): void;
  /** Called just before a request is handled. */
  request(world: World, request: RequestInfo): void;
  delivery(world: World, delivery: Delivery): void;
}

export interface SendOptions extends WebhookOptions {
  readonly sender: Sender;
  readonly watcher?: Watcher | undefined;
  /** Schedules the next wake-up; by default a timer. */
  readonly wake?: Time['after'] | undefined;
}

/** The part of an instance that its running world uses. */
interface WorldAround {
  readonly id: string;
  readonly feed: Feed;
  readonly recorder: WorldRecorder | undefined;
  readonly host: { readonly options: SendOptions; readonly memory: { add(bytes: number): void } };
  onExchange(exchange: Exchange): void;
}

/** The part of an instance that a reset or restore replaces. */
export class Running extends StateParts implements Service {
  readonly webhooks: Webhooks;
  readonly closing = new CloseSignal();
  readonly held = new Set<Exchange>();
  readonly base: Snapshot;
  /** Secrets of deleted registrations, still to be hidden. */
  readonly retired = new Set<string>();

  /** Cleared when a key or secret changes. */
  #showing: JournalReader | undefined;
  #changes: Change[] | undefined;
  readonly #around: WorldAround;
  /** Deliveries with an attempt since the last advance. */
  readonly attempted = new Set<string>();
  readonly noteRequest: Service['noteRequest'];
  readonly noteLeft: Service['noteLeft'];
  readonly nextTurn: Service['nextTurn'];

  constructor(base: Snapshot, around: WorldAround) {
    super(base);
    this.base = base;
    this.#around = around;
    const { recorder, feed } = around;
    const { memory, options: all } = around.host;
    const { sender, wake, watcher, ...options } = all;
    watcher?.open(this.world, around.id);
    if (recorder) this.world.clock.time = recorder.time;
    this.world.clock.wake = wake;
    this.nextTurn = recorder && ((read) => recorder.nextTurn(read));
    this.noteRequest =
      (recorder || watcher) &&
      ((request, body, read) => {
        recorder?.noteRequest('request', request, body, read);
        watcher?.request(this.world, read);
      });
    this.noteLeft = recorder?.noteLeft && ((request) => recorder.noteLeft!(request));
    const { timeline, retired } = this;
    timeline.clock = this.world.clock;
    timeline.step = () => recorder?.last;
    this.world.observers.push((change) => {
      this.#changes?.push(change);
      timeline.change(change);
      const bytes = bytesOfRecord(change.after) - bytesOfRecord(change.before);
      this.world.growth.add(bytes);
      memory.add(Math.max(0, bytes));
      if (change.name === 'webhooks' || change.name === 'keys') this.#showing = undefined;
      const { secret = '' } = change.name === 'webhooks' && change.before ? (change.before as WebhookRecord) : {};
      if (secret && !isGeneratedSecret(secret)) retired.add(secret);
    });
    this.faults.observers.push(() => feed.tell('state', () => ({ kind: 'faults' })));
    const how = { ...options, faults: this.faults, attempting: recorder?.attempting };
    this.webhooks = new Webhooks(this.world, sender, how, base.webhooks);
    this.webhooks.onDelivery((delivery) => {
      const { id, attempts } = delivery;
      timeline.deliver(delivery);
      watcher?.delivery(this.world, delivery);
      feed.tell('delivery', () => delivery);
      if (attempts.length === 0) return;
      this.attempted.delete(id);
      this.attempted.add(id);
      if (this.attempted.size > MAX_DELIVERIES) this.attempted.delete(this.attempted.values().next().value!);
    });
    // After the webhooks: a change is told behind the deliveries that it causes.
    this.world.observers.push((change) =>
      feed.tell('state', () => {
        const { kind, collection, id } = touchedBy(change);
        return { kind, collection, id, workspace_id: change.workspace };
      }),
    );
    const logs = [this.journal, timeline.log, this.inbox.log, this.webhooks.deliveries.log];
    for (const log of logs) log.onAppend = (bytes) => memory.add(bytes);
  }

  perform<T>(act: () => T) {
    const changes: Change[] = [];
    this.#changes = changes;
    const { value, n, step } = this.timeline.request(act);
    this.#changes = undefined;
    return { value, place: n, step, changes };
  }

  record(exchange: Exchange): void {
    exchange.number = this.journal.next;
    this.journal.add(exchange);
    this.#around.recorder?.noteExchange?.(exchange);
    this.#around.onExchange(exchange);
  }

  showing(): JournalReader {
    this.#showing ??= new JournalReader(this.world, this.journal, this.retired);
    return this.#showing;
  }

  snapshot(journal: 'with journal' | 'without journal'): Snapshot {
    const past = journal === 'with journal' ? {} : emptyPast();
    return { ...new StateParts({ ...this, ...past }), webhooks: this.webhooks.save() };
  }

  /** Ends attempts, and responses that are delayed or held. */
  stop(): void {
    this.closing.close();
    this.webhooks.stop();
    this.faults.observers.length = 0;
    this.faults.clear();
  }
}
