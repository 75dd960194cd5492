// What the demo needs beside the page: its service worker, the mock's, and a seed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

const mock = createRequire(import.meta.url).resolve('wm-mock/wm-mock-worker.js');

const FILES: Readonly<Record<string, string | URL>> = {
  'demo-worker.js': new URL('src/demo/worker.js', import.meta.url),
  'wm-mock-worker.js': mock,
  'demo.yaml': mock.replace(/dist.assets.[^/\\]+$/, 'fixtures/demo.yaml'),
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
