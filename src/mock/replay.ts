// Repeats a repro file on a mock of its own, byte by byte.
import type { Difference } from '../repro/difference.ts';
import type { Repro } from '../repro/file.ts';
import { Player } from '../repro/player.ts';
import { createMock } from './create.ts';
import type { Mock } from './mock.ts';

export interface Replayed {
  /** How many steps the file has. */
  readonly steps: number;
  /** The first place where what was responded or sent is another than it was; absent: all bytes are the same. */
  readonly difference?: Difference;
}

/**
 * Plays what came in once more, at its own times, and compares every response and every event with those of then. Nothing is sent.
 * @param file a repro file, or its text
 * @throws Error when it is none, SeedError when its seed breaks a rule
 */
export const replay = async (file: Repro | string): Promise<Replayed> => {
  const repro = reproOf(file);
  const player = new Player<Mock>(repro);
  const mock = await player.begin(createMock);
  try {
    const difference = await player.play();
    return { steps: repro.steps.length, ...(difference && { difference }) };
  } finally {
    await mock.close();
  }
};

/** @throws Error when the text is no repro file */
export const reproOf = (file: Repro | string): Repro => {
  const none = (why: string) =>
    new Error(`replay: expected a repro file, as mock.save() writes it: ${why}. docs/replay.md of wm-mock says more.`);
  let repro: Partial<Repro>;
  try {
    repro = (typeof file === 'string' ? JSON.parse(file) : file) as Partial<Repro>;
  } catch {
    throw none('it is no JSON');
  }
  if (repro?.version !== 1) throw none(`its version is ${JSON.stringify(repro?.version)}, and 1 is known`);
  if (typeof repro.seed?.text !== 'string' || !Array.isArray(repro.steps)) throw none('it has no seed or no steps');
  return repro as Repro;
};
