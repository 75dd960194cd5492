// A receiver for those who have none: keeps what is sent to a name, and answers as it was told.
import { any, type Is, integer, map, object, string, time } from '../contract/schema.ts';

export const InboxMessage = object({
  id: string(),
  at: time('When it came.'),
  method: string(),
  headers: map<string>('As received.'),
  body: any('Parsed JSON, or text.'),
  /** As it came: a signature is made over it. */
  text: string(),
  status: integer(),
});
export interface InboxMessage extends Is<typeof InboxMessage> {
  readonly query: string;
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
  /** By their names; the same value as long as nothing changes. */
  boxes: ReadonlyMap<string, Box>;

  constructor(boxes: ReadonlyMap<string, Box> = new Map()) {
    this.boxes = boxes;
  }

  /** An independent copy in constant time. */
  fork(): Inbox {
    return new Inbox(this.boxes);
  }

  messages(name: string): readonly InboxMessage[] {
    return (this.boxes.get(name) ?? EMPTY).messages;
  }

  /** Statuses of the next answers, in turn; afterwards it is 200 again. */
  respond(name: string, statuses: readonly number[]): void {
    this.#put(name, { ...(this.boxes.get(name) ?? EMPTY), statuses });
  }

  ahead(name: string): readonly number[] {
    return (this.boxes.get(name) ?? EMPTY).statuses;
  }

  /** Takes a message in. @returns it with the status to answer. */
  receive(name: string, message: Omit<InboxMessage, 'id' | 'status'>): InboxMessage {
    const { messages, statuses, received } = this.boxes.get(name) ?? EMPTY;
    const [status = 200, ...rest] = statuses;
    const kept = { id: `msg_${received + 1}`, ...message, status };
    this.#put(name, { messages: [...messages.slice(1 - MOST_MESSAGES), kept], statuses: rest, received: received + 1 });
    return kept;
  }

  #put(name: string, box: Box): void {
    const boxes = new Map(this.boxes).set(name, box);
    if (boxes.size > MOST_NAMES) boxes.delete(boxes.keys().next().value!);
    this.boxes = boxes;
  }
}
