// The records of a world: one collection of each kind.
import type { Collection } from './collection.ts';
import { ofEach, type RecordName, type Records } from './records.ts';

export type Store = { readonly [N in RecordName]: Collection<Records[N]> };

export const storeOf = ofEach as unknown as (make: (name: RecordName) => unknown) => Store;
