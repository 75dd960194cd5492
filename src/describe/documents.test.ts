// The documents of the other releases, and the YAML of the latest, match the tables.
import { test } from 'vitest';
import { expectFresh } from '../test/committed.ts';

test.each(['openapi/openapi-1.1.json', 'openapi/openapi-1.2.json', 'openapi/openapi.yaml', 'docs/releases.md'])(
  '%s says what the tables say',
  expectFresh,
);
