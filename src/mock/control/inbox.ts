// A receiver for those who have none: keeps what is sent to a name, and answers as it was told.
import { any, type Is, integer, map, object, string, time } from '../../service/contract/schema.ts';
import { readJson } from '../../service/http/body.ts';
import { type Log, stamped, turnOf } from '../../service/world/turn.ts';

export const InboxMessage = object({
  id: string(),
  at: time('When it was received.'),
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
  /** The number of what happened to it last, among all that happened to the boxes of its world. */
  readonly number?: number;
}
const EMPTY: Box = { messages: [], statuses: [], received: 0 };

const parsed = (text: string): unknown => {
  try {
    return text === '' ? null : readJson(text);
  } catch {
    return text;
  }
};

export class Inbox implements Log<InboxMessage> {
  /** By their names; the same value as long as nothing changes. */
  boxes: ReadonlyMap<string, Box>;

  constructor(boxes: ReadonlyMap<string, Box> = new Map()) {
    this.boxes = boxes;
  }

  /** An independent copy in constant time. */
  fork(): Inbox {
    return new Inbox(this.boxes);
  }

  /** How often any of its boxes took something in or was told how to answer. */
  get number(): number {
    return [...this.boxes.values()].reduce((most, { number = 0 }) => Math.max(most, number), 0);
  }

  messages(name: string): readonly InboxMessage[] {
    return (this.boxes.get(name) ?? EMPTY).messages;
  }

  /** Statuses of the next answers, in turn; afterwards it is 200 again. */
  respond(name: string, statuses: readonly number[]): void {
    this.#put(name, { ...(this.boxes.get(name) ?? EMPTY), statuses, number: this.number + 1 });
  }

  ahead(name: string): readonly number[] {
    return (this.boxes.get(name) ?? EMPTY).statuses;
  }

  /** Takes a message in. @returns it with the status to answer. */
  receive(name: string, { text, ...rest }: Omit<InboxMessage, 'id' | 'status' | 'body'>): InboxMessage {
    const { messages, statuses, received } = this.boxes.get(name) ?? EMPTY;
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
    const now = { statuses: ahead, received: received + 1, number: this.number + 1 };
    this.#put(name, { messages: [...messages.slice(1 - MOST_MESSAGES), kept], ...now });
    return kept;
  }

  /** Forgets the oldest messages of all names until the others weigh so much; the newest stays. */
  keep(bytes: number, weigh: (message: InboxMessage) => number): void {
    const all = [...this.boxes.values()].flatMap(({ messages }) => messages).reverse();
    // Restored ones have no turn of their own.
    all.sort((a, b) => turnOf(b) - turnOf(a) || b.at.localeCompare(a.at));
    let weight = 0;
    const kept = new Set<InboxMessage>();
    for (const message of all) {
      weight += weigh(message);
      if (weight > bytes && kept.size > 0) break;
      kept.add(message);
    }
    if (kept.size < all.length) this.#filter((message) => kept.has(message));
  }

  each(tell: (message: InboxMessage, turn: number, needed: boolean) => void): void {
    for (const { messages } of this.boxes.values()) for (const message of messages) tell(message, turnOf(message), false);
  }

  forget(upTo: number): void {
    this.#filter((message) => turnOf(message) > upTo);
  }

  #filter(isKept: (message: InboxMessage) => boolean): void {
    for (const [name, box] of this.boxes) {
      const messages = box.messages.filter(isKept);
      if (messages.length < box.messages.length) this.#put(name, { ...box, messages });
    }
  }

  #put(name: string, box: Box): void {
    const boxes = new Map(this.boxes).set(name, box);
    if (boxes.size > MOST_NAMES) boxes.delete(boxes.keys().next().value!);
    this.boxes = boxes;
  }
}
