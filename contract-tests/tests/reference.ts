// A run against the reference server in this process: no socket, and no wait that costs real time.
import type { Message } from '../engine/receiver.ts';
import { Receiver } from '../engine/receiver.ts';
import type { Fetch } from '../engine/terms.ts';
import type { Time } from '../engine/time.ts';
import { RUNNERS, surroundingsOf } from '../judge/judges.ts';
import { VirtualClock } from '../judge/reference/clock.ts';
import type { Post } from '../judge/reference/model.ts';
import { createReferenceServer } from '../judge/reference/server.ts';
import type { Service } from '../judge/reference/service/service.ts';
import type { StyleName } from '../judge/reference/styles.ts';
import { writeReports } from '../report/write.ts';
import type { ContractOptions, Report } from '../run.ts';
import { runSuite } from '../suite.ts';

const START = Date.UTC(2030, 0, 7, 9, 0, 0);
const RECEIVER = 'https://hooks.reference.test';

class InProcess extends Receiver {
  async listen(): Promise<string> {
    return RECEIVER;
  }
  async close(): Promise<void> {}
}

export interface Staging {
  readonly style?: StyleName;
  /** How this server differs from others that conform, or the fault it has. */
  readonly alter?: (service: Service) => void;
  /** What stands between the suite and the server. */
  readonly between?: (next: Fetch, clock: VirtualClock) => Fetch;
  /** The run's clock, where it is not the server's. */
  readonly time?: (clock: VirtualClock) => Partial<Time>;
  readonly options?: Partial<ContractOptions>;
}

export interface Outcome {
  readonly report: Report;
  readonly messages: readonly Message[];
}

/** The server of a staging, for one run or for several, which all get every message. */
export const open = ({ style, alter, between, time, options }: Staging) => {
  const clock = new VirtualClock(START);
  const ours: Time = {
    now: () => clock.now(),
    sleep: (ms) => clock.sleep(ms),
    after: (ms, job) => clock.after(ms, job),
    settle: () => clock.settle(),
    virtual: true,
    ...time?.(clock),
  };
  const receivers: Receiver[] = [];
  const send = ({ url, method, headers, body }: Post) =>
    new Promise<number>((done) => {
      const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      const message = { method, headers: lower, body, at: ours.now() };
      const answers = receivers.map((receiver) => receiver.take(url, message));
      const status = Math.max(...answers.map((answer) => answer.status));
      const delayMs = Math.max(...answers.map((answer) => answer.delayMs));
      if (delayMs === 0) done(status);
      else clock.after(delayMs, () => done(status));
    });
  const server = createReferenceServer({ clock, send, ...(style && { style }), ...(alter && { alter }) });
  const run = async (): Promise<Outcome> => {
    const receiver = new InProcess();
    receivers.push(receiver);
    const target = {
      baseUrl: server.baseUrl,
      keys: server.keys,
      fetch: between ? between(server.fetch, clock) : server.fetch,
      time: ours,
      receiverUrl: RECEIVER,
      taskWithComments: server.taskWithComments,
      allow: ['webhooks'] as const,
      reportDir: false as const,
      ...options,
    };
    const report = await runSuite(target, {
      ...surroundingsOf(RUNNERS[0]!, () => receiver),
      ...(options?.reportDir ? { artefacts: { choicesIn: () => ({}), lastIn: () => undefined, write: writeReports } } : {}),
    });
    return { report, messages: receiver.messages };
  };
  return { run, server, clock };
};

/** Runs the suite with webhooks allowed, and all that comes to its receiver. */
export const runOnReference = (staging: Staging): Promise<Outcome> => open(staging).run();

/** What a run found wrong, in the words of its report. */
export const blames = ({ report }: Outcome): string[] => [
  ...report.requirements.filter(({ status }) => status === 'failed').map(({ id, reason }) => `${id}: ${reason}`),
  ...(report.error === undefined ? [] : [`error: ${report.error}`]),
];
