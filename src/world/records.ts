// What a world stores: complete records, times as ISO 8601 in UTC with milliseconds.
import type { Choices } from '../contract/choices.ts';
import type { Forward } from '../contract/forward.ts';
import type { Plan } from '../contract/limits.ts';
import type { Release } from '../contract/releases.ts';
import type { EventName } from '../contract/resources.ts';
import type { Scope } from '../contract/scopes.ts';
import type { Priority, Status, Visibility } from '../contract/states.ts';

export interface ProjectRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly visibility: Visibility;
  readonly owner_id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface TaskRecord {
  readonly id: string;
  readonly project_id: string;
  readonly title: string;
  readonly description: string | null;
  readonly assignee_id: string | null;
  readonly due_date: string | null;
  readonly priority: Priority;
  readonly status: Status;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface UserRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly avatar_url: string | null;
  readonly created_at: string;
  /** Invited people become members when they join. */
  readonly state: 'invited' | 'joined';
}

export interface TeamRecord {
  readonly id: string;
  readonly name: string;
  readonly member_ids: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

export interface CommentRecord {
  readonly id: string;
  readonly task_id: string;
  readonly author_id: string;
  readonly body: string;
  readonly created_at: string;
}

export interface WebhookRecord {
  readonly id: string;
  readonly url: string;
  readonly events: readonly EventName[];
  readonly secret: string;
  readonly created_at: string;
}

export interface KeyRecord {
  readonly id: string;
  readonly value: string;
  readonly name: string;
  readonly scope: Scope;
  readonly user_id: string;
  readonly revoked: boolean;
  readonly created_at: string;
}

/** Every record of one workspace; tasks name their project, comments their task. */
export interface WorkspaceSeed {
  readonly id: string;
  readonly name: string;
  /** A plan, or requests per minute. */
  readonly plan: Plan | number;
  readonly users: readonly UserRecord[];
  readonly keys: readonly KeyRecord[];
  readonly projects: readonly ProjectRecord[];
  readonly tasks: readonly TaskRecord[];
  readonly comments: readonly CommentRecord[];
  readonly teams: readonly TeamRecord[];
  readonly webhooks: readonly WebhookRecord[];
}

/** Turns of creation: runs of records of one kind that were created one after the other. */
export type Runs = readonly { readonly from: number; readonly count: number }[];

export interface Progress {
  /** The last turn of creation. */
  readonly sequence: number;
  readonly drawn: readonly { readonly stream: string; readonly count: number }[];
  readonly order?: { readonly [name in keyof Omit<WorkspaceSeed, 'id' | 'name' | 'plan'>]?: Runs };
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

/** The kinds of records. */
export const NAMES = ['projects', 'tasks', 'users', 'teams', 'comments', 'webhooks', 'keys'] as const;

export const textOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Order of creation within a seed is order of age; records of one moment keep the order of the file. */
export const byAge = <T extends { readonly created_at: string }>(records: readonly T[]): readonly T[] =>
  [...records].sort((a, b) => textOrder(a.created_at, b.created_at));
