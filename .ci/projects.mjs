// Projects of others, one row each: the packed tarball in an empty folder, with the bundlers, test runners, runtimes and compilers that
// docs/reliability.md names. Their files are in folders of examples/projects. All together install a gigabyte.
//
//   node .ci/projects.mjs             every project, and whether the page names them all
//   node .ci/projects.mjs jest vite   those whose names begin so
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browsersFor } from './browser.mjs';
import { inFolder, install, sh, tarballIn } from './project.mjs';
import { ROOT } from './tools.mjs';

const MSW = 'msw';
/** What was bundled for a page knows no Node. */
const BOTH = `node build.mjs && node out/server.mjs && node out/page.mjs && ! grep -lE "(from|require\\() ?['\\"](node:|fs|path)" -r out --include='page*'`;
const bundler = (name, needs, more = '') => ({
  needs: [...needs, MSW],
  folders: ['both', name],
  run: `${BOTH}${more}`,
  prints: 'asked\nshown',
});
const next = (name) => ({
  needs: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1', MSW],
  folders: ['next'],
  isCommonJs: true,
  run: `npx next build --${name} && node ask.mjs`,
  prints: 'rendered',
});
const vitest = (version) => ({
  needs: [`vitest@${version}`, 'typescript@5.9.3', '@types/node@24.10.1'],
  folders: ['vitest'],
  run: 'npx vitest run && npx tsc --noEmit --strict --target es2022 --module nodenext --skipLibCheck false a.test.ts',
  prints: '2 passed',
});
const browserMode = (version) => ({
  needs: [`vitest@${version}`, `@vitest/browser-playwright@${version}`, 'playwright@1.65.1', 'playwright-core'],
  folders: ['browser-mode'],
  run: 'npx vitest run && ! VITE_FAULT=1 npx vitest run > out.txt 2>&1 && npx wm-mock replay wm-mock-failures/a.test.js-in-a-page.wm.json && ls wm-mock-failures/*.html',
  prints: '1 passed',
});
const msw = (...needs) => ({ needs, folders: ['msw'], run: 'node --test a.test.mjs', prints: 'pass 1' });
const playwright = (version) => ({
  needs: [`@playwright/test@${version}`, `playwright-core@${version}`],
  folders: ['playwright'],
  run: 'npx playwright test',
  prints: '1 passed',
});
const VM = 'NODE_OPTIONS=--experimental-vm-modules';
const jest = (folders, run, needs = [], isCommonJs = true) => ({
  needs: ['jest@30.5.2', ...needs],
  folders: ['session', ...folders],
  run,
  prints: '1 passed',
  isCommonJs,
});
const BABEL = ['@babel/core@7.28.5', '@babel/preset-env@7.28.5'];
const JSDOM = 'jest-environment-jsdom@30.5.2';
const tsc = (resolution) => `npx tsc --noEmit --strict --target es2022 --skipLibCheck false ${resolution}`;
const TYPES = [
  '--module node16 --moduleResolution node16 --lib es2023,dom a.ts b.mts',
  '--module esnext --moduleResolution bundler --lib es2023,dom a.ts',
];
const typescript = (version, ...older) => ({
  needs: [`typescript@${version}`, MSW],
  folders: ['typescript'],
  run: [...older, ...TYPES].map(tsc).join(' && '),
  isCommonJs: true,
});
const OLDER = '--module commonjs --moduleResolution node10';

