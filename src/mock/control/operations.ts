// The table of the control API: routes, checks, types and its OpenAPI document all come from it.

import { EVENT_NAMES } from '../../service/contract/resources.ts';
import { array, type Is, object, oneOf, type Schema, string } from '../../service/contract/schema.ts';
import { DELIVERY_STATES } from '../../service/contract/states.ts';
import { Compatibility } from '../../service/forward-compat/compatibility.ts';
import { RequestEntry } from '../../service/http/show-exchange.ts';
import { FaultDraft } from '../../service/world/fault-draft.ts';
import { Difference, Different } from './diff.ts';
import * as faults from './fault-shapes.ts';
import { InboxMessage } from './inbox.ts';
import { RECORD_ROWS } from './record-rows.ts';
import { RECORD_SHAPES } from './record-shapes.ts';
import * as is from './shapes.ts';
import { listOf } from './shapes.ts';
import type { Stated } from './stated.ts';
import { TIMELINE_KINDS } from './timeline.ts';
import { TimelineEntry } from './timeline-entries.ts';
import * as webhooks from './webhook-shapes.ts';

/** The tags of the calls, and what belongs to each. */
export const TAGS = {
  World: 'The state of a world as a whole.',
  Worlds: 'Isolated copies beside the default world.',
  Clock: 'Time, which drives timestamps, rate windows and retries.',
  Dashboard: 'Keys, members and comments, which the API has no calls for.',
  Data: 'Records of every kind as they are kept, outside scopes, quota and journal.',
  Webhooks: 'Registrations and the delivery log.',
  Inbox: 'A receiver for those who have none.',
  Journal: 'Every exchange with the service.',
  Faults: 'What goes wrong on order.',
} as const;

interface Derived {
  readonly method: string;
  readonly path: string;
  readonly tag: keyof typeof TAGS;
  readonly status: 200 | 201 | 204;
  readonly errors: readonly (404 | 409 | 422)[];
}
export type ControlRow = Omit<Stated, 'status' | 'errors'> & Derived;

const rowOf = (tag: keyof typeof TAGS, stated: Stated): ControlRow => {
  const [method, path] = stated.call.split(' ') as [string, string];
  const status = stated.status ?? (method === 'DELETE' ? 204 : 200);
  const errors = [
    ...(stated.errors ?? []),
    ...(path.includes('{id}') ? [404 as const] : []),
    ...(stated.body || (stated.query && 'cursor' in stated.query) ? [422 as const] : []),
  ];
  return { ...stated, method, path, tag, status, errors };
};

const tagged = <const T extends Readonly<Record<string, Stated>>>(tag: keyof typeof TAGS, rows: T) =>
  Object.fromEntries(Object.entries(rows).map(([id, stated]) => [id, rowOf(tag, stated)])) as {
    readonly [Id in keyof T]: Omit<T[Id], keyof Derived> & Derived;
  };

const text = (description: string) => string({ minLength: 1, description });

/** What a call takes that lists things, beside its filters, and what it responds. */
const listing = <T, Q extends Readonly<Record<string, Schema<unknown>>>>(item: Schema<T>, filters: Q = {} as Q) => ({
  query: { ...filters, ...is.PAGE },
  response: listOf(item),
});

/** The same of a log, whose first page is the newest. */
const logging = <T, Q extends Readonly<Record<string, Schema<unknown>>>>(item: Schema<T>, filters: Q = {} as Q) => {
  const { query, response } = listing(item, filters);
  const limit = is.limit('The newest so many; `next_cursor` leads to older ones. Left out: all, up to some megabytes.');
  return { query: { ...query, limit }, response };
};

