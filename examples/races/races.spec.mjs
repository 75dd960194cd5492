// What a user does on each page, at a user's pace, and what the page shows when nothing is under way any more.
import { join } from 'node:path';
import { test as base, expect } from 'wm-mock/playwright';

const APP = 'https://races.test';

class App {
  #page;
  #mock;
  #key;

  constructor(page, mock) {
    this.#page = page;
    this.#mock = mock;
  }

  async serve(route) {
    const { pathname } = new URL(route.request().url());
    if (pathname !== '/session') {
      return route.fulfill({ path: join(import.meta.dirname, pathname === '/' ? 'index.html' : pathname) });
    }
    this.#key = this.#mock.create.key({ scope: 'write' });
    return route.fulfill({ json: { api: this.#mock.baseUrl, key: this.#key.value } });
  }

  async open(page) {
    await this.#page.goto(`${APP}/?client=${process.env.CLIENT ?? 'naive'}#${page}`);
    await this.settled();
  }

  revokeKey() {
    this.#mock.update.key(this.#key.id, { revoked: true });
  }

  /** The user's hand goes from here to there. */
  moment() {
    return this.#page.waitForTimeout(80);
  }

  /** Nothing is under way any more. */
  settled() {
    return expect(this.#page.locator('body')).toHaveAttribute('data-pending', '0');
  }

  tasks() {
    return this.#page.getByRole('listitem').allTextContents();
  }
}

const test = base.extend({
  app: async ({ context, page, mock }, use) => {
    const app = new App(page, mock);
    await context.route(`${APP}/**`, (route) => app.serve(route));
    await use(app);
  },
});

test('search shows what was typed last', async ({ app, page }) => {
  await app.open('search');
  await page.getByLabel('Search').pressSequentially('todo urgent', { delay: 15 });
  await app.settled();
  expect(await app.tasks()).toEqual(['Buy flour']);
});

test('a title that is refused leaves the next one as it is', async ({ app, page }) => {
  await app.open('rename');
  const title = page.getByLabel('Title');
  await title.press('Enter');
  await app.moment();
  await title.fill('Buy rye');
  await title.press('Enter');
  await app.settled();
  expect(await page.getByRole('heading').textContent()).toBe('Buy rye');
});

test('a task is added once', async ({ app, page }) => {
  await app.open('add');
  await page.getByLabel('Title').fill('Mix');
  const { x, y } = await page.getByRole('button', { name: 'Add' }).boundingBox();
  await page.mouse.click(x + 5, y + 5);
  await app.moment();
  await page.mouse.click(x + 5, y + 5);
  await app.settled();
  expect(await app.tasks()).toEqual(['Mix']);
});

test('a task that was deleted stays away', async ({ app, page }) => {
  await app.open('list');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await app.moment();
  await page.getByRole('button', { name: 'Delete Buy flour' }).click();
  await app.settled();
  expect((await app.tasks()).join()).not.toContain('Buy flour');
});

test('a filter shows its own tasks alone', async ({ app, page }) => {
  await app.open('scroll');
  await page.getByRole('listitem').last().scrollIntoViewIfNeeded();
  await app.moment();
  await page.getByLabel('Status').selectOption('done');
  await app.settled();
  expect((await app.tasks()).sort()).toEqual(['Jar 1', 'Jar 2']);
});

test('a new key keeps the user signed in', async ({ app, page }) => {
  await app.open('session');
  app.revokeKey();
  await page.getByRole('button', { name: 'Tasks' }).click();
  await app.moment();
  await page.getByRole('button', { name: 'Members' }).click();
  await app.settled();
  expect(await page.locator('output').allTextContents()).toEqual(['22', '1']);
});
