// Tokens and keys that nobody has to keep: each follows from the owner's token and from what it is for.

/** Makes the secret of a purpose. */
export type Derive = (purpose: string) => Promise<string>;

/** The shortest token of an owner. */
export const LEAST_TOKEN = 24;

const UTF_8 = new TextEncoder();

/** @param owner the token that makes tenants; with another one all others change */
export const deriveFrom = (owner: string): Derive => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = () => crypto.subtle.importKey('raw', UTF_8.encode(owner), algorithm, false, ['sign']);
  return async (purpose) => hex(await crypto.subtle.sign('HMAC', await key(), UTF_8.encode(purpose))).slice(0, 40);
};

const hex = (bytes: ArrayBuffer): string => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The name of a content. */
export const hashOf = async (text: string): Promise<string> => hex(await crypto.subtle.digest('SHA-256', UTF_8.encode(text)));
