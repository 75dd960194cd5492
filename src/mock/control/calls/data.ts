// Records of every kind: five calls for each, all alike.
import { NAMES, type RecordName } from '../../../service/world/records.ts';
import type { Call } from '../call.ts';
import { RECORD_VERBS, type RecordCallId, type RecordVerb, recordCallId } from '../record-types.ts';
import { createRecord, findRecord, listRecords, removeRecord, updateRecord } from '../records.ts';

type DataCall = Omit<Call<RecordCallId>, 'body'> & { readonly body: object };

const DO: Readonly<Record<RecordVerb, (name: RecordName, call: DataCall) => unknown>> = {
  list: (name, { instance: { world }, query }) => listRecords(world, name, query),
  get: (name, { instance: { world }, variable }) => findRecord(world, name, variable),
  create: (name, { instance: { world }, body }) => createRecord(world, name, body),
  update: (name, { instance: { world }, variable, body }) => updateRecord(world, name, variable, body),
  delete: (name, { instance: { world }, variable }) => removeRecord(world, name, variable),
};

export const dataCalls = Object.fromEntries(
  NAMES.flatMap((name) => RECORD_VERBS.map((verb) => [recordCallId(verb, name), (call: DataCall) => DO[verb](name, call)])),
) as unknown as Readonly<Record<RecordCallId, (call: Call<RecordCallId>) => unknown>>;
