// `wm-mock serve --record` and `wm-mock replay`: what came in over a socket is repeated from a file.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Repro } from '../../index.ts';
import { keptIo, start } from '../../test/command-line.ts';
import { makeFileFolder } from '../../test/temp-folder.ts';
import { createNodeMock } from '../create-mock.ts';
import { main } from '../main.ts';

const folder = makeFileFolder();
const path = join(folder, 'bug.wm.json');

const recorded = async (): Promise<Repro> => {
  const mock = await createNodeMock({ seed: 'fixtures/tiny.yaml', record: true, controlToken: 'open-sesame' });
  const { baseUrl, origin } = await mock.listen({ port: 0 });
  const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
  const requests = Array.from({ length: 5 }, (_, i) =>
    fetch(`${baseUrl}/projects`, { method: 'POST', headers, body: JSON.stringify({ name: `Project ${i}` }) }),
  );
  await Promise.all(requests);
  const hook = JSON.stringify({ url: `${origin}/_mock/inbox/mine`, events: ['project.created'] });
  await fetch(`${baseUrl}/webhooks`, { method: 'POST', headers: { ...headers, ...mock.auth('admin') }, body: hook });
  await fetch(`${baseUrl}/projects`, { method: 'POST', headers, body: JSON.stringify({ name: 'Announced' }) });
  await mock.webhooks.settled();
  const control = { authorization: 'Bearer open-sesame', 'content-type': 'application/json' };
  await fetch(`${origin}/_mock/clock`, { method: 'POST', headers: control, body: '{"mode":"frozen"}' });
  const repro = await mock.save(path, 'A bug');
  await mock.close();
  return repro;
};

const replaying = async (...words: readonly string[]) => {
  const { io, said } = keptIo({ cwd: folder });
  return { status: await main(['replay', ...words], io), said };
};

test('a file is repeated: 0 while the bytes are the same, 2 where they are not', async () => {
  const repro = await recorded();
  expect(repro.steps.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['request', 'control', 'receiver', 'clock']));
  const text = readFileSync(path, 'utf8');
  expect([statSync(path).mode & 0o77, text.includes('open-sesame'), text.includes('wm_tiny_write')]).toEqual([0, false, false]);
  const same = await replaying('bug.wm.json');
  expect([same.status, same.said.out]).toEqual([0, `the same bytes: ${repro.steps.length} steps\n`]);
  writeFileSync(path, text.replace('{', '{"dropped": 7,'));
  expect((await replaying('bug.wm.json')).said.out).toMatch(/^the same bytes: \d+ steps, after 7 steps that the file lacks\n$/);
  writeFileSync(path, text.replaceAll('"wm_mock": "', '"wm_mock": "0.0.').replace('Project 0', 'Project 9'));
  const other = await replaying('bug.wm.json');
  expect(other.status).toBe(2);
  expect(other.said.err).toMatch(/was written by wm-mock 0\.0\./);
  expect(other.said.out).toMatch(
    /^step \d of \d+: POST \/v1\/projects\n {2}at .*\n {2}differs {3}\/data\/name\n {2}expected {2}"Project/,
  );
});

test('--open serves the dashboard with the world after the last step: its requests and data, a frozen clock, nothing sent', async () => {
  const repro = await recorded();
  const replay = start(['replay', 'bug.wm.json', '--open'], { cwd: folder, env: { BROWSER: 'true' } });
  await replay.until('/dashboard/requests');
  const [, origin] = /(http:\S+)\/dashboard\/requests\n$/.exec(replay.out)!;
  const read = async (path: string) => (await fetch(origin + path)).json();
  expect((await read('/_mock/requests')).items).toHaveLength(repro.steps.filter(({ kind }) => kind === 'request').length);
  expect((await read('/_mock/data/projects')).items.at(-1).name).toBe('Announced');
  expect((await read('/_mock/clock')).mode).toBe('frozen');
  replay.stop();
  expect(await replay.status).toBe(0);
});

test.each([
  [[], 2, 'replay: expected a repro file'],
  [['none.wm.json'], 1, 'cannot read the repro file'],
  [['edited.wm.json'], 1, 'edited.wm.json: replay: expected a repro file, as mock.save() writes it: release: expected one of'],
  [['text.wm.json'], 1, 'text.wm.json: replay: expected a repro file, as mock.save() writes it: it must be valid JSON'],
])('replay %j ends with %i', async (words, status, says) => {
  writeFileSync(join(folder, 'text.wm.json'), 'hello');
  writeFileSync(join(folder, 'edited.wm.json'), '{"version":1,"release":"9"}');
  const ended = await replaying(...words);
  expect([ended.status, ended.said.err]).toEqual([status, expect.stringContaining(says)]);
});
