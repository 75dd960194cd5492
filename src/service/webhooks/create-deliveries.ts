// From a change to the deliveries that it causes, one for each subscribed registration, and what faults do to them.
import { type Envelope, eventOf, resourceOf, TASK_SNAPSHOT } from '../contract/events.ts';
import { getOrMake } from '../contract/keyed.ts';
import { HEADER_SPANS, isIn } from '../contract/releases.ts';
import type { EventName } from '../contract/resources.ts';
import type { Terms } from '../contract/terms.ts';
import { forwardEvent, laterEventOf } from '../forward-compat/responses.ts';
import { ALL_BY_AGE, showComment, showMember, showProfile, showProject, showTask } from '../http/handlers/edit-records.ts';
import { formatRecord } from '../http/write.ts';
import { drawDelayMs, type Fault, type Faults } from '../world/faults.ts';
import { newId } from '../world/ids.ts';
import type { TaskRecord, WebhookRecord } from '../world/records.ts';
import { momentText } from '../world/time.ts';
import type { Change, World } from '../world/world.ts';
import type { Delivery } from './delivery.ts';
import { TIMESTAMP_HEADER } from './sign.ts';

/** How long a reordered delivery waits for the next one at most, milliseconds of the world. */
const WAITS_MS = 5000;

export const isWaiting = ({ reordered, state, attempts }: Delivery): boolean =>
  reordered === true && state === 'pending' && attempts.length === 0;

/** The deliveries of a log that wait for the next one of their registration: its id by theirs. */
export const waitingIn = (log: readonly Delivery[]): Map<string, string> => {
  const placed = new Set(log.flatMap(({ ahead_of = [] }) => ahead_of));
  return new Map(log.flatMap((one) => (isWaiting(one) && !placed.has(one.id) ? [[one.id, one.webhook_id] as const] : [])));
};

const applyEventFault = (world: World, { id, effect }: Fault, delivery: Delivery, waits: boolean): Delivery[] => {
  const { duplicate, reorder, bad_signature, delay_ms, latency } = effect;
  const isDelaySet = delay_ms !== undefined || latency !== undefined;
  const reordered = reorder === true && !waits;
  const late = reordered && !isDelaySet ? WAITS_MS : drawDelayMs(effect, world.random, id);
  const one: Delivery = {
    ...delivery,
    next_attempt_at: momentText(Date.parse(delivery.next_attempt_at!) + late),
    fault: id,
    ...(reordered ? { reordered } : {}),
    ...(bad_signature ? { bad_signature } : {}),
  };
  return duplicate ? [one, { ...one, id: newId(world.random, 'deliveries') }] : [one];
};

/** The deliveries of a change, with the faults of its events applied. @param waiting those that wait for the next one: this */
export const disturbDelivery = (
  world: World,
  faults: Faults,
  deliveries: readonly Delivery[],
  waiting: ReadonlyMap<string, string>,
) => {
  const met = new Map<string, Fault | undefined>();
  return deliveries.flatMap((delivery) => {
    const { id, event } = delivery.event;
    const meet = () => faults.meetEvent(event, (fault) => world.random.fraction(`fault:${fault}`));
    const fault = getOrMake(met, id, meet);
    return fault ? applyEventFault(world, fault, delivery, [...waiting.values()].includes(delivery.webhook_id)) : [delivery];
  });
};

/** Registrations for each of these events. */
const subscribers = (world: World, workspace: string, events: readonly EventName[]): WebhookRecord[] => {
  const rows = world.store.webhooks.list(ALL_BY_AGE, workspace, []).rows();
  return rows.map(({ value }) => value).filter((webhook) => events.every((event) => webhook.events.includes(event)));
};

const taskSnapshot = (task: TaskRecord, terms: Terms) =>
  terms.choices['task-snapshot'] === 'minimal'
    ? Object.fromEntries(TASK_SNAPSHOT.map((field) => [field, task[field]]))
    : // An assignee who is left out of responses is still among what a snapshot carries at least.
      { ...formatRecord(showTask(task), terms, 'tasks'), assignee_id: task.assignee_id };

const eventSnapshot = (event: EventName, record: unknown, terms: Terms): object => {
  const resource = resourceOf(event);
  if (resource === 'task') return taskSnapshot(record as TaskRecord, terms);
  const member = terms.choices['member-snapshot'] === 'member' ? showMember : showProfile;
  const table = { project: [showProject, 'projects'], comment: [showComment, 'comments'], member: [member, 'users'] } as const;
  const [show, kind] = table[resource];
  return formatRecord(show(record as never), terms, kind);
};

const envelopeOf = (world: World, event: EventName, { at, before, after }: Change): Envelope => {
  const id = newId(world.random, 'events', world.choices['id-style']);
  const data = { [resourceOf(event)]: eventSnapshot(event, after ?? before, world.terms) };
  return formatRecord({ id, event, created_at: new Date(at).toISOString(), data }, world.terms);
};

export const createDeliveries = (world: World, change: Change): Delivery[] => {
  if (world.store.webhooks.size === 0) return [];
  const { terms } = world;
  const event = eventOf(change.name, change.before, change.after);
  const later = laterEventOf(terms, change) as EventName | undefined;
  const isKnown = event && terms.contract.events.includes(event);
  return [
    ...(isKnown ? deliveriesOf(world, change, event, subscribers(world, change.workspace, [event])) : []),
    // Unknown events go to those who subscribed to every known one.
    ...(later ? deliveriesOf(world, change, later, subscribers(world, change.workspace, terms.contract.events)) : []),
  ];
};

const deliveriesOf = (world: World, change: Change, event: EventName, told: readonly WebhookRecord[]): Delivery[] => {
  if (told.length === 0) return [];
  const stamped = isIn(HEADER_SPANS[TIMESTAMP_HEADER], world.release);
  const stamp = stamped ? { [TIMESTAMP_HEADER]: String(Math.floor(change.at / 1000)) } : {};
  const headers = { 'Content-Type': 'application/json', ...stamp };
  const sent = forwardEvent(world.terms, envelopeOf(world, event, change), headers);
  return told.map(({ id, url }) => ({
    id: newId(world.random, 'deliveries'),
    webhook_id: id,
    workspace_id: change.workspace,
    event: sent.event,
    url,
    request: sent.request,
    state: 'pending',
    attempts: [],
    next_attempt_at: new Date(change.at).toISOString(),
  }));
};
