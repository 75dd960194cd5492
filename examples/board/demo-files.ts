// What the demo needs beside the page: the files that `wm-mock init --service-worker` writes.
import { execFileSync } from 'node:child_process';
import type { Plugin } from 'vite';

export const demoFiles = (): Plugin => {
  let folder = '';
  return {
    name: 'demo-files',
    apply: (_config, { mode }) => mode === 'demo',
    configResolved: ({ build }) => {
      folder = build.outDir;
    },
    closeBundle: () => {
      execFileSync('npx', ['wm-mock', 'init', '--service-worker', folder]);
    },
  };
};
