// The whole mock in a real Chromium, with no server: cut off, reloaded, its worker killed, and still the same.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transcriptOf, transcriptOfNode } from '../test/transcript.ts';
import { OPTIONS, workerPages } from '../test/worker-page.ts';

const PATIENT = { timeout: 120_000 };

let pages: Awaited<ReturnType<typeof workerPages>>;
beforeAll(async () => {
  pages = await workerPages({ '/broken.yaml': 'workspaces: [{ id: 5 }]' });
}, 60_000);
afterAll(() => pages?.close());

test('a page without a bundler has the mock after one call, and nothing of it comes over the network', async () => {
  const page = await pages.open();
  const { status, text } = await page.ask('GET', '/tasks?limit=2');
  expect(status).toBe(200);
  expect(JSON.parse(text).items).toHaveLength(2);
  expect(pages.served.paths.filter((path) => /^\/(v1|_mock)/.test(path))).toEqual([]);
});

test('with the network cut a page works, survives the end of its worker, and a reload', async () => {
  const page = await pages.open({ ...OPTIONS, offline: true });
  await page.context.setOffline(true);
  const offlineFrom = pages.served.paths.length;
  const { id } = (await page.json('POST', '/projects', { name: 'Outlives its worker' })).data;
  const { items } = await page.json('GET', '/_mock/requests');
  await page.kill();
  expect((await page.json('GET', `/projects/${id}`)).data.name).toBe('Outlives its worker');
  expect((await page.json('GET', '/_mock/requests')).items.slice(0, -1)).toEqual(items);
  await page.kill();
  await page.page.reload();
  await page.begin({ ...OPTIONS, offline: true });
  expect((await page.json('GET', `/projects/${id}`)).data.name).toBe('Outlives its worker');
  expect(pages.served.paths.slice(offlineFrom)).toEqual([]);
});

test('the session of 300 requests gets the same bytes as in Node, its worker killed twenty times on the way', async () => {
  const page = await pages.open();
  let requests = 0;
  const seen = await transcriptOf(async (...words) => {
    requests += 1;
    if (requests % 15 === 8) await page.kill();
    return page.ask(...words);
  });
  const node = await transcriptOfNode();
  expect(node).toHaveLength(300);
  expect(seen).toEqual(node);
}, 120_000);

test('an acknowledged change has happened, however the worker ends among many requests at once', async () => {
  const page = await pages.open();
  const all = page.page.evaluate(() =>
    Promise.allSettled(
      Array.from({ length: 60 }, (_, n) =>
        window.ask('POST', '/projects', { name: `At once ${n}` }).then(({ text }) => JSON.parse(text).data.id),
      ),
    ),
  );
  await page.page.evaluate(() => window.ask('GET', '/users/me'));
  await page.kill();
  const acknowledged = (await all).flatMap((one) => (one.status === 'fulfilled' ? [one.value as string] : []));
  const found = (await page.json('GET', '/_mock/state')).workspaces.flatMap(
    ({ projects }: { projects: { id: string; name: string }[] }) => projects,
  );
  const kept = found.filter(({ name }: { name: string }) => name.startsWith('At once')).map(({ id }: { id: string }) => id);
  expect(acknowledged.filter((id) => !kept.includes(id))).toEqual([]);
  expect(new Set(kept).size).toBe(kept.length);
  const { items } = await page.json('GET', '/_mock/requests?operation=createProject');
  expect(items).toHaveLength(kept.length);
});

test('faults apply: a closed connection is a network error; a held request is sent again when its worker ends', async () => {
  const page = await pages.open();
  await page.json('POST', '/_mock/faults', { match: { operation: 'listTasks' }, effect: { abort: true }, times: 1 });
  await expect(page.ask('GET', '/tasks')).rejects.toThrow('Failed to fetch');
  const { id } = await page.json('POST', '/_mock/faults', { match: { operation: 'listTasks' }, effect: { hold: true } });
  const fault = () => page.json('GET', `/_mock/faults/${id}`);
  const response = page.ask('GET', '/tasks');
  while ((await fault()).held === 0);
  await page.kill();
  // The response held by the dead worker is lost; Chromium sends the request to the next one.
  while ((await fault()).held === 0);
  expect(await fault()).toMatchObject({ hits: 2, held: 1, released: false });
  await page.json('POST', `/_mock/faults/${id}/release`);
  expect((await response).status).toBe(200);
});

test('webhooks come to the inbox and to a page, retried by a worker that was ended meanwhile; others are simulated', async () => {
  const page = await pages.open();
  const origin = pages.served.origin;
  const urls = [`${origin}/_mock/inbox/mine`, `${origin}/hooks/page`, 'https://hooks.example.com/else'];
  for (const url of urls) await page.ask('POST', '/webhooks', { url, events: ['project.created'] });
  await page.page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    window.mock.receive('/hooks/', async (request) => {
      seen.push(`${request.headers.get('x-service-signature')} ${await request.text()}`);
      return seen.length === 1 ? 500 : new Response('thanks', { status: 201 });
    });
  });
  await page.ask('POST', '/projects', { name: 'Announced' });
  await page.json('POST', '/_mock/clock/advance', { by: '0s' });
  const states = async () =>
    (await page.json('GET', '/_mock/deliveries')).items.slice(-3).map(({ state }: { state: string }) => state);
  expect(await states()).toEqual(['delivered', 'retrying', 'delivered']);
  await page.kill();
  await page.json('POST', '/_mock/clock/advance', { by: '30s' });
  expect(await states()).toEqual(['delivered', 'delivered', 'delivered']);
  const [, toPage, elsewhere] = (await page.json('GET', '/_mock/deliveries')).items.slice(-3);
  expect(toPage.attempts).toMatchObject([{ status: 500 }, { status: 201, response_excerpt: 'thanks', signature_ok: true }]);
  expect(elsewhere.attempts).toMatchObject([{ simulated: true }]);
  const [first, second] = await page.page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  expect(second).toBe(first);
  const { items } = await page.json('GET', '/_mock/inbox/mine/messages');
  expect(items).toHaveLength(1);
  expect(first).toContain(items[0].text);
});

