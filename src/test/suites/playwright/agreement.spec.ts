// Suite: a page that shows what a reload would show agrees, a stale one does not, and the check changes nothing.
import type { Page } from '@playwright/test';
import { expect, test } from 'wm-mock/playwright';

const APP = 'https://app.example.test/';
/** Makes projects and lists them; with `#stale` it forgets to read the list again, with `#hopeful` to take back what failed. */
const HTML = `<title>app</title><h1>Projects</h1><p>You have <b>0</b></p><ul></ul>
<label>Name <input></label><button>Create</button><label>View <select><option>team</option><option>public</option></select></label>
<script>
  const [list, count, field, view] = ['ul', 'b', 'input', 'select'].map((name) => document.querySelector(name));
  const headers = { authorization: 'Bearer wm_tiny_write', 'content-type': 'application/json' };
  const call = async (path, init) => (await fetch('https://api.example.test/v1' + path, { headers, ...init })).json();
  const add = ({ name }) => list.append(Object.assign(document.createElement('li'), { textContent: name }));
  const load = async () => {
    const { items, meta } = await call('/projects?filter[visibility]=' + view.value);
    list.replaceChildren();
    items.forEach(add);
    count.textContent = meta.total;
  };
  const create = async () => {
    const name = field.value;
    field.value = '';
    if (location.hash === '#hopeful') add({ name });
    const { data } = await call('/projects', { method: 'POST', body: JSON.stringify({ name, visibility: view.value }) });
    if (location.hash === '') await load();
    document.body.append(Object.assign(document.createElement('div'), { className: 'toast', textContent: 'Created' }));
  };
  view.onchange = load;
  document.querySelector('button').onclick = create;
  load();
</script>`;

const open = async (page: Page, hash = ''): Promise<void> => {
  await page.route(APP, (route) => route.fulfill({ contentType: 'text/html', body: HTML }));
  await page.goto(APP + hash);
  await expect(page.getByRole('listitem')).toHaveCount(1);
};

const create = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button').click();
  await expect(page.getByText('Created')).toBeVisible();
};

test('a page that follows agrees, whatever the user has open, and the check changes nothing', async ({ mock, page }) => {
  await open(page);
  await create(page, 'Garden');
  await page.getByLabel('Name').fill('half a na');
  const state = () => JSON.stringify([mock.requests, mock.timeline, mock.clock.now, mock.world.save()]);
  const before = state();
  await expect(page).toAgreeWithService();
  expect(state()).toBe(before);
  await page.getByLabel('View').selectOption('public');
  await expect(page.getByRole('listitem')).toHaveCount(0);
  await expect(page).toAgreeWithService();
});

test('a stale list disagrees: the message names what differs, the read and the write', async ({ page }) => {
  await open(page, '#stale');
  await create(page, 'Garden');
  const failure = await expect(page)
    .toAgreeWithService({ timeout: 1000 })
    .then(() => '', String);
  expect(failure).toMatch(/- 1\n +\+ 2/);
  expect(failure).toContain('+ Garden');
  expect(failure).toMatch(/Out of date: GET \/v1\/projects\S* → 200 \(req_1\)/);
  expect(failure).toMatch(/since then: POST \/v1\/projects → 201 \(req_2\)/);
  await expect(page).toAgreeWithService({ ignore: ['ul', 'b'] });
  await expect(page).toAgreeWithService({ within: 'h1' });
  await page.reload();
  await expect(page).toAgreeWithService();
});

test('a change that failed and was not taken back disagrees', async ({ mock, page }) => {
  mock.faults.add({ match: { operation: 'createProject' }, effect: { status: 500 } });
  await open(page, '#hopeful');
  await create(page, 'Garden');
  await expect(expect(page).toAgreeWithService({ timeout: 1000 })).rejects.toThrow(/its last change failed, POST/i);
});

test('a read that a fault failed fails alike, and no fault is used up', async ({ mock, page }) => {
  await page.route(APP, (route) => route.fulfill({ contentType: 'text/html', body: HTML }));
  const { id } = mock.faults.add({ match: { operation: 'listProjects' }, effect: { status: 500 }, times: 2 });
  await page.goto(APP);
  await expect(mock).toHaveReceived('listProjects', 1);
  await expect(page).toAgreeWithService();
  expect(mock.faults.list().find((fault) => fault.id === id)?.hits).toBe(1);
});

