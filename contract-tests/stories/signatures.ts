// How a signature is made, found out by trying the usual schemes, and what holds for every one of them.
import type { Message } from '../engine/receiver.ts';
import type { Tools } from '../engine/tools.ts';
import type { Letter, Registration } from '../oracle/letters.ts';

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
  /** False when the signature fits the body only after it was written again. */
  readonly raw: boolean;
  readonly prefix: string;
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

/** The bytes of the text in base64; nothing when it is none. */
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
};

const fromHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(/^([0-9a-f]{2})+$/i.test(text) ? (text.match(/../g) ?? []) : [], (pair) => Number.parseInt(pair, 16));

/** The keys that a secret may mean. */
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

const signatureOf = (message: Message): string => message.headers['x-service-signature'] ?? '';

const stampOf = (message: Message): string => message.headers['x-service-timestamp'] ?? secondsOf(message);

/** The scheme that explains a signature, if any. */
const recognise = async (message: Message, secret: string): Promise<Scheme | undefined> => {
  const signature = signatureOf(message);
  const pretty = JSON.stringify(message.json);
  for (const raw of [true, false]) {
    const body = raw ? message.body : pretty;
    for (const [content, build] of Object.entries(CONTENTS)) {
      for (const key of secrets(secret)) {
        for (const [hash, name] of Object.entries(HASHES)) {
          const bytes = await hmac(name, key, build(stampOf(message), body, message));
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

/** Whether a signature is what a scheme makes of the bytes that were sent. */
const fits = async (message: Message, secret: string, { hash, encoding, content }: Scheme): Promise<boolean> => {
  const name = HASHES[hash as keyof typeof HASHES];
  for (const key of secrets(secret)) {
    const bytes = await hmac(name, key, CONTENTS[content]!(stampOf(message), message.body, message));
    if (signatureOf(message).endsWith(ENCODINGS[encoding]!(bytes))) return true;
  }
  return false;
};

/** The name of the open point's choice for a scheme. */
const schemeName = ({ hash, encoding, content, prefix }: Scheme): string => {
  if (hash === 'sha256' && content === 'timestamp.body' && encoding === 'hex')
    return /^t=\d+,v1=$/.test(prefix) ? 'stripe' : prefix === '' ? 'hex' : `${prefix}hex`;
  if (hash === 'sha256' && content === 'body' && prefix === 'sha256=') return 'github';
  if (content === 'id.timestamp.body' && prefix === 'v1,') return 'standard-webhooks';
  return `${hash} ${encoding} of ${content} after "${prefix}"`;
};

/** This where a delivery carries no time: before v1.2 a scheme may sign the raw body alone. */
const nameBeforeTimestamp = (scheme: Scheme): string => {
  if (scheme.content !== 'body') return schemeName(scheme);
  const { hash, encoding, prefix } = scheme;
  const names: Readonly<Record<string, string>> = {
    'hex ': 'hex',
    'hex v1=': 'stripe',
    'hex sha256=': 'github',
    'base64 v1,': 'standard-webhooks',
  };
  const known = hash === 'sha256' ? names[`${encoding} ${prefix}`] : undefined;
  return known ?? schemeName(scheme);
};

/** The messages to a registration. */
interface Signed {
  readonly to: Registration;
  readonly letters: readonly Letter[];
}

const signedOf = ({ letters }: Signed): Message[] => letters.flatMap(({ attempts }) => attempts).filter(signatureOf);

/** Each body and each secret has a signature of its own. */
const distinct = (t: Tools, posts: readonly Signed[]): void => {
  let good = true;
  for (const post of posts) {
    const bodies = new Map<string, string>();
    for (const message of signedOf(post)) {
      const other = bodies.get(signatureOf(message)) ?? message.body;
      bodies.set(signatureOf(message), other);
      const says = { message: 'two deliveries that differ have the same signature', deliveries: [message] };
      good = t.must('WM-EVT-014', other === message.body, says) && good;
    }
  }
  if (!good) return;
  const [main, ...rest] = posts;
  for (const message of rest.flatMap(signedOf)) {
    const twin = signedOf(main!).find((other) => signatureOf(other) === signatureOf(message));
    const says = { message: 'two secrets give the same signature', deliveries: [message, ...(twin ? [twin] : [])] };
    t.must('WM-EVT-015', !twin, says);
  }
};

/** Judges all signatures: by the scheme, where one of the usual schemes explains one of them. */
export const judgeSignatures = async (t: Tools, posts: readonly Signed[]): Promise<void> => {
  distinct(t, posts);
  const [main] = posts;
  const signed = signedOf(main!);
  const secret = main!.to.secret;
  const examples = [signed.find(({ body }) => /[^\0-\x7f]/.test(body)), ...signed.slice(0, 2)].filter(
    (found) => found !== undefined,
  );
  let scheme: Scheme | undefined;
  for (const example of examples) scheme ??= secret === undefined ? undefined : await recognise(example, secret);
  t.note('WM-EVT-016', scheme ? schemeName(scheme) : 'an unknown scheme');
  t.observe('signature', scheme && (t.knows('1.2') ? schemeName(scheme) : nameBeforeTimestamp(scheme)));
  if (!scheme) return t.note('WM-EVT-034', 'the scheme is unknown');
  const rewritten = { message: 'the signature fits the body only after it was written again', deliveries: examples };
  if (!t.must('WM-EVT-034', scheme.raw, rewritten)) return;
  for (const post of posts) {
    const { name, secret: own } = post.to;
    if (own === undefined || (post !== main && own === secret)) continue;
    for (const message of signedOf(post)) {
      const says = {
        message: `the signature to "${name}" is not made of its secret and of what was sent`,
        deliveries: [message],
      };
      if (!t.must(post === main ? 'WM-EVT-034' : 'WM-EVT-015', await fits(message, own, scheme), says)) return;
    }
  }
};
