// The mock for programs, made from one instance of a host.
import type { Hono } from 'hono';
import { fetchFrom } from '../../service/http/abortable.ts';
import { wait } from '../../service/world/time.ts';
import type { World } from '../../service/world/world.ts';
import { milliseconds } from '../control/calls/clock.ts';
import { showFault } from '../control/calls/faults.ts';
import { requestsOf } from '../control/calls/journal.ts';
import { compatibilitySeen } from '../control/calls/release.ts';
import { comparedOf } from '../control/calls/timeline.ts';
import { workingKeys } from '../control/calls/worlds.ts';
import { diffOf } from '../control/diff.ts';
import { type Guard, IN_PROCESS } from '../control/guard.ts';
import type { Host } from '../control/host.ts';
import type { Instance } from '../control/instance.ts';
import { type Recording, saveRecording } from '../control/recorder.ts';
import { timelineOf } from '../control/timeline-entries.ts';
import type { Repro } from '../recording/steps.ts';
import { authFrom } from './auth.ts';
import { callerOf, type MakeCall } from './call-member.ts';
import { recordsOf } from './call-records.ts';
import { MEMBER_CALLS } from './member-calls.ts';
import { live, once, overridden } from './members.ts';
import type { Mock, MockClock, MockFaults, MockKey } from './mock.ts';
import type { MockRecords } from './records.ts';

const clockOf = (instance: Instance, make: MakeCall): MockClock => {
  const { advance, ...setting } = make<Omit<MockClock, 'now' | 'mode'>>('clock.');
  return overridden(
    live({ now: () => new Date(instance.world.clock.now()).toISOString(), mode: () => instance.world.clock.mode }),
    setting,
    {
      advance: async (by: string | number) => {
        if (by !== 'next' && milliseconds(by) === undefined)
          throw new RangeError(`advance: expected a duration such as 30s or 2h, milliseconds or next, got "${by}"`);
        return advance(by);
      },
    },
  );
};

const faultsOf = (instance: Instance, make: MakeCall): MockFaults => ({
  ...make<Omit<MockFaults, 'list'>>('faults.'),
  list: () => instance.faults.list().map(showFault),
});

const webhooksOf = (instance: Instance, make: MakeCall): Mock['webhooks'] => ({
  ...make<Pick<Mock['webhooks'], 'replay' | 'simulate'>>('webhooks.'),
  settled: async () => {
    // Settling starts what is due, which would be input of its own: a recorded world is left to itself.
    if (instance.recorder) while (instance.world.clock.left === 0) await wait(1);
    else await instance.webhooks.settled();
  },
  onDelivery: (listener) => instance.webhooks.onDelivery(listener),
});

const keysOf = (world: World): MockKey[] => workingKeys(world).map(({ id: _, ...key }) => key);

/** A path, with or without its slash, is relative to the base URL. */
const below = (baseUrl: string, input: string): string =>
  input.startsWith('/') ? baseUrl + input : new URL(input, `${baseUrl}/`).href;

/** The resulting state of a world. */
const stateOf = (instance: Instance, recording: Recording | undefined) =>
  live({
    world: () => instance.world,
    keys: () => keysOf(instance.world),
    requests: () => requestsOf(instance),
    timeline: () => timelineOf(instance, recording).map((one) => one.show()),
    deliveries: () => instance.webhooks.deliveries.list(),
    choices: () => instance.world.choices,
    release: () => instance.world.release,
    forwardCompat: () => instance.world.terms.forward,
    compatibility: () => compatibilitySeen(instance),
  });

type Calling = Pick<Mock, 'choose' | 'become' | 'moveAhead' | 'snapshot' | 'fork' | 'reset' | 'rewind'>;
type Parts = 'clock' | 'faults' | 'webhooks';

export const mockOf = (host: Host, instance: Instance, app: Hono, guard: Guard): Mock => {
  const baseUrl = `http://${IN_PROCESS}${instance === host.main ? '' : `/worlds/${instance.id}`}/v1`;
  const { recording } = host.options;
  const at = (world: string) => mockOf(host, host.get(world)!, app, guard);
  const caller = callerOf({ host, instance }, at);
  const { make } = caller;
  const { reset: _, ...calling } = make<Calling>('');
  const acting: Omit<Mock, keyof ReturnType<typeof stateOf> | keyof MockRecords | Parts | keyof typeof calling> = {
    id: instance.id,
    app,
    baseUrl,
    guard,
    onRequest: (call) => {
      const listener: Parameters<typeof host.onExchange.add>[0] = (from, exchange) =>
        call(from.showing().summary(exchange), from.id, () => from.showing().entry(exchange));
      host.onExchange.add(listener);
      return () => void host.onExchange.delete(listener);
    },
    fetch: (input, init) => fetchFrom(app, typeof input === 'string' ? below(baseUrl, input) : input, init),
    auth: (scope, workspace) => authFrom(keysOf(instance.world), scope, workspace),
    reset: (seed) => {
      if (seed !== undefined && (typeof seed !== 'object' || seed === null))
        throw new TypeError(`reset: expected a parsed seed, or nothing for the seed that it has, got ${JSON.stringify(seed)}`);
      caller.call('reset', MEMBER_CALLS.reset, [seed], seed && host.options.seedNow(seed));
    },
    diff: (other) => diffOf(comparedOf(instance), other),
    save: async (title) => (await saveRecording(recording, instance, title)) as Repro,
    close: async () => {
      if (instance === host.main) host.close();
      else host.remove(instance.id);
    },
  };
  const parts = live({
    clock: once(() => clockOf(instance, make)),
    faults: once(() => faultsOf(instance, make)),
    webhooks: once(() => webhooksOf(instance, make)),
  });
  return overridden(stateOf(instance, recording), recordsOf(instance, caller), parts, calling, acting);
};
