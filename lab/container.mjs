// The lines of the Containerfile and of the compose file, run as commands on this machine: no container engine is needed.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { inFolder, tarballIn } from '../.ci/project.mjs';
import { freePort, start } from '../.ci/start.mjs';
import { ROOT } from '../.ci/tools.mjs';

const FOLDER = join(ROOT, 'examples/container');
const lines = readFileSync(join(FOLDER, 'Containerfile'), 'utf8').split('\n');
const { services } = parse(readFileSync(join(FOLDER, 'compose.yaml'), 'utf8'));

/** What follows an instruction, wherever it stands last. */
const said = (instruction) => lines.findLast((line) => line.startsWith(`${instruction} `))?.slice(instruction.length + 1);

/** A machine of its own has its ports to itself and finds services by name; here all is loopback. */
const here = (text, ports) =>
  text
    .replaceAll(/\/\/(wm-mock|app|127\.0\.0\.1):(\d+)/g, (_all, _name, port) => `//localhost:${ports[port]}`)
    .replaceAll(/^(4700)$/g, (port) => ports[port]);

await inFolder(async (folder) => {
  const ports = { 4700: await freePort(), 8080: await freePort() };
  // The first stage builds what this repository has built.
  const at = (path) => join(folder, path);
  mkdirSync(at('tmp'));
  cpSync(tarballIn(folder), at('tmp/wm-mock-0.tgz'));
  const shell = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, npm_config_prefix: at('usr') } };
  execFileSync('sh', ['-c', said('RUN').replaceAll('/tmp/', `${at('tmp')}/`)], shell);
  const program = at('usr/bin/wm-mock');
  if (!existsSync(program)) throw new Error('RUN installs no wm-mock');

  const [, ...entry] = JSON.parse(said('ENTRYPOINT'));
  const { command, volumes } = services['wm-mock'];
  const [seeds] = volumes[0].split(':');
  const cwd = join(FOLDER, seeds);
  const args = [...entry, ...command].map((word) => here(word, ports));
  const mock = await start(program, args, (line) => (line.includes('Ctrl+C') ? true : undefined), { cwd });
  execFileSync('sh', ['-c', here(said('HEALTHCHECK').replace(/^.*? CMD /, ''), ports)], { stdio: 'inherit' });

  const { app } = services;
  // The name leads nowhere here: that the mock takes it is all that can be seen.
  const { RECEIVER_URL: url, WM_API_KEY: key } = app.environment;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ url, events: ['member.joined'] });
  const { status } = await fetch(`http://localhost:${ports[4700]}/v1/webhooks`, { method: 'POST', headers, body });
  if (status !== 201) throw new Error(`the mock refuses ${url} with ${status}`);
  const env = Object.fromEntries(Object.entries(app.environment).map(([name, value]) => [name, here(value, ports)]));
  const script = join(FOLDER, app.volumes[0].split(':')[0]);
  const heard = await start(process.execPath, [script], (line) => (line.startsWith('heard ') ? line : undefined), { env });
  await mock.stop();
  console.log(`the mock is installed, is healthy, reaches a service by name (${heard.value}) and stops when told`);
});
