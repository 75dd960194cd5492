// Repeats a repro file on a mock of its own, byte by byte.

import { createMock } from './create-mock.ts';
import type { Mock } from './mock/api/mock.ts';
import type { Difference } from './mock/recording/compare.ts';
import type { Repro } from './mock/recording/steps.ts';

export interface Replayed {
  /** How many steps the file has. */
  readonly steps: number;
  /** The first place where a response or event differs; absent: all bytes are the same. */
  readonly difference?: Difference;
}

/**
 * Replays a recording at its own times, and compares every response and event with the recorded ones. Nothing is sent.
 * @param file a repro file, or its text
 * @throws Error when it is invalid, SeedError when its seed breaks a rule
 */
export const replay = async (file: Repro | string): Promise<Replayed> => {
  const repro = await reproOf(file);
  const { faultOfHashes } = await import('./mock/recording/validate-file.ts');
  const fault = await faultOfHashes(repro.steps);
  if (fault !== undefined) throw refusal(fault);
  const { Replay } = await import('./mock/recording/replay.ts');
  const replaying = new Replay<Mock>(repro);
  const mock = await replaying.begin(createMock);
  try {
    const difference = await replaying.play();
    return { steps: repro.steps.length, ...(difference && { difference }) };
  } finally {
    await mock.close();
  }
};

const refusal = (why: string) =>
  new Error(
    `replay: expected a repro file, as mock.save() writes it: ${why}. Save it anew, or mend that. docs/replay.md of wm-mock says more.`,
  );

/** @throws Error when the text is not a repro file */
export const reproOf = async (file: Repro | string): Promise<Repro> => {
  let repro: Partial<Repro>;
  try {
    repro = (typeof file === 'string' ? JSON.parse(file) : file) as Partial<Repro>;
  } catch {
    throw refusal('it is no JSON');
  }
  if (repro?.version !== 1) throw refusal(`its version is ${JSON.stringify(repro?.version)}, and 1 is known`);
  const { faultOf } = await import('./mock/recording/validate-file.ts');
  const fault = faultOf(repro);
  if (fault !== undefined) throw refusal(fault);
  return repro as Repro;
};
