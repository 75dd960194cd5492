// The mock as programs use it, made from one instance of a host: checked calls at once, and reads of its world.
import type { Hono } from 'hono';
import { Problem } from '../../service/contract/errors.ts';
import { mapValues } from '../../service/contract/keyed.ts';
import { fetchFrom } from '../../service/http/in-process.ts';
import type { RecordName, Seed } from '../../service/world/records.ts';
import { wait } from '../../service/world/time.ts';
import type { World } from '../../service/world/world.ts';
import { milliseconds } from '../control/calls/clock.ts';
import { showFault } from '../control/calls/faults.ts';
import { comparedOf, requestsOf } from '../control/calls/journal.ts';
import { readCompatibility } from '../control/calls/release.ts';
import { workingKeys } from '../control/calls/worlds.ts';
import { diffOf } from '../control/diff.ts';
import { type Guard, IN_PROCESS } from '../control/guard.ts';
import type { Host } from '../control/host.ts';
import type { Instance } from '../control/instance.ts';
import { invoke } from '../control/invoke.ts';
import { type CallInput, type Recording, saveRecording } from '../control/recorder.ts';
import { readRecords, recordWith } from '../control/records.ts';
import { timelineOf } from '../control/timeline-entries.ts';
import { refusalOfMember, validate, withoutUndefined } from '../control/validate.ts';
import type { Repro } from '../recording/steps.ts';
import {
  bearer,
  CHANGES,
  chooseKey,
  KINDS,
  type MemberCall,
  type MemberCalls,
  type MemberOwner,
  RECORDS,
  RESTORE,
} from './members.ts';
import type { Mock, MockClock, MockFaults, MockKey, MockRecords } from './mock.ts';

/** Addresses in responses begin with that of this request. Made on first use: a start is faster without. */
let ownRequest: Request | undefined;

const checkedInput = ({ input, options, validates }: MemberCall, given: readonly unknown[]): CallInput => {
  const inputOf = input as (...given: readonly unknown[]) => CallInput;
  if (options !== undefined) {
    const first = given[0] === undefined ? {} : withoutUndefined(given[0]);
    validate(options, first);
    return inputOf(first);
  }
  const made = inputOf(...given);
  const checked = 'body' in made ? { ...made, body: withoutUndefined(made.body) } : made;
  if (validates !== undefined) validate(validates, checked.body);
  return checked;
};

/** Makes the call of a member: at once where it waits for nothing. */
type CallMember = (name: string, member: MemberCall, given: readonly unknown[], seed?: Seed) => unknown;

const memberCaller = (host: Host, instance: Instance, at: MemberOwner['at']): CallMember => {
  const call: CallMember = (name, member, given, seed) => {
    ownRequest ??= new Request(`http://${IN_PROCESS}/_mock`);
    const site = { host, instance, request: ownRequest, title: `mock.${name}` };
    const resultOf = (response: unknown) => member.result?.(response as never, owner);
    const refused = (error: unknown) => {
      if ('missing' in member && error instanceof Problem && error.status === 404) return member.missing;
      throw refusalOfMember(name, error);
    };
    try {
      const response = invoke(member, site, { ...checkedInput(member, given), ...(seed && { seed }) });
      return response instanceof Promise ? response.then(resultOf, refused) : resultOf(response);
    } catch (error) {
      return refused(error);
    }
  };
  const owner: MemberOwner = { at, restore: (id) => call('restore', RESTORE, [id]) };
  return call;
};

/** The functions of members. @param prefix of their names in refusals */
const functionsOf = <T extends object>(call: CallMember, members: MemberCalls, prefix = '') =>
  mapValues(
    members,
    (member, name) =>
      (...given: unknown[]) =>
        call(prefix + name, member, given),
  ) as T;

const readsOf = (instance: Instance): MockRecords['read'] => {
  const list =
    (name: RecordName) =>
    (query: object = {}) => {
      try {
        const fields = withoutUndefined(query) as Readonly<Record<string, unknown>>;
        validate('anObject', fields);
        return readRecords(instance.world, name, fields);
      } catch (error) {
        throw refusalOfMember(`read.${name}`, error);
      }
    };
  return Object.fromEntries(
    Object.entries(KINDS).flatMap(([one, name]) => [
      [one, (id: string) => recordWith(instance.world, name, id)] as const,
      [name, list(name)] as const,
    ]),
  ) as unknown as MockRecords['read'];
};

const STATE = Symbol('state');

/**
 * A function that adds computed members to an object: each is computed on each read, from the object's state.
 * All objects share the getters, because V8 keeps those of each object, with all that they reach, until a full collection.
 */
export const gettersFrom = <S extends object, T extends object>(members: { readonly [K in keyof T]: (state: S) => T[K] }) => {
  const getters = mapValues(members, (compute) => {
    const get = function (this: { readonly [STATE]: S }) {
      return compute(this[STATE]);
    };
    return { get, enumerable: true, configurable: true };
  });
  return <Base extends object>(base: Base, state: S): Base & T => {
    Object.defineProperty(base, STATE, { value: state });
    return Object.defineProperties(base, getters) as Base & T;
  };
};

const addTime = gettersFrom<Instance, Pick<MockClock, 'now' | 'mode'>>({
  now: ({ world }) => new Date(world.clock.now()).toISOString(),
  mode: ({ world }) => world.clock.mode,
});

