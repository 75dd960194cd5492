// The mock for programs, made from one instance of a host.
import type { Hono } from 'hono';
import { Problem } from '../../service/contract/errors.ts';
import { fetchFrom } from '../../service/http/abortable.ts';
import type { ClockMode } from '../../service/world/clock.ts';
import type { World } from '../../service/world/world.ts';
import { byProgram, checked } from '../control/by-program.ts';
import { advance, milliseconds, setClock } from '../control/calls/clock.ts';
import { addFault, clearFaults, releaseFault, removeFault, showFault } from '../control/calls/faults.ts';
import { requestsOf } from '../control/calls/journal.ts';
import { compatibilitySeen, knownRelease, setRelease } from '../control/calls/release.ts';
import { comparedOf } from '../control/calls/timeline.ts';
import { replayDelivery, simulate } from '../control/calls/webhooks.ts';
import { setChoices, workingKeys } from '../control/calls/worlds.ts';
import { diffOf } from '../control/diff.ts';
import { type Guard, IN_PROCESS } from '../control/guard.ts';
import type { Host } from '../control/host.ts';
import type { Instance } from '../control/instance.ts';
import { planted } from '../control/snapshot.ts';
import { heard, type Recording, rewoundOf, savedOf } from '../control/tape.ts';
import { timelineOf } from '../control/timeline-entries.ts';
import type { Repro } from '../recording/format.ts';
import { authFrom } from './auth.ts';
import { live, once, overridden } from './members.ts';
import type { ForkOptions, Mock, MockClock, MockFaults, MockKey } from './mock.ts';
import { type MockRecords, recordsOf } from './records.ts';

type Moment = string | number | Date;

const clockOf = (instance: Instance): MockClock => {
  const at = (time: Moment) => (time instanceof Date ? time.getTime() : time);
  const set = (name: string, now: Moment | undefined, mode?: ClockMode) =>
    byProgram(name, () => void setClock(instance, checked('setClock', { now: now === undefined ? undefined : at(now), mode })));
  const told = <A extends readonly unknown[], R>(name: string, act: (...given: A) => R) => heard(instance, `clock.${name}`, act);
  const read = live({ now: () => new Date(instance.world.clock.now()).toISOString(), mode: () => instance.world.clock.mode });
  return overridden(read, {
    advance: told('advance', async (by: string | number) => {
      const ms = by === 'next' ? by : milliseconds(by);
      if (ms === undefined)
        throw new RangeError(`advance: expected a duration such as 30s or 2h, milliseconds or next, got "${by}"`);
      return byProgram('clock.advance', () => advance(instance, ms));
    }),
    set: told('set', (now: Moment, mode?: ClockMode) => set('clock.set', now, mode)),
    freeze: told('freeze', (now?: Moment) => set('clock.freeze', now, 'frozen')),
    run: told('run', () => void setClock(instance, { mode: 'running' })),
  });
};

const noFault = (id: string): Problem => {
  const says = `faults.release is refused: no fault has the id ${JSON.stringify(id)}; it may have been removed. faults.list() gives those there are. docs/faults.md of wm-mock says more.`;
  return new Problem(404, 'not_found', says);
};

const faultsOf = (instance: Instance): MockFaults => ({
  add: heard(instance, 'faults.add', (fault) =>
    byProgram('faults.add', () => showFault(addFault(instance, checked('fault', fault)))),
  ),
  list: () => instance.faults.list().map(showFault),
  remove: heard(instance, 'faults.remove', (id) => removeFault(instance, id)),
  clear: heard(instance, 'faults.clear', () => clearFaults(instance)),
  release: heard(instance, 'faults.release', (id, request) => {
    if (!instance.faults.get(id)) throw noFault(id);
    byProgram('faults.release', () => void releaseFault(instance, id, request));
  }),
});

const keysOf = (world: World): MockKey[] => workingKeys(world).map(({ id: _, ...key }) => key);

/** A path, with or without its slash, is relative to the base URL. */
const below = (baseUrl: string, input: string): string =>
  input.startsWith('/') ? baseUrl + input : new URL(input, `${baseUrl}/`).href;

