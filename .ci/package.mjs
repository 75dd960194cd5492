// Packs the package, installs the tarball in an empty folder, and uses it there as a user would.
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inFolder, install, pack } from './packed.mjs';

const fail = (message) => {
  throw new Error(message);
};

await inFolder(async (folder) => {
  const run = (command, args) =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const packed = pack(folder);
  install(folder, packed.path, []);

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
  console.log('installed from its tarball: library, command line and contract suite answer');
});
