// One workerd of npm, serving hosted worlds from a folder of this machine.
import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import spawn from 'cross-spawn';
import { modulesOf, workerdConfig } from './hosted-files.ts';
import { UsageError } from './io.ts';
import { hostInUrl } from './listen.ts';

/** The workerd of a project, or the one beside this package. @throws UsageError when there is none */
export const findWorkerd = (cwd: string, own: string = import.meta.url): string => {
  for (const from of [join(cwd, 'package.json'), own]) {
    try {
      return (createRequire(from)('workerd') as { default: string }).default;
    } catch {
      // Perhaps the next one knows it.
    }
  }
  throw new UsageError(
    'dev --hosted: workerd is not installed: hosted worlds run on it. Install it: npm install -D workerd. docs/hosted.md says more.',
    1,
  );
};

const freePort = (host: string): Promise<number> =>
  new Promise((done, fail) => {
    const server = createServer().once('error', fail);
    server.listen(0, host, () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });

export interface Serving {
  readonly origin: string;
  readonly child: ChildProcess;
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>;
}

const LONGEST_START_MS = 20_000;
const LOOK_MS = 50;
const LAST_WORDS = 2000;

/** Starts it, and waits until it answers. @throws UsageError with its last words when it does not */
export const startWorkerd = async (
  binary: string,
  folder: string,
  {
    host,
    port,
    env,
  }: { readonly host: string; readonly port: number; readonly env: Readonly<Record<string, string | undefined>> },
  begin: typeof spawn = spawn,
): Promise<Serving> => {
  const at = port === 0 ? await freePort(host) : port;
  const state = join(folder, 'state');
  const config = join(folder, 'workerd.capnp');
  await mkdir(state, { recursive: true });
  await writeFile(config, workerdConfig(await modulesOf(), folder, `${host.includes(':') ? `[${host}]` : host}:${at}`));
  const child = begin(binary, ['serve', '--experimental', config], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr!.on('data', (bytes) => (said = (said + String(bytes)).slice(-LAST_WORDS)));
  let over = false;
  const ended = new Promise<void>((done) => {
    const end = () => {
      over = true;
      done();
    };
    child.once('exit', end);
    child.once('error', end);
  });
  const origin = `http://${hostInUrl(host)}:${at}`;
  const until = Date.now() + LONGEST_START_MS;
  while (!over && Date.now() < until) {
    const answer = await fetch(`${origin}/_hosted/health`).catch(() => undefined);
    if (answer?.ok && !over) return { origin, child, ended };
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
  child.kill('SIGKILL');
  throw new UsageError(
    `dev --hosted: workerd does not serve at ${origin}: ${said.trim() || 'it says nothing'}. Choose another --port. docs/hosted.md says more.`,
    1,
  );
};
