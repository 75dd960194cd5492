// The records of a world: complete, with times as ISO 8601 in UTC with milliseconds.
import type { Choices } from '../contract/choices.ts';
import type { BlankOf, Field, NeededOf, RecordOf } from '../contract/fields.ts';
import type { Plan } from '../contract/limits.ts';
import { RESOURCES } from '../contract/resources.ts';
import type { TermsDraft } from '../contract/terms.ts';

type Resources = typeof RESOURCES;
type RecordTypes = { readonly [N in keyof Resources]: RecordOf<Resources[N]> };
/** The type of the records of each kind; an interface, so that it has a name in messages. */
export interface Records extends RecordTypes {}
export type RecordName = keyof Records;
export type ProjectRecord = Records['projects'];
export type TaskRecord = Records['tasks'];
export type UserRecord = Records['users'];
export type CommentRecord = Records['comments'];
export type WebhookRecord = Records['webhooks'];
export type KeyRecord = Records['keys'];

export const NAMES = Object.keys(RESOURCES) as RecordName[];

export const ofEach = <T>(make: (name: RecordName) => T): Readonly<Record<RecordName, T>> =>
  Object.fromEntries(NAMES.map((name) => [name, make(name)])) as Record<RecordName, T>;

export const FIELDS = ofEach((name) =>
  Object.entries<Field>(RESOURCES[name]).flatMap(([field, about]) =>
    about.kind === 'derived' ? [] : [{ name: field, ...about }],
  ),
);

/** Default values of a record: copies of an object read from JSON take the least memory. */
export const BLANKS = ofEach((name) =>
  JSON.parse(JSON.stringify(Object.fromEntries(FIELDS[name].map(({ name, start }) => [name, start])))),
) as { readonly [N in RecordName]: Blank<N> };

export type Blank<N extends RecordName> = BlankOf<Resources[N]>;

export type Needed<N extends RecordName> = NeededOf<Resources[N]>;

export interface Workspace {
  readonly id: string;
  readonly name: string;
  /** A plan, or requests per minute. */
  readonly plan: Plan | number;
  /** Length of the rate window, milliseconds; absent: a minute. */
  readonly window_ms?: number;
}

export type WorkspaceSeed = Workspace & { readonly [N in RecordName]: readonly Records[N][] };

/** Turns of creation: runs of records of one kind that were created consecutively. */
export type Runs = readonly { readonly from: number; readonly count: number }[];

export interface Progress {
  readonly sequence: number;
  readonly drawn: readonly { readonly stream: string; readonly count: number }[];
  readonly order?: { readonly [N in RecordName]?: Runs };
}

/** The complete, validated initial data of a world: a processed seed file. */
export interface Seed extends TermsDraft {
  /** Where the clock starts, frozen, in milliseconds since 1970; null: the real clock. */
  readonly now: number | null;
  readonly randomSeed: number;
  readonly choices: Choices;
  readonly workspaces: readonly WorkspaceSeed[];
  /** Progress of randomness and order, if the seed was exported from a world. */
  readonly progress?: Progress;
}

export const textOrder = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Order of creation within a seed is order of age; records of one moment keep the order of the file. */
export const byAge = <T extends { readonly created_at: string }>(records: readonly T[]): readonly T[] =>
  [...records].sort((a, b) => textOrder(a.created_at, b.created_at));

/** The turn of creation of each record, by kind; undefined if they do not match the records because the seed was edited. */
export const creationTurns = (
  seed: Seed,
  { order = {}, sequence }: Progress,
): Readonly<Record<RecordName, readonly number[]>> | undefined => {
  const turns = NAMES.map((name) =>
    (order[name] ?? []).flatMap(({ from, count }) => Array.from({ length: Math.min(count, sequence) }, (_, i) => from + i)),
  );
  const all = turns.flat();
  const fit = NAMES.every(
    (name, i) => turns[i]!.length === seed.workspaces.reduce((sum, workspace) => sum + workspace[name].length, 0),
  );
  if (!fit || all.some((turn) => turn > sequence) || new Set(all).size < all.length) return undefined;
  return Object.fromEntries(NAMES.map((name, i) => [name, turns[i]!])) as unknown as Record<RecordName, readonly number[]>;
};
