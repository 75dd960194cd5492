// What things weigh in memory, as a rule of thumb on the safe side: two bytes a character, and what an object costs.
import type { Exchange } from '../../service/http/exchange.ts';
import type { RequestInfo } from '../../service/http/request-info.ts';
import type { Held } from '../../service/webhooks/deliveries.ts';
import type { FaultOrder } from '../../service/world/fault-draft.ts';
import type { Change } from '../../service/world/world.ts';
import type { InboxMessage } from './inbox.ts';

export const USES = ['journal', 'deliveries', 'inbox', 'snapshots', 'worlds', 'held'] as const;
/** Bytes by what uses them. */
export type Use = { readonly [U in (typeof USES)[number]]: number };

const FIELD = 16;
const LONGEST_CHAIN = 500;

/** What was written since a copy was made; what its copies share is counted once. */
export class Written {
  bytes = 0;
  readonly before: Written | undefined;
  readonly #length: number;

  private constructor(before: Written | undefined) {
    this.before = before;
    this.#length = before ? before.#length + 1 : 1;
  }

  /** @param written what was written before; undefined: nothing. */
  static after(written: Written | undefined): Written {
    let before = written;
    while (before?.bytes === 0) before = before.before;
    if (before === undefined || before.#length < LONGEST_CHAIN) return new Written(before);
    const together = new Written(undefined);
    for (let one: Written | undefined = before; one; one = one.before) together.bytes += one.bytes;
    return new Written(together);
  }

  static of(bytes: number): Written {
    const written = new Written(undefined);
    written.bytes = bytes;
    return written;
  }
}

/** The texts of a value, however deep, and what holds them. */
export const weightOf = (value: unknown): number => {
  if (typeof value === 'string') return FIELD + 2 * value.length;
  if (typeof value !== 'object' || value === null) return FIELD;
  let sum = 2 * FIELD;
  for (const inner of Object.values(value)) sum += FIELD + weightOf(inner);
  return sum;
};

/** Beside a record stands its JSON, once it was shown. */
const recordOf = (record: object | undefined): number => (record === undefined ? 0 : 500 + 2 * weightOf(record));

export const weightOfChange = ({ before, after }: Change): number => recordOf(after) - recordOf(before);

export const weightOfAsked = ({ url, headers, body }: RequestInfo): number => {
  let chars = url.length;
  for (const header of headers as Iterable<string | readonly string[]>) chars += header.length;
  return 1500 + 2 * chars + (body && 'text' in body ? 2 * body.text.length : 0);
};

export const weightOfExchange = ({ asked, reply, changes }: Exchange): number => {
  let sum = weightOfAsked(asked) + 1000 + 2 * (reply.text?.length ?? 0);
  if (reply.page) sum += 16 * 100;
  if (reply.problem) sum += 200 * reply.problem.fields.length;
  for (const { after } of changes) sum += recordOf(after);
  return sum;
};

/** Its event and its body are the same texts, once as values and once as JSON. */
export const weightOfDelivery = ({ delivery: { url, request, attempts } }: Pick<Held, 'delivery'>): number => {
  let sum = 2000 + 2 * url.length + 4 * request.body.length;
  for (const { response_excerpt = '', error = '' } of attempts) sum += 500 + 2 * (response_excerpt.length + error.length);
  return sum;
};

export const weightOfFault = ({ match, effect }: FaultOrder): number => 500 + weightOf(match) + weightOf(effect);

export const weightOfMessage = ({ query, text, headers }: InboxMessage): number =>
  500 + weightOf(headers) + 2 * (query.length + text.length);
