// Every schema that the control API checks something against: what its validators are generated from.
import { closed, map, type Schema } from '../contract/schema.ts';
import { FaultOrder } from '../world/fault-draft.ts';
import { CONTROL_IDS, controlRow } from './operations.ts';
import { ForkDraft, PAGE } from './shapes.ts';

/** What is checked besides the bodies and queries of calls. */
export const BESIDE = {
  fork: ForkDraft,
  fault: FaultOrder,
  anObject: map('What somebody else checks: answers to open points, records.'),
  noQuery: closed({}),
  page: closed({}, PAGE),
};

/** Every schema that something is checked against: bodies by the id of their call, queries too. */
export const CHECKED: Readonly<Record<string, Schema<unknown>>> = {
  ...BESIDE,
  ...Object.fromEntries(
    CONTROL_IDS.flatMap((id) => {
      const { body, query, tag } = controlRow(id);
      // Their own functions check records, as seeds are.
      if (tag === 'Data') return [];
      return [...(body ? [[id, body] as const] : []), ...(query ? [[`${id}Query`, closed({}, query)] as const] : [])];
    }),
  ),
};
