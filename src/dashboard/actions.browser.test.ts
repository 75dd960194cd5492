// Actions of people in the dashboard, in a real Chromium, with its effect seen through /v1 and /_mock.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMock } from '../node/index.ts';
import { type Browsing, browse, closeBrowser, live, press } from '../test/browser.ts';
import { DEMO_AT } from '../test/dashboard.ts';

afterAll(closeBrowser);

let browsing: Browsing;
beforeEach(async () => {
  browsing = await browse(await createMock(DEMO_AT), { permissions: ['clipboard-read', 'clipboard-write'] });
});
afterEach(() => browsing?.close());

const read = async (path: string) => {
  const response = await fetch(`${browsing.server.baseUrl}${path}`, { headers: { ...browsing.mock.auth('admin') } });
  return { status: response.status, body: await response.json() };
};
const send = (method: string, path: string, body: unknown) =>
  fetch(`${browsing.server.baseUrl}${path}`, {
    method,
    headers: { ...browsing.mock.auth('write'), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('the overview', () => {
  test('copies the base URL and a key', async () => {
    await browsing.visit('/', async (page) => {
      const pasted = () => page.evaluate('navigator.clipboard.readText()');
      await page.getByRole('button', { name: 'Copy the base URL' }).click();
      await expect.poll(pasted).toBe(browsing.server.baseUrl);
      await page.getByRole('button', { name: 'Copy the write key of ws_acme' }).click();
      await expect.poll(pasted).toBe('wm_acme_write');
    });
  });
});

describe('the data', () => {
  test('are created, edited and deleted in place, with a mistake shown at its field', async () => {
    await browsing.visit('/dashboard/data/tasks', async (page) => {
      await page.getByRole('link', { name: 'New task' }).click();
      const title = page.getByLabel('Title');
      await title.and(page.locator(':focus')).waitFor();
      await title.fill('x'.repeat(256));
      await page.getByRole('button', { name: 'New task' }).click();
      await page.locator('#new-title-issue').waitFor();
      expect([await title.getAttribute('aria-invalid'), (await title.inputValue()).length]).toEqual(['true', 256]);
      await title.fill('Made here');
      await page.getByLabel('Due').fill('2025-03-01T12:00:00');
      await page.getByRole('button', { name: 'New task' }).click();
      await page.getByText('is created.').waitFor();
      const [task] = (await read('/tasks?sort=-created_at&limit=1')).body.items;
      expect(task).toMatchObject({ title: 'Made here', due_date: '2025-03-01T12:00:00.000Z' });
      await page.getByRole('link', { name: 'Made here' }).click();
      await page
        .getByRole('form', { name: `Edit ${task.id}` })
        .getByLabel('Status')
        .selectOption('done');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText(`${task.id} is updated.`).waitFor();
      expect((await read(`/tasks/${task.id}`)).body.data.status).toBe('done');
      const pill = page.locator(`html.js tr[data-row="${task.id}"]`).getByRole('combobox', { name: 'Status' });
      await pill.focus();
      await pill.selectOption('in_review');
      await page.locator('select.chip.warn:focus').waitFor();
      expect((await read(`/tasks/${task.id}`)).body.data).toMatchObject({ title: 'Made here', status: 'in_review' });
      await send('PATCH', `/tasks/${task.id}`, { status: 'todo' });
      await pill.blur();
      await expect.poll(() => pill.inputValue()).toBe('todo');
      await page.getByRole('listitem').filter({ hasText: 'todo by' }).waitFor();
      await page.getByText('Delete this task…').click();
      await page.getByRole('button', { name: 'Delete this task' }).click();
      await page.getByText(`${task.id} is deleted.`).waitFor();
      expect((await read(`/tasks/${task.id}`)).status).toBe(404);
    });
  });

  test('follow a filter as soon as it is chosen', async () => {
    await browsing.visit('/dashboard/data/tasks', async (page) => {
      await page.getByRole('form', { name: 'Filter tasks' }).getByLabel('Status').selectOption('in_review');
      await page.waitForURL(/filter%5Bstatus%5D=in_review/);
      const { total } = (await read('/tasks?filter[status]=in_review')).body.meta;
      await page.getByText(`of ${total}`).waitFor();
    });
  });

  test('pages wait while their reader works in them, and are brought up to date in place: focus, what was typed and the place on the page stay', async () => {
    await browsing.visit('/dashboard/data/tasks?open=task_flood_review', async (page) => {
      await live(page);
      const title = page.getByRole('form', { name: 'Edit task_flood_review' }).getByLabel('Title');
      await title.fill('Half a sen');
      await page.evaluate('window.scrollTo(0, 240)');
      const made = await (await send('POST', '/projects/proj_launch/tasks', { title: 'From elsewhere' })).json();
      await page.getByRole('button', { name: '1 new' }).waitFor();
      expect(await page.locator(`tr[data-row="${made.data.id}"]`).count()).toBe(0);
      await page.evaluate('document.querySelector(".more").click()');
      await page.locator(`tr[data-row="${made.data.id}"]`).waitFor();
      expect(await title.inputValue()).toBe('Half a sen');
      expect(await title.evaluate((field) => field === document.activeElement)).toBe(true);
      await title.pressSequentially('tence');
      expect(await title.inputValue()).toBe('Half a sentence');
      expect(Math.abs(Number(await page.evaluate('scrollY')) - 240)).toBeLessThan(120);
      await send('PATCH', '/tasks/task_flood_review', { status: 'done' });
      await title.blur();
      await page.locator('tr[data-row="task_flood_review"] .chip.good').waitFor();
      expect(await title.inputValue()).toBe('Half a sentence');
    });
    expect(browsing.complaints).toEqual([]);
  });
});

describe('the settings', () => {
  test('make a key that works, show it once, and revoke it', async () => {
    await browsing.visit('/dashboard/settings', async (page) => {
      const form = page.getByRole('form', { name: 'New key' });
      await form.getByLabel('Name').fill('CI');
      await form.getByLabel('Scope').selectOption('write');
      await form.getByRole('button', { name: 'New key' }).click();
      const value = await page.locator('.once-value code').innerText();
      const use = async () =>
        (await fetch(`${browsing.server.baseUrl}/users/me`, { headers: { authorization: `Bearer ${value}` } })).status;
      expect(await use()).toBe(200);
      await page.reload();
      expect(await page.content()).not.toContain(value);
      const row = page.getByRole('row', { name: /^CI/ });
      await row.getByText('Revoke…').click();
      await row.getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('The key CI is revoked.').waitFor();
      expect(await use()).toBe(401);
    });
  });
});

describe('the frame', () => {
  test('is walked by keys: / searches, g and a letter goes, the first Tab skips to the page', async () => {
    await browsing.visit('/', async (page) => {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the page');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
      await press(page, 'g d');
      await page.waitForURL(/dashboard\/data\/tasks/);
      await page.keyboard.press('/');
      await page.keyboard.type('task_launch_date');
      await page.keyboard.press('Enter');
      await page.getByRole('form', { name: 'Edit task_launch_date' }).waitFor();
    });
  });

  test('changes its theme and keeps it', async () => {
    await browsing.visit('/dashboard/settings', async (page) => {
      const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
      const light = await ground();
      await page.getByRole('button', { name: 'dark' }).click();
      await page.locator('html[data-theme="dark"]').waitFor();
      // The element is there before its style sheet is.
      await page.waitForLoadState();
      expect(page.url()).toContain('/dashboard/settings');
      const dark = await ground();
      expect(dark).not.toBe(light);
      await page.getByRole('link', { name: 'Overview', exact: true }).click();
      await page.waitForURL(`${browsing.server.origin}/`);
      expect(await ground()).toBe(dark);
    });
  });
});

test('everything works without scripts', async () => {
  await browsing.close();
  browsing = await browse(await createMock(DEMO_AT), { javaScriptEnabled: false });
  await browsing.visit('/dashboard/data/projects?new=1', async (page) => {
    await page.getByLabel('Name').fill('No scripts');
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByText('is created.').waitFor();
    await page.getByRole('link', { name: 'No scripts', exact: true }).click();
    await page.getByText('Delete this project…').click();
    await page.getByRole('button', { name: 'Delete this project' }).click();
    await page.getByText('is deleted, with all its tasks.').waitFor();
    expect(await page.locator('.copy:visible').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Workspace' }).selectOption('ws_globex');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/workspace=ws_globex/);
  });
});

test('a page of another origin cannot post a form', async () => {
  await browsing.visit('/', async (page) => {
    await page.goto('about:blank');
    await page.setContent(
      `<form method="post" action="${browsing.server.origin}/"><button name="do" value="reset">Go</button></form>`,
    );
    const [response] = await Promise.all([page.waitForResponse(`${browsing.server.origin}/`), page.getByRole('button').click()]);
    expect(response.status()).toBe(403);
  });
});

test('with a token one signs in once', async () => {
  await browsing.close();
  browsing = await browse(await createMock({ ...DEMO_AT, controlToken: 'open-sesame' }));
  await browsing.visit('/dashboard/settings?workspace=ws_globex', async (page) => {
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('That is not the token.').waitFor();
    await page.getByLabel('Token').fill('open-sesame');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/settings\?workspace=ws_globex/);
    await live(page);
    expect(await page.evaluate('document.cookie')).not.toContain('open-sesame');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'This mock asks for its token' }).waitFor();
  });
});
