// What is published: only what is needed, with no dead link, sound by publint and by Are The Types Wrong, and every entry point opens
// in a fresh TypeScript project, on the oldest Node that is promised and on Node 24.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BUNDLED, COPIED, IN_SCRIPT, IN_WORKER } from '../scripts/bundled.mjs';
import { inFolder, install, pack } from './project.mjs';
import { ROOT, run, tool } from './tools.mjs';

const MOST_BYTES = 1_058_000;
/** npm asks to approve these, `prepare` too where a tarball is installed. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare'];
/** Scripts and documents that are served or read as they are. */
const AS_IT_IS = /\.js(on)?$/;

const fail = (message) => {
  throw new Error(message);
};

const textOf = (tarball, file) => execFileSync('tar', ['-xzOf', tarball, `package/${file}`], { encoding: 'utf8' });
const manifestOf = (tarball) => JSON.parse(textOf(tarball, 'package.json'));

const contents = ({ path, size, files, unpackedSize }) => {
  const stray = files
    .map((file) => file.path)
    .filter((file) => /\.test\.|\.spec\.|^src\/|^dist\/test\/|\.tsbuildinfo$|\.map$/.test(file));
  if (stray.length > 0) fail(`the tarball holds ${stray.join(', ')}`);
  const page = gzipSync(readFileSync(join(ROOT, 'dist/assets/scalar.js'))).length;
  const rest = size - page;
  if (rest > MOST_BYTES) fail(`without the page at /docs the tarball has ${rest} bytes; at most ${MOST_BYTES} are allowed`);
  const { scripts = {} } = manifestOf(path);
  const ran = INSTALL_SCRIPTS.filter((name) => name in scripts);
  if (ran.length > 0) fail(`installing the package would run ${ran.join(', ')}`);
  console.log(
    `packed: ${files.length} files, ${size} bytes, ${rest} without the page at /docs (at most ${MOST_BYTES}), ${unpackedSize} unpacked; no install script`,
  );
};

/** What the package carries is named with its licence and in the bill of materials, and is not installed once more. */
const carried = ({ path }) => {
  const { dependencies, version } = manifestOf(path);
  const notices = textOf(path, 'dist/THIRD-PARTY-LICENSES.txt');
  const { components, metadata } = JSON.parse(textOf(path, 'dist/sbom.cdx.json'));
  const listed = components.map(({ name }) => name);
  for (const name of [...BUNDLED, COPIED, ...IN_SCRIPT, ...IN_WORKER])
    if (!notices.includes(`\n${name} `)) fail(`${name} is carried without its licence`);
  for (const name of BUNDLED)
    if (name in dependencies) fail(`${name} is bundled and listed: an update of the listed one would mend nothing`);
  for (const name of [...BUNDLED, COPIED, ...IN_SCRIPT, ...Object.keys(dependencies)])
    if (!listed.includes(name)) fail(`${name} is not in the bill of materials`);
  if (metadata.component.version !== version) fail('the bill of materials is of another version');
  console.log(
    `carried: ${BUNDLED.length} packages in the bundle, each with its licence, none listed; ${listed.length} in the bill`,
  );
};

