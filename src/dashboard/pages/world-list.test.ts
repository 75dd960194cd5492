// The list of worlds: titles, outcomes and requests; search, opening, deletion.
import { describe, expect, test, vi } from 'vitest';
import type { Repro } from '../../mock/recording/steps.ts';
import { replay } from '../../replay.ts';
import { send, startDashboard as start } from '../../test/dashboard.ts';
import { linesOf, mainOf, rowsOf } from '../../test/reading.ts';

const LIST = '/dashboard/worlds';
const rows = (text: string) => linesOf(mainOf(text)).filter((line) => line.includes(' | '));

describe('The worlds', () => {
  test('are listed with title, outcome and requests, the default one first, then the newest', async () => {
    const { get, mock } = await start();
    const one = mock.fork({ id: 'one', title: 'cart › pays' });
    const two = mock.fork({ id: 'two' });
    await one.fetch('/teams', { headers: one.auth('read') });
    await two.fetch('/teams');
    await two.fetch('/teams', { headers: two.auth('read') });
    await two.fetch('/tasks?cursor=x', { headers: two.auth('read') });
    two.faults.add({ effect: { abort: true } });
    await two.fetch('/teams').catch(() => {});
    mock.fork({ id: 'idle' });
    const { text } = await get(LIST);
    expect(rowsOf(text)).toEqual(['default', 'idle', 'two', 'one']);
    expect(rows(text)).toEqual([
      'World | Outcome | Requests | Opened | Last asked | Actions',
      '(/) default [info] this one | — | 0 | just now | just now |',
      '(/worlds/idle/) idle | — | 0 | just now | just now |',
      '(/worlds/two/) two | [refused] 3 refused | 4 | just now | just now |',
      '(/worlds/one/) cart › pays one | — | 1 | just now | just now |',
    ]);
    const there = await get(`/worlds/one${LIST}`);
    expect(rows(there.text)[1]).toMatch(/^\(\/\) default \| —/);
    expect(rows(there.text)[4]).toMatch(/^\(\/worlds\/one\/\) cart › pays \[info\] this one one \|/);
    expect(there.text).toContain('<title>Worlds · cart › pays · wm-mock</title>');
    expect(there.text).toMatch(
      /<span class="strong">cart › pays<\/span>[\s\S]*<a href="\/worlds\/one\/dashboard\/worlds" aria-current="true">cart › pays<\/a>/,
    );
    expect((await get('/')).text).toMatch(
      /href="\/dashboard\/worlds"><span class="tile-number">4<\/span><span class="tile-label">worlds/,
    );
    expect(linesOf(mainOf(text))).toEqual(
      expect.arrayContaining(['Open a world', 'id=two It is gone with all it holds. {deleteWorld} Delete two']),
    );
    expect(text).not.toContain('Delete default');
  });

  test('say how their test ended, as the control API was told', async () => {
    const { get, mock } = await start();
    const note = (id: string, body: object) => send(mock, `/_mock/worlds/${id}`, 'PATCH', body);
    for (const id of ['good', 'bad', 'none']) mock.fork({ id, title: `Test ${id}` });
    await note('good', { outcome: 'passed' });
    const response = await note('bad', { outcome: 'failed', title: 'Cart' });
    expect(await response.json()).toMatchObject({ id: 'bad', title: 'Cart', outcome: 'failed' });
    const { text } = await get(LIST);
    expect(rows(text).map((row) => row.split(' | ').slice(0, 2).join(' '))).toEqual([
      'World Outcome',
      '(/) default [info] this one —',
      '(/worlds/none/) Test none none —',
      '(/worlds/bad/) Cart bad [bad] failed',
      '(/worlds/good/) Test good good [good] passed',
    ]);
    expect(rowsOf((await get(`${LIST}?outcome=failed`)).text)).toEqual(['bad']);
    expect(rowsOf((await get(`${LIST}?q=test&outcome=passed`)).text)).toEqual(['good']);
  });

  test('are deleted where they are listed, and from within', async () => {
    const { act, mock } = await start();
    for (const id of ['one', 'two']) mock.fork({ id });
    const first = await act(`${LIST}?q=o`, { do: 'deleteWorld', id: 'one' });
    expect([first.to, first.text.includes('one is deleted.'), rowsOf(first.text)]).toEqual([`${LIST}?q=o&note=1`, true, ['two']]);
    const { to, text } = await act(`/worlds/two${LIST}`, { do: 'deleteWorld', id: 'two' });
    expect([to, text.includes('two is deleted.'), rowsOf(text)]).toEqual([`${LIST}?note=2`, true, ['default']]);
    const created = await act(LIST, { do: 'createWorld', id: 'three', from: 'current' });
    expect([created.to, created.text.includes('This is three, a world of its own.')]).toEqual(['/worlds/three/?note=1', true]);
  });

  test('stay readable after deletion where they are recorded, the last twenty that were used', async () => {
    const { get, post, mock } = await start({ record: true });
    const ended = async (id: string, title = id) => {
      const world = mock.fork({ id, title });
      await world.fetch('/teams', { headers: world.auth('read') });
      await world.close();
    };
    await mock.fork({ id: 'unused' }).close();
    await ended('one', 'cart › pays');
    await ended('two');
    const { text } = await get(LIST);
    expect(rowsOf(text)).toEqual(['default', 'two', 'one']);
    expect(rows(text)[3]).toBe(
      '(/worlds/one/) cart › pays one | — | 1 | just now | just now | (/worlds/one/_mock/repro) Repro file',
    );
    expect(text).toContain('download="one.wm.json"');
    expect(text).not.toContain('looked at');
    const searched = await get('/worlds/one/dashboard/requests');
    expect(rowsOf(searched.text)).toEqual(['req_1']);
    expect(searched.text).toContain('<p>This world is gone: it can be looked at, not changed.</p>');
    expect(rowsOf((await get('/dashboard/requests?q=world:pays')).text)).toEqual(['one req_1']);
    const control = (path: string, method?: string) => send(mock, `/worlds/one/_mock${path}`, method);
    const repro = (await (await control('/repro')).json()) as Repro;
    expect([repro.world, (await replay(repro)).difference]).toEqual(['one', undefined]);
    expect((await mock.save()).steps.some(({ world }) => world === 'one')).toBe(false);
    expect([(await control('/reset', 'POST')).status, (await control('/requests')).status]).toEqual([404, 200]);
    expect((await send(mock, '/worlds/one/v1/teams')).status).toBe(404);
    expect((await post('/worlds/one/dashboard/faults', { do: 'preset', preset: 'offline' })).text).toContain(
      'No world has the id',
    );
    mock.fork({ id: 'two' });
    expect(rowsOf((await get(LIST)).text)).toEqual(['default', 'two', 'one']);
    for (let i = 0; i < 20; i++) await ended(`more-${i}`);
    expect(rowsOf((await get(LIST)).text).filter((id) => id !== 'two')).toEqual([
      'default',
      ...Array.from({ length: 20 }, (_, i) => `more-${19 - i}`),
    ]);
    expect((await control('/requests')).status).toBe(404);
  });

  test('are dropped after deletion for lack of memory or without a recording', async () => {
    const { get, mock } = await start({ record: true, memory: 8 });
    const world = mock.fork({ id: 'one' });
    await world.fetch('/teams');
    await world.close();
    expect(rowsOf((await get(LIST)).text)).toEqual(['default', 'one']);
    for (let i = 0; i < 2000; i++) mock.create.project({ name: `P${i}`, description: 'x'.repeat(999) });
    expect(rowsOf((await get(LIST)).text)).toEqual(['default']);
    const plain = await start();
    const other = plain.mock.fork({ id: 'one' });
    await other.fetch('/teams');
    await other.close();
    expect(rowsOf((await plain.get(LIST)).text)).toEqual(['default']);
  });

  test('keep the tick for own keys when their name is refused', async () => {
    const { text } = await (await start()).post(LIST, { do: 'createWorld', id: '.', mint_keys: 'yes' });
    expect(text).toMatch(/name="mint_keys" value="yes" checked/);
  });

  test('are found by the words of their titles and ids', async () => {
    const { get, mock } = await start();
    mock.fork({ id: 'w_1', title: 'Cart › pays' });
    mock.fork({ id: 'w_2' });
    expect(rowsOf((await get(`${LIST}?q=CART%20%20`)).text)).toEqual(['w_1']);
    expect(rowsOf((await get(`${LIST}?q=W_`)).text)).toEqual(['w_2', 'w_1']);
    expect(rowsOf((await get(`${LIST}?q=default`)).text)).toEqual(['default']);
    const { text } = await get(`${LIST}?q=nothing`);
    expect(linesOf(mainOf(text))).toEqual(expect.arrayContaining(['No world fits', `None has these words. (${LIST}) Show all`]));
    expect(linesOf(mainOf(text))).toContain('Find a world q=nothing');
    expect(linesOf(mainOf(text))).toContain(`Outcome outcome: *any passed failed Apply (${LIST}) Clear`);
    const searched = await get('/dashboard/requests?q=world:pays');
    expect(searched.text).toContain('No requests yet');
    await send(mock, '/worlds/w_1/v1/teams');
    expect(rowsOf((await get('/dashboard/requests?q=world:pays')).text)).toEqual(['w_1 req_1']);
    expect((await get('/dashboard/requests?q=world:pays+teams+-teams')).text).toContain('None of the 1 that are kept');
  });

  test('are two hundred at most', async () => {
    const { get, mock } = await start();
    for (let i = 0; i < 201; i++) mock.fork({ id: `w-${i}` });
    const { text } = await get(LIST);
    expect([rowsOf(text).length, text.includes('And 2 more: search for them.')]).toEqual([200, true]);
  });

  test('say how old they are, by the minute', async () => {
    const { get, mock } = await start();
    mock.fork({ id: 'w-200' });
    const now = Date.now();
    const later = vi.spyOn(Date, 'now').mockReturnValue(now + 3 * 60_000 + 500);
    expect(rows((await get(`${LIST}?q=w-200`)).text)[1]).toContain('| 3 min ago | 3 min ago |');
    later.mockRestore();
  });
});
