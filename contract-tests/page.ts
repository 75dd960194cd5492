// The contract suite in a page of a browser: no files, no processes, no sockets.
import type { ContractOptions } from './engine/options.ts';
import { Receiver } from './engine/receiver.ts';
import type { Requirement } from './engine/register.ts';
import { documentRelease, newestRelease } from './engine/releases.ts';
import type { Report } from './engine/report.ts';
import type { Time } from './engine/time.ts';
import { runSuite } from './suite.ts';

export { terminal } from './report/terminal.ts';

/** Calls with each webhook for a URL that begins so; ends when the returned function is called. */
export type Receiving = (urlStart: string, receive: (request: Request) => Promise<Response>) => () => void;

export interface PageOptions extends ContractOptions {
  readonly register: readonly Requirement[];
  /** How webhooks come to this page; absent: they do not. */
  readonly receive?: Receiving;
}

class PageReceiver extends Receiver {
  readonly #time: Time;
  readonly #receiving: Receiving | undefined;
  #end = () => {};

  constructor(time: Time, receiving: Receiving | undefined) {
    super();
    this.#time = time;
    this.#receiving = receiving;
  }

  async listen(): Promise<string> {
    const start = new URL('/wmct-receiver', globalThis.location.href).href;
    this.#end =
      this.#receiving?.(start, async (request) => {
        const { url, method } = request;
        const headers = Object.fromEntries(request.headers);
        const { status, delayMs } = this.take(url, { method, headers, body: await request.text(), at: this.#time.now() });
        if (delayMs > 0) await new Promise<void>((done) => this.#time.after(delayMs, done));
        return new Response(null, { status });
      }) ?? this.#end;
    return start;
  }

  async close(): Promise<void> {
    this.#end();
  }
}

/** Runs the checks from this page. */
export const runInPage = ({ register, receive, ...options }: PageOptions): Promise<Report> =>
  runSuite(options, {
    register,
    latest: documentRelease(options.document) ?? newestRelease(register),
    // A page knows of no other: what it left behind is known by its age alone.
    runner: { host: undefined, pid: 1, alive: () => true },
    document: () => undefined,
    receiver: (time) => new PageReceiver(time, receive),
  });
