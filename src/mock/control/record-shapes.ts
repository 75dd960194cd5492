// Records as the control API takes and shows them, of every kind alike: schemas made of the fields of the contract and the format of seeds.
import { responseSchema } from '../../service/contract/fields.ts';
import { nullable, object, partial, type Schema, string, time } from '../../service/contract/schema.ts';
import { FIELDS, NAMES, ofEach, type RecordName } from '../../service/world/records.ts';
import { RECORD_FILES } from '../seed/format.ts';
import { componentName, type StoredRecord } from './record-types.ts';
import { listOf } from './shapes.ts';

const kept = ofEach((name) => {
  const fields = Object.fromEntries(FIELDS[name].map(({ name: field, schema }) => [field, responseSchema(schema)]));
  const used = name === 'keys' ? { last_used_at: nullable(time('When it was last used; null: never.')) } : {};
  return object({ ...fields, workspace_id: string({ description: 'Its workspace.' }), ...used });
});

const workspace_id = string({ description: 'Its workspace; left out: that of what it refers to, or the first.' });

const taken = ofEach((name) => {
  const { properties, ...file } = partial(RECORD_FILES[name] as Schema<object>) as { readonly properties?: object };
  return { ...file, properties: { ...properties, workspace_id } } as Schema<unknown>;
});

/** Schemas of a kind: a stored record, a page, a draft. */
export const RECORD_SHAPES = ofEach((name) => ({
  kept: kept[name],
  page: listOf(kept[name]),
  fields: taken[name],
})) as unknown as {
  readonly [N in RecordName]: Readonly<Record<'page' | 'fields', Schema<unknown>>> & { readonly kept: Schema<StoredRecord<N>> };
};

export const RECORD_COMPONENTS: Readonly<Record<string, Schema<unknown>>> = Object.fromEntries(
  NAMES.flatMap((name) => [
    [componentName(name), kept[name]],
    [`${componentName(name)}Fields`, taken[name]],
  ]),
);
