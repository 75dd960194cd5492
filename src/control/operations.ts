// The table of the control API: routes, checks, types and its OpenAPI document all come from it.
import { EVENT_NAMES } from '../contract/resources.ts';
import { type Is, oneOf, type Schema, string } from '../contract/schema.ts';
import { DELIVERY_STATES } from '../contract/states.ts';
import { listOf } from './schema-words.ts';
import * as is from './shapes.ts';
import * as of from './traffic-shapes.ts';

export interface ControlRow {
  /** `ANY` takes every method. */
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'ANY';
  /** Below `/_mock`; `{...}` marks a path variable. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: Readonly<Record<string, Schema<unknown>>>;
  readonly body?: Schema<unknown>;
  readonly status: 200 | 201 | 204;
  readonly answer?: Schema<unknown>;
  /** Content type of an answer that is not JSON, or need not be. */
  readonly type?: string;
  /** Besides 400, 401 and 403, which belong to all. */
  readonly errors?: readonly (404 | 409 | 422)[];
  /** Takes any content type and asks for no token: those who send events have none. */
  readonly open?: boolean;
}

const define = <const T extends Readonly<Record<string, ControlRow>>>(table: T): T => table;
const GONE = { method: 'DELETE', status: 204 } as const;
const text = (description: string) => string({ minLength: 1, description });

