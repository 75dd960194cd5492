// Watches one path for a change of its file.
import { statSync } from 'node:fs';

const POLL_FILE_MS = 100;

export const readFileState = (file: string): string => {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return 'not there';
  }
};

/** Polls: editors replace files, and some file systems send no events. @param since state before the file was read */
export const watchFile = (file: string, then: () => void, since = readFileState(file)): (() => void) => {
  let [told, last] = [since, ''];
  const timer = setInterval(() => {
    const now = readFileState(file);
    if (now !== told && now === last) {
      told = now;
      then();
    }
    last = now;
  }, POLL_FILE_MS);
  return () => clearInterval(timer);
};
