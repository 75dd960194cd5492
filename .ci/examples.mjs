// Runs the examples of README.md, AGENTS.md and docs/ as a reader would: with the packed tarball, in a folder that holds nothing else.
//
// An example begins at a line
//   <!-- example {"needs": ["vitest"], "run": "npx vitest run"} -->
// needs   packages that the reader installs beside wm-mock, which the page has to name. They get the versions of this repository's
//         lock file, so they have to be in its devDependencies, or name one: "next@16.4.6". Absent: none. Examples with the same
//         needs share one installation.
// run     the command, as the page tells it. Absent: the first code block is a shell script, and that is run.
// proof   in its place: a command that looks at what the reader would see in a browser. The page need not tell it.
// more    a second command, for what the page adds later.
// prints  a text that the command has to print. Absent: only its exit status counts.
// exits   that status. Absent: 0.
// Code blocks whose fence names a file (```ts file=tasks.test.ts) are written first; two with one name are one file. The first code
// block is such a file or the script: a page starts with code that runs. TypeScript is type-checked as well (strict), with
// tsconfig.json of the page when it has one. Each entry point of package.json has to have a page: "./msw" is docs/msw.md, and PAGE_OF
// names the others.
//
// What README.md has, and what its table of entry points leads to, opens within five lines to write, five to type and three minutes,
// installation included: counted without blank lines and comments, up to the first command, and printed.
//
//   node .ci/examples.mjs [README.md docs/msw.md …]     every page, or these
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { browsersFor } from './browser.mjs';
import { empty, inFolder, install, sh, tarballIn } from './project.mjs';
import { freePort, start } from './start.mjs';
import { ROOT, run } from './tools.mjs';

const MARK = /^<!-- example (\{.*\}) -->$/gm;
const BLOCK = /^```(\S+)(?: file=(\S+))?\n([\s\S]*?)^```$/gm;
const MOST_LINES = 5;
const MOST_SECONDS = 180;

const fail = (message) => {
  throw new Error(message);
};

const textOf = (page) => readFileSync(join(ROOT, page), 'utf8');
const README = textOf('README.md');
const AGENTS = textOf('AGENTS.md');

/** What README.md's table of entry points leads to. */
const DOORS = [...README.matchAll(/^\| .+\]\((docs\/[\w-]+\.md)\) \|$/gm)].map(([, page]) => page);

/** Entry points that share the page of another. */
const PAGE_OF = { connect: 'exec', matchers: 'jest', panel: 'dashboard' };

