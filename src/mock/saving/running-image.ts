// The saved image of one running world: what brings it up to date, and the way back to a running world.
import type { LoggedDelivery } from '../../service/webhooks/deliveries.ts';
import { type Log, MAX_EXCHANGES } from '../../service/world/log.ts';
import { NAMES, type RecordName } from '../../service/world/world.ts';
import type { Running } from '../control/running.ts';
import {
  below,
  imagePrefix,
  type Kept,
  padded,
  type SavedCore,
  type SavedExchange,
  type SavedRest,
  saveCore,
  savedRow,
  saveExchanges,
  snapshotBelow,
} from '../control/saved-state.ts';
import type { Snapshot } from '../control/snapshot.ts';
import type { Occurrence } from '../control/timeline.ts';

/** The value under the key of a running world's image. Its rows are those of its base, some of them replaced. */
export interface SavedRunning extends SavedCore {
  readonly base: number;
  readonly retired: readonly string[];
}

export interface Writing {
  readonly put: [string, unknown][];
  readonly remove: string[];
}

/** How many exchanges share a value: SQLite reads long values whole even when it searches for others beside them. */
const TOGETHER = 5;
/** How many groups of exchanges are deleted at once when the journal is full. */
const AT_ONCE = 64;

/** Which numbered values are on the shelf. */
interface SavedNumbers {
  readonly deliveries: readonly (readonly [id: string, number: number])[];
  /** The first and the last exchange of each group. */
  readonly groups: (readonly [first: number, last: number])[];
}

/**
 * Writes what has changed in a log, each entry under a number of its own.
 * @param numbers those of the entries that are on the shelf
 */
const createLogWriter = <Id extends string | number>(
  log: Pick<Log<Id, unknown>, 'get' | 'entries'>,
  prefix: string,
  numbers: Iterable<readonly [Id, number]> = [],
) => {
  const saved = new Map<Id, { readonly value: unknown; readonly number: number }>();
  let numbered = 0;
  const note = (id: Id, value: unknown, number: number): string => {
    saved.set(id, { value, number });
    numbered = Math.max(numbered, number);
    return prefix + padded(number);
  };
  for (const [id, number] of numbers) note(id, log.get(id), number);
  return ({ put, remove }: Writing): void => {
    const evicted = new Set(saved.keys());
    for (const [id, { value }] of log.entries()) {
      evicted.delete(id);
      const known = saved.get(id);
      if (known?.value === value) continue;
      put.push([note(id, value, known?.number ?? (typeof id === 'number' ? id : numbered + 1)), value]);
    }
    for (const id of evicted) {
      remove.push(prefix + padded(saved.get(id)!.number));
      saved.delete(id);
    }
  };
};

export class RunningImage {
  readonly id: number;
  readonly running: Running;
  /** The snapshot whose rows it builds on. */
  readonly base: Snapshot;
  readonly #baseId: number;
  readonly #prefix: string;
  readonly #touched = new Set<string>();
  /** A mark of each single value on the shelf: an equal one means that it has not changed. */
  readonly #marks = new Map<string, unknown>([['attempted', '']]);
  readonly #writeLogs: readonly ((to: Writing) => void)[];
  readonly #groups: SavedNumbers['groups'];
  #next: number;

