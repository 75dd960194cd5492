// The script of the pages in a real Chromium: rows that wait under a pointer, pause, keys, the palette, notes, the place on a page.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createMock } from '../node/index.ts';
import { axeIn, type Browsing, browse, closeBrowser, live, press } from '../test/browser.ts';
import { DEMO_AT, stirred } from '../test/dashboard.ts';

afterAll(closeBrowser);

let browsing: Browsing;
afterEach(async () => {
  expect(browsing.complaints).toEqual([]);
  await browsing.close();
});
const start = async (options: Parameters<typeof browse>[1] = {}) => {
  const mock = await createMock(DEMO_AT);
  await stirred(mock);
  browsing = await browse(mock, options);
  const ask = (path = '/tasks?limit=1') => mock.fetch(path, { headers: mock.auth('read') });
  return { ...browsing, ask };
};
const first = (page: Page) => page.locator('tbody tr').first().getAttribute('data-row');
/** Looks for words in what Ctrl+K opens, and presses keys there. */
const palette = async (page: Page, words: string, keys = 'Enter') => {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(words);
  await page.locator('#ways > div, #ways-state:not(:empty)').first().waitFor();
  await press(page, keys);
};
const more = (page: Page) => page.locator('button.more');
const SUM_SHIFTS = `window.shift = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value; })
    .observe({ type: 'layout-shift' });`;

const BUSY = ['requests?beside=req_12', 'timeline', 'webhooks/deliveries', 'data/tasks', 'choices'];

test.each(BUSY)('under 5 changes a second %s shifts nothing, and fetches at most 10 kB a second', async (path) => {
  const { visit, mock } = await start({ viewport: { width: 1600, height: 900 } });
  await visit(`/dashboard/${path}`, async (page) => {
    await live(page);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    let bytes = 0;
    devtools.on('Network.dataReceived', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.evaluate(SUM_SHIFTS);
    const began = performance.now();
    for (let i = 0; i < 25 || bytes < 5000; i++) {
      await mock.fetch('/projects/proj_launch/tasks', { method: 'POST', headers: mock.auth('write'), body: `{"title":"T${i}"}` });
      await page.waitForTimeout(200);
    }
    // The first fetch comes at once.
    const seconds = (performance.now() - began) / 1000 + 1;
    expect([bytes / seconds < 10_000, await page.evaluate('window.shift < 0.1')]).toEqual([true, true]);
    await devtools.detach();
  });
});

test('a log that was scrolled stands still until its reader asks for what is new', async () => {
  const { visit, ask } = await start({ viewport: { width: 1280, height: 420 } });
  await visit('/dashboard/requests', async (page) => {
    await live(page);
    await page.evaluate('scrollTo(0, 700)');
    await ask();
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await first(page)).toBe('req_15');
    await page.getByRole('button', { name: '1 new' }).click();
    await expect.poll(() => first(page)).toBe('req_16');
    expect(Number(await page.evaluate('document.querySelector("#log").getBoundingClientRect().top'))).toBeGreaterThan(0);
  });
});

test('a row of a scrolled log shows what becomes of it', async () => {
  const { visit, mock } = await start({ viewport: { width: 1280, height: 300 } });
  await visit('/dashboard/webhooks/deliveries', async (page) => {
    await live(page);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    expect(Number(await page.evaluate('document.querySelector("#log").getBoundingClientRect().top'))).toBeLessThan(0);
    const retrying = page.locator('#log').getByText('retrying');
    await retrying.waitFor();
    await mock.clock.advance('3h');
    await expect.poll(() => retrying.count()).toBe(0);
  });
});

test('under 50 requests a second no row moves under a pointer; how many wait is told, and the pointer lets them come', async () => {
  const { visit, ask } = await start();
  await visit('/dashboard/requests', async (page) => {
    await live(page);
    await page.locator('tbody tr').nth(3).hover();
    await page.evaluate(SUM_SHIFTS);
    const top = await first(page);
    for (let i = 0; i < 40; i++) {
      for (let n = 0; n < 5; n++) await ask();
      await page.waitForTimeout(100);
    }
    expect(await first(page)).toBe(top);
    expect(await page.evaluate('window.shift')).toBeLessThan(0.1);
    expect(await more(page).textContent()).toMatch(/^\d\d new$/);
    await page.mouse.move(5, 5);
    await expect.poll(() => first(page)).toBe('req_215');
    expect(await more(page).isVisible()).toBe(false);
  });
}, 60_000);

