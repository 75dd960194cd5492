// Live updates: the service tells the inbox by webhook what others did, and the board follows.
import { another, expect, test } from './board';

const EVENTS = ['task.created', 'task.updated', 'task.deleted'];

test.beforeEach(async ({ board, page, mock }) => {
  await another(mock, 'POST', '/webhooks', { url: `${mock.controlUrl}/inbox/board`, events: EVENTS });
  await board.open();
  await expect(page.getByText('Live')).toBeVisible();
  await expect(board.card('Redraw the logo', 'In review')).toBeVisible();
  // What is counted below begins when all columns are there.
  await expect(page.getByRole('status', { name: /^Loading / })).toHaveCount(0);
});

test('what somebody else changes, creates and deletes appears by itself', async ({ board, mock }) => {
  await another(mock, 'PATCH', '/tasks/task_logo', { status: 'done', title: 'Redraw the logo again' });
  await expect(board.card('Redraw the logo again', 'Done')).toBeVisible();
  await expect(mock).toHaveDelivered('task.updated', { data: { task: { id: 'task_logo', status: 'done' } } });

  await another(mock, 'POST', '/projects/proj_app/tasks', { title: 'From the phone', status: 'todo' });
  await expect(board.card('From the phone', 'To do')).toBeVisible();

  await another(mock, 'DELETE', '/tasks/task_draft');
  await expect(board.card('Draft the launch post')).toHaveCount(0);
});

test('an event that is delivered twice, and the user’s own, make the board ask for nothing', async ({ board, page, mock }) => {
  // The event overtakes the response to the user's own request.
  await page.route('**/tasks/*', async (route) => {
    const response = await route.fetch();
    await expect(mock).toHaveDelivered('task.updated');
    await route.fulfill({ response });
  });
  await board.move('Choose the fonts', 'In progress');
  await expect(board.card('Choose the fonts', 'In progress')).toHaveAttribute('data-saving', 'false');
  await expect(mock).toHaveDelivered('task.updated');
  const [delivery] = mock.deliveries;
  mock.webhooks.replay(delivery!.id);
  await mock.clock.advance(0);
  await another(mock, 'PATCH', '/tasks/task_logo', { status: 'done' });
  await expect(board.card('Redraw the logo', 'Done')).toBeVisible();
  // Five columns at the start, five for the one change that was news.
  await expect(mock).toHaveReceived('listTasks', 10);
});
