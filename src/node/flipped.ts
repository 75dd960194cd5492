// A mock under the matrix: it has the flips of the run, wherever it is made, and notes what is asked of it.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { armed } from '../matrix/armed.ts';
import { type Flip, narrow, optionsWith } from '../matrix/flips.ts';
import { recorded, type Step, type Traffic } from '../matrix/recording.ts';
import type { Mock as PureMock } from '../mock/mock.ts';
import type { NODE_MOCK, Options } from '../mock/options.ts';

type MockOptions = Options<typeof NODE_MOCK>;

interface Told {
  readonly flips: readonly Pick<Flip, 'options' | 'faults' | 'windowMs'>[];
  /** The folder in which each mock notes its traffic. */
  readonly folder: string;
}

export const tell = (told: Told): string => JSON.stringify(told);

let mocks = 0;

/** Makes a mock with the flips of a run. @param told what the variable says */
export const flipped = async <M extends PureMock>(
  options: MockOptions,
  told: string,
  make: (options: MockOptions) => Promise<M>,
): Promise<M> => {
  const { flips, folder } = JSON.parse(told) as Told;
  const mock = await make(optionsWith(options, flips as readonly Flip[]));
  narrow(mock.world, flips);
  const file = join(folder, `${process.pid}-${mocks++}.ndjson`);
  const note = (line: object) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  note({ options });
  mock.onRequest(({ operation }) => operation && note({ operation }));
  mock.webhooks.onDelivery(() => note({ events: true }));
  const app = mock.app as { fetch: PureMock['app']['fetch'] };
  const plain = { ...mock.app, fetch: app.fetch };
  const faulty = armed(
    plain,
    flips.flatMap(({ faults }) => faults),
    () => mock.guard.token,
  );
  app.fetch = recorded(
    { ...plain, fetch: faulty },
    () => performance.now(),
    (step, place) => note({ place, step: toJson(step) }),
  );
  return mock;
};

const toJson = ({ body, ...step }: Step) => ({ ...step, body: body && Buffer.from(body).toString('base64') });

/** What the mocks of a run have noted. */
export const trafficIn = (folder: string): readonly Traffic[] =>
  readdirSync(folder).map((name) => {
    const lines = readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean);
    const [{ options }, ...rest] = lines.map((line) => JSON.parse(line)) as [
      Pick<Traffic, 'options'>,
      ...Record<string, never>[],
    ];
    const steps: Step[] = [];
    const operations = new Set<string>();
    let events = false;
    for (const { operation, place, step, events: sent } of rest as {
      operation?: string;
      place?: number;
      step?: Step & { body?: string };
      events?: true;
    }[]) {
      if (operation) operations.add(operation);
      if (step)
        steps[place!] = { ...step, body: step.body === undefined ? undefined : new Uint8Array(Buffer.from(step.body, 'base64')) };
      events ||= sent === true;
    }
    return { options, steps: steps.filter(Boolean), operations: [...operations], events };
  });
