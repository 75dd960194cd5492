// Starts a mock: the service, its control API and the dashboard, with no socket.
import { hostOptionsOf, type LoadDashboard, mockOn, toSeed } from './mock/api/create.ts';
import type { Mock } from './mock/api/mock.ts';
import { mock as validate } from './mock/api/options.generated.ts';
import type { MockOptions } from './mock/api/options.ts';
import { Host, type HostOptions } from './mock/control/host.ts';
import type { Recording } from './mock/control/recorder.ts';
import { plantSeed } from './mock/control/snapshot.ts';
import { checkOptions } from './service/validation/check.ts';

const loadDashboard: LoadDashboard = async (host, guard) =>
  new (await import('./dashboard/dashboard.tsx')).Dashboard(host, guard);

/**
 * Starts a mock in this process. @param given receives its input, instead of a recording of its own @param version of wm-mock
 * @throws SeedError when the seed breaks a rule, RangeError when an option is unknown or impossible.
 */
export const createMock = async (
  options: MockOptions = {},
  given?: Recording,
  version?: HostOptions['version'],
): Promise<Mock> => {
  checkOptions('createMock', validate, options);
  const origin = plantSeed(await toSeed(options));
  const recording = given ?? (options.record ? new (await import('./mock/recording/record.ts')).Recorder() : undefined);
  return mockOn(new Host(origin, hostOptionsOf(options, recording, version)), options, loadDashboard);
};
