// Why there was no answer, as people can act on it: what fetch itself says is the same for all.

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there: is the service up, and the port right?',
  ENOTFOUND: 'no host has this name: is the URL right?',
  EAI_AGAIN: 'no name server answers: is there a network?',
  ECONNRESET: 'the connection was closed before an answer: does it speak HTTP, or HTTPS?',
  UND_ERR_SOCKET: 'the connection was closed before an answer: does it speak HTTP, or HTTPS?',
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
