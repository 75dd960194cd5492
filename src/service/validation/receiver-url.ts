// Which addresses may receive events (spec: Resources, Webhook registration: a publicly reachable HTTPS URL).
import ipaddr from 'ipaddr.js';

const LOOPBACK_ADDRESS = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** Names that do not exist on the public internet (RFC 6761, 6762, 7686, 8375, 9476, and `internal`). */
const SPECIAL_NAME = /(^|\.)(local|localhost|internal|test|invalid|home\.arpa|onion|alt)$/;

export const isLoopback = (hostname: string): boolean => LOOPBACK_ADDRESS.test(hostname);

/** Whether an address is one of the public internet, by its own form. */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  // IPv6 has public addresses in 2000::/3 alone.
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.toByteArray()[0]! >> 5 === 1);
};

const isPublic = (hostname: string): boolean => {
  const name = hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();
  return ipaddr.isValid(name) ? isPublicAddress(name) : name.includes('.') && !SPECIAL_NAME.test(name);
};

/** Whether an event for this host may go to this address, now that its name is resolved. @param allowed hosts that may be anywhere */
export const mayCall = (hostname: string, address: string, allowed: readonly string[]): boolean =>
  allowed.includes(hostname) ||
  (isLoopback(hostname) ? ipaddr.process(address).range() === 'loopback' : isPublicAddress(address));

/** Undefined for a text that is no URL. `URL.canParse` calls some URLs wrong on Node 20: those beyond ASCII, after thousands of calls. */
export const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
};

/** With `//`, a host, and no blank or backslash: URL would repair it. */
const WHOLE_URL = /^https?:\/\/[^\s\p{Cc}\\/][^\s\p{Cc}\\]*$/iu;

export const receiverProblem = (url: string, policy: 'loopback-too' | 'https-only' | 'public-https'): string | undefined => {
  const parsed = WHOLE_URL.test(url) ? parseUrl(url) : undefined;
  // No sender may write them into a request (RFC 9110, 4.2.4), and fetch refuses to.
  if (parsed?.username || parsed?.password) return 'must not hold a user name or a password';
  const secure = parsed?.protocol === 'https:';
  if (policy === 'loopback-too') {
    // The names of a compose file are of this kind.
    const inside = parsed?.protocol === 'http:' && !isPublic(parsed.hostname);
    return secure || inside ? undefined : 'must be an https URL (this mock also takes http inside your network)';
  }
  if (!secure) return 'must be an https URL';
  return policy === 'public-https' && !isPublic(parsed.hostname) ? 'must be a publicly reachable https URL' : undefined;
};
