// The command line as a function: words in, exit status out.
import { type Args, help, readArgs } from './command-line/args.ts';
import type { Command } from './command-line/flags.ts';
import { type Io, Stopped, UsageError } from './command-line/io.ts';
import { check, errorText } from './commands/check.ts';
import { choices } from './commands/choices.ts';
import { init } from './commands/init.ts';
import { openapi } from './commands/openapi.ts';
import { serve } from './commands/serve.ts';
import { packageVersion } from './package-folder.ts';

/** Each command; what most runs do without is loaded when it is asked for. */
const RUN: Readonly<Record<Command, (args: Args, io: Io) => Promise<number>>> = {
  serve,
  exec: async (args, io) => (await import('./commands/exec.ts')).exec(args, io),
  matrix: async (args, io) => (await import('./commands/matrix.ts')).matrix(args, io),
  race: async (args, io) => (await import('./commands/race.ts')).race(args, io),
  replay: async (args, io) => (await import('./commands/replay.ts')).replay(args, io),
  contract: async (args, io) => (await import('./commands/contract.ts')).contract(args, io),
  check,
  init,
  dev: async (args, io) => (await import('./hosted/hosted.ts')).dev(args, io),
  deploy: async (args, io) => (await import('./hosted/hosted.ts')).deploy(args, io),
  choices,
  mcp: async (args, io) => (await import('./commands/mcp.ts')).mcp(args, io),
  openapi,
};

/** @returns the exit status: 0 done, 1 could not be done or a check failed, 2 wrong usage. */
export const main = async (argv: readonly string[], io: Io): Promise<number> => {
  try {
    const args = readArgs(argv, io.env);
    if (args.flags.help) io.out(help(argv[0] === args.command ? args.command : undefined));
    else if (args.flags.version) io.out(`${await packageVersion()}\n`);
    else return await RUN[args.command](args, io);
    return 0;
  } catch (error) {
    if (error instanceof Stopped) return 0;
    if (io.env.DEBUG?.includes('wm-mock')) io.err(`${(error as Error).stack}\n`);
    else io.err(errorText(error as Error));
    return error instanceof UsageError ? error.exitStatus : 1;
  }
};