/** Lines that a person has to make: none of blanks and comments. */
const lines = (code) => code.split('\n').filter((line) => /\S/.test(line) && !/^\s*(#|\/\/)/.test(line)).length;

/** What a reader writes and types for a first success: what stands up to the first command. */
const work = (page, blocks, { needs, run: told }) => {
  const at = page === 'README.md' ? 1 : blocks.findIndex(({ language }) => language === 'sh');
  const typed = page === 'README.md' ? (told ?? blocks[0].code) : blocks[at]?.code;
  if (typed === undefined) fail(`${page} does not say what to type`);
  const names = needs.map((name) => name.replace(/(?<=.)@.*/, ''));
  const untold = [page === 'README.md' ? '' : (told ?? ''), ...names].filter((word) => !textOf(page).includes(word));
  if (untold.length > 0) fail(`${page} does not tell ${untold.join(', ')}`);
  const files = blocks.slice(0, at).filter(({ file }) => file !== undefined);
  return { written: files.reduce((sum, { code }) => sum + lines(code), 0), typed: lines(typed) };
};

const OPTIONS = '--noEmit --strict --module nodenext --moduleResolution nodenext --target es2023 --skipLibCheck --types node';

const typeCheck = (folder, files) => {
  const typed = files.map(({ file }) => file).filter((file) => /\.tsx?$/.test(file));
  if (typed.length === 0) return;
  const own = files.some(({ file }) => file === 'tsconfig.json') ? '--noEmit -p tsconfig.json' : `${OPTIONS} ${typed.join(' ')}`;
  const { status, said } = sh(`node ${join(ROOT, 'node_modules/typescript/bin/tsc')} ${own}`, folder);
  if (status !== 0) fail(`its TypeScript does not compile:\n${said}`);
};

const runExample = (folder, env, { files, scripts, prints = '', exits = 0 }) => {
  for (const { file, code } of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  }
  typeCheck(folder, files);
  for (const [i, script] of scripts.filter(Boolean).entries()) {
    const { status, said } = sh(script, folder, env);
    if (status !== (i === 0 ? exits : 0)) fail(`exit status ${status}:\n${said}`);
    if (i === 0 && !said.includes(prints)) fail(`it did not print ${JSON.stringify(prints)}:\n${said}`);
  }
};

/** @returns what a page has to try, one after the other. */
const examplesOf = (page) => {
  const parts = textOf(page).split(MARK).slice(1);
  return parts.flatMap((marked, i) => {
    if (i % 2 > 0) return [];
    const { needs = [], run: told, proof, more, ...expected } = JSON.parse(marked);
    const blocks = [...parts[i + 1].matchAll(BLOCK)].map(([, language, file, code]) => ({ language, file, code }));
    const [first] = blocks;
    const command = told ?? proof ?? (first?.language === 'sh' ? first.code : fail(`${page} names no command`));
    if (command !== first.code && first.file === undefined) fail(`${page} has to begin with the code that runs`);
    const isDoor = page === 'README.md' || (i === 0 && DOORS.includes(page));
    const names = new Set(blocks.flatMap(({ file }) => file ?? []));
    const textOfFile = (name) => blocks.flatMap(({ file, code }) => (file === name ? code : [])).join('');
    const files = [...names].map((file) => ({ file, code: textOfFile(file) }));
    const example = { ...expected, files, scripts: [command, more] };
    return [
      {
        page: `${page}${page === 'README.md' ? `, ${first.file ?? first.code.split('#')[0].trim()}` : ''}`,
        needs,
        call: (folder, env) => runExample(folder, env, example),
        ...(isDoor && { opens: work(page, blocks, { needs, run: told }) }),
      },
    ];
  });
};

const curl = (line) => /^ *Try +(curl .*)/.exec(line)?.[1];
const shown = (script, folder, prints) => runExample(folder, {}, { files: [], scripts: [script], prints });

const clone = async (folder) => {
  const [program, ...words] = JSON.parse(textOf('package.json')).scripts.start.split(' ');
  const mock = await start(program, [...words, '--port', '0'], curl);
  shown(mock.value, folder, '"items"');
  await mock.stop();
};

/** The code under a heading of a page. */
const under = (page, heading) => {
  const [, section] = textOf(page).split(`\n### ${heading}\n`);
  return /^```\w+\n([\s\S]*?)^```$/m.exec(section ?? fail(`${page} has no heading ${heading}`))[1];
};

const server = async (folder) => {
  const port = await freePort();
  const here = (text) => text.replaceAll(':4700', `:${port}`);
  // By its own name: npx would not hand on the signal that ends it.
  const program = join(folder, 'node_modules/.bin/wm-mock');
  const mock = await start(program, ['--port', String(port), '--record', 'bug.wm.json'], curl, { cwd: folder });
  shown(mock.value, folder, '"items"');
  for (const call of here(under('docs/cli.md', 'The control API')).trim().split('\n'))
    shown(`${call} --fail-with-body`, folder, '{');
  await mock.stop();
  shown('npx wm-mock replay bug.wm.json', folder, 'the same bytes');
};

const [, CONFIG] = /^```json\n([\s\S]*?)^```$/m.exec(AGENTS);

const agent = async (folder) => {
  cpSync(join(ROOT, 'fixtures/tiny.yaml'), join(folder, 'my.yaml'));
  const { command, args } = JSON.parse(CONFIG).mcpServers['wm-mock'];
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'ci', version: '1' } };
  const asked = [
    { id: 1, method: 'initialize', params: hello },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ];
  const input = asked.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('');
  const { stdout } = run(command, args, { cwd: folder, input, timeout: 60_000 });
  const tools = JSON.parse(stdout.split('\n')[1]).result.tools.map(({ name }) => name);
  const named = [...AGENTS.matchAll(/`([a-z]+_[a-z_]+)`(?! \()|`([a-z_]+)` \(/g)].map(([, name, other]) => name ?? other);
  const missing = named.filter((name) => !tools.includes(name) && !['next_cursor', 'retry_after'].includes(name));
  if (missing.length > 0) fail(`AGENTS.md names tools that there are not: ${missing.join(', ')}`);
};

/** What no block of code tells alone: servers, and the tools of a coding agent. */
const BY_HAND = [
  ['README.md, npm start', 'npm ci && npm start', [], clone, ''],
  ['README.md and docs/cli.md, npx wm-mock, the control API, replay', 'npx wm-mock', [], server, ''],
  ['AGENTS.md, npx wm-mock mcp', 'npx wm-mock mcp', ['@modelcontextprotocol/server'], agent, CONFIG],
].map(([page, told, needs, call, code]) => {
  if (!README.includes(told)) fail(`README.md does not tell ${told}`);
  return { page, needs, call, opens: { written: lines(code), typed: 1 } };
});

const pagesOfEntries = () =>
  Object.entries(JSON.parse(textOf('package.json')).exports).flatMap(([name, { default: code }]) =>
    /^\.\/[\w-]+$/.test(name) && code ? [`docs/${PAGE_OF[name.slice(2)] ?? name.slice(2)}.md`] : [],
  );

const everyPage = () => {
  const needed = ['docs/exec.md', ...pagesOfEntries(), ...DOORS];
  for (const page of needed)
    if (!existsSync(join(ROOT, page)) || examplesOf(page).length === 0)
      fail(`${page} has to be there and to start with an example`);
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true }).filter((name) => name.endsWith('.md'));
  return ['README.md', ...pages.map((name) => `docs/${name.replaceAll('\\', '/')}`).sort()];
};

