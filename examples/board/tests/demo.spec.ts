// The demo: the same page on the service worker alone, with its server stopped and the network cut.
import { expect, test } from '@playwright/test';
import { preview } from 'vite';

test('works, keeps what was done over a reload, and hears webhooks, with nothing behind it', async ({ context, page }) => {
  const site = await preview({ mode: 'demo', preview: { port: 0, strictPort: false }, logLevel: 'silent' });
  const { port } = site.httpServer.address() as { port: number };
  const column = (name: string) => page.getByRole('region', { name, exact: true });
  const title = 'Blameless review, 45 minutes, with cake';
  const task = (name: string) => column(name).getByRole('button', { name: title, exact: true });
  await page.goto(`http://127.0.0.1:${port}/`);
  await expect(task('To do')).toBeVisible();

  await site.close();
  await context.setOffline(true);
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();

  await page.getByRole('button', { name: `Move “${title}” to In progress` }).press('Enter');
  await expect(task('In progress')).toBeVisible();
  await column('Done')
    .getByRole('button', { name: /^Show more/ })
    .click();
  await expect(column('Done').getByRole('listitem')).toHaveCount(19);
  await page.getByLabel('Project').selectOption('Incident: the basil flood');
  await page.reload();
  await expect(page.getByLabel('Project').locator('option:checked')).toHaveText('Incident: the basil flood');
  await expect(task('In progress')).toBeVisible();

  // A second tab is another user: the first hears of it by webhook.
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole('button', { name: `Move “${title}” to In review` }).press('Enter');
  await expect(task('In review')).toBeVisible();
});
