// Clock and limits without a browser: the bar's buttons, the time that is set, what is due, what is left.
import { describe, expect, test } from 'vitest';
import { dashboards, stirred } from '../../test/dashboard.ts';

const start = dashboards();
const PAGE = '/dashboard/clock';

describe('the bar', () => {
  test.each([
    ['30s', '09:00:30'],
    ['2m', '09:02:00'],
    ['10m', '09:10:00'],
    ['30m', '09:30:00'],
    ['2h', '11:00:00'],
  ])('moves the clock on by %s from any page and leads back', async (by, time) => {
    const { act, mock } = await start();
    const { to, text } = await act(PAGE, { do: 'advance', by, back: '/?a=b' });
    expect(to).toMatch(/^\/\?a=b&note=\d+$/);
    expect(mock.clock.now).toBe(`2025-01-20T${time}.000Z`);
    expect(text).toContain(`It is 2025-01-20 ${time} now.`);
  });

  test('goes to the next event and makes its attempt', async () => {
    const { act, mock } = await start();
    await stirred(mock);
    mock.webhooks.simulate('wh_hooks', [204]);
    const waiting = mock.deliveries.find(({ state }) => state === 'retrying')!;
    const { text } = await act(PAGE, { do: 'advance', by: 'next', back: '/' });
    expect(mock.clock.now).toBe(waiting.next_attempt_at);
    expect(mock.deliveries.find(({ id }) => id === waiting.id)?.state).toBe('delivered');
    expect(text).toContain('Attempts in 1 delivery: 1 delivered.');
  });

  test('stays where it is when nothing is due', async () => {
    const { act, mock } = await start();
    const { text } = await act(PAGE, { do: 'advance', by: 'next' });
    expect(mock.clock.now).toBe('2025-01-20T09:00:00.000Z');
    expect(text).toContain('Nothing is due');
  });

  test('lets the clock run and freezes it', async () => {
    const { act, mock } = await start();
    expect((await act(PAGE, { do: 'run', back: '/' })).text).toMatch(/data-clock="\d+"/);
    expect(mock.clock.mode).toBe('running');
    await act(PAGE, { do: 'freeze', back: '/' });
    expect(mock.clock.mode).toBe('frozen');
  });

  test('leads nowhere else', async () => {
    const { act } = await start();
    expect((await act(PAGE, { do: 'freeze', back: '//evil.test/' })).to).toMatch(/^\/\?note=/);
  });

  test('shows what is left of each workspace, and counts nothing for it', async () => {
    const { get, mock } = await start();
    await mock.fetch('/tasks', { headers: mock.auth('read') });
    for (let i = 0; i < 3; i++) expect((await get('/')).text).toContain('999<span class="hidden"> of 1,000 requests left</span>');
    await mock.clock.advance('1m');
    expect((await get('/')).text).toContain('1,000<span class="hidden"> of 1,000 requests left</span>');
  });
});

describe('the page', () => {
  test('sets the time in UTC, and lets the clock run from there', async () => {
    const { act, mock } = await start();
    await act(PAGE, { do: 'set', now: '2030-02-01T10:00', mode: 'frozen' });
    expect([mock.clock.now, mock.clock.mode]).toEqual(['2030-02-01T10:00:00.000Z', 'frozen']);
    await act(PAGE, { do: 'set', now: '2031-02-01T10:00:05Z', mode: 'running' });
    expect([mock.clock.now.slice(0, 17), mock.clock.mode]).toEqual(['2031-02-01T10:00:', 'running']);
  });

  test.each(['', 'tomorrow', '2025-13-01T00:00', '12000-01-01T00:00'])(
    'refuses %j at its field, and changes nothing',
    async (now) => {
      const { post, mock } = await start();
      const { status, text } = await post(PAGE, { do: 'set', now, mode: 'frozen' });
      expect([status, mock.clock.now]).toEqual([422, '2025-01-20T09:00:00.000Z']);
      expect(text).toMatch(/id="set-now-issue">[^<]*must be an ISO 8601 datetime/);
    },
  );

  test('refuses a step that is none', async () => {
    const { post, mock } = await start();
    const { status } = await post(PAGE, { do: 'advance', by: 'a while' });
    expect([status, mock.clock.now]).toEqual([422, '2025-01-20T09:00:00.000Z']);
  });

  test('shows what is due, with the number of the retry, and how long it is until then', async () => {
    const { get, mock } = await start();
    await stirred(mock);
    const { text } = await get(PAGE);
    expect(text).toContain('Retry 2 of 5');
    expect(text).toMatch(/data-until="\d+">2:00</);
  });
});
