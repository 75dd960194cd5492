// One request on the wire: sent, timed, read to its end and no further than is sane.
import type { Fetch } from './options.ts';
import { TimedOut } from './reason.ts';

/** A list of 100 tasks with 10,000 characters each, all of them escaped, has 12 MB. */
export const MOST_BYTES = 16_000_000;

export interface Wire {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly cut: boolean;
}

/** Reads a body to its end, or as far as is allowed. */
const read = async (response: Response, most: number): Promise<{ text: string; cut: boolean }> => {
  // A length that was announced is that before decompression.
  const announced = response.headers.has('content-encoding')
    ? Number.NaN
    : Number(response.headers.get('content-length') ?? Number.NaN);
  if (!response.body || announced <= most) return { text: await response.text(), cut: false };
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), cut: false };
    bytes += value.byteLength;
    if (bytes > most) {
      await reader.cancel().catch(() => {});
      return { text: text.slice(0, 10_000), cut: true };
    }
    text += decoder.decode(value, { stream: true });
  }
};

/** @throws TimedOut, and what fetch throws */
export const wire = async (fetch: Fetch, url: string, init: RequestInit, timeoutMs: number, most = MOST_BYTES): Promise<Wire> => {
  // What is waited for no longer is given up: its socket would keep the process.
  const given = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimedOut(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  const whole = async (): Promise<Wire> => {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: given.signal });
    return { status: response.status, headers: response.headers, ...(await read(response, most)) };
  };
  const work = whole();
  try {
    return await Promise.race([work, late]);
  } catch (cause) {
    given.abort();
    work.catch(() => {});
    throw cause;
  } finally {
    clearTimeout(timer);
  }
};