test('the event stream tells a page what happens until the worker ends, and continues when it is opened again', async () => {
  const page = await pages.open();
  await page.page.evaluate(() => {
    const events: string[] = [];
    const listen = () => {
      const source = new EventSource(`${window.mock.controlUrl}/events`);
      source.addEventListener('open', () => events.push('open'));
      source.addEventListener('request', ({ data }) => events.push(JSON.parse(data).operation));
      source.addEventListener('error', listen);
    };
    listen();
    Object.assign(window, { events });
  });
  const events = () => page.page.evaluate(() => (window as unknown as { events: string[] }).events.join());
  await expect.poll(events, PATIENT).toBe('open');
  await page.ask('GET', '/tasks?limit=1');
  await expect.poll(events, PATIENT).toBe('open,listTasks');
  await page.kill();
  await expect.poll(events, PATIENT).toBe('open,listTasks,open');
  await page.ask('GET', '/teams');
  await expect.poll(events, PATIENT).toBe('open,listTasks,open,listTeams');
});

test('worlds with keys of their own, and snapshots, are there after the worker ended', async () => {
  const page = await pages.open();
  const { keys } = await page.json('POST', '/_mock/worlds', { id: 'aside', mint_keys: true });
  const own = keys.find(({ scope }: { scope: string }) => scope === 'admin').value;
  const { id } = await page.json('POST', '/_mock/snapshots');
  await page.ask('POST', '/projects', { name: 'In the world aside' }, own);
  await page.ask('POST', '/projects', { name: 'After the snapshot' });
  await page.kill();
  expect((await page.ask('GET', '/projects?limit=100', undefined, own)).text).toContain('In the world aside');
  expect((await page.ask('GET', '/worlds/aside/v1/projects?limit=100')).text).toContain('In the world aside');
  expect((await page.ask('GET', '/projects?limit=100')).text).toContain('After the snapshot');
  await page.json('POST', `/_mock/snapshots/${id}/restore`);
  await page.kill();
  const { text } = await page.ask('GET', '/projects?limit=100');
  expect(text).not.toContain('After the snapshot');
  expect(text).not.toContain('In the world aside');
});

test('a broken seed is reported to the page, with every problem; other options begin again, equal ones continue', async () => {
  const page = await pages.open();
  await page.ask('POST', '/projects', { name: 'Of the demo' });
  await expect(page.begin({ seed: '/broken.yaml' })).rejects.toThrow(/cannot start in the worker: .*seed:1/s);
  await expect(page.begin({ seed: '/nowhere.yaml' })).rejects.toThrow('nowhere.yaml cannot be read: status 404');
  const wrong = [{ choices: { 'limit-above-100': 'maybe' } }, { choices: { nothing: 'x' } }, { now: 'soon' }];
  await expect(page.begin({ plan: 'gold' as 'free' })).rejects.toThrow(/register is refused: plan: .*expected/);
  for (const options of wrong) await expect(page.begin(options)).rejects.toThrow(/cannot start in the worker: .*expected/);
  await page.begin({ plan: 'free' });
  expect((await page.ask('GET', '/projects', undefined, 'wm_read')).headers).toContainEqual(['x-ratelimit-limit', '60']);
  await page.begin();
  const { text } = await page.ask('GET', '/projects?limit=100');
  expect(text).not.toContain('Of the demo');
  await page.ask('POST', '/projects', { name: 'Of the second demo' });
  await page.begin();
  expect((await page.ask('GET', '/projects?limit=100')).text).toContain('Of the second demo');
});

test("an app that calls the real service's address need not notice", async () => {
  const page = await pages.open({ ...OPTIONS, baseUrl: 'https://api.example.com/v1' });
  expect(await page.page.evaluate(() => window.mock.controlUrl)).toBe('https://api.example.com/_mock');
  expect((await page.ask('GET', '/tasks?limit=1')).status).toBe(200);
  expect((await page.json('GET', '/_mock/health')).status).toBe('ok');
});

test('a page that was reloaded past its worker has it again, and unregister leaves nothing', async () => {
  const page = await pages.open();
  await page.ask('POST', '/projects', { name: 'Kept' });
  const session = await page.context.newCDPSession(page.page);
  await Promise.all([page.page.waitForEvent('load'), session.send('Page.reload', { ignoreCache: true })]);
  await page.begin();
  expect((await page.ask('GET', '/projects?limit=100')).text).toContain('Kept');
  await page.page.evaluate(() => window.mock.unregister());
  expect(await page.page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual([]);
  await page.page.reload();
  await page.begin();
  expect((await page.ask('GET', '/projects?limit=100')).text).not.toContain('Kept');
});
