// The documents that the tables of the contract fill match them.
import { test } from 'vitest';
import { expectFresh } from '../test/committed.ts';

test.each(['openapi/openapi.json', 'openapi/openapi-1.0.json', 'docs/choices.md'])('%s says what the tables say', expectFresh);
