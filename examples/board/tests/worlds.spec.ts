// Isolation: whatever happens in one world is seen in no other, though all share one page, one server and one name for each task.
import { another, Board, expect, test } from './board';

test('two boards on two worlds at the same time see only their own tasks', async ({ board, browser, baseURL, mock }) => {
  const context = await browser.newContext({ baseURL: baseURL! });
  const other = new Board(await context.newPage(), mock.fork());
  await Promise.all([board.open(), other.open()]);
  await Promise.all([board.move('Choose the fonts', 'In progress'), other.move('Redraw the logo', 'Done')]);
  // A page that is loaded anew sends nothing more.
  await expect(board.card('Choose the fonts', 'In progress')).toHaveAttribute('data-saving', 'false');
  await expect(other.card('Redraw the logo', 'Done')).toHaveAttribute('data-saving', 'false');
  await another(mock, 'PATCH', '/tasks/task_draft', { title: 'Only here' });
  await Promise.all([board.page.reload(), other.page.reload()]);

  await expect(board.card('Choose the fonts', 'In progress')).toBeVisible();
  await expect(board.card('Redraw the logo', 'In review')).toBeVisible();
  await expect(board.card('Only here')).toBeVisible();
  await expect(other.card('Choose the fonts', 'To do')).toBeVisible();
  await expect(other.card('Redraw the logo', 'Done')).toBeVisible();
  await expect(other.card('Draft the launch post')).toBeVisible();
  expect([...board.asked, ...other.asked]).toEqual([mock.baseUrl, other.mock.baseUrl]);
  await context.close();
});

// The same task, by the same id, goes another way in each test; they run beside each other, in any order.
for (const [to, column] of [
  ['In progress', 'In progress'],
  ['Backlog', 'Backlog'],
] as const) {
  for (const round of [1, 2, 3]) {
    test(`a task that others move elsewhere is moved to ${to}, round ${round}`, async ({ board, mock }) => {
      await board.open();
      await expect(board.card('Send push messages', 'To do')).toBeVisible();
      await board.move('Send push messages', to);
      await expect(board.card('Send push messages', column)).toHaveAttribute('data-saving', 'false');
      await expect(mock).toHaveReceived('updateTask', 1);
    });
  }
}
