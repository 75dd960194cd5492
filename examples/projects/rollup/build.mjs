import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import resolve from '@rollup/plugin-node-resolve';
import { rollup } from 'rollup';

const output = { dir: 'out', format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: 'page-[name].mjs' };
for (const [input, options] of [
  ['server.mjs', { exportConditions: ['node'] }],
  ['page.mjs', { browser: true }],
])
  await (await rollup({ input, plugins: [resolve(options), commonjs(), json()] })).write({
    ...output,
    chunkFileNames: input.slice(0, 4) + '-[name].mjs',
  });
