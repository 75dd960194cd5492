// The last report of the same folder, and what has changed since.
import { isRecord, type Json, text } from './exchange.ts';
import type { Previous, Report, RequirementResult } from './report.ts';

/** The part of the report before it that a run needs, of any version. */
export interface LastReport {
  readonly started_at?: string;
  readonly target?: string;
  readonly profile?: string;
  /** Violated then, or before and not judged then. */
  readonly failed: readonly { readonly id: string; readonly checks: readonly string[] }[];
  readonly choices: Readonly<Record<string, string>>;
  readonly kept: readonly { readonly choice: string; readonly seen?: string; readonly profile?: string }[];
}

const rows = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []);

const checksIn = (row: Json): readonly string[] => {
  const during = rows(row.evidence).flatMap((entry) => text(entry.during) ?? text(entry.check) ?? []);
  return [...new Set(during)];
};

/** Undefined when it is no report. */
export const readLast = (parsed: unknown): LastReport | undefined => {
  if (!isRecord(parsed) || !Array.isArray(parsed.requirements)) return undefined;
  const failed = rows(parsed.requirements)
    .filter(({ status }) => status === 'failed')
    .map((row) => ({ id: String(row.id), checks: checksIn(row) }));
  const before = isRecord(parsed.previous) ? texts(parsed.previous.unjudged) : [];
  const optional = (name: string) => (text(parsed[name]) === undefined ? {} : { [name]: parsed[name] as string });
  return {
    ...optional('started_at'),
    ...optional('target'),
    ...optional('profile'),
    failed: [...failed, ...before.filter((id) => failed.every((row) => row.id !== id)).map((id) => ({ id, checks: [] }))],
    choices: isRecord(parsed.choices) ? (parsed.choices as Record<string, string>) : {},
    kept: rows(parsed.choices_kept) as unknown as LastReport['kept'],
  };
};

export const compareLast = (last: LastReport | undefined, results: readonly RequirementResult[], failures: readonly string[]) => {
  const before = new Set((last?.failed ?? []).map(({ id }) => id));
  const open = new Set(results.filter(({ status }) => status === 'skipped' || status === 'blocked').map(({ id }) => id));
  const absent = [...before].filter((id) => !failures.includes(id) && results.some((result) => result.id === id));
  return {
    ...(last?.started_at === undefined ? {} : { started_at: last.started_at }),
    ...(last?.target === undefined ? {} : { target: last.target }),
    new: failures.filter((id) => !before.has(id)),
    still: failures.filter((id) => before.has(id)),
    fixed: absent.filter((id) => !open.has(id)),
    unjudged: absent.filter((id) => open.has(id)),
  } satisfies Previous;
};

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether two base URLs lead to one service; a server of this machine may have another port each time. */
const sameService = (a: string, b: string): boolean => {
  if (!URL.canParse(a) || !URL.canParse(b)) return a === b;
  const [one, other] = [new URL(a), new URL(b)];
  return one.host === other.host || (LOOPBACK.test(one.hostname) && LOOPBACK.test(other.hostname));
};

/** Choices of earlier runs that this one did not see; none when they are those of another service. */
export const keptChoices = (
  before: Readonly<Record<string, string>>,
  last: LastReport | undefined,
  { choices, other_choices, target }: Pick<Report, 'choices' | 'other_choices' | 'target'>,
): Report['choices_kept'] => {
  if (last?.target !== undefined && !sameService(last.target, target)) return [];
  return Object.entries(before)
    .filter(([choice]) => choices[choice] === undefined && other_choices[choice] === undefined)
    .map(([choice, value]) => {
      const known = last?.kept.find((one) => one.choice === choice);
      const from = known ?? (last?.choices[choice] === undefined ? {} : { seen: last.started_at, profile: last.profile });
      return {
        choice,
        value,
        ...(from.seen === undefined ? {} : { seen: from.seen }),
        ...(from.profile === undefined ? {} : { profile: from.profile }),
      };
    });
};
