// The deliveries that a receiver gets (spec: Events), as OpenAPI webhooks.
import type { ChoiceId } from '../contract/choices.ts';
import { type EventResource, envelope, resourceOf, TASK_SNAPSHOT } from '../contract/events.ts';
import { HEADER_SPANS, isIn } from '../contract/releases.ts';
import { type COMPONENTS, EVENTS, type EventName } from '../contract/resources.ts';
import type { Terms } from '../contract/terms.ts';
import { type Json, jsonContent } from './schemas.ts';

interface EventSnapshot {
  readonly of: keyof typeof COMPONENTS;
  readonly open: readonly ChoiceId[];
  readonly more?: Json;
}

const SNAPSHOTS: Readonly<Record<string, EventSnapshot>> = {
  // The spec promises only these five fields of a task's snapshot.
  task: { of: 'Task', more: { required: TASK_SNAPSHOT, description: 'A snapshot of the task.' }, open: ['task-snapshot'] },
  project: { of: 'Project', open: ['project-delete-events'] },
  member: { of: 'Member', open: ['member-snapshot', 'invited-members'] },
} satisfies Record<Exclude<EventResource, 'comment'>, EventSnapshot>;

/** Separate tag: generators write one file for each tag, and a client does not call these. */
export const EVENT_TAG = 'Events';

// openapi-generator for Python has no type for the data of an event: without `x-py-typing` its file does not parse.
const HEADERS: readonly (Json & { readonly name: keyof typeof HEADER_SPANS })[] = [
  {
    name: 'X-Service-Timestamp',
    in: 'header',
    required: true,
    description: 'Unix timestamp in seconds of when the event was generated.',
    schema: { type: 'integer' },
    'x-py-typing': 'int',
    example: 1_737_363_600,
  },
  {
    name: 'X-Service-Signature',
    in: 'header',
    required: true,
    description: 'Signature made with the webhook secret. The spec leaves its algorithm open: see the open point `signature`.',
    schema: { type: 'string', minLength: 1 },
    'x-py-typing': 'str',
    example: '5f2c0a9b7d3e4f6182a4c6e8f0123456789abcdef0123456789abcdef0123456',
  },
];

const deliveryObject = (name: EventName, { contract }: Terms): Json => {
  const { of, open, more = {} } = SNAPSHOTS[resourceOf(name)]!;
  const schema = envelope(name, more.required ? { ...contract.components[of], ...more } : contract.components[of]!);
  const points: readonly ChoiceId[] = ['signature', 'retry-counted-from', ...open];
  return {
    post: {
      operationId: `on${name.replace(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase())}`,
      tags: [EVENT_TAG],
      summary: EVENTS[name].when,
      description: 'Delivered at least once: be idempotent by `id`. Unacknowledged deliveries are retried five times.',
      security: [],
      parameters: HEADERS.filter((header) => isIn(HEADER_SPANS[header.name], contract.release)),
      requestBody: { required: true, content: jsonContent(schema), 'x-py-typing': 'object' },
      responses: { '2XX': { description: 'Acknowledged; any other answer, or none within 10 seconds, is a failure.' } },
      'x-since': EVENTS[name].since,
      'x-open-points': points.filter((point) => contract.openPoints.includes(point)),
    },
  };
};

export const eventObjects = (terms: Terms): Json =>
  Object.fromEntries(terms.contract.events.map((name) => [name, deliveryObject(name, terms)]));
