// One world of the host: as it runs, what it goes back to, its snapshots, and those who listen to it.
import { Problem } from '../../service/contract/errors.ts';
import type { Release } from '../../service/contract/releases.ts';
import type { Exchange } from '../../service/http/exchange.ts';
import type { JournalReader } from '../../service/http/journal-entries.ts';
import { realNow } from '../../service/world/time.ts';
import { Feed } from './feed.ts';
import { EMPTY_BYTES, type HostMemory } from './memory.ts';
import type { RecordedStart, Recording, WorldRecorder } from './recorder.ts';
import { Running, type SendOptions } from './running.ts';
import type { Snapshot } from './snapshot.ts';

const MAX_SNAPSHOTS = 1000;

/** The part of a host that its worlds use. */
interface InstanceHost {
  readonly options: SendOptions & { readonly recording?: Recording | undefined };
  readonly memory: HostMemory;
  readonly onExchange: ReadonlySet<(instance: Instance, exchange: Exchange) => void>;
}

export class Instance {
  // The parts of the running world.
  declare readonly world: Running['world'];
  declare readonly faults: Running['faults'];
  declare readonly journal: Running['journal'];
  declare readonly inbox: Running['inbox'];
  declare readonly timeline: Running['timeline'];
  declare readonly webhooks: Running['webhooks'];
  readonly id: string;
  readonly feed = new Feed((data) => this.showing().hidden(JSON.stringify(data)));
  /** Real time of the last request, milliseconds since 1970. */
  lastUsed = realNow();
  readonly since = realNow();
  /** Its purpose, such as a test, and the result. */
  about: { readonly title?: string | undefined; readonly outcome?: 'passed' | 'failed' | undefined } = {};
  origin: Snapshot;
  #running: Running | undefined;
  readonly host: InstanceHost;
  /** Absent: the world is not recorded. */
  readonly recorder: WorldRecorder | undefined;
  readonly snapshots = new Map<string, Snapshot>();
  /** Snapshots ever made. */
  taken = 0;

  constructor(id: string, origin: Snapshot, host: InstanceHost) {
    this.id = id;
    this.origin = origin;
    this.host = host;
    this.recorder = host.options.recording?.recorderOf(id, origin, this);
    if (this.recorder?.start) this.#startFrom(this.recorder.start);
  }

  start(): RecordedStart {
    const { opened, origin, snapshots, taken } = this;
    const [now, attempted] = [opened?.snapshot('without journal'), [...(opened?.attempted ?? [])]];
    return { origin, now, snapshots: new Map(snapshots), taken, attempted };
  }

  #startFrom({ origin, now, snapshots, taken, attempted }: RecordedStart): void {
    this.origin = origin;
    for (const [id, snapshot] of snapshots) this.snapshots.set(id, snapshot);
    this.taken = taken;
    if (!now) return;
    const running = this.resumeFrom(now);
    for (const delivery of attempted) running.attempted.add(delivery);
  }

  /** Made on first use: an unused fork holds nothing of its own. */
  get running(): Running {
    this.#running ??= new Running(this.origin, this);
    return this.#running;
  }

  get opened(): Running | undefined {
    return this.#running;
  }

  /** Continues from a snapshot without an event. */
  resumeFrom(from: Snapshot): Running {
    this.#running = new Running(from, this);
    return this.#running;
  }

  get release(): Release {
    return (this.#running ?? this.origin).world.release;
  }

  reset(origin: Snapshot = this.origin): void {
    this.origin = origin;
    this.#become(origin);
  }

  /** @returns the id of the snapshot @throws Problem 409 when there are too many */
  snapshot(): string {
    if (this.snapshots.size >= MAX_SNAPSHOTS)
      throw new Problem(409, 'conflict', `This world has ${MAX_SNAPSHOTS} snapshots already. Delete some.`);
    this.host.memory.take('snapshot', EMPTY_BYTES.snapshot);
    this.taken += 1;
    const id = `snap_${this.taken}`;
    this.snapshots.set(id, this.running.snapshot('with journal'));
    return id;
  }

  restore(id: string): boolean {
    const snapshot = this.snapshots.get(id);
    if (snapshot) this.#become(snapshot);
    return snapshot !== undefined;
  }

  /** Makes a change, which the timeline shows under its title. */
  act<T>(title: string, act: () => T): T {
    const before = this.running;
    const value = before.timeline.act(title, act);
    // A reset or restore replaced the timeline.
    if (this.running !== before) this.timeline.note('edit', title);
    return value;
  }

  showing(): JournalReader {
    return this.running.showing();
  }

  onExchange(exchange: Exchange): void {
    this.feed.tell('request', () => this.showing().summary(exchange));
    for (const listen of this.host.onExchange) listen(this, exchange);
  }

  tellClock(): void {
    const { clock } = this.world;
    this.feed.tell('clock', () => ({ now: new Date(clock.now()).toISOString(), mode: clock.mode }));
  }

  close(): void {
    this.feed.end();
    this.#running?.stop();
  }

  #become(snapshot: Snapshot): void {
    const before = this.#running;
    this.#running = new Running(snapshot, this);
    before?.stop();
    this.tellClock();
    this.feed.tell('state', () => ({ kind: 'replaced' }));
  }
}

for (const part of ['world', 'faults', 'journal', 'inbox', 'timeline', 'webhooks'] as const) {
  Object.defineProperty(Instance.prototype, part, {
    get(this: Instance) {
      return this.running[part];
    },
  });
}
