// The members of a mock that change it: the call that each makes, its arguments as the input, its response as the result. Loads nothing.
import type { Is } from '../../service/contract/schema.ts';
import type { RecordName } from '../../service/world/records.ts';
import type { CONTROL, ControlId } from '../control/operations.ts';
import type { CallInput, CallRow } from '../control/recorder.ts';
import type { ProgramSchema } from '../control/validate.ts';
import type { Mock, MockClock, MockFaults } from './mock.ts';

type Table = typeof CONTROL;
type BodyOf<Id extends ControlId> = Table[Id] extends { body: infer S } ? Is<S> : undefined;
type ResponseOf<Id extends ControlId> = Table[Id] extends { response: infer S } ? Is<S> : undefined;

/** The mock that a member belongs to. */
export interface Handle {
  /** The mock of another world. */
  at(world: string): unknown;
  /** Makes the call of a member. */
  run(member: keyof typeof MEMBER_CALLS, given: readonly unknown[]): unknown;
}

/** How a member becomes a call. */
export interface MemberCall extends CallRow {
  readonly id: ControlId;
  readonly input: (...given: never[]) => CallInput;
  /** Absent: the member returns nothing. */
  readonly result?: (response: never, mock: Handle) => unknown;
  /** Returned, instead of the refusal, when nothing has the id. */
  readonly missing?: false;
  /** Validates the first argument in a program, or the body where there is no such argument. */
  readonly options?: ProgramSchema | undefined;
  readonly validates?: ProgramSchema | undefined;
}

/** Does not compile where the row has another call, takes another body or has another response. */
const member =
  <A extends readonly unknown[]>() =>
  <Id extends ControlId>(
    id: Id,
    call: Table[Id]['call'],
    input: (...given: A) => Omit<CallInput, 'body'> & { readonly body?: BodyOf<Id> },
    more: {
      readonly result?: (response: ResponseOf<Id>, mock: Handle) => unknown;
      readonly missing?: false;
      readonly options?: ProgramSchema;
      readonly validates?: ProgramSchema;
    } = {},
  ): MemberCall =>
    ({ id, call, input, ...more }) as unknown as MemberCall;

/** The body as the member passes it on: a validator has seen it, or will. */
const unchecked = <T>(value: unknown): T => value as T;
const same = <T>(response: T): T => response;
type Moment = string | number | Date | undefined;

const setClock = (now: Moment, mode?: 'running' | 'frozen') => ({
  body: { ...(now !== undefined && { now: now instanceof Date ? now.getTime() : now }), ...(mode !== undefined && { mode }) },
});
const ofClock = <A extends readonly unknown[]>(input: (...given: A) => ReturnType<typeof setClock>) =>
  member<A>()('setClock', 'POST /clock', input, { validates: 'setClock' });
const newWorld = (response: { readonly id: string }, mock: Handle) => mock.at(response.id);

export const MEMBER_CALLS = {
  'clock.advance': member<Parameters<MockClock['advance']>>()(
    'advanceClock',
    'POST /clock/advance',
    (by) => ({ body: by === 'next' ? { to: 'next' as const } : { by } }),
    { result: same },
  ),
  'clock.set': ofClock<Parameters<MockClock['set']>>(setClock),
  'clock.freeze': ofClock<Parameters<MockClock['freeze']>>((at) => setClock(at, 'frozen')),
  'clock.run': ofClock<[]>(() => setClock(undefined, 'running')),
  'faults.add': member<Parameters<MockFaults['add']>>()('createFault', 'POST /faults', (fault) => ({ body: unchecked(fault) }), {
    result: same,
    options: 'fault',
  }),
  'faults.remove': member<[string]>()('deleteFault', 'DELETE /faults/{id}', (id) => ({ variable: id }), {
    result: () => true,
    missing: false,
  }),
  'faults.clear': member<[]>()('deleteFaults', 'DELETE /faults', () => ({})),
  'faults.release': member<Parameters<MockFaults['release']>>()('releaseFault', 'POST /faults/{id}/release', (id, request) => ({
    variable: id,
    body: request === undefined ? {} : { request },
  })),
  'webhooks.replay': member<Parameters<Mock['webhooks']['replay']>>()(
    'replayDelivery',
    'POST /deliveries/{id}/replay',
    (id) => ({ variable: id }),
    { result: same },
  ),
  'webhooks.simulate': member<Parameters<Mock['webhooks']['simulate']>>()(
    'simulateWebhook',
    'POST /webhooks/{id}/simulate',
    (id, outcomes) => ({ variable: id, body: unchecked({ outcomes }) }),
    { validates: 'outcomes' },
  ),
  choose: member<Parameters<Mock['choose']>>()('setChoices', 'PATCH /choices', (answers) => ({ body: unchecked(answers) }), {
    options: 'anObject',
  }),
  become: member<Parameters<Mock['become']>>()('setRelease', 'PATCH /release', (release) => ({
    body: unchecked({ release: release ?? null }),
  })),
  moveAhead: member<Parameters<Mock['moveAhead']>>()('setRelease', 'PATCH /release', (kinds) => ({
    body: unchecked({ forward_compat: typeof kinds === 'string' ? kinds.split(',') : kinds }),
  })),
  snapshot: member<[]>()('createSnapshot', 'POST /snapshots', () => ({}), {
    result: ({ id }, mock) => ({ id, restore: () => mock.run('restore', [id]) }),
  }),
  restore: member<[string]>()('restoreSnapshot', 'POST /snapshots/{id}/restore', (id) => ({ variable: id })),
  reset: member<Parameters<Mock['reset']>>()('reset', 'POST /reset', (seed) => ({ body: seed === undefined ? {} : { seed } })),
  fork: member<Parameters<Mock['fork']>>()(
    'createWorld',
    'POST /worlds',
    ({ from = 'current', mintKeys = false, ...named } = {}) => ({ body: { from, mint_keys: mintKeys, ...named } }),
    { result: newWorld, options: 'fork' },
  ),
  rewind: member<Parameters<Mock['rewind']>>()(
    'createWorld',
    'POST /worlds',
    (step, options) => ({ body: { ...options, at: step } }),
    { result: newWorld },
  ),
} satisfies Readonly<Record<string, MemberCall>>;

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
export type RecordKind = keyof typeof KINDS;

const RECORD_CALLS = {
  create: { method: 'POST', input: (draft: object = {}) => ({ body: draft }), result: same },
  update: { method: 'PATCH', input: (id: string, patch: object) => ({ variable: id, body: patch }), result: same },
  remove: { method: 'DELETE', input: (id: string) => ({ variable: id }), result: undefined },
} as const;
export type RecordChange = keyof typeof RECORD_CALLS;
export const RECORD_CHANGES = Object.keys(RECORD_CALLS) as readonly RecordChange[];

/** The call that changes records of a kind: `create` of `task` is `createTaskRecord`. */
export const recordCall = (verb: RecordChange, kind: RecordKind): MemberCall => {
  const { method, input, result } = RECORD_CALLS[verb];
  const title = kind.charAt(0).toUpperCase() + kind.slice(1);
  const row = {
    id: `${verb === 'remove' ? 'delete' : verb}${title}Record`,
    call: `${method} /data/${KINDS[kind]}${verb === 'create' ? '' : '/{id}'}`,
  };
  return { ...row, input, validates: verb === 'remove' ? undefined : 'anObject', result } as unknown as MemberCall;
};
