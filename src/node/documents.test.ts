// What is generated and committed matches the tables.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documents, staleDocuments, writeDocuments } from './documents.ts';

test('every committed document is fresh', async () => {
  expect(await staleDocuments(join(import.meta.dirname, '../..'))).toEqual([]);
});

test('documents are written where they are missing or stale, and --check names them', async () => {
  const root = await mkdtemp(join(tmpdir(), 'wm-mock-docs-'));
  const said: string[] = [];
  const run = (...argv: string[]) => writeDocuments(root, argv, (line) => said.push(line));
  try {
    expect(await run('--check')).toBe(1);
    expect(said).toHaveLength(Object.keys(await documents()).length);
    expect(await run()).toBe(0);
    expect(await run('--check')).toBe(0);
    await writeFile(join(root, 'docs/choices.md'), 'old');
    said.length = 0;
    expect(await run('--check')).toBe(1);
    expect(said).toEqual(['docs/choices.md is stale: run `npm run docs` and commit it']);
    await run();
    expect(await readFile(join(root, 'docs/choices.md'), 'utf8')).toContain('| `owner-field` |');
  } finally {
    await rm(root, { recursive: true });
  }
});
