// The table of the control API: routes, checks, types and its OpenAPI document all come from it.
import { mapValues } from '../../service/contract/keyed.ts';
import { EVENT_NAMES } from '../../service/contract/resources.ts';
import { array, closed, type Is, map, object, oneOf, type Schema, type Schemas, string } from '../../service/contract/schema.ts';
import { DELIVERY_STATES } from '../../service/contract/states.ts';
import { RequestEntry } from '../../service/http/journal-entries.ts';
import { Compatibility } from '../../service/webhooks/compatibility.ts';
import { FaultDraft, FaultOrder } from '../../service/world/fault-draft.ts';
import { Difference, Different } from './diff.ts';
import { InboxMessage } from './inbox.ts';
import { controlCall, listOf, PAGE, pageLimit, RECORD_ROWS, type UntaggedRow } from './record-rows.ts';
import * as is from './shapes.ts';
import { TIMELINE_KINDS } from './timeline.ts';
import { TimelineEntry } from './timeline-entries.ts';

export const TAGS = {
  World: 'The state of a world as a whole.',
  Worlds: 'Isolated copies beside the default world.',
  Clock: 'Time, which drives timestamps, rate windows and retries.',
  Workspaces: 'Plans and rate windows, which the API cannot change.',
  Data: 'Records of every kind as they are stored, bypassing scopes, quota and journal. Changes fire their events: creating an invited user fires member.invited, updating it to joined member.joined.',
  Webhooks: 'The delivery log, and the outcomes of attempts.',
  Inbox: 'A built-in webhook receiver.',
  Journal: 'Every exchange with the service.',
  Faults: 'Failures on demand.',
} as const;

export type ControlRow = UntaggedRow & { readonly tag: keyof typeof TAGS };

const withTag = <R extends Readonly<Record<string, UntaggedRow>>>(tag: keyof typeof TAGS, rows: R) =>
  mapValues(rows, (row) => ({ ...row, tag })) as {
    readonly [Id in keyof R]: R[Id] & Pick<ControlRow, 'tag'>;
  };

const filterText = (description: string) => string({ minLength: 1, description });

const listing = <T, Q extends Schemas>(item: Schema<T>, filters: Q = {} as Q, limit = PAGE.limit) => ({
  query: { ...filters, ...PAGE, limit },
  response: listOf(item),
});

const NEWEST_LIMIT = 'How many of the newest entries to return; `next_cursor` leads to older ones. By default all, up to 16 MB.';
/** Query and response of a call that lists a log, newest page first. */
const logging = <T, Q extends Schemas>(item: Schema<T>, filters: Q = {} as Q) => listing(item, filters, pageLimit(NEWEST_LIMIT));

