// The command line, in process: what it prints, where, and its exit status.
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { wait } from '../service/world/time.ts';
import { type Run, refused as refusedIn, run as runIn, start as startIn } from '../test/command-line.ts';
import { makeTestFolder } from '../test/temp-folder.ts';

let folder: string;
beforeEach(() => {
  folder = makeTestFolder();
});

const start = (words: readonly string[], env: Record<string, string> = {}) => startIn(words, { env, cwd: folder });
const run = (words: readonly string[], env: Record<string, string> = {}) => runIn(words, { env, cwd: folder });
const refused = (words: readonly string[]) => refusedIn(words, { cwd: folder });
const SEED =
  'workspaces: [{ id: ws_a, users: [{ id: user_a, name: Ann }], api_keys: [{ value: wm_a, scope: admin, user_id: user_a }] }]\n';
const seedFile = async (text = SEED) => {
  const path = join(folder, 'seed.yaml');
  await writeFile(path, text);
  return path;
};
const readyOf = (started: Run) => JSON.parse(started.out.slice(0, started.out.indexOf('\n')));

describe('serve', () => {
  test('shows base URL, docs, a key a scope with whose it is, and a curl line whose URL and key answer 200', async () => {
    const started = start(['--port', '0']);
    await started.until('Ctrl+C');
    for (const scope of ['read', 'write', 'admin'])
      expect(started.out).toMatch(new RegExp(`^ +${scope} +wm_\\S+ +\\S+ \\S+.*, \\S+`, 'm'));
    expect(started.out).toMatch(/Docs {2}http:\/\/127\.0\.0\.1:\d+\/docs/);
    const [, key, url] = /curl -H "Authorization: Bearer (\S+)" "(\S+)"/.exec(started.out)!;
    expect((await fetch(url!, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
    started.stop();
    expect(await started.status).toBe(0);
    await expect(fetch(url!)).rejects.toThrow();
  });

  test('--watch takes a new seed up, keeps the old one when the new one is broken, and says why', async () => {
    const path = await seedFile();
    const started = start(['--seed', path, '--port', '0', '--json', '--watch']);
    await started.until('"ready"');
    const { base_url } = readyOf(started);
    const name = async () => {
      const answer = await fetch(`${base_url}/users/me`, { headers: { authorization: 'Bearer wm_a' } });
      return (await answer.json()).data.name;
    };
    expect(await name()).toBe('Ann');
    await writeFile(join(dirname(path), 'other.txt'), 'other');
    await wait(200);
    expect(started.err).toBe('');
    await seedFile(SEED.replace('Ann', 'Bea'));
    await started.until('reloaded');
    expect(await name()).toBe('Bea');
    await seedFile(SEED.replace('scope: admin', 'scope: king'));
    await started.until('still serving the old seed');
    await started.until('seed.yaml:1:');
    expect(await name()).toBe('Bea');
    started.stop();
    expect(await started.status).toBe(0);
    const { err } = started;
    await seedFile(SEED);
    await wait(200);
    expect(started.err).toBe(err);
  });

  test('a busy port ends with one line that says what to do', async () => {
    const holder = createServer();
    await new Promise<void>((done) => holder.listen(0, '127.0.0.1', done));
    const { port } = holder.address() as { port: number };
    const ended = await refused(['--port', String(port)]);
    expect([ended.status, ended.err]).toEqual([
      1,
      `wm-mock: port ${port} on 127.0.0.1 is busy. Stop what uses it, or pass --port 0 for any free one.\n`,
    ]);
    holder.close();
  });
});

test('init --service-worker copies the worker and what registers it, over older ones', async () => {
  for (const _ of [1, 2]) {
    const { status, out } = await run(['init', '--service-worker', 'public']);
    expect([status, out]).toEqual([0, expect.stringContaining('public/wm-mock-worker.js, public/wm-mock-register.js')]);
  }
});
