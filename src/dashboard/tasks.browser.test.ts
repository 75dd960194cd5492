// Tasks that people come to the dashboard for take at most the clicks of the tools they know, counted in Chromium.
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { createMock, type Mock } from '../node/index.ts';
import { browse, closeBrowser, live } from '../test/browser.ts';
import { DEMO_AT } from '../test/dashboard.ts';

afterAll(closeBrowser);

const TITLE = 'Water the herbs on every floor';
const BROWSER = { viewport: { width: 1440, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'] };
type Role = Parameters<Page['getByRole']>[0];

/** A choice from a list is two clicks: open it, choose. Typing is none, nor is the cursor that it needs. */
class Hand {
  clicks = 0;
  readonly page: Page;
  readonly mock: Mock;

  constructor(page: Page, mock: Mock) {
    this.page = page;
    this.mock = mock;
  }

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.first().click();
    await this.page.waitForLoadState();
  }

  press(role: Role, name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    return this.click(within.getByRole(role, { name, exact: typeof name === 'string' }));
  }

  go(name: string): Promise<void> {
    return this.press('link', name, this.page.getByRole('navigation', { name: 'Pages' }));
  }

  row(text: string | RegExp): Locator {
    return this.page.locator('main').getByRole('row').filter({ hasText: text }).first();
  }

  async pick(label: string, value: string): Promise<void> {
    this.clicks += 2;
    await this.page.getByLabel(label).first().selectOption(value);
  }

  async type(name: string, text: string, then?: 'Enter'): Promise<void> {
    const field = this.page.locator('main').getByRole('textbox', { name, exact: true }).last();
    await field.fill(text);
    if (then) await field.press(then);
  }

  async find(words: string, found: string | RegExp = words): Promise<void> {
    await live(this.page);
    await this.page.keyboard.press('Control+k');
    await this.page.locator('#palette input').fill(words);
    await this.page.locator('#ways').getByRole('option').filter({ hasText: found }).first().waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.waitForLoadState();
  }

  sees(text: string | RegExp): Promise<void> {
    return this.page.locator('main, .beside').getByText(text).first().waitFor();
  }

  /** A note goes by itself after a while. */
  told(text: string | RegExp): Promise<void> {
    return this.page.locator('#note').getByText(text).waitFor({ state: 'attached' });
  }

  async saves(role: Role, name: string): Promise<string> {
    const [download] = await Promise.all([this.page.waitForEvent('download'), this.press(role, name)]);
    return readFileSync(await download.path(), 'utf8');
  }
}

const ask = (mock: Mock, path: string, init: RequestInit = {}, key = mock.auth('admin')) =>
  mock.fetch(path, { ...init, headers: { ...key, 'content-type': 'application/json' } });

/** Something of everything: reads, a refused request, a task that was made, changed and announced, a delivery that failed for good. */
const makeTraffic = async (mock: Mock): Promise<void> => {
  mock.webhooks.simulate('wh_hooks', [500, 'timeout', 503, 500, 500, 500]);
  const made = await ask(mock, '/projects/proj_launch/tasks', { method: 'POST', body: JSON.stringify({ title: TITLE }) });
  const { data } = (await made.json()) as { data: { id: string } };
  await mock.clock.advance('3d');
  await ask(mock, `/tasks/${data.id}`, { method: 'PATCH', body: '{"status":"in_review"}' }, mock.auth('write'));
  await ask(mock, '/tasks?limit=500');
  await ask(mock, '/projects/proj_launch/tasks', { method: 'POST', body: '{"title":""}' });
  await ask(mock, '/tasks?limit=5');
};

const listStatuses = async (mock: Mock) => [(await ask(mock, '/tasks')).status, (await ask(mock, '/tasks')).status];

const copying = (button: RegExp, text: RegExp) => async (hand: Hand) => {
  await hand.press('button', button, hand.row('422'));
  await expect.poll(() => hand.page.evaluate('navigator.clipboard.readText()')).toMatch(text);
};

/** The clicks are those of the tool that is named; without one, what it takes here. */
const TASKS: Readonly<Record<string, readonly [clicks: number, walk: (hand: Hand) => Promise<unknown>]>> = {
  'why a 422: Stripe': [
    2,
    async (hand) => {
      await hand.go('Requests');
      await hand.press('link', /tasks$/, hand.row('422'));
      await hand.sees(/title must not be empty/);
    },
  ],
  'the 4xx of the last minute: Stripe': [
    3,
    async (hand) => {
      await hand.go('Requests');
      await hand.press('link', '4xx');
      await hand.press('link', 'last minute');
      await expect.poll(() => hand.page.locator('#log tbody tr').count()).toBe(2);
    },
  ],
  'a request sent again, edited: Postman': [
    3,
    async (hand) => {
      await hand.press('link', 'send again', hand.row('422'));
      await hand.type('Body', '{"title":"Now with a title"}');
      await hand.press('button', 'Send');
      await hand.told('The response is 201.');
    },
  ],
  'from a new task to its webhook: Stripe': [
    4,
    async (hand) => {
      await hand.go('Data');
      await hand.press('link', 'New task');
      await hand.type('Title', 'Another');
      await hand.press('button', 'New task');
      await hand.press('link', /^task\.created to/);
      await hand.sees('first attempt');
    },
  ],
  'an operation fails twice: MSW devtools': [
    3,
    async (hand) => {
      await hand.go('Requests');
      await hand.press('link', '/v1/tasks?limit=5');
      await hand.press('link', 'Fail the next');
      await hand.type('Times', '2', 'Enter');
      await hand.told(/Fault added/);
      expect(await listStatuses(hand.mock)).toEqual([503, 503]);
    },
  ],
  'the clock stopped, and two hours on': [
    2,
    async (hand) => {
      await hand.press('button', 'Run the clock');
      await hand.press('button', '+2 h');
      await expect.poll(() => hand.mock.clock.now).toContain('T11:00:');
    },
  ],
  'the tries of a delivery, and one more: Svix': [
    4,
    async (hand) => {
      await hand.press('link', /deliver/, hand.page.getByRole('region', { name: 'What the world holds' }));
      await hand.press('link', 'task.created', hand.row('failed'));
      await hand.sees('retry 5 of 5');
      await hand.press('button', 'Replay');
      await expect.poll(() => hand.mock.deliveries.some(({ attempts }) => attempts.at(-1)?.trigger === 'replay')).toBe(true);
    },
  ],
  'one field of a record: Prisma Studio': [
    2,
    async (hand) => {
      await hand.go('Data');
      await hand.press('link', TITLE);
      await hand.type('Title', 'Changed here', 'Enter');
      await hand.told(/is updated/);
    },
  ],
  'five hundred tasks': [
    3,
    async (hand) => {
      await hand.go('Data');
      await hand.press('link', 'New task');
      await hand.type('Title', 'Load');
      await hand.page.getByLabel('How many').fill('500');
      await hand.press('button', 'New task');
      await hand.told('500 tasks are created.');
    },
  ],
  'two moments, then and now: a trace viewer': [
    1,
    async (hand) => {
      await hand.press('link', 'changed since', hand.row('PATCH'));
      await hand.sees('No. ');
    },
  ],
  'any two moments side by side': [
    4,
    async (hand) => {
      await hand.go('Timeline');
      for (const text of ['PATCH', /POST.* 201/]) await hand.press('checkbox', /^Compare no/, hand.row(text));
      await hand.press('button', 'Compare the ticked');
      await hand.sees('in_review');
    },
  ],
  'a bug report as text: a trace viewer': [1, copying(/as bug report/, /^## 422 POST/)],
  'who changed a task, from the overview': [
    2,
    async (hand) => {
      await hand.go('Data');
      await hand.press('link', TITLE);
      await hand.sees(/in_review.* by /);
    },
  ],
  'who changed a task, on its page: Linear': [
    0,
    async (hand) => {
      const { id } = hand.mock.read.tasks().find(({ title }) => title === TITLE)!;
      await hand.page.goto(`${new URL(hand.page.url()).origin}/dashboard/data/tasks?open=${id}`);
      await hand.sees(/in_review.* by /);
    },
  ],
  'a world with keys of its own': [
    3,
    async (hand) => {
      await hand.go('Worlds');
      await hand.press('checkbox', 'Keys of its own');
      await hand.press('button', 'Open a world');
      const [, value = ''] = /write (\S+)/.exec(await hand.page.locator('#note code').innerText()) ?? [];
      expect((await ask(hand.mock, '/users/me', {}, { authorization: `Bearer ${value}` })).status).toBe(200);
    },
  ],
  'the state as a seed': [1, async (hand) => expect(await hand.saves('link', 'Export seed (YAML)')).toContain(TITLE)],
  'an open point: what it would change, and the change': [
    4,
    async (hand) => {
      await hand.go('Open points');
      await hand.press('link', /^touched/i);
      const point = hand.page
        .locator('section.choice')
        .filter({ has: hand.page.locator('code', { hasText: /^limit-above-100$/ }) });
      await hand.press('link', 'Compare responses', point);
      await hand.press('button', /clamped/, point);
      await expect.poll(async () => (await ask(hand.mock, '/tasks?limit=500')).status).toBe(200);
    },
  ],
  'a request as curl: DevTools': [1, copying(/as curl/, /^curl -X POST/)],
  'a service that is ahead of its clients': [
    3,
    async (hand) => {
      await hand.find('forward-compat');
      await hand.pick('Ahead of its clients', 'all');
      await hand.press('button', 'Change release');
      await expect.poll(() => hand.mock.forwardCompat.length).toBeGreaterThan(1);
    },
  ],
  'anything by its words: Linear': [
    0,
    async (hand) => {
      await hand.find('every floor', TITLE);
      await hand.sees(TITLE);
      await hand.find('limit-above', /limit/);
      await hand.sees('limit-above-100');
    },
  ],
  'a failure to share: a trace file': [
    1,
    async (hand) => expect(await hand.saves('link', 'Save for a bug report')).toContain('"steps"'),
  ],
};

test.each(Object.entries(TASKS))('%s', async (_, [clicks, walk]) => {
  const mock = await createMock({ ...DEMO_AT, record: 'recent' });
  await makeTraffic(mock);
  const browsing = await browse(mock, BROWSER);
  const hand = await browsing.visit('/', async (page) => new Hand(page, mock));
  await walk(hand);
  expect(hand.clicks).toBeLessThanOrEqual(clicks);
  await browsing.close();
});
