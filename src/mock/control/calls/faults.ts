// Faults: ordered, counted, released.
import { Problem } from '../../../service/contract/errors.ts';
import { keyWithValue } from '../../../service/http/identify.ts';
import type { FaultOrder } from '../../../service/world/fault-draft.ts';
import type { Fault } from '../../../service/world/faults.ts';
import { type Calls, findOr404, pageOfRows, refuse } from '../call.ts';
import { faultIssues } from '../fault-rules.ts';
import { describeEffect, describeFrequency, describeMatch } from '../fault-words.ts';
import { bytesOfFault } from '../memory.ts';

const MAX_FAULTS = 5000;
const MAX_PREDICATE_LENGTH = 500;

const holdingOf = (held: Fault['held']) =>
  [...held].map(([request, { method, path, since }]) => ({ request, method, path, since: new Date(since).toISOString() }));

export const showFault = ({ held, ...fault }: Fault) => {
  const { when, ...match } = fault.match;
  return {
    ...fault,
    match: when === undefined ? match : { ...match, when: String(when).slice(0, MAX_PREDICATE_LENGTH) },
    held: held.size,
    ...(held.size === 0 ? {} : { holding: holdingOf(held) }),
  };
};

export const faultCalls = {
  listFaults: ({ instance: { faults }, query }) => pageOfRows(query, faults.list().map(showFault)),

  createFault: ({ host: { memory }, instance: { faults, world, timeline }, body }) => {
    const draft: FaultOrder = body;
    const { key, ...rest } = draft.match ?? {};
    const id = key === undefined ? undefined : (world.store.keys.get(key) ?? keyWithValue(world, key))?.value.id;
    const issues = faultIssues(draft);
    if (key !== undefined && id === undefined)
      issues.unshift({ field: 'match.key', issue: 'must be the id or the value of a key of this world' });
    if (issues.length > 0) refuse(issues);
    const full = `There are ${MAX_FAULTS} faults already, and every request meets each of them. Delete some.`;
    if (faults.size >= MAX_FAULTS) throw new Problem(409, 'conflict', full);
    memory.take('fault', bytesOfFault(draft));
    const fault = faults.add({ ...draft, match: { ...rest, ...(id === undefined ? {} : { key: id }) } });
    const words = [describeMatch(fault.match, (name) => name), describeEffect(fault.effect), describeFrequency(fault)];
    timeline.note('fault', `${fault.id}: ${words.join(', ')}`, { fault: fault.id });
    return showFault(fault);
  },

  deleteFaults: ({ instance: { faults, timeline } }) => {
    if (faults.size > 0) timeline.note('fault', 'every fault is removed');
    faults.clear();
  },
  getFault: ({ instance: { faults }, variable }) => showFault(findOr404('fault', variable, faults.get(variable))),
  deleteFault: ({ instance: { faults, timeline }, variable }) => {
    findOr404('fault', variable, faults.remove(variable));
    timeline.note('fault', `${variable} is removed`);
  },

  releaseFault: ({ instance: { faults, timeline }, variable: id, body: { request } }) => {
    const { held } = findOr404('fault', id, faults.get(id));
    if (request !== undefined && !held.has(request)) {
      const numbers = held.size === 0 ? 'it holds none' : `it holds ${[...held.keys()].join(', ')}`;
      const issue = `must be the number of a request whose response ${id} holds: ${numbers}, got ${request}`;
      refuse([{ field: 'request', issue }]);
    }
    timeline.note('fault', `${id} releases ${request === undefined ? 'what it holds' : `the response to request ${request}`}`);
    return showFault(faults.release(id, request)!);
  },
} satisfies Calls;
