// The /docs page names no other host.
import { expect, test } from 'vitest';
import { DOCS_PAGE } from './docs-page.ts';

test('everything that the page loads is its own', () => {
  expect(DOCS_PAGE).toContain('<script src="/docs/scalar.js"></script>');
  expect(DOCS_PAGE).toContain('"url":"/openapi.json"');
  expect(DOCS_PAGE).not.toMatch(/https?:\/\//);
});
