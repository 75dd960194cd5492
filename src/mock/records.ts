// Data in one line: records of a mock read, created, changed and removed, outside scopes, quota and journal.
import { byProgram, checked } from '../control/by-program.ts';
import type { Instance } from '../control/instance.ts';
import { type Kept, type One, oneOf, type RecordDraft, type RecordPatch, type RecordQuery } from '../control/record-types.ts';
import { createRecord, readRecords, recordWith, removeRecord, updateRecord } from '../control/records.ts';
import { heard } from '../control/tape.ts';
import { NAMES, type RecordName } from '../world/records.ts';
import { live, once } from './members.ts';

type Create<N extends RecordName> =
  Partial<RecordDraft<N>> extends RecordDraft<N> ? [draft?: RecordDraft<N>] : [draft: RecordDraft<N>];

/** What can be done with the records of a world; webhooks are told as of any other change. */
export interface MockRecords {
  /**
   * Creates a record, and what stands in it: a project with its `tasks`. What is left out is made: ids and times by the world's own
   * chance and clock; a task goes into the first project of its workspace, and where there is none, one is made. Times are ISO 8601,
   * or relative to now: `-2h`, `+3d`.
   * @throws Problem naming each field that is refused, with nothing changed
   */
  readonly create: { readonly [N in RecordName as One<N>]: (...given: Create<N>) => Kept<N> };
  /** Reads records, oldest first: those that fit in every field that is given. A record by its id; undefined when there is none. */
  readonly read: { readonly [N in RecordName]: (query?: RecordQuery<N>) => readonly Kept<N>[] } & {
    readonly [N in RecordName as One<N>]: (id: string) => Kept<N> | undefined;
  };
  /** Changes any field of a record but its id. @throws Problem naming each field that is refused, with nothing changed */
  readonly update: { readonly [N in RecordName as One<N>]: (id: string, patch: RecordPatch<N>) => Kept<N> };
  /** Removes a record, and what cannot be without it, as the service does. @throws Problem 404 when there is none, 409 when something needs it */
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
