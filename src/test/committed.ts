// Compares what is generated from the tables with what is committed.
import { readFileSync } from 'node:fs';
import { DOCUMENTS } from '../node/documents.ts';

/** Fails unless the generated document is the committed one. @throws Error that shows the first line that differs, and how to renew the file. */
export const expectFresh = async (path: string): Promise<void> => {
  const committed = readFileSync(path, 'utf8').split('\n');
  const made = (await DOCUMENTS[path]!()).split('\n');
  const longest = Math.max(committed.length, made.length);
  for (let i = 0; i < longest; i++) {
    if (committed[i] === made[i]) continue;
    throw new Error(
      `${path} is stale: run \`npm run docs\` and commit it. Line ${i + 1} differs.\n  committed: ${committed[i]}\n  generated: ${made[i]}`,
    );
  }
};
