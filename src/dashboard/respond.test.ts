// How the dashboard answers: types, policies, caches, redirects.
import { expect, test } from 'vitest';
import { asset, html, readForm, redirect } from './respond.ts';

const SAFE = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const headersOf = ({ headers }: Response) => Object.fromEntries(headers);

test('A page is never kept', async () => {
  const page = html('text', 404);
  expect([page.status, await page.text(), headersOf(page)]).toEqual([
    404,
    'text',
    { ...SAFE, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  ]);
  expect(html('text').status).toBe(200);
});

test('An asset is asked for each time', async () => {
  const text = asset(['a{}', 'text/css']);
  expect([text.status, await text.text(), headersOf(text)]).toEqual([
    200,
    'a{}',
    { ...SAFE, 'content-type': 'text/css', 'cache-control': 'no-cache' },
  ]);
});

test('A redirect leads on with its cookies, and is never kept', () => {
  const plain = redirect('/a');
  expect([plain.status, headersOf(plain)]).toEqual([303, { location: '/a', 'cache-control': 'no-store' }]);
  expect(redirect('/a', ['a=1', 'b=2']).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
});

test.each([undefined, 'text/plain', 'application/x-www-form-urlencodeds'])('A form of the type %s is refused', async (type) => {
  const request = new Request('http://127.0.0.1/', {
    method: 'POST',
    body: new Uint8Array([97]),
    headers: type ? { 'content-type': type } : {},
  });
  await expect(readForm(request)).rejects.toMatchObject({
    status: 415,
    code: 'unsupported_media_type',
    message: 'The dashboard takes forms as application/x-www-form-urlencoded alone.',
  });
});

test('A form is read, field by field', async () => {
  const request = new Request('http://127.0.0.1/', { method: 'POST', body: new URLSearchParams('a=1&a=2&b=%C3%A9') });
  expect([...(await readForm(request))]).toEqual([
    ['a', '1'],
    ['a', '2'],
    ['b', 'é'],
  ]);
});
