// Knowledge of the target: the records it made, what became of them, and what it has seen of others.
import { type Exchange, type Json, objectIn, type Sent } from '../engine/exchange.ts';
import { keepLatest } from '../engine/keep-latest.ts';
import type { Operation } from '../engine/operations.ts';
import { decoded } from '../engine/paths.ts';
import type { Judge } from './judge.ts';

/** Records that are known of a workspace. */
const MAX_ENTRIES = 20_000;

export type Kind = 'project' | 'task' | 'team' | 'comment' | 'member';

/** A value that is known, and how. */
export interface Known {
  readonly value: unknown;
  readonly by: Exchange;
  readonly from: 'create' | 'update' | 'seen';
  /** A later read or list has shown it too. */
  confirmed: boolean;
  /** Values that requests at once with it wrote: the next look tells which of them came last. */
  readonly or?: readonly unknown[];
}

/** A field that a PATCH did not change in its response: the next look decides what is broken. */
export interface Dispute {
  readonly wanted: unknown;
  /** The value that its response showed. */
  readonly got: unknown;
  readonly by: Exchange;
  /** The exchange that showed the value before it, where that is what must change. */
  readonly since?: Exchange | undefined;
}

export interface Entry {
  readonly kind: Kind;
  readonly id: string;
  /** Made by this run, so that no other client changes it. */
  readonly own: boolean;
  readonly made: Exchange;
  readonly state: Map<string, Known>;
  readonly disputes: Map<string, Dispute>;
  /** The members of a team: who was named at its creation, who made it, and how many members it has shown. */
  team?: {
    readonly wanted: readonly string[];
    readonly creator: string | undefined;
    readonly open: boolean;
    count: number | undefined;
  };
  /** The exchange that deleted it. */
  gone?: Exchange;
  /** The exchange that showed it last. */
  shown?: Exchange;
  /** Fields that an update without a response may have changed. */
  doubts?: ReadonlySet<string>;
  /** It was not found once, and nothing is known to have deleted it. */
  unsure?: true;
  /** A response said that something of others is not there. */
  missed?: Exchange;
  /** When it was last written, by the run's clock. */
  written: Exchange;
}

/** A write that was refused and may have had an effect all the same. */
export interface Refused {
  readonly x: Exchange;
  readonly body: Json;
  /** The record that it was about; absent: it would have made one. */
  readonly target?: string;
  readonly foreign: boolean;
}

/** A refusal that is right if a user has left. */
export interface Doubt {
  readonly people: readonly string[];
  readonly blame: () => void;
}

/** One workspace, as one group of keys sees it. */
export class Workspace {
  readonly name: string;
  /** By kind and id: two kinds may share an id. */
  readonly entries = new Map<string, Entry>();
  readonly #own = new Set<Entry>();
  readonly refused: Refused[] = [];
  /** Records that requests have made, by kind, moment and title. */
  readonly born = new Map<string, Entry>();
  /** Members that any list has shown. */
  readonly seen = new Set<string>();
  /** The members that a complete list has shown. */
  members: ReadonlySet<string> | undefined;
  /** The user of each role's key. */
  readonly profiles = new Map<string, string>();
  /** Refusals of bodies that name other members: they may have left. The next list of members tells. */
  doubts: Doubt[] = [];
  /** Ids that the run made up: no member has them. */
  readonly unusedIds = new Set<string>();
  /** Kinds of records whose updated_at moves with each change that was seen, or did not once. */
  readonly touches = new Map<Kind, boolean>();
  /** Whether who makes a team becomes a member of it: one that names members, and one that names none. */
  readonly creatorJoins: { named?: boolean; alone?: boolean } = {};
  /** A key of this workspace has written: its scope suffices. */
  wrote = false;
  /** Names of creates whose responses were lost: each may have been served more than once. */
  readonly lost = new Set<string>();
  /** Counts our writes: what a list shows holds until the next one. */
  epoch = 0;
  /** Counts updates and deletions alone, which may move a record within a list or out of it. */
  moves = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** The members that are known: all of them, else those that any list has shown. */
  get people(): ReadonlySet<string> {
    return this.members ?? this.seen;
  }

