// The documents of each release, as JSON and as YAML, and the page of releases match the tables.
import { test } from 'vitest';
import { expectFresh, written } from '../../test/committed.ts';
import { openApi, openApiYaml } from './openapi.ts';
import { releasesPage } from './releases-page.ts';

test.each(['1.1', '1.2'] as const)('openapi/openapi-%s.json says what the tables say', (release) =>
  expectFresh(`openapi/openapi-${release}.json`, written(openApi({ release }))),
);

test('openapi/openapi.yaml says what the tables say', async () => expectFresh('openapi/openapi.yaml', await openApiYaml()));

test('docs/releases.md says what the tables say', () => expectFresh('docs/releases.md', releasesPage()));
