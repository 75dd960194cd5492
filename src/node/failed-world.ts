// What a failed test leaves of its world: what came in, as a file that can be repeated, and a page to read.
import { mkdir } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { seedOf } from '../control/seed-of.ts';
import { redactor } from '../http/redact.ts';
import { seedText } from '../seed/write.ts';
import { worldPage } from '../testing/page.ts';
import { writeWhole } from './files.ts';
import type { Mock } from './make.ts';

/** Writes both. @returns whether there was a recording to write */
export const keepFailed = async (world: Mock, title: string, file: string, page: string): Promise<boolean> => {
  await mkdir(dirname(file), { recursive: true });
  const repro = await world.save(file, title).catch(() => undefined);
  if (!repro) return false;
  const state = redactor(world.world)(await seedText(seedOf(world.world), 'json'));
  await writeWhole(page, worldPage(world, { title, file: relative(process.cwd(), file), repro, state }));
  return true;
};

/** A test's title as the name of a file. */
const LONGEST = 120;
const named = (title: string): string =>
  title
    .replace(/[^\p{L}\p{N}._]+/gu, '-')
    .slice(-LONGEST)
    .replace(/^-|-$/g, '');

interface Leaving {
  /** What the matrix tries: its tests fail to find something out, and leave nothing. */
  readonly tried?: string | undefined;
  /** Where the files go. */
  readonly folder?: string;
  readonly say?: (text: string) => void;
}

/** Which test has a name: two may have titles that differ in signs alone. */
const taken = new Map<string, string>();

/** Keeps the world of a failed test, and says where. */
export const leftBy = async (
  world: Mock,
  title: string,
  { tried, folder = 'test-results', say = console.error }: Leaving = {},
): Promise<void> => {
  if (tried !== undefined) return;
  let name = named(title);
  while ((taken.get(name) ?? title) !== title) name += '-2';
  taken.set(name, title);
  const [file, page] = [`${folder}/${name}.wm.json`, `${folder}/${name}.html`];
  if (await keepFailed(world, title, file, page))
    say(`wm-mock: see what happened in ${page}, repeat it with: npx wm-mock replay ${file}\n`);
};
