// The script of docs/recipes/ci.md, unchanged, on hosted worlds.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serve } from '@hono/node-server';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { acme } from '../test/hosted.ts';
import { makeFileFolder } from '../test/temp-folder.ts';

// Hono's server puts its own classes in place of these, for all tests of this process.
const own = { Request: globalThis.Request, Response: globalThis.Response };
afterAll(() => void Object.assign(globalThis, own));

const folder = makeFileFolder();

test('finds the own world of a tenant on whichever page, and no other whose id ends alike', async () => {
  const { fetch, ask, token } = await acme();
  const page = await readFile('docs/recipes/ci.md', 'utf8');
  await writeFile(join(folder, 'world.mjs'), /```js file=\.github\/world\.mjs\n([\s\S]*?)^```$/m.exec(page)![1]!);
  const server = serve({
    // Pages of one world, as if there were a thousand times as many.
    fetch: (request) => fetch(new Request(request.url.replace('limit=1000', 'limit=1'), request)),
    port: 0,
    hostname: '127.0.0.1',
  });
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}/worlds/acme`;
  const env = { ...process.env, GITHUB_OUTPUT: '', WM_CONTROL_URL: `${at}/_mock`, WM_MOCK_CONTROL_TOKEN: token };
  const run = async (...words: string[]) =>
    (await promisify(execFile)(process.execPath, [join(folder, 'world.mjs'), ...words], { env })).stdout;
  await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'demo1' });
  await ask('POST', '/worlds/acme~demo1/_mock/worlds', token, { id: 'pr-10' });
  const ids = async () => (await ask('GET', '/worlds/acme/_mock/worlds', token)).body.items.map(({ id }: { id: string }) => id);
  const others = ['acme', 'acme~demo1', 'acme~demo1~pr-10'];
  await run('close', 'pr-10');
  expect(await ids()).toEqual(others);
  for (const _ of ['opened', 'found']) expect(await run('open', 'pr-10')).toContain(`base_url=${at}~pr-10/v1\n`);
  expect(await ids()).toEqual([...others, 'acme~pr-10']);
  await run('close', 'pr-10');
  expect(await ids()).toEqual(others);
});
