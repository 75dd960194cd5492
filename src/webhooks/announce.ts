// From a change to the deliveries that it causes: one for each subscribed registration of its workspace.

import { type Envelope, eventOf, resourceOf, TASK_SNAPSHOT } from '../contract/events.ts';
import { LATER_HEADERS } from '../contract/forward.ts';
import { HEADER_SPANS, isIn } from '../contract/releases.ts';
import type { EventName } from '../contract/resources.ts';
import type { Terms } from '../contract/terms.ts';
import { showComment, showMember, showProfile, showProject, showTask } from '../handlers/show.ts';
import { later } from '../http/later.ts';
import { dress } from '../http/write.ts';
import { newId } from '../world/ids.ts';
import type { TaskRecord, WebhookRecord } from '../world/records.ts';
import type { Change, World } from '../world/world.ts';
import type { Delivery } from './delivery.ts';
import { laterEventOf } from './later-events.ts';
import { TIMESTAMP_HEADER } from './sign.ts';

const OLDEST_FIRST = { equal: [], by: 'created_at', descending: false, nulls: 'last' } as const;

const subscribers = (world: World, workspace: string, event: EventName): WebhookRecord[] =>
  world.store.webhooks
    .list(OLDEST_FIRST, workspace, [])
    .rows()
    .map(({ value }) => value)
    .filter(({ events }) => events.includes(event));

const taskSnapshot = (task: TaskRecord, terms: Terms) =>
  terms.choices['task-snapshot'] === 'minimal'
    ? Object.fromEntries(TASK_SNAPSHOT.map((field) => [field, task[field]]))
    : // An assignee who is left out of answers is still among what a snapshot carries at least.
      { ...dress(showTask(task), terms), assignee_id: task.assignee_id };

const snapshotOf = (event: EventName, record: unknown, terms: Terms): object => {
  const resource = resourceOf(event);
  if (resource === 'task') return taskSnapshot(record as TaskRecord, terms);
  const member = terms.choices['member-snapshot'] === 'member' ? showMember : showProfile;
  const show = { project: showProject, comment: showComment, member }[resource];
  return dress(show(record as never), terms);
};

const envelopeOf = (world: World, event: EventName, { at, before, after }: Change): Envelope => {
  const id = newId(world.random, 'events', world.choices['id-style']);
  const data = { [resourceOf(event)]: snapshotOf(event, after ?? before, world.terms) };
  return dress({ id, event, created_at: new Date(at).toISOString(), data }, world.terms);
};

/** What a change has to tell, to whom; nothing when nobody asked for it. */
export const announce = (world: World, change: Change): Delivery[] => {
  if (world.store.webhooks.size === 0) return [];
  const { contract, forward } = world.terms;
  const event = eventOf(change.name, change.before, change.after);
  const known = event !== undefined && contract.events.includes(event);
  return [
    ...(known ? deliveriesOf(world, change, event, subscribers(world, change.workspace, event)) : []),
    ...(forward.length > 0 ? laterDeliveries(world, change) : []),
  ];
};

/** Those of events of a later release, to whoever subscribed to all. */
const laterDeliveries = (world: World, change: Change): Delivery[] => {
  const event = laterEventOf(world.terms, change);
  if (!event) return [];
  const { events: every } = world.terms.contract;
  const all = every.map((name) => subscribers(world, change.workspace, name));
  const told = (all[0] ?? []).filter((webhook) => all.every((some) => some.includes(webhook)));
  return deliveriesOf(world, change, event as EventName, told);
};

const deliveriesOf = (world: World, change: Change, event: EventName, told: readonly WebhookRecord[]): Delivery[] => {
  if (told.length === 0) return [];
  const { forward } = world.terms;
  const envelope = later(envelopeOf(world, event, change), forward) as Envelope;
  const stamped = isIn(HEADER_SPANS[TIMESTAMP_HEADER], world.release);
  const headers = {
    'Content-Type': 'application/json',
    ...(stamped ? { [TIMESTAMP_HEADER]: String(Math.floor(change.at / 1000)) } : {}),
    ...(forward.includes('headers') ? LATER_HEADERS : {}),
  };
  const request = { headers, body: JSON.stringify(envelope) };
  return told.map(({ id, url }) => ({
    id: newId(world.random, 'deliveries'),
    webhook_id: id,
    workspace_id: change.workspace,
    event: envelope,
    url,
    request,
    state: 'pending',
    attempts: [],
    next_attempt_at: new Date(change.at).toISOString(),
  }));
};
