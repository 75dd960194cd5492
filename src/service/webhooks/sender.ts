// How a delivery leaves the world: a port, and its implementation over fetch. The only file that sends.
import { getOrMake } from '../contract/keyed.ts';
import { ACKNOWLEDGE_MS } from '../contract/limits.ts';
import { after, afterAwake, realNow, wait } from '../world/time.ts';
import type { Failure, Outcome } from './delivery.ts';

export interface Sending {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a POST and returns the outcome; gives up, with any outcome, on the signal. */
export type Sender = (sending: Sending, signal: AbortSignal) => Promise<Outcome>;

/** Connections to one receiver at once: the process has a limited number, and receivers little patience. */
const MAX_CONNECTIONS_PER_RECEIVER = 64;
/** How much of a response body is read for the log, bytes. */
const EXCERPT_BYTES = 1024;
/** How long to wait for the body after the status, milliseconds. */
const BODY_MS = 1000;

const TIMED_OUT = { kind: 'timeout', error: `no response within ${ACKNOWLEDGE_MS / 1000} s`, took: ACKNOWLEDGE_MS } as const;

/** By the error codes of Node's sockets, resolver, TLS and undici. */
const FAILURE_CODES: readonly (readonly [Failure, RegExp])[] = [
  ['timeout', /^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS)_TIMEOUT)$/],
  ['refused', /^ECONNREFUSED$/],
  ['dns', /^(ENOTFOUND|EAI_\w+)$/],
  ['reset', /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/],
  ['tls', /^ERR_(TLS|SSL)|CERT|^UNABLE_TO_|^EPROTO$|^HOSTNAME_MISMATCH$/],
];

const causeOf = (thrown: unknown) =>
  ((thrown as { cause?: unknown } | undefined)?.cause ?? thrown) as { readonly code?: unknown; readonly message?: unknown };

const failureOf = (thrown: unknown, took: number): Outcome => {
  const cause = causeOf(thrown);
  const { code, message } = cause;
  const kind = FAILURE_CODES.find(([, pattern]) => typeof code === 'string' && pattern.test(code))?.[0] ?? 'error';
  return kind === 'timeout' ? TIMED_OUT : { kind, error: String(message || code || cause), took };
};

/** The start of a body. Only the status counts: a body that breaks off is merely noted. */
const readExcerpt = async (response: Pick<Response, 'body'>): Promise<{ excerpt?: string; error?: string }> => {
  if (!response.body) return {};
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let [excerpt, size, error] = ['', 0, ''];
  const callOff = after(BODY_MS, () => {
    error = `the body of the response had not ended after ${BODY_MS / 1000} s`;
    void reader.cancel();
  });
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      excerpt += decoder.decode(part.value.subarray(0, EXCERPT_BYTES - size), { stream: true });
      size += part.value.length;
      if (size >= EXCERPT_BYTES) break;
    }
    void reader.cancel();
  } catch {
    error ||= 'the body of the response broke off';
  } finally {
    callOff();
  }
  return { ...(excerpt === '' ? {} : { excerpt }), ...(error === '' ? {} : { error }) };
};

export class JobQueue {
  readonly #most: number;
  readonly #lines = new Map<string, { busy: number; readonly waiting: (() => void)[] }>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#lines.size;
  }

  /** Runs a job as soon as fewer than the limit run for the same key. */
  async within<T>(name: string, act: () => Promise<T>): Promise<T> {
    const line = getOrMake(this.#lines, name, () => ({ busy: 0, waiting: [] }));
    if (line.busy < this.#most) line.busy += 1;
    else await new Promise<void>((turn) => line.waiting.push(turn));
    try {
      return await act();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.busy === 0) this.#lines.delete(name);
    }
  }
}

const MAX_CONNECTIONS = 512;
/** The queues in which deliveries wait for a connection: one set per process, or per part that must not wait for others. */
export const newQueues = () => ({ each: new JobQueue(MAX_CONNECTIONS_PER_RECEIVER), all: new JobQueue(MAX_CONNECTIONS) });
const SHARED_QUEUES = newQueues();

/** Errors when this machine runs out of something, which say nothing about the receiver. */
const LOCAL_ERRORS = /^(EMFILE|ENFILE|ENOBUFS|ENOMEM|EADDRNOTAVAIL)$/;
/** How often and how long to wait for it, milliseconds. */
const MAX_LOCAL_TRIES = 40;
const LOCAL_RETRY_MS = 250;

/** Makes a request without following redirects; reads no more of the body than needed. */
export type FetchPost = (
  url: string,
  init: Omit<Sending, 'url'> & { readonly method: 'POST'; readonly redirect: 'manual'; readonly signal: AbortSignal },
) => Promise<Pick<Response, 'status' | 'body'>>;

const retryLocalErrors =
  (ask: FetchPost): FetchPost =>
  async (url, init) => {
    for (let tries = 1; ; tries++) {
      try {
        return await ask(url, init);
      } catch (error) {
        if (!LOCAL_ERRORS.test(String(causeOf(error).code)) || tries >= MAX_LOCAL_TRIES || init.signal.aborted) throw error;
        await wait(LOCAL_RETRY_MS);
      }
    }
  };

const sendOnce = async (ask: FetchPost, { url, headers, body }: Sending, signal: AbortSignal): Promise<Outcome> => {
  const started = realNow();
  const late = new AbortController();
  const given = AbortSignal.any([signal, late.signal]);
  const callOff = afterAwake(ACKNOWLEDGE_MS, () => late.abort());
  try {
    // A receiver may close a kept connection just when it is reused, which would look like a reset.
    const whole = { ...headers, connection: 'close' };
    const response = await ask(url, { method: 'POST', headers: whole, body, redirect: 'manual', signal: given });
    const took = Math.min(realNow() - started, ACKNOWLEDGE_MS);
    callOff();
    if (late.signal.aborted) return TIMED_OUT;
    const read = await readExcerpt(response);
    if (response.status === 0) return { kind: 'error', error: 'a redirect, which is not followed', took };
    return { kind: 'response', status: response.status, took, ...read };
  } catch (error) {
    return given.aborted ? TIMED_OUT : failureOf(error, realNow() - started);
  } finally {
    callOff();
  }
};

/** Sends over a connection of its own, follows no redirect, and gives the receiver its 10 real seconds. */
export const senderOver = (ask: FetchPost, { each, all } = SHARED_QUEUES): Sender => {
  const able = retryLocalErrors(ask);
  return (sending, signal) => each.within(new URL(sending.url).host, () => all.within('', () => sendOnce(able, sending, signal)));
};

export const fetchOutward: FetchPost = (url, init) => fetch(url, init);

export const fetchSender: Sender = senderOver(fetchOutward);
