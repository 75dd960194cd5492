// Repeats a repro file on a mock of its own, byte by byte.
import { createMock } from './create-mock.ts';
import type { ReplayDifference } from './mock/recording/compare.ts';
import type { Repro } from './mock/recording/steps.ts';

export interface Replayed {
  /** How many steps the file has. */
  readonly steps: number;
  /** The first place where a response or event differs; absent: all bytes are the same. */
  readonly difference?: ReplayDifference;
}

/**
 * Replays a recording at its own times, and compares every response and event with the recorded ones. Nothing is sent.
 * @param file a repro file, or its text
 * @throws Error when it is invalid, SeedError when its seed breaks a rule
 */
export const replay = async (file: Repro | string): Promise<Replayed> => {
  const { readRepro } = await import('./mock/recording/validate-file.ts');
  const repro = await readRepro(file);
  const { Replay } = await import('./mock/recording/replay.ts');
  const replaying = new Replay(repro);
  const mock = await replaying.begin(createMock);
  try {
    const difference = await replaying.play();
    return { steps: repro.steps.length, ...(difference && { difference }) };
  } finally {
    await mock.close();
  }
};
