// A service that is ahead of the page: what v1 may add at any time (fields, values, headers, other words) breaks nothing and is kept.
import { expect, test } from './board';

test.use({ mockOptions: { seed: 'tests/seed.yaml', forwardCompat: true } });

test('a value that is newer than the page is shown, and stays when something else is edited', async ({ board, page, mock }) => {
  await board.open();
  const card = board.card('Draft the launch post', 'To do');
  await expect(card.getByRole('img', { name: 'Priority: critical' })).toBeVisible();
  await card.getByRole('button', { name: 'Draft the launch post', exact: true }).click();
  await expect(page.getByRole('dialog').getByLabel('Priority')).toHaveValue('critical');
  await page.getByLabel('Title').fill('Finish the launch post');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(board.card('Finish the launch post', 'To do')).toHaveAttribute('data-saving', 'false');
  const edits = mock.requests.filter(({ operation }) => operation === 'updateTask').map(({ request }) => request.body);
  expect(edits).toEqual([{ title: 'Finish the launch post' }]);
  await board.move('Finish the launch post', 'In progress');
  await expect(board.card('Finish the launch post', 'In progress')).toHaveAttribute('data-saving', 'false');
  expect(mock).toHaveSurvivedForwardCompat();
});
