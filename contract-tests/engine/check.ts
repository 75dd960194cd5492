// A check is plain data: what it is called, which requirements it judges, what it needs, and how it runs.
import type { Profile } from './options.ts';
import type { Tools } from './tools.ts';

export type Need = 'write' | 'read' | 'admin' | 'other' | 'revoked' | 'control' | 'receiver' | 'slow' | 'quota';

export interface Check {
  readonly id: string;
  readonly says: string;
  /** The requirements that it judges. */
  readonly covers: readonly string[];
  readonly needs?: readonly Need[];
  /** The smallest profile that runs it. */
  readonly profile: Profile;
  /** Profiles that leave it out because other checks show the same. */
  readonly notIn?: readonly Profile[];
  /** Runs before all others, because it sees what they do; or after all others, in the order given. */
  readonly first?: true;
  readonly last?: true;
  readonly run: (t: Tools) => Promise<void>;
}
