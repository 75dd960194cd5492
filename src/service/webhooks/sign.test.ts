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
    for (const other of PROFILES.filter((one) => one !== profile))
      expect(await verify(profile, secret, headersOf(EXPECTED[other]), message.body), other).toBe(false);
  });
});

test('a changed timestamp is refused where it is signed', async () => {
  const later = (profile: SignatureProfile) =>
    verify(profile, secret, headersOf(EXPECTED[profile], message.timestamp + 1), message.body);
  expect([await later('hex'), await later('standard-webhooks'), await later('github')]).toEqual([false, false, true]);
  const moved = EXPECTED.stripe.replace(/t=\d+/, `t=${message.timestamp + 1}`);
  expect(await verify('stripe', secret, headersOf(moved), message.body)).toBe(false);
});

/** Other writings of a signature, and whether they are taken. */
const FORMS: Readonly<Record<SignatureProfile, readonly (readonly [write: (signature: string) => string, taken: boolean])[]>> = {
  hex: [
    [(hex) => ` ${hex} `, true],
    [(hex) => hex.toUpperCase(), true],
    [(hex) => `${hex}0`, false],
    [(hex) => hex.slice(2), false],
    [(hex) => `x${hex}`, false],
    [(hex) => `${hex}x`, false],
    [(hex) => `sha256=${hex}`, false],
  ],
  stripe: [
    [(both) => both.replace(',', ', '), true],
    [(both) => both.split(',').reverse().join(), true],
    [(both) => both.replace(',', ',v1=00,'), true],
    [(both) => both.replace(',', ',v0=00,'), true],
    [(both) => `${both},v1=${'00'.repeat(32)}`, true],
    [(both) => both.split(',')[1]!, false],
    [(both) => both.split(',')[0]!, false],
    [(both) => both.replace('t=', 'x='), false],
    [(both) => both.replace('v1=', 'xv1='), false],
    [() => 't=,v1=', false],
  ],
  github: [
    [(mac) => mac.replace('sha256=', 'sha512='), false],
    [(mac) => `x${mac}`, false],
  ],
  'standard-webhooks': [
    [(mac) => `v1,AAAA ${mac}`, true],
    [(mac) => `v2,AAAA ${mac}`, true],
    [(mac) => mac.replace('v1,', 'v2,'), false],
    [(mac) => mac.slice(3), false],
    [(mac) => `${mac}=`, false],
    [(mac) => `x${mac}`, false],
  ],
};

test.each(PROFILES)('%s has several writings, as when a secret is rotated, and no others', async (profile) => {
  for (const [write, taken] of FORMS[profile]) {
    const written = write(EXPECTED[profile]);
    expect(await verify(profile, secret, headersOf(written), message.body), written).toBe(taken);
  }
});

test.each(PROFILES)('%s needs the timestamp header that it covers', async (profile) => {
  const headers = { 'x-service-signature': EXPECTED[profile] };
  expect(await verify(profile, secret, headers, message.body)).toBe(profile === 'github' || profile === 'stripe');
  const listed = { ...headers, 'x-service-timestamp': [String(message.timestamp)] };
  expect(await verify(profile, secret, listed, message.body)).toBe(true);
  expect(await verify(profile, secret, { 'x-service-signature': undefined }, message.body, 'body')).toBe(false);
});

test('the key of Standard Webhooks is the base64 behind its prefix, else the secret as it stands', async () => {
  for (const [given, key] of [
    ['not base64!', 'not base64!'],
    ['whsec_', 'whsec_'],
    ['c2VjcmV0', 'secret'],
    ['whsec_c2VjcmV0', 'secret'],
    ['xwhsec_c2VjcmV0', 'xwhsec_c2VjcmV0'],
  ] as const)
    expect(await sign('standard-webhooks', given, message), given).toBe(`v1,${hmac(key, `evt_1.${dotted}`, 'base64')}`);
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
});

test('an empty secret is a mistake of the caller, said in words', async () => {
  const words = "expected the secret of the webhook's registration, got an empty text";
  await expect(sign('hex', '', message)).rejects.toThrow(new TypeError(`sign: ${words}`));
  await expect(verify('hex', '', headersOf('00'), '')).rejects.toThrow(new TypeError(`verify: ${words}`));
});