const createClockMembers = (instance: Instance, call: CallMember): MockClock => {
  const { advance, ...setting } = functionsOf<Omit<MockClock, 'now' | 'mode'>>(call, CHANGES.clock, 'clock.');
  const checked = async (by: string | number) => {
    if (by !== 'next' && milliseconds(by) === undefined)
      throw new RangeError(`advance: expected a duration such as 30s or 2h, milliseconds or next, got "${by}"`);
    return advance(by);
  };
  return addTime({ ...setting, advance: checked }, instance);
};

const createFaultMembers = (instance: Instance, call: CallMember): MockFaults => ({
  ...functionsOf<Omit<MockFaults, 'list'>>(call, CHANGES.faults, 'faults.'),
  list: () => instance.faults.list().map(showFault),
});

const createWebhookMembers = (instance: Instance, call: CallMember): Mock['webhooks'] => ({
  ...functionsOf<Pick<Mock['webhooks'], 'replay' | 'simulate'>>(call, CHANGES.webhooks, 'webhooks.'),
  settled: async () => {
    // Settling starts what is due, which would be input of its own: a recorded world is left to itself.
    if (instance.recorder) while (instance.world.clock.left === 0) await wait(1);
    else await instance.webhooks.settled();
  },
  onDelivery: (listener) => instance.webhooks.onDelivery(listener),
});

const keysOf = (world: World): MockKey[] => workingKeys(world).map(({ id: _, ...key }) => key);

/** A path, with or without its slash, is relative to the base URL. */
const resolveUrl = (baseUrl: string, input: string): string =>
  input.startsWith('/') ? baseUrl + input : new URL(input, `${baseUrl}/`).href;

type Parts = Pick<Mock, 'clock' | 'faults' | 'webhooks' | keyof MockRecords>;

/** The origin of computed members, and the parts made so far: most worlds use few. */
interface MockState extends Partial<Parts> {
  readonly instance: Instance;
  readonly recording: Recording | undefined;
  readonly call: CallMember;
}

const part =
  <K extends keyof Parts>(name: K, make: (instance: Instance, call: CallMember) => Parts[K]) =>
  (state: MockState): Parts[K] => {
    const made: Partial<Parts> = state;
    made[name] ??= make(state.instance, state.call);
    return made[name] as Parts[K];
  };
const changes = <K extends 'create' | 'update' | 'remove'>(verb: K) =>
  part(verb, (_, call) => functionsOf<Parts[K]>(call, RECORDS[verb], `${verb}.`));

type Computed = Parts &
  Pick<
    Mock,
    'world' | 'keys' | 'requests' | 'timeline' | 'deliveries' | 'choices' | 'release' | 'forwardCompat' | 'compatibility'
  >;

const addComputed = gettersFrom<MockState, Computed>({
  world: ({ instance }) => instance.world,
  keys: ({ instance }) => keysOf(instance.world),
  requests: ({ instance }) => requestsOf(instance),
  timeline: ({ instance, recording }) => timelineOf(instance, recording).map((one) => one.show()),
  deliveries: ({ instance }) => instance.webhooks.deliveries.list(),
  choices: ({ instance }) => instance.world.choices,
  release: ({ instance }) => instance.world.release,
  forwardCompat: ({ instance }) => instance.world.terms.forward,
  compatibility: ({ instance }) => readCompatibility(instance),
  create: changes('create'),
  read: part('read', readsOf),
  update: changes('update'),
  remove: changes('remove'),
  clock: part('clock', createClockMembers),
  faults: part('faults', createFaultMembers),
  webhooks: part('webhooks', createWebhookMembers),
});

export const createInstanceMock = (host: Host, instance: Instance, app: Hono, guard: Guard): Mock => {
  const baseUrl = `http://${IN_PROCESS}${instance === host.main ? '' : `/worlds/${instance.id}`}/v1`;
  const { recording } = host.options;
  const at = (world: string) => createInstanceMock(host, host.get(world)!, app, guard);
  const call = memberCaller(host, instance, at);
  const { reset: _, ...calling } = functionsOf<Pick<Mock, keyof typeof CHANGES.mock>>(call, CHANGES.mock);
  const acting: Omit<Mock, keyof Computed | keyof typeof calling> = {
    id: instance.id,
    app,
    baseUrl,
    guard,
    onRequest: (listen) => {
      const listener: Parameters<typeof host.onExchange.add>[0] = (from, exchange) =>
        listen(from.showing().summary(exchange), from.id, () => from.showing().entry(exchange));
      host.onExchange.add(listener);
      return () => void host.onExchange.delete(listener);
    },
    fetch: (input, init) => fetchFrom(app, typeof input === 'string' ? resolveUrl(baseUrl, input) : input, init),
    auth: (scope, workspace) => bearer(chooseKey('auth', keysOf(instance.world), scope, workspace)),
    key: (scope, workspace) => chooseKey('key', keysOf(instance.world), scope, workspace),
    reset: (seed) => {
      if (seed !== undefined && (typeof seed !== 'object' || seed === null))
        throw new TypeError(`reset: expected a parsed seed, or nothing for the seed that it has, got ${JSON.stringify(seed)}`);
      call('reset', CHANGES.mock.reset, [seed], seed && host.options.seedNow(seed));
    },
    diff: (other) => diffOf(comparedOf(instance), other),
    save: async (title) => (await saveRecording(recording, instance, title)) as Repro,
    close: async () => {
      if (instance === host.main) host.close();
      else host.remove(instance.id);
    },
  };
  return addComputed({ ...calling, ...acting }, { instance, recording, call });
};
