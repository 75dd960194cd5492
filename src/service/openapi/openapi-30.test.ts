// The document in words of OpenAPI 3.0; Redocly judges it in CI.
import { expect, test } from 'vitest';
import { RELEASE_NAMES } from '../contract/releases.ts';
import { openApi } from './openapi.ts';
import { inOpenApi30 } from './openapi-30.ts';
import type { Json } from './schemas.ts';

test.each(RELEASE_NAMES)('v%s has no word that 3.0 lacks, and the same operations', (release) => {
  const document = openApi({ release });
  const older = openApi({ release, openapi: '3.0' });
  const text = JSON.stringify(older);
  expect(text).not.toMatch(/"type":\[|"const":|"examples":\[|"identifier":/);
  expect(older).not.toHaveProperty('webhooks');
  const calls = ({ paths }: Json) => Object.entries(paths as Json).map(([path, item]) => [path, ...Object.keys(item as Json)]);
  expect(calls(older)).toEqual(calls(document));
});

test('a field that may be null is nullable; an example, and what stands beside a reference, stay', () => {
  const { schemas } = inOpenApi30(openApi()).components as { schemas: Record<string, { properties: Record<string, Json> }> };
  expect(schemas.Task!.properties.due_date).toMatchObject({ type: 'string', nullable: true, format: 'date-time' });
  expect(schemas.Task!.properties.title).toMatchObject({ example: 'Write the release notes', maxLength: 255 });
  const beside = { openapi: '3.1.0', info: { title: 'A', version: '1' }, at: { $ref: '#/b', description: 'c' } };
  expect(inOpenApi30(beside)).toEqual({
    openapi: '3.0.4',
    info: beside.info,
    at: { allOf: [{ $ref: '#/b' }], description: 'c' },
  });
});

test('data is left as it is, whatever its keys are called', () => {
  const data = { type: ['string', 'null'], const: 1, examples: [2] };
  const { at } = inOpenApi30({ openapi: '3.1.0', info: {}, at: { example: data, default: data, 'x-any': data } });
  expect(at).toEqual({ example: data, default: data, 'x-any': data });
});
