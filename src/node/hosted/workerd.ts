// One workerd of npm, serving hosted worlds from a folder of this machine.
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import spawn from 'cross-spawn';
import { type Io, UsageError } from '../command-line/io.ts';
import { writeWhole } from '../files/write-file.ts';
import { hostInUrl } from '../server/listen.ts';
import { tryPort } from '../server/ports.ts';
import { listWorkerModules, PINNED_WORKERD, workerdConfig } from './hosted-files.ts';

export interface Workerd {
  readonly default: string;
  readonly version: string;
}

const INSTALL = `Install it: npm install -E workerd@${PINNED_WORKERD}. docs/hosted.md says more.`;

/** The workerd of the project, or of this package. @throws UsageError without one */
export const findWorkerd = (cwd: string, own: string = import.meta.url): Workerd => {
  for (const from of [join(cwd, 'package.json'), own]) {
    try {
      return createRequire(from)('workerd') as Workerd;
    } catch {
      // Try the next one.
    }
  }
  throw new UsageError(`workerd is not installed: hosted worlds run on it. ${INSTALL}`, 1);
};

/** @throws UsageError for another version */
export const requirePinned = ({ default: binary, version }: Workerd): string => {
  if (version === PINNED_WORKERD) return binary;
  const says = `workerd ${version} is installed, but fleets are tested only with ${PINNED_WORKERD}: the protocol between machines changes with versions. ${INSTALL}`;
  throw new UsageError(says, 1);
};

export const formatSocketAddress = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

export interface RunningWorkerd {
  readonly origin: string;
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
}

const MAX_START_MS = 20_000;
const HEALTH_POLL_MS = 50;
const HEALTH_TIMEOUT_MS = 1000;
const MAX_STDERR_CHARS = 2000;

/** Another process may serve at this address. */
const readStartNonce = async (origin: string): Promise<unknown> => {
  try {
    const response = await fetch(`${origin}/_hosted/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    return ((await response.json()) as { readonly start?: unknown }).start;
  } catch {
    return undefined;
  }
};

/** @param begun receives the process id @throws UsageError with the last output when workerd does not respond */
export const startWorkerd = async (
  binary: string,
  folder: string,
  { host, port, env, begun }: { host: string; port: number; env: Io['env']; begun?: (pid: number | undefined) => void },
  begin: typeof spawn = spawn,
  modules: () => Promise<readonly string[]> = listWorkerModules,
): Promise<RunningWorkerd> => {
  const at = port === 0 ? await tryPort(0, host) : port;
  const state = join(folder, 'state');
  const config = join(folder, 'workerd.capnp');
  await mkdir(state, { recursive: true });
  await writeWhole(config, workerdConfig(await modules(), folder, formatSocketAddress(host, at)));
  const nonce = randomUUID();
  const child = begin(binary, ['serve', '--experimental', config], {
    env: { ...process.env, ...env, WM_START: nonce },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  begun?.(child.pid);
  let stderrText = '';
  child.stderr!.on('data', (bytes) => (stderrText = (stderrText + String(bytes)).slice(-MAX_STDERR_CHARS)));
  let over = false;
  const ended = new Promise((done) => child.once('exit', done).once('error', done)).then(() => {
    over = true;
  });
  const origin = `http://${hostInUrl(host)}:${at}`;
  const until = Date.now() + MAX_START_MS;
  while (!over && Date.now() < until) {
    if ((await readStartNonce(origin)) === nonce && !over) return { origin, child, ended };
    await new Promise((done) => setTimeout(done, HEALTH_POLL_MS));
  }
  child.kill('SIGKILL');
  const says = `dev --hosted: workerd does not serve at ${origin}: ${stderrText.trim() || 'it says nothing'}. Choose another --port. docs/hosted.md says more.`;
  throw new UsageError(says, 1);
};
