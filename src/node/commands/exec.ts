// `wm-mock exec`: a mock for as long as another command runs, which ends with that command's exit status.
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { constants } from 'node:os';
import spawn from 'cross-spawn';
import type { CommandLine } from '../command-line/args.ts';
import { buildEnvironment } from '../command-line/environment.ts';
import { type Io, UsageError } from '../command-line/io.ts';
import { processesBelow, sendSignal } from '../command-line/processes.ts';
import { startMock } from './serve.ts';

/** Exit statuses as in shells. */
const START_ERRORS: Readonly<Record<string, readonly [status: number, why: string]>> = {
  ENOENT: [127, 'there is no such command'],
  EACCES: [126, 'it may not be run'],
};

/** As in shells. */
export const signalStatus = (signal: NodeJS.Signals): number => 128 + (constants.signals[signal] ?? constants.signals.SIGTERM);

const waitForExit = (child: ChildProcess, name: string, io: Io): Promise<number> =>
  new Promise((done) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const [status, why] = START_ERRORS[error.code ?? ''] ?? [126, error.message];
      io.err(`wm-mock: cannot run ${name}: ${why}.\n`);
      done(status);
    });
    child.once('exit', (code, signal) => done(code ?? signalStatus(signal ?? 'SIGTERM')));
  });

export type StartCommand = (command: string, words: readonly string[], options: SpawnOptions) => ChildProcess;

/** Passes signals to the command until it has ended. @returns its exit status, and whether it could be started */
export const runToExit = async (
  [command = '', ...words]: readonly string[],
  env: Io['env'],
  io: Io,
  start: StartCommand,
): Promise<{ readonly status: number; readonly began: boolean }> => {
  const child = start(command, words, { cwd: io.cwd, env: env as NodeJS.ProcessEnv, stdio: 'inherit' });
  const ended = waitForExit(child, command, io);
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  // A shell ends without its processes. A group of their own would outlive a SIGKILL to ours.
  const remaining = new Map<number, NodeJS.Signals>();
  const deaf = io.onSignal((signal) => {
    // A terminal sends Ctrl+C to its whole group.
    if (signal === 'SIGINT' && io.terminal) return;
    for (const pid of child.pid === undefined ? [] : processesBelow(child.pid)) remaining.set(pid, signal);
    child.kill(signal);
  });
  const status = await ended;
  for (const [pid, signal] of remaining) sendSignal(pid, signal);
  process.off('exit', kill);
  deaf();
  return { status, began: child.pid !== undefined };
};

/** @returns the command's exit status. @throws UsageError, SeedError */
export const runExec = async (args: CommandLine, io: Io, start: StartCommand = spawn): Promise<number> => {
  const { rest } = args;
  if (rest.length === 0)
    throw new UsageError('exec: expected a command, as in wm-mock exec -- npm test. See wm-mock exec --help.');
  const { mock, server, seedName } = await startMock(args, io, 0);
  try {
    if (io.stop.aborted) return signalStatus(io.stop.reason as NodeJS.Signals);
    io.err(`wm-mock: ${seedName} at ${server.baseUrl} for ${rest.join(' ')}\n`);
    return (await runToExit(rest, { ...io.env, ...buildEnvironment(mock, server) }, io, start)).status;
  } finally {
    await mock.close();
  }
};
