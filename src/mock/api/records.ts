// Data in one line: read, create, change and remove records, bypassing scopes, quota and journal.
import type { RecordName } from '../../service/world/records.ts';
import type { One, RecordDraft, RecordPatch, RecordQuery, StoredRecord } from '../control/record-types.ts';

type Create<N extends RecordName> =
  Partial<RecordDraft<N>> extends RecordDraft<N> ? [draft?: RecordDraft<N>] : [draft: RecordDraft<N>];

/** Access to the records of a world; changes trigger webhooks as usual. */
export interface MockRecords {
  /**
   * Creates a record, and nested ones: a project with its `tasks`. Omitted fields are filled in: ids and times from the world's own
   * randomness and clock; a task goes into the first project of its workspace, created if there is none. Times are ISO 8601,
   * or relative to now: `-2h`, `+3d`.
   * @throws Problem naming each refused field; then nothing has changed
   */
  readonly create: { readonly [N in RecordName as One<N>]: (...given: Create<N>) => StoredRecord<N> };
  /** Reads records, oldest first: those that match every given field. A record by its id; undefined when there is none. */
  readonly read: { readonly [N in RecordName]: (query?: RecordQuery<N>) => readonly StoredRecord<N>[] } & {
    readonly [N in RecordName as One<N>]: (id: string) => StoredRecord<N> | undefined;
  };
  /** Changes any field of a record but its id. @throws Problem naming each refused field; then nothing has changed */
  readonly update: { readonly [N in RecordName as One<N>]: (id: string, patch: RecordPatch<N>) => StoredRecord<N> };
  /** Removes a record and those that cannot exist without it, as the service does. @throws Problem 404 when there is none, 409 when another record names it */
  readonly remove: { readonly [N in RecordName as One<N>]: (id: string) => void };
}
