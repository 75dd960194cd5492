// Suite: each test sees its own world alone, however it is reached, and a failing one shows what happened.
import type { Page } from '@playwright/test';
import { expect, test } from 'wm-mock/playwright';

const APP = 'https://app.example.test';
const openApp = async (page: Page): Promise<void> => {
  await page.route(`${APP}/`, (route) => route.fulfill({ contentType: 'text/html', body: '<title>app</title>' }));
  await page.goto(`${APP}/`);
};

const json = { 'content-type': 'application/json' };

for (const n of [1, 2, 3, 4]) {
  test(`world ${n} holds one new project`, async ({ mock, request }) => {
    const headers = mock.auth('write');
    for (let i = 0; i < n; i++) await request.post('projects', { headers, data: { name: `Mine ${i}` } });
    const { items } = await (await request.get('projects', { headers })).json();
    expect(items).toHaveLength(1 + n);
    await expect(mock).toHaveReceived('createProject', n);
    await expect(mock).not.toHaveReceived('deleteProject');
  });
}

test('a key of its own leads to the world at the shared base URL', async ({ mock, request }) => {
  await request.post(`${mock.sharedUrl}/projects`, { headers: mock.auth('write'), data: { name: 'Mine' } });
  await expect(mock).toHaveReceived({ operation: 'createProject', status: 201, body: { name: 'Mine' } });
});

test('a fork is a second world of the test, at an address of its own, and ends with it', async ({ mock, request }) => {
  const second = mock.fork();
  await request.post(`${second.baseUrl}/projects`, { headers: second.auth('write'), data: { name: 'Theirs' } });
  expect(second.auth('write')).not.toEqual(mock.auth('write'));
  await expect(second).toHaveReceived('createProject', 1);
  await expect(mock).not.toHaveReceived('createProject');
});

test('pages that call the real address reach the world, preflight included', async ({ mock, page }) => {
  await openApp(page);
  const ask = (init: RequestInit, path = '/projects') =>
    page.evaluate(
      async ([url, given]) => {
        try {
          const response = await fetch(url, given);
          return { status: response.status, left: response.headers.get('x-ratelimit-remaining'), body: await response.text() };
        } catch (error) {
          return { failed: String(error) };
        }
      },
      [`https://api.example.test/v1${path}`, init] as const,
    );
  const headers = { ...json, authorization: 'Bearer wm_tiny_write' };
  const made = await ask({ method: 'POST', headers, body: '{"name":"Pagé"}' });
  expect(made).toMatchObject({ status: 201, left: '999' });
  await expect(mock).toHaveReceived({ operation: 'createProject', body: { name: 'Pagé' } });

  mock.faults.add({ match: { operation: 'listProjects' }, effect: { abort: true }, times: 1 });
  expect(await ask({ headers })).toMatchObject({ failed: expect.stringContaining('TypeError') });

  const fault = mock.faults.add({ match: { operation: 'listProjects' }, effect: { hold: true } });
  const late = ask({ headers });
  await expect.poll(() => mock.faults.list().find(({ id }) => id === fault.id)?.held).toBe(1);
  expect(mock.requests.at(-1)).toMatchObject({ id: 'pending', operation: 'listProjects' });
  await expect(mock).toHaveReceived('listProjects', 2);
  mock.faults.release(fault.id);
  expect(await late).toMatchObject({ status: 200 });
});

test('a matcher waits for requests that come later', async ({ mock, page }) => {
  await page.goto('about:blank');
  setTimeout(() => void mock.fetch('/tasks', { headers: mock.auth('read') }), 300);
  await expect(mock).toHaveReceived('listTasks');
});

test('a context of its own is led to the world as well, until it is closed', async ({ browser, mock }) => {
  const context = await browser.newContext();
  await mock.route(context, 'https://other.example.test/api/');
  const page = await context.newPage();
  await openApp(page);
  const status = (url: string) => page.evaluate((address) => fetch(address).then((response) => response.status, String), url);
  expect(await status('https://other.example.test/api/tasks?limit=1')).toBe(401);
  await expect(mock).toHaveReceived({ path: '/tasks', query: { limit: '1' }, status: 401 });
  expect(await status('https://other.example.test/apis/tasks')).toContain('TypeError');
  await context.close();
});

test.describe('another seed', () => {
  test.use({ mockOptions: { seed: 'demo', plan: 'free' }, baseURL: APP });

  test('is served beside the first, and a base URL that is set stays', async ({ mock, baseURL, request }) => {
    expect(baseURL).toBe(APP);
    const response = await request.get(`${mock.baseUrl}/projects`, { headers: mock.auth('read') });
    expect((await response.json()).items).toHaveLength(5);
    expect(response.headers()['x-ratelimit-limit']).toBe('60');
  });
});

test.describe('an apiUrl that is a path', () => {
  test.use({ mockOptions: { apiUrl: '/api' }, baseURL: APP });

  test('follows the base URL of the app; what the test itself sends is no fault of the client', async ({ mock, page }) => {
    await openApp(page);
    for (let i = 0; i < 12; i++) await mock.fetch('/tasks?page=2', { headers: mock.auth('read') });
    expect(mock).toHaveNoClientWarnings();
    expect(await page.evaluate(() => fetch('/api/tasks?page=2').then(({ status }) => status))).toBe(401);
    expect(mock).not.toHaveNoClientWarnings();
    mock.reset();
    await page.evaluate(() => fetch('/api/tasks?page=2'));
    expect(mock, 'whose ids begin again').not.toHaveNoClientWarnings();
    const second = mock.fork();
    await second.fetch('/tasks?page=2', { headers: second.auth('read') });
    expect(second).toHaveNoClientWarnings();
  });
});

test('asks another address, and fails', async ({ mock, page }) => {
  await openApp(page);
  await page.evaluate(() => fetch('/api/tasks?key=secret').catch(() => {}));
  expect(mock.requests).toHaveLength(1);
});

test('fails on purpose', async ({ mock, request }) => {
  await request.get('tasks?page=2', { headers: mock.auth('read') });
  await request.patch('tasks/task_dated', { headers: mock.auth('read'), data: { status: 'done' } });
  await expect(mock).toHaveReceived({ operation: 'updateTask', status: 200 });
});

test('holds a response and ends', async ({ mock, page }) => {
  mock.faults.add({ effect: { hold: true } });
  await openApp(page);
  await page.evaluate(() => void fetch('https://api.example.test/v1/tasks').catch(() => {}));
});
