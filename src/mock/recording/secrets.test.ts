// Secrets that somebody gave are in no repro file, wherever they came in; what the mock made by chance stays, and the bytes are the same.
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMock } from '../../create-mock.ts';
import { replay } from '../../replay.ts';
import { keep } from '../../test/closing.ts';
import { submit } from '../../test/sending.ts';
import { control, send } from '../../test/sessions.ts';
import type { Mock } from '../api/mock.ts';
import { masking, secretsIn, secretsInUrl } from './secrets.ts';
import type { Repro } from './steps.ts';

const sender = async () => ({ kind: 'response', status: 200, took: 1, excerpt: 'thanks for sekrit-of-hook' }) as const;
const start = async (more: object = {}) => keep(await createMock({ record: true, sender, now: '2026-04-01T08:00:00Z', ...more }));

/** @returns the file, which is repeated to the byte and holds none of those */
const without = async (mock: Mock, ...secrets: readonly string[]): Promise<{ repro: Repro; text: string }> => {
  const repro = await mock.save();
  const text = JSON.stringify(repro);
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect((await replay(text)).difference).toBeUndefined();
  return { repro, text };
};

const as = (key: string) => ({ authorization: `Bearer ${key}` });

test('values of keys, given by a call or over the control API, are masked wherever they come again', async () => {
  const mock = await start();
  mock.create.key({ value: 'by-a-call-1' });
  const made = (await control(mock, 'POST', '/data/keys', { value: 'over-http-22' })).body as { id: string };
  await control(mock, 'PATCH', `/data/keys/${made.id}`, { value: 'changed-333' });
  mock.update.key(mock.read.keys()[0]!.id, { value: 'updated-4444' });
  for (const key of ['by-a-call-1', 'over-http-22', 'changed-333', 'updated-4444'])
    await send(mock, 'GET', '/users/me', undefined, as(key));
  const { repro } = await without(mock, 'by-a-call-1', 'over-http-22', 'changed-333', 'updated-4444');
  expect(repro.steps.flatMap((step) => ('expect' in step && 'path' in step ? [step.expect!.status] : []))).toEqual([
    201, 201, 200, 200, 200, 401, 200, 200,
  ]);
  expect(repro.signed).toBe(true);
});

test('a key that somebody had tried before it was given is masked, whatever it looks like', async () => {
  const mock = await start();
  const value = `wm_${'a1'.repeat(16)}`;
  await send(mock, 'GET', '/users/me', undefined, as(value));
  mock.create.key({ value });
  await send(mock, 'GET', '/users/me', undefined, as(value));
  mock.remove.key(mock.read.keys().find((one) => one.value === value)!.id);
  await without(mock, value);
});

test('the token of the control API is masked in the options, asked with or not', async () => {
  const mock = await start({ controlToken: 'open-sesame' });
  mock.create.project({ name: 'P' });
  const { repro } = await without(mock, 'open-sesame');
  expect(repro.options.controlToken).toMatch(/^x+1$/);
});

test('a value that the mock had shown before is masked all the same, unless it looks like what the mock makes', async () => {
  const mock = await start();
  mock.create.project({ name: 'shown-before' });
  await send(mock, 'GET', '/projects');
  mock.create.key({ value: 'shown-before' });
  mock.create.webhook({ url: 'http://127.0.0.1:9/?token=before', events: ['project.created'] });
  await without(mock, 'before');
});

const OWN = `workspaces:
  - id: ws_own
    users: [{ id: user_own }]
    api_keys: [{ value: of-the-seed }]
    webhooks: [{ url: "http://127.0.0.1:9/?sig=1&token=tok-of-seed", secret: signs-of-seed }]`;

test.each([
  ['parsed', parse(OWN)],
  ['YAML', OWN],
])('keys, signing secrets and addresses of the seed of a world that comes in %s are masked', async (_, seed) => {
  const mock = await start();
  expect((await control(mock, 'POST', '/worlds', { seed, id: 'one' })).status).toBe(201);
  await mock.fetch(mock.baseUrl.replace('/v1', '/worlds/one/v1/users/me'), { headers: as('of-the-seed') });
  const { repro } = await without(mock, 'of-the-seed', 'signs-of-seed', 'tok-of-seed');
  expect(repro.signed).toBe(false);
});

