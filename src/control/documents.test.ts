// The documents of the control API match its table.
import { test } from 'vitest';
import { expectFresh, written } from '../test/committed.ts';
import { controlOpenApi } from './openapi.ts';
import { controlPage } from './page.ts';

test('openapi/control.json says what the table says', () => expectFresh('openapi/control.json', written(controlOpenApi())));

test('docs/control-api.md says what the table says', () => expectFresh('docs/control-api.md', controlPage()));
