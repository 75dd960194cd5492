// The site as `npm run site` builds it, below a path of a plain server of files, in Chromium: a step of .ci/nightly.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { chromiumOptions } from '../../.ci/browser.mjs';

const ROOT = join(import.meta.dirname, '../..');
const BASE = '/a/site/';
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
};

const folder = mkdtempSync(join(tmpdir(), 'wm-mock-site-'));
/** Paths that reached the server; those of the mock stay in the worker. */
const served = [];
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  served.push(pathname);
  const path = pathname.startsWith(BASE) ? pathname.slice(BASE.length) || 'index.html' : 'none';
  try {
    const file = readFileSync(join(folder, path));
    response.setHeader('content-type', TYPES[extname(path)] ?? 'text/plain').end(file);
  } catch {
    response.writeHead(404).end();
  }
});

let browser;
let site;
/** What no page may do: write an error to the console, or send a request to another host. */
const wrongs = [];

before(async () => {
  execFileSync('npm', ['run', '-s', 'site', '--', '--base', BASE, '--outDir', folder], { cwd: ROOT, stdio: 'inherit' });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  site = `http://127.0.0.1:${server.address().port}${BASE}`;
  browser = await chromium.launch(chromiumOptions());
});
after(async () => {
  await browser?.close();
  server.close();
  rmSync(folder, { recursive: true });
});

const open = async (path, options = {}) => {
  const context = await browser.newContext(options);
  context.on('request', (request) => {
    if (!request.url().startsWith(site) && !/^(data|blob):/.test(request.url())) wrongs.push(request.url());
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on('console', (message) => {
    // Chromium reports each status of 400 and above, also of an example that shows one.
    const isShown = message.location().url.startsWith(`${site}v1/`);
    if (message.type() === 'error' && !isShown) wrongs.push(message.text());
  });
  page.on('pageerror', (error) => wrongs.push(String(error)));
  await page.goto(site + path, { waitUntil: 'networkidle' });
  return page;
};

/** Runs an example of a page. @returns its output, when it has ended */
const run = async (page, example) => {
  await example.getByRole('button', { name: 'Run' }).click();
  await page.waitForFunction(() => document.querySelector('.live .lines') && !document.querySelector('.live button:disabled'));
  return example.locator('.lines').innerText();
};

/** Examples by their page, with the text that their output has. */
const EXAMPLES = [
  ['getting-started', 'module', /200 GET \/v1\/tasks\?limit=1.*200 PATCH \/v1\/tasks\/task_\w+.*done/s],
  ['cli', 'curl', /200 GET \/v1\/users\/me.*"name": "Tallulah Begay"/s],
  ['exec', 'curl', /200 GET \/v1\/tasks\?limit=3.*"has_more": true/s],
  ['program', 'module', /"items": \[/],
  ['clock', 'module', /2025-01-20T11:00:00\.000Z/],
  ['webhooks', 'module', /task\.created/],
  ['faults', 'curl', /201 POST \/_mock\/faults.*"duplicate": true/s],
  ['troubleshooting', 'curl', /404 GET \/v1\/taks.*tasks/s],
  ['control-api', 'call', /200 GET \/_mock\/health.*"status": "ok"/s],
  ['releases', 'call', /201 POST \/_mock\/worlds.*"release": "1.1"/s],
];

for (const [name, kind, output] of EXAMPLES)
  test(`an example of ${name} runs in the page`, async () => {
    const page = await open(`${name}.html`);
    assert.match(await run(page, page.locator(`.live.${kind}`).first()), output);
    await page.context().close();
  });

test('an example runs as it was edited, on data that stay until they are reset', async () => {
  const page = await open('cli.html');
  const example = page.locator('.live.curl').first();
  const code = example.getByRole('textbox', { name: 'Example' });
  await code.fill(`curl -X POST $WM_BASE_URL/projects -H "Authorization: Bearer $WM_API_KEY_WRITE" \\
  -H 'Content-Type: application/json' -d '{"name":"From a page"}' | jq`);
  assert.match(await run(page, example), /201 POST \/v1\/projects.*"name": "From a page"/s);
  await page.reload({ waitUntil: 'networkidle' });
  await code.fill('curl http://127.0.0.1:4700/_mock/data/projects?name=From+a+page');
  assert.match(await run(page, example), /"name": "From a page"/);
  await example.getByRole('button', { name: 'Reset' }).click();
  await example.getByText('200 POST /_mock/reset').waitFor();
  assert.doesNotMatch(await run(page, example), /"name": "From a page"/);
  await page.context().close();
});

test('the worker handles the calls of the mock alone: pages and files come from the server', async () => {
  const page = await open('control-api.html');
  await run(page, page.locator('.live.call').first());
  served.length = 0;
  await page.getByRole('link', { name: 'Faults', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Faults', level: 1 }).waitFor();
  const statusOf = (path) => page.evaluate((url) => fetch(url).then(({ status }) => status), site + path);
  assert.deepEqual([await statusOf('v1/tasks'), await statusOf('openapi/openapi.json')], [401, 200]);
  assert.ok(served.some((path) => /faults\.md\.[\w-]+\.js$/.test(path)) && served.includes(`${BASE}openapi/openapi.json`));
  assert.ok(!served.some((path) => path.includes('/v1')));
  await page.context().close();
});

test('the search finds a word of a page', async () => {
  const page = await open('');
  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.getByRole('searchbox').fill('lognormal');
  await page.getByRole('option').getByText('Faults').first().click();
  await page.getByRole('heading', { name: 'Faults', level: 1 }).waitFor();
  await page.context().close();
});

test('the reference calls the mock in the page, with a key of the demo', async () => {
  const page = await open('reference.html');
  assert.equal(await page.getByRole('link', { name: 'Documentation' }).getAttribute('href'), './');
  await page.getByRole('button', { name: 'Test Request (get /projects)' }).first().click();
  await page.getByRole('button', { name: /^Send/ }).first().click();
  await page.getByText('200 OK').first().waitFor();
  await page.context().close();
});

for (const colorScheme of ['light', 'dark'])
  test(`pages break no rule of axe, ${colorScheme}`, async () => {
    const page = await open('cli.html', { colorScheme });
    await run(page, page.locator('.live.curl').first());
    await page.evaluate(readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8'));
    // The frame around the text is VitePress's own; a table of the pages may have a first column without a name.
    const rules = { 'empty-table-header': { enabled: false } };
    const { violations } = await page.evaluate((options) => window.axe.run('.vp-doc', options), { rules });
    assert.deepEqual(
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]),
      [],
    );
    await page.context().close();
  });

test('no page writes an error or sends a request to another host', () => assert.deepEqual(wrongs, []));
