// One exchange as the journal keeps it: references to what was asked and answered, with nothing computed yet.
import type { Terms } from '../contract/terms.ts';
import type { Closing } from '../world/closing.ts';
import type { Faults } from '../world/faults.ts';
import type { Journal } from '../world/journal.ts';
import type { Change, World } from '../world/world.ts';
import type { Asked, Reply } from './endpoint.ts';
import { writePage } from './write.ts';

export interface Exchange {
  readonly number: number;
  /** When it came and when it was answered, milliseconds since 1970 on the clock of the world. */
  readonly at: number;
  readonly ended: number;
  readonly asked: Asked;
  /** A page without its text, which would weigh a thousand times eight kilobytes. */
  readonly reply: Reply;
  /** The terms of the world at that time. */
  readonly terms: Terms;
  readonly changes: readonly Change[];
  /** The fault that struck it. */
  readonly fault: string | undefined;
  /** Whether the connection was closed in place of an answer. */
  readonly aborted: boolean;
}

/** Longer bodies are cut for the journal, characters: a thousand of a mebibyte would fill the memory. */
const LONGEST_BODY = 32_768;

/** A text that shares no memory with the longer one that it is cut from. */
const cut = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text.slice(0, LONGEST_BODY)));

/** What was asked, as the journal keeps it. */
export const keptAsked = (asked: Asked): Asked => {
  if (!asked.body || !('text' in asked.body) || asked.body.text.length <= LONGEST_BODY) return asked;
  const { text } = asked.body;
  return { ...asked, body: { text: `${cut(text)} … cut: ${text.length} characters in all` } };
};

/** A reply with its text, which is written if need be. */
export const wholeReply = ({ reply, terms }: Pick<Exchange, 'reply' | 'terms'>): Reply =>
  reply.page ? { ...reply, text: writePage(reply.page, terms) } : reply;

/** A world with what stands round it when it is asked over HTTP. */
export interface Realm {
  readonly world: World;
  readonly journal: Journal<Exchange>;
  readonly faults: Faults;
  /** When the world is closed, nobody is kept waiting any longer. */
  readonly closing: Closing;
}
