// Records found by their words, and links to records that are elsewhere in the list or in another workspace.
import { describe, expect, test } from 'vitest';
import { DEMO_AT, startDashboard as start } from '../../test/dashboard.ts';
import { linesOf, mainOf, partOf, rowsOf } from '../../test/reading.ts';

const TASKS = '/dashboard/data/tasks';
const pager = (text: string) => linesOf(/<nav class="pager"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '').join(' ');
const notice = (text: string) => linesOf(/<p class="notice warn" role="status">[\s\S]*?<\/p>/.exec(text)?.[0] ?? '').join(' ');

describe('A search', () => {
  test.each([
    ['tasks?q=BASIL', 'title'],
    ['projects?q=relaunch', 'name'],
    ['users?q=priya@', 'email'],
    ['comments?q=FACTORY', 'body'],
    ['teams?q=team_launch', 'id'],
  ])('by %s looks into the %s, whatever the case', async (path, field) => {
    const { get, mock } = await start();
    const [, name, text] = /^(\w+)\?q=(.*)$/.exec(path)!;
    const wanted = decodeURIComponent(text!).toLowerCase();
    const all = mock.world.store[name as 'tasks'].all().filter(({ workspace }) => workspace === 'ws_acme');
    const textOf = (value: object): string => (value as Record<string, string>)[field]!.toLowerCase();
    const fit = all.filter(({ value }) => textOf(value).includes(wanted));
    const found = rowsOf((await get(`/dashboard/data/${path}`)).text);
    expect(fit.length).toBeGreaterThan(0);
    for (const { value } of fit.slice(0, 50)) expect(found).toContain(value.id);
  });

  test('takes signs for themselves', async () => {
    const { get, mock } = await start();
    const { id } = mock.create.task({ title: 'Half [a] (b) c.d $1 \\ | ^' });
    for (const text of ['[A]', '(b) c', 'C.D', '$1', '\\ |', '^'])
      expect(rowsOf((await get(`${TASKS}?q=${encodeURIComponent(text)}`)).text)).toEqual([id]);
    expect(rowsOf((await get(`${TASKS}?q=c%5Ed`)).text)).toEqual([]);
  });

  test('keeps the filters and the sort of the list, and its own workspace', async () => {
    const { get } = await start();
    const both = rowsOf((await get(`${TASKS}?q=the&limit=100`)).text);
    const done = rowsOf((await get(`${TASKS}?q=the&filter[status]=done&sort=title&limit=100`)).text);
    const whole = rowsOf((await get(`${TASKS}?filter[status]=done&sort=title&limit=100`)).text);
    expect(done).toEqual(whole.filter((id) => both.includes(id)));
    expect(done.length).toBeGreaterThan(0);
    expect(both.length).toBeGreaterThan(done.length);
    expect(rowsOf((await get(`${TASKS}?q=task_globex`)).text)).toEqual([]);
  });

  test('stays with the task that comments are listed for', async () => {
    const { get, mock } = await start();
    const [one] = mock.world.store.comments.all();
    const { task_id, id } = one!.value as { task_id: string; id: string };
    const words = encodeURIComponent((one!.value as { body: string }).body.slice(0, 12));
    const path = `/dashboard/data/comments?workspace=${one!.workspace}&q=${words}&task_id=`;
    expect(rowsOf((await get(path + task_id)).text)).toContain(id);
    expect(rowsOf((await get(`${path}task_other`)).text)).toEqual([]);
  });

  test('the search pages through each match once, and back to the first', async () => {
    const { get } = await start();
    const all = rowsOf((await get(`${TASKS}?q=e&limit=1000`)).text);
    const seen: string[] = [];
    const pagers: string[] = [];
    for (let at: string | undefined = `${TASKS}?q=e&limit=40`; at; ) {
      const { text } = await get(at);
      seen.push(...rowsOf(text));
      pagers.push(pager(text));
      at = /href="([^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen).toEqual(all);
    expect(pagers).toEqual([
      `1–40 of ${all.length} (${TASKS}?q=e&limit=40&from=40) Next ${all.length - 40}`,
      `41–${all.length} of ${all.length} (${TASKS}?q=e&limit=40) First page`,
    ]);
    expect(rowsOf((await get(`${TASKS}?q=e`)).text)).toEqual(all.slice(0, 50));
    expect(rowsOf((await get(`${TASKS}?q=e&limit=x`)).text)).toEqual(all.slice(0, 1));
    expect(rowsOf((await get(`${TASKS}?q=e&limit=0&from=-3`)).text)).toEqual(all.slice(0, 1));
    expect(rowsOf((await get(`${TASKS}?q=e&limit=3&from=2.9`)).text)).toEqual(all.slice(2, 5));
  });

  test('for an id opens the record, wherever in the list or in which workspace it is', async () => {
    const { get, mock } = await start();
    const { text } = await get(`${TASKS}?q=%20task_launch_name&open=task_other`);
    expect(rowsOf(text)[0]).toBe('task_launch_name');
    expect(text).toContain('<tr data-row="task_launch_name open" class="open">');
    const { value } = mock.world.store.tasks.all().find(({ workspace }) => workspace === 'ws_globex')!;
    expect(notice((await get(`${TASKS}?q=${value.id}`)).text)).toContain('is in Globex Antique Globes');
    expect(notice((await get(`${TASKS}?q=task_launch`)).text)).toBe('');
  });

  test('for what is nowhere finds nothing, and offers the way out', async () => {
    const { get } = await start();
    const { text } = await get(`${TASKS}?q=nothing-of-that`);
    expect(linesOf(partOf(mainOf(text), 'rows')).join(' ')).toBe(
      `No task fits Nothing in this workspace has what you ask for. (${TASKS}?workspace=ws_acme) Show all tasks .`,
    );
    expect(rowsOf((await get(`${TASKS}?q=%20`)).text)).toHaveLength(20);
    expect(linesOf(mainOf(text))).toContain(`Find tasks q=nothing-of-that Apply (${TASKS}?workspace=ws_acme) Clear`);
    for (const [name, words] of [
      ['tasks', 'Title or id'],
      ['comments', 'Text or id'],
      ['teams', 'Name or id'],
    ])
      expect((await get(`/dashboard/data/${name}`)).text).toContain(`placeholder="${words}"`);
  });
});

describe('A link to a record', () => {
  test('opens it, though the page of the list has it not, above the others', async () => {
    const { get } = await start();
    const [first] = rowsOf((await get(`${TASKS}?limit=2`)).text);
    const { text } = await get(`${TASKS}?limit=2&open=task_launch_name`);
    expect(rowsOf(text)).toEqual(['task_launch_name', first, expect.any(String)]);
    expect(text).toContain('<tr data-row="task_launch_name open" class="open">');
    expect([pager(text).startsWith('1–2 of'), notice(text)]).toEqual([true, '']);
    const none = await get(`${TASKS}?q=nothing-of-that&open=task_launch_name`);
    expect(rowsOf(none.text)).toEqual(['task_launch_name']);
    expect(rowsOf((await get(`${TASKS}?limit=2&open=${first}`)).text)).toHaveLength(2);
  });

  test.each(['id', 'open'])('for a record of another workspace says so by ?%s=, and leads there', async (name) => {
    const { get, mock } = await start();
    const { value } = mock.world.store.tasks.all().find(({ workspace }) => workspace === 'ws_globex')!;
    const { text } = await get(`${TASKS}?${name}=${value.id}`);
    const there = `${TASKS}?workspace=ws_globex&id=${value.id}`;
    expect(notice(text)).toBe(`${value.id} is in Globex Antique Globes. (${there}) Open it there`);
    expect(rowsOf((await get(there)).text)).toEqual([value.id]);
  });

  test('says so when the record is gone', async () => {
    const { get } = await start(DEMO_AT);
    expect(notice((await get(`${TASKS}?open=task_gone`)).text)).toBe('There is no task task_gone: it was deleted, or never was.');
    const long = `user_${'x'.repeat(56)}`;
    expect(notice((await get(`/dashboard/data/users?id=%20${long}`)).text)).toContain(
      `no user ${long.slice(0, 60)}… (61 characters)`,
    );
    const { text } = await get(`${TASKS}?id=%20task_launch_name%20`);
    expect([notice(text), rowsOf(text), pager(text)]).toEqual(['', ['task_launch_name'], '1–1 of 1']);
  });
});
