// Stagings that the conditions of conditions.yaml make, and mixtures of them, each known by its seed.
import { readFileSync } from 'node:fs';
import { between, dieOf, pick, type Roll } from '../engine/dice.ts';
import type { Profile } from '../engine/options.ts';
import { shipped } from '../engine/register.ts';
import { parse } from '../engine/yaml.ts';
import * as at from './disturbances.ts';
import * as by from './neighbours.ts';
import type { Place, Plan } from './staging.ts';
import { randomVariant } from './variants.ts';

export interface Condition {
  readonly id: string;
  /** Conditions of which one at most is drawn. */
  readonly group: string | null;
  /** Only these servers can show it. */
  readonly hosts: readonly Place[];
  /** How often it is drawn. */
  readonly share: number;
}

const MINUTE = 60_000;

const SETS: Readonly<Record<string, (plan: Plan, roll: Roll) => void>> = {
  ahead: (p, roll) => (p.ahead = between(1, 5 * MINUTE, roll)),
  behind: (p, roll) => (p.ahead = -between(1, 5 * MINUTE, roll)),
  'no-date': (p) => p.layers.push(at.dateless),
  date: (p) => p.layers.push(at.datedApart(0)),
  'gateway-clock': (p, roll) => p.layers.push(at.datedApart(between(-5 * MINUTE, 5 * MINUTE, roll))),
  // Some of the quota may age out of a window that rolls before the rest is spent.
  'far-away': (p, roll) => {
    p.layers.push(at.slowly(20, between(40, 250, roll), roll));
    p.limit = pick([300, 600, 1000], roll);
    if (p.options.profile === 'full') p.options.allow = [...(p.options.allow ?? []), 'quota'];
  },
  // Between the requests others wait, too: a delivery takes what a slow queue takes.
  'slow-queue': (p, roll) => {
    const longest = between(5, 60, roll) * 1000;
    p.tardy = () => between(0, longest, roll);
    p.virtual = false;
  },
  latency: (p, roll) => p.layers.push(at.slowly(50, 500, roll)),
  gateway: (p, roll) => p.layers.push(at.gateway(0.01 + 0.02 * roll(), roll)),
  'lost-responses': (p, roll) => p.layers.push(at.losing(0.01 + 0.01 * roll(), roll)),
  'flaky-500': (p, roll) => p.layers.push(at.flaky(0.01, roll)),
  'bad-day': (p, roll) => p.layers.push(at.gateway(0.01, roll), at.losing(0.01, roll), at.flaky(0.005, roll)),
  traffic: (p, roll) => p.layers.push(by.traffic(0.2 + 0.6 * roll(), roll)),
  'comers-and-goers': (p, roll) => p.layers.push(by.people(roll)),
  'shared-person': (p) => (p.shared = 'one person'),
  'shared-user': (p) => (p.shared = 'the user of the key'),
  'shared-everybody': (p) => (p.shared = 'everybody'),
  'limit-refused': (p, roll) => p.layers.push(at.leastLimit(between(2, 10, roll), true)),
  'limit-raised': (p, roll) => p.layers.push(at.leastLimit(between(2, 10, roll), false)),
  'cursor-without-filters': (p) => p.layers.push(at.cursorBeside(['limit', 'sort'])),
  'cursor-with-limit': (p) => p.layers.push(at.cursorBeside(['limit'])),
  'cursor-alone': (p) => p.layers.push(at.cursorBeside([])),
  'odd-ids': (p, roll) => {
    const odd = at.oddIds(roll);
    p.layers.push(odd.layer);
    p.rewrites.push(odd.rewrite);
  },
  'left-out': (p) => p.rewrites.push(at.withoutNulls),
  'late-events': (p, roll) => {
    p.tardy = () => between(0, 4 * MINUTE, roll);
    p.options.patienceMs = 5 * MINUTE;
  },
  private: (p) => (p.discreet = true),
  'second-run': (p) => (p.runs = 'one after another'),
  'two-runs': (p) => (p.runs = 'two at once'),
  leftovers: (p) => {
    p.before.push(by.leaveBehind);
    p.after.push(by.lookBehind);
  },
  'free-plan': (p) => (p.limit = 60),
  'pro-plan': (p) => (p.limit = 300),
};

const HOSTS: Readonly<Record<string, readonly Place[]>> = {
  all: ['reference', 'mock', 'socket'],
  virtual: ['reference', 'mock'],
  open: ['reference', 'socket'],
  reference: ['reference'],
};

type Row = readonly [hosts: string, group: string | null, share: number, says: string];
const rows = parse(readFileSync(shipped('contract-tests/judge/conditions.yaml') ?? '', 'utf8')) as Record<string, Row>;
export const CONDITIONS: readonly Condition[] = Object.entries(rows).map(([id, [hosts, group, share]]) => ({
  ...{ id, group, share, hosts: HOSTS[hosts] ?? [] },
}));

export interface Mixture {
  readonly seed: number;
  readonly host: Place;
  readonly conditions: readonly string[];
}

/** The conditions of a seed. */
export const mixtureOf = (seed: number): Mixture => {
  const host: Place = seed % 25 === 0 ? 'socket' : seed % 2 === 0 ? 'reference' : 'mock';
  const groups = new Set<string>();
  const drawn = CONDITIONS.filter(({ id, share, group, hosts }) => {
    const is = dieOf(seed, id)() < share && !(group && groups.has(group)) && hosts.includes(host);
    if (is && group) groups.add(group);
    return is;
  });
  return { seed, host, conditions: drawn.map(({ id }) => id) };
};

/** The staging of a mixture. */
export const planOf = ({ seed, host, conditions }: Mixture, alter?: Plan['alter']): Plan => {
  const roll = dieOf(seed, 'run');
  const profile: Profile = pick(['full', 'full', 'full', 'core', 'read-only'], roll);
  const plan: Plan = {
    ...{ host, seed, alter, limit: 4000, variant: randomVariant(seed), tardy: () => 0, ahead: 0, virtual: true },
    ...{ shared: 'none', discreet: false, runs: 'one', layers: [], rewrites: [], before: [], after: [] },
    options: { profile, allow: roll() < 0.5 ? ['webhooks', 'slow'] : roll() < 0.4 ? ['quota'] : [] },
  };
  if (host === 'socket') Object.assign(plan.options, { profile: profile === 'full' ? 'core' : profile, allow: [] });
  for (const id of conditions) {
    const set = SETS[id];
    if (!set) throw new TypeError(`no condition ${id}`);
    set(plan, dieOf(seed, `${id} at work`));
  }
  // A rewritten message is signed again, in the one way that the judge knows.
  if (plan.rewrites.length > 0) plan.variant = { ...plan.variant, signature: 'hex' };
  // Two at once need room for both, and neither may put the clock of the other forward.
  if (plan.runs === 'two at once') {
    plan.limit = Math.max(plan.limit, 2000);
    plan.virtual = false;
    plan.options.allow = plan.options.allow?.filter((one) => one !== 'slow');
  }
  return plan;
};
