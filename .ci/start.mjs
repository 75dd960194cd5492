// Programs that run beside a check, on loopback and on ports of their own, and that end with it.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './tools.mjs';

const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** Starts a program and waits for the first line of its output for which `ready` answers something. */
export const start = async (program, args, ready, { seconds = 30, cwd = ROOT, env = {} } = {}) => {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  const said = [];
  const stop = async (signal = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  const value = await new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`${program} ${args.join(' ')} ${why}\n${said.join('\n')}`));
    const timer = setTimeout(() => fail(`was not ready within ${seconds} s`), seconds * 1000);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (status) => fail(`exited with ${status}`));
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        if (said.length < 200) said.push(line);
        const found = ready(line);
        if (found !== undefined) {
          clearTimeout(timer);
          resolve(found);
        }
      });
    }
  });
  return { value, stop, pid: child.pid };
};

/** The program, as built in a folder, on a free port: its first line says where it is and which keys it has. */
export const served = async (words, options) => {
  const args = [join(options?.cwd ?? ROOT, 'dist/node/cli.js'), ...words, '--port', '0', '--json'];
  const ready = (line) => (line.startsWith('{"event":"ready"') ? JSON.parse(line) : undefined);
  const { value, stop, pid } = await start(process.execPath, args, ready, options);
  const key = (scope) => value.keys.find((one) => one.scope === scope)?.value;
  return { baseUrl: value.base_url, controlUrl: value.control_url, token: value.control_token, key, stop, pid };
};
export const startMock = (...flags) => served(['serve', '--seed', 'fixtures/demo.yaml', ...flags]);
/** The same as a hosted world, on a workerd of its own in a folder that the caller removes. */
export const startHosted = (folder) => served(['dev', folder, '--hosted'], { seconds: 90 });

/** A port that nothing listens on, below those that systems give to connections: none takes it before it is used. */
export const freePort = async () => {
  const port = randomInt(20_000, 32_000);
  const server = createServer().listen(port, '127.0.0.1');
  const free = await once(server, 'listening').catch(() => undefined);
  if (!free) return freePort();
  server.close();
  await once(server, 'close');
  return port;
};
