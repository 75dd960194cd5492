// The conditions of stagings, a row each: clocks apart, gateways that fail, others at work; and mixtures of them, each known by its seed.
import type { Profile } from '../engine/options.ts';
import { between, dieOf, pick, type Roll } from './dice.ts';
import * as at from './disturbances.ts';
import * as by from './neighbours.ts';
import type { Place, Plan } from './staging.ts';
import { randomVariant } from './variants.ts';

/** A condition: what it is called, how often it is drawn, and what it makes of a staging. */
export interface Condition {
  readonly id: string;
  readonly says: string;
  /** Of these one at most is drawn. */
  readonly group?: string;
  /** Only these servers can show it. */
  readonly hosts: readonly Place[];
  readonly share: number;
  readonly set: (plan: Plan, roll: Roll) => void;
}

const MINUTE = 60_000;

const HOSTS: readonly Place[] = ['reference', 'mock', 'socket'];
/** Whose clock can be put forward. */
const VIRTUAL: readonly Place[] = ['reference', 'mock'];
/** Whose people can be changed. */
const OPEN: readonly Place[] = ['reference', 'socket'];

const row = (
  id: string,
  says: string,
  share: number,
  set: Condition['set'],
  more: { group?: string; hosts?: readonly Place[] } = {},
): Condition => ({ id, says, share, set, hosts: HOSTS, ...more });

const atGateway: Condition['set'] = (p, roll) => p.layers.push(at.gateway(0.01 + 0.02 * roll(), roll));
const lost: Condition['set'] = (p, roll) => p.layers.push(at.losing(0.01 + 0.01 * roll(), roll));
const flaky: Condition['set'] = (p, roll) => p.layers.push(at.flaky(0.01, roll));
const badDay: Condition['set'] = (p, roll) => p.layers.push(at.gateway(0.01, roll), at.losing(0.01, roll), at.flaky(0.005, roll));
const late: Condition['set'] = (p, roll) => {
  p.tardy = () => between(0, 4 * MINUTE, roll);
  p.options.patienceMs = 5 * MINUTE;
};

/** Far away, with a quota that is used up: some of it may age out of a window that rolls before the rest is spent. */
const farAway: Condition['set'] = (p, roll) => {
  p.layers.push(at.slowly(20, between(40, 250, roll), roll));
  p.limit = pick([300, 600, 1000], roll);
  if (p.options.profile === 'full') p.options.allow = ['quota'];
};
/** Between the requests others wait, too: a delivery takes what a slow queue takes. */
const slowQueue: Condition['set'] = (p, roll) => {
  const most = between(5, 60, roll) * 1000;
  p.tardy = () => between(0, most, roll);
  p.virtual = false;
};

