// What a failed test leaves of its world, on the disk.
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFailureFiles } from '../../testing/failure-files.ts';
import type { NodeMock } from '../create-mock.ts';
import { writeWhole } from '../files/files.ts';

export const {
  keepFailed: writeFailedWorld,
  leftBy: reportFailedWorld,
  clearedBy: removeFailedWorld,
} = createFailureFiles<NodeMock>({
  save: (world, title) => world.save(undefined, title),
  write: async (path, text) => {
    await mkdir(dirname(path), { recursive: true });
    await writeWhole(path, text);
  },
  remove: (path) => rm(path, { force: true }),
  here: () => `${process.cwd()}/`,
});
