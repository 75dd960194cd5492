// One server per folder: a file says which process serves it, and goes when that ends.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../command-line/io.ts';

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

interface ProcessIdentity {
  readonly pid: number;
  /** Process ids are used again. */
  readonly began?: string | undefined;
}

const identifyProcess = (pid: number): ProcessIdentity => ({ pid, began: readStartTime(pid) });

const isAlive = ({ pid, began }: ProcessIdentity): boolean => {
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

const LOCK_FILE = 'dev.lock';
const MAX_LOCK_ATTEMPTS = 3;
const MAX_EXIT_POLLS = 100;
const EXIT_POLL_MS = 50;
const waitForExitPoll = (): Promise<void> => new Promise((done) => setTimeout(done, EXIT_POLL_MS));

const readLockFile = (path: string): LockFile | undefined => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockFile;
  } catch {
    return undefined;
  }
};

/** Two engines must never write to one folder. @throws UsageError */
const killOrphan = async (child: ProcessIdentity, folder: string, tell: (text: string) => void): Promise<void> => {
  tell(`dev --hosted: process ${child.pid} still served ${folder} for an earlier start that was killed; it is ended now.\n`);
  try {
    process.kill(child.pid, 'SIGKILL');
  } catch {
    // The process has ended, or belongs to another user.
  }
  for (let look = 0; isAlive(child); look++) {
    if (look === MAX_EXIT_POLLS)
      throw new UsageError(
        `dev --hosted: process ${child.pid} still serves ${folder} for an earlier start and does not end: two at once would lose changes. End it yourself, then start again. docs/hosted.md says more.`,
        1,
      );
    await waitForExitPoll();
  }
};

const folderTakenError = (path: string, lockFile: LockFile | undefined, folder: string): UsageError => {
  const who = lockFile ? `process ${lockFile.holder.pid}` : 'another process';
  const says = `dev --hosted: ${folder} is already served by ${who}: two at once would lose acknowledged changes. Stop that one, or name another folder; if it is no wm-mock, delete ${path}. docs/hosted.md says more.`;
  return new UsageError(says, 1);
};

/** @throws UsageError when its process lives */
const removeStaleLock = async (path: string, folder: string, tell: (text: string) => void): Promise<void> => {
  // The file may be half written.
  if (!readLockFile(path)) await waitForExitPoll();
  const lockFile = readLockFile(path);
  if (lockFile && isAlive(lockFile.holder)) throw folderTakenError(path, lockFile, folder);
  if (lockFile?.child && isAlive(lockFile.child)) await killOrphan(lockFile.child, folder, tell);
  rmSync(path, { force: true });
};

/** @param tell receives warnings @throws UsageError when another process serves the folder */
export const lockFolder = async (folder: string, tell: (text: string) => void) => {
  const path = join(folder, LOCK_FILE);
  const holder = identifyProcess(process.pid);
  const write = (written: LockFile, flag: 'w' | 'wx') => writeFileSync(path, JSON.stringify(written), { mode: 0o600, flag });
  for (let attempt = 1; ; attempt++) {
    if (attempt > MAX_LOCK_ATTEMPTS) throw folderTakenError(path, readLockFile(path), folder);
    try {
      write({ holder }, 'wx');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await removeStaleLock(path, folder, tell);
      continue;
    }
    // Another process may have removed this file.
    if (attempt > 1) await waitForExitPoll();
    if (JSON.stringify(readLockFile(path)) === JSON.stringify({ holder })) break;
  }
  return {
    /** Records the engine, so that a later start can kill an orphan. */
    names: (child: number | undefined) => write({ holder, child: child === undefined ? undefined : identifyProcess(child) }, 'w'),
    release: () => rmSync(path, { force: true }),
  };
};
