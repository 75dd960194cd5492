// The journal: its archive, and nothing that is secret.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMock as createPureMock } from '../../create-mock.ts';
import { createMock, type Mock, type MockOptions } from '../../node/index.ts';
import { LATEST, RELEASES } from '../../service/contract/releases.ts';
import { keep } from '../../test/closing.ts';
import { initOf } from '../../test/sending.ts';

const start = async (options: MockOptions = {}) => {
  const mock = keep(await createMock({ seed: 'fixtures/tiny.yaml', ...options }));
  const call = (method: string, path: string, body?: unknown, key: string | null = 'wm_tiny_admin', headers = {}) =>
    mock.fetch(path, initOf(method, body, { ...(key !== null && { authorization: `Bearer ${key}` }), ...headers }));
  return { mock, call };
};

test('it keeps the last thousand, numbered from one', async () => {
  const { mock, call } = await start();
  for (let i = 0; i < 1005; i++) await call('GET', '/users/me', undefined, null);
  const ids = mock.requests.map(({ id }) => id);
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([1000, 'req_6', 'req_1005']);
});

test('an archive names the version of wm-mock that wrote it, and the release of the API beside it', async () => {
  const creatorIn = async (mock: Pick<Mock, 'app'>) => {
    const response = await mock.app.fetch(new Request('http://127.0.0.1/_mock/har'));
    return ((await response.json()) as { log: { creator: object } }).log.creator;
  };
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const { mock } = await start({ release: '1.2' });
  expect(await creatorIn(mock)).toEqual({ name: 'wm-mock', version, comment: 'release 1.2.0 of the API' });
  const comment = `release ${RELEASES[LATEST].version} of the API`;
  expect(await creatorIn(keep(await createPureMock()))).toEqual({ name: 'wm-mock', version: '', comment });
  const custom = keep(await createPureMock({}, undefined, async () => '4.5.6'));
  expect(await creatorIn(custom)).toMatchObject({ version: '4.5.6' });
});

test('no key and no secret is in journal, event stream, delivery log, list or log line, however it was sent', async () => {
  const { mock, call } = await start();
  const lines: string[] = [];
  mock.onRequest((request) => lines.push(JSON.stringify(request)));
  const { origin } = await mock.listen();
  const leave = new AbortController();
  const stream = await fetch(`${origin}/_mock/events`, { signal: leave.signal });
  let events = '';
  const listening = (async () => {
    for await (const bytes of stream.body!) events += new TextDecoder().decode(bytes as Uint8Array);
  })().catch(() => {});
  const control = async (method: string, path: string, body?: unknown) =>
    (await fetch(`${origin}/_mock${path}`, initOf(method, body))).text();
  const made = JSON.parse(await control('POST', '/data/keys', { workspace_id: 'ws_tiny', scope: 'admin', user_id: 'user_ada' }));
  const world = JSON.parse(await control('POST', '/worlds', { id: 'own', mint_keys: true }));
  const secrets = ['wm_tiny_admin', 'wm_tiny_read', made.value, world.keys[0].value, 'wm_unknown_key_value'];
  for (const secret of secrets) {
    await call('GET', `/tasks?api_key=${secret}&note=${encodeURIComponent(`my ${secret}`)}`, undefined, secret);
    await call('GET', `/tasks/${secret === 'wm_unknown_key_value' ? 'x' : secret}`, undefined, made.value);
    const headers = { authorization: secret, 'x-api-key': secret, cookie: `k=${secret}`, 'proxy-authorization': secret };
    await call('GET', '/tasks', undefined, null, headers);
    if (secret !== 'wm_unknown_key_value') {
      await call('POST', '/projects', { name: `Project of ${secret}`, description: secret }, made.value);
      await call('POST', '/projects', `{"name": "broken ${secret}`, made.value);
      const key = secret === world.keys[0].value ? made.value : secret;
      await control('POST', '/faults', { match: { key }, effect: { delay_ms: 1 }, times: 1 });
    }
  }
  for (const shape of ['data', 'bare', 'minimal']) {
    mock.choose({ 'webhook-create-shape': shape, 'webhook-create-status': shape === 'bare' ? '200' : '201' });
    const created = await (
      await call('POST', '/webhooks', { url: `${origin}/_mock/inbox/all?api_key=${made.value}` }, made.value)
    ).json();
    secrets.push((created.data ?? created).secret);
  }
  await call('POST', '/projects', { name: 'Announced' }, made.value);
  await mock.clock.advance('1h');
  for (const { id } of JSON.parse(await control('GET', '/data/webhooks')).items) await control('DELETE', `/data/webhooks/${id}`);
  const seen = [
    await control('GET', '/requests'),
    JSON.stringify(mock.requests),
    JSON.stringify(mock.timeline),
    ...(await Promise.all(mock.requests.map(({ id }) => control('GET', `/requests/${id}`)))),
    await control('GET', '/deliveries'),
    await control('GET', '/faults'),
    await control('GET', '/inbox/all/messages'),
    await control('GET', '/worlds'),
    await control('GET', '/choices'),
    JSON.stringify(mock.faults.list()),
    lines.join('\n'),
  ];
  leave.abort();
  await listening;
  expect(events).toContain('event: request');
  expect(events).toContain('event: delivery');
  expect(secrets.every((secret) => typeof secret === 'string' && secret.length > 5)).toBe(true);
  expect(lines.length).toBeGreaterThan(20);
  for (const secret of secrets) {
    const around = (text: string) => text.slice(Math.max(0, text.indexOf(secret) - 80), text.indexOf(secret) + 60);
    expect([...seen, events].filter((text) => text.includes(secret)).map(around)).toEqual([]);
  }
});
