// Every link of the repository's pages leads to a file, and to a heading of it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDERS = ['docs', 'examples', 'bench', 'contract-tests', 'openapi'];
const PAGES = [
  ...readdirSync('.'),
  ...FOLDERS.flatMap((folder) => (readdirSync(folder, { recursive: true }) as string[]).map((name) => join(folder, name))),
].filter((path) => path.endsWith('.md') && !path.includes('node_modules'));
/** The page without blocks of code, which have no links and no headings. */
const textOf = (page: string) => readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
const lower = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
const headingsOf = (page: string) => [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => lower(heading!));

test.each(PAGES)('%s links what there is', (page) => {
  const dead = [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)].filter(([, path, heading]) => {
    const target = path === '' ? page : join(dirname(page), path!);
    return !existsSync(target) || (heading !== '' && !headingsOf(target).includes(heading!));
  });
  expect(dead.map(([link]) => link)).toEqual([]);
});

test.each(PAGES)('%s names files that there are', (page) => {
  const file = /`((?:docs|examples|fixtures|bench|contract-tests|openapi|documents|scripts|lab|\.ci)\/[\w./-]+)`/g;
  const named = [...textOf(page).matchAll(file)];
  expect(named.map(([, path]) => path!).filter((path) => !existsSync(path))).toEqual([]);
});

/** Files that a message may link to: a user has the package, and not the repository. */
const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] };
const isPublished = (page: string) =>
  files.includes('docs/*.md') && /^docs\/[\w-]+\.md$/.test(page) && !files.includes(`!${page}`);
const SOURCES = ['src', 'contract-tests/engine', 'contract-tests/checks'].flatMap((folder) =>
  (readdirSync(folder, { recursive: true }) as string[]).map((name) => join(folder, name)),
);

test('messages name pages that the package has, or say that they are of the repository', () => {
  const named = SOURCES.filter((file) => /\.tsx?$/.test(file) && !/\.test\./.test(file)).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(docs\/[\w/-]+\.md|[\w-]+\/README\.md)(?! of the repository)/g)].map(
      ([, page]) => page!,
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((page) => !existsSync(page) || !isPublished(page))).toEqual([]);
});
