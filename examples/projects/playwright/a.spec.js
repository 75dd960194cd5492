import { expect, test } from 'wm-mock/playwright';

test.use({ mockOptions: { apiUrl: 'https://api.example.com/v1' } });
test('an app is served by its world', async ({ mock, page }) => {
  mock.faults.add({ match: { operation: 'listProjects' }, effect: { status: 500 } });
  await page.setContent(
    "<p>Loading</p><script>fetch('https://api.example.com/v1/projects', { headers: { authorization: 'Bearer wm_read' } }).then((r) => { document.querySelector('p').textContent = r.status; })</script>",
  );
  await expect(page.getByText('500')).toBeVisible();
  await expect(mock).toHaveReceived('listProjects', 1);
});
