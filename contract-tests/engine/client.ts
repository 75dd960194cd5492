// The suite's only way to the target: paces itself, repeats what a 429 or a lost connection refused, hands each answer to the laws.
import type { Exchange } from './exchange.ts';
import { operationOf } from './operations.ts';
import type { Fetch, Role } from './options.ts';
import { RunError } from './options.ts';
import type { Pace } from './pace.ts';
import { reasonOf } from './reason.ts';
import type { Redactor } from './redact.ts';
import type { Time } from './time.ts';

export interface Call {
  readonly as?: Role | 'nobody' | undefined;
  readonly body?: unknown;
  /** A body sent as it stands. */
  readonly raw?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Another base URL: a world of the control API. */
  readonly base?: string | undefined;
  /** A key that is no role of the run. */
  readonly key?: string | undefined;
  /** Takes a 429 as the answer and does not wait for the pace. */
  readonly unpaced?: boolean | undefined;
}

export class Client {
  requests = 0;
  quotaRequests = 0;
  onAnswer: (x: Exchange) => void = () => {};
  readonly #fetch: Fetch;
  readonly #base: string;
  readonly #keys: { [R in Role]?: string | undefined };
  readonly #pace: Pace;
  readonly #time: Time;
  readonly #redactor: Redactor;
  readonly #timeoutMs: number;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(parts: {
    fetch: Fetch;
    base: string;
    keys: { [R in Role]?: string | undefined };
    pace: Pace;
    time: Time;
    redactor: Redactor;
    timeoutMs: number;
    headers?: Readonly<Record<string, string>> | undefined;
  }) {
    this.#fetch = parts.fetch;
    this.#base = parts.base;
    this.#keys = parts.keys;
    this.#pace = parts.pace;
    this.#time = parts.time;
    this.#redactor = parts.redactor;
    this.#timeoutMs = parts.timeoutMs;
    this.#headers = parts.headers ?? {};
  }

  /** Waits until so many requests can follow each other, and each shows in Remaining. */
  room(requests: number): Promise<void> {
    return this.#pace.room(requests);
  }

  async send(method: string, target: string, call: Call = {}): Promise<Exchange> {
    for (let attempt = 1; ; attempt++) {
      if (!call.unpaced) await this.#pace.turn();
      const x = await this.#exchange(method, target, call, method === 'GET' ? 1 : 0);
      if (x.status !== 429 || call.unpaced) {
        this.onAnswer(x);
        return x;
      }
      if (attempt > 2)
        throw new RunError('the target keeps answering 429: its budget is used up by others; give --max-rpm or run later');
      const reset = Number(x.headers.get('x-ratelimit-reset')) * 1000 - this.#time.now();
      await this.#pace.wait(Number.isFinite(reset) && reset > 0 ? reset + 1000 + Math.random() * 2000 : 60_000);
    }
  }

  async #exchange(method: string, target: string, call: Call, repeats: number): Promise<Exchange> {
    const url = `${call.base ?? this.#base}${target}`;
    const [path = '', query = ''] = target.split('?', 2);
    const headers: Record<string, string> = { accept: 'application/json', ...this.#headers };
    const as = call.as ?? 'nobody';
    const key = call.key ?? (as === 'nobody' ? undefined : this.#keys[as]);
    if (key !== undefined) headers.authorization = `Bearer ${key}`;
    const body = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    if (body !== undefined) headers['content-type'] = 'application/json';
    Object.assign(headers, call.headers);
    this.requests++;
    if (call.unpaced) this.quotaRequests++;
    const began = this.#time.now();
    let response: Response;
    let text: string;
    // What is waited for no longer is given up: its socket would keep the process.
    const given = new AbortController();
    try {
      const init = { method, headers, redirect: 'manual', signal: given.signal } as const;
      response = await this.#within(this.#fetch(url, body === undefined ? init : { ...init, body }));
      text = await this.#within(response.text());
    } catch (cause) {
      given.abort();
      if (cause instanceof RunError) throw cause;
      if (repeats > 0) return this.#exchange(method, target, call, repeats - 1);
      throw new RunError(this.#redactor.clean(`no answer to ${method} ${path}: ${reasonOf(cause)}`));
    }
    let json: unknown;
    try {
      json = text === '' ? undefined : JSON.parse(text);
    } catch {
      json = undefined;
    }
    const numbers = ['limit', 'remaining', 'reset'].map((name) => {
      const value = response.headers.get(`x-ratelimit-${name}`);
      return value === null ? Number.NaN : Number(value);
    });
    if (response.status !== 401 && as !== 'other' && !call.base) this.#pace.learn(numbers[0]!, numbers[1]!, numbers[2]!);
    return {
      number: this.requests,
      method,
      path,
      query,
      url,
      as,
      operation: operationOf(method, path),
      requestHeaders: headers,
      requestBody: body,
      status: response.status,
      headers: response.headers,
      text,
      json,
      began,
      at: this.#time.now(),
    };
  }

  async #within<T>(promise: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${this.#timeoutMs / 1000} s`)), this.#timeoutMs);
    });
    try {
      return await Promise.race([promise, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
