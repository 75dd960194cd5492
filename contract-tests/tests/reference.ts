// A run against the reference server in this process: no socket, and no wait that costs real time.
import type { Fetch } from '../engine/terms.ts';
import type { Time } from '../engine/time.ts';
import { RUNNERS, surroundingsOf } from '../judge/judges.ts';
import { VirtualClock } from '../judge/reference/clock.ts';
import { createReferenceServer } from '../judge/reference/server.ts';
import type { Service } from '../judge/reference/service/service.ts';
import { Desk } from '../judge/staging.ts';
import { HOOKS } from '../judge/targets.ts';
import { writeReports } from '../report/write.ts';
import type { ContractOptions, Report } from '../run.ts';
import { runSuite } from '../suite.ts';

const START = Date.UTC(2030, 0, 7, 9, 0, 0);

export interface Staging {
  /** How this server differs from others that conform, or the fault it has. */
  readonly alter?: (service: Service) => void;
  /** A layer between the suite and the server. */
  readonly between?: (next: Fetch, clock: VirtualClock) => Fetch;
  /** The run's clock, where it is not the server's. */
  readonly time?: (clock: VirtualClock) => Partial<Time>;
  readonly options?: Partial<ContractOptions>;
}

export interface Outcome {
  readonly report: Report;
}

/** Runs the suite with webhooks allowed. */
export const runOnReference = async ({ alter, between, time, options }: Staging): Promise<Outcome> => {
  const clock = new VirtualClock(START);
  const ours: Time = {
    now: () => clock.now(),
    sleep: (ms) => clock.sleep(ms),
    after: (ms, job) => clock.after(ms, job),
    settle: () => clock.settle(),
    virtual: true,
    ...time?.(clock),
  };
  const desk = new Desk();
  const send = (letter: Parameters<Desk['carry']>[0]) => desk.carry(letter, ours, undefined, true);
  const server = createReferenceServer({ clock, send, alter });
  const target = {
    baseUrl: server.baseUrl,
    keys: server.keys,
    fetch: between ? between(server.fetch, clock) : server.fetch,
    time: ours,
    receiverUrl: HOOKS,
    taskWithComments: server.taskWithComments,
    allow: ['webhooks'] as const,
    reportDir: false as const,
    ...options,
  };
  const report = await runSuite(target, {
    ...surroundingsOf(RUNNERS[0]!, () => desk.receiver()),
    ...(options?.reportDir ? { artefacts: { choicesIn: () => ({}), lastIn: () => undefined, write: writeReports } } : {}),
  });
  return { report };
};

/** The faults that a run found, in the words of its report. */
export const blames = ({ report }: Outcome): string[] => [
  ...report.requirements.filter(({ status }) => status === 'failed').map(({ id, reason }) => `${id}: ${reason}`),
  ...(report.error === undefined ? [] : [`error: ${report.error}`]),
];
