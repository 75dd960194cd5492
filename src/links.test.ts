// Every link of the repository's pages leads to a file, and to a heading of it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDERS = ['docs', 'examples', 'bench', 'contract-tests', 'openapi'];
const PAGES = [
  ...readdirSync('.'),
  ...FOLDERS.flatMap((folder) => (readdirSync(folder, { recursive: true }) as string[]).map((name) => join(folder, name))),
].filter((path) => path.endsWith('.md') && !path.includes('node_modules'));
/** What stands in a block of code is no link and no heading. */
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
  const named = [...textOf(page).matchAll(/`((?:docs|examples|fixtures|bench|contract-tests|openapi|\.ci)\/[\w./-]+)`/g)];
  expect(named.map(([, path]) => path!).filter((path) => !existsSync(path))).toEqual([]);
});
