// Webhooks without a browser: registrations, ordered outcomes, the log, replays, signatures, the inbox.
import { describe, expect, test } from 'vitest';
import { type DashboardBench, dashboards, stirred } from '../../test/dashboard.ts';

const start = dashboards();
const HOOKS = '/dashboard/webhooks';
const LOG = '/dashboard/webhooks/deliveries';
const INBOX = '/dashboard/webhooks/inbox';
const change = ({ mock }: DashboardBench) =>
  mock.fetch('/tasks/task_launch_name', {
    method: 'PATCH',
    headers: { ...mock.auth('write'), 'content-type': 'application/json' },
    body: '{"title":"Another"}',
  });

describe('registrations', () => {
  test('are made as the API makes them, with the secret shown once', async () => {
    const { act, get, mock } = await start();
    const { text } = await act(`${HOOKS}?new=1`, {
      do: 'register',
      url: 'http://127.0.0.1:4700/_mock/inbox/mine',
      events: ['task.created', 'task.deleted'],
      workspace: 'ws_globex',
    });
    const made = mock.world.store.webhooks.all().at(-1)!;
    expect([made.workspace, made.value.events]).toEqual(['ws_globex', ['task.created', 'task.deleted']]);
    expect(text).toContain(made.value.secret);
    expect((await get(HOOKS)).text).not.toContain(made.value.secret);
  });

  test('with no event chosen are told of all', async () => {
    const { act, mock } = await start();
    await act(HOOKS, { do: 'register', url: 'http://127.0.0.1:1/', workspace: 'ws_acme' });
    expect(mock.world.store.webhooks.all().at(-1)!.value.events).toHaveLength(8);
  });

  test('with a wrong URL are refused at the field', async () => {
    const { post, mock } = await start();
    const { status, text } = await post(HOOKS, { do: 'register', url: 'ftp://x', workspace: 'ws_acme' });
    expect([status, mock.world.store.webhooks.size]).toEqual([422, 2]);
    expect(text).toMatch(/id="register-url-issue">/);
    expect(text).toContain('value="ftp://x"');
  });

  test('are deleted', async () => {
    const { act, mock } = await start();
    await act(HOOKS, { do: 'delete', id: 'wh_board' });
    expect(mock.world.store.webhooks.get('wh_board')).toBeUndefined();
  });

  test('have the outcomes of their next attempts ordered', async () => {
    const bench = await start();
    const { text } = await bench.act(HOOKS, { do: 'simulate', id: 'wh_hooks', outcomes: '500, timeout 200' });
    expect(text).toContain('The next 3 attempts end as ordered.');
    await change(bench);
    await bench.mock.clock.advance('10m');
    const [delivery] = bench.mock.deliveries.filter(({ webhook_id }) => webhook_id === 'wh_hooks');
    expect(delivery!.attempts.map(({ status, outcome }) => status ?? outcome)).toEqual([500, 'timeout', 200]);
  });

  test.each(['maybe', '99', '', '200, 700'])(
    'refuse the outcome %j at the field of that registration alone',
    async (outcomes) => {
      const { post } = await start();
      const { status, text } = await post(HOOKS, { do: 'simulate', id: 'wh_board', outcomes });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).toContain('id="simulate-wh_board-outcomes-issue"');
      expect(text).not.toContain('id="simulate-wh_hooks-outcomes-issue"');
    },
  );
});

