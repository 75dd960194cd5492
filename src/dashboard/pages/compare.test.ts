// Two worlds compared on a page: counts, records with their fields, deliveries, and the way to the rest.
import { expect, test } from 'vitest';
import { startAcknowledged as start } from '../../test/dashboard.ts';
import { linesOf, mainOf } from '../../test/reading.ts';

test('a world is compared with how it began where nothing is chosen', async () => {
  const { get, mock } = await start();
  const page = async () => mainOf((await get('/dashboard/compare')).text);
  const empty = await page();
  expect(empty).not.toContain('class="pager"');
  expect(empty).not.toContain('card flush');
  mock.update.project('proj_app', { name: 'Renamed' });
  const html = await page();
  const lines = linesOf(html);
  expect(lines[1]).toBe(`From default as it began to default: ${mock.deliveries.length} created, 0 gone, 1 changed.`);
  expect(html).toContain('aria-label="Fields of projects/proj_app"');
  expect(html).toContain('card flush');
  expect(lines.join(' ')).toMatch(
    /changed projects \(\/dashboard\/timeline\?record=proj_app\) proj_app Renamed 2 fields Field \| Before \| After name \| was .* \| is Renamed/,
  );
});

test('two worlds are compared in both directions', async () => {
  const { get, mock } = await start();
  const other = mock.fork({ id: 'other' });
  other.create.project({ name: 'Made' });
  mock.remove.comment(mock.read.comments()[0]!.id);
  const linesAt = async (path: string) => linesOf(mainOf((await get(path)).text));
  const lines = await linesAt('/dashboard/compare?from=other');
  const removed = 2 + other.deliveries.length;
  expect(removed).toBeGreaterThan(2);
  expect(lines[1]).toBe(`From other to default: 0 created, ${removed} gone, 0 changed.`);
  const [{ id } = { id: '' }] = other.deliveries;
  for (const part of [
    `${removed} differences`,
    'gone projects (/dashboard/timeline?record=proj_',
    `gone deliveries (/dashboard/webhooks/deliveries/${id}) ${id}`,
    'From from: as it began default *other To to: *default, this one other Apply (/dashboard/compare) Clear',
  ])
    expect(lines.join(' ')).toContain(part);
  const reverse = await linesAt('/worlds/other/dashboard/compare?to=default');
  expect(reverse[1]).toBe('From default as it began to default: 0 created, 1 gone, 0 changed.');
  expect(reverse.join(' ')).toContain('To to: other, this one *default Apply');
  expect((await get('/dashboard/compare?to=none')).status).toBe(404);
});

test('a world that was opened here is compared with the one that it is a copy of, and what one lacks is folded', async () => {
  const { get, act, mock } = await start();
  await act('/dashboard/worlds', { do: 'createWorld', id: 'copy', from: 'current' });
  mock.remove.comment(mock.read.comments()[0]!.id);
  const { text } = await get('/worlds/copy/dashboard/compare');
  const lines = linesOf(mainOf(text)).join(' ');
  expect(lines).toContain(' From default to copy: 1 created, 0 gone, 0 changed. From from: as it began *default copy To');
  const began = await get('/worlds/copy/dashboard/compare?from=');
  expect(linesOf(mainOf(began.text))[1]).toBe('From copy as it began to copy: 0 created, 0 gone, 0 changed.');
  expect(text).toMatch(/<details class="fold"><summary>\d fields<\/summary><section class="table"[^>]*"Fields of comments/);
});

test('one difference is counted in the singular', async () => {
  const { get, mock } = await start();
  mock.remove.comment(mock.read.comments()[0]!.id);
  expect(linesOf(mainOf((await get('/dashboard/compare')).text)).join(' ')).toContain('1 difference ');
});

test('a page has twenty-five differences and links to the next and the first', async () => {
  const { get, mock } = await start();
  for (const { id } of mock.read.webhooks()) mock.remove.webhook(id);
  for (let i = 0; i < 26; i++) mock.create.team({ name: `Team ${i}` });
  const page = async (query: string) => mainOf((await get(`/dashboard/compare${query}`)).text);
  const first = await page('');
  const next = /href="([^"]*)" rel="next"/.exec(first)![1]!;
  expect(next).toMatch(/^\/dashboard\/compare\?cursor=/);
  expect(first.match(/class="change"/g)).toHaveLength(25);
  expect(linesOf(first).join(' ')).toMatch(/Records first, then deliveries\. \([^)]*\) More$/);
  expect(first).not.toContain('>First<');
  const second = await page(next.slice(next.indexOf('?')));
  expect(second).not.toContain('rel="next"');
  expect(linesOf(second).join(' ')).toContain('(/dashboard/compare) First');
  expect(second).toContain('class="pager"');
});