/** A page that is packed links only what is, pictures aside, and names only seeds that are; src/links.test.ts holds all links. */
const links = ({ path, files }) => {
  const names = files.map((file) => file.path);
  const pages = names.filter((name) => name.endsWith('.md'));
  for (const page of pages) {
    const text = textOf(path, page).replaceAll(/^```[\s\S]*?^```/gm, '');
    for (const [, link] of text.matchAll(/(?<!!\[[^\]]*)\]\((?!https?:)([^)#\s]+)[^)]*\)/g))
      if (!names.includes(posix.join(posix.dirname(page), link))) fail(`${page} links ${link}, which is not in the package`);
  }
  const seeds = pages.flatMap((page) => textOf(path, page).match(/fixtures\/\w+\.yaml(?!` of the repository)/g) ?? []);
  // The demo's path is the first that a reader tries.
  for (const seed of ['fixtures/demo.yaml', ...seeds]) if (!names.includes(seed)) fail(`the package has no ${seed}`);
  console.log(`links: those of ${pages.length} pages lead into the package, and so do the seeds that they name`);
};

const opinions = (path, names) => {
  run(tool('publint'), ['run', path, '--strict']);
  console.log('publint: nothing to say');
  const others = names.filter((name) => AS_IT_IS.test(name)).map((name) => name.slice(2));
  run(tool('attw'), [path, '--profile', 'esm-only', '--no-emoji', '--exclude-entrypoints', ...others]);
  console.log(`Are The Types Wrong: nothing, for ${names.length - others.length} entries`);
};

/** Each Node that is promised, from npm: the tests run on whichever one is there. */
const nodes = () =>
  [20, 24].map((major) => {
    const path = process.env[`WM_NODE_${major}`] ?? join(ROOT, `.ci/tools/node_modules/node-${major}/bin/node`);
    if (!existsSync(path)) fail(`no Node ${major} for this platform is on npm: name one, WM_NODE_${major}=/path/to/node`);
    const version = execFileSync(path, ['--version'], { encoding: 'utf8' }).trim();
    if (!version.startsWith(`v${major}.`)) fail(`${path} is Node ${version}, not ${major}`);
    return { path, version };
  });

/** Too large for the lock file of this repository. */
const JEST = 'jest@30.5.2';

/** What a reader does with each entry point, and which runner that needs; one without a file there is imported and counted. */
const ENTRIES = join(ROOT, 'examples/entries');
const RUNNERS = {
  jest: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'],
  playwright: ['node_modules/@playwright/test/cli.js', 'test'],
  vitest: ['node_modules/vitest/vitest.mjs', 'run'],
  contract: ['node_modules/vitest/vitest.mjs', 'run'],
};

const useOf = (entry) => {
  const name = entry === '.' ? 'index' : entry.slice(2);
  const file = readdirSync(ENTRIES).find((one) => one.startsWith(`${name}.`));
  const counted = `import * as entry from 'wm-mock/${name}';\nif (Object.keys(entry).length === 0) throw new Error('an empty entry point');`;
  const code = file ? readFileSync(join(ENTRIES, file), 'utf8') : counted;
  // `index.js` and `vitest.js` would be what tools look for.
  const written = `entry-${file ?? `${name}.ts`}`;
  return { name, file: written, code, words: [...(RUNNERS[name] ?? []), written.replace(/ts$/, 'js')] };
};

const COMPILERS = {
  'TypeScript 5': '.ci/tools/node_modules/typescript/bin/tsc',
  'TypeScript 7': 'node_modules/typescript/bin/tsc',
};

/** They lead to packages whose own declarations ask for the types of a page. */
const NEED_A_PAGE = ['./msw', './playwright'];

const compile = (folder, says, options, files) => {
  const compilerOptions = { strict: true, target: 'es2022', lib: ['es2023', 'dom'], types: ['node'], ...options };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, ...files }));
  for (const [name, path] of Object.entries(COMPILERS)) {
    const { status, stdout } = run(process.execPath, [join(ROOT, path), '-p', '.'], { cwd: folder, failing: true });
    if (status !== 0) fail(`${name}: ${says} does not compile:\n${stdout}`);
  }
};

const project = (folder, tarball, entries, peers) => {
  install(folder, tarball, [...peers, '@types/node', JEST]);
  const uses = entries.map(useOf);
  for (const { file, code } of uses) writeFileSync(join(folder, file), code);
  const kinds = { nodenext: 'nodenext', bundler: 'esnext' };
  for (const [moduleResolution, module] of Object.entries(kinds)) {
    const options = { module, moduleResolution, skipLibCheck: module === 'esnext', exactOptionalPropertyTypes: true };
    compile(folder, `a fresh project, ${moduleResolution},`, { ...options, target: 'es2023' }, { include: ['entry*.ts'] });
  }
  // A project of Node alone, which checks the declarations of what it imports, has none of the types of a page.
  const names = entries.filter((name) => !NEED_A_PAGE.includes(name));
  const imports = names.map((name, i) => `import * as entry${i} from 'wm-mock${name.slice(1)}';\nexport { entry${i} };`);
  writeFileSync(join(folder, 'without-page.ts'), imports.join('\n'));
  const ofNode = { module: 'nodenext', lib: ['es2022'], skipLibCheck: false, noEmit: true };
  compile(folder, 'a project without the types of a page', ofNode, { files: ['without-page.ts'] });
  console.log(`types: ${uses.length} entry points compile with ${Object.keys(COMPILERS).join(' and ')}, without a page too`);
  for (const { path, version } of nodes()) {
    for (const { words } of uses) run(path, words, { cwd: folder, env: { NODE_OPTIONS: '', CI: '1' } });
    console.log(`Node ${version}: ${uses.map(({ name }) => name).join(' ')} open`);
  }
};

/** The command line, in a project that has none of the test runners: its server, its environment for a command, the contract suite. */
const commandLine = (folder, tarball) => {
  install(folder, tarball, []);
  const wmMock = (...words) => run('npx', ['--no-install', 'wm-mock', ...words], { cwd: folder }).stdout;
  const ask = "fetch(process.env.WM_BASE_URL + '/users/me').then(({ status }) => console.log('asked:', status))";
  const said = wmMock('exec', '--', process.execPath, '-e', ask);
  if (!said.includes('asked: 401')) fail(`the server of the installed package was asked without a key and said: ${said}`);
  wmMock('contract', '--profile', 'core', '--report', 'report');
  wmMock('contract', '--profile', 'read-only', '--release', '1.1', '--report', 'report-1.1');
  console.log('installed alone: server, command line and contract suite work');
};

await inFolder(async (folder) => {
  const packed = pack(folder);
  const { exports, peerDependencies = {} } = manifestOf(packed.path);
  const names = Object.keys(exports);
  const entries = names.filter((name) => !AS_IT_IS.test(name) && 'default' in exports[name]);
  contents(packed);
  carried(packed);
  links(packed);
  opinions(packed.path, names);
  await inFolder((fresh) => commandLine(fresh, packed.path));
  await inFolder((fresh) => project(fresh, packed.path, entries, Object.keys(peerDependencies)));
});