export const CONTROL = define({
  health: { method: 'GET', path: '/health', tag: 'World', summary: 'Whether the mock answers', status: 200, answer: is.Health },
  reset: {
    method: 'POST',
    path: '/reset',
    tag: 'World',
    summary: 'Go back to the seed',
    description: 'Data, clock, faults, limits, journal, deliveries. A fork goes back to what it was made from.',
    status: 200,
    answer: is.Health,
  },
  state: {
    method: 'GET',
    path: '/state',
    tag: 'World',
    summary: 'Read the whole state as a seed file',
    description: 'It holds keys and secrets: as a seed it gives a mock that answers the same.',
    query: { format: oneOf(['json', 'yaml'], { default: 'json' }) },
    status: 200,
    answer: { type: 'object', description: 'A seed file.' } as Schema<object>,
    type: 'application/yaml',
  },
  listSnapshots: {
    method: 'GET',
    path: '/snapshots',
    tag: 'World',
    summary: 'List the snapshots',
    status: 200,
    answer: listOf(is.SnapshotId),
  },
  createSnapshot: {
    method: 'POST',
    path: '/snapshots',
    tag: 'World',
    summary: 'Save the state',
    errors: [409],
    status: 201,
    answer: is.SnapshotId,
  },
  restoreSnapshot: {
    method: 'POST',
    path: '/snapshots/{id}/restore',
    tag: 'World',
    summary: 'Bring a saved state back',
    description: 'The snapshot stays: it can be brought back again.',
    status: 200,
    answer: is.SnapshotId,
    errors: [404],
  },
  deleteSnapshot: { ...GONE, path: '/snapshots/{id}', tag: 'World', summary: 'Forget a saved state', errors: [404] },
  listWorlds: {
    method: 'GET',
    path: '/worlds',
    tag: 'Worlds',
    summary: 'List the worlds beside the default one',
    status: 200,
    answer: listOf(is.World),
  },
  createWorld: {
    method: 'POST',
    path: '/worlds',
    tag: 'Worlds',
    summary: 'Open an isolated copy',
    description: 'From the seed, from the state as it is, from a snapshot, or from a seed given here.',
    body: is.WorldDraft,
    status: 201,
    answer: is.World,
    errors: [404, 409, 422],
  },
  deleteWorld: { ...GONE, path: '/worlds/{id}', tag: 'Worlds', summary: 'Delete a world', errors: [404] },
  getClock: { method: 'GET', path: '/clock', tag: 'Clock', summary: 'Read the clock', status: 200, answer: is.ClockNow },
  setClock: {
    method: 'POST',
    path: '/clock',
    tag: 'Clock',
    summary: 'Set the clock, freeze it, let it run',
    body: is.ClockDraft,
    status: 200,
    answer: is.ClockNow,
    errors: [422],
  },
  advanceClock: {
    method: 'POST',
    path: '/clock/advance',
    tag: 'Clock',
    summary: 'Move the clock on',
    description:
      'Makes every attempt that falls due, in order, and answers when they have ended. `deliveries` are those in which an attempt was made since the last advance.',
    body: is.Advance,
    status: 200,
    answer: of.ClockAdvanced,
    errors: [422],
  },
  listWorkspaces: {
    method: 'GET',
    path: '/workspaces',
    tag: 'Dashboard',
    summary: 'List the workspaces with their plans',
    status: 200,
    answer: listOf(is.Workspace),
  },
  setPlan: {
    method: 'PATCH',
    path: '/workspaces/{id}',
    tag: 'Dashboard',
    summary: 'Put a workspace on another plan',
    description: 'Its new limit counts at once; the requests of the last minute stay counted.',
    body: is.PlanDraft,
    status: 200,
    answer: is.Workspace,
    errors: [404, 422],
  },
  listKeys: {
    method: 'GET',
    path: '/keys',
    tag: 'Dashboard',
    summary: 'List the API keys',
    status: 200,
    answer: listOf(is.Key),
  },
  createKey: {
    method: 'POST',
    path: '/keys',
    tag: 'Dashboard',
    summary: 'Create an API key',
    body: is.KeyDraft,
    status: 201,
    answer: is.NewKey,
    errors: [422],
  },
  revokeKey: {
    method: 'POST',
    path: '/keys/{id}/revoke',
    tag: 'Dashboard',
    summary: 'Revoke an API key',
    status: 200,
    answer: is.Key,
    errors: [404],
  },
  inviteMember: {
    method: 'POST',
    path: '/members/invite',
    tag: 'Dashboard',
    summary: 'Invite somebody to a workspace',
    description: 'Fires member.invited.',
    body: is.Invitation,
    status: 201,
    answer: is.Member,
    errors: [409, 422],
  },
  joinMember: {
    method: 'POST',
    path: '/members/{id}/join',
    tag: 'Dashboard',
    summary: 'Accept an invitation',
    description: 'Fires member.joined.',
    status: 200,
    answer: is.Member,
    errors: [404, 409],
  },
  createComment: {
    method: 'POST',
    path: '/tasks/{id}/comments',
    tag: 'Dashboard',
    summary: 'Comment on a task',
    body: is.CommentDraft,
    status: 201,
    answer: is.Comment,
    errors: [404, 422],
  },
  deleteComment: { ...GONE, path: '/comments/{id}', tag: 'Dashboard', summary: 'Delete a comment', errors: [404] },
  listWebhooks: {
    method: 'GET',
    path: '/webhooks',
    tag: 'Webhooks',
    summary: 'List the registrations',
    status: 200,
    answer: listOf(of.Registration),
  },
  deleteWebhook: { ...GONE, path: '/webhooks/{id}', tag: 'Webhooks', summary: 'Delete a registration', errors: [404] },
  simulateWebhook: {
    method: 'POST',
    path: '/webhooks/{id}/simulate',
    tag: 'Webhooks',
    summary: 'Order how the next attempts end',
    description: 'Nothing is sent for them.',
    body: of.Outcomes,
    status: 200,
    answer: of.Ordered,
    errors: [404, 422],
  },
  listDeliveries: {
    method: 'GET',
    path: '/deliveries',
    tag: 'Webhooks',
    summary: 'Read the delivery log',
    query: { webhook_id: text('Of this registration.'), event: oneOf(EVENT_NAMES), state: oneOf(DELIVERY_STATES) },
    status: 200,
    answer: listOf(of.Delivery),
  },
  getDelivery: {
    method: 'GET',
    path: '/deliveries/{id}',
    tag: 'Webhooks',
    summary: 'Read a delivery',
    status: 200,
    answer: of.Delivery,
    errors: [404],
  },
  replayDelivery: {
    method: 'POST',
    path: '/deliveries/{id}/replay',
    tag: 'Webhooks',
    summary: 'Send an event once more',
    status: 200,
    answer: of.Delivery,
    errors: [404, 409],
  },
  receive: {
    method: 'ANY',
    path: '/inbox/{name}',
    tag: 'Inbox',
    summary: 'Receive an event',
    description: 'A receiver for those who have none. Takes any body and asks for no token.',
    status: 200,
    answer: is.Health,
    open: true,
  },
  listMessages: {
    method: 'GET',
    path: '/inbox/{name}/messages',
    tag: 'Inbox',
    summary: 'Read what was received',
    status: 200,
    answer: listOf(of.Message),
  },
  respondWith: {
    method: 'POST',
    path: '/inbox/{name}/respond',
    tag: 'Inbox',
    summary: 'Order the next answers of the inbox',
    body: of.Statuses,
    status: 200,
    answer: of.Statuses,
    errors: [422],
  },
  listRequests: {
    method: 'GET',
    path: '/requests',
    tag: 'Journal',
    summary: 'Read the journal',
    description: 'Each exchange with `/v1`, oldest first: why it was answered so, and what the client did against the contract.',
    query: {
      method: text('GET, POST, PATCH or DELETE.'),
      path: text('With or without /v1; `*` stands for any characters.'),
      status: string({ pattern: '^([0-9]{1,3}|[1-5]xx)$', 'x-says': 'must be a status such as 404, or a class such as 4xx' }),
      operation: text('Such as listTasks.'),
      limit: string({
        pattern: '^[1-9][0-9]{0,3}$',
        'x-says': 'must be a whole number from 1 to 9999',
        description: 'The newest so many.',
      }),
    },
    status: 200,
    answer: listOf(of.RequestEntry),
  },
  getRequest: {
    method: 'GET',
    path: '/requests/{id}',
    tag: 'Journal',
    summary: 'Read one exchange',
    status: 200,
    answer: of.RequestEntry,
    errors: [404],
  },
  deleteRequests: { ...GONE, path: '/requests', tag: 'Journal', summary: 'Forget every exchange' },
  listFaults: {
    method: 'GET',
    path: '/faults',
    tag: 'Faults',
    summary: 'List the faults',
    status: 200,
    answer: listOf(of.Fault),
  },
  createFault: {
    method: 'POST',
    path: '/faults',
    tag: 'Faults',
    summary: 'Order a fault',
    description:
      'A fault stands in front of the service: it strikes before keys and limits are looked at. `status` and `abort` answer in its place: the request is not performed and not counted. `delay_ms`, `body` and `hold` change the answer of a request that was performed. The first fault that strikes is the only one.',
    body: of.FaultDraft,
    status: 201,
    answer: of.Fault,
    errors: [422],
  },
  deleteFaults: { ...GONE, path: '/faults', tag: 'Faults', summary: 'Remove every fault' },
  getFault: {
    method: 'GET',
    path: '/faults/{id}',
    tag: 'Faults',
    summary: 'Read a fault',
    status: 200,
    answer: of.Fault,
    errors: [404],
  },
  deleteFault: { ...GONE, path: '/faults/{id}', tag: 'Faults', summary: 'Remove a fault', errors: [404] },
  releaseFault: {
    method: 'POST',
    path: '/faults/{id}/release',
    tag: 'Faults',
    summary: 'Let go the answers that a fault keeps back',
    description: 'From then on it keeps none back.',
    status: 200,
    answer: of.Fault,
    errors: [404],
  },
  getChoices: {
    method: 'GET',
    path: '/choices',
    tag: 'World',
    summary: 'Read the open points and their answers',
    status: 200,
    answer: of.Choices,
  },
  setChoices: {
    method: 'PATCH',
    path: '/choices',
    tag: 'World',
    summary: 'Answer open points anew',
    body: of.ChoiceAnswers,
    status: 200,
    answer: of.Choices,
    errors: [422],
  },
  getRelease: {
    method: 'GET',
    path: '/release',
    tag: 'World',
    summary: 'Read which release the service is',
    description: 'With what each release brought.',
    status: 200,
    answer: is.Released,
  },
  setRelease: {
    method: 'PATCH',
    path: '/release',
    tag: 'World',
    summary: 'Become the service of another release, or one ahead of its clients',
    description:
      'Data stays: what the release does not know is kept and not shown. `forward_compat` makes changes that v1 allows at any time.',
    body: is.ReleaseDraft,
    status: 200,
    answer: is.Released,
    errors: [422],
  },
  getCompatibility: {
    method: 'GET',
    path: '/compatibility',
    tag: 'World',
    summary: 'Read how clients live with a service that is ahead of them',
    description:
      'Under `--forward-compat`: warnings on what clients sent, and deliveries that receivers refused. A client that shows nothing, or stops, cannot be seen from here: `survived` is null until something was asked.',
    status: 200,
    answer: is.Compatibility,
  },
  listen: {
    method: 'GET',
    path: '/events',
    tag: 'World',
    summary: 'Listen to what happens',
    description: 'Server-sent events: `request`, `delivery`, `clock`, `state`.',
    query: { token: string({ description: 'The control token, for those who cannot send headers.' }) },
    status: 200,
    type: 'text/event-stream',
  },
  document: {
    method: 'GET',
    path: '/openapi.json',
    tag: 'World',
    summary: 'Read this document',
    status: 200,
    answer: { type: 'object', description: 'OpenAPI 3.1.' } as Schema<object>,
  },
});

export type ControlId = keyof typeof CONTROL;
export const CONTROL_IDS = Object.keys(CONTROL) as readonly ControlId[];

type Table = typeof CONTROL;
/** The checked body of a call; undefined when it takes none. */
export type ControlBody<Id extends ControlId> = Table[Id] extends { body: infer S } ? Is<S> : undefined;

/** The row of a call, with the optional keys in reach. */
export const controlRow = (id: ControlId): ControlRow => CONTROL[id];
