// What a world stores: complete records, times as ISO 8601 in UTC with milliseconds.
import type { Choices } from '../contract/choices.ts';
import type { BlankOf, Field, NeededOf, RecordOf } from '../contract/fields.ts';
import type { Forward } from '../contract/forward.ts';
import type { Plan } from '../contract/limits.ts';
import type { Release } from '../contract/releases.ts';
import { RESOURCES } from '../contract/resources.ts';

type Resources = typeof RESOURCES;
type Recorded = { readonly [N in keyof Resources]: RecordOf<Resources[N]> };
/** The type of the records of each kind; an interface, so that it has a name in messages. */
export interface Records extends Recorded {}
export type RecordName = keyof Records;
export type ProjectRecord = Records['projects'];
export type TaskRecord = Records['tasks'];
export type UserRecord = Records['users'];
export type TeamRecord = Records['teams'];
export type CommentRecord = Records['comments'];
export type WebhookRecord = Records['webhooks'];
export type KeyRecord = Records['keys'];

/** The kinds of records. */
export const NAMES = Object.keys(RESOURCES) as RecordName[];

/** Makes something for each kind of record. */
export const ofEach = <T>(make: (name: RecordName) => T): Readonly<Record<RecordName, T>> =>
  Object.fromEntries(NAMES.map((name) => [name, make(name)])) as Record<RecordName, T>;

/** The fields that the records of a kind hold, in their order. */
export const FIELDS = ofEach((name) =>
  Object.entries<Field>(RESOURCES[name]).flatMap(([field, about]) =>
    about.kind === 'derived' ? [] : [{ name: field, ...about }],
  ),
);

/**
 * What a record holds when nobody has said anything. A copy has every field of its kind, in their order. Copies of an object that
 * was read from JSON take the least memory: engines lay it out for the fields that it has.
 */
export const BLANKS = ofEach((name) =>
  JSON.parse(JSON.stringify(Object.fromEntries(FIELDS[name].map(({ name, start }) => [name, start])))),
) as { readonly [N in RecordName]: Blank<N> };

/** What new records have from the start. */
export type Blank<N extends RecordName> = BlankOf<Resources[N]>;

/** What has to be said of every record. */
export type Needed<N extends RecordName> = NeededOf<Resources[N]>;

/** Every record of one workspace; tasks name their project, comments their task. */
export type WorkspaceSeed = {
  readonly id: string;
  readonly name: string;
  /** A plan, or requests per minute. */
  readonly plan: Plan | number;
} & { readonly [N in RecordName]: readonly Records[N][] };

/** Turns of creation: runs of records of one kind that were created one after the other. */
export type Runs = readonly { readonly from: number; readonly count: number }[];

export interface Progress {
  /** The last turn of creation. */
  readonly sequence: number;
  readonly drawn: readonly { readonly stream: string; readonly count: number }[];
  readonly order?: { readonly [N in RecordName]?: Runs };
}

/** Complete, checked data of a world at its start: what a seed file becomes. */
export interface Seed {
  /** Where the clock starts, frozen, in milliseconds since 1970; null: the real clock. */
  readonly now: number | null;
  readonly randomSeed: number;
  readonly choices: Choices;
  /** The release of the service; absent: today's. */
  readonly release?: Release;
  /** The changes of a later release that the service makes already. */
  readonly forward?: Forward;
  readonly workspaces: readonly WorkspaceSeed[];
  /** How far chance and order had come, when the seed was a world before. */
  readonly progress?: Progress;
}

export const textOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Order of creation within a seed is order of age; records of one moment keep the order of the file. */
export const byAge = <T extends { readonly created_at: string }>(records: readonly T[]): readonly T[] =>
  [...records].sort((a, b) => textOrder(a.created_at, b.created_at));
