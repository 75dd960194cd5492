// A failed test leaves a file that can be repeated and a page to read, each named after the test.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { replay } from '../../replay.ts';
import { keep } from '../../test/closing.ts';
import { makeTestFolder } from '../../test/temp-folder.ts';
import { createNodeMock } from '../create-mock.ts';
import { removeFailureFiles, reportFailure, writeFailureFiles } from './test-worlds.ts';

let folder: string;
let messages: string[];
const say = (text: string) => void messages.push(text);
beforeEach(() => {
  folder = makeTestFolder();
  messages = [];
});

const start = async (record = true) => {
  const sender = async () => ({ kind: 'response', status: 500, took: 1 }) as const;
  const mock = keep(await createNodeMock({ record, sender, now: '2025-01-20T09:00:00Z' }));
  await mock.fetch('/users/me', { headers: mock.auth('read') });
  mock.create.webhook({ url: 'http://127.0.0.1:9/x', events: ['project.created'] });
  mock.create.project({ name: 'P <b>' });
  await mock.webhooks.settled();
  return mock;
};

test('the file is repeated to the byte; the page holds the timeline, with causes linked both ways', async () => {
  const mock = await start();
  await reportFailure(mock, 'tasks.test.ts > the board > shows "done" / all', { folder, say });
  const name = 'tasks.test.ts-the-board-shows-done-all';
  expect(readdirSync(folder).sort()).toEqual([`${name}.html`, `${name}.wm.json`]);
  const [file, page] = ['wm.json', 'html'].map((ending) => join(folder, `${name}.${ending}`)) as [string, string];
  expect(messages).toEqual([`wm-mock: see what happened in ${page}, repeat it with: npx wm-mock replay ${file} --open\n`]);
  const repro = readFileSync(file, 'utf8');
  expect((await replay(repro)).difference).toBeUndefined();
  expect(JSON.parse(repro).title).toBe('tasks.test.ts > the board > shows "done" / all');
  const html = readFileSync(page, 'utf8');
  const [event] = mock.timeline.filter(({ kind }) => kind === 'event');
  const { n, step } = event!;
  expect(html).toContain('<h2>Timeline</h2>');
  expect(html).toContain(
    `<div id="t${n}"><code>no. ${n}  09:00:00.000  event  ${event!.title}</code>, step ${step} of the repro file, from <a href="#t${n - 1}">no. ${n - 1}</a>, to <a href="#t${n + 1}">no. ${n + 1}</a></div>`,
  );
  expect(html).toContain(
    '<div id="t1"><code>no. 1  09:00:00.000  request  GET /v1/users/me → 200</code>, step 1 of the repro file</div>',
  );
  expect(html).toContain(`<code>npx wm-mock replay ${file} --open</code>`);
  expect(html).not.toMatch(/<script|src=|<link/);
});

test('two tests whose titles differ in signs alone have files of their own; a test that is repeated has one', async () => {
  const mock = await start();
  for (const title of ['x > a+b', 'x > a-b', 'x > a+b']) await reportFailure(mock, title, { folder, say });
  expect(readdirSync(folder).sort()).toEqual(['x-a-b-2.html', 'x-a-b-2.wm.json', 'x-a-b.html', 'x-a-b.wm.json']);
  expect(JSON.parse(readFileSync(join(folder, 'x-a-b.wm.json'), 'utf8')).title).toBe('x > a+b');
  await reportFailure(mock, `${'long '.repeat(60)}end!`, { folder, say });
  const [longest] = readdirSync(folder).sort((a, b) => b.length - a.length);
  expect(longest).toMatch(/^(long-){23}end\.wm\.json$/);
});

test('tests of one title have files of their own, in their order; one that passes when it is tried again leaves none', async () => {
  const mock = await start();
  const worlds = ['one', 'two', 'three'].map((id) => mock.fork({ id }));
  for (const world of [...worlds, worlds[1]!]) await reportFailure(world, 'x > same', { folder, say });
  const files = (...names: string[]) => names.flatMap((name) => [`${name}.html`, `${name}.wm.json`]);
  expect(readdirSync(folder).sort()).toEqual(files('x-same-2', 'x-same-3', 'x-same'));
  expect(JSON.parse(readFileSync(join(folder, 'x-same-2.wm.json'), 'utf8')).world).toBe('two');
  await removeFailureFiles(worlds[1]!, 'x > other', folder);
  await removeFailureFiles(mock, 'x > same', folder);
  expect(readdirSync(folder)).toHaveLength(6);
  await removeFailureFiles(worlds[1]!, 'x > same', folder);
  await removeFailureFiles(worlds[1]!, 'x > same', folder);
  expect(readdirSync(folder).sort()).toEqual(files('x-same-3', 'x-same'));
  await removeFailureFiles(worlds[0]!, 'x > same');
  expect(readdirSync(folder)).toHaveLength(4);
});

test('the page begins with what the assertion said and where, in no colour, with no secret in it', async () => {
  const mock = await start();
  mock.create.webhook({ url: 'http://127.0.0.1:9/?token=sekrit-of-hook', events: ['project.created'] });
  const key = mock.keys[0]!.value;
  const at = (file: string) => `    at ${file}:3:5`;
  const stack = [
    'Error: no',
    at('node:internal/x'),
    at('/a/node_modules/b.js'),
    at(`${process.cwd()}/src/x.test.ts`),
    at('later'),
  ].join('\n');
  const leave = async (title: string, failure?: object) => {
    await reportFailure(mock, title, { folder, say, failure });
    return readFileSync(join(folder, `${title}.html`), 'utf8');
  };
  const html = await leave('told', { message: `\u001b[31mexpected <1>\u001b[39m, got ${key}`, stack });
  expect(html).toMatch(/<h1>told<\/h1>\n<pre[^>]*>expected &#60;1&#62;, got \[hidden\]\nat src\/x\.test\.ts:3:5<\/pre>\n<p>/);
  expect(html).toContain('http://127.0.0.1:9/?token=[hidden]');
  expect(html).not.toMatch(new RegExp(`sekrit|${key}`));
  expect(await leave('file', { message: 'm', stack: 'm\n  at file:///b/x.ts:1:2' })).toContain('>m\nat /b/x.ts:1:2</pre>');
  expect(await leave('nowhere', { message: 'm', stack: 'm\nwhat at x' })).toContain('>m</pre>');
  expect(await leave('thrown', {})).toMatch(/<\/h1>\n<pre[^>]*><\/pre>\n<p>/);
  expect(await leave('untold')).toContain('<h1>untold</h1>\n<p>');
});

test('nothing is left where nothing was recorded, and by tests under trial', async () => {
  const [recorded, other] = [await start(), await start(false)];
  await reportFailure(recorded, 'a', { tried: '{}', folder: join(folder, 'none'), say });
  expect(existsSync(join(folder, 'none'))).toBe(false);
  await reportFailure(other, 'b', { folder, say });
  expect(await writeFailureFiles(other, 'b', join(folder, 'b.wm.json'), join(folder, 'b.html'))).toBe(false);
  expect([readdirSync(folder), messages]).toEqual([[], []]);
});
