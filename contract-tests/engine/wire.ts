// One request on the wire: sent, timed, read to its end and no further than is sane. What cannot be taken as it came is told from what can.

import { TimedOut } from './reason.ts';
import type { Fetch } from './terms.ts';

/** A list of 100 tasks with 10,000 characters each, all of them escaped, has 12 MB. */
const MAX_BYTES = 16_000_000;
/** This much of a body that is too large is kept, to be shown. */
const SHOWN_BYTES = 10_000;
/** No body of the API needs more: a page of ten thousand tasks has a tenth of these values. */
const MAX_VALUES = 1_000_000;
const MAX_LEVELS = 100;

export interface Wire {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The reason why the body cannot be read, as the end of "a response …"; absent: nothing. */
  readonly flaw?: string;
}

/** Joins what was read, and no more of it than asked for: a part of a long text would keep all of it in memory. */
const joined = (parts: readonly Uint8Array[], most: number): Uint8Array => {
  const whole = new Uint8Array(
    Math.min(
      most,
      parts.reduce((sum, part) => sum + part.byteLength, 0),
    ),
  );
  let at = 0;
  for (const part of parts) {
    const some = part.subarray(0, whole.length - at);
    whole.set(some, at);
    at += some.length;
  }
  return whole;
};

const decoded = (bytes: Uint8Array): { text: string; flaw?: string } => {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { text: new TextDecoder().decode(bytes), flaw: 'is not UTF-8' };
  }
};

/** Reads a body to its end, or as far as is allowed. */
const read = async (response: Response): Promise<{ text: string; flaw?: string }> => {
  if (!response.body) return { text: await response.text() };
  const reader = response.body.getReader();
  const parts: Uint8Array[] = [];
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return decoded(joined(parts, bytes));
    parts.push(value);
    bytes += value.byteLength;
    if (bytes > MAX_BYTES) {
      // A peer that does not hear of it must not hold the run.
      reader.cancel().catch(() => {});
      const text = new TextDecoder().decode(joined(parts, SHOWN_BYTES));
      return { text, flaw: `continues after ${MAX_BYTES / 1_000_000} MB` };
    }
  }
};

/** The excess of a JSON text for any reader, told before one is tried; undefined: none. */
const excess = (text: string): string | undefined => {
  let levels = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      // To the end of a string.
      for (at++; at < text.length && text.charCodeAt(at) !== 0x22; at++) if (text.charCodeAt(at) === 0x5c) at++;
    } else if (code === 0x2c) values++;
    else if (code === 0x5b || code === 0x7b) {
      values++;
      if (++levels > MAX_LEVELS) return `nests more than ${MAX_LEVELS} levels deep`;
    } else if (code === 0x5d || code === 0x7d) levels--;
    if (values > MAX_VALUES) return `has more than ${MAX_VALUES.toLocaleString('en')} values`;
  }
  return undefined;
};

/** A body as JSON: undefined when it is empty, no JSON, or more of it than anybody can want. */
export const parsed = (text: string): { json: unknown; flaw?: string } => {
  const flaw = excess(text);
  if (flaw) return { json: undefined, flaw };
  try {
    return { json: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return { json: undefined };
  }
};

/** @throws TimedOut, and what fetch throws */
export const wire = async (fetch: Fetch, url: string, init: RequestInit, timeoutMs: number): Promise<Wire> => {
  // A request that is waited for no longer is given up: its socket would keep the process.
  const given = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimedOut(`no response within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  const whole = async (): Promise<Wire> => {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: given.signal });
    return { status: response.status, headers: response.headers, ...(await read(response)) };
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
