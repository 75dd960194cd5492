// The documents that the tables of the contract fill match them.
import { test } from 'vitest';
import { choicesPage } from '../describe/choices.ts';
import { openApi } from '../describe/openapi.ts';
import { expectFresh, written } from '../test/committed.ts';

test('openapi/openapi.json says what the tables say', () => expectFresh('openapi/openapi.json', written(openApi())));

test('openapi/openapi-1.0.json says what the tables say', () =>
  expectFresh('openapi/openapi-1.0.json', written(openApi({ release: '1.0' }))));

test('docs/choices.md says what the tables say', () => expectFresh('docs/choices.md', choicesPage()));
