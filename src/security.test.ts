// docs/security.md names a test for each threat: each of them is there.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync('docs/security.md', 'utf8');
const rows = [...page.matchAll(/\(`((?:src|contract-tests)\/[^`]+)`: ([^()]+)\)$/gm)].map(
  ([, file, title]) => [title!, file!] as const,
);

test('the page names a test for each threat', () => {
  const threats = page.slice(page.indexOf('## Threats')).split('\n## ')[0]!.match(/^- /gm)!;
  expect(rows).toHaveLength(threats.length);
});

test.each(rows)('%s: is in %s', (title, file) => {
  expect(readFileSync(file, 'utf8')).toContain(title);
});
