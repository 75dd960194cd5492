// The saved image of one running world, and what has to be written to bring it up to date.
import type { Row } from '../../service/world/collection.ts';
import { MAX_EXCHANGES } from '../../service/world/journal.ts';
import type { Log } from '../../service/world/log.ts';
import { NAMES, type RecordName, type Records } from '../../service/world/world.ts';
import type { Running } from '../control/running.ts';
import type { Snapshot } from '../control/snapshot.ts';
import { padded, savedRow } from './layers.ts';
import { saveExchanges } from './saved-exchange.ts';
import { type SavedCore, saveCore } from './saved-state.ts';

/** The value under the key of a running world's image. Its rows are those of its base, some of them replaced. */
export interface SavedRunning extends SavedCore {
  readonly base: number;
  readonly retired: readonly string[];
}

export interface Writing {
  put(key: string, value: unknown): void;
  remove(key: string): void;
}

/** How many exchanges share a value: SQLite reads long values whole even when it searches for others beside them. */
const TOGETHER = 5;
/** How many groups of exchanges are deleted at once when the journal is full. */
const AT_ONCE = 64;

export type Group = readonly [first: number, last: number];

/** Which of its numbered values are on the shelf. */
export interface KeptNumbers {
  readonly deliveries: ReadonlyMap<string, number>;
  /** The first and the last exchange of a group. */
  readonly groups: readonly Group[];
}

type AnyRow = Row<Records[RecordName]>;

/** The entries of a log on the shelf, each under a number of its own. */
class LogImage<Id extends string | number> {
  readonly #log: Pick<Log<Id, unknown>, 'get' | 'entries'>;
  readonly #part: string;
  readonly #saved = new Map<Id, { readonly value: unknown; readonly number: number }>();
  #numbered = 0;

  /** @param numbers those of the entries that are on the shelf */
  constructor(log: Pick<Log<Id, unknown>, 'get' | 'entries'>, part: string, numbers?: ReadonlyMap<Id, number>) {
    this.#log = log;
    this.#part = part;
    for (const [id, number] of numbers ?? []) {
      this.#saved.set(id, { value: log.get(id), number });
      this.#numbered = Math.max(this.#numbered, number);
    }
  }

  write(prefix: string, to: Writing): void {
    const evicted = new Set(this.#saved.keys());
    for (const [id, { value }] of this.#log.entries()) {
      evicted.delete(id);
      const saved = this.#saved.get(id);
      if (saved?.value === value) continue;
      const number = saved?.number ?? (typeof id === 'number' ? id : ++this.#numbered);
      this.#saved.set(id, { value, number });
      to.put(`${prefix}${this.#part}/${padded(number)}`, value);
    }
    for (const id of evicted) {
      to.remove(`${prefix}${this.#part}/${padded(this.#saved.get(id)!.number)}`);
      this.#saved.delete(id);
    }
  }
}

export class RunningImage {
  /** The snapshot whose rows it builds on. */
  readonly base: Snapshot;
  readonly #baseId: number;
  readonly #running: Running;
  readonly #touched = new Set<string>();
  /** A mark of each single value on the shelf: an equal one means that it has not changed. */
  readonly #marks = new Map<string, unknown>();
  readonly #deliveries: LogImage<string>;
  readonly #timeline: LogImage<number>;
  /** Of exchanges on the shelf. */
  readonly #groups: Group[];
  #next: number;

  /** @param kept what the shelf already holds, if up to date. */
  constructor(running: Running, base: Snapshot, baseId: number, kept?: KeptNumbers) {
    this.#running = running;
    this.base = base;
    this.#baseId = baseId;
    this.#groups = [...(kept?.groups ?? [])];
    this.#next = kept ? running.journal.next : running.journal.first;
    this.#deliveries = new LogImage(running.webhooks.deliveries.log, 'delivery', kept?.deliveries);
    const occurrences = kept && new Map(running.timeline.log.all().map(({ n }) => [n, n]));
    this.#timeline = new LogImage(running.timeline.log, 'timeline', occurrences);
    this.#marks.set('attempted', '');
    if (kept) {
      this.#marks.set('inbox', running.inbox.boxes);
      this.#marks.set('attempted', [...running.attempted].join());
    } else for (const name of NAMES) this.#compare(name, base);
    running.world.onTouch = (name, id) => this.#touched.add(`${name}/${id}`);
  }

  /** Writes what has changed since the last time. @param journal whether to include the journal */
  write(prefix: string, to: Writing, journal: boolean): void {
    const { webhooks, retired, attempted, inbox } = this.#running;
    const put = (key: string, mark: unknown, value: () => unknown) => {
      if (this.#marks.get(key) !== mark) to.put(prefix + key, value());
      this.#marks.set(key, mark);
    };
    put('attempted', [...attempted].join(), () => [...attempted]);
    const core: SavedRunning = { ...saveCore(this.#running, webhooks.scripts), base: this.#baseId, retired: [...retired] };
    put('core', JSON.stringify(core), () => core);
    this.#writeRows(prefix, to);
    if (journal) this.#writeJournal(prefix, to);
    this.#timeline.write(prefix, to);
    this.#deliveries.write(prefix, to);
    put('inbox', inbox.boxes, () => inbox.save());
  }

  #compare(name: RecordName, base: Snapshot): void {
    const [now, then] = [this.#running.world.store[name], base.world.store[name]];
    const changed = now.changedSince(then as never);
    if (changed) {
      for (const id of changed) this.#touched.add(`${name}/${id}`);
      return;
    }
    for (const row of now.all() as AnyRow[]) if (then.get(row.value.id) !== row) this.#touched.add(`${name}/${row.value.id}`);
    for (const { value } of then.all() as AnyRow[]) if (!now.get(value.id)) this.#touched.add(`${name}/${value.id}`);
  }

  #writeRows(prefix: string, to: Writing): void {
    for (const touched of this.#touched) {
      const slash = touched.indexOf('/');
      to.put(`${prefix}row/${touched}`, savedRow(this.#running, touched.slice(0, slash) as RecordName, touched.slice(slash + 1)));
    }
    this.#touched.clear();
  }

  #writeJournal(prefix: string, to: Writing): void {
    const { journal } = this.#running;
    const from = Math.max(this.#next, journal.first);
    const needed = this.#groups.findIndex(([, last]) => last >= journal.first);
    const gone = needed < 0 ? this.#groups.length : needed;
    const isFull = journal.next - journal.first === MAX_EXCHANGES;
    if (gone >= (isFull ? AT_ONCE : 1))
      for (const [first] of this.#groups.splice(0, gone)) to.remove(`${prefix}exchange/${padded(first)}`);
    this.#next = journal.next;
    for (let first = from; first < journal.next; first += TOGETHER) {
      const group = Array.from({ length: Math.min(TOGETHER, journal.next - first) }, (_, i) => journal.get(first + i)!);
      this.#groups.push([first, first + group.length - 1]);
      to.put(`${prefix}exchange/${padded(first)}`, saveExchanges(group));
    }
  }
}
