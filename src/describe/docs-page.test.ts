// The /docs page names no other host and cannot be broken out of.
import { expect, test } from 'vitest';
import { docsPage } from './docs-page.ts';

test('everything that the page loads is its own', () => {
  const page = docsPage({ specUrl: '/openapi.json', scriptUrl: '/docs/scalar.js' });
  expect(page).toContain('<script src="/docs/scalar.js"></script>');
  expect(page).toContain('"url":"/openapi.json"');
  expect(page).not.toMatch(/https?:\/\//);
});

test('a key can be filled in', () => {
  expect(docsPage({ specUrl: 'a', scriptUrl: 'b', key: 'wm_1' })).toContain('"securitySchemes":{"apiKey":{"token":"wm_1"}}');
  expect(docsPage({ specUrl: 'a', scriptUrl: 'b' })).not.toContain('securitySchemes');
});

test('addresses are escaped', () => {
  const page = docsPage({ specUrl: '"></script><script>x', scriptUrl: '"><b>', title: '</title>' });
  expect(page).not.toContain('<script>x');
  expect(page).not.toContain('<b>');
  expect(page).toContain('<title>&lt;/title&gt;</title>');
});
