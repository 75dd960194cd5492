import { build } from 'vite';

const output = { entryFileNames: '[name].mjs', chunkFileNames: 'page-[name].mjs' };
const common = { logLevel: 'warn', configFile: false };
await build({
  ...common,
  build: { ssr: 'server.mjs', outDir: 'out', rolldownOptions: { output: { entryFileNames: '[name].mjs' } } },
  ssr: { noExternal: true },
});
await build({
  ...common,
  build: { outDir: 'out', emptyOutDir: false, modulePreload: false, rolldownOptions: { input: 'page.mjs', output } },
});
