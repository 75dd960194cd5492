// The records that the traffic showed, as they were last, and the ids that are certainly gone. At most 20,000 records.
import type { RecordName } from '../../service/world/records.ts';
import { type LooseRecord, type ReadExchange, recordFrom } from './read-exchange.ts';

export interface KnownRecord {
  readonly kind: RecordName;
  readonly record: LooseRecord;
}

const MAX_RECORDS = 20_000;

/** A key of unknown scope may be of any workspace, so it has records of its own. */
const workspaceOfKey = (as: string): string => (/^(read|write|admin)$/.test(as) ? 'main' : as);

export class KnownRecords {
  readonly #records = new Map<string, KnownRecord>();
  readonly #gone = new Set<string>();
  #start: number | undefined;
  /** Whether the records changed in a way that no request shows: by another writer, or in a lost exchange. */
  drifted = false;

  get(as: string, kind: RecordName, id: string): LooseRecord | undefined {
    const known = this.#records.get(`${workspaceOfKey(as)} ${id}`);
    return known?.kind === kind ? known.record : undefined;
  }

  all(as: string, kind: RecordName): readonly LooseRecord[] {
    const start = `${workspaceOfKey(as)} `;
    return [...this.#records].flatMap(([key, known]) => (known.kind === kind && key.startsWith(start) ? known.record : []));
  }

  isGone(as: string, id: string): boolean {
    return this.#gone.has(`${workspaceOfKey(as)} ${id}`);
  }

  learn({ as, row, variable, status, succeeded, records, sent, at, traffic: { method } }: ReadExchange): void {
    this.#start ??= at;
    for (const { kind, record } of records) {
      const before = this.get(as, kind, record.id);
      const after = recordFrom(kind, kind === 'teams' && method === 'POST' ? { ...sent, ...record } : record, before);
      const isNew = !before && Date.parse(String(after.created_at)) >= this.#start;
      if (
        method === 'GET' &&
        (isNew || (before && JSON.stringify(before) !== JSON.stringify(after) && kind !== 'users' && kind !== 'teams'))
      )
        this.drifted = true;
      const key = `${workspaceOfKey(as)} ${record.id}`;
      if (before || this.#records.size < MAX_RECORDS) this.#records.set(key, { kind, record: after });
      this.#gone.delete(key);
    }
    if (!row?.finds || variable === undefined) return;
    if (method === 'DELETE' && succeeded) this.#lose(as, variable);
    if (status !== 404) return;
    if (this.get(as, row.finds, variable)) this.drifted = true;
    this.#lose(as, variable);
  }

  /** Forgets a record in an unknown state. */
  forget(as: string, id: string | undefined): void {
    this.drifted = true;
    if (id !== undefined) this.#records.delete(`${workspaceOfKey(as)} ${id}`);
  }

  #lose(as: string, id: string): void {
    const workspace = `${workspaceOfKey(as)} `;
    const isProject = this.get(as, 'projects', id) !== undefined;
    this.#records.delete(workspace + id);
    if (this.#gone.size < MAX_RECORDS) this.#gone.add(workspace + id);
    if (!isProject) return;
    for (const [key, { record }] of this.#records)
      if (key.startsWith(workspace) && record.project_id === id) this.#lose(as, record.id);
  }
}