test('a paused page keeps still until it resumes, and says how many are new', async () => {
  const { visit, ask } = await start();
  await visit('/dashboard/requests', async (page) => {
    await live(page);
    await page.getByRole('button', { name: 'live' }).click();
    await ask();
    await ask();
    await page.getByRole('button', { name: '2 new' }).waitFor();
    expect([await first(page), await page.locator('[data-live-state]').textContent()]).toEqual(['req_15', 'paused']);
    await page.getByRole('button', { name: '2 new' }).click();
    await page.locator('tr[data-row="req_17"]').waitFor();
    await ask();
    await page.getByRole('button', { name: '1 new' }).waitFor();
    await page.getByRole('button', { name: 'paused' }).click();
    await page.locator('tr[data-row="req_18"]').waitFor();
    await live(page);
  });
});

test('where a quiet stream ends, the page rests, and shows what it has missed once it is told of it', async () => {
  const { visit, ask } = await start();
  await visit('/dashboard/requests', async (page) => {
    let [returned, drawn, asked] = [0, 0, false];
    page.on('request', (request) => {
      if (request.url().endsWith('/dashboard/requests')) drawn += 1;
    });
    const rest = 'retry: 150\nid: rest-1\nevent: rest\ndata: {}\n\n';
    await page.route('**/_mock/events', async (route) => {
      returned += 1;
      const missed = 'id: 1\nevent: state\ndata: {"kind":"missed"}\n\n';
      await route.fulfill({ contentType: 'text/event-stream', body: asked ? missed : rest });
    });
    await page.reload();
    await page.locator('[data-live-state="resting"]').waitFor();
    await expect.poll(() => returned).toBeGreaterThan(6);
    const before = drawn;
    await expect.poll(() => returned).toBeGreaterThan(12);
    expect(drawn).toBe(before);
    await ask();
    asked = true;
    await page.locator('tr[data-row="req_16"]').waitFor();
  });
});

test('heads and tabs follow what happens', async () => {
  const { visit, ask, mock } = await start();
  await visit('/dashboard/choices', async (page) => {
    await live(page);
    expect(await page.getByText('All defaults…').count()).toBe(0);
    const point = page.locator('#point-owner-field');
    const touches = point.getByText('touched by');
    const before = await touches.textContent();
    await point.getByRole('button', { name: 'owner_id' }).click();
    await point.getByText('not the default').waitFor();
    expect((await (await ask('/projects?limit=1')).json()).items[0]).toHaveProperty('owner_id');
    await expect.poll(() => touches.textContent()).not.toBe(before);
    await page.getByText('All defaults…').waitFor();
    await page.getByRole('link', { name: 'changed 1' }).waitFor();
    await page.getByRole('region', { name: 'Not as usual' }).getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('link', { name: 'changed 0' }).waitFor();
    expect(await page.locator('.strip').textContent()).not.toContain('open point');
  });
  await mock.app.fetch(new Request('http://127.0.0.1/_mock/requests', { method: 'DELETE' }));
  await visit('/dashboard/requests', async (page) => {
    await live(page);
    expect(await page.getByText('Clear log…').count()).toBe(0);
    await ask();
    await page.getByText('Clear log…').waitFor();
  });
});

test('a row leads where its link leads, also one that came while the page was open; j, k and Enter walk through the rows', async () => {
  const { visit, ask } = await start();
  await visit('/dashboard/requests', async (page) => {
    await live(page);
    await page.evaluate('window.stayed = true');
    await ask('/tasks/nowhere');
    await page.getByRole('link', { name: '/v1/tasks/nowhere' }).waitFor();
    expect(await page.evaluate('window.stayed')).toBe(true);
    await page.getByRole('link', { name: '/v1/tasks/nowhere' }).click();
    expect(await page.locator('.checks .refused .check-part').textContent()).toBe('spec: Errors');
    await page.goBack();
    await page.locator('tr[data-row="req_12"] td').nth(2).click();
    await page.waitForURL('**/requests/req_12');
    await page.goBack();
    await press(page, 'j j j k Enter');
    await page.waitForURL('**/requests/req_15');
  });
});