/** needs: packages; folders: of examples/projects; run: a shell script; prints: what it has to print. */
const PROJECTS = {
  webpack: bundler('webpack', ['webpack@5.112.2']),
  'next-turbopack': next('turbopack'),
  'next-webpack': next('webpack'),
  vite: bundler('vite', ['vite@8.3.8']),
  rollup: bundler(
    'rollup',
    ['rollup@4.68.7'].concat(['node-resolve@16.0.3', 'commonjs@29.0.3', 'json@6.1.0'].map((name) => `@rollup/plugin-${name}`)),
  ),
  esbuild: bundler(
    'esbuild',
    ['esbuild@0.28.2'],
    ' && npx esbuild worker.js --bundle --format=iife --outdir=one && node listens.mjs',
  ),
  'vitest-3': vitest('3.2.7'),
  'vitest-4': vitest('4.1.12'),
  'vitest-5': vitest('5.1.1'),
  'browser-mode-4': browserMode('4.1.12'),
  'browser-mode-5': browserMode('5.1.1'),
  'contract-vitest': {
    needs: ['vitest@4.1.12'],
    folders: ['contract-vitest'],
    run: "npx vitest run && ! FAULT=1 npx vitest run > out.txt 2>&1 && grep -E 'FAIL.*WM-SCOPE-004' out.txt && grep -E 'curl .*teams' out.txt",
    prints: 'CONFORMANT',
  },
  // This one does not open without it.
  'msw-2.4': msw('msw@2.4.0', 'graphql@16.11.0'),
  'msw-2.15': msw('msw@2.15.0'),
  'playwright-1.50': playwright('1.50.0'),
  'playwright-1.65': playwright('1.65.1'),
  'jest-commonjs': jest(['jest-commonjs'], "npx jest --transform '{}'"),
  'jest-esm': jest(['jest-esm'], `${VM} npx jest --transform '{}'`, [], false),
  'jest-babel': jest(['babel', 'jest-esm'], 'npx jest', BABEL),
  'jest-swc': jest(['jest-esm'], `npx jest --transform '{"\\\\.js$":"@swc/jest"}'`, ['@swc/core@1.16.22', '@swc/jest@0.2.39']),
  'jest-jsdom': jest(['babel', 'jest-esm'], 'npx jest --env jsdom', [...BABEL, JSDOM]),
  'jest-esm-jsdom': jest(['jest-esm-jsdom'], `${VM} npx jest --env jsdom --transform '{}'`, [JSDOM], false),
  starter: { needs: ['vite@8.3.8', 'vitest@4.1.12'], folders: ['../starter'], run: 'npm test', prints: '2 passed' },
  'node-test': { needs: [], folders: ['session', 'node-test'], run: 'node --test a.test.mjs', prints: 'pass 1' },
  bun: { needs: ['bun@1.4.5', MSW], folders: ['both', 'session', 'bun'], run: 'npx bun test', prints: '1 pass' },
  deno: { needs: ['deno@2.9.6', MSW], folders: ['both', 'deno'], run: 'npx deno run --allow-all serve.mjs', prints: 'asked' },
  'typescript-5': typescript('5.9.3', `${OLDER} a.ts`),
  'typescript-6': typescript('6.0.3', `${OLDER} --ignoreDeprecations 6.0 a.ts`),
  'typescript-7': typescript('7.0.2'),
};

const tried = async ({ needs, folders, run, prints = '', isCommonJs }, tarball) =>
  inFolder(async (folder) => {
    install(folder, tarball, needs);
    for (const name of folders) cpSync(join(ROOT, 'examples/projects', name), folder, { recursive: true });
    if (isCommonJs) writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const browsers = needs.some((name) => name.includes('playwright')) ? browsersFor(folder) : {};
    const { status, said } = sh(run, folder, { NEXT_TELEMETRY_DISABLED: '1', ...browsers });
    return status === 0 && said.includes(prints) ? undefined : `exit status ${status}\n${said.slice(-4000)}`;
  });

const asked = process.argv.slice(2);
const names = Object.keys(PROJECTS).filter((name) => asked.length === 0 || asked.some((start) => name.startsWith(start)));
const page = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8');
const unnamed = Object.keys(PROJECTS).filter((name) => !page.includes(`\`${name}\``));
if (unnamed.length > 0) throw new Error(`docs/reliability.md does not name ${unnamed.join(', ')}`);
for (const [, first, versions] of page.matchAll(/^\| (`[^|]+) \| ([^|]+) \|/gm)) {
  const needs = [...first.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => {
    if (!PROJECTS[name]) throw new Error(`docs/reliability.md names ${name}, which is no project`);
    return PROJECTS[name].needs;
  });
  for (const [version] of versions.matchAll(/\d+(\.\d+)+/g))
    if (!needs.some((need) => need.includes(`@${version}`)))
      throw new Error(`docs/reliability.md says ${version} of ${first}, and the project has ${needs.join(', ')}`);
}
let failed = 0;
await inFolder(async (packing) => {
  const tarball = tarballIn(packing);
  for (const name of names) {
    const began = performance.now();
    const why = await tried(PROJECTS[name], tarball);
    if (why) failed += 1;
    console.log(`${name}: ${why ?? 'works'} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  }
});
console.log(`${names.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
