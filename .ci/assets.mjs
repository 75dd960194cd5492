// Part of the build: puts the one file of Scalar's API reference that /docs needs beside the compiled code.
// It comes from the Fastify package, which has the same bundle with a tenth of the tree.
import { copyFileSync, mkdirSync } from 'node:fs';

mkdirSync('dist/assets', { recursive: true });
copyFileSync('node_modules/@scalar/fastify-api-reference/dist/js/standalone.js', 'dist/assets/scalar.js');
