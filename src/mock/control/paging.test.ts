// Each list of the control API is paged by `limit` and `cursor`; without them it is whole, as far as it may be shown at once.
import { expect, test } from 'vitest';
import { type Asking, asking } from '../../test/asking.ts';
import { keep } from '../../test/closing.ts';
import { pageOfRows } from './call.ts';
import { CONTROL_IDS, controlRow } from './operations.ts';

/** Makes three things and more of each kind. */
const start = async (): Promise<Asking> => {
  const play = keep(await asking({ seed: 'demo', plan: 'unlimited', now: '2025-01-20T09:00:00Z' }));
  const { control, service } = play;
  for (let i = 0; i < 3; i++) {
    await control('POST', '/snapshots');
    await control('POST', '/worlds', { id: `w${i}` });
    await control('POST', '/faults', { effect: { delay_ms: 0 } });
    await control('POST', '/inbox/box', `${i}`);
    await service('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook' }, 'wm_acme_admin');
    await service('POST', '/projects', { name: `p${i}` }, 'wm_acme_admin');
  }
  await play.mock.webhooks.settled();
  return play;
};

const pathOf = (id: (typeof CONTROL_IDS)[number]) => controlRow(id).path.replace('{name}', 'box');
const LISTS = CONTROL_IDS.filter((id) => 'next_cursor' in ((controlRow(id).response?.properties ?? {}) as object));

test('pages together hold what the whole list does, in its order; those of a log begin with the newest, as its row says', async () => {
  const { control: ask } = await start();
  expect(LISTS).toHaveLength(16);
  for (const id of LISTS) {
    const path = pathOf(id);
    const { items, next_cursor } = (await ask('GET', path)).body;
    expect([id, next_cursor]).toEqual([id, undefined]);
    const log = ['listDeliveries', 'listMessages', 'listRequests', 'listTimeline'].includes(id);
    const ids: string[] = [];
    let cursor = '';
    for (let page = 0; page === 0 || cursor !== ''; page++) {
      const { body } = await ask('GET', `${path}?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      const found = body.items.map((item: { id: string }) => item.id);
      if (log) ids.unshift(...found);
      else ids.push(...found);
      expect(found.length).toBe(body.next_cursor ? 2 : Math.min(found.length, 2));
      cursor = body.next_cursor ?? '';
    }
    expect([id, ids]).toEqual([id, items.map((item: { id: string }) => item.id)]);
  }
  for (const id of ['listRequests', 'listTimeline'] as const)
    expect(controlRow(id).description).toContain('`limit` returns that many of the newest, in the same order.');
});

test('a page that is not there is refused, and so is a limit that is none', async () => {
  const { control: ask } = await start();
  for (const id of LISTS) {
    const path = pathOf(id);
    for (const query of ['cursor=nothing', 'limit=0', 'limit=-1', 'limit=2&limit=3']) {
      const { status, body } = await ask('GET', `${path}?${query}`);
      const refused = query.startsWith('cursor') ? [422, 'cursor'] : [400, 'limit'];
      expect([id, query, status, body.error.details.fields[0].field]).toEqual([id, query, ...refused]);
    }
  }
});

test('a page without a limit ends after 16 MB, two bytes a character, and the next one continues', async () => {
  const { mock, control: ask, service: call } = await start();
  const body = 'x'.repeat(800_000);
  for (let i = 0; i < 9; i++) await ask('POST', '/inbox/long', body);
  // A message has what was sent as a text and as a body.
  const first = (await ask('GET', '/inbox/long/messages')).body;
  const next = (await ask('GET', `/inbox/long/messages?cursor=${first.next_cursor}`)).body;
  const rest = (await ask('GET', `/inbox/long/messages?cursor=${next.next_cursor}`)).body;
  expect([first, next, rest].map(({ items }) => items.length)).toEqual([4, 4, 1]);
  expect([first.next_cursor, rest.next_cursor]).toEqual([first.items[0].id, undefined]);
  const ids = [rest, next, first].flatMap(({ items }) => items.map(({ id }: { id: string }) => id));
  expect([new Set(ids).size, ids]).toEqual([9, [...ids].sort()]);

  const { id } = mock.create.project();
  for (let i = 0; i < 70; i++) mock.create.task({ project_id: id, description: 'x'.repeat(9900) });
  await ask('DELETE', '/requests');
  for (let i = 0; i < 25; i++) await call('GET', `/projects/${id}/tasks?limit=${100 - i}`, undefined, 'wm_acme_admin');
  const { items } = (await ask('GET', '/requests')).body;
  const { log } = (await ask('GET', '/har')).body;
  expect([items.length, log.comment, log.entries.length]).toEqual([11, 'the newest 22 of 25', 22]);
  expect(items.map(({ id }: { id: string }) => id)).toEqual(mock.requests.slice(-11).map(({ id }) => id));
  expect(JSON.parse(log.entries.at(-1).response.content.text).meta.limit).toBe(76);
});

test('an item larger than a page may be is on one alone', () => {
  const rows = ['a', 'b', 'c'].map((id) => ({ id, text: 'x'.repeat(9_000_000) }));
  const results = [pageOfRows({}, rows), pageOfRows({ cursor: 'a' }, rows), pageOfRows({ cursor: 'b' }, rows)];
  expect(results).toEqual([{ items: [rows[0]], next_cursor: 'a' }, { items: [rows[1]], next_cursor: 'b' }, { items: [rows[2]] }]);
  expect(pageOfRows({}, rows, 'log')).toEqual({ items: [rows[2]], next_cursor: 'c' });
});