export const CONTROL = {
  ...tagged('World', {
    health: {
      call: 'GET /health',
      summary: 'Whether the mock answers, and what uses its memory; asks for no token',
      response: is.Alive,
      tokenless: true,
    },
    reset: {
      call: 'POST /reset',
      summary: 'Go back to the seed',
      description: 'Data, clock, faults, limits, journal, deliveries. A fork goes back to what it was made from.',
      response: is.Health,
    },
    state: {
      call: 'GET /state',
      summary: 'Read the whole state as a seed file',
      description: 'It holds keys and secrets: as a seed it gives a mock that answers the same.',
      query: { format: oneOf(['json', 'yaml'], { default: 'json' }) },
      response: { type: 'object', description: 'A seed file.' } as Schema<object>,
      type: 'application/yaml',
    },
    repro: {
      call: 'GET /repro',
      summary: 'Save what came in, to repeat it elsewhere',
      description: 'A repro file for `npx wm-mock replay`, without keys and secrets, of a mock that records: docs/replay.md.',
      response: { type: 'object', description: 'A repro file.' } as Schema<object>,
      errors: [409],
    },
    listSnapshots: { call: 'GET /snapshots', summary: 'List the snapshots', ...listing(is.SnapshotId) },
    createSnapshot: { call: 'POST /snapshots', summary: 'Save the state', status: 201, response: is.SnapshotId, errors: [409] },
    restoreSnapshot: {
      call: 'POST /snapshots/{id}/restore',
      summary: 'Bring a saved state back',
      description: 'The snapshot stays: it can be brought back again.',
      response: is.SnapshotId,
    },
    deleteSnapshot: { call: 'DELETE /snapshots/{id}', summary: 'Forget a saved state' },
  }),
  ...tagged('Worlds', {
    listWorlds: { call: 'GET /worlds', summary: 'List the worlds beside the default one', ...listing(is.World) },
    createWorld: {
      call: 'POST /worlds',
      summary: 'Open an isolated copy',
      description: 'From the seed, from the state as it is, from a snapshot, or from a seed given here.',
      body: is.WorldDraft,
      status: 201,
      response: is.World,
      errors: [404, 409],
    },
    updateWorld: {
      call: 'PATCH /worlds/{id}',
      summary: 'Say what a world is for, and how that ended',
      description: 'The dashboard lists worlds by it.',
      body: is.WorldNote,
      response: is.World,
      aside: true,
    },
    deleteWorld: { call: 'DELETE /worlds/{id}', summary: 'Delete a world' },
    diff: {
      call: 'GET /diff',
      summary: 'Compare two worlds',
      description:
        'Their records, field by field, and their deliveries: what is created, gone or changed in the second. With neither, what has changed since this one began.',
      query: {
        from: text('A world; left out: the second one as it began.'),
        to: text('The second world; left out: this one.'),
        ...is.PAGE,
      },
      response: object({ ...Difference, items: array(Different) }, { next_cursor: string() }),
      errors: [404],
    },
  }),
  ...tagged('Clock', {
    getClock: { call: 'GET /clock', summary: 'Read the clock', response: is.ClockNow },
    setClock: {
      call: 'POST /clock',
      summary: 'Set the clock, freeze it, let it run',
      body: is.ClockDraft,
      response: is.ClockNow,
    },
    advanceClock: {
      call: 'POST /clock/advance',
      summary: 'Move the clock on',
      description:
        'Makes every attempt that falls due, in order, and answers when they have ended. `deliveries` are those in which an attempt was made since the last advance.',
      body: is.Advance,
      response: is.ClockAdvanced,
    },
  }),
  ...tagged('Dashboard', {
    listWorkspaces: { call: 'GET /workspaces', summary: 'List the workspaces with their plans', ...listing(is.Workspace) },
    setPlan: {
      call: 'PATCH /workspaces/{id}',
      summary: 'Put a workspace on another plan, or give it a shorter or longer rate window',
      description:
        'Its new limit and window count at once; the requests that fall into the window stay counted. With a `window_ms` of 1000 a test of retries takes seconds.',
      body: is.WorkspacePatch,
      response: is.Workspace,
    },
    listKeys: { call: 'GET /keys', summary: 'List the API keys', ...listing(is.ListedKey) },
    createKey: { call: 'POST /keys', summary: 'Create an API key', body: is.KeyDraft, status: 201, response: is.CreatedKey },
    revokeKey: { call: 'POST /keys/{id}/revoke', summary: 'Revoke an API key', response: is.ListedKey },
    inviteMember: {
      call: 'POST /members/invite',
      summary: 'Invite somebody to a workspace',
      description: 'Fires member.invited.',
      body: is.Invitation,
      status: 201,
      response: is.Member,
      errors: [409],
    },
    joinMember: {
      call: 'POST /members/{id}/join',
      summary: 'Accept an invitation',
      description: 'Fires member.joined.',
      response: is.Member,
      errors: [409],
    },
    createComment: {
      call: 'POST /tasks/{id}/comments',
      summary: 'Comment on a task',
      body: is.CommentDraft,
      status: 201,
      response: RECORD_SHAPES.comments.kept,
    },
    deleteComment: { call: 'DELETE /comments/{id}', summary: 'Delete a comment' },
  }),
  ...tagged('Data', RECORD_ROWS),
  ...tagged('Webhooks', {
    listWebhooks: { call: 'GET /webhooks', summary: 'List the registrations', ...listing(webhooks.Registration) },
    deleteWebhook: { call: 'DELETE /webhooks/{id}', summary: 'Delete a registration' },
    simulateWebhook: {
      call: 'POST /webhooks/{id}/simulate',
      summary: 'Order how the next attempts end',
      description: 'Nothing is sent for them.',
      body: webhooks.Outcomes,
      errors: [409],
      response: webhooks.Ordered,
    },
    listDeliveries: {
      call: 'GET /deliveries',
      summary: 'Read the delivery log',
      ...logging(webhooks.Delivery, {
        webhook_id: text('Of this registration.'),
        event: oneOf(EVENT_NAMES),
        state: oneOf(DELIVERY_STATES),
      }),
    },
    getDelivery: { call: 'GET /deliveries/{id}', summary: 'Read a delivery', response: webhooks.Delivery },
    replayDelivery: {
      call: 'POST /deliveries/{id}/replay',
      summary: 'Send an event once more',
      response: webhooks.Delivery,
      errors: [409],
    },
  }),
  ...tagged('Inbox', {
    receive: {
      call: 'ANY /inbox/{name}',
      summary: 'Receive an event',
      description: 'A receiver for those who have none. Takes any body and asks for no token.',
      response: is.Health,
      open: true,
    },
    listMessages: { call: 'GET /inbox/{name}/messages', summary: 'Read what was received', ...logging(InboxMessage) },
    respondWith: {
      call: 'POST /inbox/{name}/respond',
      summary: 'Order the next responses of the inbox',
      body: webhooks.Statuses,
      response: webhooks.Statuses,
    },
  }),
  ...tagged('Journal', {
    listRequests: {
      call: 'GET /requests',
      summary: 'Read the journal',
      description:
        'Each exchange with `/v1`, oldest first: why it was answered so, and what the client did against the contract. With `limit` the newest so many, in the same order. Behind them, beside `limit`, those whose responses a fault keeps back.',
      ...logging(RequestEntry, {
        method: text('GET, POST, PATCH or DELETE.'),
        path: text('With or without /v1; `*` stands for any characters.'),
        status: string({ pattern: '^([0-9]{1,3}|[1-5]xx)$', 'x-says': 'must be a status such as 404, or a class such as 4xx' }),
        operation: text('Such as listTasks.'),
      }),
    },
    getRequest: { call: 'GET /requests/{id}', summary: 'Read one exchange', response: RequestEntry },
    har: {
      call: 'GET /har',
      summary: 'Export the journal as an HTTP Archive',
      description:
        'HAR 1.2, which the tools of browsers open, without keys and secrets. Times are those of the world. Of a long journal the newest.',
      query: { id: text('One exchange alone, such as req_1.') },
      response: { type: 'object', description: 'An HTTP Archive.' } as Schema<object>,
      errors: [404],
    },
    deleteRequests: { call: 'DELETE /requests', summary: 'Forget every exchange' },
    listTimeline: {
      call: 'GET /timeline',
      summary: 'Read what happened, in its order',
      description:
        'Requests, events, attempts, clock moves, faults, open points and edits, oldest first, with what each follows from and what followed from it. With `limit` the newest so many, in the same order.',
      ...logging(TimelineEntry, {
        kind: oneOf(TIMELINE_KINDS),
        from: string({
          pattern: '^[1-9][0-9]{0,14}$',
          'x-says': 'must be the number of an entry',
          description: 'That entry, and all that followed from it.',
        }),
        record: text('The id of a record: what has changed it, its events and their attempts.'),
      }),
    },
  }),
  ...tagged('Faults', {
    listFaults: { call: 'GET /faults', summary: 'List the faults', ...listing(faults.Fault) },
    createFault: {
      call: 'POST /faults',
      summary: 'Order a fault',
      description:
        'A fault stands in front of the service: it strikes before keys and limits are looked at. `status` and `abort` answer in its place: the request is not performed and not counted. `delay_ms`, `latency`, `body`, `headers`, `content_type`, `retry_after` and `hold` change the response to a request that was performed. With `match.event` it stands between the service and its receivers: `duplicate`, `reorder`, `bad_signature`, and `delay_ms` on the clock of the world. The first fault that strikes is the only one.',
      body: FaultDraft,
      errors: [409],
      status: 201,
      response: faults.Fault,
    },
    deleteFaults: { call: 'DELETE /faults', summary: 'Remove every fault' },
    getFault: { call: 'GET /faults/{id}', summary: 'Read a fault', response: faults.Fault },
    deleteFault: { call: 'DELETE /faults/{id}', summary: 'Remove a fault' },
    releaseFault: {
      call: 'POST /faults/{id}/release',
      summary: 'Let go the responses that a fault keeps back',
      description:
        'From then on it keeps none back. With `request`, a number of its `holding`, the response to that one alone, and it goes on holding.',
      body: faults.ReleaseFault,
      response: faults.Fault,
    },
  }),
  ...tagged('World', {
    getChoices: { call: 'GET /choices', summary: 'Read the open points and their answers', response: is.Choices },
    setChoices: { call: 'PATCH /choices', summary: 'Answer open points anew', body: is.ChoiceAnswers, response: is.Choices },
    getRelease: {
      call: 'GET /release',
      summary: 'Read which release the service is',
      description: 'With what each release brought.',
      response: is.Released,
    },
    setRelease: {
      call: 'PATCH /release',
      summary: 'Become the service of another release, or one ahead of its clients',
      description:
        'Data stays: what the release does not know is kept and not shown. `forward_compat` makes changes that v1 allows at any time.',
      body: is.ReleaseDraft,
      response: is.Released,
    },
    getCompatibility: {
      call: 'GET /compatibility',
      summary: 'Read how clients live with a service that is ahead of them',
      description:
        'Under `--forward-compat`: warnings on what clients sent, and deliveries that receivers refused. A client that shows nothing, or stops, cannot be seen from here: `survived` is null until something was asked.',
      response: Compatibility,
    },
    listen: {
      call: 'GET /events',
      summary: 'Listen to what happens',
      description:
        'Server-sent events: `request`, `delivery`, `clock`, `state`. The stream of a quiet hosted world ends after `rest`: a client that returns after `retry` milliseconds with the `id` as `Last-Event-ID` (an `EventSource` does) hears a `state` of kind `missed` if anything happened meanwhile.',
      query: { token: string({ description: 'The control token, for those who cannot send headers.' }) },
      type: 'text/event-stream',
    },
    panel: {
      call: 'GET /panel.js',
      summary: 'Load the panel for the pages of an app',
      description: 'A classic script that is a module as well; docs/panel.md.',
      type: 'text/javascript',
      open: true,
      errors: [404],
    },
    document: {
      call: 'GET /openapi.json',
      summary: 'Read this document',
      response: { type: 'object', description: 'OpenAPI 3.1.' } as Schema<object>,
    },
  }),
};

export type ControlId = keyof typeof CONTROL;
export const CONTROL_IDS = Object.keys(CONTROL) as readonly ControlId[];

type Table = typeof CONTROL;
/** The checked body of a call; undefined when it takes none. */
export type ControlBody<Id extends ControlId> = Table[Id] extends { body: infer S } ? Is<S> : undefined;

export const controlRow = (id: ControlId): ControlRow => CONTROL[id];
