// HTTP Archives of browsers, Playwright and the mock itself become one history.
import { expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { readHar } from './har.ts';

const entry = (
  url: string,
  at: string,
  { method = 'GET', status = 200, text = '{}', ...more }: Record<string, unknown> = {},
) => ({
  startedDateTime: at,
  time: 12.5,
  _resourceType: 'fetch',
  request: {
    method,
    url,
    headers: [
      { name: ':authority', value: 'a' },
      { name: 'accept', value: '*/*' },
    ],
    ...(more.request as object),
  },
  response: { status, headers: [], content: { size: 2, text, ...(more.content as object) } },
});
const har = (...entries: object[]) => JSON.stringify({ log: { version: '1.2', entries } });
const [EARLY, LATE] = ['2026-01-20T09:00:00.000Z', '2026-01-20T10:00:01.000+01:00'];

test('several files are one history by time, without pseudo-headers, other hosts, preflights and repeated entries', () => {
  const shared = entry('https://a.test/api/v1/tasks?limit=2', LATE);
  const first = har(
    shared,
    shared,
    entry('https://cdn.test/v1/x.js', EARLY),
    entry('https://a.test/api/v1/tasks', EARLY, { method: 'OPTIONS' }),
  );
  const second = har(
    entry('https://a.test/api/v1/users/me', EARLY),
    shared,
    entry('https://a.test/api/v1/teams', EARLY, { status: 0 }),
  );
  const { base, traffic } = readHar([first, second]);
  expect(base).toBe('https://a.test/api/v1');
  expect(traffic.map(({ target }) => target)).toEqual(['/users/me', '/tasks?limit=2', '/tasks?limit=2']);
  expect(traffic[1]).toMatchObject({
    sent: Date.parse(LATE),
    came: Date.parse(LATE) + 12.5,
    requestHeaders: [['accept', '*/*']],
  });
});

test('a body in base64 is decoded, a missing one is no response, and a request without its body is left out', () => {
  const encoded = { text: Buffer.from('{"data":"é"}').toString('base64'), encoding: 'base64' };
  const url = 'https://a.test/v1/tasks';
  const { traffic } = readHar([
    har(
      entry(url, EARLY, { content: encoded }),
      entry(url, EARLY, { content: { text: undefined, size: 90 } }),
      entry(url, EARLY, { method: 'POST', request: { bodySize: 20 } }),
      entry(url, EARLY, { status: 204, content: { text: undefined, size: 0 } }),
    ),
  ]);
  expect(traffic.map(({ response }) => response?.body)).toEqual(['{"data":"é"}', undefined, '']);
});

test('a file that is no HAR, or has no request below /v1, is refused with a reason and an advice', () => {
  expect(() => readHar(['<html>'])).toThrow(/cannot be judged: file 1 is no HTTP Archive.*Save it as HAR.*docs\/contract\.md/);
  expect(() => readHar([har(entry('https://a.test/v2/tasks', EARLY))])).toThrow(/no request below a \/v1/);
});

test('the HAR of the mock is read', async () => {
  const mock = await createMock();
  await mock.fetch('/users/me', { headers: mock.auth('read') });
  const text = await (await mock.app.fetch(new Request('http://wm-mock.test/_mock/har'))).text();
  expect(readHar([text])).toMatchObject({
    base: 'http://wm-mock.test/v1',
    traffic: [{ target: '/users/me', response: { status: 200 } }],
  });
  await mock.close();
});
