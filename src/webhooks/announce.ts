// From a change to the deliveries that it causes: one for each subscribed registration of its workspace.

import { type Envelope, eventOf, resourceOf, TASK_SNAPSHOT } from '../contract/events.ts';
import { HEADER_SPANS, isIn } from '../contract/releases.ts';
import type { EventName } from '../contract/resources.ts';
import type { Terms } from '../contract/terms.ts';
import { showMember, showProfile, showProject, showTask } from '../handlers/show.ts';
import { dress } from '../http/write.ts';
import { newId } from '../world/ids.ts';
import type { ProjectRecord, TaskRecord, UserRecord, WebhookRecord } from '../world/records.ts';
import type { Change, World } from '../world/world.ts';
import type { Delivery } from './delivery.ts';
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
  if (resource === 'project') return dress(showProject(record as ProjectRecord), terms);
  const show = terms.choices['member-snapshot'] === 'member' ? showMember : showProfile;
  return dress(show(record as UserRecord), terms);
};

const envelopeOf = (world: World, event: EventName, { at, before, after }: Change): Envelope => {
  const id = newId(world.random, 'events', world.choices['id-style']);
  const data = { [resourceOf(event)]: snapshotOf(event, after ?? before, world.terms) };
  return dress({ id, event, created_at: new Date(at).toISOString(), data }, world.terms);
};

/** What a change has to tell, to whom; nothing when nobody asked for it. */
export const announce = (world: World, change: Change): Delivery[] => {
  if (world.store.webhooks.size === 0) return [];
  const event = eventOf(change.name, change.before, change.after);
  const known = event !== undefined && world.terms.contract.events.includes(event);
  const told = known ? subscribers(world, change.workspace, event) : [];
  if (!event || told.length === 0) return [];
  const envelope = envelopeOf(world, event, change);
  const stamped = isIn(HEADER_SPANS[TIMESTAMP_HEADER], world.release);
  const headers = {
    'Content-Type': 'application/json',
    ...(stamped ? { [TIMESTAMP_HEADER]: String(Math.floor(change.at / 1000)) } : {}),
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
