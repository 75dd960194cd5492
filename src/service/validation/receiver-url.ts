// Which addresses may receive events (spec: Resources, Webhook registration: a publicly reachable HTTPS URL).
import ipaddr from 'ipaddr.js';

/** Names that do not exist on the public internet (RFC 6761, 6762, 7686, 8375, 9476, and `internal`). */
const SPECIAL_NAME = /^[^.]*$|(^|\.)(local|internal|test|invalid|home\.arpa|onion|alt)$/;
/** Names of this machine (RFC 6761, 6.3). */
const LOOPBACK_NAME = /(^|\.)localhost$/;

/** Without the brackets of IPv6 and the dot of the root. */
const plainHost = (hostname: string): string => hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();

/** The one place that decides what a receiver's host is. @param hostname of a parsed URL, or an address */
export const hostKind = (hostname: string): 'loopback' | 'special' | 'private' | 'public' => {
  const name = plainHost(hostname);
  if (!ipaddr.IPv4.isValidFourPartDecimal(name) && !ipaddr.IPv6.isValid(name)) {
    if (LOOPBACK_NAME.test(name)) return 'loopback';
    return SPECIAL_NAME.test(name) ? 'special' : 'public';
  }
  const address = ipaddr.process(name);
  // A socket reaches this machine at the unspecified address too.
  if (address.range() === 'loopback' || /^(0\.0\.0\.0|::)$/.test(address.toString())) return 'loopback';
  // IPv6 has public addresses in 2000::/3 alone.
  const isGlobal = address.kind() === 'ipv4' || address.toByteArray()[0]! >> 5 === 1;
  return address.range() === 'unicast' && isGlobal ? 'public' : 'private';
};

export const isLoopback = (hostname: string): boolean => hostKind(hostname) === 'loopback';

/** Whether a list has a host; `localhost` in it means every name and address of this machine. */
export const namesHost = (hosts: readonly string[], hostname: string): boolean =>
  hosts.some((host) => plainHost(host) === plainHost(hostname)) || (isLoopback(hostname) && hosts.includes('localhost'));

/** Whether an event for this host may go to this address, now that its name is resolved. @param allowed hosts that may be anywhere */
export const mayCall = (hostname: string, address: string, allowed: readonly string[]): boolean =>
  namesHost(allowed, hostname) || hostKind(address) === (isLoopback(hostname) ? 'loopback' : 'public');

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
  const isPublic = parsed !== undefined && hostKind(parsed.hostname) === 'public';
  if (policy === 'loopback-too') {
    // The names of a compose file are of this kind.
    const inside = parsed?.protocol === 'http:' && !isPublic;
    return secure || inside ? undefined : 'must be an https URL (this mock also takes http inside your network)';
  }
  if (!secure) return 'must be an https URL';
  return policy === 'public-https' && !isPublic ? 'must be a publicly reachable https URL' : undefined;
};
