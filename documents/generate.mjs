// Makes every generated file. Nothing is made while its source stays as it was, and no file is written that has its bytes already.
//   npm run generate                            everything; npm, the build and the tests call it first
//   node documents/generate.mjs --freeze          gives what is 'next' the version of a new release, and freezes its document
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { checkBundled, IN_SCRIPT } from '../scripts/bundled.mjs';

const CACHE = 'node_modules/.cache/wm-mock';
const STAMP = `${CACHE}/generated.json`;
/** Data that is no module: a change of it makes all files again. */
const DATA = readdirSync('src', { recursive: true })
  .map((path) => `src/${path.replaceAll('\\', '/')}`)
  .filter((path) => /\.(yaml|css)$/.test(path) && !path.includes('/golden/'));
const SUITE = ['requirements.yaml', 'situations/tables.yaml'].map((path) => `contract-tests/${path}`);
const SOURCES = ['fixtures/demo.yaml', ...SUITE, 'package-lock.json', ...DATA];

const textOf = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

const bundle = async (input, output, carried = []) => {
  const build = await rolldown(input);
  const { output: files } = await build.generate({ ...output, codeSplitting: false });
  await build.close();
  checkBundled(files, carried);
  return files[0].code;
};

/** The generator as one module. It reads the schemas alone, so generated files may be missing or stale. */
const bundleGenerator = () =>
  bundle(
    {
      input: 'documents/documents.ts',
      platform: 'node',
      tsconfig: 'tsconfig.json',
      external: /^[^./]/,
      shimMissingExports: true,
      plugins: [
        {
          name: 'bootstrap',
          resolveId: (id) => (id.endsWith('.generated.ts') ? id : undefined),
          load: (id) => (id.endsWith('.generated.ts') ? 'export {};' : undefined),
        },
      ],
    },
    { format: 'esm' },
  );

const bundleDashboardScript = (name, carried) =>
  bundle({ input: `src/dashboard/${name}.js`, platform: 'browser' }, { format: 'iife', strict: true, minify: true }, carried);

const load = async (code) => {
  const file = resolve(CACHE, 'generator.mjs');
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(file, code);
  return import(`${pathToFileURL(file)}?${hashOf([code])}`);
};

const hashOf = (texts) => texts.reduce((hash, text) => hash.update(text).update('\0'), createHash('sha256')).digest('hex');

/** @param say takes a line for each file that is written. */
export const generate = async (say = console.log) => {
  const [code, ...scripts] = await Promise.all([
    bundleGenerator(),
    bundleDashboardScript('script', IN_SCRIPT),
    bundleDashboardScript('palette'),
    bundleDashboardScript('preview'),
  ]);
  const source = hashOf([code, ...scripts, ...SOURCES.map(textOf)]);
  const last = JSON.parse(textOf(STAMP) || '{}');
  if (last.source === source && hashOf(last.paths.map(textOf)) === last.made) return;
  const { DOCUMENTS } = await load(code);
  for (const [path, make] of Object.entries(DOCUMENTS)) {
    const text = await make(scripts);
    if (text === textOf(path)) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    say(`wrote ${path}`);
  }
  const paths = Object.keys(DOCUMENTS);
  writeFileSync(STAMP, JSON.stringify({ source, paths, made: hashOf(paths.map(textOf)) }));
};

/** Vitest calls this before all tests. */
export const setup = () => generate();

if (resolve(process.argv[1] ?? '') === import.meta.filename) {
  const [flag] = process.argv.slice(2);
  if (flag === '--freeze') {
    (await load(await bundleGenerator())).nameNext();
    (await load(await bundleGenerator())).freeze(console.log);
  }
  await generate();
}
