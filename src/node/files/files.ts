// Files that the command line reads, or writes for its user: each failure is one line that says what to do.
import { closeSync, constants, createReadStream, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { isPipe, Stopped, UsageError } from '../command-line/io.ts';
import { ASSETS_FOLDER } from '../package-folder.ts';
import { writeFiles, writeWhole } from './write-file.ts';

const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
  EFBIG: 'it has more than 256 MB',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8; save it as UTF-8',
};

export const describeReadError = (absolute: string, what: string, { code = '' }: NodeJS.ErrnoException): string =>
  `cannot read the ${what} ${absolute}: ${READ_ERRORS[code] ?? code}.`;

const STRICT_UTF_8 = new TextDecoder('utf-8', { fatal: true });
const MAX_FILE_BYTES = 256 * 1_048_576;

/** The first asynchronous read of a process takes 2 ms of its start. A device such as /dev/zero has no end. */
export const readUtf8 = async (absolute: string): Promise<string> => {
  const readDevice = () => createReadStream(absolute, { end: MAX_FILE_BYTES, highWaterMark: 1_048_576 }).toArray();
  const bytes = statSync(absolute).isFile() ? readFileSync(absolute) : Buffer.concat(await readDevice());
  if (bytes.length > MAX_FILE_BYTES) throw Object.assign(new Error(), { code: 'EFBIG' });
  return STRICT_UTF_8.decode(bytes);
};

/** A pending read of a pipe would outlive the process. */
const endPipeWait = (absolute: string): void => {
  try {
    if (isPipe(() => statSync(absolute))) closeSync(openSync(absolute, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch {
    // The read has not begun or has ended.
  }
};

const END_WAIT_MS = 10;

/** @param stop ends the wait for a pipe. @throws UsageError naming the absolute path */
export const readText = async (path: string, what: string, cwd: string, stop?: AbortSignal): Promise<string> => {
  const absolute = resolve(cwd, path);
  if (stop?.aborted && isPipe(() => statSync(absolute))) throw new Stopped();
  let stopped = false;
  let again: NodeJS.Timeout | undefined;
  const end = () => {
    stopped = true;
    // A read that has not begun cannot be ended, so repeat.
    again = setInterval(() => endPipeWait(absolute), END_WAIT_MS);
  };
  stop?.addEventListener('abort', end);
  try {
    const text = await readUtf8(absolute);
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
  await writeWhole(absolute, text, 0o666);
  return relative(cwd, absolute) || absolute;
};

const WORKER_FILES = ['wm-mock-worker.js', 'wm-mock-register.js'] as const;
/** Its events go to the inbox at this port. */
export const demoForPort = async (port: number): Promise<string | object> => {
  if (port === 0) return 'demo';
  const { DEMO } = await import('../../mock/seed/demo.generated.ts');
  return JSON.parse(JSON.stringify(DEMO).replace('127.0.0.1:9999/', `127.0.0.1:${port}/_mock/inbox/`));
};

/** Overwrites older versions. @throws UsageError */
export const copyWorker = async (folder: string, cwd: string): Promise<readonly string[]> => {
  const target = resolve(cwd, folder);
  const read = async (name: string) => [name, await readFile(join(ASSETS_FOLDER, name))] as const;
  const { DEMO } = await import('../../mock/seed/demo.generated.ts');
  const files = { ...Object.fromEntries(await Promise.all(WORKER_FILES.map(read))), 'wm-mock-demo.json': JSON.stringify(DEMO) };
  await writeFiles(target, files);
  return Object.keys(files).map((name) => relative(cwd, join(target, name)));
};
