// The members of a mock as calls of the control API: arguments as the input, the response as the result. Loads nothing of the mock.
import { SCOPES } from '../../service/contract/states.ts';
import type { RecordName } from '../../service/world/records.ts';
import type { ControlResponse } from '../control/invoke.ts';
import type { CONTROL, ControlBody, ControlId } from '../control/operations.ts';
import { type RecordVerb, recordCallId } from '../control/record-types.ts';
import type { CallInput, CallRow } from '../control/recorder.ts';
import type { ProgramSchema } from '../control/validate.ts';
import type { Mock, MockClock, MockFaults, MockKey } from './mock.ts';

/** The mock that a member belongs to. */
export interface MemberOwner {
  /** The mock of another world. */
  at(world: string): unknown;
  restore(snapshot: string): unknown;
}

interface MemberTraits<Response> {
  /** Absent: the member returns nothing. */
  readonly result?: (response: Response, mock: MemberOwner) => unknown;
  /** Returned, instead of the refusal, when nothing has the id. */
  readonly missing?: false | undefined;
  /** Validates the first argument in a program, or the body where there is no such argument. */
  readonly options?: ProgramSchema | undefined;
  readonly validates?: ProgramSchema | undefined;
  /** The result is made of all pages: those of a log precede the one read before. */
  readonly pages?: 'list' | 'log';
  /** Takes nothing, and is read like a value. */
  readonly isProperty?: boolean;
}

/** How a member with these arguments becomes a call. */
export interface MemberCall<A extends readonly unknown[] = never> extends CallRow, MemberTraits<never> {
  readonly id: ControlId;
  readonly input: (...given: A) => CallInput;
}
export type MemberCalls = Readonly<Record<string, MemberCall>>;
/** Members of an object, each with its arguments; properties have none. */
type MembersOf<T> = { readonly [K in keyof T]?: MemberCall<T[K] extends (...given: infer A) => unknown ? A : []> };
interface Members {
  readonly mock: MembersOf<Mock>;
  readonly clock: MembersOf<MockClock>;
  readonly faults: MembersOf<MockFaults>;
  readonly webhooks: MembersOf<Mock['webhooks']>;
}

/** Does not compile where the row has another call, takes another body or has another response. */
const member = <Id extends ControlId, A extends readonly unknown[]>(
  id: Id,
  call: (typeof CONTROL)[Id]['call'],
  input: (...given: A) => Omit<CallInput, 'body'> & { readonly body?: ControlBody<Id> },
  traits: MemberTraits<ControlResponse<Id>> = {},
) => ({ id, call, input, ...traits }) as unknown as MemberCall<A>;

/** A property of a mock; a mock in this process looks it up in its world. */
const property = <Id extends ControlId>(
  id: Id,
  call: (typeof CONTROL)[Id]['call'],
  result: (response: ControlResponse<Id>) => unknown,
  pages?: 'list' | 'log',
): MemberCall<[]> => member(id, call, () => ({}), { result, isProperty: true, ...(pages && { pages }) });

/** The body as the member passes it on: a validator has seen it, or will. */
const castInput = <T>(value: unknown): T => value as T;
const idOf = (id: string) => ({ variable: id });
const identity = <T>(response: T): T => response;
const allItems = ({ items }: { readonly items: readonly unknown[] }) => items;

const clockDraft = (now: string | number | Date | undefined, mode?: 'running' | 'frozen') => ({
  body: { ...(now !== undefined && { now: now instanceof Date ? now.getTime() : now }), ...(mode !== undefined && { mode }) },
});
const newWorld = (response: { readonly id: string }, mock: MemberOwner) => mock.at(response.id);

/** The members that change a mock, and its world with it. */
export const CHANGES = {
  mock: {
    choose: member('setChoices', 'PATCH /choices', (choices) => ({ body: castInput(choices) }), { options: 'anObject' }),
    become: member('setRelease', 'PATCH /release', (release) => ({ body: castInput({ release: release ?? null }) })),
    moveAhead: member('setRelease', 'PATCH /release', (kinds) => ({
      body: castInput({ forward_compat: typeof kinds === 'string' ? kinds.split(',') : kinds }),
    })),
    snapshot: member('createSnapshot', 'POST /snapshots', () => ({}), {
      result: ({ id }, mock) => ({ id, restore: () => mock.restore(id) }),
    }),
    reset: member('reset', 'POST /reset', (seed) => ({ body: seed === undefined ? {} : { seed } })),
    fork: member(
      'createWorld',
      'POST /worlds',
      ({ from = 'current', mintKeys = false, ...named } = {}) => ({ body: { from, mint_keys: mintKeys, ...named } }),
      { result: newWorld, options: 'fork' },
    ),
    rewind: member('createWorld', 'POST /worlds', (step, options) => ({ body: { ...options, at: step } }), { result: newWorld }),
  },
  clock: {
    advance: member('advanceClock', 'POST /clock/advance', (by) => ({ body: by === 'next' ? { to: 'next' as const } : { by } }), {
      result: identity,
    }),
    set: member('setClock', 'POST /clock', clockDraft, { validates: 'setClock' }),
    freeze: member('setClock', 'POST /clock', (at) => clockDraft(at, 'frozen'), { validates: 'setClock' }),
    run: member('setClock', 'POST /clock', () => clockDraft(undefined, 'running'), { validates: 'setClock' }),
  },
  faults: {
    add: member('createFault', 'POST /faults', (fault) => ({ body: castInput(fault) }), { result: identity, options: 'fault' }),
    remove: member('deleteFault', 'DELETE /faults/{id}', idOf, { result: () => true, missing: false }),
    clear: member('deleteFaults', 'DELETE /faults', () => ({})),
    release: member('releaseFault', 'POST /faults/{id}/release', (id, request) => ({
      variable: id,
      body: request === undefined ? {} : { request },
    })),
  },
  webhooks: {
    replay: member('replayDelivery', 'POST /deliveries/{id}/replay', idOf, { result: identity }),
    simulate: member(
      'simulateWebhook',
      'POST /webhooks/{id}/simulate',
      (id, outcomes) => ({ variable: id, body: castInput({ outcomes }) }),
      { validates: 'outcomes' },
    ),
  },
} satisfies Members;

