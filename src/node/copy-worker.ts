// `wm-mock init --service-worker`: puts the worker and the module that registers it where a page is served from.
import { copyFile, mkdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { PACKAGE, unwritten } from './files.ts';

const FILES = ['wm-mock-worker.js', 'wm-mock-register.js'] as const;

/** Writes over files of these names: they are this package's own, and follow it when it is upgraded. @throws UsageError */
export const copyWorker = async (folder: string, cwd: string): Promise<readonly string[]> => {
  const target = resolve(cwd, folder);
  try {
    await mkdir(target, { recursive: true });
    for (const name of FILES) await copyFile(resolve(PACKAGE, 'dist/assets', name), join(target, name));
  } catch (error) {
    throw unwritten(join(target, FILES[0]), error);
  }
  return FILES.map((name) => relative(cwd, join(target, name)));
};
