// The one writer of files: a file is there whole or not at all, at the place that a link leads to.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { escapeRegExp } from '../../service/http/redact.ts';
import { UsageError } from '../command-line/io.ts';

const WRITE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder is not there; make it first',
  ENOTDIR: 'its folder is a file; name another one',
  EEXIST: 'its folder is a file; name another one',
  EISDIR: 'it is a folder, a device or a pipe; name a file',
  EACCES: 'it may not be written; change its rights or name another one',
  EPERM: 'it may not be written; change its rights or name another one',
  EROFS: 'nothing can be written there; name another place',
  ENOSPC: 'the disk is full; make room',
};

export const describeWriteError = (path: string, error: unknown): UsageError => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new UsageError(`cannot write ${path}: ${WRITE_ERRORS[code] ?? message}.`, 1);
};

/** The end of a chain of up to 40 links, also if nothing is there yet. */
export const followLinks = async (path: string, left = 40): Promise<string> => {
  const next = left > 0 ? await readlink(path).catch(() => undefined) : undefined;
  return next === undefined ? path : followLinks(resolve(await realpath(dirname(path)), next), left - 1);
};

/** Removes drafts of killed writers; only the one writer of a file may call it. */
export const removeDrafts = async (target: string): Promise<void> => {
  const own = new RegExp(`^${escapeRegExp(basename(target))}\\.[\\da-f]{12}\\.tmp$`);
  for (const name of await readdir(dirname(target))) if (own.test(name)) await rm(join(dirname(target), name), { force: true });
};

/** Only the owner may read it, unless told otherwise. @throws UsageError; then the old file is there, and no other */
export const writeWhole = async (path: string, content: string | Uint8Array, mode = 0o600): Promise<void> => {
  let draft: string | undefined;
  try {
    const target = await followLinks(path);
    const there = await stat(target).catch(() => undefined);
    if (there && !there.isFile()) throw Object.assign(new Error(), { code: 'EISDIR' });
    // No link can wait at a name that cannot be foreseen.
    draft = `${target}.${randomBytes(6).toString('hex')}.tmp`;
    const file = await open(draft, 'wx', mode);
    await file
      .writeFile(content)
      .then(() => file.sync())
      .finally(() => file.close());
    await rename(draft, target);
  } catch (error) {
    if (draft) await rm(draft, { force: true }).catch(() => {});
    throw describeWriteError(path, error);
  }
};

/** By default everyone may read them. @param files by name @throws UsageError */
export const writeFiles = async (folder: string, files: Readonly<Record<string, string | Uint8Array>>, mode = 0o666) => {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true }).catch((error) => {
      throw describeWriteError(path, error);
    });
    await writeWhole(path, content, mode);
  }
};
