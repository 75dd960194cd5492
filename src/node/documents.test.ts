// What is generated and committed matches the tables.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DOCUMENTS, writeDocuments } from './documents.ts';

const PATHS = [
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

test('the generated documents are these', () => {
  expect(Object.keys(DOCUMENTS)).toEqual(PATHS);
});

describe('a committed document says what the tables say', () => {
  test.each(PATHS)('%s', async (path) => {
    const committed = (await readFile(join('.', path), 'utf8')).split('\n');
    const made = (await DOCUMENTS[path]!()).split('\n');
    const first = made.findIndex((line, i) => line !== committed[i]);
    const at = first === -1 ? Math.min(made.length, committed.length) : first;
    const stale = `${path} is stale from line ${at + 1} on: run \`npm run docs\` and commit it`;
    expect(committed[at], stale).toBe(made[at]);
    expect(committed.length, stale).toBe(made.length);
  });
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
