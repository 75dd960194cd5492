// Each program of .ci and lab is a step of the gate or of the nightly run, or a module that one of those loads.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { ROOT } from './tools.mjs';

const textOf = (file) => readFileSync(join(ROOT, file), 'utf8');
const steps = ['.ci/run', '.ci/nightly'].map(textOf).join('\n');
const programs = ['.ci', 'lab'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.mjs') && !name.endsWith('.test.mjs'))
    .map((name) => `${folder}/${name}`),
);
const imported = programs.flatMap((file) =>
  [...textOf(file).matchAll(/from '\.{1,2}\/(?:\.ci\/)?([\w-]+\.mjs)'/g)].map(([, name]) => name),
);

for (const file of programs)
  test(`${file} is a step of the gate or of the nightly run`, () => {
    const [, name] = file.split('/');
    assert.ok(steps.includes(`node ${file}`) || imported.includes(name), `${file} is in no step`);
  });

test('each step is there', () => {
  for (const [, file] of steps.matchAll(/node ((?:\.ci|lab)\/[\w-]+\.mjs)/g)) assert.ok(programs.includes(file), file);
});
