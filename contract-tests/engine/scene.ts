// Things that the parts of a run leave for one another: the records that they share, and what has been sent.
import type { Asked } from './asked.ts';
import type { Exchange, Json } from './exchange.ts';
import type { Blocked } from './unjudged.ts';

export interface Made {
  readonly sent: Json;
  readonly response: Exchange;
  /** The record that the server said it created; empty when it refused. */
  readonly got: Json;
  readonly ok: boolean;
}

export interface World {
  readonly main: Made;
  readonly side: Made;
  readonly mainId: string;
  readonly sideId: string;
  /** The tasks of the main project in order of creation, also those that were refused. */
  readonly attempts: readonly Made[];
  /** The tasks of the main project that exist. */
  readonly tasks: readonly Made[];
  /** The tasks of the side project, which updates change. */
  readonly sideTasks: readonly Made[];
  readonly members: readonly string[];
}

/** One record of each kind. */
export interface Ids {
  readonly project: string;
  readonly task: string;
  readonly team: string;
}

export interface Scene {
  /** The smallest limit that lists take as it is. */
  readonly smallestLimit: number;
  /** The user of the main key. */
  readonly user: string | undefined;
  /** The shared records, or why they cannot be made. */
  world?: World | Blocked;
  /** Names and email addresses of members, which are no ids. */
  memberNames?: ReadonlySet<unknown>;
  /** The members of the other workspace, as its key sees them. */
  membersOfOther?: Exchange;
  /** The team that situations share which only look at it. */
  team?: string;
  /** How many bodies were completed with what the document alone asks for. */
  completedBodies: number;
  /** How many writes were tried that must be refused. */
  intruders: number;
  /** How many pages were looked at for what they leave of the quota. */
  looks: number;
  /** Whether the target gives its worlds plans of their own. */
  hasPlans?: boolean;
  /** Records that intruders try: no other client's situation looks at them. */
  victim?: Ids | undefined;
  /** The team that took the name of the deleted victim. */
  heir?: string | undefined;
  /** A team with the victim's name exists though its create was wrong. */
  taken?: boolean;
  /** A task with comments. */
  commented?: string;
  /** Which orders a list of tasks or projects takes, as far as one was asked for: `tasks title`. */
  readonly sorts: Map<string, boolean>;
  readonly asked: Asked;
  /** Rows that were sent. */
  readonly sent: Set<string>;
}
