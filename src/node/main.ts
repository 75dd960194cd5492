// The command line as a function: words in, exit status out.
import { SeedError } from '../mock/seed/read.ts';
import { type Args, help, readArgs, releaseOf } from './args.ts';
import { counted } from './banner.ts';
import { choicesText } from './choices.ts';
import { copyWorker, PACKAGE, packageVersion, readText, writeNew } from './files.ts';
import type { Command } from './flags.ts';
import { type Io, plain, Stopped, UsageError } from './io.ts';
import { serve } from './serve.ts';

const check = async ({ rest }: Args, io: Io): Promise<number> => {
  if (rest.length === 0) throw new UsageError('check: expected a seed file. See wm-mock check --help.');
  const mistakes: string[] = [];
  for (const path of rest) {
    try {
      await checkOne(path, io);
    } catch (error) {
      if (!(error instanceof SeedError || error instanceof UsageError)) throw error;
      mistakes.push(spoken(error));
    }
  }
  for (const mistake of mistakes) io.err(mistake);
  return mistakes.length > 0 ? 1 : 0;
};

const checkOne = async (path: string, io: Io): Promise<void> => {
  const { toSeed } = await import('../mock/api/create.ts');
  const seed = await toSeed({ seed: await readText(path, 'seed file', io.cwd), seedName: path });
  const size = (name: 'projects' | 'tasks' | 'users') =>
    seed.workspaces.reduce((sum, workspace) => sum + workspace[name].length, 0);
  const counts = [
    counted(seed.workspaces.length, 'workspaces'),
    ...(['users', 'projects', 'tasks'] as const).map((name) => counted(size(name), name)),
  ];
  io.out(`${plain(path)}: fine: ${counts.join(', ')}\n`);
};

const init = async (args: Args, io: Io): Promise<number> => {
  const { rest, flags } = args;
  if (flags['service-worker']) return initWorker(args, io);
  if (flags.hosted) return (await import('./hosted.ts')).initHosted(args, io);
  const [path = 'wm-mock.yaml'] = rest;
  if (path.endsWith('.json')) throw new UsageError(`init: writes YAML, with comments. Name the file ${path.slice(0, -4)}yaml.`);
  const starter = await readText('fixtures/starter.yaml', 'starter', PACKAGE);
  const written = await writeNew(path, starter, io.cwd, flags.force === true);
  io.out(`wrote ${written}. Serve it: npx wm-mock --seed ${written}\n`);
  return 0;
};

const initWorker = async ({ rest: [folder = 'public'] }: Args, io: Io): Promise<number> => {
  const written = await copyWorker(folder, io.cwd);
  io.out(`wrote ${written.join(', ')}. In the page: import { register } from './wm-mock-register.js'; await register();\n`);
  return 0;
};

const choices = async (_args: Args, io: Io): Promise<number> => {
  io.out(choicesText(io.colour));
  return 0;
};

const openapi = async ({ flags }: Args, io: Io): Promise<number> => {
  const { OPENAPI_VERSIONS, openApi, openApiYaml } = await import('../service/openapi/openapi.ts');
  const release = releaseOf(flags);
  const version = flags.openapi ?? '3.1';
  const openapi = OPENAPI_VERSIONS.find((one) => one === version);
  if (!openapi) throw new UsageError(`--openapi: expected one of ${OPENAPI_VERSIONS.join(', ')}, got "${version}".`);
  const options = { openapi, ...(release !== undefined && { release }) };
  io.out(flags.yaml ? await openApiYaml(options) : `${JSON.stringify(openApi(options), null, 2)}\n`);
  return 0;
};

/** Each command; what most runs do without is loaded when it is asked for. */
const RUN: Readonly<Record<Command, (args: Args, io: Io) => Promise<number>>> = {
  serve,
  exec: async (args, io) => (await import('./exec.ts')).exec(args, io),
  matrix: async (args, io) => (await import('./matrix.ts')).matrix(args, io),
  race: async (args, io) => (await import('./race.ts')).race(args, io),
  replay: async (args, io) => (await import('./replay.ts')).replay(args, io),
  contract: async (args, io) => (await import('./contract.ts')).contract(args, io),
  check,
  init,
  dev: async (args, io) => (await import('./hosted.ts')).dev(args, io),
  deploy: async (args, io) => (await import('./hosted.ts')).deploy(args, io),
  choices,
  mcp: async (args, io) => (await import('./mcp.ts')).mcp(args, io),
  openapi,
};

const spoken = (error: Error): string => `${error instanceof SeedError ? '' : 'wm-mock: '}${error.message}\n`;

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
    else io.err(spoken(error as Error));
    return error instanceof UsageError ? error.exitStatus : 1;
  }
};
