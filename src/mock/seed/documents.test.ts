// The schema of the seed file matches the tables.
import { test } from 'vitest';
import { expectFresh, written } from '../../test/committed.ts';
import { SEED_SCHEMA } from './format.ts';

test('openapi/seed.schema.json says what the tables say', () => {
  const head = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'wm-mock seed file' };
  expectFresh('openapi/seed.schema.json', written({ ...head, ...SEED_SCHEMA }));
});
