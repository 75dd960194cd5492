// The surroundings that a run needs: Node has files, processes and sockets, a page has none of them.

import type { Runner } from './names.ts';
import type { ContractOptions } from './options.ts';
import type { LastReport } from './previous.ts';
import type { Receiver } from './receiver.ts';
import type { Requirement } from './register.ts';
import type { Release } from './releases.ts';
import type { Report } from './report.ts';
import type { Time } from './time.ts';

export interface Surroundings {
  readonly register: readonly Requirement[];
  readonly runner: Runner;
  /** The newest release. */
  readonly latest: Release;
  /** The OpenAPI document of a release that goes with the suite, if it is there. @throws RunError when it is broken. */
  document(release: Release): object | undefined;
  receiver(time: Time): Receiver;
  /** Where artefacts are left; absent: nowhere. */
  readonly artefacts?: {
    choicesIn(folder: string): Readonly<Record<string, string>>;
    lastIn(folder: string): LastReport | undefined;
    /** @param files texts of further files, by their paths in the report folder */
    write(report: Report, files: ReadonlyMap<string, string>, options: ContractOptions): void;
  };
}
