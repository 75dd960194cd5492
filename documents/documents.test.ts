// What people review is what the tables say: the tracked documents and pages that are generated.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DOCUMENTS } from './documents.ts';

test.each([
  'openapi/openapi.json',
  'openapi/control.json',
  'openapi/seed.schema.json',
  'docs/choices.md',
  'docs/releases.md',
  'docs/control-api.md',
])('%s is what the tables say', async (path) => {
  expect(await DOCUMENTS[path]!([])).toBe(readFileSync(path, 'utf8'));
});
