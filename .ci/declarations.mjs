// Part of the build: removes the type declarations that no published entry leads to; tsc writes one for each file.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const IMPORTED = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;

const declarationOf = (file) => normalize(file).replace(/(\.d)?\.[jt]sx?$/, '.d.ts');

const reached = new Set(Object.values(exports).flatMap(({ types }) => (types?.startsWith('./dist/') ? [normalize(types)] : [])));
for (const file of reached) {
  if (!existsSync(file)) throw new Error(`${file} is imported by a declaration, or published, and not there`);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(IMPORTED)) reached.add(declarationOf(join(dirname(file), name)));
}
for (const name of readdirSync('dist', { recursive: true })) {
  const file = join('dist', name);
  if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
}