test('a signing secret that somebody gives is masked, and its signatures are not compared', async () => {
  const mock = await start();
  mock.create.webhook({ url: 'http://127.0.0.1:9/x', events: ['project.created'], secret: 'whsec_givenByACall' });
  await control(mock, 'POST', '/data/webhooks', { url: 'http://127.0.0.1:9/y', secret: 'given-over-http' });
  mock.create.project({ name: 'P' });
  await mock.webhooks.settled();
  const { repro, text } = await without(mock, 'whsec_givenByACall', 'given-over-http');
  expect([repro.signed, text.includes('X-Service-Signature: [signature]')]).toEqual([false, true]);
});

test('members of an address with the name of a secret are masked, in the seed, in what comes in and in what is answered', async () => {
  const webhooks = [{ url: 'http://127.0.0.1:9/?key=sekrit-of-seed' }];
  const mock = await start({
    seed: { workspaces: [{ id: 'w', users: [{ id: 'u' }], api_keys: [{ scope: 'admin' }], webhooks }] },
  });
  const url = 'http://127.0.0.1:9/?a=kept-member&token=sekrit-of-hook';
  await send(mock, 'POST', '/webhooks', { url, events: ['project.created'] });
  await send(mock, 'GET', '/webhooks');
  await send(mock, 'GET', '/tasks?access_token=sekrit-in-path');
  await submit(mock, '/dashboard/webhooks', { do: 'register', url: 'http://127.0.0.1:9/?password=sekrit+of-form' });
  mock.create.project({ name: 'P' });
  await mock.webhooks.settled();
  const { repro, text } = await without(mock, 'sekrit');
  expect(repro.steps.filter((step) => 'path' in step && step.path === '/_mock/operations/createWebhook')).toHaveLength(1);
  expect(text).toContain('a=kept-member&token=xxxx');
});

test('what the mock has made by chance stays: the bytes follow from it', async () => {
  const mock = await start();
  const fork = mock.fork({ id: 'own', mintKeys: true });
  const made = (await send(mock, 'POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['project.created'] })) as {
    data: { id: string; secret: string };
  };
  const minted = mock.create.key({ scope: 'read' }).value;
  const own = fork.keys.find(({ value }) => value.startsWith('wm_own_'))!.value;
  for (const key of [minted, own]) await send(fork, 'GET', '/users/me', undefined, as(key));
  const seed = { workspaces: [{ id: 'w', users: [{ id: 'u' }], api_keys: [{ value: minted }, { value: own }] }] };
  await control(mock, 'POST', '/worlds', { seed });
  const url = `http://127.0.0.1:9/?session=${made.data.id}`;
  await send(mock, 'POST', '/webhooks', { url, events: ['project.created'] });
  mock.reset();
  await send(mock, 'GET', '/users/me', undefined, as(minted));
  const { repro, text } = await without(mock);
  for (const one of [minted, own, made.data.secret, made.data.id]) expect(text).toContain(one);
  expect(repro.signed).toBe(true);
});

test('the secrets of an address are its password and members with the name of one, as written and as meant', () => {
  const results = secretsInUrl('https://me:pass%20word@a.test/x?page=2&api_key=a+b&auth%5Btoken%5D=c&token=#token=no');
  expect(results).toEqual(['pass%20word', 'pass word', 'a+b', 'a b', 'c', 'c']);
  expect(secretsInUrl('https://a.test/?token=%zz')).toEqual(['%zz', '%zz']);
  for (const none of ['text?token=sekrit', 'see http://a.test?token=x', 'https://a.test/', ''])
    expect(secretsInUrl(none)).toEqual([]);
});

test('a mask is as long as its secret, begins alike, and stands for it wherever it is', () => {
  const mask = masking(['wm_live_abcdefghij', 'short', 'a"b\\c d/e']);
  expect(mask('Bearer wm_live_abcdefghij, short')).toBe('Bearer wm_xxxxxxxxxxxxxx1, short');
  expect(mask(JSON.stringify({ key: 'a"b\\c d/e' }))).toBe('{"key":"xxxxxxxx2"}');
  expect(mask(`?token=${encodeURIComponent('a"b\\c d/e')}`)).toBe('?token=xxxxxxxx2');
  expect(masking([])('as it is')).toBe('as it is');
});

test('secrets come in headers that carry one by their name, and in cookies', () => {
  const headers = Object.entries({
    authorization: 'Bearer abcdefg',
    'x-api-key': 'hijklmn',
    cookie: 'theme=dark; token=a%20b; session=%zz',
    'proxy-authorization': 'Basic dXNlcg==',
    'x-service-signature': 'opqrst',
    accept: '*/*',
  });
  expect(secretsIn(headers)).toEqual(['abcdefg', 'hijklmn', 'a%20b', 'a b', '%zz', 'dXNlcg==']);
});
