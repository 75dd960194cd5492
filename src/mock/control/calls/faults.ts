// Faults: ordered, counted, released.
import { Problem } from '../../../service/contract/errors.ts';
import { keyWithValue } from '../../../service/http/identify.ts';
import type { FaultOrder } from '../../../service/world/fault-draft.ts';
import type { Fault } from '../../../service/world/faults.ts';
import type { World } from '../../../service/world/world.ts';
import { type Calls, findOr404, pageOfRows, refuse } from '../call.ts';
import { faultIssues } from '../fault-rules.ts';
import { describeEffect, describeFrequency, describeMatch } from '../fault-words.ts';
import type { Instance } from '../instance.ts';
import { bytesOfFault } from '../memory.ts';

const MAX_FAULTS = 5000;
/** A longer predicate is cut where it is shown. */
const MAX_PREDICATE_LENGTH = 500;

const holdingOf = (held: Fault['held']) =>
  [...held].map(([request, { method, path, since }]) => ({ request, method, path, since: new Date(since).toISOString() }));

/** A fault as JSON: a predicate as its source, and each request whose answer is kept back, if there is one. */
export const showFault = ({ held, ...fault }: Fault) => {
  const { when, ...match } = fault.match;
  return {
    ...fault,
    match: when === undefined ? match : { ...match, when: String(when).slice(0, MAX_PREDICATE_LENGTH) },
    held: held.size,
    ...(held.size === 0 ? {} : { holding: holdingOf(held) }),
  };
};

/** Id of the key with an id or a value; a value is never kept. */
const keyIdOf = (world: World, key: string): string | undefined =>
  world.store.keys.get(key)?.value.id ?? keyWithValue(world, key)?.value.id;

/** Orders a fault. @throws Problem 409 when there is no room for it, 422 when nothing is to happen, what it says cannot be, or the key is unknown. */
export const addFault = ({ faults, world, memory, timeline }: Instance, draft: FaultOrder): Fault => {
  const { key, ...rest } = draft.match ?? {};
  const id = key === undefined ? undefined : keyIdOf(world, key);
  const unknown = key !== undefined && id === undefined;
  const issues = [
    ...(unknown ? [{ field: 'match.key', issue: 'must be the id or the value of a key of this world' }] : []),
    ...faultIssues(draft),
  ];
  if (issues.length > 0) refuse(issues);
  const full = `There are ${MAX_FAULTS} faults already, and every request meets each of them. Delete some.`;
  if (faults.size >= MAX_FAULTS) throw new Problem(409, 'conflict', full);
  memory.take('fault', bytesOfFault(draft));
  const fault = faults.add({ ...draft, match: { ...rest, ...(id === undefined ? {} : { key: id }) } });
  const words = [describeMatch(fault.match, (key) => key), describeEffect(fault.effect), describeFrequency(fault)];
  timeline.says('fault', `${fault.id}: ${words.join(', ')}`, { fault: fault.id });
  return fault;
};

/** Lets go what a fault keeps back: all of it, or the answer to one request. @throws Problem 404, or 422 when it keeps no such answer back. */
export const releaseFault = ({ faults, timeline }: Instance, id: string, request?: number): Fault => {
  const { held } = findOr404('fault', id, faults.get(id));
  if (request !== undefined && !held.has(request)) {
    const numbers = held.size === 0 ? 'it holds none' : `it holds ${[...held.keys()].join(', ')}`;
    refuse([{ field: 'request', issue: `must be the number of a request whose answer ${id} holds: ${numbers}, got ${request}` }]);
  }
  timeline.says('fault', `${id} lets go ${request === undefined ? 'of what it holds' : `of the answer to request ${request}`}`);
  return faults.release(id, request)!;
};

/** @returns whether there was one. */
export const removeFault = ({ faults, timeline }: Instance, id: string): boolean => {
  const removed = faults.remove(id);
  if (removed) timeline.says('fault', `${id} is removed`);
  return removed;
};

export const clearFaults = ({ faults, timeline }: Instance): void => {
  if (faults.size > 0) timeline.says('fault', 'every fault is removed');
  faults.clear();
};

export const faultCalls = {
  listFaults: ({ instance: { faults }, query }) => pageOfRows(query, faults.list().map(showFault)),
  createFault: ({ instance, body }) => showFault(addFault(instance, body)),
  deleteFaults: ({ instance }) => clearFaults(instance),
  getFault: ({ instance: { faults }, variable }) => showFault(findOr404('fault', variable, faults.get(variable))),
  deleteFault: ({ instance, variable }) => findOr404('fault', variable, removeFault(instance, variable)),
  releaseFault: ({ instance, variable, body: { request } }) => showFault(releaseFault(instance, variable, request)),
} satisfies Calls;