describe('the log', () => {
  test('shows the newest first, with attempts and the time of the next', async () => {
    const { get, mock } = await start();
    await stirred(mock);
    const { text } = await get(LOG);
    const ids = [...text.matchAll(/<tr data-row="(dlv_\w+)">/g)].map(([, id]) => id);
    expect(ids).toEqual(mock.deliveries.map(({ id }) => id).reverse());
    const next = mock.deliveries.find(({ state }) => state === 'retrying')!.next_attempt_at!;
    expect(text).toContain(`data-until="${Date.parse(next)}">2:00<`);
  });

  test.each(['state=failed', 'event=task.updated', 'webhook_id=wh_board', 'state=retrying&webhook_id=wh_board'])(
    'filters by %s as the control API does',
    async (query) => {
      const { get, mock } = await start();
      await stirred(mock);
      const listed = (await (await mock.app.fetch(new Request(`http://127.0.0.1:4700/_mock/deliveries?${query}`))).json()) as {
        items: { id: string }[];
      };
      const ids = [...(await get(`${LOG}?${query}`)).text.matchAll(/<tr data-row="(dlv_\w+)">/g)].map(([, id]) => id);
      expect(ids).toEqual(listed.items.map(({ id }) => id).reverse());
    },
  );

  test('goes back page by page, through each delivery once', async () => {
    const { get, mock } = await start();
    for (const id of ['wh_hooks', 'wh_board'])
      mock.webhooks.simulate(
        id,
        Array.from({ length: 200 }, () => 200),
      );
    const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
    for (let i = 0; i < 60; i++)
      await mock.fetch('/projects/proj_launch/tasks', { method: 'POST', headers, body: `{"title":"${i}"}` });
    const seen: string[] = [];
    for (let at: string | undefined = LOG; at; ) {
      const { text } = await get(at);
      seen.push(...[...text.matchAll(/<tr data-row="(dlv_\w+)">/g)].map(([, id]) => id!));
      at = /href="([^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen).toEqual(mock.deliveries.map(({ id }) => id).reverse());
  });
});

describe('one delivery', () => {
  const attemptsIn = (text: string) => [...text.matchAll(/<span class="check-name">([^<]+)</g)].map(([, name]) => name);

  test('is a timeline of its attempts, with the one to come', async () => {
    const { get, mock } = await start();
    await stirred(mock);
    expect(attemptsIn((await get(`${LOG}/dlv_83wn4z8c7y5bfa6g`)).text)).toEqual(['1. first attempt', '2. retry', '3. retry']);
    const retrying = await get(`${LOG}/dlv_rm8qm094we55mb6y`);
    expect(attemptsIn(retrying.text)).toEqual(['1. first attempt', '2. retry', 'retry 2 of 5']);
    expect(retrying.text).toContain('; if it fails, again after 10 min, then 30 min, then 2 h');
    expect(attemptsIn((await get(`${LOG}/dlv_dfqmgv1aygapbxhg`)).text).at(-1)).toBe('given up');
  });

  test('has its signature checked with the secret of its registration', async () => {
    const { act, get, mock } = await start();
    await stirred(mock);
    const path = `${LOG}/dlv_83wn4z8c7y5bfa6g`;
    const { text } = await get(path);
    expect(text).toContain('<span class="chip good">verified</span>');
    const { request } = mock.deliveries[0]!;
    const signed = `${request.headers['X-Service-Timestamp']}.${request.body}`;
    expect(text).toContain(signed.replaceAll('"', '&quot;'));
    expect(text).not.toContain('whsec_acme_hooks');
    await act(HOOKS, { do: 'delete', id: 'wh_hooks' });
    expect((await get(path)).text).toContain('there is nothing to check with');
  });

  test.each(['stripe', 'github', 'standard-webhooks'])('has a signature of the kind %s checked', async (signature) => {
    const bench = await start();
    bench.mock.choose({ signature });
    bench.mock.webhooks.simulate('wh_hooks', [200]);
    await change(bench);
    await bench.mock.clock.advance(0);
    const { id } = bench.mock.deliveries[0]!;
    expect((await bench.get(`${LOG}/${id}`)).text).toContain('<span class="chip good">verified</span>');
  });

  test('is replayed once it is settled, and not before', async () => {
    const { act, post, mock } = await start();
    await stirred(mock);
    mock.webhooks.simulate('wh_hooks', [202]);
    await act(`${LOG}/dlv_83wn4z8c7y5bfa6g`, { do: 'replay' });
    await mock.webhooks.settled();
    expect(mock.deliveries[0]!.attempts.at(-1)).toMatchObject({ trigger: 'replay', status: 202 });
    const { status, text } = await post(`${LOG}/dlv_rm8qm094we55mb6y`, { do: 'replay' });
    expect(status).toBe(409);
    expect(text).toContain('only a delivered or failed one can be replayed');
  });

  test('has the next attempts of its registration ordered, and is not there by a wrong id', async () => {
    const { act, get, mock } = await start();
    await stirred(mock);
    await act(`${LOG}/dlv_rm8qm094we55mb6y`, { do: 'simulate', id: 'wh_hooks', outcomes: '200' });
    await mock.clock.advance('next');
    expect(mock.deliveries.find(({ id }) => id === 'dlv_rm8qm094we55mb6y')!.state).toBe('delivered');
    expect((await get(`${LOG}/dlv_nowhere`)).status).toBe(404);
  });
});

describe('the inbox', () => {
  const send = ({ mock }: DashboardBench, name: string, body: string) =>
    mock.app.fetch(new Request(`http://127.0.0.1:4700/_mock/inbox/${name}`, { method: 'POST', body }));

  test('lists the boxes, newest first, and says how to use one', async () => {
    const bench = await start();
    expect((await bench.get(INBOX)).text).toContain('Nothing was received yet');
    await send(bench, 'one', 'a');
    await send(bench, 'two', 'b');
    expect([...(await bench.get(INBOX)).text.matchAll(/data-row="box (\w+)"/g)].map(([, name]) => name)).toEqual(['two', 'one']);
  });

  test('shows what a box was sent, ten at a time', async () => {
    const bench = await start();
    for (let i = 1; i <= 25; i++) await send(bench, 'mine', `{"number":${i}}`);
    const seen: string[] = [];
    for (let at: string | undefined = `${INBOX}?name=mine`; at; ) {
      const { text } = await bench.get(at);
      seen.push(...[...text.matchAll(/id="message-(msg_\d+)"/g)].map(([, id]) => id!));
      at = /href="([^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => `msg_${25 - i}`));
  });

  test('answers as it is told', async () => {
    const bench = await start();
    const page = `${INBOX}?name=mine`;
    expect((await bench.act(page, { do: 'respond', name: 'mine', statuses: '500, 404' })).text).toContain(
      'The next answers: 500, 404.',
    );
    expect([
      (await send(bench, 'mine', '')).status,
      (await send(bench, 'mine', '')).status,
      (await send(bench, 'mine', '')).status,
    ]).toEqual([500, 404, 200]);
    await bench.act(page, { do: 'respond', name: 'mine', statuses: '500' });
    await bench.act(page, { do: 'respond', name: 'mine', statuses: '' });
    expect((await send(bench, 'mine', '')).status).toBe(200);
    const { status, text } = await bench.post(page, { do: 'respond', name: 'mine', statuses: 'later' });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toContain('id="respond-statuses-issue"');
  });
});
