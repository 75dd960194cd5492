// What is generated and committed matches the tables.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectFresh } from '../test/committed.ts';
import { DOCUMENTS, writeDocuments } from './documents.ts';

test.each(Object.keys(DOCUMENTS))('%s is written as it is committed', async (path) =>
  expectFresh(path, await DOCUMENTS[path]!()),
);

test('a stale document is named with its first line that differs, and how to renew it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-mock-docs-'));
  const file = join(folder, 'page.md');
  const outcome = async (committed: string) => {
    await writeFile(file, committed);
    try {
      expectFresh(file, 'one\ntwo\n');
      return undefined;
    } catch (error) {
      return (error as Error).message.replace(file, 'page.md').split('\n');
    }
  };
  const stale = 'page.md is stale: run `npm run docs` and commit it. Line';
  try {
    expect(await outcome('one\ntwo\n')).toBeUndefined();
    expect(await outcome('one\n2\n')).toEqual([`${stale} 2 differs.`, '  committed: 2', '  generated: two']);
    expect(await outcome('one\ntwo')).toEqual([`${stale} 3 differs.`, '  committed: undefined', '  generated: ']);
    expect(await outcome('one\ntwo\n\n')).toEqual([`${stale} 4 differs.`, '  committed: ', '  generated: undefined']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('documents are written where they are missing or stale, and no others', async () => {
  const root = await mkdtemp(join(tmpdir(), 'wm-mock-docs-'));
  const said: string[] = [];
  const made = { 'a/b/new.md': () => 'new', 'stale.md': async () => 'fresh', 'fresh.md': () => 'fresh' };
  try {
    await writeFile(join(root, 'stale.md'), 'stale');
    await writeFile(join(root, 'fresh.md'), 'fresh');
    await writeDocuments(root, (line) => said.push(line), made);
    expect(said).toEqual(['wrote a/b/new.md', 'wrote stale.md']);
    expect((await readdir(root)).sort()).toEqual(['a', 'fresh.md', 'stale.md']);
    for (const path of Object.keys(made))
      expect(await readFile(join(root, path), 'utf8')).toBe(path === 'a/b/new.md' ? 'new' : 'fresh');
    said.length = 0;
    await writeDocuments(root, (line) => said.push(line), made);
    expect(said).toEqual([]);
  } finally {
    await rm(root, { recursive: true });
  }
});
