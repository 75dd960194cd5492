// What is generated and committed matches the tables.
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DOCUMENTS, writeDocuments } from './documents.ts';

test('the generated documents are these, and a test of some room compares each', () => {
  const paths = [
    'openapi/openapi-1.0.json',
    'openapi/openapi-1.1.json',
    'openapi/openapi-1.2.json',
    'openapi/openapi.json',
    'openapi/openapi.yaml',
    'openapi/control.json',
    'openapi/seed.schema.json',
    'docs/choices.md',
    'docs/releases.md',
    'docs/control-api.md',
    'src/validation/validators.generated.ts',
    'src/validation/responses.generated.ts',
  ];
  expect(Object.keys(DOCUMENTS)).toEqual(paths);
  const compared = ['contract', 'describe', 'control', 'seed', 'validation'].map((room) =>
    readFileSync(`src/${room}/documents.test.ts`, 'utf8'),
  );
  expect(paths.filter((path) => !compared.join('\n').includes(`'${path}'`))).toEqual([]);
});

test('a stale document is named with its first line that differs, and how to renew it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-mock-docs-'));
  const before = process.cwd();
  try {
    const { expectFresh } = await import('../test/committed.ts');
    await mkdir(join(folder, 'docs'));
    const fresh = await DOCUMENTS['docs/choices.md']!();
    const outcome = async (text: string) => {
      await writeFile(join(folder, 'docs/choices.md'), text);
      process.chdir(folder);
      try {
        return await expectFresh('docs/choices.md').catch(({ message }: Error) => message.split('\n')[0]);
      } finally {
        process.chdir(before);
      }
    };
    const stale = 'docs/choices.md is stale: run `npm run docs` and commit it. Line';
    expect(await outcome(fresh)).toBeUndefined();
    expect(await outcome(`x${fresh}`)).toBe(`${stale} 1 differs.`);
    expect(await outcome(`${fresh}x\n`)).toBe(`${stale} ${fresh.split('\n').length} differs.`);
    expect(await outcome(fresh.slice(0, -1))).toBe(`${stale} ${fresh.split('\n').length} differs.`);
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
    for (const path of Object.keys(made)) {
      expect(await readFile(join(root, path), 'utf8')).toBe(path === 'a/b/new.md' ? 'new' : 'fresh');
    }
    said.length = 0;
    await writeDocuments(root, (line) => said.push(line), made);
    expect(said).toEqual([]);
  } finally {
    await rm(root, { recursive: true });
  }
});
