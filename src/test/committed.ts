// Compares a text that is generated from the tables with the one that is committed.
import { readFileSync } from 'node:fs';

/** A value as the generated JSON documents write it. */
export const written = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Fails unless the generated text is the committed file. @throws Error that shows the first line that differs, and how to renew the file. */
export const expectFresh = (path: string, text: string): void => {
  const file = readFileSync(path, 'utf8');
  if (file === text) return;
  const [committed, made] = [file.split('\n'), text.split('\n')];
  const longest = Math.max(committed.length, made.length);
  const at = Array.from({ length: longest }, (_, i) => i).find((i) => committed[i] !== made[i])!;
  throw new Error(
    `${path} is stale: run \`npm run docs\` and commit it. Line ${at + 1} differs.\n  committed: ${committed[at]}\n  generated: ${made[at]}`,
  );
};
