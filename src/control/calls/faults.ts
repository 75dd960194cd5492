// Faults: ordered, counted, released.
import { keyWithValue } from '../../http/identify.ts';
import type { Fault, FaultDraft } from '../../world/faults.ts';
import type { World } from '../../world/world.ts';
import { type Calls, nothingHere, refuse } from '../call.ts';
import type { Instance } from '../instance.ts';

/** A fault as JSON. */
export const showFault = ({ held, ...fault }: Fault) => ({ ...fault, held: held.size });

/** Id of the key with an id or a value; a value is never kept. */
const keyIdOf = (world: World, key: string): string | undefined =>
  world.store.keys.get(key)?.value.id ?? keyWithValue(world, key)?.value.id;

/** Orders a fault. @throws Problem 422 when nothing is to happen, or the key is unknown. */
export const addFault = ({ faults, world }: Instance, draft: FaultDraft): Fault => {
  const { match, effect } = draft;
  const { delay_ms: delay, status, abort, body } = effect;
  const { key, ...rest } = match ?? {};
  const id = key === undefined ? undefined : keyIdOf(world, key);
  const range = typeof delay === 'object' && delay.max < delay.min;
  refuseAny([
    ...(key !== undefined && id === undefined
      ? [{ field: 'match.key', issue: 'must be the id or the value of a key of this world' }]
      : []),
    ...(range ? [{ field: 'effect.delay_ms', issue: 'must have a min that is not above its max' }] : []),
    ...(abort && (status !== undefined || body !== undefined)
      ? [{ field: 'effect.abort', issue: 'leaves no answer: give it without status and body' }]
      : []),
  ]);
  return faults.add({ ...draft, match: { ...rest, ...(id === undefined ? {} : { key: id }) } });
};

const refuseAny = (fields: Parameters<typeof refuse>[0]): void => {
  if (fields.length > 0) refuse(fields);
};

export const faultCalls: Calls<'listFaults' | 'createFault' | 'deleteFaults' | 'getFault' | 'deleteFault' | 'releaseFault'> = {
  listFaults: ({ instance: { faults } }) => ({ items: faults.list().map(showFault) }),

  createFault: ({ instance, body }) => showFault(addFault(instance, body as FaultDraft)),

  deleteFaults: ({ instance: { faults } }) => faults.clear(),

  getFault: ({ instance: { faults }, variable }) => {
    const fault = faults.get(variable);
    if (!fault) throw nothingHere('fault', variable, 'faults');
    return showFault(fault);
  },

  deleteFault: ({ instance: { faults }, variable }) => {
    if (!faults.remove(variable)) throw nothingHere('fault', variable, 'faults');
  },

  releaseFault: ({ instance: { faults }, variable }) => {
    const fault = faults.release(variable);
    if (!fault) throw nothingHere('fault', variable, 'faults');
    return showFault(fault);
  },
};
