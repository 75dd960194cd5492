// A receiver for those who have none: keeps what is sent to a name, and answers as it was told.
import { type Log, stamped, turnOf } from '../world/turn.ts';

export interface InboxMessage {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed when it is JSON, else its text. */
  readonly body: unknown;
  /** The exact text, over which a signature is made. */
  readonly text: string;
  /** What it was answered. */
  readonly status: number;
}

const MOST_MESSAGES = 200;
const MOST_NAMES = 200;

export interface Box {
  readonly messages: readonly InboxMessage[];
  readonly statuses: readonly number[];
  readonly received: number;
}
const EMPTY: Box = { messages: [], statuses: [], received: 0 };

const parsed = (text: string): unknown => {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
};

export class Inbox implements Log<InboxMessage> {
  #boxes: ReadonlyMap<string, Box>;

  /** @param boxes by their names. */
  constructor(boxes: ReadonlyMap<string, Box> = new Map()) {
    this.#boxes = boxes;
  }

  /** An independent copy in constant time. */
  fork(): Inbox {
    return new Inbox(this.#boxes);
  }

  /** What it holds; the same value as long as nothing changes. */
  get boxes(): ReadonlyMap<string, Box> {
    return this.#boxes;
  }

  messages(name: string): readonly InboxMessage[] {
    return (this.#boxes.get(name) ?? EMPTY).messages;
  }

  /** Statuses of the next answers, in turn; afterwards it is 200 again. */
  respond(name: string, statuses: readonly number[]): void {
    this.#put(name, { ...(this.#boxes.get(name) ?? EMPTY), statuses });
  }

  /** The statuses that are still to come. */
  ahead(name: string): readonly number[] {
    return (this.#boxes.get(name) ?? EMPTY).statuses;
  }

  /** Takes a message in. @returns it with the status to answer. */
  receive(name: string, { text, ...rest }: Omit<InboxMessage, 'id' | 'status' | 'body'>): InboxMessage {
    const { messages, statuses, received } = this.#boxes.get(name) ?? EMPTY;
    const [status = 200, ...ahead] = statuses;
    const kept: InboxMessage = stamped({
      id: `msg_${received + 1}`,
      ...rest,
      // A parsed body weighs several times its text.
      get body() {
        return parsed(text);
      },
      text,
      status,
    });
    this.#put(name, { messages: [...messages.slice(1 - MOST_MESSAGES), kept], statuses: ahead, received: received + 1 });
    return kept;
  }

  each(tell: (message: InboxMessage, turn: number, needed: boolean) => void): void {
    for (const { messages } of this.#boxes.values()) for (const message of messages) tell(message, turnOf(message), false);
  }

  forget(upTo: number): void {
    for (const [name, box] of this.#boxes) {
      const messages = box.messages.filter((message) => turnOf(message) > upTo);
      if (messages.length < box.messages.length) this.#put(name, { ...box, messages });
    }
  }

  #put(name: string, box: Box): void {
    const boxes = new Map(this.#boxes).set(name, box);
    if (boxes.size > MOST_NAMES) boxes.delete(boxes.keys().next().value!);
    this.#boxes = boxes;
  }
}
