// The command line, in process: what it prints, where, and its exit status.
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { wait } from '../service/world/time.ts';
import { type Run, refused as refusedIn, start as startIn } from '../test/command-line.ts';
import { makeTestFolder } from '../test/temp-folder.ts';

let folder: string;
beforeEach(() => {
  folder = makeTestFolder();
});

const start = (words: readonly string[]) => startIn(words, { cwd: folder });
const refuse = (words: readonly string[]) => refusedIn(words, { cwd: folder });
const SEED =
  'workspaces: [{ id: ws_a, users: [{ id: user_a, name: Ann }], api_keys: [{ value: wm_a, scope: admin, user_id: user_a }] }]\n';
const seedFile = async (text = SEED) => {
  const path = join(folder, 'seed.yaml');
  await writeFile(path, text);
  return path;
};
const readyOf = (started: Run) => JSON.parse(started.out.slice(0, started.out.indexOf('\n')));

describe('serve', () => {
  test('shows a curl line whose URL and key get 200, until it stops', async () => {
    const started = start(['--port', '0']);
    await started.until('Ctrl+C');
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
      const response = await fetch(`${base_url}/users/me`, { headers: { authorization: 'Bearer wm_a' } });
      return (await response.json()).data.name;
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

  test.each([
    [['sreve'], 'wm-mock: unknown command "sreve" (did you mean serve?): expected one of serve,'],
    [['help', 'sreve'], 'wm-mock: unknown command "sreve" (did you mean serve?)'],
    [['--prot', '3'], 'wm-mock: unknown option --prot (did you mean --port?). See wm-mock serve --help.'],
    [['mine.yaml'], 'wm-mock: serve: did not expect "mine.yaml": a seed is given as --seed mine.yaml.'],
  ])('%j ends with what was likely meant', async (words, says) => {
    const ended = await refuse(words);
    expect([ended.status, ended.err.slice(0, says.length)]).toEqual([2, says]);
  });

  test('a busy port ends with one line that says what to do', async () => {
    const holder = createServer();
    await new Promise<void>((done) => holder.listen(0, '127.0.0.1', done));
    const { port } = holder.address() as { port: number };
    const ended = await refuse(['--port', String(port)]);
    expect([ended.status, ended.err]).toEqual([
      1,
      `wm-mock: cannot open port ${port} on 127.0.0.1: it is busy. Stop what uses it, or give port 0 for any free one.\n`,
    ]);
    holder.close();
  });
});