export const CONTROL = {
  ...withTag('World', {
    health: controlCall('GET /health', 'Check that the mock is up, and what uses its memory; needs no token', {
      response: is.Alive,
      tokenless: true,
    }),
    reset: controlCall('POST /reset', 'Go back to the seed', {
      tool: 'reset',
      description:
        'Resets data, clock, faults, limits, journal and deliveries. A fork goes back to its origin. With a `seed`, to that one.',
      body: is.ResetDraft,
      response: is.Health,
    }),
    state: controlCall('GET /state', 'Export the state as a seed file', {
      description: 'It contains keys and secrets; loaded as a seed, it reproduces this mock.',
      query: { format: oneOf(['json', 'yaml'], { default: 'json' }) },
      response: { type: 'object', description: 'A seed file.' } as Schema<object>,
      type: 'application/yaml',
    }),
    repro: controlCall('GET /repro', 'Download a repro file', {
      description:
        'Everything that came in, without keys and secrets, for `npx wm-mock replay`. The mock must be recording: docs/replay.md.',
      response: { type: 'object', description: 'A repro file.' } as Schema<object>,
      errors: [409],
    }),
    listSnapshots: controlCall('GET /snapshots', 'List snapshots', listing(is.SnapshotId)),
    createSnapshot: controlCall('POST /snapshots', 'Take a snapshot', {
      status: 201,
      response: is.SnapshotId,
      errors: [409],
      button: { page: 'overview', card: 'state', label: 'Snapshot', says: 'Saved as {id}.' },
    }),
    restoreSnapshot: controlCall('POST /snapshots/{id}/restore', 'Restore a snapshot', {
      description: 'It can be restored any number of times.',
      response: is.SnapshotId,
    }),
    deleteSnapshot: controlCall('DELETE /snapshots/{id}', 'Delete a snapshot'),
  }),
  ...withTag('Worlds', {
    listWorlds: controlCall('GET /worlds', 'List the worlds other than the default one', listing(is.WorldShape)),
    createWorld: controlCall('POST /worlds', 'Create a world', {
      description: 'An isolated copy of the seed, the current state, a snapshot, or a seed in the body.',
      body: is.WorldDraft,
      status: 201,
      response: is.WorldShape,
      errors: [404, 409],
    }),
    updateWorld: controlCall('PATCH /worlds/{id}', "Set a world's title and outcome", {
      description: 'The dashboard shows both in its list of worlds.',
      body: is.WorldNote,
      response: is.WorldShape,
      aside: true,
    }),
    deleteWorld: controlCall('DELETE /worlds/{id}', 'Delete a world', { aside: true }),
    diff: controlCall('GET /diff', 'Compare two worlds', {
      description:
        'Compares records field by field, and deliveries: what was created, removed or changed in the second world. Without parameters, compares this world with its beginning.',
      query: {
        from: filterText('The first world; by default, the second one as it began.'),
        to: filterText('The second world; by default, this one.'),
        ...PAGE,
      },
      response: object({ ...Difference, items: array(Different) }, { next_cursor: string() }),
      errors: [404],
    }),
  }),
  ...withTag('Clock', {
    getClock: controlCall('GET /clock', 'Read the clock', { response: is.ClockNow }),
    setClock: controlCall('POST /clock', 'Set, freeze or run the clock', {
      tool: 'set_clock',
      body: is.ClockDraft,
      response: is.ClockNow,
    }),
    advanceClock: controlCall('POST /clock/advance', 'Advance the clock', {
      tool: 'advance_clock',
      description:
        'Runs due delivery attempts in order and responds when they finish. `deliveries` are those with an attempt since the last advance.',
      body: is.Advance,
      response: is.ClockAdvanced,
    }),
  }),
  ...withTag('Workspaces', {
    listWorkspaces: controlCall('GET /workspaces', 'List the workspaces with their plans', listing(is.WorkspaceShape)),
    setPlan: controlCall('PATCH /workspaces/{id}', "Change a workspace's plan or rate window", {
      tool: 'set_plan',
      description:
        'The new limit and window apply at once; requests inside the window stay counted. With a `window_ms` of 1000, a test of retries takes seconds.',
      body: is.WorkspacePatch,
      response: is.WorkspaceShape,
    }),
    performOperation: controlCall('POST /operations/{id}', 'Perform an operation of the service', {
      description:
        'Such as `createTask`, as the owner of a workspace and in the latest release, with no key, quota or journal: what forms of the dashboard do.',
      body: is.OperationShape,
      response: { type: 'object', description: 'The response of the operation.' } as Schema<object>,
      errors: [409],
    }),
  }),
  ...withTag('Data', RECORD_ROWS),
  ...withTag('Webhooks', {
    simulateWebhook: controlCall('POST /webhooks/{id}/simulate', 'Set the outcome of the next attempts', {
      tool: 'simulate_webhook',
      description: 'Those attempts send nothing.',
      body: is.Outcomes,
      errors: [409],
      response: is.Ordered,
    }),
    listDeliveries: controlCall('GET /deliveries', 'Read the delivery log', {
      tool: 'list_deliveries',
      ...logging(is.DeliveryShape, {
        webhook_id: filterText('The id of a registration.'),
        event: oneOf(EVENT_NAMES),
        state: oneOf(DELIVERY_STATES),
      }),
    }),
    getDelivery: controlCall('GET /deliveries/{id}', 'Read a delivery', { response: is.DeliveryShape }),
    replayDelivery: controlCall('POST /deliveries/{id}/replay', 'Send an event again', {
      response: is.DeliveryShape,
      errors: [409],
    }),
  }),
  ...withTag('Inbox', {
    receive: controlCall('ANY /inbox/{name}', 'Receive an event', {
      description: 'A built-in receiver. Accepts any body and needs no token.',
      response: is.Health,
      open: true,
    }),
    listMessages: controlCall('GET /inbox/{name}/messages', 'List the events received', { ...logging(InboxMessage) }),
    respondWith: controlCall('POST /inbox/{name}/respond', 'Set the next responses of the inbox', {
      body: is.Statuses,
      response: is.Statuses,
    }),
  }),
  ...withTag('Journal', {
    listRequests: controlCall('GET /requests', 'Read the journal', {
      tool: 'list_requests',
      description:
        'Every exchange with `/v1`, oldest first: why it got its response, and where the client broke the contract. `limit` returns that many of the newest, in the same order. Exchanges whose responses a fault holds follow; they do not count toward `limit`.',
      ...logging(RequestEntry, {
        method: filterText('GET, POST, PATCH or DELETE.'),
        path: filterText('With or without /v1; `*` matches any characters.'),
        status: string({ pattern: '^([0-9]{1,3}|[1-5]xx)$', 'x-says': 'must be a status such as 404, or a class such as 4xx' }),
        operation: filterText('An operation, such as listTasks.'),
      }),
    }),
    getRequest: controlCall('GET /requests/{id}', 'Read one exchange', {
      tool: 'explain_request',
      description: 'In full: headers, bodies, each check with its part of the specification, and what it changed.',
      response: RequestEntry,
    }),
    har: controlCall('GET /har', 'Export the journal as an HTTP Archive', {
      description:
        'HAR 1.2, which browser developer tools open, without keys and secrets. Times are those of the world. A long journal is cut to its newest part.',
      query: { id: filterText('Only this exchange, such as req_1.') },
      response: { type: 'object', description: 'An HTTP Archive.' } as Schema<object>,
      errors: [404],
    }),
    deleteRequests: controlCall('DELETE /requests', 'Clear the journal'),
    listTimeline: controlCall('GET /timeline', 'Read the timeline', {
      tool: 'list_timeline',
      description:
        'Requests, events, attempts, clock changes, faults, choices and edits, oldest first, each with its cause and its effects. `limit` returns that many of the newest, in the same order.',
      ...logging(TimelineEntry, {
        kind: oneOf(TIMELINE_KINDS),
        from: string({
          pattern: '^[1-9][0-9]{0,14}$',
          'x-says': 'must be the number of an entry',
          description: 'That entry and everything that followed from it.',
        }),
        record: filterText('The id of a record: its changes, its events and their attempts.'),
      }),
    }),
  }),
  ...withTag('Faults', {
    listFaults: controlCall('GET /faults', 'List the faults', listing(is.FaultShape)),
    createFault: controlCall('POST /faults', 'Add a fault', {
      tool: 'add_fault',
      description:
        'A fault applies before keys and limits are checked. `status` and `abort` replace the response: the service does not run the request or count it. `delay_ms`, `latency`, `body`, `headers`, `content_type`, `retry_after` and `hold` change the response to a request that did run. With `match.event`, a fault applies to deliveries: `duplicate`, `reorder`, `bad_signature`, and `delay_ms` on the clock of the world. Only the first matching fault applies.',
      body: FaultDraft,
      errors: [409],
      status: 201,
      response: is.FaultShape,
    }),
    deleteFaults: controlCall('DELETE /faults', 'Remove every fault', { tool: 'clear_faults' }),
    getFault: controlCall('GET /faults/{id}', 'Read a fault', { response: is.FaultShape }),
    deleteFault: controlCall('DELETE /faults/{id}', 'Remove a fault'),
    releaseFault: controlCall('POST /faults/{id}/release', 'Release the responses that a fault holds', {
      tool: 'release_fault',
      description:
        'The fault then stops holding. With `request`, a number from `holding`, releases only that response, and the fault keeps holding others.',
      body: is.ReleaseFault,
      response: is.FaultShape,
    }),
  }),
  ...withTag('World', {
    getChoices: controlCall('GET /choices', 'List the open points and the choice for each', { response: is.ChoicesShape }),
    setChoices: controlCall('PATCH /choices', 'Change the choices for open points', {
      body: is.ChoiceAnswers,
      response: is.ChoicesShape,
    }),
    getRelease: controlCall('GET /release', 'Read the release that the mock serves', {
      description: 'Includes what each release added.',
      response: is.Released,
    }),
    setRelease: controlCall('PATCH /release', 'Switch to another release, or turn on forward-compat changes', {
      description:
        'Data stays: what the release does not have is stored but not shown. `forward_compat` makes changes that v1 allows at any time.',
      body: is.ReleaseDraftShape,
      response: is.Released,
    }),
    getCompatibility: controlCall('GET /compatibility', 'Report how clients coped with forward-compat changes', {
      description:
        'Under `--forward-compat`: warnings on what clients sent, and deliveries that receivers refused. The mock cannot see a client that shows nothing or stops; `survived` is null until the first request.',
      response: Compatibility,
    }),
    listen: controlCall('GET /events', 'Subscribe to changes', {
      description:
        'Server-sent events: `request`, `delivery`, `clock`, `state`. The stream of a quiet hosted world ends after `rest`: a client that reconnects after `retry` milliseconds with the `id` as `Last-Event-ID` (as `EventSource` does) gets a `state` of kind `missed` if anything happened in between.',
      query: { token: string({ description: 'The control token, for clients that cannot send headers.' }) },
      type: 'text/event-stream',
    }),
    panel: controlCall('GET /panel.js', "Load the panel into an app's pages", {
      description: 'Works as a classic script or an ES module; docs/dashboard.md.',
      type: 'text/javascript',
      open: true,
      errors: [404],
    }),
    document: controlCall('GET /openapi.json', 'Read this document', {
      response: { type: 'object', description: 'OpenAPI 3.1.' } as Schema<object>,
    }),
  }),
};

