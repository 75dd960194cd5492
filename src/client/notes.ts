// The notes of a mock under trial: plain lines, which processes of the command write and the judge reads.
import type { OperationId } from '../service/contract/operations.ts';
import type { TimedNote } from './delayed-responses.ts';

/** A request and its response, as the client saw them. */
export interface ExchangeNote {
  readonly what: 'exchange';
  readonly world: string;
  /** Milliseconds from any origin. */
  readonly at: number;
  readonly ended: number;
  readonly method: string;
  /** Below the base URL, with the query. */
  readonly path: string;
  readonly operation?: OperationId | undefined;
  /** 0: the connection was closed. */
  readonly status: number;
  /** How the key was sent, and a hash that tells keys apart. */
  readonly authorization: 'none' | 'bearer' | 'other';
  readonly key: number;
  readonly contentType?: string | undefined;
  /** The body as sent, parsed. */
  readonly body?: unknown;
  /** A list has its next cursor and whether there are more. */
  readonly next?: string | null | undefined;
  readonly more?: boolean | undefined;
  readonly ids?: readonly string[] | undefined;
  /** A 429 has the milliseconds until the window resets; absent on a frozen clock. */
  readonly resetsIn?: number | undefined;
}

/** A real attempt to deliver an event. */
export interface DeliveryNote {
  readonly what: 'delivery';
  readonly at: number;
  readonly ended: number;
  readonly url: string;
  readonly event: string;
  readonly id: string;
  /** 0: no response. */
  readonly status: number;
  readonly timedOut: boolean;
  /** A repeated delivery of an acknowledged event. */
  readonly again: boolean;
  /** As old as a last retry. */
  readonly old: boolean;
}

/** A request that a condition would have a different response to. */
export interface TouchNote {
  readonly what: 'touch';
  readonly world: string;
  readonly condition: string;
  readonly request: string;
}

export interface MockNote {
  readonly what: 'mock';
  readonly frozen: boolean;
}

export interface TestNote {
  readonly what: 'test';
  readonly world: string;
  readonly test: string;
  readonly passed: boolean;
  /** When it ended, milliseconds from any origin. */
  readonly at: number;
}

export type OrderNote = TimedNote & { readonly world: string };

export type Note = ExchangeNote | DeliveryNote | TouchNote | MockNote | TestNote | OrderNote;

export const notesOf = <W extends Note['what']>(notes: readonly Note[], what: W) =>
  notes.filter((note): note is Extract<Note, { what: W }> => note.what === what);

/** The path below the base URL, and its query. */
export const pathOf = ({ path }: Pick<ExchangeNote, 'path'>): string => path.split('?')[0]!;
export const queryOf = ({ path }: Pick<ExchangeNote, 'path'>): URLSearchParams => new URL(path, 'http://service').searchParams;

/** The title of a test without its file and suites. */
export const lastOf = (test: string): string => test.split(' > ').at(-1)!.split(' › ').at(-1)!;

/** Ids of records differ from run to run. */
export const withoutIds = (text: string): string => text.replace(/\b[a-z]{3,4}_\w+/g, '');

export const exchangesIn = (notes: readonly Note[]): readonly ExchangeNote[] =>
  [...notesOf(notes, 'exchange')].sort((a, b) => a.at - b.at);

/** Worlds of the tests that passed, and did not fail at another try. */
export const passedWorlds = (notes: readonly Note[]): ReadonlySet<string> => {
  const passed = new Set(notesOf(notes, 'test').flatMap((note) => (note.passed ? [note.world] : [])));
  for (const world of failedWorlds(notes) ?? []) passed.delete(world);
  return passed;
};

/** Worlds of the tests that failed, quick ones first; undefined when the failure may be elsewhere. */
export const failedWorlds = (notes: readonly Note[]): readonly string[] | undefined => {
  const failed = notesOf(notes, 'test').filter(({ passed }) => !passed);
  const began = new Map(
    exchangesIn(notes)
      .map(({ world, at }) => [world, at] as const)
      .reverse(),
  );
  const took = new Map(failed.map(({ world, at }) => [world, at - (began.get(world) ?? at)]));
  return failed.length > 0 ? [...took.keys()].sort((a, b) => took.get(a)! - took.get(b)!) : undefined;
};
