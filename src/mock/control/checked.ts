// Every schema that the control API checks something against: what its validators are generated from.
import { closed, map, type Schema } from '../../service/contract/schema.ts';
import { FaultOrder } from '../../service/world/fault-draft.ts';
import { CONTROL, CONTROL_IDS, controlRow } from './operations.ts';
import { ForkDraft, PAGE } from './shapes.ts';

const anObject = map('What somebody else checks: answers to open points, records.');

/** What programs give: their validators are in every mock. */
export const GIVEN = {
  fork: ForkDraft,
  fault: FaultOrder,
  setClock: CONTROL.setClock.body,
  anObject,
  page: closed({}, PAGE),
};

/** What calls take, bodies by the id of their call, queries too: their validators are loaded with the control API. */
export const CALLED: Readonly<Record<string, Schema<unknown>>> = {
  anObject,
  noQuery: closed({}),
  ...Object.fromEntries(
    CONTROL_IDS.flatMap((id) => {
      const { body, query, tag } = controlRow(id);
      // Their own functions check records, as seeds are.
      if (tag === 'Data') return [];
      return [...(body ? [[id, body] as const] : []), ...(query ? [[`${id}Query`, closed({}, query)] as const] : [])];
    }),
  ),
};