/** @returns what an example took, in words. @throws when that is more than a newcomer has patience for. */
const patience = ({ page, opens }, seconds) => {
  const took = `(${seconds.toFixed(1)} s with its installation)`;
  if (!opens) return took;
  const { written, typed } = opens;
  if (Math.max(written, typed) > MOST_LINES || seconds > MOST_SECONDS)
    fail(`${page} opens after ${written} lines to write, ${typed} to type ${took}: at most 5, 5 and ${MOST_SECONDS} s`);
  return `${took}, opens after ${written} lines to write, ${typed} to type`;
};

const secondsSince = (began) => (performance.now() - began) / 1000;

const tryAll = async (examples, tarball) =>
  inFolder(async (folder) => {
    const { needs } = examples[0];
    const began = performance.now();
    install(folder, tarball, ['@types/node', ...needs]);
    const env = needs.some((name) => name.includes('playwright')) ? browsersFor(folder) : {};
    const installed = secondsSince(began);
    for (const example of examples) {
      const began = performance.now();
      empty(folder);
      try {
        await example.call(folder, env);
      } catch (error) {
        fail(`the example of ${example.page} fails: ${error.message}`);
      }
      console.log(`${example.page}: runs as written ${patience(example, installed + secondsSince(began))}`);
    }
  });

const asked = process.argv.slice(2);
const pages = asked.length > 0 ? asked : everyPage();
const examples = [...(pages.includes('README.md') ? BY_HAND : []), ...pages.flatMap(examplesOf)];
if (examples.length === 0) fail('no page with an example');
const groups = new Map();
for (const example of examples) {
  const needs = example.needs.toSorted().join(' ');
  groups.set(needs, [...(groups.get(needs) ?? []), example]);
}
await inFolder(async (packing) => {
  const tarball = tarballIn(packing);
  for (const group of groups.values()) await tryAll(group, tarball);
});
console.log(`${examples.length} examples run as written, against the packed tarball, in ${groups.size} installations`);
