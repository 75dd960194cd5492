// Makes the record members of a program's mock: changes are calls, reads look into the world.
import type { RecordName } from '../../service/world/records.ts';
import type { Instance } from '../control/instance.ts';
import { readRecords, recordWith } from '../control/records.ts';
import { refusalOfMember, validate, withoutUndefined } from '../control/validate.ts';
import type { Caller } from './call-member.ts';
import { KINDS, RECORD_CHANGES, type RecordChange, type RecordKind, recordCall } from './member-calls.ts';
import { live, once } from './members.ts';
import type { MockRecords } from './records.ts';

/** The records of an instance, as a program reads and changes them. */
export const recordsOf = (instance: Instance, { call }: Caller): MockRecords => {
  const kinds = Object.entries(KINDS) as [RecordKind, RecordName][];
  const change = (verb: RecordChange) => () =>
    Object.fromEntries(
      kinds.map(([kind]) => [kind, (...given: unknown[]) => call(`${verb}.${kind}`, recordCall(verb, kind), given)]),
    );
  const many =
    (name: RecordName) =>
    (query = {}) => {
      try {
        const fields = withoutUndefined(query);
        validate('anObject', fields);
        return readRecords(instance.world, name, fields as object);
      } catch (error) {
        throw refusalOfMember(`read.${name}`, error);
      }
    };
  const read = () =>
    Object.fromEntries(
      kinds.flatMap(([kind, name]) => [
        [kind, (id: string) => recordWith(instance.world, name, id)] as const,
        [name, many(name)] as const,
      ]),
    );
  // Most worlds use few of these.
  const changes = Object.fromEntries(RECORD_CHANGES.map((verb) => [verb, once(change(verb))]));
  return live({ ...changes, read: once(read) }) as unknown as MockRecords;
};
