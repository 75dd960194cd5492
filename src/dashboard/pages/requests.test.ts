// Requests without a browser: the list and its filters, what one request shows, the fork, the journal emptied.
import { describe, expect, test } from 'vitest';
import { keep } from '../../test/closing.ts';
import { send, startDashboard as start } from '../../test/dashboard.ts';
import { ATTACK, hostileMock } from '../../test/hostile.ts';
import { rowsOf } from '../../test/reading.ts';

const LIST = '/dashboard/requests';

describe('the list', () => {
  test('goes back page by page, through each request once', async () => {
    const { get, mock } = await start();
    const headers = mock.auth('read');
    for (let i = 0; i < 120; i++) await mock.fetch(`/tasks?limit=${(i % 100) + 1}`, { headers });
    const seen: string[] = [];
    for (let at: string | undefined = LIST; at; ) {
      const { text } = await get(at);
      seen.push(...rowsOf(text));
      at = /href="([^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, i) => `req_${120 - i}`));
  });

  test('keeps what was filtered when it pages', async () => {
    const { get, mock } = await start();
    for (let i = 0; i < 60; i++) await mock.fetch('/nowhere', { headers: mock.auth('read') });
    expect((await get(`${LIST}?status=404`)).text).toContain('href="/dashboard/requests?status=404&amp;before=req_11"');
  });
});

describe('one request', () => {
  test('shows no key that was made later and no unknown key', async () => {
    const { get, mock } = await start();
    const body = { workspace_id: 'ws_acme', name: 'New', scope: 'read', user_id: 'user_ada' };
    const made = await (await send(mock, '/_mock/data/keys', 'POST', body)).json();
    await mock.fetch('/tasks', { headers: { authorization: `Bearer ${made.value}` } });
    await mock.fetch('/tasks', { headers: { authorization: 'Bearer of-elsewhere' } });
    for (const [id, secret] of [
      ['req_1', made.value],
      ['req_2', 'of-elsewhere'],
    ]) {
      const { text } = await get(`${LIST}/${id}`);
      expect(text).not.toContain(secret);
      expect(text).toContain('Bearer $WM_API_KEY');
    }
  });

  test('stays under 200 kB whatever was sent', async () => {
    const mock = keep(await hostileMock());
    const fields = Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`${ATTACK}${i}`, ATTACK]));
    const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
    const query = Array.from({ length: 300 }, (_, i) => `${encodeURIComponent(ATTACK)}${i}=1`).join('&');
    await mock.fetch(`/projects/p/tasks?${query}`, { method: 'POST', headers, body: JSON.stringify(fields) });
    await mock.fetch(`/tasks?limit=100`, { headers });
    const newest = mock.requests.at(-1)!.id.slice(4);
    for (const path of [LIST, `${LIST}/req_${newest}`, `${LIST}/req_${Number(newest) - 1}`]) {
      const response = await send(mock, path, 'GET', undefined, { accept: 'text/html' });
      const text = await response.text();
      expect([path, response.status, text.length < 200_000, /<img/i.test(text)]).toEqual([path, 200, true, false]);
    }
  });
});
