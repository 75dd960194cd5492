// The documents of the control API match its table.
import { test } from 'vitest';
import { expectFresh, written } from '../test/committed.ts';
import { controlOpenApi, controlPage } from './openapi.ts';

test('openapi/control.json says what the table says', () => expectFresh('openapi/control.json', written(controlOpenApi())));

test('docs/control-api.md says what the table says', () => expectFresh('docs/control-api.md', controlPage()));
