// The command line as a function: words in, exit status out.
import { SeedError } from '../seed/read.ts';
import { STARTER } from '../seed/starter.ts';
import { type Args, type Command, help, readArgs, releaseName } from './args.ts';
import { counted } from './banner.ts';
import { choicesText } from './choices.ts';
import { packageVersion, readText, writeNew } from './files.ts';
import { type Io, UsageError } from './io.ts';
import { serve } from './serve.ts';

const check = async ({ rest: [path] }: Args, io: Io): Promise<number> => {
  if (path === undefined) throw new UsageError('check: expected a seed file. See wm-mock check --help.');
  const { toSeed } = await import('../mock.ts');
  const seed = await toSeed({ seed: await readText(path, 'seed file', io.cwd), seedName: path });
  const size = (name: 'projects' | 'tasks' | 'users') =>
    seed.workspaces.reduce((sum, workspace) => sum + workspace[name].length, 0);
  const counts = [
    counted(seed.workspaces.length, 'workspaces'),
    ...(['users', 'projects', 'tasks'] as const).map((name) => counted(size(name), name)),
  ];
  io.out(`${path}: fine: ${counts.join(', ')}\n`);
  return 0;
};

const init = async (args: Args, io: Io): Promise<number> => {
  const { rest, flags } = args;
  if (flags['service-worker']) return initWorker(args, io);
  const [path = 'wm-mock.yaml'] = rest;
  const written = await writeNew(path, STARTER, io.cwd, flags.force === true);
  io.out(`wrote ${written}. Serve it: npx wm-mock --seed ${written}\n`);
  return 0;
};

const initWorker = async ({ rest: [folder = 'public'] }: Args, io: Io): Promise<number> => {
  const { copyWorker } = await import('./copy-worker.ts');
  const written = await copyWorker(folder, io.cwd);
  io.out(`wrote ${written.join(' and ')}. In the page: import { register } from './wm-mock-register.js'; await register();\n`);
  return 0;
};

const choices = async (_args: Args, io: Io): Promise<number> => {
  io.out(choicesText(io.colour));
  return 0;
};

const openapi = async ({ flags }: Args, io: Io): Promise<number> => {
  const { openApi, openApiYaml } = await import('../describe/openapi.ts');
  const options = typeof flags.release === 'string' ? { release: releaseName(flags.release) } : {};
  io.out(flags.yaml ? await openApiYaml(options) : `${JSON.stringify(openApi(options), null, 2)}\n`);
  return 0;
};

const contract = async (args: Args, io: Io): Promise<number> => (await import('./contract.ts')).contract(args, io);

const exec = async (args: Args, io: Io): Promise<number> => (await import('./exec.ts')).exec(args, io);

const RUN: Readonly<Record<Command, (args: Args, io: Io) => Promise<number>>> = {
  serve,
  exec,
  contract,
  check,
  init,
  choices,
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
    if (io.env.DEBUG?.includes('wm-mock')) io.err(`${(error as Error).stack}\n`);
    else if (error instanceof SeedError) io.err(`${error.message}\n`);
    else io.err(`wm-mock: ${(error as Error).message}\n`);
    return error instanceof UsageError ? error.exitStatus : 1;
  }
};
