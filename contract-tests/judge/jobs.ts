// Jobs that the suite is judged by: each is one run, and says whether the suite did its duty.
import type { ContractOptions } from '../engine/options.ts';
import type { Report } from '../engine/report.ts';
import { runContract } from '../run.ts';
import { mixtureOf } from './conditions.ts';
import { DEVIATIONS, FAULTS } from './faults.ts';
import { DEGENERATE, judgeDegenerate, judgeMixture, judgeVariant, nameOf, problemsOf } from './judges.ts';
import { operatorMutants, runThrough } from './operators/bench.ts';
import { STYLE_NAMES } from './reference/styles.ts';
import { type Host, mockExists, type ReferenceOptions, referenceTarget } from './targets.ts';
import { coveringArray, randomVariant } from './variants.ts';

/** Kinds whose faults are to be found; other servers conform and may not be blamed, or are no service. */
export const FAULTY = ['fault', 'operator'] as const;
export const KINDS = [...FAULTY, 'conforming', 'variant', 'condition', 'degenerate'] as const;
export type Kind = (typeof KINDS)[number];

export interface Job {
  readonly kind: Kind;
  readonly id: string;
  readonly host?: Host;
  /** It needs more than an everyday run allows: a quota that is used up, or minutes of waiting. */
  readonly beyond?: boolean;
  /** Ends the run at the first violation: whether a fault is found is known then. */
  readonly bail?: boolean;
}

export interface Outcome extends Job {
  /** Whether the fault was found, or a server that conforms was not blamed. */
  readonly good: boolean;
  /** The sentence that a reader needs. */
  readonly says: string;
  /** Requirements that failed, the first found first. */
  readonly failures: readonly string[];
  /** How often an operator changed what the server does; absent for others. */
  readonly hits?: number;
}

type Result = Omit<Outcome, keyof Job>;

/** A run as users make it. */
const everyday = async (server: ReferenceOptions, options: Partial<ContractOptions> = {}): Promise<Report> => {
  const target = await referenceTarget(server);
  return runContract({ ...target.options, fetch: target.fetch, allow: ['webhooks'], reportDir: false, ...options });
};
const WITH_QUOTA = { allow: ['webhooks', 'quota'] } as const;

const unblamed = (problems: readonly string[], failures: readonly string[] = []): Result => ({
  good: problems.length === 0,
  says: problems.slice(0, 8).join('; ').slice(0, 1000),
  failures,
});

const JUDGES: Readonly<Record<Kind, (job: Job) => Promise<Result>>> = {
  fault: async ({ id, bail }) => {
    const { style, alter, needs, line, says } = FAULTS.find((each) => each.id === id)!;
    const { verdict, failures } = await everyday({ style, alter }, { ...(needs === 'quota' ? WITH_QUOTA : {}), bail });
    return { good: verdict === 'violations', says: `line ${line}, style ${style}: ${says} (${verdict})`, failures };
  },
  operator: async ({ id, host, bail }) => {
    const mutant = operatorMutants(host!).find((each) => each.id === id)!;
    const allow = [...new Set([...(host === 'reference' ? (['webhooks'] as const) : []), ...(mutant.allow ?? [])])];
    const { lab, report } = await runThrough(host!, { ...mutant, allow }, { bail });
    const { failures, verdict, error = '' } = report;
    return {
      good: failures.length > 0,
      says: `${mutant.clause} (${verdict}${lab.hits === 0 ? ', never reached' : ''}) ${error}`,
      failures,
      hits: lab.hits,
    };
  },
  conforming: async ({ id }) => {
    const deviation = DEVIATIONS.find((each) => each.id === id);
    const style = deviation?.style ?? STYLE_NAMES.find((name) => name === id)!;
    const report = await everyday({ style, alter: deviation?.alter }, WITH_QUOTA);
    const wanting = report.requirements.filter(({ reason }) => reason?.startsWith('NO_RECEIVER'));
    return unblamed([...problemsOf(report), ...wanting.map((each) => `${each.id} was skipped: ${each.reason}`)], report.failures);
  },
  variant: async ({ id }) => unblamed(await judgeVariant(variantOf(Number(id)))),
  condition: async ({ id }) => {
    const mixture = mixtureOf(Number(id));
    const { problems } = await judgeMixture(mixture);
    return unblamed(problems.length > 0 ? [nameOf(mixture), ...problems] : []);
  },
  degenerate: async ({ id }) => unblamed(await judgeDegenerate(DEGENERATE[id]!)),
};

let pairs: ReturnType<typeof coveringArray> | undefined;
/** The first variants hold every pair of choices, the others are random. */
const variantOf = (n: number) => {
  pairs ??= coveringArray(150);
  return pairs[n] ?? randomVariant(100_000 + n);
};

export const judgeJob = async (job: Job): Promise<Outcome> => {
  try {
    return { ...job, ...(await JUDGES[job.kind](job)) };
  } catch (cause) {
    const says = `the judge failed: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`;
    return { ...job, good: false, says, failures: [] };
  }
};

const numbered = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => String(from + i));

/** Every job of a kind; of variants and conditions, which have no end, this many. */
export const jobsOf = async (kind: Kind, { variants = 0, conditions = 0 } = {}): Promise<Job[]> => {
  const hosts: readonly Host[] = (await mockExists()) ? ['reference', 'mock'] : ['reference'];
  if (kind === 'operator')
    return hosts.flatMap((host) =>
      operatorMutants(host).map(({ id, allow = [] }) => ({ kind, id, host, beyond: allow.some((one) => one !== 'webhooks') })),
    );
  if (kind === 'fault') return FAULTS.map(({ id, needs }) => ({ kind, id, beyond: needs === 'quota' }));
  const ids = {
    conforming: [...STYLE_NAMES, ...DEVIATIONS.map(({ id }) => id)],
    variant: numbered(variants),
    condition: numbered(conditions, 1),
    degenerate: Object.keys(DEGENERATE),
  }[kind];
  return ids.map((id) => ({ kind, id }));
};
