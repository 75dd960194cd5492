// Temporary folders that are removed with their test or test file.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

const makeFolder = (onEnd: (remove: () => void) => void): string => {
  const folder = mkdtempSync(join(tmpdir(), 'wm-mock-test-'));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Call it where tests are defined. */
export const makeFileFolder = (): string => makeFolder(afterAll);

/** Call it in a test or in `beforeEach`. */
export const makeTestFolder = (): string => makeFolder(onTestFinished);
