// One server per hosted folder; the engine that a killed server has left is ended.
import { join } from 'node:path';
import { UsageError } from '../command-line/io.ts';
import { isAlive, type ProcessIdentity, takeLock, waitForLockPoll } from '../files/file-lock.ts';

const MAX_EXIT_POLLS = 100;

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
    await waitForLockPoll();
  }
};

/** @param tell receives warnings @throws UsageError when another process serves the folder */
export const lockFolder = (folder: string, tell: (text: string) => void) => {
  const path = join(folder, 'dev.lock');
  const taken = (who: string) => {
    const says = `dev --hosted: ${folder} is already served by ${who}: two at once would lose acknowledged changes. Stop that one, or name another folder; if it is no wm-mock, delete ${path}. docs/hosted.md says more.`;
    return new UsageError(says, 1);
  };
  return takeLock(path, { taken, killChild: (child) => killOrphan(child, folder, tell) });
};
