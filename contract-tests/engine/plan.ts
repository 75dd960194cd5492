// Which checks a run makes, in which order, and how one of them is run.
import type { Check } from './check.ts';
import type { Recorder } from './recorder.ts';
import type { Selection } from './selection.ts';
import { RunError } from './terms.ts';
import type { Tools } from './tools.ts';
import type { Trail } from './trail.ts';
import { Blocked, Skipped } from './unjudged.ts';

const shuffled = <T>(list: readonly T[], seed: number): T[] => {
  const mixed = [...list];
  let state = seed >>> 0 || 1;
  for (let i = mixed.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = state % (i + 1);
    [mixed[i], mixed[j]] = [mixed[j]!, mixed[i]!];
  }
  return mixed;
};

/** The checks that are selected: those that must be first, the others, shuffled where an order is given, and those that must be last. */
export const ordered = (checks: readonly Check[], order: number | undefined, selection: Selection): readonly Check[] => {
  const wanted = checks.filter(selection.runs);
  const body = wanted.filter((check) => !check.first && !check.last);
  return [
    ...wanted.filter((check) => check.first),
    ...(order === undefined ? body : shuffled(body, order)),
    ...wanted.filter((check) => check.last),
  ];
};

/** Reasons why a check can't continue, beside a fault: a lost response, or a user who has left the workspace. */
const excuse = ({ parts: { client, oracle } }: Tools, failures: number): string | undefined => {
  const failure = client.infra.events[failures];
  if (failure) return `INFRA(${failure.kind})`;
  return oracle.doubts ? 'HIDDEN(other traffic)' : undefined;
};

/** @returns why the check broke off, when that is a fault of the suite */
export const runCheck = async (
  check: Check,
  reason: string | undefined,
  t: Tools,
  record: Recorder,
  trail: Trail,
): Promise<string | undefined> => {
  record.begin(check.id);
  const rest = (status: 'skipped' | 'blocked', why: string) => {
    for (const id of check.covers) if (!record.judged.has(id)) record.skip(id, check.id, status, why);
  };
  if (reason !== undefined) {
    rest('skipped', reason);
    return undefined;
  }
  const failures = t.parts.client.infra.events.length;
  try {
    await check.run(t);
    rest('skipped', 'NOT_EXERCISED');
  } catch (cause) {
    if (cause instanceof Blocked) {
      const known = record.findings.some((finding) => finding.status === 'failed' && finding.requirement === cause.by);
      const hidden = known ? undefined : excuse(t, failures);
      if (!known && !hidden) record.must(cause.by, false, `what ${check.id} builds on does not work`, ...trail.latest(check.id));
      rest(hidden ? 'skipped' : 'blocked', hidden ?? `BLOCKED(${cause.by})`);
    } else if (cause instanceof Skipped) rest('skipped', cause.message);
    // An id that is no text cannot be sent; the response that gave it has been judged.
    else if (cause instanceof URIError) rest('blocked', 'BLOCKED(WM-GEN-009)');
    else if (cause instanceof RunError) throw cause;
    else {
      rest('blocked', `BROKEN_OFF(${check.id})`);
      return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    }
  } finally {
    record.end();
  }
  return undefined;
};
