// The schema of the seed file matches the tables.
import { test } from 'vitest';
import { expectFresh } from '../test/committed.ts';

test.each(['openapi/seed.schema.json'])('%s says what the tables say', expectFresh);
