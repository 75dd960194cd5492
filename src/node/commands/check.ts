// `wm-mock check`: says of each seed file whether it is fine, or where it is not.

import { several } from '../../mock/api/report.ts';
import { SeedError } from '../../mock/seed/read.ts';
import type { CommandLine } from '../command-line/args.ts';
import { type Io, UsageError } from '../command-line/io.ts';
import { readText } from '../files/files.ts';

/** A seed error names its file; any other error the program. */
export const formatError = (error: Error): string => `${error instanceof SeedError ? '' : 'wm-mock: '}${error.message}\n`;

export const checkSeeds = async ({ rest }: CommandLine, io: Io): Promise<number> => {
  if (rest.length === 0) throw new UsageError('check: expected a seed file. See wm-mock check --help.');
  const mistakes: string[] = [];
  for (const path of rest) {
    try {
      await checkSeedFile(path, io);
    } catch (error) {
      if (!(error instanceof SeedError || error instanceof UsageError)) throw error;
      mistakes.push(formatError(error));
    }
  }
  for (const mistake of mistakes) io.err(mistake);
  return mistakes.length > 0 ? 1 : 0;
};

const checkSeedFile = async (path: string, io: Io): Promise<void> => {
  const { toSeed } = await import('../../mock/api/create.ts');
  const seed = await toSeed({ seed: await readText(path, 'seed file', io.cwd), seedName: path });
  const counts = (['user', 'project', 'task'] as const).map((one) =>
    several(seed.workspaces.flatMap((workspace) => workspace[`${one}s`] as readonly unknown[]).length, one),
  );
  io.out(`${path}: fine: ${[several(seed.workspaces.length, 'workspace'), ...counts].join(', ')}\n`);
};
