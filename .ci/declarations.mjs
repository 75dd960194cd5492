// Part of the build: removes the type declarations that no published entry leads to; tsc writes one for each file. Of those that
// users meet only through others the docstrings go, too: they are in the source.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const IMPORTED = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;

const INNER = /^(?:world|http|lists|seed|webhooks|saving|ahead|validation)[\\/]/;

const declarationOf = (file) => normalize(file).replace(/(\.d)?\.[jt]sx?$/, '.d.ts');

const reached = new Set(Object.values(exports).flatMap(({ types }) => (types?.startsWith('./dist/') ? [normalize(types)] : [])));
for (const file of reached) {
  if (!existsSync(file)) throw new Error(`${file} is imported by a declaration, or published, and not there`);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(IMPORTED)) reached.add(declarationOf(join(dirname(file), name)));
}
for (const name of readdirSync('dist', { recursive: true })) {
  const file = join('dist', name);
  if (!file.endsWith('.d.ts')) continue;
  if (!reached.has(file)) rmSync(file);
  else if (INNER.test(name)) writeFileSync(file, readFileSync(file, 'utf8').replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, ''));
}