test('a second page that opens another or is being left reads nothing of the tested world', async ({ mock, page }) => {
  const read = `fetch('${mock.baseUrl}/users/me', { headers: { authorization: 'Bearer wm_tiny_write' } })`;
  const body = `<p></p><script>
    ${read}.then(async (response) => { document.querySelector('p').textContent = (await response.json()).data.name; });
    if (location.search === '') [onbeforeunload] = [() => void ${read}, open('app?popup')];
  </script>`;
  await page.context().route(`${mock.baseUrl}/app*`, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(`${mock.baseUrl}/app`);
  await expect(mock).toHaveReceived('getMe', 2);
  for (const _ of ['once', 'again']) await expect(page).toAgreeWithService();
  await expect(mock).toHaveReceived('getMe', 2);
  expect(mock.requests).toHaveLength(2);
});

/** Lists tasks by title, two at a time; a click renames one; keys open the count, which no URL tells. */
const TASKS = `<title>tasks</title><p></p><ul></ul><button>More</button><button>Rename</button>
<script>
  const headers = { authorization: 'Bearer wm_tiny_write', 'content-type': 'application/json' };
  const call = async (path, init) => (await fetch('https://api.example.test/v1' + path, { headers, ...init })).json();
  const list = document.querySelector('ul');
  let [shown, cursor, total] = [[], '', 0];
  const show = () => list.replaceChildren(...shown.map(({ title }) => Object.assign(document.createElement('li'), { textContent: title })));
  const more = async () => {
    const { items, meta } = await call('/tasks?limit=2&sort=title' + (cursor && '&cursor=' + cursor));
    [shown, cursor, total] = [[...shown, ...items], meta.next_cursor, meta.total];
    show();
  };
  const [moreButton, renameButton] = document.querySelectorAll('button');
  moreButton.onclick = more;
  renameButton.onclick = async () => {
    const { data } = await call('/tasks/' + shown[0].id, { method: 'PATCH', body: '{"title":"Zebra"}' });
    shown = shown.map((one) => (one.id === data.id ? data : one));
    if (location.hash === '') shown.sort((a, b) => (a.title < b.title ? -1 : 1));
    show();
  };
  onkeydown = ({ key }) => { if (key === 'c') document.querySelector('p').textContent = total + ' tasks of ' + localStorage.owner; };
  more();
</script>`;

const openTasks = async (page: Page, mock: { create: { task(given: object): unknown } }, hash = ''): Promise<void> => {
  for (const title of ['Ant', 'Bee', 'Cat', 'Dog', 'Eel']) mock.create.task({ title });
  await page.route(`${APP}**`, (route) => route.fulfill({ contentType: 'text/html', body: TASKS }));
  await page.goto(APP);
  await page.evaluate(() => localStorage.setItem('owner', 'Ada'));
  await page.goto(`${APP}?${hash}`);
  await expect(page.getByRole('listitem')).toHaveCount(2);
};

test('lists that were joined, keys that were pressed and storage are as in the page', async ({ mock, page }) => {
  await openTasks(page, mock);
  for (const count of [4, 6, 7]) {
    await page.getByRole('button', { name: 'More' }).click();
    await expect(page.getByRole('listitem')).toHaveCount(count);
  }
  await page.keyboard.press('c');
  await expect(page.getByText(/tasks of Ada/)).toBeVisible();
  await expect(page).toAgreeWithService();
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByText('Zebra')).toBeVisible();
  await expect(page).toAgreeWithService();
});

test('why a change was refused, and a later page of a list, agree', async ({ mock, page }) => {
  for (const name of ['Apple', 'Banana', 'Cherry']) mock.create.project({ name, visibility: 'team' });
  const script = `const [ul, alert] = ['ul', 'p'].map((name) => document.querySelector(name));
    const headers = { authorization: 'Bearer wm_tiny_write', 'content-type': 'application/json' };
    const call = async (path, init) => (await fetch('https://api.example.test/v1' + path, { headers, ...init })).json();
    let next = '';
    const show = ({ items, meta: { next_cursor } }) =>
      ([next, ul.innerHTML] = ['&cursor=' + next_cursor, items.map(({ name }) => '<li>' + name + '</li>').join('')]);
    const load = async () => show(await call('/projects?limit=2' + next));
    const create = async () => { alert.textContent = (await call('/projects', { method: 'POST', body: '{"name":""}' })).error.message; }; load()`;
  const body = `<ul></ul><p role="alert"></p><button onclick="create()">Create</button><button onclick="load()">Next</button>`;
  await page.route(APP, (route) => route.fulfill({ contentType: 'text/html', body: `${body}<script>${script}</script>` }));
  await page.goto(APP);
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('alert')).not.toBeEmpty();
  await expect(page).toAgreeWithService();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Cherry')).toBeVisible();
  await expect(page).toAgreeWithService();
});

test('a row that stays where the order no longer has it disagrees', async ({ mock, page }) => {
  await openTasks(page, mock, '#unsorted');
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByText('Zebra')).toBeVisible();
  await expect(expect(page).toAgreeWithService({ timeout: 1000 })).rejects.toThrow(/Zebra/);
});

test('a page of no test with a mock, and an unknown option, are refused', async ({ page }) => {
  await expect(expect(page).toAgreeWithService({ inside: 'ul' } as object)).rejects.toThrow(/inside: unknown field/);
  await expect(expect({} as Page).toAgreeWithService()).rejects.toThrow(/expected a page of a test that has a mock/);
});

test.describe('with agree: always', () => {
  test.use({ mockOptions: { agree: 'always' } });

  test('a change of others that the page could not know is not its fault', async ({ mock, page }) => {
    await open(page);
    await mock.fetch('/projects', {
      method: 'POST',
      headers: { ...mock.auth('write'), 'content-type': 'application/json' },
      body: '{"name":"Theirs"}',
    });
    await page.getByLabel('Name').click();
  });

  test('fails at the next step, though no assertion asks', async ({ page }) => {
    await open(page, '#stale');
    await create(page, 'Garden');
    await page.getByLabel('Name').click();
  });
});
