// Files that the command line reads and writes, each failure as one line that says what to do.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from './io.ts';

/** The package's own folder. */
export const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));

/** The demo as the build writes it; from its sources there is none. */
const BUILT_DEMO = fileURLToPath(new URL('../assets/demo.json', import.meta.url));

/** The seed that is served when none is named. */
export const DEMO = existsSync(BUILT_DEMO) ? BUILT_DEMO : resolve(PACKAGE, 'fixtures/demo.yaml');

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
};

const UNWRITTEN: Readonly<Record<string, string>> = {
  ENOENT: 'its folder is not there; make it first',
  ENOTDIR: 'its folder is a file',
  EEXIST: 'its folder is a file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be written',
  EPERM: 'it may not be written',
  EROFS: 'nothing can be written there',
  ENOSPC: 'the disk is full',
};

/** Why nothing could be written. */
export const unwritten = (path: string, error: unknown): UsageError => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new UsageError(`cannot write ${path}: ${UNWRITTEN[code] ?? message}.`, 1);
};

/** Why nothing could be read. */
export const unread = (absolute: string, what: string, { code = '' }: NodeJS.ErrnoException): string =>
  `cannot read the ${what} ${absolute}: ${REASONS[code] ?? code}.`;

/** @throws UsageError naming the absolute path. */
export const readText = async (path: string, what: string, cwd: string): Promise<string> => {
  const absolute = resolve(cwd, path);
  try {
    return await readFile(absolute, 'utf8');
  } catch (error) {
    throw new UsageError(unread(absolute, what, error as NodeJS.ErrnoException), 1);
  }
};

/** Writes a new file. @throws UsageError when it exists, unless forced. */
export const writeNew = async (path: string, text: string, cwd: string, force: boolean): Promise<string> => {
  const absolute = resolve(cwd, path);
  if (existsSync(absolute) && !force) throw new UsageError(`${absolute} exists already. Name another file, or pass --force.`, 1);
  try {
    await writeFile(absolute, text);
  } catch (error) {
    throw unwritten(absolute, error);
  }
  return relative(cwd, absolute) || absolute;
};

/** The version in package.json. */
export const packageVersion = async (): Promise<string> =>
  (JSON.parse(await readFile(resolve(PACKAGE, 'package.json'), 'utf8')) as { version: string }).version;
