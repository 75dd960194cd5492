// Part of the build: puts the one file of Scalar's API reference that /docs needs beside the compiled code.
// It comes from the Fastify package, which has the same bundle with a tenth of the tree.
import { copyFileSync, mkdirSync } from 'node:fs';
import { rolldown } from 'rolldown';

mkdirSync('dist/assets', { recursive: true });
copyFileSync('node_modules/@scalar/fastify-api-reference/dist/js/standalone.js', 'dist/assets/scalar.js');

// The service worker that a page copies beside itself: one classic script that is a module as well, for every browser.
const bundle = await rolldown({ input: 'dist/browser/worker.js', platform: 'browser' });
await bundle.write({ file: 'dist/assets/wm-mock-worker.js', format: 'iife', minify: true, codeSplitting: false });
