// The deliveries that a receiver gets (spec: Events), as OpenAPI webhooks.
import type { ChoiceId } from '../contract/choices.ts';
import { COMPONENTS, EVENT_NAMES, type EventName } from '../contract/resources.ts';
import type { Schema } from '../contract/schema.ts';
import { exampleOf, type Json, schemaOf } from './schemas.ts';

const { Task, Project, Member } = COMPONENTS;

const SNAPSHOTS: Readonly<Record<string, { readonly schema: Schema<unknown>; readonly open: readonly ChoiceId[] }>> = {
  // A task's snapshot carries at least these five; the rest is ours.
  task: {
    schema: { ...Task, required: ['id', 'title', 'project_id', 'status', 'assignee_id'], description: 'A snapshot of the task.' },
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

const resourceOf = (name: EventName): string => name.slice(0, name.indexOf('.'));

const envelope = (name: EventName): Schema<unknown> => {
  const resource = resourceOf(name);
  return {
    type: 'object',
    required: ['id', 'event', 'created_at', 'data'],
    properties: {
      id: {
        type: 'string',
        minLength: 1,
        description: 'Unique id of the event, the same on every retry.',
        examples: ['evt_4k2m9x7q1wzt'],
      },
      event: { type: 'string', enum: [name], description: 'Name of the event.' },
      created_at: {
        type: 'string',
        format: 'date-time',
        description: 'When the event was generated, in UTC.',
        examples: ['2025-01-20T09:00:00.000Z'],
      },
      data: { type: 'object', required: [resource], properties: { [resource]: SNAPSHOTS[resource]!.schema } },
    },
  };
};

const delivery = (name: EventName): Json => {
  const schema = envelope(name);
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
      'x-open-points': ['signature', 'retry-counted-from', ...SNAPSHOTS[resourceOf(name)]!.open],
    },
  };
};

/** The eight events, by name. */
export const webhooks = (): Readonly<Record<string, Json>> =>
  Object.fromEntries(EVENT_NAMES.map((name) => [name, delivery(name)]));
