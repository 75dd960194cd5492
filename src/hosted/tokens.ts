// Tokens and keys that are never stored: each is derived from the owner's token and its purpose.
import { toHex } from '../service/webhooks/sign.ts';

/** Derives the secret of a purpose. */
export type Derive = (purpose: string) => Promise<string>;

/** Least length of the owner's token. */
export const LEAST_TOKEN = 24;

const UTF_8 = new TextEncoder();

/** @param owner the token that creates tenants; another one changes all others */
export const deriveFrom = (owner: string): Derive => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = () => crypto.subtle.importKey('raw', UTF_8.encode(owner), algorithm, false, ['sign']);
  return async (purpose) => hex(await crypto.subtle.sign('HMAC', await key(), UTF_8.encode(purpose))).slice(0, 40);
};

const hex = (bytes: ArrayBuffer): string => toHex(new Uint8Array(bytes));

/** The name of a content. */
export const hashOf = async (text: string): Promise<string> => hex(await crypto.subtle.digest('SHA-256', UTF_8.encode(text)));
