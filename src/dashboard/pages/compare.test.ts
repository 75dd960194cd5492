// Two worlds compared on a page: counts, records with their fields, deliveries, and the way to the rest.
import { expect, test } from 'vitest';
import { ACKNOWLEDGED, dashboards } from '../../test/dashboard.ts';
import { linesOf, mainOf } from '../../test/reading.ts';

const start = dashboards((asked = {}) => ({ ...ACKNOWLEDGED, ...asked }));

test('without a choice, a world is compared with how it began', async () => {
  const { get, mock } = await start();
  const page = async () => mainOf((await get('/dashboard/compare')).text);
  const none = await page();
  expect(linesOf(none).slice(0, 2)).toEqual([
    'Compare worlds',
    'From default as it began to default: 0 created, 0 gone, 0 changed.',
  ]);
  expect(linesOf(none).join(' ')).toContain(
    '0 differences Nothing differs Records, keys, registrations and deliveries are the same in both.',
  );
  expect(none).not.toContain('class="pager"');
  expect(none).not.toContain('card flush');
  expect(none).toContain('id="differences" data-live=""');
  expect(none.match(/<option value="" selected="">/g)).toHaveLength(2);
  mock.update.project('proj_app', { name: 'Renamed' });
  const lines = linesOf(await page());
  expect(lines[1]).toBe(
    'From default as it began to default: 0 created, 0 gone, 1 changed.'.replace(
      '0 created',
      `${mock.deliveries.length} created`,
    ),
  );
  const said = lines.join(' ');
  expect(await page()).toContain('aria-label="What differs in projects/proj_app"');
  expect(await page()).toContain('card flush');
  expect(said).toContain('changed projects (/dashboard/timeline?record=proj_app) proj_app Field | Before | After name | was');
  expect(said).toContain('| is Renamed');
});

test('two worlds are chosen, from each of which a link leads on', async () => {
  const { get, mock } = await start();
  const other = mock.fork({ id: 'other' });
  other.create.project({ name: 'Made' });
  mock.remove.comment(mock.read.comments()[0]!.id);
  const html = mainOf((await get('/dashboard/compare?from=other')).text);
  const lines = linesOf(html);
  const deliveries = other.deliveries.length;
  expect(deliveries).toBeGreaterThan(0);
  expect(lines[1]).toBe(`From other to default: 0 created, ${2 + deliveries} gone, 0 changed.`);
  expect(lines.join(' ')).toContain(`${2 + deliveries} differences`);
  expect(lines.join(' ')).toContain('gone projects (/dashboard/timeline?record=proj_');
  expect(lines.join(' ')).toContain(
    `gone deliveries (/dashboard/webhooks/deliveries/${other.deliveries[0]!.id}) ${other.deliveries[0]!.id}`,
  );
  const form = /<form method="get"[\s\S]*?<\/form>/.exec(html)![0];
  expect(form).toContain('aria-label="Choose two worlds"');
  expect(linesOf(form).join(' ')).toBe(
    'From from: as it began default *other To to: *default, this one other Compare (/dashboard/compare) Clear',
  );
  const there = mainOf((await get('/worlds/other/dashboard/compare?to=default')).text);
  expect(linesOf(there)[1]).toBe('From default as it began to default: 0 created, 1 gone, 0 changed.');
  expect(linesOf(/<form method="get"[\s\S]*?<\/form>/.exec(there)![0]).join(' ')).toContain(
    'To to: other, this one *default Compare',
  );
  expect((await get('/dashboard/compare?to=none')).status).toBe(404);
});

test('one difference is said as one', async () => {
  const { get, mock } = await start();
  mock.remove.comment(mock.read.comments()[0]!.id);
  expect(linesOf(mainOf((await get('/dashboard/compare')).text)).join(' ')).toContain('1 difference ');
});

test('there are twenty-five on a page, and ways on and back', async () => {
  const { get, mock } = await start();
  for (const { id } of mock.read.webhooks()) mock.remove.webhook(id);
  const gone = mock.diff(mock).items.length;
  expect(gone).toBe(0);
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
