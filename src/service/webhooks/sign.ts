// The signature of a delivery (spec: Events, Delivery request), in the profiles of the open point `signature`.
import type { Choices } from '../contract/choices.ts';
import { parseJson } from '../validation/json-text.ts';

export type SignatureProfile = Choices['signature'];

export const SIGNATURE_HEADER = 'X-Service-Signature';
export const TIMESTAMP_HEADER = 'X-Service-Timestamp';

/** The signed parts: the event's id, its time in Unix seconds, the exact bytes of the body. */
export interface Message {
  readonly id: string;
  /** Absent before v1.2.0, where the raw body alone is signed. */
  readonly timestamp?: number | string | undefined;
  readonly body: string;
}

const toBytes = (text: string) => new TextEncoder().encode(text);

const HEX = /^([0-9a-f]{2})+$/i;
export const toHex = (raw: Uint8Array): string => Array.from(raw, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** SHA-256 of a text in UTF-8, in hexadecimal. */
export const sha256 = async (text: string): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
const fromHex = (text: string) =>
  HEX.test(text) ? Uint8Array.from(text.match(/../g)!, (pair) => Number.parseInt(pair, 16)) : undefined;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const toBase64 = (raw: Uint8Array): string => btoa(String.fromCharCode(...raw));
const fromBase64 = (text: string) =>
  text !== '' && BASE64.test(text) ? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)) : undefined;

/** Standard Webhooks decodes what follows `whsec_` as base64; other secrets are used as they are. */
const keyBytes = (profile: SignatureProfile, secret: string) =>
  (profile === 'standard-webhooks' ? fromBase64(secret.replace(/^whsec_/, '')) : undefined) ?? toBytes(secret);

const importKey = (profile: SignatureProfile, secret: string, use: 'sign' | 'verify') => {
  if (secret === '') throw new TypeError(`${use}: expected the secret of the webhook's registration, got an empty text`);
  return crypto.subtle.importKey('raw', keyBytes(profile, secret), { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
};

export const signedText = (profile: SignatureProfile, { id, timestamp, body }: Message): string => {
  if (profile === 'github' || timestamp === undefined) return body;
  return profile === 'standard-webhooks' ? `${id}.${timestamp}.${body}` : `${timestamp}.${body}`;
};

export const sign = async (profile: SignatureProfile, secret: string, message: Message): Promise<string> => {
  const key = await importKey(profile, secret, 'sign');
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, toBytes(signedText(profile, message))));
  if (profile === 'standard-webhooks') return `v1,${toBase64(mac)}`;
  if (profile === 'stripe') return `${message.timestamp === undefined ? '' : `t=${message.timestamp},`}v1=${toHex(mac)}`;
  return profile === 'github' ? `sha256=${toHex(mac)}` : toHex(mac);
};

/** The signatures in a header value, and its own timestamp. */
const candidates = (profile: SignatureProfile, value: string, timed: boolean) => {
  if (profile === 'hex') return { macs: [fromHex(value)] };
  if (profile === 'github') return { macs: [value.startsWith('sha256=') ? fromHex(value.slice(7)) : undefined] };
  if (profile === 'standard-webhooks')
    return { macs: value.split(' ').map((one) => (one.startsWith('v1,') ? fromBase64(one.slice(3)) : undefined)) };
  const parts = value.split(',').map((part) => part.trim());
  const time = parts.find((part) => part.startsWith('t='))?.slice(2);
  const macs = parts.filter((part) => part.startsWith('v1=')).map((part) => fromHex(part.slice(3)));
  if (!timed) return { macs };
  return time === undefined ? { macs: [] } : { macs, timestamp: time };
};

const fieldIn = (body: string, field: 'id' | 'created_at'): string => {
  const read = parseJson(body);
  return read === undefined ? '' : String((read as Partial<Record<string, unknown>> | null)?.[field]);
};

/** The time that a signature covers: that of the header, or before v1.2.0 `body`: none, the raw body alone is signed. */
export type SignedTime = 'header' | 'body';

/** Whether a secret has signed a delivery, in constant time. The caller checks its age; a late retry is old. @throws TypeError for an empty secret */
export const verify = async (
  profile: SignatureProfile,
  secret: string,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  body: string,
  time: SignedTime = 'header',
): Promise<boolean> => {
  const pairs = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const given = new Headers(pairs.map(([name, value]): [string, string] => [name, String(value ?? '')]));
  const timed = time === 'header';
  const known = timed ? given.get(TIMESTAMP_HEADER) : undefined;
  const { macs, timestamp = known } = candidates(profile, given.get(SIGNATURE_HEADER)?.trim() ?? '', timed);
  if (timed && !timestamp && profile !== 'github') return false;
  const key = await importKey(profile, secret, 'verify');
  const text = toBytes(signedText(profile, { id: fieldIn(body, 'id'), timestamp: timestamp ?? undefined, body }));
  const checks = macs.map((mac) => (mac ? crypto.subtle.verify('HMAC', key, mac, text) : false));
  return (await Promise.all(checks)).includes(true);
};
