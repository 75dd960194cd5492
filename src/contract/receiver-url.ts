// Which addresses may receive events (spec: Resources, Webhook registration: a publicly reachable HTTPS URL).

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const PRIVATE =
  /^(0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|\.(local|internal|localhost|test|invalid|home\.arpa)$/;

/** Whether a host is this very machine. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

const isPublic = (hostname: string): boolean => hostname.includes('.') && !PRIVATE.test(hostname);

/** With `//`, a host, and no blank or backslash: URL would repair it. */
const WHOLE = /^https?:\/\/[^\s\p{Cc}\\/][^\s\p{Cc}\\]*$/iu;

/** What keeps a URL from being a receiver; undefined when nothing does. */
export const receiverProblem = (url: string, policy: 'loopback-too' | 'https-only' | 'public-https'): string | undefined => {
  const parsed = WHOLE.test(url) && URL.canParse(url) ? new URL(url) : undefined;
  // No sender may write them into a request (RFC 9110, 4.2.4), and fetch refuses to.
  if (parsed?.username || parsed?.password) return 'must not hold a user name or a password';
  const secure = parsed?.protocol === 'https:';
  if (policy === 'loopback-too') {
    const local = parsed?.protocol === 'http:' && isLoopback(parsed.hostname);
    return secure || local ? undefined : 'must be an https URL (this mock also takes http on loopback)';
  }
  if (!secure) return 'must be an https URL';
  return policy === 'public-https' && !isPublic(parsed.hostname) ? 'must be a publicly reachable https URL' : undefined;
};
