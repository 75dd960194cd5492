// What comes to a webhook receiver of the suite, however it comes: keeps it, and answers as each path is told.

export interface Message {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  readonly json: unknown;
  /** The target's clock on arrival. */
  readonly at: number;
}

/** A status, or one that is held back for some milliseconds. */
export type Answer = number | { readonly status: number; readonly delayMs: number };

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

export abstract class Receiver {
  readonly messages: Message[] = [];
  /** Stands in the path of each message to this run; others go to runs of the same address and are answered 200. Undefined: all are taken. */
  run: string | undefined;
  /** How a message is answered, given those that came before it; undefined: 200. */
  plan: (message: Message, earlier: readonly Message[]) => Answer | undefined = () => undefined;

  /** Begins to receive. @returns the URL in front of its paths. */
  abstract listen(port: number): Promise<string>;
  abstract close(): Promise<void>;

  /** Keeps a message. @param url its last part is the path. @returns the answer. */
  take(url: string, message: Omit<Message, 'path' | 'json'>): Exclude<Answer, number> {
    const parts = new URL(url, 'http://receiver').pathname.split('/');
    const path = parts.pop() ?? '';
    if (this.run !== undefined && parts.pop() !== this.run) return { status: 200, delayMs: 0 };
    const whole = { ...message, path, json: parsed(message.body) };
    const answer = this.plan(whole, this.messages) ?? 200;
    this.messages.push(whole);
    return typeof answer === 'number' ? { status: answer, delayMs: 0 } : answer;
  }

  on(path: string, event?: string): Message[] {
    return this.messages.filter(
      (m) => m.path === path && (event === undefined || (m.json as { event?: string } | undefined)?.event === event),
    );
  }
}
