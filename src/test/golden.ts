// Compares a text with the one that is stored beside the tests of its room, and renews that one when asked.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Surroundings {
  /** The folder of all rooms; tests run at the root of the repository. */
  readonly root?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const stored = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const difference = (expected: string, received: string): string => {
  const [wanted, got] = [expected.split('\n'), received.split('\n')];
  const i = got.findIndex((line, at) => line !== wanted[at]);
  const at = i < 0 ? got.length : i;
  const shown = (lines: readonly string[]) => (at < lines.length ? JSON.stringify(lines[at]) : 'the end of the text');
  return `They first differ in line ${at + 1}.\n  stored:   ${shown(wanted)}\n  received: ${shown(got)}`;
};

/**
 * Fails unless the text is the stored one, byte for byte.
 * @param name its room and its own name: `lists/cursors` is stored in `src/lists/golden/cursors.txt`.
 * @throws Error that shows the first line that differs, and how to renew the file.
 */
export const golden = (name: string, text: string, { root = 'src', env = process.env }: Surroundings = {}): void => {
  const file = join(root, dirname(name), 'golden', `${name.split('/').pop()}.txt`);
  const received = text.endsWith('\n') ? text : `${text}\n`;
  const renew = `WM_GOLDEN=update npx vitest run ${join(root, dirname(name))}`;
  const where = 'How golden texts are kept stands in CONTRIBUTING.md.';
  if (env.WM_GOLDEN === 'update') {
    if (env.CI) {
      throw new Error(
        `${file} was not renewed. WM_GOLDEN=update is set where CI is: a text that renews itself checks nothing. Run it on your machine, read the difference and commit it. ${where}`,
      );
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, received);
    return;
  }
  const expected = stored(file);
  if (expected === received) return;
  const why = expected === undefined ? 'There is no such file.' : difference(expected, received);
  throw new Error(
    `The text is not the one of ${file}. ${why}\nIf the new text is right, run: ${renew}\nThen read the difference and commit it. ${where}`,
  );
};
