// What situations and stories leave for one another within a run: the records that others may try, and what has been sent.

/** One record of each kind. */
export interface Ids {
  readonly project: string;
  readonly task: string;
  readonly team: string;
}

export interface Scene {
  /** Records that intruders try: nobody else's situation looks at them. */
  victim?: Ids | undefined;
  /** The team that took the name of the deleted victim. */
  heir?: string | undefined;
  /** A team with the victim's name exists though its create was wrong. */
  taken?: boolean;
  /** A task with comments. */
  commented?: string;
  /** Which orders a list of tasks or projects takes, as far as one was asked for: `tasks title`. */
  readonly sorts: Map<string, boolean>;
  /** Rows that were sent. */
  readonly sent: Set<string>;
}
