// The happy path: what people do with a board all day.
import { another, expect, test } from './board';

test('shows a column for each status, with the total that the service counts', async ({ board }) => {
  await board.open();
  await expect(board.column('Backlog').locator('.count')).toHaveText('23');
  await expect(board.column('To do').getByRole('listitem')).toHaveCount(3);
  await expect(board.card('Rework the navigation', 'In progress')).toContainText('Site');
  await expect(board.card('Rework the navigation').getByRole('img', { name: 'Bo Brandt' })).toBeVisible();
  await expect(board.card('Log in with a link', 'Done').getByRole('img', { name: 'Priority: medium' })).toBeVisible();
});

test('pages through a column by its cursor and neither repeats nor skips a task', async ({ board, mock }) => {
  await board.open();
  const backlog = board.column('Backlog');
  await backlog.getByRole('button', { name: 'Show more · 13 left' }).click();
  await backlog.getByRole('button', { name: 'Show more · 3 left' }).click();
  await expect(backlog.getByRole('button', { name: /^Idea/ })).toHaveText(Array.from({ length: 23 }, (_, i) => `Idea ${i + 1}`));
  await expect(backlog.getByRole('button', { name: /^Show more/ })).toHaveCount(0);
  await expect(mock).toHaveReceived({ operation: 'listTasks', query: { 'filter[status]': 'backlog' } }, 3);
});

test('combines filters, keeps them in the address, and clears them', async ({ board, page }) => {
  await board.open();
  await page.getByLabel('Priority', { exact: true }).selectOption('High');
  await expect(board.column('To do').getByRole('listitem')).toHaveCount(2);
  await page.getByLabel('Assignee').selectOption('Bo Brandt');
  await expect(board.column('To do').getByRole('listitem')).toHaveCount(1);
  await expect(board.card('Send push messages')).toBeVisible();
  await page.reload();
  await expect(board.card('Send push messages')).toBeVisible();
  await expect(board.card('Draft the launch post')).toHaveCount(0);
  await page.getByLabel('Project').selectOption('Site');
  await expect(board.column('To do')).toContainText('Nothing here');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(board.card('Draft the launch post')).toBeVisible();
});

test('moves a task by the keyboard and by dragging; the focus stays with it', async ({ board, mock }) => {
  await board.open();
  await board.move('Choose the fonts', 'In progress');
  const title = board.column('In progress').getByRole('button', { name: 'Choose the fonts', exact: true });
  await expect(title).toBeFocused();
  await board.card('Rework the navigation').dragTo(board.column('Done'));
  await expect(board.card('Rework the navigation', 'Done')).toBeVisible();
  await expect(board.column('In progress').locator('.count')).toHaveText('1');
  await expect(mock).toHaveReceived({ operation: 'updateTask', body: { status: 'in_progress' } }, 1);
  await expect(mock).toHaveReceived({ operation: 'updateTask', body: { status: 'done' } }, 1);
});

test('creates, edits and deletes a task; only what was changed is sent', async ({ board, page, mock }) => {
  await board.open('?project=proj_site');
  await board.column('In progress').getByRole('button', { name: 'New task in In progress' }).click();
  await page.getByLabel('Title').fill('Write the release notes');
  await page.getByRole('dialog').getByLabel('Assignee').selectOption('Ada Adair');
  await page.getByRole('button', { name: 'Create task' }).click();
  const card = board.card('Write the release notes', 'In progress');
  await expect(card).toHaveAttribute('data-saving', 'false');
  await expect(board.column('In progress').locator('.count')).toHaveText('2');

  await card.getByRole('button', { name: 'Write the release notes', exact: true }).click();
  await page.getByLabel('Title').fill('Publish the release notes');
  await page.getByRole('dialog').getByLabel('Priority').selectOption('Urgent');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(board.card('Publish the release notes').getByRole('img', { name: 'Priority: urgent' })).toBeVisible();
  await expect(mock).toHaveReceived({
    operation: 'updateTask',
    body: { title: 'Publish the release notes', priority: 'urgent' },
  });

  await board.card('Publish the release notes').getByRole('button', { name: 'Publish the release notes', exact: true }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect(board.card('Publish the release notes')).toHaveCount(0);
  await expect(board.column('In progress').locator('.count')).toHaveText('1');
  await expect(mock).toHaveReceived({ operation: 'deleteTask', status: 204 });
});

test('shows a change at once and says that it is on its way', async ({ board, mock }) => {
  await board.open();
  await expect(board.card('Redraw the logo')).toBeVisible();
  const { id } = mock.faults.add({ match: { operation: 'updateTask' }, effect: { hold: true } });
  await board.move('Redraw the logo', 'Done');
  await expect(board.card('Redraw the logo', 'Done').getByRole('status', { name: 'Saving' })).toBeVisible();
  await expect(board.column('Done').locator('.count')).toHaveText('2');
  mock.faults.release(id);
  await expect(board.card('Redraw the logo', 'Done')).toHaveAttribute('data-saving', 'false');
});

test('sends changes of one task in order, so that the last one wins', async ({ board, mock }) => {
  await board.open();
  await board.move('Send push messages', 'In progress');
  await board.move('Send push messages', 'In review');
  await board.move('Send push messages', 'Done');
  await expect(board.card('Send push messages', 'Done')).toHaveAttribute('data-saving', 'false');
  const sent = mock.requests.filter(({ operation }) => operation === 'updateTask').map(({ request }) => request.body);
  expect(sent).toEqual(['in_progress', 'in_review', 'done'].map((status) => ({ status })));
  const answer = await another(mock, 'GET', '/tasks/task_push');
  expect(((await answer.json()) as { data: { status: string } }).data.status).toBe('done');
});

test('asks where the service is when nothing says so, and remembers it', async ({ board, page, mock }) => {
  await page.goto('/');
  await page.getByLabel('Base URL').fill(`${mock.baseUrl}/`);
  await page.getByLabel('API key').fill(mock.keys.find(({ scope }) => scope === 'write')!.value);
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(board.card('Redraw the logo', 'In review')).toBeVisible();
  await page.reload();
  await expect(board.card('Redraw the logo', 'In review')).toBeVisible();
});
