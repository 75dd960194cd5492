// The deliveries that a receiver gets (spec: Events), as OpenAPI webhooks.
import type { ChoiceId } from '../contract/choices.ts';
import { type EventResource, envelope, resourceOf, TASK_SNAPSHOT } from '../contract/events.ts';
import { COMPONENTS, EVENT_NAMES, type EventName } from '../contract/resources.ts';
import type { Schema } from '../contract/schema.ts';
import { exampleOf, type Json, schemaOf } from './schemas.ts';

const { Task, Project, Member } = COMPONENTS;

const SNAPSHOTS: Readonly<Record<EventResource, { readonly schema: Schema<unknown>; readonly open: readonly ChoiceId[] }>> = {
  // A task's snapshot carries at least these five; the rest is ours.
  task: {
    schema: { ...Task, required: TASK_SNAPSHOT, description: 'A snapshot of the task.' },
    open: ['task-snapshot'],
  },
  project: { schema: Project, open: ['project-delete-events'] },
  member: { schema: Member, open: ['member-snapshot', 'invited-members'] },
};

const WHEN: Readonly<Record<EventName, string>> = {
  'task.created': 'A task is created',
  'task.updated': 'A task is updated',
  'task.deleted': 'A task is deleted',
  'project.created': 'A project is created',
  'project.updated': 'A project is updated',
  'project.deleted': 'A project is deleted',
  'member.invited': 'A user is invited to the workspace',
  'member.joined': 'An invited user accepts and completes a first login',
};

const HEADERS: readonly Json[] = [
  {
    name: 'X-Service-Timestamp',
    in: 'header',
    required: true,
    description: 'Unix timestamp in seconds of when the event was generated.',
    schema: { type: 'integer' },
    example: 1_737_363_600,
  },
  {
    name: 'X-Service-Signature',
    in: 'header',
    required: true,
    description: 'Signature made with the webhook secret. The spec leaves its algorithm open: see the open point `signature`.',
    schema: { type: 'string', minLength: 1 },
    example: '5f2c0a9b7d3e4f6182a4c6e8f0123456789abcdef0123456789abcdef0123456',
  },
];

const delivery = (name: EventName): Json => {
  const { schema: snapshot, open } = SNAPSHOTS[resourceOf(name)];
  const schema = envelope(name, snapshot);
  return {
    post: {
      operationId: `on${name.replace(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase())}`,
      tags: ['Webhooks'],
      summary: WHEN[name],
      description: 'Delivered at least once: be idempotent by `id`. Unacknowledged deliveries are retried five times.',
      security: [],
      parameters: HEADERS,
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(schema), example: exampleOf(schema) } } },
      responses: { '2XX': { description: 'Acknowledged; any other answer, or none within 10 seconds, is a failure.' } },
      'x-since': name.startsWith('member') ? '1.2.0' : '1.0.0',
      'x-open-points': ['signature', 'retry-counted-from', ...open],
    },
  };
};

/** The eight events, by name. */
export const webhooks = (): Readonly<Record<string, Json>> =>
  Object.fromEntries(EVENT_NAMES.map((name) => [name, delivery(name)]));
