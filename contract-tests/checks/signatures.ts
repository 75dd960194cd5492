// How a signature is made, found out by trying the usual schemes.
import { createHmac } from 'node:crypto';
import type { Message } from '../engine/receiver.ts';

const HASHES = ['sha256', 'sha1', 'sha512'] as const;
const ENCODINGS = ['hex', 'base64', 'base64url'] as const;

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

const secrets = (secret: string): (string | Buffer)[] => {
  const bare = secret.replace(/^whsec_/, '');
  return [secret, bare, Buffer.from(bare, 'base64'), Buffer.from(bare, 'hex')];
};

/** The scheme that explains a signature, if any. */
export const recognise = (message: Message, secret: string): Scheme | undefined => {
  const signature = message.headers['x-service-signature'] ?? '';
  const stamp = message.headers['x-service-timestamp'] ?? '';
  const pretty = JSON.stringify(message.json);
  for (const raw of [true, false]) {
    const body = raw ? message.body : pretty;
    for (const [content, build] of Object.entries(CONTENTS)) {
      for (const key of secrets(secret)) {
        for (const hash of HASHES) {
          for (const encoding of ENCODINGS) {
            const value = createHmac(hash, key)
              .update(build(stamp, body, message))
              .digest(encoding);
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
