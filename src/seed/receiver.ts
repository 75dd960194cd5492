// Which addresses a seed's webhooks may have: those that the mock takes at its most generous.

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** What a receiver's address has to be, in words. */
export const RECEIVER = 'an https URL, or http on loopback';

/** Whether a webhook may point there. */
export const isReceiver = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
};
