import { build } from 'esbuild';

const common = { bundle: true, format: 'esm', outdir: 'out', outExtension: { '.js': '.mjs' } };
const js = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
await build({ ...common, entryPoints: ['server.mjs'], platform: 'node', banner: { js } });
await build({ ...common, entryPoints: ['page.mjs'], platform: 'browser' });
