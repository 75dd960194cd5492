// One run of a command beside a mock of its own: how it ended, which tests failed, and what its mocks have noted.
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import spawn from 'cross-spawn';
import type { TrialPlan } from '../../client/trial-fetch.ts';
import type { TrialRun } from '../../client/trial-run.ts';
import { buildEnvironment } from '../command-line/environment.ts';
import type { Io } from '../command-line/io.ts';
import { sendSignal } from '../command-line/processes.ts';
import { buildMock, type NodeMockOptions, TRIAL_VARIABLE } from '../create-mock.ts';
import { encodeTrial, readNotes } from './trial-notes.ts';

/** Formats of test runners. */
const FAILED_TESTS = [
  /^\s*\d+\) ((?:\[[^\]]+\] › )?\S+:\d+:\d+ › .+?)\s*─*$/gm,
  /^\s*FAIL\s+(\S+ > .+)$/gm,
  /^FAILED ([^\s(].*?)(?: - .*)?$/gm,
  /^(?:FAIL|ERROR): (\w+ \(.+\))$/gm,
  /^\s*not ok \d+ - (.+)$/gm,
  /^\s*✖ (?!failing tests)(.+?)(?: \([\d.]+m?s\))?$/gm,
  /^\s*● (.+)$/gm,
  /^\s*--- FAIL: (\S+)/gm,
];

const findFailedTests = (output: string): string[] => [
  ...new Set(FAILED_TESTS.flatMap((pattern) => [...output.matchAll(pattern)].map(([, name]) => name!.trim()))),
];

const MAX_OUTPUT_CHARS = 1_000_000;

/** Time for the command and its processes to end. */
const GRACE_MS = 1500;
const INTERRUPT_MS = 8000;

const signalGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals): void =>
  sendSignal(process.platform === 'win32' ? pid! : -pid!, signal);

const spawnCommand = (words: readonly string[], io: Io, env: Io['env'], limitMs: number) =>
  new Promise<{ status: number; output: string }>((done) => {
    const [command, ...rest] = words as [string, ...string[]];
    const child = spawn(command, rest, {
      cwd: io.cwd,
      env: env as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    let output = '';
    const hear = (chunk: Buffer) => (output = (output + chunk).slice(-MAX_OUTPUT_CHARS));
    child.stdout!.on('data', hear);
    child.stderr!.on('data', hear);
    // A process that the command leaves behind may hold the pipes for ever.
    const kill = () => {
      signalGroup(child, 'SIGKILL');
      for (const pipe of [child.stdout!, child.stderr!]) pipe.destroy();
    };
    let dying: NodeJS.Timeout | undefined;
    const killLater = (ms = GRACE_MS) => {
      clearTimeout(dying);
      dying = setTimeout(kill, ms);
    };
    /** As Ctrl+C does: test runners then end the servers that they started. */
    const interrupt = () => {
      signalGroup(child, 'SIGINT');
      killLater(INTERRUPT_MS);
    };
    const stop = () => {
      if (io.stop.reason === 'SIGINT') return interrupt();
      signalGroup(child, 'SIGTERM');
      killLater();
    };
    const late = setTimeout(() => {
      output += `\nwm-mock: the command had not ended after ${Math.round(limitMs / 1000)} s\n`;
      interrupt();
    }, limitMs);
    io.stop.addEventListener('abort', stop);
    process.once('exit', kill);
    const finish = (status: number) => {
      clearTimeout(late);
      clearTimeout(dying);
      io.stop.removeEventListener('abort', stop);
      process.off('exit', kill);
      done({ status, output });
    };
    child.once('error', ({ message }) => {
      output += `wm-mock: cannot run ${command}: ${message}\n`;
      finish(127);
    });
    child.once('exit', () => killLater());
    child.once('close', (code) => finish(code ?? 1));
  });

/** @param limitMs later the command is killed and counts as failed */
export const runCommand = async (
  { words, io, options }: { words: readonly string[]; io: Io; options: NodeMockOptions },
  plan: TrialPlan,
  limitMs: number,
): Promise<TrialRun> => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-mock-run-'));
  const trial = encodeTrial({ ...plan, folder });
  const mock = await buildMock(options, trial);
  const server = await mock.listen({ port: 0 });
  const began = performance.now();
  try {
    const own = { NO_COLOR: '1', FORCE_COLOR: undefined, [TRIAL_VARIABLE]: trial };
    const env = { ...io.env, ...own, ...buildEnvironment(mock, server) };
    const { status, output } = await spawnCommand(words, io, env, limitMs);
    const seconds = (performance.now() - began) / 1000;
    // Events under way belong to the run.
    await mock.close();
    return { passed: status === 0, tests: findFailedTests(output), status, output, notes: readNotes(folder), seconds };
  } finally {
    await mock.close();
    // A process that the command left behind may still write there.
    await rm(folder, { recursive: true, force: true, maxRetries: 9 }).catch(() => {});
  }
};