const webhooksOf = (instance: Instance): Mock['webhooks'] => {
  const { webhooks } = instance;
  return {
    settled: heard(instance, 'webhooks.settled', () => webhooks.settled()),
    onDelivery: (listener) => webhooks.onDelivery(listener),
    replay: heard(instance, 'webhooks.replay', (id) => replayDelivery(instance, id)),
    simulate: heard(instance, 'webhooks.simulate', (id, outcomes) => simulate(instance, id, outcomes)),
  };
};

/** The resulting state of a world. */
const stateOf = (instance: Instance, recording: Recording | undefined) =>
  live({
    world: () => instance.world,
    keys: () => keysOf(instance.world),
    requests: () => requestsOf(instance),
    timeline: () => timelineOf(instance, recording).map((one) => one.show()),
    deliveries: () => instance.webhooks.deliveries.list(),
    webhooks: () => webhooksOf(instance),
    choices: () => instance.world.choices,
    release: () => instance.world.release,
    forwardCompat: () => instance.world.terms.forward,
    compatibility: () => compatibilitySeen(instance),
  });

export const mockOf = (host: Host, instance: Instance, app: Hono, guard: Guard): Mock => {
  const baseUrl = `http://${IN_PROCESS}${instance === host.main ? '' : `/worlds/${instance.id}`}/v1`;
  const told = <A extends readonly unknown[], R>(name: string, act: (...given: A) => R) => heard(instance, name, act);
  const acting: Omit<Mock, keyof ReturnType<typeof stateOf> | keyof MockRecords | 'clock' | 'faults'> = {
    id: instance.id,
    app,
    baseUrl,
    guard,
    choose: told('choose', (answers) => byProgram('choose', () => void setChoices(instance, checked('anObject', answers)))),
    become: told('become', (release) => byProgram('become', () => void setRelease(instance, { release: knownRelease(release) }))),
    moveAhead: told('moveAhead', (kinds) => byProgram('moveAhead', () => void setRelease(instance, { forward_compat: kinds }))),
    onRequest: (call) => {
      const told: Parameters<typeof host.onExchange.add>[0] = (from, exchange) =>
        call(from.showing().summary(exchange), from.id, () => from.showing().entry(exchange));
      host.onExchange.add(told);
      return () => void host.onExchange.delete(told);
    },
    snapshot: told('snapshot', () => {
      const id = instance.snapshot();
      return { id, restore: () => told('restore', (from: string) => void instance.restore(from))(id) };
    }),
    fork: (options = {}) => {
      const { id = host.freeId(), from = 'current', mintKeys = false, title } = byProgram('fork', () => checked('fork', options));
      return told('fork', (asked: Required<Omit<ForkOptions, 'title'>>) => {
        const origin = asked.from === 'seed' ? instance.origin : instance.running.snapshot('without journal');
        const made = host.open(asked.id, origin, asked.mintKeys);
        if (title !== undefined) made.about = { title };
        return mockOf(host, made, app, guard);
      })({ id, from, mintKeys });
    },
    fetch: (input, init) => fetchFrom(app, typeof input === 'string' ? below(baseUrl, input) : input, init),
    auth: (scope, workspace) => authFrom(keysOf(instance.world), scope, workspace),
    reset: told('reset', (seed) => {
      if (seed !== undefined && (typeof seed !== 'object' || seed === null))
        throw new TypeError(`reset: expected a parsed seed, or nothing for the seed that it has, got ${JSON.stringify(seed)}`);
      instance.reset(seed && planted(host.options.seedNow(seed)));
    }),
    diff: (other) => diffOf(comparedOf(instance), other),
    rewind: async (step, { before = false, id = host.freeId() } = {}) =>
      told('rewind', async (to: number, how: { readonly before: boolean; readonly id: string }) => {
        const origin = await rewoundOf(host.options.recording, instance, to, how.before);
        return mockOf(host, host.open(how.id, origin, false), app, guard);
      })(step, { before, id }),
    save: async (title) => (await savedOf(host.options.recording, instance, title)) as Repro,
    close: async () => {
      if (instance === host.main) host.close();
      else host.remove(instance.id);
    },
  };
  const parts = live({ clock: once(() => clockOf(instance)), faults: once(() => faultsOf(instance)) });
  return overridden(stateOf(instance, host.options.recording), recordsOf(instance), parts, acting);
};