export type ControlId = keyof typeof CONTROL;
export const CONTROL_IDS = Object.keys(CONTROL) as readonly ControlId[];

export type ControlBody<Id extends ControlId> = (typeof CONTROL)[Id] extends { body: infer S } ? Is<S> : undefined;

export const controlRow = (id: ControlId): ControlRow => CONTROL[id];

const anObject = map('Checked by the function of its call: choices, records.');

/** For arguments of programs; these validators are in every mock. */
export const PROGRAM_SCHEMAS = {
  fork: is.ForkDraft,
  fault: FaultOrder,
  setClock: CONTROL.setClock.body,
  outcomes: CONTROL.simulateWebhook.body,
  anObject,
  page: closed({}, PAGE),
};

/** For HTTP; these validators are loaded with the control API. Queries end in `Query`. */
export const HTTP_SCHEMAS: Readonly<Record<string, Schema<unknown>>> = {
  anObject,
  noQuery: closed({}),
  ...Object.fromEntries(
    CONTROL_IDS.flatMap((id) => {
      const { body, query, tag } = controlRow(id);
      // Records are checked by the schemas of seeds.
      if (tag === 'Data') return [];
      return [...(body ? [[id, body] as const] : []), ...(query ? [[`${id}Query`, closed({}, query)] as const] : [])];
    }),
  ),
};
