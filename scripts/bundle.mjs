// Part of the build: bundles the entries that package.json names into code-split modules under dist/, whose functions keep their names.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { minifySync } from 'rolldown/experimental';
import { withoutBlanks } from './blanks.mjs';
import { BUNDLED, checkBundled } from './bundled.mjs';

const { bin, exports } = JSON.parse(readFileSync('package.json', 'utf8'));

const leaves = (value) => (typeof value === 'string' ? [value] : Object.values(value).flatMap(leaves));

/** The published entries, by their path under dist without its ending: a new one needs its row in package.json alone. */
const entries = [
  ...new Set(
    leaves([bin, exports]).flatMap((path) => /^(?:\.\/)?dist\/(?!assets\/|contract-tests\/)(.+)\.js$/.exec(path)?.[1] ?? []),
  ),
];

const isPackage = (id) => !id.startsWith('.') && !isAbsolute(id);
const external = (id) => isPackage(id) && !BUNDLED.some((name) => id === name || id.startsWith(`${name}/`));

/** What a start loads is two files: one that runs anywhere, and what Node needs besides. The rest is cut where entries and lazy imports part. */
const START = 'src/node/main.ts';
const OF_NODE = /[/\\]src[/\\]node[/\\]|[/\\]@hono[/\\]node-server[/\\]/;
let started;
const groupOf = (id, graph) => {
  if (!started) {
    started = new Set([resolve(START), resolve('src/index.ts')]);
    for (const one of started) for (const next of graph.getModuleInfo(one)?.importedIds ?? []) started.add(next);
  }
  if (!started.has(id)) return null;
  return OF_NODE.test(id) ? 'node' : 'mock';
};

const bundle = async (names, output, more = {}) => {
  const build = await rolldown({
    input: { ...Object.fromEntries(names.map((name) => [name, `src/${name}.ts`])), ...more },
    platform: 'neutral',
    external,
    tsconfig: 'tsconfig.json',
    resolve: { conditionNames: ['import', 'default'], mainFields: ['module', 'main'] },
  });
  const format = {
    dir: 'dist',
    format: 'esm',
    minify: false,
    minifyInternalExports: false,
    comments: { jsdoc: false },
    entryFileNames: '[name].js',
  };
  const { output: written } = await build.write({ ...format, ...output });
  await build.close();
  return written;
};

/** A test or a page that controls a mock elsewhere loads none of the mock. */
const ALONE = ['connect/index'];
for (const [{ fileName, code }] of await Promise.all(ALONE.map((name) => bundle([name], { codeSplitting: false }))))
  writeFileSync(`dist/${fileName}`, withoutBlanks(code));

const written = await bundle(
  entries.filter((name) => !ALONE.includes(name)),
  {
    chunkFileNames: 'chunks/[name].js',
    codeSplitting: {
      groups: [
        { name: groupOf, debugName: 'mock and node' },
        { name: 'yaml', test: 'node_modules/yaml/' },
      ],
    },
  },
  // A thread begins with a file; and what the suite calls of YAML, which src may call no longer.
  { 'node/judge-worker': 'src/node/proxy/judge-worker.ts', 'chunks/yaml-of-suite': 'contract-tests/engine/yaml.ts' },
);
const carried = checkBundled(written);
const unused = BUNDLED.filter((name) => !carried.has(name));
if (unused.length > 0) throw new Error(`no code of ${unused.join(', ')} is in the bundle: take it out of scripts/bundled.mjs`);
for (const { fileName, code } of written) {
  if (code?.includes('import.meta.url') && fileName.split('/').length !== 2) {
    throw new Error(`dist/${fileName} finds files beside itself by import.meta.url: it must stand one folder below dist/.`);
  }
}
// A module less to load at a start.
writeFileSync('dist/node/cli.js', readFileSync('dist/node/cli.js', 'utf8').replace('/main.js', '/node.js'));
// Nobody steps through these: they are packed small, below the names of what is in them.
const SMALL = `
  yaml yaml-source generate report dashboard demo.generated operations openapi hosted/index hosted reopen respond player mcp verdict
  client trial-mock trial-fetch call-by-row more-options.generated judgements replay record node recording judge node/playwright
  browser/index validate-file secrets routes failure-files page show-lines compare write-file keep-file test-worlds contract exec
  file-lock past-worlds schemas docs-page proxy node/judge-worker traffic-verdict`.split(/\s+/);
for (const { fileName, name, code } of written.filter(({ code }) => code)) {
  if (SMALL.includes(name)) {
    const names = code.match(/^\/\/ (?:src|node_modules)\/\S+$/gm) ?? [];
    writeFileSync(`dist/${fileName}`, `${names.join('\n')}\n${minifySync(fileName, code, { module: true }).code}`);
  } else if (fileName.startsWith('chunks/')) writeFileSync(`dist/${fileName}`, withoutBlanks(code));
}
// Jest's own loader refuses ES modules where a test is CommonJS; Node's takes them, and stands in the main context.
const common = (file, module, more = '') => {
  const load = `getBuiltinModule('node:module').createRequire(__filename)('${module}')`;
  const code = `const { getBuiltinModule } = require('node:vm').runInThisContext('process');\nmodule.exports = ${load};\n`;
  writeFileSync(file, `// The ES module of this name, for CommonJS and for Jest.\n${code}${more}`);
};
const { './jest': jest, ...doors } = exports;
for (const { require: door } of Object.values(doors)) {
  if (door) common(door.default, `./${basename(door.default, '.cjs')}.js`);
}
// The `expect` of a test is known to Jest's loader alone.
common(jest.require.default, '../testing/index.js', `require('@jest/globals').expect.extend(module.exports.matchers);\n`);
// npx marks a command as one that can be run when it first links it, and not after a later build.
for (const path of leaves(bin)) chmodSync(path, 0o755);
