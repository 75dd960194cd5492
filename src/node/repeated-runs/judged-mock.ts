// A mock under `matrix` or `race`: it behaves as the run asks for, wherever it is made, and notes what is asked of it.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyFlips, type Flip } from '../../client/matrix/flips.ts';
import type { Traffic, TrafficStep } from '../../client/matrix/traffic.ts';
import { behaveAs, collectTraffic, type MockNote } from '../../client/matrix/variant-mock.ts';
import { delayResponses, type Order, type RaceNote, type TimedNote } from '../../client/race/delayed-responses.ts';
import type { Mock as PureMock } from '../../mock/api/mock.ts';
import type { NODE_MOCK, Options } from '../../mock/api/options.ts';
import type { TestEnd } from '../../testing/worlds.ts';

type JudgedMockOptions = Options<typeof NODE_MOCK>;

interface Behaviour {
  readonly flips: readonly Pick<Flip, 'options' | 'faults' | 'windowMs'>[];
  /** By world. */
  readonly orders?: Readonly<Record<string, Order>>;
  /** Idle time of a world. */
  readonly quietMs?: number;
  readonly folder: string;
}

export const encodeBehaviour = (told: Behaviour): string => JSON.stringify(told);

let mocks = 0;

const openNotes = (folder: string, name: string | number) => {
  const file = join(folder, `${process.pid}-${name}.ndjson`);
  return (line: object) => appendFileSync(file, `${JSON.stringify(line)}\n`);
};

/** @param told value of MATRIX_VARIABLE */
export const createJudgedMock = async <M extends PureMock>(
  options: JudgedMockOptions,
  told: string,
  make: (options: JudgedMockOptions) => Promise<M>,
): Promise<M> => {
  const { flips, orders, quietMs, folder } = JSON.parse(told) as Behaviour;
  const mock = await make(applyFlips(options, flips as readonly Flip[]));
  const app = mock.app as { fetch: PureMock['app']['fetch'] };
  const plain = { ...mock.app, fetch: app.fetch };
  const note = openNotes(folder, mocks++);
  const now = () => performance.now();
  if (orders) {
    const noteOf = (world: string, one: RaceNote) => note({ world, at: now(), ...one });
    app.fetch = delayResponses(
      plain,
      (world) => orders[world] ?? [],
      noteOf,
      () => quietMs,
    );
    return mock;
  }
  note({ options });
  behaveAs(mock, flips, now, (heard) => note('step' in heard ? { ...heard, step: toJson(heard.step) } : heard));
  return mock;
};

/** @param told value of MATRIX_VARIABLE */
export const noteOutcome = (told: string | undefined, result: () => TestEnd): void => {
  if (told !== undefined) openNotes((JSON.parse(told) as Behaviour).folder, 'tests')(result());
};

const readNotes = (folder: string): readonly object[][] =>
  readdirSync(folder).map((name) => {
    const lines = readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as object);
  });

export const readRaces = (folder: string) => {
  const logs = new Map<string, TimedNote[]>();
  const tests = new Map<string, TestEnd>();
  for (const line of readNotes(folder).flat() as (TestEnd | ({ readonly world: string } & TimedNote))[]) {
    if ('test' in line) tests.set(line.world, line);
    else logs.set(line.world, [...(logs.get(line.world) ?? []), line]);
  }
  return { logs, tests };
};

const toJson = ({ body, ...step }: TrafficStep) => ({ ...step, body: body && Buffer.from(body).toString('base64') });

const fromJson = (heard: MockNote | { readonly place: number; readonly step: ReturnType<typeof toJson> }): MockNote => {
  if (!('step' in heard)) return heard;
  const { body } = heard.step;
  const bytes = typeof body === 'string' ? new Uint8Array(Buffer.from(body, 'base64')) : body;
  return { ...heard, step: { ...heard.step, body: bytes } };
};

export const readTraffic = (folder: string): readonly Traffic[] =>
  readNotes(folder).map((lines) => {
    const [{ options }, ...heard] = lines as [Pick<Traffic, 'options'>, ...Parameters<typeof fromJson>[0][]];
    return collectTraffic(options, heard.map(fromJson));
  });