test('on a wide screen a row opens beside its list, which stays live; ownPage again it opens as a page', async () => {
  const { visit, mock } = await start({ viewport: { width: 1600, height: 900 } });
  await visit('/dashboard/requests', async (page) => {
    await live(page);
    const beside = page.getByRole('complementary', { name: 'Beside the list' });
    await page.locator('tr[data-row="req_12"] td').nth(2).click();
    await beside.getByRole('heading', { level: 1, name: /GET/ }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Open as a page');
    expect(await page.locator('tr:has(a[aria-current]) a.link').getAttribute('href')).toBe('/dashboard/requests/req_12');
    expect([new URL(page.url()).pathname, await axeIn(page)]).toEqual(['/dashboard/requests', []]);
    const field = (name: string) => beside.locator(`#resend-${name}`);
    await field('method').selectOption('PUT');
    await field('path').fill('/v1/half');
    await field('body').fill('{');
    await beside.locator('details.fold summary').last().click();
    const again = page.waitForResponse(/requests\/req_12$/);
    await mock.fetch('/teams', { headers: mock.auth('read') });
    await page.locator('tr[data-row="req_16"].fresh').waitFor();
    await (await again).finished();
    const kept = ['method', 'path', 'body'].map((name) => field(name).inputValue());
    expect(await Promise.all(kept)).toEqual(['PUT', '/v1/half', '{']);
    expect(await beside.locator('details.fold[open]').count()).toBe(1);
    expect(await page.locator('a[aria-current]', { hasText: '/v1' }).getAttribute('href')).toBe('/dashboard/requests/req_12');
    const ownPage = beside.getByRole('link', { name: 'Open as a page' });
    await page.keyboard.press('j');
    expect(await ownPage.getAttribute('href')).toMatch(/req_11$/);
    await page.keyboard.press('Escape');
    expect(await beside.count()).toBe(0);
    await press(page, 'k Enter');
    expect(await ownPage.getAttribute('href')).toMatch(/req_12$/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/requests/req_12');
    await page.goBack();
    await page.locator('tr[data-row="req_14"] a.link').click();
    await page.setViewportSize({ width: 1000, height: 900 });
    await beside.waitFor({ state: 'detached' });
  });
});

test('the address names what is open beside a list, whose rows stay where they are: a reload shows it, and Back closes it', async () => {
  const { visit } = await start({ viewport: { width: 1600, height: 900 } });
  await visit('/dashboard/requests', async (page) => {
    await live(page);
    const beside = page.getByRole('complementary', { name: 'Beside the list' });
    const row = page.locator('tr[data-row="req_2"] a.link');
    const place = await row.boundingBox();
    await row.click();
    await page.waitForURL('**?beside=req_2');
    expect((await row.boundingBox())!.y).toBe(place!.y);
    await page.reload();
    await beside.getByRole('heading', { level: 1, name: /POST/ }).waitFor();
    await page.goBack();
    await beside.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
  });
});

test('a form of a page whose mock has stopped says that nothing was sent, and the page stays', async () => {
  const { visit, server } = await start();
  await visit('/dashboard/clock', async (page) => {
    await live(page);
    await server.close();
    await page.locator('[data-live-state="reconnecting"]').waitFor();
    await page.getByRole('button', { name: 'Set the time' }).click();
    await page.getByText('The mock has stopped: nothing was sent.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/clock');
  });
  browsing.complaints.length = 0;
});

test('times are those of the browser where local is chosen, also in what comes later and elsewhere, and nothing is shifted by it', async () => {
  const { visit, ask } = await start({ timezoneId: 'Asia/Kolkata' });
  await visit('/dashboard/requests', async (page) => {
    const first = page.locator('tbody td').first();
    const read = () =>
      Promise.all([page.locator('.clock-now'), page.locator('thead th').first(), first].map((one) => one.textContent()));
    const utc = ['2025-01-20 12:04:00', 'Time UTC', '12:04:00.000'];
    const local = ['2025-01-20 17:34:00', 'Time local', '17:34:00.000'];
    expect(await read()).toEqual(utc);
    const box = () => page.locator('thead').evaluate((head) => [...head.querySelectorAll('th')].map((one) => one.offsetLeft));
    const before = await box();
    await palette(page, 'local');
    expect([await read(), await first.locator('time').getAttribute('title')]).toEqual([local, '2025-01-20 17:34:00.000 local']);
    await live(page);
    await ask();
    await page.locator('tr[data-row="req_16"]').waitFor();
    expect(await read()).toEqual(local);
    await page.reload();
    expect([await read(), await box(), await axeIn(page)]).toEqual([local, before, []]);
    await page.getByRole('group', { name: 'Times' }).getByRole('button', { name: 'UTC' }).click();
    expect(await read()).toEqual(utc);
  });
});

test('? shows the keys; Ctrl+K finds pages, worlds, actions and things of the world in one list, and Esc returns the focus', async () => {
  const { visit, mock, server } = await start();
  mock.fork({ id: 'other' });
  await visit('/dashboard/clock', async (page) => {
    await live(page);
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await palette(page, '30 seconds');
    await page.getByText('It is 2025-01-20 12:04:30 UTC now.').waitFor();
    await page.getByRole('button', { name: 'Find anything' }).click();
    await page.keyboard.type('e');
    const field = page.getByRole('combobox', { name: 'Find anything' });
    expect(await field.getAttribute('aria-activedescendant')).toBe('way-0');
    await press(page, 'ArrowDown Escape');
    expect(await page.evaluate('document.activeElement.id')).toBe('find');
    await palette(page, 'other');
    await page.waitForURL(`${server.origin}/worlds/other/dashboard/clock`);
    await page.locator('.worlds summary').click();
    await press(page, 'Tab Escape');
    expect(await page.evaluate('document.activeElement.matches(".worlds:not([open]) > summary")')).toBe(true);
    await palette(page, 'basil flood', 'ArrowDown');
    const chosen = page.locator('#ways [aria-selected=true]');
    await chosen.getByText('project').waitFor();
    expect(await axeIn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/worlds/other/dashboard/data/projects?workspace=ws_acme&id=proj_flood');
    await palette(page, 'faul');
    await page.waitForURL('**/worlds/other/dashboard/faults');
    await palette(page, 'of no thing', 'Enter');
    await page.getByText('Nothing has these words.').waitFor();
  });
});

test('on a narrow screen the first row is in sight, and the bar of the clock takes one row', async () => {
  const { visit } = await start({ viewport: { width: 390, height: 844 } });
  await visit('/dashboard/requests', async (page) => {
    const place = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
    expect((await place('tbody tr')).y).toBeLessThan(520);
    await page.getByText('Filters').click();
    await page.getByLabel('Status').waitFor();
    await page.setViewportSize({ width: 1024, height: 700 });
    expect((await place('.clock-bar')).height).toBeLessThan(60);
    await page.getByRole('button', { name: 'Steps of the clock' }).click();
    await page.getByRole('button', { name: '+30 s' }).click();
    await page.getByText('It is 2025-01-20 12:04:30 UTC now.').waitFor();
  });
});

test('a form that leads back to its page leaves the place on it, and what it says lies above', async () => {
  const { visit } = await start();
  await visit('/dashboard/settings', async (page) => {
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.getByRole('button', { name: 'Change plan' }).scrollIntoViewIfNeeded();
    const before = Number(await page.evaluate('scrollY'));
    expect(before).toBeGreaterThan(100);
    await page.getByRole('button', { name: 'Change plan' }).click();
    await page.getByText('From now on 1,000 requests a minute.').waitFor();
    // The text is there before the script, which restores the place, has run.
    await live(page);
    expect(Math.abs(Number(await page.evaluate('scrollY')) - before)).toBeLessThan(20);
    const { top } = await page.locator('h1').evaluate((head) => head.getBoundingClientRect());
    await page.reload();
    expect(Math.abs((await page.locator('h1').evaluate((head) => head.getBoundingClientRect())).top - top)).toBeLessThan(5);
  });
});
