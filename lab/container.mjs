// The lines of the Containerfile and of the compose file, run as commands on this machine: no container engine is needed.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { inFolder, tarballIn } from '../.ci/project.mjs';
import { freePort, start } from '../.ci/start.mjs';
import { ROOT } from '../.ci/tools.mjs';
import { call } from './shared.mjs';

const FOLDER = join(ROOT, 'examples/container');
const lines = readFileSync(join(FOLDER, 'Containerfile'), 'utf8').split('\n');
const { services } = parse(readFileSync(join(FOLDER, 'compose.yaml'), 'utf8'));

/** What follows an instruction, wherever it stands last. */
const said = (instruction) => lines.findLast((line) => line.startsWith(`${instruction} `))?.slice(instruction.length + 1);

const ports = { 4700: await freePort(), 8080: await freePort() };
/** A machine of its own has its ports to itself and finds services by name; here all is loopback. */
const here = (text) =>
  text
    .replaceAll(/\/\/(?:wm-mock|app|127\.0\.0\.1):(\d+)/g, (_, port) => `//localhost:${ports[port]}`)
    .replace(/^4700$/, ports[4700]);

await inFolder(async (folder) => {
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
  const ready = (line) => line.includes('Ctrl+C') || undefined;
  const mock = await start(program, [...entry, ...command].map(here), ready, { cwd: join(FOLDER, seeds) });
  execFileSync('sh', ['-c', here(said('HEALTHCHECK').replace(/^.*? CMD /, ''))], { stdio: 'inherit' });

  const { app } = services;
  // The name leads nowhere here: that the mock takes it is all that can be seen.
  const { RECEIVER_URL: url, WM_API_KEY: key } = app.environment;
  const webhooks = `http://localhost:${ports[4700]}/v1/webhooks`;
  await call(webhooks, { url, events: ['member.joined'] }, { authorization: `Bearer ${key}` });
  const env = Object.fromEntries(Object.entries(app.environment).map(([name, value]) => [name, here(value)]));
  const script = join(FOLDER, app.volumes[0].split(':')[0]);
  const heard = await start(process.execPath, [script], (line) => (line.startsWith('heard ') ? line : undefined), { env });
  await mock.stop();
  console.log(`the mock is installed, is healthy, reaches a service by name (${heard.value}) and stops when told`);
});
