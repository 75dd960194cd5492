// One server per folder: a file says which process serves it, and goes when that ends.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../command-line/io.ts';

/** When a process began, in words of the system; undefined where it does not tell. */
const beginOf = (pid: number): string | undefined => {
  try {
    if (process.platform === 'linux') {
      // Its name stands in brackets and may hold anything.
      const words = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      return words[0] === 'Z' ? 'has ended' : words[19];
    }
    const said = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return said.trim() || undefined;
  } catch {
    return undefined;
  }
};

interface Process {
  readonly pid: number;
  /** Ids are used again: another process of this id began at another time. */
  readonly began?: string | undefined;
}

const processOf = (pid: number): Process => ({ pid, began: beginOf(pid) });

const lives = ({ pid, began }: Process): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = beginOf(pid);
  return began === undefined || now === undefined || began === now;
};

interface Written {
  readonly holder: Process;
  /** The engine that it has started. */
  readonly child?: Process | undefined;
}

export interface FolderLock {
  /** Names the engine, so that it can be ended should this process be killed. */
  names(child: number | undefined): void;
  release(): void;
}

const FILE = 'dev.lock';
const ATTEMPTS = 3;
const LOOKS = 100;
const LOOK_MS = 50;
const pause = (): Promise<void> => new Promise((done) => setTimeout(done, LOOK_MS));

const read = (path: string): Written | undefined => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Written;
  } catch {
    return undefined;
  }
};

/** Ends what a killed process has left running, so that two engines never write to one folder. @throws UsageError */
const endLeft = async (child: Process, folder: string, tell: (text: string) => void): Promise<void> => {
  tell(`dev --hosted: process ${child.pid} still served ${folder} for an earlier start that was killed; it is ended now.\n`);
  try {
    process.kill(child.pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile, or belongs to another user.
  }
  for (let look = 0; lives(child); look++) {
    if (look === LOOKS)
      throw new UsageError(
        `dev --hosted: process ${child.pid} still serves ${folder} for an earlier start and does not end: two at once would lose changes. End it yourself, then start again. docs/hosted.md says more.`,
        1,
      );
    await pause();
  }
};

const taken = (path: string, held: Written | undefined, folder: string): UsageError => {
  const who = held ? `process ${held.holder.pid}` : 'another process';
  const says = `dev --hosted: ${folder} is already served by ${who}: two at once would lose acknowledged changes. Stop that one, or name another folder; if it is no wm-mock, delete ${path}. docs/hosted.md says more.`;
  return new UsageError(says, 1);
};

/** Removes the file of a process that was killed. @throws UsageError when it lives */
const makeWay = async (path: string, folder: string, tell: (text: string) => void): Promise<void> => {
  // It may be half written.
  if (!read(path)) await pause();
  const held = read(path);
  if (held && lives(held.holder)) throw taken(path, held, folder);
  if (held?.child && lives(held.child)) await endLeft(held.child, folder, tell);
  rmSync(path, { force: true });
};

/** Takes a folder for this process. @param tell hears what was left over @throws UsageError when another process serves it */
export const lockFolder = async (folder: string, tell: (text: string) => void): Promise<FolderLock> => {
  const path = join(folder, FILE);
  const holder = processOf(process.pid);
  const write = (written: Written, flag: 'w' | 'wx') => writeFileSync(path, JSON.stringify(written), { mode: 0o600, flag });
  for (let attempt = 1; ; attempt++) {
    if (attempt > ATTEMPTS) throw taken(path, read(path), folder);
    try {
      write({ holder }, 'wx');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await makeWay(path, folder, tell);
      continue;
    }
    // Another one that made way as well may have removed this one's file.
    if (attempt > 1) await pause();
    if (JSON.stringify(read(path)) === JSON.stringify({ holder })) break;
  }
  return {
    names: (child) => write({ holder, child: child === undefined ? undefined : processOf(child) }, 'w'),
    release: () => rmSync(path, { force: true }),
  };
};
