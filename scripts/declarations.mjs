// Part of the build: removes the type declarations that no published entry leads to; tsc writes one for each file. Of those that
// users meet only through others the docstrings go, too: they are in the source.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize, resolve } from 'node:path';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const IMPORTED = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;

const INNER = /^(?:service[\\/](?:world|http|lists|webhooks|forward-compat|validation)|mock[\\/](?:seed|saving))[\\/]/;

const declarationOf = (file) => normalize(file).replace(/(\.d)?\.[jt]sx?$/, '.d.ts');

const reached = new Set(Object.values(exports).flatMap(({ types }) => (types?.startsWith('./dist/') ? [normalize(types)] : [])));
for (const file of reached) {
  if (!existsSync(file)) throw new Error(`${file} is imported by a declaration, or published, and not there`);
  const text = readFileSync(file, 'utf8');
  if (/from 'node:/.test(text)) throw new Error(`${file} names types of Node, which a project without @types/node lacks`);
  for (const [, name] of text.matchAll(IMPORTED)) reached.add(declarationOf(join(dirname(file), name)));
}
for (const name of readdirSync('dist', { recursive: true })) {
  const file = join('dist', name);
  if (!file.endsWith('.d.ts')) continue;
  if (!reached.has(file)) rmSync(file);
  else if (INNER.test(name)) writeFileSync(file, readFileSync(file, 'utf8').replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, ''));
}

// The declarations for CommonJS: TypeScript takes those of an ES module for one that cannot be required.
for (const [name, { require: common }] of Object.entries(exports)) {
  if (!common) continue;
  const module = `./${basename(common.default, '.cjs')}.js`;
  const whence = `from '${module}' with { 'resolution-mode': 'import' };`;
  // The door of Jest opens in Jest alone, and gives what that of the matchers does.
  const opened = name === './jest' ? exports['./matchers'].default : join(dirname(common.default), module);
  const values = Object.entries(await import(resolve(opened)));
  const declared = values.flatMap(([name, value]) => [
    `export declare const ${name}: typeof esm.${name};`,
    ...(/^class/.test(value) ? [`export type ${name} = esm.${name};`] : []),
  ]);
  writeFileSync(common.types, [`import type * as esm ${whence}`, `export type * ${whence}`, ...declared, ''].join('\n'));
}
