// Part of the build: puts the one file of Scalar's API reference that /docs needs beside the compiled code.
// It comes from the Fastify package, which has the same bundle with a tenth of the tree.
import { copyFileSync, mkdirSync } from 'node:fs';
import { rolldown } from 'rolldown';

mkdirSync('dist/assets', { recursive: true });
copyFileSync('node_modules/@scalar/fastify-api-reference/dist/js/standalone.js', 'dist/assets/scalar.js');

// What a page copies beside itself: its service worker, a classic script that is a module as well, and the module that registers it.
const whole = async (input, file, format) => {
  const bundle = await rolldown({ input, platform: 'browser', tsconfig: 'tsconfig.json' });
  await bundle.write({ file: `dist/assets/${file}`, format, minify: true, codeSplitting: false });
  await bundle.close();
};
await whole('src/browser/worker.ts', 'wm-mock-worker.js', 'iife');
await whole('src/browser/register.ts', 'wm-mock-register.js', 'esm');
