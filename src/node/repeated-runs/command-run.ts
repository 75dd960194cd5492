// One run of a command beside a mock of its own: how it ended, which tests failed, and what its mocks have noted.
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import spawn from 'cross-spawn';
import type { CommandEnd } from '../../client/matrix/flip-search.ts';
import { buildEnvironment } from '../command-line/environment.ts';
import type { Io } from '../command-line/io.ts';
import { buildMock, MATRIX_VARIABLE, type NodeMockOptions } from '../create-mock.ts';
import { encodeBehaviour } from './judged-mock.ts';

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

export const findFailedTests = (output: string): string[] => [
  ...new Set(FAILED_TESTS.flatMap((pattern) => [...output.matchAll(pattern)].map(([, name]) => name!.trim()))),
];

const MAX_OUTPUT_CHARS = 1_000_000;

export interface CommandRun<T> extends CommandEnd {
  readonly status: number;
  readonly output: string;
  readonly heard: T;
  readonly seconds: number;
}

/** Time for the command and its processes to end. */
const GRACE_MS = 1500;

const sendSignal = (child: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    process.kill(process.platform === 'win32' ? child.pid! : -child.pid!, signal);
  } catch {
    // The process has ended.
  }
};

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
      sendSignal(child, 'SIGKILL');
      for (const pipe of [child.stdout!, child.stderr!]) pipe.destroy();
    };
    let dying: NodeJS.Timeout | undefined;
    const killLater = () => (dying ??= setTimeout(kill, GRACE_MS));
    const end = () => {
      sendSignal(child, 'SIGTERM');
      killLater();
    };
    const late = setTimeout(() => {
      output += `\nwm-mock: the command had not ended after ${Math.round(limitMs / 1000)} s\n`;
      end();
    }, limitMs);
    io.stop.addEventListener('abort', end);
    process.once('exit', kill);
    const finish = (status: number) => {
      clearTimeout(late);
      clearTimeout(dying);
      io.stop.removeEventListener('abort', end);
      process.off('exit', kill);
      done({ status, output });
    };
    child.once('error', ({ message }) => {
      output += `wm-mock: cannot run ${command}: ${message}\n`;
      finish(127);
    });
    child.once('exit', killLater);
    child.once('close', (code) => finish(code ?? 1));
  });

export type MockBehaviour = Omit<Parameters<typeof encodeBehaviour>[0], 'folder'>;

/** @param read reads the notes of its mocks @param limitMs later the command is killed and counts as failed */
export const runCommand = async <T>(
  { words, io, options }: { words: readonly string[]; io: Io; options: NodeMockOptions },
  how: MockBehaviour,
  read: (folder: string) => T,
  limitMs: number,
) => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-mock-run-'));
  const behaviour = encodeBehaviour({ ...how, folder });
  const mock = await buildMock(options, behaviour);
  const server = await mock.listen({ port: 0 });
  const began = performance.now();
  try {
    const own = { NO_COLOR: '1', FORCE_COLOR: undefined, [MATRIX_VARIABLE]: behaviour };
    const { status, output } = await spawnCommand(words, io, { ...io.env, ...own, ...buildEnvironment(mock, server) }, limitMs);
    const seconds = (performance.now() - began) / 1000;
    return { passed: status === 0, tests: findFailedTests(output), status, output, heard: read(folder), seconds };
  } finally {
    await mock.close();
    await rm(folder, { recursive: true, force: true });
  }
};
