// How a signature is made, found out by trying the usual schemes.
import type { Message } from '../engine/receiver.ts';

const HASHES = { sha256: 'SHA-256', sha1: 'SHA-1', sha512: 'SHA-512' } as const;

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

const ENCODINGS: Readonly<Record<string, (bytes: Uint8Array) => string>> = {
  hex: (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  base64,
  base64url: (bytes) => base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
};

const id = (message: Message): string => String((message.json as { id?: unknown } | undefined)?.id ?? '');

const CONTENTS: Readonly<Record<string, (stamp: string, body: string, message: Message) => string>> = {
  'timestamp.body': (stamp, body) => `${stamp}.${body}`,
  body: (_stamp, body) => body,
  'id.timestamp.body': (stamp, body, message) => `${id(message)}.${stamp}.${body}`,
};

export interface Scheme {
  readonly hash: string;
  readonly encoding: string;
  readonly content: string;
  /** False when the signature fits the body only after it was written anew. */
  readonly raw: boolean;
  readonly prefix: string;
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

/** What the text says in base64; nothing when it is none. */
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
};

const fromHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(/^([0-9a-f]{2})+$/i.test(text) ? (text.match(/../g) ?? []) : [], (pair) => Number.parseInt(pair, 16));

/** What a secret may stand for, as keys. */
const secrets = (secret: string): Uint8Array<ArrayBuffer>[] => {
  const bare = secret.replace(/^whsec_/, '');
  return [utf8(secret), utf8(bare), fromBase64(bare), fromHex(bare)].filter(({ length }) => length > 0);
};

const hmac = async (hash: string, key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> => {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, utf8(text)));
};

/** The time of the event in seconds: what may be signed where no header says it. */
const secondsOf = (message: Message): string =>
  String(Math.floor(Date.parse(String((message.json as { created_at?: unknown } | undefined)?.created_at)) / 1000));

/** The scheme that explains a signature, if any. */
export const recognise = async (message: Message, secret: string): Promise<Scheme | undefined> => {
  const signature = message.headers['x-service-signature'] ?? '';
  const stamp = message.headers['x-service-timestamp'] ?? secondsOf(message);
  const pretty = JSON.stringify(message.json);
  for (const raw of [true, false]) {
    const body = raw ? message.body : pretty;
    for (const [content, build] of Object.entries(CONTENTS)) {
      for (const key of secrets(secret)) {
        for (const [hash, name] of Object.entries(HASHES)) {
          const bytes = await hmac(name, key, build(stamp, body, message));
          for (const [encoding, encode] of Object.entries(ENCODINGS)) {
            const value = encode(bytes);
            if (signature.endsWith(value)) return { hash, encoding, content, raw, prefix: signature.slice(0, -value.length) };
          }
        }
      }
    }
  }
  return undefined;
};

/** The name of the open point's answer for a scheme. */
export const schemeName = ({ hash, encoding, content, prefix }: Scheme): string => {
  if (hash === 'sha256' && content === 'timestamp.body' && encoding === 'hex')
    return /^t=\d+,v1=$/.test(prefix) ? 'stripe' : prefix === '' ? 'hex' : `${prefix}hex`;
  if (hash === 'sha256' && content === 'body' && prefix === 'sha256=') return 'github';
  if (content === 'id.timestamp.body' && prefix === 'v1,') return 'standard-webhooks';
  return `${hash} ${encoding} of ${content} after "${prefix}"`;
};

/** The same where a delivery carries no time: before v1.2 a scheme may sign the raw body alone. */
export const schemeBeforeTimestamp = (scheme: Scheme): { name: string; signs: 'body' | 'event-time' } => {
  if (scheme.content !== 'body') return { name: schemeName(scheme), signs: 'event-time' };
  const { hash, encoding, prefix } = scheme;
  const names: Readonly<Record<string, string>> = {
    'hex ': 'hex',
    'hex v1=': 'stripe',
    'hex sha256=': 'github',
    'base64 v1,': 'standard-webhooks',
  };
  const known = hash === 'sha256' ? names[`${encoding} ${prefix}`] : undefined;
  return { name: known ?? schemeName(scheme), signs: 'body' };
};
