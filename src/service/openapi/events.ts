// The deliveries that a receiver gets (spec: Events), as OpenAPI webhooks.
import type { ChoiceId } from '../contract/choices.ts';
import { type EventResource, envelope, resourceOf, TASK_SNAPSHOT } from '../contract/events.ts';
import { HEADER_SPANS, isIn } from '../contract/releases.ts';
import { type COMPONENTS, EVENTS, type EventName } from '../contract/resources.ts';
import type { Schema } from '../contract/schema.ts';
import type { Terms } from '../contract/terms.ts';
import { exampleOf, type Json, schemaOf } from './schemas.ts';

const SNAPSHOTS: Readonly<
  Record<
    Exclude<EventResource, 'comment'>,
    {
      readonly of: keyof typeof COMPONENTS;
      readonly open: readonly ChoiceId[];
      readonly more?: Readonly<Record<string, unknown>>;
    }
  >
> = {
  // The spec promises only these five fields of a task's snapshot.
  task: { of: 'Task', more: { required: TASK_SNAPSHOT, description: 'A snapshot of the task.' }, open: ['task-snapshot'] },
  project: { of: 'Project', open: ['project-delete-events'] },
  member: { of: 'Member', open: ['member-snapshot', 'invited-members'] },
};

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

const snapshotSchema = (name: EventName, { contract }: Terms): { schema: Schema<unknown>; open: readonly ChoiceId[] } => {
  const { of, open, more } = SNAPSHOTS[resourceOf(name) as keyof typeof SNAPSHOTS];
  const schema = contract.components[of]!;
  return { schema: more ? { ...schema, ...more } : schema, open };
};

const headersAt = ({ contract }: Terms): readonly Json[] =>
  HEADERS.filter(({ name }) => isIn(HEADER_SPANS[name], contract.release));

const deliveryObject = (name: EventName, terms: Terms): Json => {
  const { schema: snapshot, open } = snapshotSchema(name, terms);
  const schema = envelope(name, snapshot);
  const points: readonly ChoiceId[] = ['signature', 'retry-counted-from', ...open];
  return {
    post: {
      operationId: `on${name.replace(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase())}`,
      tags: [EVENT_TAG],
      summary: EVENTS[name].when,
      description: 'Delivered at least once: be idempotent by `id`. Unacknowledged deliveries are retried five times.',
      security: [],
      parameters: headersAt(terms),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(schema), example: exampleOf(schema) } },
        'x-py-typing': 'object',
      },
      responses: { '2XX': { description: 'Acknowledged; any other answer, or none within 10 seconds, is a failure.' } },
      'x-since': EVENTS[name].since,
      'x-open-points': points.filter((point) => terms.contract.openPoints.includes(point)),
    },
  };
};

export const eventObjects = (terms: Terms): Readonly<Record<string, Json>> =>
  Object.fromEntries(terms.contract.events.map((name) => [name, deliveryObject(name, terms)]));
