// Each program of .ci and lab is a step of the gate or of the nightly run, or a module that one of those loads; and how long they may be.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
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

for (const [, name] of steps.matchAll(/\b(WM_[A-Z_]+)=/g))
  test(`${name}, which a step sets, is read`, () =>
    execFileSync('git', ['grep', '-q', `env\\.${name}\\b`, '--', '*.ts', '*.mjs'], { cwd: ROOT }));

/** Tracked lines of each folder. Raise one in a commit of its own that says why. */
const MAX_LINES = { '.ci': 1200, lab: 2499, scripts: 400 };

for (const [folder, max] of Object.entries(MAX_LINES))
  test(`${folder} stays within ${max} lines`, () => {
    const files = execFileSync('git', ['ls-files', folder], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    const lines = files.reduce((sum, file) => sum + textOf(file).split('\n').length - 1, 0);
    assert.ok(lines <= max, `${folder} has ${lines} lines`);
  });
