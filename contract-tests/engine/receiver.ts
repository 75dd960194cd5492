// A webhook receiver of the suite: keeps the messages for this run, and responds as the run is told.
import { parsed } from './wire.ts';

/** A status, or one that is held back for some milliseconds. */
export type ReceiverResponse = number | { readonly status: number; readonly delayMs: number };

export interface Message {
  /** The last part of the path: the name of the registration. */
  readonly path: string;
  /** The query after the path, with its question mark. */
  readonly query: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  readonly json: unknown;
  /** The clock of the run on arrival. */
  readonly at: number;
  /** The receiver's response to it. */
  readonly response: Exclude<ReceiverResponse, number>;
}

/** A message that has no response yet. */
export type Arrival = Omit<Message, 'response'>;

const ACCEPTED = { status: 200, delayMs: 0 } as const;

/** Characters of all messages that are kept. */
const MAX_KEPT = 100_000_000;

export abstract class Receiver {
  /** The part of the path before the last. What comes under another is of another run: it is accepted and forgotten. */
  run = '';
  readonly messages: Message[] = [];
  #kept = 0;
  /** The response to a message, given those that came before it; undefined: 200. */
  plan: (message: Arrival, earlier: readonly Message[]) => ReceiverResponse | undefined = () => undefined;

  /** Begins to receive. @returns the URL in front of its paths. */
  abstract listen(port: number): Promise<string>;
  abstract close(): Promise<void>;

  /** Keeps a message. @param url ends with the run and the path; a proxy may put more before. @returns the response. */
  take(url: string, message: Omit<Arrival, 'path' | 'query' | 'json'>): Message['response'] {
    const { pathname, search } = new URL(url, 'http://receiver');
    const [run, path = ''] = pathname.split('/').slice(-2);
    this.#kept += url.length + message.body.length;
    if (run !== this.run || this.#kept > MAX_KEPT) return ACCEPTED;
    const whole = { ...message, path, query: search, json: parsed(message.body).json };
    const planned = this.plan(whole, this.messages) ?? ACCEPTED;
    const response = typeof planned === 'number' ? { status: planned, delayMs: 0 } : planned;
    this.messages.push({ ...whole, response });
    return response;
  }

  on(path: string): Message[] {
    return this.messages.filter((message) => message.path === path);
  }
}
