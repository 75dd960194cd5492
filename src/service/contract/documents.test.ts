// The documents that the tables of the contract fill match them.
import { test } from 'vitest';
import { expectFresh, written } from '../../test/committed.ts';
import { choicesPage } from '../openapi/choices.ts';
import { openApi } from '../openapi/openapi.ts';

test('openapi/openapi.json says what the tables say', () => expectFresh('openapi/openapi.json', written(openApi())));

test('openapi/openapi-1.0.json says what the tables say', () =>
  expectFresh('openapi/openapi-1.0.json', written(openApi({ release: '1.0' }))));

test('docs/choices.md says what the tables say', () => expectFresh('docs/choices.md', choicesPage()));
