// A stub until the branch of proxy2 is merged: HTTP Archives as traffic.
import type { Traffic } from './traffic.ts';

interface StubEntry {
  readonly request: { readonly method: string; readonly url: string };
  readonly response: { readonly status: number; readonly content: { readonly text?: string } };
}

/** @throws Error where there is no traffic of /v1 */
export const readHar = (texts: readonly string[]): { readonly base: string; readonly traffic: readonly Traffic[] } => {
  const entries = texts.flatMap((text) => (JSON.parse(text) as { log: { entries: readonly StubEntry[] } }).log.entries);
  const served = entries.filter(({ request }) => request.url.includes('/v1/'));
  if (served.length === 0) throw new Error('no request below a /v1');
  const base = /^.*?\/v1/.exec(served[0]!.request.url)![0];
  const traffic = served.map(({ request: { method, url }, response: { status, content } }, i) => {
    const response = { status, headers: [], body: content.text ?? '' };
    return { method, target: url.slice(base.length), requestHeaders: [], requestBody: undefined, response, sent: i, came: i };
  });
  return { base, traffic };
};
