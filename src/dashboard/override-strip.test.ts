// Every page shows what is not as usual, with what ends it; and the marks of faults that are over.
import { describe, expect, test } from 'vitest';
import { LATEST, RELEASES } from '../service/contract/releases.ts';
import type { Fault } from '../service/world/faults.ts';
import { DEMO_AT, send, startDashboard as start } from '../test/dashboard.ts';
import { linesOf, partOf } from '../test/reading.ts';
import { isFaultSpent } from './override-strip.tsx';

const strip = (text: string) => linesOf(/<section class="strip"[\s\S]*?<\/section>/.exec(text)![0]);

describe('The strip', () => {
  test('is empty while all is as usual', async () => {
    const { get } = await start();
    expect((await get('/')).text).toContain(
      '<section class="strip" id="strip" data-live="" aria-label="Not as usual"></section>',
    );
  });

  test('names the faults, and turns them off from any page, to which it leads back', async () => {
    const { get, act, mock } = await start();
    mock.faults.add({ match: { path: '/tasks*' }, effect: { status: 503 } });
    mock.faults.add({ effect: { abort: true }, times: 1 });
    const { text } = await get('/dashboard/settings?workspace=ws_globex');
    expect(strip(text)).toEqual([
      'do=removeAll back=/dashboard/settings?workspace=ws_globex (/dashboard/faults) 2 faults on /tasks*: status 503 Turn off',
    ]);
    expect(text).toContain('<form method="post" action="/dashboard/faults" class="inline" data-quick="">');
    const { to } = await act('/dashboard/faults', { do: 'removeAll', back: '/dashboard/settings?workspace=ws_globex' });
    expect(to).toBe('/dashboard/settings?workspace=ws_globex&note=1');
    expect(strip((await get('/')).text)).toEqual([]);
    expect((await act('/dashboard/faults', { do: 'removeAll', back: '//evil.test' })).to).toBe('/?note=2');
  });

  test('names the key of a fault, and says no more of it than fits', async () => {
    const { get, mock } = await start();
    const key = mock.world.store.keys.all()[0]!.value;
    mock.faults.add({ match: { key: key.id, path: `/${'x'.repeat(100)}` }, effect: { status: 500 } });
    mock.faults.add({ match: { key: key.id }, effect: { status: 500 } });
    expect(strip((await get('/')).text)[0]).toContain(`2 faults on /${'x'.repeat(89)}… (`);
    const [first] = mock.faults.list();
    await send(mock, `/_mock/faults/${first!.id}`, 'DELETE');
    expect(strip((await get('/')).text)[0]).toContain(`1 fault on with the key ${key.name}: status 500`);
  });

  test('the strip counts the open points with another choice, and resets them', async () => {
    const { get, act, mock } = await start();
    await send(mock, '/_mock/choices', 'PATCH', { 'owner-field': 'owner_id' });
    expect(strip((await get('/dashboard/clock')).text)).toEqual([
      'do=defaults back=/dashboard/clock (/dashboard/choices?show=changed) 1 open point changed Reset',
    ]);
    await act('/dashboard/choices', { do: 'defaults', back: '/' });
    expect(strip((await get('/')).text)).toEqual([]);
  });

  test('says which release it is, and whether it is ahead of its clients, and resets both', async () => {
    const { get, act } = await start({ ...DEMO_AT, release: '1.1' });
    const form = `do=setRelease release=${LATEST} forward_compat=none back=/`;
    expect(strip((await get('/')).text)).toEqual([`${form} (/dashboard/settings) Release v1.1.0 Reset`]);
    await act('/dashboard/settings', { do: 'setRelease', release: LATEST, forward_compat: 'all' });
    expect(strip((await get('/')).text)).toEqual([
      `${form} (/dashboard/settings) Release v${RELEASES[LATEST].version}, ahead of its clients Reset`,
    ]);
    await act('/dashboard/settings', { do: 'setRelease', release: LATEST, forward_compat: 'none', back: '/' });
    expect(strip((await get('/')).text)).toEqual([]);
  });
});

describe('A fault is over', () => {
  test.each<[Partial<Fault>, boolean]>([
    [{ hits: 3 }, false],
    [{ hits: 1, times: 2 }, false],
    [{ hits: 2, times: 2 }, true],
    [{ hits: 0, released: true }, false],
    [{ hits: 0, released: true, effect: { hold: true } }, true],
    [{ hits: 0, effect: { hold: true } }, false],
  ])('as %j: %j', (fault, over) => {
    expect(isFaultSpent({ effect: { status: 500 }, released: false, ...fault } as Fault)).toBe(over);
  });

  test('a fault that waits follows those that apply, and is not in the strip', async () => {
    const { get, mock } = await start();
    mock.faults.add({ effect: { status: 500 }, times: 1 });
    await mock.fetch('/tasks');
    mock.faults.add({ match: { path: '/teams' }, effect: { status: 502 } });
    const { text } = await get('/dashboard/faults');
    const rows = partOf(text, 'faults').match(/<tr data-row="fault_\d"( class="gone")?/g);
    expect(rows).toEqual(['<tr data-row="fault_2"', '<tr data-row="fault_1" class="gone"']);
    expect(strip(text)[0]).toContain('1 fault on /teams: status 502');
  });
});

describe('A preset', () => {
  const pressed = (text: string) =>
    [...text.matchAll(/name="preset" value="(\w+)" class="preset" aria-pressed="true"/g)].map(([, name]) => name);
  test.each(['flaky', 'slow', 'offline', 'storm'])('%s is turned on, and off again', async (preset) => {
    const { act, mock } = await start();
    mock.faults.add({ match: { path: '/teams' }, effect: { status: 503 }, probability: 0.3 });
    const on = await act('/dashboard/faults', { do: 'preset', preset });
    expect(pressed(on.text)).toEqual([preset]);
    const off = await act('/dashboard/faults', { do: 'preset', preset });
    expect([pressed(off.text), mock.faults.list().length]).toEqual([[], 1]);
    expect(off.text).toMatch(/<p class="strong">[^<]* is off\.<\/p>/);
  });

  test('a fault that is used up is turned on again', async () => {
    const { act, mock } = await start();
    await act('/dashboard/faults', { do: 'preset', preset: 'storm' });
    for (let i = 0; i < 50; i++) await mock.fetch('/tasks');
    const { text } = await act('/dashboard/faults', { do: 'preset', preset: 'storm' });
    expect([pressed(text), mock.faults.list().length]).toEqual([['storm'], 2]);
  });
});
