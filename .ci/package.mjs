// Packs the package, installs the tarball in an empty folder, and uses it there as a user would.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const MOST_BYTES = 1_000_000;

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'wm-mock-package-'));
const run = (command, args, cwd = folder) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const fail = (message) => {
  throw new Error(message);
};

try {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root));
  const stray = packed.files.map(({ path }) => path).filter((path) => /\.test\.|^src\/|^dist\/test\//.test(path));
  if (stray.length > 0) fail(`the tarball holds ${stray.join(', ')}`);
  const page = gzipSync(readFileSync(join(root, 'dist/assets/scalar.js'))).length;
  const rest = packed.size - page;
  if (rest > MOST_BYTES) fail(`without the page at /docs the tarball has ${rest} bytes; at most ${MOST_BYTES} are allowed`);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  run('npm', ['install', '--no-audit', '--no-fund', join(folder, packed.filename)]);

  writeFileSync(
    join(folder, 'use.mjs'),
    `import { createMock } from 'wm-mock';
     const mock = await createMock({ seed: 'node_modules/wm-mock/fixtures/demo.yaml' });
     const answer = await mock.fetch('/tasks?limit=5', { headers: mock.auth('read') });
     const server = await mock.listen({ port: 0 });
     const again = await fetch(server.baseUrl + '/tasks?limit=5', { headers: mock.auth('read') });
     console.log(answer.status, (await answer.json()).items.length, again.status);
     await mock.close();`,
  );
  const said = run('node', ['use.mjs']).trim();
  if (said !== '200 5 200') fail(`the library answered "${said}"`);

  run('npx', ['--no-install', 'wm-mock', 'contract', '--profile', 'core', '--report', 'report']);

  const cli = spawn('npx', ['--no-install', 'wm-mock', '--port', '0', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    const ready = JSON.parse(await new Promise((done) => cli.stdout.once('data', (chunk) => done(String(chunk).split('\n')[0]))));
    const headers = { authorization: `Bearer ${ready.keys[0].value}` };
    const answer = await fetch(`${ready.base_url}/tasks`, { headers });
    if (answer.status !== 200) fail(`the command line answered ${answer.status}`);
  } finally {
    process.kill(-cli.pid);
  }
  console.log(
    `installed from a tarball of ${packed.size} bytes (${rest} without the page at /docs), ${packed.files.length} files: library, command line and contract suite answer`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
