// One process per file or folder: a lock file names the process, and holds as long as that lives.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseJson } from '../../service/validation/json-text.ts';
import type { UsageError } from '../command-line/io.ts';

/** Undefined where the system does not tell. */
const readStartTime = (pid: number): string | undefined => {
  try {
    if (process.platform === 'linux') {
      // The name in brackets may hold anything.
      const words = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      return words[0] === 'Z' ? 'has ended' : words[19];
    }
    const output = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.trim() || undefined;
  } catch {
    return undefined;
  }
};

export interface ProcessIdentity {
  readonly pid: number;
  /** Process ids are used again. */
  readonly began?: string | undefined;
}

const identifyProcess = (pid: number): ProcessIdentity => ({ pid, began: readStartTime(pid) });

export const isAlive = ({ pid, began }: ProcessIdentity): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = readStartTime(pid);
  return began === undefined || now === undefined || began === now;
};

interface LockFile {
  readonly holder: ProcessIdentity;
  readonly child?: ProcessIdentity | undefined;
}

const MAX_LOCK_ATTEMPTS = 3;
const LOCK_POLL_MS = 50;
export const waitForLockPoll = (): Promise<void> => new Promise((done) => setTimeout(done, LOCK_POLL_MS));

const readLockFile = (path: string): LockFile | undefined => {
  try {
    return parseJson(readFileSync(path, 'utf8')) as LockFile | undefined;
  } catch {
    return undefined;
  }
};

interface LockRules {
  /** @param who has it */
  readonly taken: (who: string) => UsageError;
  /** Ends the child of a holder that was killed. */
  readonly killChild?: (child: ProcessIdentity) => Promise<void>;
}

/** @throws UsageError when another process has it, or the error of the system */
export const takeLock = async (path: string, { taken, killChild }: LockRules) => {
  const holder = identifyProcess(process.pid);
  const write = (written: LockFile, flag: 'w' | 'wx') => writeFileSync(path, JSON.stringify(written), { mode: 0o600, flag });
  const refuse = (known: LockFile | undefined) => taken(known ? `process ${known.holder.pid}` : 'another process');
  for (let attempt = 1; ; attempt++) {
    if (attempt > MAX_LOCK_ATTEMPTS) throw refuse(readLockFile(path));
    try {
      write({ holder }, 'wx');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      // The file may be half written.
      if (!readLockFile(path)) await waitForLockPoll();
      const known = readLockFile(path);
      if (known && isAlive(known.holder)) throw refuse(known);
      if (known?.child && isAlive(known.child)) await killChild?.(known.child);
      rmSync(path, { force: true });
      continue;
    }
    // Another process may have removed this file.
    if (attempt > 1) await waitForLockPoll();
    if (JSON.stringify(readLockFile(path)) === JSON.stringify({ holder })) break;
  }
  return {
    /** Records the engine, so that a later start can kill an orphan. */
    names: (child: number | undefined) => write({ holder, child: child === undefined ? undefined : identifyProcess(child) }, 'w'),
    release: () => rmSync(path, { force: true }),
  };
};
