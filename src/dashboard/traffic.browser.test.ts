// Actions of people on the pages of traffic and behaviour, in a real Chromium, with its effect seen through /v1 and /_mock.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createMock } from '../node/index.ts';
import { type Browsing, browse, closeBrowser, live } from '../test/browser.ts';
import { DEMO_AT, stirred } from '../test/dashboard.ts';

afterAll(closeBrowser);

const open: Browsing[] = [];
afterEach(async () => {
  for (const browsing of open.splice(0)) {
    expect(browsing.complaints).toEqual([]);
    await browsing.close();
  }
});

interface Bench extends Browsing {
  v1(method: string, path: string, body?: object): Promise<Response>;
  control<T>(path: string): Promise<T>;
}

const start = async (options: Parameters<typeof browse>[1] = {}, traffic = false): Promise<Bench> => {
  const mock = await createMock(DEMO_AT);
  if (traffic) await stirred(mock);
  const browsing = await browse(mock, options);
  open.push(browsing);
  const { origin } = browsing.server;
  const headers = { ...mock.auth('admin'), 'content-type': 'application/json' };
  return {
    ...browsing,
    v1: (method, path, body) =>
      fetch(`${origin}/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }),
    control: async <T>(path: string) => (await (await fetch(`${origin}/_mock${path}`)).json()) as T,
  };
};

test('a link to a request or a delivery shows what it leads to while it is pointed at or focused, until Escape', async () => {
  const { visit } = await start({ viewport: { width: 1300, height: 900 } }, true);
  await visit('/dashboard/timeline', async (page) => {
    const preview = page.getByRole('tooltip');
    const link = page.getByRole('link', { name: /^PATCH/ });
    await link.scrollIntoViewIfNeeded();
    const before = await link.boundingBox();
    await link.hover();
    await preview.getByText('Release script').waitFor();
    expect(await link.boundingBox()).toEqual(before);
    await preview.hover();
    await page.waitForTimeout(600);
    expect(await preview.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await preview.isVisible()).toBe(false);
    await page
      .getByRole('link', { name: /^1 of task.updated/ })
      .first()
      .focus();
    await preview.getByText('task.updated').waitFor();
    await page.keyboard.press('Tab');
    await preview.waitFor({ state: 'hidden' });
  });
});

/** Marks the page, so that one sees whether it was left. */
const mark = (page: Page) => page.evaluate('window.stayed = true');
const stayed = (page: Page) => page.evaluate('window.stayed === true');

/** Something to wait for, and what ends the wait. */
const gate = () => {
  let open = () => {};
  const whenOpen = new Promise<void>((done) => {
    open = done;
  });
  return { open, whenOpen };
};

interface Items<T> {
  readonly items: readonly T[];
}
interface Sent {
  readonly id: string;
  readonly state: string;
  readonly url: string;
  readonly attempts: readonly { readonly status?: number; readonly trigger: string }[];
}

describe('webhooks', () => {
  test('are registered with the inbox, delivered, seen and replayed', async () => {
    const { visit, v1, control, server } = await start();
    await visit('/dashboard/webhooks', async (page) => {
      await page.getByRole('link', { name: 'Register a receiver' }).click();
      expect(await page.getByLabel('URL').inputValue()).toBe(`${server.origin}/_mock/inbox/mine`);
      await page.getByRole('button', { name: 'Register', exact: true }).click();
      await page.getByText('Its signing secret, shown this once').waitFor();
      await page.goto(`${server.origin}/dashboard/webhooks/deliveries`);
      await live(page);
      await v1('PATCH', '/tasks/task_launch_name', { title: 'Sprig 2' });
      const row = page.locator('tbody tr', { hasText: '/_mock/inbox/mine' });
      await row.getByText('delivered').waitFor();
      await row.getByRole('link').click();
      await page.getByText('verified', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Replay' }).click();
      await page.getByText('2. replay').waitFor();
      const { items } = await control<Items<Sent>>('/deliveries');
      expect(items.find(({ url }) => url.endsWith('/mine'))!.attempts.map(({ trigger }) => trigger)).toEqual(['event', 'replay']);
      expect((await control<Items<unknown>>('/inbox/mine/messages')).items).toHaveLength(2);
      await page.goto(`${server.origin}/dashboard/webhooks/inbox?name=mine`);
      expect(await page.locator('.message').count()).toBe(2);
      await page.getByLabel('Next statuses').fill('503');
      await page.getByRole('button', { name: 'Set', exact: true }).click();
      await page.getByText('The next responses: 503.').waitFor();
      expect((await fetch(`${server.origin}/_mock/inbox/mine`, { method: 'POST' })).status).toBe(503);
    });
  });

  test('fail as ordered, and are retried when the bar moves the clock, on the open page', async () => {
    const { visit, v1, control } = await start();
    await visit('/dashboard/webhooks?id=wh_hooks', async (page) => {
      await page.getByLabel('Or several in turn').fill('500, 204');
      await page.getByRole('button', { name: 'Set', exact: true }).click();
      await page.getByText('The next 2 attempts end as ordered.').waitFor();
      await v1('PATCH', '/tasks/task_launch_name', { title: 'Sprig 2' });
      await page.locator('.counted', { hasText: 'retrying' }).click();
      await page.locator('tbody').getByRole('link').first().click();
      await page.locator('.ahead .until').waitFor();
      expect(await page.locator('.ahead .until').textContent()).toBe('0:30');
      await live(page);
      await mark(page);
      await page.getByRole('button', { name: '+30 s' }).click();
      await page.locator('.attempts li:not(.ahead)', { hasText: 'retry 1 of 5' }).waitFor();
      expect(await stayed(page)).toBe(true);
      const { items } = await control<Items<Sent & { webhook_id: string }>>('/deliveries?webhook_id=wh_hooks');
      expect(items.map(({ state }) => state)).toEqual(['delivered']);
    });
  });
});

describe('clock and limits', () => {
  test('move from any page, which is not left, and the gauges follow', async () => {
    const { visit, v1, control } = await start();
    await v1('GET', '/tasks?limit=1');
    await visit('/dashboard/faults', async (page) => {
      await mark(page);
      const left = page.locator('.quota').first();
      expect(await left.textContent()).toMatch(/^Acme Gardens999 of 1,000 requests left/);
      await page.getByRole('button', { name: '+2 h' }).click();
      await page.getByText('It is 2025-01-20 11:00:00 UTC now.').waitFor();
      expect(await stayed(page)).toBe(true);
      expect(await left.textContent()).toMatch(/^Acme Gardens1,000 of/);
      expect(await control('/clock')).toMatchObject({ now: '2025-01-20T11:00:00.000Z', mode: 'frozen' });
      await page.getByRole('button', { name: 'Run the clock' }).click();
      await page.getByRole('button', { name: 'Freeze the clock' }).waitFor();
      expect(await control('/clock')).toMatchObject({ mode: 'running' });
    });
  });

  test('show what a button did, though an older view of the page comes after it', async () => {
    const { visit, v1 } = await start();
    for (let i = 0; i < 4; i++) await v1('GET', '/tasks?limit=1');
    await visit('/dashboard/faults', async (page) => {
      await live(page);
      const [asked, held] = [gate(), gate()];
      await page.route(
        (url) => url.pathname === '/dashboard/faults',
        async (route) => {
          if (route.request().method() === 'POST') return route.continue();
          const response = await route.fetch();
          asked.open();
          await held.whenOpen;
          await route.fulfill({ response });
        },
      );
      await v1('GET', '/tasks?limit=1');
      await asked.whenOpen;
      await page.getByRole('button', { name: '+2 h' }).click();
      await page.locator('.quota', { hasText: 'Acme Gardens1,000 of' }).waitFor();
      await page.evaluate(() => {
        const seen: string[] = [];
        const region = document.querySelector('.quota')!;
        new MutationObserver(() => seen.push(region.textContent)).observe(region, {
          subtree: true,
          childList: true,
          characterData: true,
        });
        Object.assign(window, { seen });
      });
      const refreshed = page.waitForResponse((one) => one.request().method() === 'GET' && one.url().endsWith('/faults'));
      held.open();
      await refreshed;
      await v1('GET', '/tasks?limit=1');
      await page.locator('.quota', { hasText: 'Acme Gardens999 of' }).waitFor();
      expect(await page.evaluate('window.seen.filter((text) => /^Acme Gardens99[56] of/.test(text))')).toEqual([]);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });
  });

  test('count a running clock on, and set it by the keyboard', async () => {
    const { visit, control, mock } = await start();
    mock.clock.run();
    await visit('/dashboard/clock', async (page) => {
      const shown = await page.locator('.clock-now').textContent();
      await page.waitForFunction((before) => document.querySelector('.clock-now')?.textContent !== before, shown);
      await page.getByLabel('Set it to (UTC)').fill('2030-05-06T07:08:09');
      await page.getByRole('button', { name: 'Set the time' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('It is 2030-05-06 07:08:09 UTC now.').waitFor();
      expect(await control('/clock')).toMatchObject({ now: '2030-05-06T07:08:09.000Z', mode: 'frozen' });
    });
  });
});

describe('faults', () => {
  test('the faults of a preset apply, and the open page counts their hits', async () => {
    const { visit, v1, control } = await start();
    await visit('/dashboard/faults', async (page) => {
      await page.getByRole('button', { name: '429 storm' }).click();
      await page.getByText('429 storm is on, as fault_1.').waitFor();
      await live(page);
      expect((await v1('GET', '/tasks')).status).toBe(429);
      await page.getByText('applied to 1, matched 1').waitFor();
      await page.getByRole('button', { name: 'Remove fault_1' }).click();
      await page.getByText('Everything works').waitFor();
      expect(await control<Items<unknown>>('/faults')).toEqual({ items: [] });
    });
  });
});

test('without scripts every button of the bar and of the pages works as well', async () => {
  const { visit, control, v1 } = await start({ javaScriptEnabled: false }, true);
  await visit('/dashboard/requests?status=4xx', async (page) => {
    await page.getByRole('button', { name: '+10 min' }).click();
    await page.waitForURL(/\?status=4xx&note=\d+$/);
    expect(await control('/clock')).toMatchObject({ now: '2025-01-20T12:14:00.000Z' });
    await page.getByRole('link', { name: 'Open points' }).click();
    const point = page.locator('#point-owner-field');
    await point.getByRole('button', { name: /^owner_id/ }).click();
    await point.getByText('not the default').waitFor();
    expect(((await (await v1('GET', '/projects?limit=1')).json()) as Items<object>).items[0]).toHaveProperty('owner_id');
    await page.getByRole('link', { name: 'Faults' }).click();
    await page.getByRole('button', { name: 'Offline' }).click();
    await page.getByText('Offline is on').waitFor();
    await expect(v1('GET', '/tasks')).rejects.toThrow();
  });
});
