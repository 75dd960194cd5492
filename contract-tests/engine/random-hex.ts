// Chance for names and keys of a run, so that no two runs share one.

/** This many random bytes as hexadecimal digits. */
export const randomHex = (bytes: number): string =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
