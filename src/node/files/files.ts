// Files that the command line reads and writes, each failure as one line that says what to do.
import { closeSync, constants, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { Stopped, UsageError } from '../command-line/io.ts';
import { ASSETS_FOLDER } from '../package-folder.ts';

const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
};

const WRITE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder is not there; make it first',
  ENOTDIR: 'its folder is a file',
  EEXIST: 'its folder is a file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be written',
  EPERM: 'it may not be written',
  EROFS: 'nothing can be written there',
  ENOSPC: 'the disk is full',
};

export const describeWriteError = (path: string, error: unknown): UsageError => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new UsageError(`cannot write ${path}: ${WRITE_ERRORS[code] ?? message}.`, 1);
};

export const describeReadError = (absolute: string, what: string, { code = '' }: NodeJS.ErrnoException): string =>
  `cannot read the ${what} ${absolute}: ${READ_ERRORS[code] ?? code}.`;

/** Only the owner may read it; an interrupted write leaves the old file. */
export const writeWhole = async (path: string, text: string): Promise<void> => {
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
};

const isPipe = (absolute: string): boolean => {
  try {
    return statSync(absolute).isFIFO();
  } catch {
    return false;
  }
};

/** A pending read of a pipe would outlive the process. */
const endPipeWait = (absolute: string): void => {
  try {
    if (isPipe(absolute)) closeSync(openSync(absolute, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch {
    // The read has not begun or has ended.
  }
};

const END_WAIT_MS = 10;

/** @param stop ends the wait for a pipe. @throws UsageError naming the absolute path */
export const readText = async (path: string, what: string, cwd: string, stop?: AbortSignal): Promise<string> => {
  const absolute = resolve(cwd, path);
  if (stop?.aborted && isPipe(absolute)) throw new Stopped();
  let stopped = false;
  let again: NodeJS.Timeout | undefined;
  const end = () => {
    stopped = true;
    // A read that has not begun cannot be ended, so repeat.
    again = setInterval(() => endPipeWait(absolute), END_WAIT_MS);
  };
  stop?.addEventListener('abort', end);
  try {
    // The first asynchronous read of a process takes 2 ms of its start.
    const text = statSync(absolute).isFile() ? readFileSync(absolute, 'utf8') : await readFile(absolute, 'utf8');
    if (!stopped) return text;
  } catch (error) {
    throw new UsageError(describeReadError(absolute, what, error as NodeJS.ErrnoException), 1);
  } finally {
    stop?.removeEventListener('abort', end);
    clearInterval(again);
  }
  throw new Stopped();
};

/** @throws UsageError when it exists, unless forced */
export const writeNew = async (path: string, text: string, cwd: string, force: boolean): Promise<string> => {
  const absolute = resolve(cwd, path);
  if (existsSync(absolute) && !force) throw new UsageError(`${absolute} exists already. Name another file, or pass --force.`, 1);
  try {
    await writeFile(absolute, text);
  } catch (error) {
    throw describeWriteError(absolute, error);
  }
  return relative(cwd, absolute) || absolute;
};

const WORKER_FILES = ['wm-mock-worker.js', 'wm-mock-register.js'] as const;
/** Its events go to the inbox at this port. */
export const demoForPort = async (port: number): Promise<string | object> => {
  if (port === 0) return 'demo';
  const { DEMO } = await import('../../mock/seed/demo.generated.ts');
  return JSON.parse(JSON.stringify(DEMO).replace('127.0.0.1:9999/', `127.0.0.1:${port}/_mock/inbox/`));
};

const DEMO_FILE = 'wm-mock-demo.json';

/** Overwrites older versions. @throws UsageError */
export const copyWorker = async (folder: string, cwd: string): Promise<readonly string[]> => {
  const target = resolve(cwd, folder);
  try {
    await mkdir(target, { recursive: true });
    for (const name of WORKER_FILES) await copyFile(join(ASSETS_FOLDER, name), join(target, name));
    await writeFile(join(target, DEMO_FILE), JSON.stringify((await import('../../mock/seed/demo.generated.ts')).DEMO));
  } catch (error) {
    throw describeWriteError(join(target, WORKER_FILES[0]), error);
  }
  return [...WORKER_FILES, DEMO_FILE].map((name) => relative(cwd, join(target, name)));
};
