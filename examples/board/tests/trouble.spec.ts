// What goes wrong between a page and its service: failures, waiting, refusals.
import { another, expect, test } from './board';

test('says which columns failed with 500 and loads them when asked again', async ({ board, page, mock }) => {
  mock.faults.add({ match: { operation: 'listTasks' }, effect: { status: 500 } });
  await board.open();
  await expect(page.getByRole('alert').filter({ hasText: 'Not loaded.' })).toHaveCount(5);
  await expect(board.column('To do')).toContainText('500');
  mock.faults.clear();
  await board.column('To do').getByRole('button', { name: 'Try again' }).click();
  await expect(board.card('Draft the launch post')).toBeVisible();
  await expect(board.card('Rework the navigation')).toBeVisible();
  await expect(page.getByText('Not loaded.')).toHaveCount(0);
});

test('gets over a single 500 by itself', async ({ board, page, mock }) => {
  const { id } = mock.faults.add({ match: { operation: 'listTasks' }, effect: { status: 500 }, times: 1 });
  await board.open();
  for (const name of ['Backlog', 'To do', 'In progress', 'In review', 'Done']) {
    await expect(board.column(name).getByRole('listitem').first()).toBeVisible();
  }
  await expect(page.getByText('Not loaded.')).toHaveCount(0);
  expect(mock.faults.list().find((fault) => fault.id === id)?.hits).toBe(1);
});

test('takes a move back when the service fails, says so, and tries again when asked', async ({ board, page, mock }) => {
  await board.open();
  await expect(board.card('Choose the fonts')).toBeVisible();
  mock.faults.add({ match: { operation: 'updateTask' }, effect: { status: 500 }, times: 1 });
  await board.move('Choose the fonts', 'In progress');
  const notice = page.locator('.notice');
  await expect(notice).toContainText('“Choose the fonts” was not saved.');
  await expect(board.card('Choose the fonts', 'To do')).toBeVisible();
  await expect(board.column('In progress').locator('.count')).toHaveText('1');
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect(board.card('Choose the fonts', 'In progress')).toHaveAttribute('data-saving', 'false');
  await expect(notice).toHaveCount(0);
});

test('brings a deleted task back when the service fails', async ({ board, page, mock }) => {
  await board.open();
  // Every time: a browser sends a request once more by itself when a connection is cut that was used before.
  mock.faults.add({ match: { operation: 'deleteTask' }, effect: { abort: true } });
  await board.card('Redraw the logo').getByRole('button', { name: 'Redraw the logo', exact: true }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page.locator('.notice')).toContainText('“Redraw the logo” was not deleted. No answer came');
  await expect(board.card('Redraw the logo', 'In review')).toBeVisible();
});

test('names the field that the service refuses', async ({ board, page, mock }) => {
  await board.open();
  await board.card('Redraw the logo').getByRole('button', { name: 'Redraw the logo', exact: true }).click();
  await page.getByLabel('Title').evaluate((field) => field.removeAttribute('maxlength'));
  await page.getByLabel('Title').fill('x'.repeat(256));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.notice')).toContainText('title');
  await expect(page.locator('.notice')).toContainText('422 validation_error');
  await expect(board.card('Redraw the logo', 'In review')).toBeVisible();
  expect(mock.requests.at(-1)?.status).toBe(422);
});

test('lets go of a task that somebody else has deleted', async ({ board, page, mock }) => {
  await board.open();
  await expect(board.card('Redraw the logo')).toBeVisible();
  await another(mock, 'DELETE', '/tasks/task_logo');
  await board.move('Redraw the logo', 'Done');
  await expect(page.locator('.notice')).toContainText('404');
  await expect(board.card('Redraw the logo')).toHaveCount(0);
});

test('shows a spinner for as long as an answer is held back', async ({ board, mock }) => {
  const { id } = mock.faults.add({ match: { operation: 'listTasks' }, effect: { hold: true } });
  await board.open();
  const spinner = board.column('To do').getByRole('status', { name: 'Loading To do' });
  await expect(spinner).toBeVisible();
  await expect(board.column('To do').getByRole('listitem')).toHaveCount(0);
  mock.faults.release(id);
  await expect(board.column('To do').getByRole('listitem')).toHaveCount(3);
  await expect(spinner).toHaveCount(0);
});

test('asks for another key when its key is refused', async ({ board, page, mock }) => {
  mock.faults.add({ match: { operation: 'getMe' }, effect: { status: 401 } });
  await board.open();
  await expect(page.getByRole('heading', { name: 'Connect the board' })).toBeVisible();
  await expect(page.getByLabel('Base URL')).toHaveValue(mock.baseUrl);
});

test('waits as long as a 429 asks, says until when, and sends what was done meanwhile', async ({ board, page, mock }) => {
  await page.clock.install({ time: mock.clock.now });
  await board.open();
  await expect(board.card('Choose the fonts')).toBeVisible();
  for (const operation of ['getMe', 'listProjects', 'listMembers'] as const) await expect(mock).toHaveReceived(operation);
  await expect(mock).toHaveReceived('listTasks', 5);
  // Somebody's script uses up the workspace's minute.
  const headers = mock.auth('read');
  for (let [n, left] = [0, 1]; left > 0; n++) {
    const answer = await mock.fetch(n % 2 ? '/teams' : '/users/me', { headers });
    left = Number(answer.headers.get('x-ratelimit-remaining'));
  }

  await board.move('Choose the fonts', 'In progress');
  const pause = page.getByText('Rate limit reached.');
  await expect(pause).toBeVisible();
  await expect(page.getByRole('status').filter({ has: pause })).toContainText('The plan allows 300 requests a minute');
  await expect(page.getByRole('timer')).toHaveText(/^(60|5\d) s$/);
  await expect(board.card('Choose the fonts', 'In progress').getByRole('status', { name: 'Saving' })).toBeVisible();

  await page.clock.fastForward('00:45');
  await expect(page.getByRole('timer')).toHaveText(/^(1[0-5]|\d) s$/);
  await mock.clock.advance('60s');
  await page.clock.fastForward('00:15');
  await expect(pause).toHaveCount(0);
  await expect(board.card('Choose the fonts', 'In progress')).toHaveAttribute('data-saving', 'false');
  await expect(mock).toHaveReceived({ operation: 'updateTask', status: 429 }, 1);
  await expect(mock).toHaveReceived({ operation: 'updateTask', status: '2xx' }, 1);
});
