// What a failed test leaves of its world: what came in, as a file that can be repeated, and a page to read.
import { mkdir, rm } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { seedOf } from '../control/seed-of.ts';
import { redactor } from '../http/redact.ts';
import { secretsInUrl } from '../repro/secrets.ts';
import { seedText } from '../seed/write.ts';
import { worldPage } from '../testing/page.ts';
import { writeWhole } from './files.ts';
import type { Mock } from './make.ts';

/** What an assertion said, as runners hand it on. */
export interface Failure {
  readonly message?: string | undefined;
  readonly stack?: string | undefined;
}

/** The message, and the first line of where it was thrown that is none of a library. */
const failureText = ({ message = '', stack = '' }: Failure): string => {
  const where = stack.split('\n').find((line) => /^\s+at /.test(line) && !/node_modules|node:/.test(line));
  const place = where?.trim().replace('file://', '').replace(`${process.cwd()}/`, '');
  return stripVTControlCharacters([message, ...(place === undefined ? [] : [place])].join('\n'));
};

/** Writes both. @returns whether there was a recording to write */
export const keepFailed = async (world: Mock, title: string, file: string, page: string, failure?: Failure): Promise<boolean> => {
  await mkdir(dirname(file), { recursive: true });
  const repro = await world.save(file, title).catch(() => undefined);
  if (!repro) return false;
  const urls = world.world.store.webhooks.all().flatMap(({ value }) => secretsInUrl(value.url));
  const hide = redactor(world.world, urls);
  const state = hide(await seedText(seedOf(world.world), 'json'));
  const failed = failure && hide(failureText(failure));
  await writeWhole(page, hide(worldPage(world, { title, file: relative(process.cwd(), file), repro, state, failed })));
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
  /** Why it failed. */
  readonly failure?: Failure | undefined;
  /** Where the files go. */
  readonly folder?: string;
  readonly say?: (text: string) => void;
}

const FOLDER = 'test-results';

/** Which test has a name: two may have one title, or titles that differ in signs alone. */
const taken = new Map<string, string>();

/** A world is of one test, also when that is tried again. */
const testOf = ({ id }: Mock, title: string): string => `${id} ${title}`;

const freeName = (test: string, title: string): string => {
  const name = named(title);
  const isOwn = (one: string) => (taken.get(one) ?? test) === test;
  let own = name;
  for (let n = 2; !isOwn(own); n++) own = `${name}-${n}`;
  return own;
};

const filesOf = (folder: string, name: string) => [`${folder}/${name}.wm.json`, `${folder}/${name}.html`] as const;

/** Keeps the world of a failed test, and says where. */
export const leftBy = async (
  world: Mock,
  title: string,
  { tried, failure, folder = FOLDER, say = console.error }: Leaving = {},
): Promise<void> => {
  if (tried !== undefined) return;
  const test = testOf(world, title);
  const name = freeName(test, title);
  taken.set(name, test);
  const [file, page] = filesOf(folder, name);
  if (await keepFailed(world, title, file, page, failure))
    say(`wm-mock: see what happened in ${page}, repeat it with: npx wm-mock replay ${file}\n`);
};

/** A test that has passed after all leaves nothing of the tries before. */
export const clearedBy = async (world: Mock, title: string, folder = FOLDER): Promise<void> => {
  const test = testOf(world, title);
  for (const [name, whose] of taken)
    if (whose === test) await Promise.all(filesOf(folder, name).map((file) => rm(file, { force: true })));
};
