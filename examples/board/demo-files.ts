// What the demo needs beside the page: the mock's service worker and a seed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

const worker = createRequire(import.meta.url).resolve('wm-mock/wm-mock-worker.js');

const FILES: Readonly<Record<string, string>> = {
  'wm-mock-worker.js': worker,
  'demo.yaml': worker.replace(/dist.assets.[^/\\]+$/, 'fixtures/demo.yaml'),
};

export const demoFiles = (): Plugin => ({
  name: 'demo-files',
  apply: (_config, { mode }) => mode === 'demo',
  generateBundle() {
    for (const [fileName, path] of Object.entries(FILES)) {
      this.emitFile({ type: 'asset', fileName, source: readFileSync(path) });
    }
  },
});
