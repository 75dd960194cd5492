// `wm-mock proxy` with a small judge: exit statuses, files, the environment of its command, HAR files, and its page.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { axeIn, closeBrowser, freePage } from '../../test/browser.ts';
import { keep } from '../../test/closing.ts';
import { keptIo } from '../../test/command-line.ts';
import { deadUrl, openReceiver } from '../../test/receiver.ts';
import { makeTestFolder } from '../../test/temp-folder.ts';
import { readArgs } from '../command-line/args.ts';
import { runProxy } from './proxy.ts';

const JUDGE = pathToFileURL('src/test/traffic-judge.mjs').href;
const KEYS = { WM_API_KEY_ADMIN: 'key_of_admin_1', WM_API_KEY_READ: 'key_of_read_2' };
afterAll(closeBrowser);

const openService = async () => {
  const service = await openReceiver(({ url }, response) => void response.writeHead(url!.includes('bad') ? 500 : 200).end('<b>'));
  return keep({ ...service, base: service.url.replace('/hook', '/v1') });
};

const begin = (words: readonly string[], cwd = makeTestFolder()) => {
  const kept = keptIo({ cwd, env: { ...process.env, ...KEYS } });
  const status = runProxy(readArgs(['proxy', ...words], {}), kept.io, JUDGE).catch(({ message, exitStatus }) => [
    message,
    exitStatus,
  ]);
  return { ...kept, cwd, status };
};
const script = (code: string) => ['--', process.execPath, '-e', code];
const call = (path: string) =>
  script(`fetch(process.env.WM_BASE_URL + '${path}', { headers: { authorization: 'Bearer ' + process.env.WM_API_KEY_ADMIN } })`);

test('the verdict is the exit status, whatever the command ends with, and no file holds a key', async () => {
  const { base, received } = await openService();
  const { status, said, cwd } = begin(['--target', base, '--keys-from-env', ...call('/bad?q=1')]);
  expect(await status).toBe(1);
  expect(received.map(({ path, headers }) => [path, headers.authorization])).toEqual([['/v1/bad?q=1', 'Bearer key_of_admin_1']]);
  const folder = join(cwd, 'wm-proxy-report');
  const files = readdirSync(folder).sort();
  expect(files).toEqual(['choices.yaml', 'proxy.json', 'report.html', 'seed.yaml', 'traffic.har']);
  const texts = files.map((name) => readFileSync(join(folder, name), 'utf8'));
  for (const key of Object.values(KEYS)) expect([...texts, said.err].join().includes(key)).toBe(false);
  const report = JSON.parse(texts[1]!);
  const [request, row] = ['GET /bad?q=1', { requirement: 'WM-ERR-1', quote: 'No <500>.', line: 7, exchange: 1 }];
  const says = expect.stringMatching(/^it failed for \[[^\]]+\]: <b>$/);
  expect(report).toMatchObject({ version: 1, target: base, exchanges: 1, verdict: 'violations', unknown: [], choices: {} });
  expect(report.violations).toEqual([{ ...row, expected: '200', got: '500', says, request }]);
  expect(report.added_ms.p50).toBeGreaterThan(0);
  expect(texts[2]).toContain(']: &#60;b&#62;');
  expect(said.err).toContain('✗ WM-ERR-1, line 7 of the specification: "No <500>."');
  expect(await begin(['--target', base, ...call('/ok'), '--', 'x']).status).toBe(0);
  expect(await begin(['--target', base, ...script('process.exitCode = 3')]).status).toBe(2);
});

test('a verdict that cannot be made is 2, and says why', async () => {
  const { base } = await openService();
  const dead = (await deadUrl()).replace('/hook', '/v1');
  const unreached = begin(['--target', dead, ...call('/x')]);
  expect([await unreached.status, unreached.said.err]).toEqual([
    2,
    expect.stringMatching(/no response from \S+: ECONNREFUSED\. Start/),
  ]);
  expect(await begin(['--target', base, '--', 'no-such-command']).status).toBe(2);
  const wrong = [
    ['--target', 'http://x/v2'],
    ['--target', 'http://u:p@x/v1'],
    [],
    ['--target', base, '--har', 'x'],
    ['--har', 'none.har'],
  ];
  for (const words of wrong) expect(await begin(words).status).toEqual([expect.any(String), 2]);
  expect(await begin(['--target', base, '--release', '7']).status).toEqual([expect.stringContaining('--release'), 2]);
});

test('HAR files are judged as the traffic of a proxy is', async () => {
  const cwd = makeTestFolder();
  const entry = {
    request: { method: 'GET', url: 'http://a.example/v1/bad' },
    response: { status: 500, content: { text: '{}' } },
  };
  writeFileSync(
    join(cwd, 'a.har'),
    JSON.stringify({ log: { entries: [{ ...entry, startedDateTime: '2025-01-20T09:00:00Z' }] } }),
  );
  writeFileSync(join(cwd, 'b.har'), '{"log":{"entries":[]}}');
  const { status, said } = begin(['--har', 'a.har', '--report', 'out'], cwd);
  expect([await status, readdirSync(join(cwd, 'out')).length]).toEqual([1, 5]);
  expect(said.out).toContain('first in exchange 1: GET /bad');
  expect(await begin(['--har', 'b.har'], cwd).status).toEqual([expect.any(String), 2]);
});

test('the page shows exchanges as they come, fits a phone, is accessible in the dark, and says when the proxy has ended', async () => {
  const { base } = await openService();
  const { status, said, stop, until } = begin(['--target', base, '--receiver-url', base]);
  await until('Page');
  const [origin] = /http:\/\/127\S+(?=\/v1)/.exec(said.out)!;
  const page = await freePage({ colorScheme: 'dark', viewport: { width: 390, height: 800 } });
  await page.goto(`${origin}/`);
  expect(await page.textContent('h1')).toBe('There is no verdict');
  await page.evaluate(
    'new PerformanceObserver((list) => { globalThis.shifts = list.getEntries().length }).observe({ type: "layout-shift", buffered: true })',
  );
  for (const path of ['/ok?<b>', '/bad']) await fetch(`${origin}/v1${path}`);
  await page.getByText('exchange 2: GET /bad').waitFor();
  expect(await page.textContent('#rows')).toMatch(/^2GET \/bad \w+500WM-ERR-11GET \/ok\?%3Cb%3E \w+200agrees$/);
  expect(await page.textContent('h1')).toBe('The service violates 1 requirement');
  expect(await page.evaluate('[document.documentElement.scrollWidth <= 390, globalThis.shifts]')).toEqual([true, undefined]);
  expect(await axeIn(page)).toEqual([]);
  stop('SIGINT');
  expect(await status).toBe(1);
  await page.getByText('The proxy has ended').waitFor();
  await page.close();
});
