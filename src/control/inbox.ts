// A receiver for those who have none: keeps what is sent to a name, and answers as it was told.

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

export class Inbox {
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
  receive(name: string, message: Omit<InboxMessage, 'id' | 'status'>): InboxMessage {
    const { messages, statuses, received } = this.#boxes.get(name) ?? EMPTY;
    const [status = 200, ...rest] = statuses;
    const kept = { id: `msg_${received + 1}`, ...message, status };
    this.#put(name, { messages: [...messages.slice(1 - MOST_MESSAGES), kept], statuses: rest, received: received + 1 });
    return kept;
  }

  #put(name: string, box: Box): void {
    const boxes = new Map(this.#boxes).set(name, box);
    if (boxes.size > MOST_NAMES) boxes.delete(boxes.keys().next().value!);
    this.#boxes = boxes;
  }
}
