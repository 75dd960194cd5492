// Why there was no response, as people can act on it: what fetch itself says is the same for all.

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there: is the service up, and the port right?',
  ENOTFOUND: 'no host has this name: is the URL right?',
  EAI_AGAIN: 'no name server responds: is there a network?',
  ECONNRESET: 'the connection was closed before a response: does it speak HTTP, or HTTPS?',
  UND_ERR_SOCKET: 'the connection was closed before a response: does it speak HTTP, or HTTPS?',
  ETIMEDOUT: 'no connection in time: is there a firewall, or a VPN to be on?',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time: is there a firewall, or a VPN to be on?',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed: NODE_EXTRA_CA_CERTS names one to trust',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed: NODE_EXTRA_CA_CERTS names one to trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified: NODE_EXTRA_CA_CERTS names one to trust',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

export const reasonOf = (failure: unknown): string => {
  const { message = String(failure), cause } = failure as { message?: string; cause?: { code?: string; message?: string } };
  const code = cause?.code ?? '';
  const known = REASONS[code] ?? (code.startsWith('HPE_') ? 'what came is no HTTP: is the port right?' : undefined);
  if (known) return `${code}, ${known}`;
  return cause?.message ? `${message}: ${cause.message}` : message;
};

/** Failures before anything was sent: the request was surely not served. */
const UNSENT: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'no-such-host',
  EAI_AGAIN: 'no-name-server',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
};

/** No response within the time that a run gives one. */
export class TimedOut extends Error {}

/** The fate of a request that got no response: a short name, and whether it was surely not served. */
export const fateOf = (failure: unknown): { kind: string; unsent: boolean } => {
  if (failure instanceof TimedOut) return { kind: 'timeout', unsent: false };
  const { code = '' } = ((failure as { cause?: { code?: string } }).cause ?? {}) as { code?: string };
  const unsent = UNSENT[code];
  if (unsent) return { kind: unsent, unsent: true };
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') return { kind: 'reset', unsent: false };
  if (code === 'ETIMEDOUT' || code.endsWith('_TIMEOUT')) return { kind: 'timeout', unsent: false };
  return { kind: 'no-answer', unsent: false };
};
