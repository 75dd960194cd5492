// `wm-mock replay`: repeats a repro file, and says where it is no longer the same.
import { readRepro } from '../../mock/recording/validate-file.ts';
import { type Replayed, replay as replayed } from '../../replay.ts';
import { formatStep } from '../../testing/page.ts';
import type { CommandLine } from '../command-line/args.ts';
import { type Io, UsageError } from '../command-line/io.ts';
import { readText } from '../files/files.ts';
import { packageVersion } from '../package-folder.ts';

const formatReplayed = ({ steps, difference }: Replayed): string => {
  if (!difference) return `the same bytes: ${steps} ${steps === 1 ? 'step' : 'steps'}\n`;
  const { step, where, expected, got } = difference;
  const world = step.world === undefined ? '' : `, world ${step.world}`;
  return `step ${step.n} of ${steps}${world}: ${formatStep(step)}
  at        ${step.at}
  differs   ${where}
  expected  ${JSON.stringify(expected) ?? 'nothing'}
  got       ${JSON.stringify(got) ?? 'nothing'}
`;
};

/** @returns 0: equal bytes; 2: different. @throws UsageError */
export const runReplay = async ({ rest: [path] }: CommandLine, io: Io): Promise<number> => {
  if (path === undefined) throw new UsageError('replay: expected a repro file. See wm-mock replay --help.');
  const text = await readText(path, 'repro file', io.cwd, io.stop);
  const wrong = (error: Error) => new UsageError(`${path}: ${error.message}`, 1);
  const version = await packageVersion();
  let ended: Replayed;
  try {
    const repro = await readRepro(text);
    if (repro.wm_mock !== version) io.err(`wm-mock: ${path} was written by wm-mock ${repro.wm_mock}, and this is ${version}.\n`);
    ended = await replayed(repro);
  } catch (error) {
    throw wrong(error as Error);
  }
  io.out(formatReplayed(ended));
  return ended.difference ? 2 : 0;
};
