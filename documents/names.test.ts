// Faker as the service worker carries it: a seed makes the same people there as in Node.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { faker as whole } from '@faker-js/faker/locale/en';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

test('the lean copy of Faker draws the same names, and carries no other words', async () => {
  const { names } = await import('../scripts/names.mjs' as string);
  const bundle = await rolldown({ input: '@faker-js/faker/locale/en', plugins: [names] });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  const folder = mkdtempSync(join(tmpdir(), 'wm-mock-names-'));
  writeFileSync(join(folder, 'lean.mjs'), output[0].code);
  const { faker: lean } = (await import(pathToFileURL(join(folder, 'lean.mjs')).href)) as { faker: typeof whole };
  rmSync(folder, { recursive: true });
  const drawn = (faker: typeof whole, seed: number) => {
    faker.seed(seed);
    return Array.from({ length: 20 }, () => `${faker.person.firstName()} ${faker.person.lastName()}`);
  };
  for (let seed = 0; seed < 200; seed++) expect(drawn(lean, seed)).toEqual(drawn(whole, seed));
  expect(output[0].code.length).toBeLessThan(60_000);
});
