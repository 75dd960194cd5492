// Records as the control API takes and shows them, of every kind alike, made of the fields of the contract and the format of seeds.
import { opened } from '../contract/fields.ts';
import { Meta } from '../contract/resources.ts';
import { array, type Is, object, partial, type Schema, string } from '../contract/schema.ts';
import { RECORD_FILES } from '../seed/format.ts';
import { FIELDS, NAMES, ofEach, type RecordName, type Records } from '../world/records.ts';

/** What one record of a kind is called: `task`. */
export type One<N extends RecordName> = N extends `${infer O}s` ? O : never;
export const oneOf = <N extends RecordName>(name: N): One<N> => name.slice(0, -1) as One<N>;
/** The same as part of a name: `Task`. */
export const titleOf = <N extends RecordName>(name: N): Capitalize<One<N>> =>
  `${name.charAt(0).toUpperCase()}${name.slice(1, -1)}` as Capitalize<One<N>>;

type Show<T> = { [K in keyof T]: T[K] } & {};
type File<N extends RecordName> = Is<(typeof RECORD_FILES)[N]>;
export interface InWorkspace {
  readonly workspace_id: string;
}
/** A record as it is kept, whatever responses show of it, and whose it is. */
export type Kept<N extends RecordName> = Show<Records[N] & InWorkspace>;
/** What a new record is to hold, as in a seed; what is left out is made. Times are ISO 8601, or relative to now: `-2h`, `+3d`. */
export type RecordDraft<N extends RecordName> = Show<(N extends 'webhooks' ? File<N> : Partial<File<N>>) & Partial<InWorkspace>>;
/** What a record is to hold from now on. */
export type RecordPatch<N extends RecordName> = Partial<Omit<File<N>, 'id' | 'tasks' | 'comments'>>;
type Held<T> = T extends readonly (infer I)[] ? I : T;
/** What records have to hold to be read; of a list, an item. */
export type RecordQuery<N extends RecordName> = { readonly [F in keyof Kept<N>]?: Held<Kept<N>[F]> | undefined };

const kept = ofEach((name) => {
  const fields = Object.fromEntries(FIELDS[name].map(({ name: field, schema }) => [field, opened(schema)]));
  return object({ ...fields, workspace_id: string({ description: 'Its workspace.' }) });
});

const workspace_id = string({ description: 'Its workspace; left out: that of what it refers to, or the first.' });

const taken = ofEach((name) => {
  const { properties, ...file } = partial(RECORD_FILES[name] as Schema<object>) as { readonly properties?: object };
  return { ...file, properties: { ...properties, workspace_id } } as Schema<unknown>;
});

/** The shapes of a kind: a record as it is kept, a page of them, and what creates or changes one. */
export const RECORD_SHAPES = ofEach((name) => ({
  kept: kept[name],
  page: object({ items: array(kept[name]), meta: Meta }),
  fields: taken[name],
})) as unknown as {
  readonly [N in RecordName]: Readonly<Record<'page' | 'fields', Schema<unknown>>> & { readonly kept: Schema<Kept<N>> };
};

/** The same by the names that they have in the document: `Task`, `TaskFields`. */
export const RECORD_COMPONENTS: Readonly<Record<string, Schema<unknown>>> = Object.fromEntries(
  NAMES.flatMap((name) => [
    [titleOf(name), kept[name]],
    [`${titleOf(name)}Fields`, taken[name]],
  ]),
);