  live(kind: Kind): Entry[] {
    return [...this.#own].filter((entry) => this.get(kind, entry.id) === entry && !entry.gone && !entry.unsure);
  }

  get(kind: Kind, id: string): Entry | undefined {
    return this.entries.get(`${kind} ${id}`);
  }

  /** The tasks of a project that are not known to be gone; of another record none. */
  tasksOf({ kind, id }: Entry): Entry[] {
    const isIn = (task: Entry) => task.kind === 'task' && fieldOf(task, 'project_id') === id && !task.gone;
    return kind === 'project' ? [...this.entries.values()].filter(isIn) : [];
  }

  add(kind: Kind, id: string, made: Exchange, own: boolean): Entry {
    const entry: Entry = { kind, id, own, made, written: made, state: new Map(), disputes: new Map() };
    this.entries.set(`${kind} ${id}`, entry);
    if (own) this.#own.add(entry);
    keepLatest(this.entries, MAX_ENTRIES);
    return entry;
  }
}

/** Whether the keys of two roles are surely the same user's. */
export const sameUser = ({ profiles }: Workspace, a: Exchange['as'], b: Exchange['as']): boolean =>
  a === b || (profiles.has(a) && profiles.get(a) === profiles.get(b));

/** Whether it is open that a key sees a record of ours: a private project, with what is in it, surely is there for its owner alone. */
export const maybeHidden = (ws: Workspace, entry: Entry | undefined, as: Exchange['as']): boolean => {
  const project = entry?.kind === 'task' ? ws.get('project', String(fieldOf(entry, 'project_id'))) : entry;
  if (project?.kind !== 'project' || !project.own) return false;
  return fieldOf(project, 'visibility') === 'private' && !sameUser(ws, project.made.as, as);
};

export const fieldOf = (entry: Entry, name: string): unknown => entry.state.get(name)?.value;

/** Null and absent are both "no value". */
export const normal = (value: unknown): unknown => value ?? null;

/** The body that a request sent, when it is an object. */
export const sentBody = (x: Pick<Exchange, 'requestBody'>): Json => objectIn(x.requestBody);

/** The likeness of records that requests make: the kind, the words that were sent, and what was left out. */
export const kindsOfMade = ({ rules }: Judge, kind: Kind, made: Exchange): string[] => {
  const sent = sentBody(made);
  const words = (rules.create[kind as 'task'] ?? []).filter((rule) => rule.kind === 'word' || sent[rule.name] === undefined);
  return [kind, ...words.map(({ name }) => `${kind} ${name}=${sent[name]}`)];
};

/** The record that the path names: its kind and id. */
export const target = (x: Pick<Exchange, 'path'>, operation: Operation): { kind: Kind; id: string } | undefined => {
  if (!operation.path.includes('{')) return undefined;
  const [, root = '', id = ''] = x.path.split('/');
  const kind = ({ projects: 'project', tasks: 'task', teams: 'team' } as const)[root];
  return kind ? { kind, id: decoded(id) } : undefined;
};

export const isOf = (sent: Sent, { kind, id }: Pick<Entry, 'kind' | 'id'>): boolean => {
  const named = sent.operation && target(sent, sent.operation);
  return named?.kind === kind && named.id === id;
};

/** Values of PATCHes that overlapped with a request, by field: each may have been served before or after it. */
export const rivals = (
  { beside = [] }: { readonly beside?: readonly Sent[] },
  entry: Pick<Entry, 'kind' | 'id'>,
): ReadonlyMap<string, readonly unknown[]> => {
  const found = new Map<string, readonly unknown[]>();
  for (const sent of beside)
    if (sent.method === 'PATCH' && isOf(sent, entry))
      for (const [name, value] of Object.entries(sentBody(sent))) found.set(name, [...(found.get(name) ?? []), value]);
  return found;
};
