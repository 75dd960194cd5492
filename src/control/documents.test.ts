// The documents of the control API match its table.
import { expect, test } from 'vitest';
import { expectFresh, written } from '../test/committed.ts';
import { controlOpenApi, controlPage } from './openapi.ts';

test('openapi/control.json says what the table says', () => expectFresh('openapi/control.json', written(controlOpenApi())));

test('docs/control-api.md says what the table says', () => expectFresh('docs/control-api.md', controlPage()));

test('no name in openapi/control.json is that of a constructor in Go, and no union has a member that Java cannot judge', () => {
  const { schemas } = controlOpenApi().components;
  expect(Object.keys(schemas).filter((name) => name.startsWith('New'))).toEqual([]);
  expect(JSON.stringify(schemas)).not.toMatch(/"anyOf":\[[^\]]*"format"/);
});