  /** @param kept what the shelf already holds, if up to date. */
  constructor(id: number, running: Running, base: Snapshot, baseId: number, kept?: SavedNumbers) {
    const { world, journal, timeline, webhooks, inbox, attempted } = running;
    this.id = id;
    this.running = running;
    this.base = base;
    this.#baseId = baseId;
    this.#prefix = imagePrefix(id);
    this.#groups = kept?.groups ?? [];
    this.#next = kept ? journal.next : journal.first;
    const occurrences = kept && timeline.log.all().map(({ n }) => [n, n] as const);
    this.#writeLogs = [
      createLogWriter(timeline.log, `${this.#prefix}timeline/`, occurrences),
      createLogWriter(webhooks.deliveries.log, `${this.#prefix}delivery/`, kept?.deliveries),
    ];
    if (kept) this.#marks.set('inbox', inbox.boxes).set('attempted', [...attempted].join());
    else for (const name of NAMES) this.#compare(name);
    world.onTouch = (name, record) => this.#touched.add(`${name}/${record}`);
  }

  /** Writes what has changed since the last time. @param journal whether to include the journal */
  write(to: Writing, journal: boolean): void {
    const { webhooks, retired, attempted, inbox } = this.running;
    const put = (key: string, mark: unknown, value: () => unknown) => {
      if (this.#marks.get(key) !== mark) to.put.push([this.#prefix + key, value()]);
      this.#marks.set(key, mark);
    };
    put('attempted', [...attempted].join(), () => [...attempted]);
    const core: SavedRunning = { ...saveCore(this.running, webhooks.scripts), base: this.#baseId, retired: [...retired] };
    put('core', JSON.stringify(core), () => core);
    for (const touched of this.#touched) {
      const [name, record] = touched.split(/\/(.*)/s) as [RecordName, string];
      to.put.push([`${this.#prefix}row/${touched}`, savedRow(this.running, name, record)]);
    }
    this.#touched.clear();
    if (journal) this.#writeJournal(to);
    for (const write of this.#writeLogs) write(to);
    put('inbox', inbox.boxes, () => inbox.save());
  }

  /** Without a common origin any row may differ. */
  #compare(name: RecordName): void {
    const [now, then] = [this.running.world.store[name], this.base.world.store[name]];
    const changed = now.changedSince(then as never) ?? [...now.all(), ...then.all()].map(({ value }) => value.id);
    for (const id of changed) this.#touched.add(`${name}/${id}`);
  }

  #writeJournal({ put, remove }: Writing): void {
    const { journal } = this.running;
    const keyOf = (first: number) => `${this.#prefix}exchange/${padded(first)}`;
    const from = Math.max(this.#next, journal.first);
    const needed = this.#groups.findIndex(([, last]) => last >= journal.first);
    const gone = needed < 0 ? this.#groups.length : needed;
    const isFull = journal.next - journal.first === MAX_EXCHANGES;
    if (gone >= (isFull ? AT_ONCE : 1)) for (const [first] of this.#groups.splice(0, gone)) remove.push(keyOf(first));
    this.#next = journal.next;
    for (let first = from; first < journal.next; first += TOGETHER) {
      const group = Array.from({ length: Math.min(TOGETHER, journal.next - first) }, (_, i) => journal.get(first + i)!);
      this.#groups.push([first, first + group.length - 1]);
      put.push([keyOf(first), saveExchanges(group)]);
    }
  }
}

/** Makes the world of an image run again. @param open opens it */
export const runningBelow = (kept: Kept, id: number, snapshotAt: (id: number) => Snapshot, open: (from: Snapshot) => Running) => {
  const prefix = imagePrefix(id);
  const core = kept.get(`${prefix}core`) as SavedRunning;
  const base = snapshotAt(core.base);
  const list = <T>(part: string) => below(kept, prefix + part) as [string, T][];
  const deliveries = list<LoggedDelivery>('delivery/');
  // In earlier formats each exchange has its own key.
  const grouped = list<SavedExchange | SavedExchange[]>('exchange/').map(([, one]) => [one].flat());
  const journal = grouped.flat();
  const running = open(
    snapshotBelow(kept, prefix, base, {
      ...core,
      journal,
      // The last ones may not have been saved.
      nextExchange: (journal.at(-1)?.number ?? core.nextExchange - 1) + 1,
      timeline: list<Occurrence>('timeline/').map(([, one]) => one),
      deliveries: deliveries.map(([, held]) => held),
      inbox: (kept.get(`${prefix}inbox`) ?? []) as SavedRest['inbox'],
    }),
  );
  for (const secret of core.retired) running.retired.add(secret);
  for (const delivery of (kept.get(`${prefix}attempted`) ?? []) as string[]) running.attempted.add(delivery);
  return new RunningImage(id, running, base, core.base, {
    deliveries: deliveries.map(([key, { delivery }]) => [delivery.id, Number(key)]),
    groups: grouped.map((group) => [group[0]!.number, group.at(-1)!.number]),
  });
};
