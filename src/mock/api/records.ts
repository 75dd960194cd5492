// Data in one line: read, create, change and remove records, bypassing scopes, quota and journal.

import { NAMES, type RecordName } from '../../service/world/records.ts';
import { byProgram, checked } from '../control/by-program.ts';
import type { Instance } from '../control/instance.ts';
import { type Kept, type One, oneOf, type RecordDraft, type RecordPatch, type RecordQuery } from '../control/record-types.ts';
import { createRecord, readRecords, recordWith, removeRecord, updateRecord } from '../control/records.ts';
import { heard } from '../control/tape.ts';
import { live, once } from './members.ts';

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
  readonly create: { readonly [N in RecordName as One<N>]: (...given: Create<N>) => Kept<N> };
  /** Reads records, oldest first: those that match every given field. A record by its id; undefined when there is none. */
  readonly read: { readonly [N in RecordName]: (query?: RecordQuery<N>) => readonly Kept<N>[] } & {
    readonly [N in RecordName as One<N>]: (id: string) => Kept<N> | undefined;
  };
  /** Changes any field of a record but its id. @throws Problem naming each refused field; then nothing has changed */
  readonly update: { readonly [N in RecordName as One<N>]: (id: string, patch: RecordPatch<N>) => Kept<N> };
  /** Removes a record and those that cannot exist without it, as the service does. @throws Problem 404 when there is none, 409 when another record names it */
  readonly remove: { readonly [N in RecordName as One<N>]: (id: string) => void };
}

/** The records of an instance, as a program reads and changes them. */
export const recordsOf = (instance: Instance): MockRecords => {
  const each = <F>(verb: string, act: (name: RecordName, ...given: never[]) => F) =>
    Object.fromEntries(
      NAMES.map((name) => {
        const call = `${verb}.${oneOf(name)}`;
        return [
          oneOf(name),
          heard(verb === 'read' ? undefined : instance, call, (...given: never[]) => byProgram(call, () => act(name, ...given))),
        ];
      }),
    );
  const many = () =>
    NAMES.map((name) => [
      name,
      (query = {}) => byProgram(`read.${name}`, () => readRecords(instance.world, name, checked('anObject', query))),
    ]);
  // Most worlds are never asked for most of these.
  return live({
    create: once(() => each('create', (name, draft = {}) => createRecord(instance.world, name, checked('anObject', draft)))),
    read: once(() => ({
      ...each('read', (name, id: string) => recordWith(instance.world, name, id)),
      ...Object.fromEntries(many()),
    })),
    update: once(() =>
      each('update', (name, id: string, patch: object) => updateRecord(instance.world, name, id, checked('anObject', patch))),
    ),
    remove: once(() => each('remove', (name, id: string) => removeRecord(instance.world, name, id))),
  }) as unknown as MockRecords;
};
