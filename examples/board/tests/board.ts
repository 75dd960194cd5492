// The board as a test holds it: opened on the test's own world, and judged at the end: did it see that world alone, and keep to the contract?
import type { Locator, Page } from '@playwright/test';
import { test as base, expect, type TestWorld } from 'wm-mock/playwright';

export { expect };

/** The board in a page. */
export class Board {
  readonly page: Page;
  readonly mock: TestWorld;
  /** Every address of an API that the page asked. */
  readonly asked = new Set<string>();

  constructor(page: Page, mock: TestWorld) {
    this.page = page;
    this.mock = mock;
    page.on('request', (request) => {
      const [, api] = /^(.*\/v1)\//.exec(request.url()) ?? [];
      if (api) this.asked.add(api);
    });
  }

  /** Opens it with a key of this world: the only thing that the app is told. */
  async open(query = ''): Promise<void> {
    const { mock, page } = this;
    const key = mock.keys.find(({ scope }) => scope === 'write')!.value;
    const connection = { api: mock.baseUrl, key, inbox: `${mock.controlUrl}/inbox/board` };
    await page.addInitScript((it) => localStorage.setItem('board.connection', JSON.stringify(it)), connection);
    await page.goto(`/${query}`);
  }

  column(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true });
  }

  card(title: string, column?: string): Locator {
    const within = column ? this.column(column) : this.page.locator('.board');
    return within.getByRole('listitem').filter({ has: this.page.getByRole('button', { name: title, exact: true }) });
  }

  /** By its arrows, as from the keyboard. */
  async move(title: string, to: string): Promise<void> {
    await this.page.getByRole('button', { name: `Move “${title}” to ${to}` }).press('Enter');
  }

  async count(column: string): Promise<number> {
    return Number(await this.column(column).locator('.count').textContent());
  }
}

/** What another user does: through the API of the same world, past the page. */
export const another = async (mock: TestWorld, method: string, path: string, body?: object): Promise<Response> => {
  const headers = { ...mock.auth('admin'), 'content-type': 'application/json' };
  const answer = await mock.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  expect(answer.ok, `${method} ${path} answered ${answer.status}`).toBe(true);
  return answer;
};

interface Fixtures {
  readonly board: Board;
}

export const test = base.extend<Fixtures>({
  board: async ({ page, mock }, use, testInfo) => {
    // A task that no other test's world has, in every world.
    const mark = `Mark of ${testInfo.testId}, ${testInfo.repeatEachIndex}`;
    await another(mock, 'POST', '/projects/proj_app/tasks', { title: mark, status: 'in_review', priority: 'low' });
    const board = new Board(page, mock);
    await use(board);
    const marks = page.getByRole('button', { name: /^Mark of / });
    if (testInfo.status === testInfo.expectedStatus && (await marks.count()) > 0) await expect(marks).toHaveText([mark]);
    expect(
      [...board.asked].filter((api) => api !== mock.baseUrl),
      'APIs of other worlds that the page asked',
    ).toEqual([]);
    expect(mock).toHaveNoClientWarnings();
  },
});
