// Which checks run, and which requirements are judged, when only a part is asked for.
import type { Check } from './check.ts';
import type { ContractOptions } from './options.ts';
import type { LastReport } from './previous.ts';
import type { Requirement } from './register.ts';
import type { Report } from './report.ts';
import { RunError } from './terms.ts';

export interface Selection {
  readonly runs: (check: Check) => boolean;
  readonly judges: (requirement: string) => boolean;
  /** Whether all that a check finds belongs to the part, whatever requirement it violates: the check itself was asked for. */
  readonly takesAll: (check: string) => boolean;
  /** For the report; undefined when it is the whole suite. */
  readonly part?: NonNullable<Report['part']>;
}

/** The check of the laws, which hold on every response: it judges the responses of all others. */
const EVERY_RESPONSE = 'laws';

/** A walk judges what its requests show, whatever it is. */
const WALK: Selection = {
  ...{ runs: () => true, judges: () => false, takesAll: () => true },
  part: { only: ['walk'], rerun_failed: false, requirements: 0 },
};

const EVERYTHING: Selection = { runs: () => true, judges: () => true, takesAll: () => true };

/** The selection that words of --only name. @throws RunError when one names nothing that can be seen */
const named = (only: readonly string[], register: readonly Requirement[], checks: readonly Check[]): ReadonlySet<string> => {
  const seeable = register.filter(({ unseen }) => unseen === undefined);
  const ids = new Set<string>();
  for (const word of only) {
    const rows = seeable.filter(({ id }) => id.startsWith(word.toUpperCase())).map(({ id }) => id);
    const judged = checks.filter(({ id }) => id.startsWith(word)).flatMap(({ covers }) => covers);
    const unseen = register.find(({ id }) => id === word.toUpperCase())?.unseen;
    if (rows.length === 0 && judged.length === 0 && unseen !== undefined)
      throw new RunError(`--only: no request can show ${word.toUpperCase()}: ${unseen}`);
    if (rows.length === 0 && judged.length === 0)
      throw new RunError(
        `--only: no requirement and no check begins with "${word}". Give ids as a report shows them, such as WM-LIST-008 or lists/`,
      );
    for (const id of [...rows, ...judged]) ids.add(id);
  }
  return ids;
};

const failedIn = (last: LastReport | undefined, folder: string | false | undefined): LastReport['failed'] => {
  if (!folder) throw new RunError('--rerun-failed: there is no report folder to read; give one with --report');
  if (!last) throw new RunError(`--rerun-failed: ${folder}/report.json is missing or no report; run once without --rerun-failed`);
  if (last.failed.length === 0)
    throw new RunError(`--rerun-failed: nothing failed in the run of ${folder}/report.json; run without --rerun-failed`);
  return last.failed;
};

/** @throws RunError when nothing is selected */
export const select = (
  { only, rerunFailed, reportDir, walk }: Pick<ContractOptions, 'only' | 'rerunFailed' | 'reportDir' | 'walk'>,
  register: readonly Requirement[],
  checks: readonly Check[],
  last: LastReport | undefined,
): Selection => {
  if (walk && (only || rerunFailed)) throw new RunError('--walk is no part of the suite: leave out --only and --rerun-failed');
  if (walk) return WALK;
  if (!only && !rerunFailed) return EVERYTHING;
  const words = only ?? [];
  const inOnly = only ? named(only, register, checks) : undefined;
  const failed = rerunFailed ? failedIn(last, reportDir).filter(({ id }) => inOnly?.has(id) ?? true) : undefined;
  const wanted = failed ? new Set(failed.map(({ id }) => id)) : inOnly!;
  if (wanted.size === 0) throw new RunError(`--rerun-failed: nothing failed of ${words.join(', ')}; leave out --only`);
  const failedChecks = new Set(failed?.flatMap((row) => row.checks) ?? []);
  const judging = (id: string) => checks.filter((check) => check.covers.includes(id) && check.id !== EVERY_RESPONSE);
  const onlyLaws = [...wanted].some((id) => {
    const during = failed?.find((row) => row.id === id)?.checks ?? [];
    return judging(id).length === 0 && !checks.some((check) => check.id !== EVERY_RESPONSE && during.includes(check.id));
  });
  const begins = (check: string) => words.some((word) => check.startsWith(word)) && !rerunFailed;
  return {
    runs: (check) => onlyLaws || begins(check.id) || failedChecks.has(check.id) || check.covers.some((id) => wanted.has(id)),
    judges: (id) => wanted.has(id),
    takesAll: begins,
    part: { only: words, rerun_failed: rerunFailed === true, requirements: wanted.size },
  };
};
