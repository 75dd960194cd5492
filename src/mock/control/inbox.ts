// A built-in receiver of webhooks: stores messages by inbox, and responds with preset statuses.
import { any, type Is, integer, map, object, string, time } from '../../service/contract/schema.ts';
import { readJson } from '../../service/validation/json-text.ts';
import { bytesOf } from '../../service/world/growth.ts';
import { Log } from '../../service/world/log.ts';

export const InboxMessage = object({
  id: string(),
  at: time('When it was received.'),
  method: string(),
  headers: map<string>('As received.'),
  body: any('Parsed JSON, or text.'),
  /** As received: signatures cover it. */
  text: string(),
  status: integer(),
});
export interface InboxMessage extends Is<typeof InboxMessage> {
  readonly query: string;
}

const MAX_MESSAGES = 200;
const MAX_BOXES = 200;

export interface Box {
  readonly statuses: readonly number[];
  readonly received: number;
  /** Number of the last change, counted over all boxes of the world. */
  readonly number?: number;
}

export interface SavedBox extends Box {
  readonly messages: readonly InboxMessage[];
}

const EMPTY: Box = { statuses: [], received: 0 };

/** Without `body`, which is parsed on access. */
const bytesOfMessage = ({ query, text, headers }: InboxMessage): number =>
  500 + bytesOf(headers) + 2 * (query.length + text.length);

const messageKey = (name: string, id: string): string => `${id} ${name}`;
const messageId = (number: number): string => `msg_${number}`;

const INBOX_RULES = { bytesOf: bytesOfMessage };

export class Inbox {
  readonly log: Log<string, InboxMessage>;
  boxes: ReadonlyMap<string, Box>;

  constructor(log = new Log<string, InboxMessage>(INBOX_RULES), boxes: ReadonlyMap<string, Box> = new Map()) {
    this.log = log;
    this.boxes = boxes;
  }

  fork(): Inbox {
    return new Inbox(this.log.fork(), this.boxes);
  }

  save(): [string, SavedBox][] {
    return Array.from(this.boxes, ([name, box]) => [name, { ...box, messages: this.messages(name) }]);
  }

  static from(saved: Iterable<readonly [string, SavedBox]>): Inbox {
    const all = [...saved];
    const messages = all.flatMap(([name, box]) => box.messages.map((one) => [messageKey(name, one.id), one] as const));
    messages.sort(([, a], [, b]) => a.at.localeCompare(b.at));
    return new Inbox(new Log(INBOX_RULES, messages), new Map(all.map(([name, { messages: _, ...box }]) => [name, box])));
  }

  /** Changes of all boxes so far. */
  get number(): number {
    return [...this.boxes.values()].reduce((max, { number = 0 }) => Math.max(max, number), 0);
  }

  messages(name: string): readonly InboxMessage[] {
    const { received } = this.boxes.get(name) ?? EMPTY;
    const first = Math.max(1, received - MAX_MESSAGES + 1);
    const ids = Array.from({ length: received - first + 1 }, (_, i) => messageId(first + i));
    return ids.flatMap((id) => this.log.get(messageKey(name, id)) ?? []);
  }

  /** Sets the statuses of the next responses; afterwards it is 200 again. */
  respond(name: string, statuses: readonly number[]): void {
    this.#put(name, { ...(this.boxes.get(name) ?? EMPTY), statuses, number: this.number + 1 });
  }

  /** @returns the message with the status to respond */
  receive(name: string, { text, ...rest }: Omit<InboxMessage, 'id' | 'status' | 'body'>): InboxMessage {
    const box = this.boxes.get(name) ?? EMPTY;
    const [status = 200, ...ahead] = box.statuses;
    const received = box.received + 1;
    const message: InboxMessage = {
      id: messageId(received),
      ...rest,
      // A parsed body takes several times the memory of its text.
      get body() {
        return text === '' ? null : readJson(text, text);
      },
      text,
      status,
    };
    this.log.put(messageKey(name, message.id), message);
    this.log.remove(messageKey(name, messageId(received - MAX_MESSAGES)));
    this.#put(name, { statuses: ahead, received, number: this.number + 1 });
    return message;
  }

  /** Evicts the oldest messages, never the newest. */
  shrinkTo(bytes: number): void {
    const entries = [...this.log.entries()];
    let sum = entries.reduce((all, [, entry]) => all + entry.bytes, 0);
    for (const [key, entry] of entries.slice(0, -1)) {
      if (sum <= bytes) break;
      sum -= entry.bytes;
      this.log.remove(key);
    }
  }

  #put(name: string, box: Box): void {
    const boxes = new Map(this.boxes).set(name, box);
    if (boxes.size > MAX_BOXES) {
      const [oldest] = boxes.keys();
      for (const { id } of this.messages(oldest!)) this.log.remove(messageKey(oldest!, id));
      boxes.delete(oldest!);
    }
    this.boxes = boxes;
  }
}
