// Signatures against a second implementation (node:crypto), and what verification refuses.
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type SignatureProfile, sign, verify } from './sign.ts';

const message = {
  id: 'evt_1',
  timestamp: 1_737_363_600,
  body: '{"id":"evt_1","event":"task.created","data":{"task":{"title":"Ünï ✓"}}}',
};
const secret = 'whsec_c2VjcmV0IG9mIHNpeHRlZW4gYnl0ZXM=';
const hmac = (key: string | Buffer, text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', key).update(text, 'utf8').digest(encoding);
const dotted = `${message.timestamp}.${message.body}`;

const EXPECTED: Readonly<Record<SignatureProfile, string>> = {
  hex: hmac(secret, dotted, 'hex'),
  stripe: `t=${message.timestamp},v1=${hmac(secret, dotted, 'hex')}`,
  github: `sha256=${hmac(secret, message.body, 'hex')}`,
  'standard-webhooks': `v1,${hmac(Buffer.from(secret.slice('whsec_'.length), 'base64'), `evt_1.${dotted}`, 'base64')}`,
};
const PROFILES = Object.keys(EXPECTED) as SignatureProfile[];
const headersOf = (signature: string, timestamp: number = message.timestamp) => ({
  'X-Service-Signature': signature,
  'X-Service-Timestamp': String(timestamp),
});

describe.each(PROFILES)('%s', (profile) => {
  const signature = EXPECTED[profile];

  test('signs as its model does', async () => {
    expect(await sign(profile, secret, message)).toBe(signature);
  });

  test('verifies headers of any spelling, as an object or as Headers', async () => {
    expect(await verify(profile, secret, headersOf(signature), message.body)).toBe(true);
    const lower = { 'x-service-signature': signature, 'x-service-timestamp': String(message.timestamp), other: undefined };
    expect(await verify(profile, secret, lower, message.body)).toBe(true);
    expect(await verify(profile, secret, new Headers(headersOf(signature)), message.body)).toBe(true);
  });

  test('refuses another secret, another body, another signature, none', async () => {
    const headers = headersOf(signature);
    expect(await verify(profile, `${secret}x`, headers, message.body)).toBe(false);
    expect(await verify(profile, secret, headers, `${message.body} `)).toBe(false);
    expect(await verify(profile, secret, headers, 'null')).toBe(false);
    const other = signature.slice(0, -9) + (signature.at(-9) === '0' ? '1' : '0') + signature.slice(-8);
    for (const bad of [
      other,
      signature.slice(0, -2),
      '',
      `${signature}00`,
      'v1,',
      'sha256=',
      't=1,v1=',
      signature.toUpperCase().replace(/[0-9A-F]/g, '0'),
    ]) {
      expect(await verify(profile, secret, headersOf(bad), message.body), bad).toBe(false);
    }
    expect(await verify(profile, secret, {}, message.body)).toBe(false);
  });

  test('refuses the signature of every other profile', async () => {
    for (const other of PROFILES.filter((one) => one !== profile)) {
      expect(await verify(profile, secret, headersOf(EXPECTED[other]), message.body), other).toBe(false);
    }
  });
});

test('a changed timestamp is refused where it is signed', async () => {
  const later = (profile: SignatureProfile) =>
    verify(profile, secret, headersOf(EXPECTED[profile], message.timestamp + 1), message.body);
  expect([await later('hex'), await later('standard-webhooks'), await later('github')]).toEqual([false, false, true]);
  const moved = EXPECTED.stripe.replace(/t=\d+/, `t=${message.timestamp + 1}`);
  expect(await verify('stripe', secret, headersOf(moved), message.body)).toBe(false);
});

test('one good signature of several is enough, as when a secret is rotated', async () => {
  const several = `${EXPECTED.stripe},v1=${'00'.repeat(32)}`;
  expect(await verify('stripe', secret, headersOf(several), message.body)).toBe(true);
  const standard = `v1,${btoa('x'.repeat(32))} ${EXPECTED['standard-webhooks']}`;
  expect(await verify('standard-webhooks', secret, headersOf(standard), message.body)).toBe(true);
});

test('a secret that is no base64 is taken as it stands by Standard Webhooks', async () => {
  const plain = 'not base64!';
  const expected = `v1,${hmac(plain, `evt_1.${dotted}`, 'base64')}`;
  expect(await sign('standard-webhooks', plain, message)).toBe(expected);
});

describe.each(PROFILES)('before there was a timestamp header, %s', (profile) => {
  const untimed = { id: message.id, body: message.body };
  const bare = (signature: string) => ({ 'X-Service-Signature': signature });

  test('signs the raw body alone', async () => {
    const signature = await sign(profile, secret, untimed);
    const key = profile === 'standard-webhooks' ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret;
    expect(signature).toContain(hmac(key, message.body, profile === 'standard-webhooks' ? 'base64' : 'hex'));
    expect(signature).not.toContain('t=');
    expect(await verify(profile, secret, bare(signature), message.body, 'body')).toBe(true);
    expect(await verify(profile, secret, bare(signature), `${message.body} `, 'body')).toBe(false);
  });

  test('signs the time of the event, when it is told to', async () => {
    const body = '{"id":"evt_1","created_at":"2025-01-20T09:00:00.500Z"}';
    const signature = await sign(profile, secret, { id: 'evt_1', timestamp: 1_737_363_600, body });
    expect(await verify(profile, secret, bare(signature), body, 'event-time')).toBe(true);
    if (profile !== 'github') expect(await verify(profile, secret, bare(signature), body, 'body')).toBe(false);
  });
});

test('an empty secret is a mistake of the caller, said in words', async () => {
  await expect(verify('hex', '', { 'X-Service-Timestamp': '1' }, '')).rejects.toThrow(
    "verify: expected the secret of the webhook's registration, got an empty text",
  );
});
