// Part of the build: puts beside the compiled code what is no code of ours, or is made of it once more.
// The one file of Scalar's API reference that /docs needs comes from the Fastify package, which has the same bundle with a tenth of the tree.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { withoutBlanks } from './blanks.mjs';
import { BUNDLED, COPIED, checkBundled, IN_WORKER, lendYaml, writeBill, writeNotices } from './bundled.mjs';
import { names } from './names.mjs';

mkdirSync('dist/assets', { recursive: true });
copyFileSync(`node_modules/${COPIED}/dist/js/standalone.js`, 'dist/assets/scalar.js');

// What a page copies beside itself: its service worker, a classic script that is a module as well, and the module that registers it.
// A worker fetches the demo, and does not carry it.
const without = { name: 'no demo', load: (id) => (id.endsWith('demo.generated.ts') ? 'export const DEMO = {};' : undefined) };
const whole = async (input, file, format, plugins = []) => {
  const bundle = await rolldown({ input, platform: 'browser', tsconfig: 'tsconfig.json', plugins: [without, names, ...plugins] });
  const { output } = await bundle.write({ file: `dist/assets/${file}`, format, minify: true, codeSplitting: false });
  checkBundled(output, [...BUNDLED, ...IN_WORKER]);
  await bundle.close();
};
await whole('src/browser/worker.ts', 'wm-mock-worker.js', 'iife');
await whole('src/browser/register-script.ts', 'wm-mock-register.js', 'esm');
// The panel, as the mock serves it, and the door that a bundled page imports it by: it leads to the same file, and to none of the mock.
await whole('src/dashboard/panel/script.ts', 'panel.js', 'iife');
const beside = { name: 'beside', resolveId: (id) => (id === './script.ts' ? { id: './panel.js', external: true } : undefined) };
await whole('src/dashboard/panel/index.ts', 'wm-mock-panel.js', 'esm', [beside]);

const SUITE = 'dist/contract-tests';
for (const name of readdirSync(SUITE, { recursive: true }).filter((name) => name.endsWith('.js'))) {
  // The oracle is its largest part: its variables get short names, its functions keep theirs.
  const code = readFileSync(join(SUITE, name), 'utf8');
  writeFileSync(join(SUITE, name), /^oracle\b/.test(name) ? withoutBlanks(code) : withoutBlanks(code, false));
}
lendYaml('dist/contract-tests/engine/yaml.js', '../../chunks/yaml-of-suite.js');
writeNotices('dist/THIRD-PARTY-LICENSES.txt');
writeBill('dist/sbom.cdx.json');