export const RESTORE = member('restoreSnapshot', 'POST /snapshots/{id}/restore', idOf);

/** The members that read; a mock in this process looks into its world instead. */
export const READS = {
  mock: {
    keys: { ...property('listKeyRecords', 'GET /data/keys', allItems, 'list'), input: () => ({ query: { revoked: 'false' } }) },
    requests: property('listRequests', 'GET /requests', allItems, 'log'),
    deliveries: property('listDeliveries', 'GET /deliveries', allItems, 'log'),
    timeline: property('listTimeline', 'GET /timeline', allItems, 'log'),
    compatibility: property('getCompatibility', 'GET /compatibility', identity),
    choices: property('getChoices', 'GET /choices', (response) => response.answers),
    release: property('getRelease', 'GET /release', ({ release }) => release),
    forwardCompat: property('getRelease', 'GET /release', (response) => response.forward_compat),
  },
  clock: {
    now: property('getClock', 'GET /clock', ({ now }) => now),
    mode: property('getClock', 'GET /clock', ({ mode }) => mode),
  },
  faults: { list: { ...property('listFaults', 'GET /faults', allItems, 'list'), isProperty: false } },
  webhooks: {
    // Nothing is due later than now: what is due ends before the response.
    settled: member('advanceClock', 'POST /clock/advance', () => ({ body: { by: 0 } })),
  },
} satisfies Members;

/** Each kind of record, by the name of one. */
export const KINDS = {
  project: 'projects',
  task: 'tasks',
  user: 'users',
  team: 'teams',
  comment: 'comments',
  webhook: 'webhooks',
  key: 'keys',
} as const satisfies { readonly [N in RecordName as N extends `${infer One}s` ? One : never]: N };

const recordMembers = (verb: RecordVerb, call: string, traits: MemberTraits<never> & Pick<MemberCall, 'input'>) =>
  Object.fromEntries(
    Object.entries(KINDS).map(([one, name]): [string, MemberCall] => [
      verb === 'list' ? name : one,
      { id: recordCallId(verb, name), call: call.replace('{kind}', name), ...traits },
    ]),
  );

/** The members of records, by verb and kind. */
export const RECORDS = {
  create: recordMembers('create', 'POST /data/{kind}', {
    input: (draft: object = {}) => ({ body: draft }),
    result: identity,
    validates: 'anObject',
  }),
  read: {
    ...recordMembers('get', 'GET /data/{kind}/{id}', { input: idOf, result: identity, missing: undefined }),
    ...recordMembers('list', 'GET /data/{kind}', {
      input: (query?: object) => ({ query: castInput(query) }),
      result: allItems,
      pages: 'list',
    }),
  },
  update: recordMembers('update', 'PATCH /data/{kind}/{id}', {
    input: (id: string, patch: object) => ({ variable: id, body: patch }),
    result: identity,
    validates: 'anObject',
  }),
  remove: recordMembers('delete', 'DELETE /data/{kind}/{id}', { input: idOf }),
} satisfies Readonly<Record<string, MemberCalls>>;

/** The value of a working key. @throws RangeError naming the available workspaces or scopes, as the member */
export const chooseKey = (member: 'auth' | 'key', keys: readonly MockKey[], scope: string, workspace?: string): string => {
  const there = keys.filter(({ workspace_id }) => workspace === undefined || workspace_id === workspace);
  const key = there.find((one) => one.scope === scope);
  if (key) return key.value;
  const workspaces = [...new Set(keys.map(({ workspace_id }) => workspace_id))];
  if (workspace !== undefined && there.length === 0)
    throw new RangeError(`${member}: expected one of the workspaces ${workspaces.join(', ')}, got "${workspace}"`);
  const scopes = SCOPES.filter((one) => there.some((each) => each.scope === one));
  const what = `a scope that a working key${workspace === undefined ? '' : ` of ${workspace}`} has (${scopes.join(', ') || 'there is none'})`;
  throw new RangeError(`${member}: expected ${what}, got "${scope}". Ask for another one, or add such a key to the seed.`);
};

export const bearer = (key: string): { readonly authorization: string } => ({ authorization: `Bearer ${key}` });
