// The seam between a target and the receivers of its events: an operator rewrites, multiplies or loses letters.
import { createHmac } from 'node:crypto';
import type { Post as Letter } from '../reference/model.ts';
import { sendOverHttp } from '../reference/server.ts';
import type { Loose } from './exchange.ts';

export type { Letter };

/** A registration that the run has made. */
export interface Hook {
  readonly url: string;
  readonly events: readonly string[] | undefined;
  readonly secret: string;
  readonly foreign: boolean;
  /** False in a world of a control API. */
  readonly home: boolean;
}

export interface Mailing {
  /** Counts from 1, by receiver and event. */
  readonly attempt: number;
  readonly json: Loose;
  readonly hook: Hook | undefined;
}

/** The letters that are sent in place of one. */
export type Rewrite = (letter: Letter, mailing: Mailing) => readonly Letter[];
/** The status that the target takes a receiver's response for; 0 is no response. */
export type Hear = (status: number) => number;

export const SIGNATURE = 'x-service-signature';
export const STAMP = 'x-service-timestamp';

/** Signs as both targets do: a hex HMAC over timestamp, a dot and the body, in whatever frame the header has. */
export const sealed = (letter: Letter, secret: string): Letter => {
  const frame = letter.headers[SIGNATURE];
  if (frame === undefined) return letter;
  const stamp = letter.headers[STAMP] ?? '';
  const mac = createHmac('sha256', secret).update(`${stamp}.${letter.body}`).digest('hex');
  const signature = frame.replace(/[0-9a-f]{64}/, mac).replace(/^t=\d+/, `t=${stamp}`);
  return { ...letter, headers: { ...letter.headers, [SIGNATURE]: signature } };
};

/** The post office of one run: knows the registrations, and how the target formats its letters. */
export class Mail {
  readonly hooks: Hook[] = [];
  /** The id of the first event of a kind that a receiver got. */
  readonly firstIds = new Map<string, string>();
  readonly #now: () => number;
  readonly #attempts = new Map<string, number>();
  readonly #resolve: (url: string) => string;
  #model: Readonly<Record<string, string>> = { 'content-type': 'application/json', [STAMP]: '0', [SIGNATURE]: '0'.repeat(64) };
  rewrite: Rewrite = (letter) => [letter];
  hear: Hear = (status) => status;

  /** @param resolve where a receiver's URL really leads to */
  constructor(now: () => number, resolve: (url: string) => string) {
    this.#now = now;
    this.#resolve = resolve;
  }

  #post(letter: Letter, signal?: AbortSignal): Promise<number> {
    return sendOverHttp({ ...letter, url: this.#resolve(letter.url) }, signal).catch(() => 0);
  }

  /** Sends what the target wanted to send, as the operator has it. */
  async carry(sent: Letter, signal?: AbortSignal): Promise<number> {
    const headers = Object.fromEntries(Object.entries(sent.headers).map(([name, value]) => [name.toLowerCase(), value]));
    const letter = { ...sent, headers };
    const json = JSON.parse(letter.body) as Loose;
    const key = `${letter.url} ${json.id}`;
    const attempt = (this.#attempts.get(key) ?? 0) + 1;
    this.#attempts.set(key, attempt);
    const hook = this.hooks.find(({ url }) => url === letter.url);
    this.#model = letter.headers;
    const letters = this.rewrite(letter, { attempt, json, hook });
    const statuses = await Promise.all(letters.map((one) => this.#post(one, signal)));
    return this.hear(statuses[0] ?? 200);
  }

  /** Tells every registration of an event that was none. @returns whether a receiver was told. */
  async invent(event: string, snapshot: object): Promise<boolean> {
    const now = new Date(this.#now()).toISOString();
    const kind = event.split('.')[0]!;
    const body = JSON.stringify({ id: crypto.randomUUID(), event, created_at: now, data: { [kind]: snapshot } });
    const headers = { ...this.#model, [STAMP]: String(Math.floor(this.#now() / 1000)) };
    const receivers = this.hooks.filter(
      ({ events, foreign, home }) => home && !foreign && (events === undefined || events.includes(event)),
    );
    await Promise.all(receivers.map(({ url, secret }) => this.#post(sealed({ url, method: 'POST', headers, body }, secret))));
    return receivers.length > 0;
  }
}
