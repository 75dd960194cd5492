// Runs the examples of each page under docs/ as a reader would: in an empty folder, with the packed tarball installed.
//
// An example begins at a line
//   <!-- example {"needs": ["vitest"], "run": "npx vitest run"} -->
// needs   packages that the reader installs beside wm-mock; they get the versions of this repository's lock file, so they have to
//         be in its devDependencies, or name one: "next@16.4.6". Absent: none.
// run     the command, as the page tells it. Absent: the first code block is a shell script, and that is run.
// proof   in its place: a command that looks at what the reader would see in a browser. The page need not tell it.
// more    a second command, for what the page adds later.
// prints  a text that the command has to print. Absent: only its exit status counts.
// exits   that status. Absent: 0.
// Code blocks whose fence names a file (```ts file=tasks.test.ts) are written into the folder first. The first code block of the
// example is such a file or the script: a page starts with code that runs. TypeScript files are type-checked as well (strict), with
// tsconfig.json of the page when it has one. Playwright finds a Chromium without a download. A door of package.json's exports has
// to have a page of its name: "./msw" is docs/msw.md.
//
// What README.md's table of entry points leads to opens within five lines to write, five to type and three minutes, installation
// included: counted here without blank lines and comments, up to the first command, and printed. Doors that README.md alone
// describes: .ci/readme.mjs.
//
//   node .ci/examples.mjs            every page, and README.md
//   node .ci/examples.mjs docs/msw.md
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { browsersFor } from '../scripts/browser.mjs';
import { inFolder, install, pack, sh } from './packed.mjs';
import { lines, patience, readme } from './readme.mjs';
import { ROOT } from './tools.mjs';

const MARK = /^<!-- example (\{.*\}) -->$/gm;
const BLOCK = /^```(\S+)(?: file=(\S+))?\n([\s\S]*?)^```$/gm;

const fail = (message) => {
  throw new Error(message);
};

const textOf = (page) => readFileSync(join(ROOT, page), 'utf8');

/** What README.md's table of entry points leads to. */
const DOORS = [...textOf('README.md').matchAll(/^\| .+\]\((docs\/[\w-]+\.md)\) \|$/gm)].map(([, page]) => page);

/** By .ci/readme.mjs and .ci/container.mjs. */
const TRIED_ELSEWHERE = ['docs/replay.md', 'docs/control-api.md', 'docs/without-node.md'];

/** What a reader writes and types for a first success: what stands up to the first command. */
const work = (page, blocks, { needs, run }) => {
  const at = blocks.findIndex(({ language }) => language === 'sh');
  const typed = blocks[at]?.code ?? '';
  if (at < 0) fail(`${page} does not say what to type`);
  const untold = [run ?? '', ...needs.map((name) => name.replace(/(?<=.)@.*/, ''))].filter(
    (word) => !textOf(page).includes(word),
  );
  if (untold.length > 0) fail(`${page} does not tell ${untold.join(', ')}`);
  const written = blocks.slice(0, at).reduce((sum, { code }) => sum + lines(code), 0);
  return { written, typed: lines(typed) };
};

/** @returns what a page asks for, one after the other. */
const examplesOf = (page) => {
  const parts = textOf(page).split(MARK).slice(1);
  return parts.flatMap((marked, i) => {
    if (i % 2 > 0) return [];
    const { needs = [], run, proof, more, prints, exits = 0 } = JSON.parse(marked);
    const blocks = [...parts[i + 1].matchAll(BLOCK)].map(([, language, file, code]) => ({ language, file, code }));
    const [first] = blocks;
    if (!first) fail(`${page} has no code block`);
    const command = run ?? proof;
    if (command === undefined && first.language !== 'sh')
      fail(`${page} names no command, and its first code block is no shell script`);
    if (command !== undefined && first.file === undefined)
      fail(`the first code block of ${page} is no file: begin with the code that runs`);
    const opens = i === 0 && DOORS.includes(page) ? work(page, blocks, { needs, run }) : undefined;
    const files = blocks.filter(({ file }) => file !== undefined);
    return [{ page, needs, prints, exits, files, scripts: [command ?? first.code, more], opens }];
  });
};

const OPTIONS = '--noEmit --strict --module nodenext --moduleResolution nodenext --target es2023 --skipLibCheck --types node';

const typeCheck = (folder, files) => {
  const typed = files.map(({ file }) => file).filter((file) => /\.tsx?$/.test(file));
  if (typed.length === 0) return;
  const own = files.some(({ file }) => file === 'tsconfig.json') ? '--noEmit -p tsconfig.json' : `${OPTIONS} ${typed.join(' ')}`;
  const { status, said } = sh(`node ${join(ROOT, 'node_modules/typescript/bin/tsc')} ${own}`, folder, {});
  if (status !== 0) fail(`its TypeScript does not compile:\n${said}`);
};

const runExample = ({ needs, files, scripts, prints, exits }, tarball, folder) => {
  const typed = files.some(({ file }) => /\.tsx?$/.test(file));
  install(folder, tarball, [...needs, ...(typed ? ['@types/node'] : [])]);
  for (const { file, code } of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  }
  typeCheck(folder, files);
  const browsers = needs.some((name) => name.includes('playwright')) ? browsersFor(folder) : {};
  for (const [i, script] of scripts.filter(Boolean).entries()) {
    const { status, said } = sh(script, folder, browsers);
    if (status !== (i === 0 ? exits : 0)) fail(`exit status ${status}:\n${said}`);
    if (i === 0 && prints !== undefined && !said.includes(prints)) fail(`it did not print ${JSON.stringify(prints)}:\n${said}`);
  }
};

const pagesOfDoors = () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([name, { default: code }]) =>
    /^\.\/[\w-]+$/.test(name) && code ? [`docs/${name.slice(2)}.md`] : [],
  );
};

const every = () => {
  for (const page of ['docs/exec.md', ...pagesOfDoors()]) {
    if (!existsSync(join(ROOT, page)) || examplesOf(page).length === 0)
      fail(`${page} has to be there and to start with an example`);
  }
  const untried = DOORS.filter((page) => !TRIED_ELSEWHERE.includes(page) && examplesOf(page).length === 0);
  if (untried.length > 0) fail(`${untried.join(', ')}: a door that no example opens`);
  return readdirSync(join(ROOT, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .sort();
};

const asked = process.argv.slice(2);
const pages = asked.length > 0 ? asked : [...every(), 'README.md'];
const examples = pages.flatMap(examplesOf);
if (examples.length === 0 && !pages.includes('README.md')) fail('no page with an example');
await inFolder(async (packing) => {
  const { path } = pack(packing);
  if (pages.includes('README.md')) await readme(path);
  for (const example of examples) {
    const began = performance.now();
    try {
      await inFolder((folder) => runExample(example, path, folder));
    } catch (error) {
      fail(`the example of ${example.page} fails: ${error.message}`);
    }
    const seconds = (performance.now() - began) / 1000;
    const { page, opens } = example;
    const told = opens ? `, ${patience(page, seconds, opens.written, opens.typed)}` : '';
    console.log(`${page}: runs as written (${seconds.toFixed(1)} s)${told}`);
  }
});
console.log(`${examples.length} examples run as written, against the packed tarball, in empty folders`);
