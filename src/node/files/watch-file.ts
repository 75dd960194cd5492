// Tells when a file has become another one, whoever wrote it and however.
import { statSync } from 'node:fs';

const POLL_FILE_MS = 100;

/** What a change of the file would change; a link counts for what it leads to. */
export const readFileState = (file: string): string => {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return 'not there';
  }
};

/**
 * Looks at a path ten times a second: editors replace files, links lead elsewhere, folders are made anew, and some file
 * systems tell nobody. A change counts once nothing more has changed by the next look.
 * @param since how it looked before it was read @returns what ends it
 */
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
