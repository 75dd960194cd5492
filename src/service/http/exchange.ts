// One exchange: what is asked, what is replied, and both as the journal keeps them, with nothing computed yet.
import type { Problem } from '../contract/errors.ts';
import type { OperationId } from '../contract/operations.ts';
import type { Terms } from '../contract/terms.ts';
import type { PageOf } from '../lists/page.ts';
import type { Closing } from '../world/closing.ts';
import type { Faults } from '../world/faults.ts';
import type { Journal } from '../world/journal.ts';
import type { Caller } from '../world/view.ts';
import type { Quota } from '../world/window.ts';
import type { Change, World } from '../world/world.ts';
import type { RawBody } from './body.ts';
import { writePage } from './write.ts';

/** What the endpoint needs to know of a request; no more. */
export interface Asked {
  /** The operation of its method and path; undefined when the table has none. */
  readonly id: OperationId | undefined;
  /** Methods that the path has, when only the method is wrong. */
  readonly allowed: readonly string[];
  readonly method: string;
  readonly url: string;
  /** Header names and values in turn, as they came, or a Headers object. */
  readonly headers: readonly string[] | Headers;
  readonly variable: string | undefined;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: RawBody | undefined;
}

export interface Reply {
  readonly status: number;
  /** Null for a page and where there is no body. */
  readonly text: string | null;
  /** The page of a list, which is written when it is sent or shown. */
  readonly page: PageOf<unknown> | undefined;
  /** Null: a header that every answer has, and this one has not. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly quota: Quota;
  /** Who asked, once that is known. */
  readonly caller: Caller | undefined;
  readonly problem: Problem | undefined;
}

export interface Exchange {
  readonly number: number;
  /** Its number on the timeline of its world. */
  readonly place?: number | undefined;
  /** When it came in real time, milliseconds since 1970. */
  readonly real: number;
  /** When it came and when it was answered, milliseconds since 1970 on the clock of the world. */
  readonly at: number;
  readonly ended: number;
  readonly asked: Asked;
  /** A page without its text, which would weigh a thousand times eight kilobytes. */
  readonly reply: Reply;
  readonly terms: Terms;
  readonly changes: readonly Change[];
  readonly fault: string | undefined;
  /** Whether the connection was closed in place of an answer. */
  readonly aborted: boolean;
}

/** Longer bodies are cut for the journal, characters: a thousand of a mebibyte would fill the memory. */
const LONGEST_BODY = 32_768;

/** A text that shares no memory with the longer one that it is cut from. */
const cut = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text.slice(0, LONGEST_BODY)));

export const brief = (asked: Asked): Asked => {
  if (!asked.body || !('text' in asked.body) || asked.body.text.length <= LONGEST_BODY) return asked;
  const { text } = asked.body;
  return { ...asked, body: { text: `${cut(text)} … cut: ${text.length} characters in all` } };
};

export const wholeReply = ({ reply, terms }: Pick<Exchange, 'reply' | 'terms'>): Reply =>
  reply.page ? { ...reply, text: writePage(reply.page, terms) } : reply;

/** The service of one world: what a request is answered from, and where it is written down. */
export interface Service {
  readonly world: World;
  readonly journal: Journal<Exchange>;
  readonly faults: Faults;
  /** When the world is closed, nobody is kept waiting any longer. */
  readonly closing: Closing;
  /** What is answered late, or on release: without a number, and ended when it came. */
  readonly held: Set<Exchange>;
  /** Told of each request just before it is answered, where that is recorded. */
  readonly came?: Came | undefined;
  /** Passes on what was read of a request on a turn of its own, where that is recorded. */
  readonly turn?: (<T>(read: T) => Promise<T>) | undefined;
}

/** @param body what was read of it */
export type Came = (request: Request, body: RawBody | undefined) => void;