export const CONDITIONS: readonly Condition[] = [
  row('ahead', "the target's clock is up to five minutes ahead", 0.25, (p, roll) => (p.ahead = between(1, 300_000, roll)), {
    group: 'clock',
  }),
  row('behind', "the target's clock is up to five minutes behind", 0.25, (p, roll) => (p.ahead = -between(1, 300_000, roll)), {
    group: 'clock',
  }),
  row('no-date', 'answers have no Date', 0.4, (p) => p.layers.push(at.dateless), { group: 'date' }),
  row('date', 'answers have a Date', 0.4, (p) => p.layers.push(at.dated), { group: 'date' }),
  row(
    'gateway-clock',
    'the gateway that sets Date is up to five minutes behind or ahead of what dates records and events',
    0.3,
    (p, roll) => p.layers.push(at.datedApart(between(-300_000, 300_000, roll))),
    { group: 'date' },
  ),
  row('far-away', 'answers take 40 to 250 ms while a quota is used up', 0.1, farAway, { group: 'plan', hosts: VIRTUAL }),
  row('slow-queue', 'events come up to a minute late, and waiting for them takes real time', 0.15, slowQueue, {
    group: 'runs',
    hosts: ['reference'],
  }),
  row('latency', 'an answer takes 50 to 500 ms', 0.4, (p, roll) => p.layers.push(at.slowly(50, 500, roll)), { hosts: VIRTUAL }),
  row('gateway', 'one to three of a hundred requests end at a gateway', 0.25, atGateway, { group: 'infra', hosts: VIRTUAL }),
  row('lost-answers', 'the answers to one or two of a hundred requests get lost', 0.25, lost, { group: 'infra' }),
  row('flaky-500', 'one of a hundred requests is answered 500', 0.2, flaky, { group: 'infra' }),
  row('bad-day', 'all of these at once', 0.3, badDay, { group: 'infra', hosts: VIRTUAL }),
  row('traffic', 'others create, change and delete projects, tasks and teams', 0.35, (p, roll) =>
    p.layers.push(by.traffic(0.2 + 0.6 * roll(), roll)),
  ),
  row('comers-and-goers', 'people join and leave the workspace', 0.3, (p, roll) => p.layers.push(by.people(roll)), {
    hosts: OPEN,
  }),
  row('shared-person', 'somebody is a member of both workspaces', 0.15, (p) => (p.shared = 'somebody'), {
    group: 'shared',
    hosts: OPEN,
  }),
  row(
    'shared-user',
    'the user of the second key is a member of both workspaces',
    0.15,
    (p) => (p.shared = 'the user of the key'),
    {
      group: 'shared',
      hosts: OPEN,
    },
  ),
  row('shared-everybody', 'both workspaces have the same members', 0.15, (p) => (p.shared = 'everybody'), {
    group: 'shared',
    hosts: OPEN,
  }),
  row(
    'limit-refused',
    'a limit below 2 to 10 is refused',
    0.15,
    (p, roll) => p.layers.push(at.leastLimit(between(2, 10, roll), true)),
    {
      group: 'limit',
    },
  ),
  row(
    'limit-raised',
    'a limit below 2 to 10 is raised',
    0.15,
    (p, roll) => p.layers.push(at.leastLimit(between(2, 10, roll), false)),
    {
      group: 'limit',
    },
  ),
  row(
    'cursor-without-filters',
    'filters are refused beside a cursor',
    0.12,
    (p) => p.layers.push(at.cursorBeside(['limit', 'sort'])),
    {
      group: 'cursor',
    },
  ),
  row('cursor-with-limit', 'nothing but limit is taken beside a cursor', 0.12, (p) => p.layers.push(at.cursorBeside(['limit'])), {
    group: 'cursor',
  }),
  row('cursor-alone', 'nothing is taken beside a cursor', 0.12, (p) => p.layers.push(at.cursorBeside([])), { group: 'cursor' }),
  row('odd-ids', 'ids have slashes, dots, percent signs, spaces and more, up to 500 characters', 0.25, (p, roll) => {
    const odd = at.oddIds(roll);
    p.layers.push(odd.layer);
    p.rewrites.push(odd.rewrite);
  }),
  row('left-out', 'events leave out what has no value', 0.25, (p) => p.rewrites.push(at.withoutNulls)),
  row('late-events', 'events come after minutes', 0.2, late, { hosts: ['reference'] }),
  row('private', 'a private project is there for the keys of its owner alone', 0.15, (p) => (p.discreet = true), {
    hosts: OPEN,
  }),
  row('second-run', 'a second run follows on the same server and receiver', 0.1, (p) => (p.runs = 'one after another'), {
    group: 'runs',
  }),
  row(
    'two-runs',
    'two runs at once, from machines with one host name, on the same server and receiver',
    0.1,
    (p) => (p.runs = 'two at once'),
    {
      group: 'runs',
    },
  ),
  row(
    'leftovers',
    'runs that crashed left things behind in both workspaces; others go on',
    0.25,
    (p) => {
      p.before.push(by.leaveBehind);
      p.after.push(by.lookBehind);
    },
    { hosts: VIRTUAL },
  ),
  row('free-plan', 'the workspace has 60 requests a minute', 0.15, (p) => (p.limit = 60), { group: 'plan', hosts: VIRTUAL }),
  row('pro-plan', 'the workspace has 300 requests a minute', 0.25, (p) => (p.limit = 300), { group: 'plan' }),
];

export const conditionNamed = (id: string): Condition => {
  const found = CONDITIONS.find((condition) => condition.id === id);
  if (!found) throw new TypeError(`no condition ${id}`);
  return found;
};

export interface Mixture {
  readonly seed: number;
  readonly host: Place;
  readonly conditions: readonly string[];
}

/** The conditions of a seed. */
export const mixtureOf = (seed: number): Mixture => {
  const host: Place = seed % 25 === 0 ? 'socket' : seed % 2 === 0 ? 'reference' : 'mock';
  const groups = new Set<string>();
  const conditions: string[] = [];
  for (const { id, share, group, hosts } of CONDITIONS) {
    const drawn = dieOf(seed, id)() < share && !(group && groups.has(group)) && hosts.includes(host);
    if (!drawn) continue;
    conditions.push(id);
    if (group) groups.add(group);
  }
  return { seed, host, conditions };
};

/** The staging of a mixture. */
export const planOf = ({ seed, host, conditions }: Mixture, alter?: Plan['alter']): Plan => {
  const roll = dieOf(seed, 'run');
  const profile: Profile = pick(['full', 'full', 'full', 'core', 'read-only'], roll);
  const plan: Plan = {
    host,
    seed,
    alter,
    limit: 4000,
    variant: randomVariant(seed),
    tardy: () => 0,
    shared: 'nobody',
    discreet: false,
    ahead: 0,
    layers: [],
    rewrites: [],
    before: [],
    after: [],
    runs: 'one',
    virtual: true,
    options: { profile, allow: roll() < 0.5 ? ['webhooks', 'slow'] : roll() < 0.4 ? ['quota'] : [] },
  };
  if (host === 'socket') Object.assign(plan.options, { profile: profile === 'full' ? 'core' : profile, allow: [] });
  for (const id of conditions) conditionNamed(id).set(plan, dieOf(seed, `${id} at work`));
  // What is rewritten is signed anew, in the one way that the judge knows.
  if (plan.rewrites.length > 0) plan.variant = { ...plan.variant, signature: 'hex' };
  // Two at once need room for both, and neither may put the clock of the other forward.
  if (plan.runs === 'two at once') {
    plan.limit = Math.max(plan.limit, 2000);
    plan.virtual = false;
    plan.options.allow = plan.options.allow?.filter((one) => one !== 'slow');
  }
  return plan;
};
