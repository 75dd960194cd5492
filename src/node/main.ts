// The command line as a function: words in, exit status out.
import { type CommandLine, formatHelp, readArgs } from './command-line/args.ts';
import type { Command } from './command-line/flags.ts';
import { type Io, Stopped, UsageError } from './command-line/io.ts';
import { checkSeeds, formatError } from './commands/check.ts';
import { printChoices } from './commands/choices.ts';
import { initFiles } from './commands/init.ts';
import { printOpenApi } from './commands/openapi.ts';
import { serve } from './commands/serve.ts';
import { packageVersion } from './package-folder.ts';

export { processIo } from './command-line/io.ts';

/** Rare commands are loaded on demand. */
const RUN_COMMAND: Readonly<Record<Command, (args: CommandLine, io: Io) => Promise<number>>> = {
  serve,
  exec: async (args, io) => (await import('./commands/exec.ts')).runExec(args, io),
  client: async (args, io) => (await import('./commands/client.ts')).runClient(args, io),
  replay: async (args, io) => (await import('./commands/replay.ts')).runReplay(args, io),
  contract: async (args, io) => (await import('./commands/contract.ts')).runContractCommand(args, io),
  proxy: async (args, io) => (await import('./commands/proxy.ts')).runProxy(args, io),
  check: checkSeeds,
  init: initFiles,
  dev: async (args, io) => (await import('./hosted/hosted.ts')).dev(args, io),
  deploy: async (args, io) => (await import('./hosted/hosted.ts')).deploy(args, io),
  choices: printChoices,
  mcp: async (args, io) => (await import('./commands/mcp.ts')).serveMcp(args, io),
  openapi: printOpenApi,
  completion: async (args, io) => (await import('./commands/completion.ts')).printCompletion(args, io),
};

/** @returns 0 done, 1 failed, 2 wrong usage */
export const main = async (given: readonly string[], io: Io): Promise<number> => {
  const argv = given[0] === 'help' ? [...given.slice(1, 2), '--help'] : given[0] === 'version' ? ['--version'] : given;
  try {
    const args = readArgs(argv, io.env);
    if (args.flags.help) io.out(formatHelp(argv[0] === args.command ? args.command : undefined));
    else if (args.flags.version) io.out(`${await packageVersion()}\n`);
    else return await RUN_COMMAND[args.command](args, io);
    return 0;
  } catch (error) {
    if (error instanceof Stopped) return 0;
    if (io.env.DEBUG?.includes('wm-mock')) io.err(`${(error as Error).stack}\n`);
    else io.err(formatError(error as Error));
    return error instanceof UsageError ? error.exitStatus : 1;
  }
};
