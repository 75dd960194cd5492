// Part of the build: puts the one file of Scalar's API reference that /docs needs beside the compiled code.
import { copyFileSync, mkdirSync } from 'node:fs';

mkdirSync('dist/assets', { recursive: true });
copyFileSync('node_modules/@scalar/api-reference/dist/browser/standalone.js', 'dist/assets/scalar.js');
