// Known deviations: violations that a named person accepts until a day, reported without failing the run.
import { isRecord } from './exchange.ts';
import type { Finding } from './recorder.ts';
import type { Requirement } from './register.ts';
import { RunError } from './terms.ts';

export interface KnownDeviation {
  /** Id of the requirement that is violated. */
  readonly requirement: string;
  readonly owner: string;
  readonly reason: string;
  /** The last day on which it is accepted, YYYY-MM-DD in UTC. */
  readonly expires: string;
  /** Part of the message of the violations that are meant; absent: every violation of the requirement. */
  readonly contains?: string;
}

export interface BaselineResult {
  /** Violations that are accepted today. */
  readonly known: readonly (KnownDeviation & { readonly message: string })[];
  /** Violations that no baseline accepts; without a baseline, all of them. */
  readonly new: readonly { readonly requirement: string; readonly message: string }[];
  /** Deviations of the baseline that this run did not find though it judged their requirement. */
  readonly fixed: readonly KnownDeviation[];
  /** Deviations that are there and no longer accepted: they fail the run. */
  readonly expired: readonly (KnownDeviation & { readonly message: string })[];
  /** Deviations whose requirement this run did not judge. */
  readonly unjudged: readonly KnownDeviation[];
}

const WHERE = 'See "Known violations" in contract-tests/README.md of the repository.';
const TEXTS = ['requirement', 'owner', 'reason', 'expires'] as const;

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The first thing that is wrong with an entry. */
const fault = (entry: unknown, register: ReadonlyMap<string, Requirement>): string | undefined => {
  if (!isRecord(entry)) return `expected { ${TEXTS.join(', ')} }`;
  const blank = TEXTS.find((name) => typeof entry[name] !== 'string' || entry[name].trim() === '');
  if (blank) return `${blank} is missing or empty: a known deviation names who accepts it, a reason and a last day`;
  const { requirement, expires, contains } = entry as unknown as KnownDeviation;
  if (!register.has(requirement)) return `no requirement is named "${requirement}"`;
  if (!isDay(expires)) return `expires is "${expires}": expected a day as YYYY-MM-DD`;
  if (contains !== undefined && typeof contains !== 'string') return 'contains is no text';
  const strange = Object.keys(entry).find((name) => ![...TEXTS, 'contains'].includes(name));
  return strange === undefined ? undefined : `"${strange}" means nothing here: expected ${TEXTS.join(', ')}, contains`;
};

/** A baseline that was parsed. @param name of its file @throws RunError that names the entry */
export const checkedBaseline = (parsed: unknown, register: readonly Requirement[], name: string): readonly KnownDeviation[] => {
  if (parsed === null || parsed === undefined) return [];
  if (!Array.isArray(parsed)) throw new RunError(`the baseline ${name} is no list of known deviations. ${WHERE}`);
  const known = new Map(register.map((row) => [row.id, row]));
  parsed.forEach((entry, i) => {
    const wrong = fault(entry, known);
    if (wrong) throw new RunError(`the baseline ${name} is wrong in entry ${i + 1}: ${wrong}. ${WHERE}`);
  });
  return parsed as KnownDeviation[];
};

const isMeant = ({ requirement, contains }: KnownDeviation, finding: Finding): boolean =>
  requirement === finding.requirement && (contains === undefined || finding.message.includes(contains));

/** Whether a violation is accepted on that day. */
export const accepted = (baseline: readonly KnownDeviation[], finding: Finding, today: string): boolean =>
  baseline.some((entry) => entry.expires >= today && isMeant(entry, finding));

export interface Found {
  readonly failures: readonly Finding[];
  /** Requirements whose violation follows from that of another: who accepts that one accepts them. */
  readonly consequences: ReadonlySet<string>;
  /** Whether the run judged a requirement. */
  readonly judged: (requirement: string) => boolean;
}

/** Days are compared as texts. @param today YYYY-MM-DD */
export const compareBaseline = (
  baseline: readonly KnownDeviation[],
  { failures, consequences, judged }: Found,
  today: string,
): BaselineResult => {
  const found = new Map<string, string>();
  for (const finding of failures) {
    const { requirement, message } = finding;
    if (!consequences.has(requirement) && !found.has(requirement) && !accepted(baseline, finding, today))
      found.set(requirement, message);
  }
  const of = (entry: KnownDeviation) => failures.find((finding) => isMeant(entry, finding));
  const there = baseline.flatMap((entry) => {
    const finding = of(entry);
    return finding ? [{ ...entry, message: finding.message }] : [];
  });
  const absent = baseline.filter((entry) => !of(entry));
  const expired = there.filter(({ expires }) => expires < today);
  const old = new Set(expired.map(({ requirement }) => requirement));
  return {
    known: there.filter(({ expires }) => expires >= today),
    new: [...found].filter(([requirement]) => !old.has(requirement)).map(([requirement, message]) => ({ requirement, message })),
    fixed: absent.filter(({ requirement }) => judged(requirement)),
    expired,
    unjudged: absent.filter(({ requirement }) => !judged(requirement)),
  };
};

/** How long an entry that is written by a run is accepted once it is filled in. */
const DAYS = 30;

/** The baseline for the next run: what is still there, and the new violations with owner and reason to be filled in. */
export const nextBaseline = (result: BaselineResult, today: string): readonly KnownDeviation[] => {
  const expires = new Date(Date.parse(today) + DAYS * 86_400_000).toISOString().slice(0, 10);
  const bare = ({ message: _, ...entry }: KnownDeviation & { message: string }): KnownDeviation => entry;
  return [
    ...result.known.map(bare),
    ...result.expired.map(bare),
    ...result.unjudged,
    ...result.new.map(({ requirement }) => ({ requirement, owner: '', reason: '', expires })),
  ];
};
