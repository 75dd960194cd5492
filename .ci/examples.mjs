// Runs the first example of each page under docs/ as a reader would: in an empty folder, with the packed tarball installed.
//
// A page takes part when it holds a line
//   <!-- example {"needs": ["vitest"], "run": "npx vitest run"} -->
// needs   packages that the reader installs beside wm-mock; they get the versions of this repository's lock file, so they have to
//         be in its devDependencies, or name one: "next@16.4.6". Absent: none.
// run     the command, as the page tells it. Absent: the first code block is a shell script, and that is run.
// prints  a text that the command has to print. Absent: only its exit status counts.
// Code blocks whose fence names a file (```ts file=tasks.test.ts) are written into the folder first. The first code block of the
// page is such a file or the script: a page starts with code that runs. TypeScript files are type-checked as well (strict), with
// tsconfig.json of the page when it has one. Playwright finds a Chromium without a download. A door of package.json's exports has
// to have a page of its name: "./msw" is docs/msw.md.
//
//   node .ci/examples.mjs            every page
//   node .ci/examples.mjs docs/msw.md
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { browsersFor } from './browser.mjs';
import { inFolder, install, pack, sh } from './packed.mjs';
import { ROOT } from './tools.mjs';

const MARK = /^<!-- example (\{.*\}) -->$/m;
const BLOCK = /^```(\S+)(?: file=(\S+))?\n([\s\S]*?)^```$/gm;

const fail = (message) => {
  throw new Error(message);
};

/** @returns what a page asks for, or undefined when it takes no part. */
const exampleOf = (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const marked = MARK.exec(text);
  if (!marked) return undefined;
  const { needs = [], run, prints } = JSON.parse(marked[1]);
  const blocks = [...text.matchAll(BLOCK)].map(([, language, file, code]) => ({ language, file, code }));
  const [first] = blocks;
  if (!first) fail(`${page} has no code block`);
  if (run === undefined && first.language !== 'sh') fail(`${page} names no command, and its first code block is no shell script`);
  if (run !== undefined && first.file === undefined)
    fail(`the first code block of ${page} is no file: begin with the code that runs`);
  return { page, needs, prints, files: blocks.filter(({ file }) => file !== undefined), script: run ?? first.code };
};

const OPTIONS = '--noEmit --strict --module nodenext --moduleResolution nodenext --target es2023 --skipLibCheck --types node';

const typeCheck = (folder, files) => {
  const typed = files.map(({ file }) => file).filter((file) => /\.tsx?$/.test(file));
  if (typed.length === 0) return;
  const own = files.some(({ file }) => file === 'tsconfig.json') ? '--noEmit -p tsconfig.json' : `${OPTIONS} ${typed.join(' ')}`;
  const { status, said } = sh(`node ${join(ROOT, 'node_modules/typescript/bin/tsc')} ${own}`, folder, {});
  if (status !== 0) fail(`its TypeScript does not compile:\n${said}`);
};

const runExample = ({ needs, files, script, prints }, tarball, folder) => {
  const typed = files.some(({ file }) => /\.tsx?$/.test(file));
  install(folder, tarball, [...needs, ...(typed ? ['@types/node'] : [])]);
  for (const { file, code } of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  }
  typeCheck(folder, files);
  const browsers = needs.some((name) => name.includes('playwright')) ? browsersFor(folder) : {};
  const { status, said } = sh(script, folder, browsers);
  if (status !== 0) fail(`exit status ${status}:\n${said}`);
  if (prints !== undefined && !said.includes(prints)) fail(`it did not print ${JSON.stringify(prints)}:\n${said}`);
};

const pagesOfDoors = () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([name, { default: code }]) =>
    /^\.\/[\w-]+$/.test(name) && code ? [`docs/${name.slice(2)}.md`] : [],
  );
};

const every = () => {
  for (const page of ['docs/exec.md', ...pagesOfDoors()]) {
    if (!existsSync(join(ROOT, page)) || !exampleOf(page)) fail(`${page} has to be there and to start with an example`);
  }
  return readdirSync(join(ROOT, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .sort();
};

const asked = process.argv.slice(2);
const examples = (asked.length > 0 ? asked : every()).map(exampleOf).filter(Boolean);
if (examples.length === 0) fail('no page with an example');
await inFolder(async (packing) => {
  const { path } = pack(packing);
  for (const example of examples) {
    const began = performance.now();
    try {
      await inFolder((folder) => runExample(example, path, folder));
    } catch (error) {
      fail(`the example of ${example.page} fails: ${error.message}`);
    }
    console.log(`${example.page}: runs as written (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  }
});
console.log(`${examples.length} examples run as written, against the packed tarball, in empty folders`);
