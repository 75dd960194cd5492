// Names of the kinds of records, and their types outside the service.
import type { Is } from '../../service/contract/schema.ts';
import type { RecordName, Records } from '../../service/world/records.ts';
import type { RECORD_FILES } from '../seed/format.ts';

/** The singular of a kind: `task`. */
export type One<N extends RecordName> = N extends `${infer O}s` ? O : never;
export const singularOf = <N extends RecordName>(name: N): One<N> => name.slice(0, -1) as One<N>;
/** The singular as part of a name: `Task`. */
export const componentName = <N extends RecordName>(name: N): Capitalize<One<N>> =>
  `${name.charAt(0).toUpperCase()}${name.slice(1, -1)}` as Capitalize<One<N>>;

type FlatType<T> = { [K in keyof T]: T[K] } & {};
type SeedRecord<N extends RecordName> = Is<(typeof RECORD_FILES)[N]>;
type InWorkspace = { readonly workspace_id: string };
type StoredFields<N extends RecordName> = Records[N] & InWorkspace;
/** A record with every field, also those that responses omit, and its workspace; a key with its last use. */
export type StoredRecord<N extends RecordName> = FlatType<
  StoredFields<N> & (N extends 'keys' ? { readonly last_used_at: string | null } : unknown)
>;
/** Fields of a new record, as in a seed; missing ones are generated. Times are ISO 8601, or relative to now: `-2h`, `+3d`. */
export type RecordDraft<N extends RecordName> = FlatType<
  (N extends 'webhooks' ? SeedRecord<N> : Partial<SeedRecord<N>>) & Partial<InWorkspace>
>;
/** Fields to change. */
export type RecordPatch<N extends RecordName> = Partial<Omit<SeedRecord<N>, 'id' | 'tasks' | 'comments'>>;
type ListItem<T> = T extends readonly (infer I)[] ? I : T;
/** Values that records must have; of a list field, one item. */
export type RecordQuery<N extends RecordName> = {
  readonly [F in keyof StoredFields<N>]?: ListItem<StoredFields<N>[F]> | undefined;
};

export const RECORD_VERBS = ['list', 'get', 'create', 'update', 'delete'] as const;
export type RecordVerb = (typeof RECORD_VERBS)[number];

export type RecordId<
  V extends RecordVerb,
  N extends RecordName,
> = `${V}${Capitalize<One<N>>}Record${V extends 'list' ? 's' : ''}`;
export type RecordCallId = { [N in RecordName]: { [V in RecordVerb]: RecordId<V, N> }[RecordVerb] }[RecordName];

/** `createTaskRecord`, `listTaskRecords`. */
export const recordCallId = (verb: RecordVerb, name: RecordName): RecordCallId =>
  `${verb}${componentName(name)}Record${verb === 'list' ? 's' : ''}` as RecordCallId;
