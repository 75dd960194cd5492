// Starts a mock: the service, its control API and the dashboard, with no socket.
import { hostOptionsOf, type LoadDashboard, mockOn, replayUpTo, toSeed } from './mock/api/create.ts';
import type { Mock } from './mock/api/mock.ts';
import { mock as validate } from './mock/api/options.generated.ts';
import type { MockOptions } from './mock/api/options.ts';
import { Host, type HostOptions } from './mock/control/host.ts';
import type { Recording } from './mock/control/recorder.ts';
import type { Watcher } from './mock/control/running.ts';
import { plantSeed } from './mock/control/snapshot.ts';
import type { Repro } from './mock/recording/steps.ts';
import { checkOptions } from './service/validation/check.ts';
import type { World } from './service/world/world.ts';

const loadDashboard: LoadDashboard = async (host, guard) =>
  new (await import('./dashboard/dashboard.tsx')).Dashboard(host, guard);

/** Prepares the first world of a mock, and hears what happens in each. */
export interface Trial extends Watcher {
  prepare(world: World): void;
}

export const createRecorder = async ({ record }: Pick<MockOptions, 'record'>, version?: string) =>
  record ? new (await import('./mock/recording/record.ts')).Recorder(version, record === 'recent') : undefined;

/**
 * Starts a mock in this process. @param given receives its input, instead of a recording of its own @param version of wm-mock
 * @throws SeedError when the seed breaks a rule, RangeError when an option is unknown or impossible.
 */
export const createMock = async (
  options: MockOptions = {},
  given?: Recording,
  version?: HostOptions['version'],
  trial?: Trial,
): Promise<Mock> => {
  checkOptions('createMock', validate, options);
  const origin = plantSeed(await toSeed(options));
  trial?.prepare(origin.world);
  const recording = given ?? (await createRecorder(options));
  const hostOptions = { ...hostOptionsOf(options, recording, version), watcher: trial };
  return mockOn(new Host(origin, hostOptions), options, loadDashboard);
};

/** A mock of its own with the world of a repro file as it was after the last step. Its clock is frozen. */
export const continueRepro = async (repro: Repro, options: MockOptions): Promise<Mock> => {
  const origin = await replayUpTo(repro, repro.steps.length, false);
  // Nothing is sent again that the recorded mock has sent.
  const sender: MockOptions['sender'] = async () => ({ kind: 'refused', error: 'a replayed world sends no event', took: 0 });
  const mock = mockOn(new Host(origin, hostOptionsOf({ ...options, sender })), options, loadDashboard);
  mock.clock.freeze();
  return mock;
};
