// Files of a failed test: a repro file and a page, named after the test.
import type { Mock } from '../mock/api/mock.ts';
import { seedOf } from '../mock/control/snapshot.ts';
import { secretsInUrl } from '../mock/recording/secrets.ts';
import type { Repro } from '../mock/recording/steps.ts';
import { seedText } from '../mock/seed/write.ts';
import { createRedactor } from '../service/http/redact.ts';
import { formatWorldPage } from './page.ts';

export interface AssertionFailure {
  readonly message?: string | undefined;
  readonly stack?: string | undefined;
}

export interface FailureDisk<M> {
  /** @throws Error when nothing was recorded */
  save(world: M, title: string): Promise<Repro>;
  write(path: string, text: string): Promise<unknown>;
  remove(path: string): Promise<unknown>;
  /** The folder that shown paths are relative to. */
  here(): string;
}

const ANSI_COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');

/** The message and its first line of stack outside libraries. */
const describeFailure = ({ message = '', stack = '' }: AssertionFailure, here: string): string => {
  const where = stack.split('\n').find((line) => /^\s+at /.test(line) && !/node_modules|node:/.test(line));
  const place = where?.trim().replace('file://', '').replace(here, '');
  return [message, ...(place === undefined ? [] : [place])].join('\n').replace(ANSI_COLOUR, '');
};

const MAX_FILE_NAME_CHARS = 120;
const toFileName = (title: string): string =>
  title
    .replace(/[^\p{L}\p{N}._]+/gu, '-')
    .slice(-MAX_FILE_NAME_CHARS)
    .replace(/^-|-$/g, '');

export interface FailureFileOptions {
  /** Tests under trial leave no files. */
  readonly tried?: string | undefined;
  readonly failure?: AssertionFailure | undefined;
  readonly folder?: string;
  readonly say?: (text: string) => void;
}

const DEFAULT_FAILURE_FOLDER = 'wm-mock-failures';

/** A retry has another world. */
const identifyTest = ({ id }: Mock, title: string): string => `${id} ${title}`;

const listFailurePaths = (folder: string, name: string) => [`${folder}/${name}.wm.json`, `${folder}/${name}.html`] as const;

export const createFailureFiles = <M extends Mock>(disk: FailureDisk<M>) => {
  /** Two tests may have one title, or differ only in signs. */
  const taken = new Map<string, string>();

  const freeName = (test: string, title: string): string => {
    const name = toFileName(title);
    const isOwn = (one: string) => (taken.get(one) ?? test) === test;
    let own = name;
    for (let n = 2; !isOwn(own); n++) own = `${name}-${n}`;
    return own;
  };

  const writeFailureFiles = async (
    world: M,
    title: string,
    file: string,
    page: string,
    failure?: AssertionFailure,
  ): Promise<boolean> => {
    const repro = await disk.save(world, title).catch(() => undefined);
    if (!repro) return false;
    await disk.write(file, JSON.stringify(repro, null, 1));
    const urls = world.world.store.webhooks.all().flatMap(({ value }) => secretsInUrl(value.url));
    const hide = createRedactor(world.world, urls);
    const state = hide(await seedText(seedOf(world.world), 'json'));
    const here = disk.here();
    const failed = failure && hide(describeFailure(failure, here));
    await disk.write(page, hide(formatWorldPage(world, { title, file: file.replace(here, ''), repro, state, failed })));
    return true;
  };

  return {
    writeFailureFiles,

    reportFailure: async (
      world: M,
      title: string,
      { tried, failure, folder = DEFAULT_FAILURE_FOLDER, say = console.error }: FailureFileOptions = {},
    ): Promise<void> => {
      if (tried !== undefined) return;
      const test = identifyTest(world, title);
      const name = freeName(test, title);
      taken.set(name, test);
      const [file, page] = listFailurePaths(folder, name);
      if (await writeFailureFiles(world, title, file, page, failure))
        say(`wm-mock: see what happened in ${page}, repeat it with: npx wm-mock replay ${file} --open\n`);
    },

    /** A retry that passes removes the files of earlier tries. */
    removeFailureFiles: async (world: M, title: string, folder = DEFAULT_FAILURE_FOLDER): Promise<void> => {
      const test = identifyTest(world, title);
      for (const [name, whose] of taken) if (whose === test) await Promise.all(listFailurePaths(folder, name).map(disk.remove));
    },
  };
};
