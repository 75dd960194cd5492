// What a conforming service may do in another way: open points, changes to come, releases, plans, failures, events twice.

import type { MockOptions } from '../../mock/api/options.ts';
import { CHOICES, type ChoiceId, type Choices, isOpenAt } from '../../service/contract/choices.ts';
import { FORWARD_KINDS, type ForwardKind, forwardNamed } from '../../service/contract/forward.ts';
import { PLANS } from '../../service/contract/limits.ts';
import { type OperationId, operation } from '../../service/contract/operations.ts';
import { RELEASE_NAMES, type Release } from '../../service/contract/releases.ts';
import { ANY_EVENT, type FaultDraft } from '../../service/world/fault-draft.ts';
import type { World } from '../../service/world/world.ts';

export type FlipKind = 'choice' | 'forward-compat' | 'release' | 'plan' | 'fault' | 'webhook';

export interface Flip {
  readonly id: string;
  readonly kind: FlipKind;
  readonly name: string;
  readonly value: string;
  /** What an app takes for granted that breaks with it. */
  readonly says: string;
  /** The part of the specification that permits it; absent where none does. */
  readonly spec?: string;
  readonly options: Pick<MockOptions, 'choices' | 'forwardCompat' | 'release' | 'plan'>;
  readonly faults: readonly FaultDraft[];
  /** Flips of one group are tried together: they do not get into each other's way. */
  readonly group: string;
  /** Whether some of them that break only together count: not where all that adds up is waiting, for a test may end before it. */
  readonly together: boolean;
  /** Length of the rate window with it, milliseconds. */
  readonly windowMs?: number | undefined;
  /** What `wm-mock exec` takes for it; absent where only the matrix can do it. */
  readonly flag?: string;
}

/** The service as it is without a flip. */
export interface ServiceBaseline {
  readonly choices: Choices;
  readonly release: Release;
  readonly forward: readonly ForwardKind[];
  readonly plan: keyof typeof PLANS | undefined;
  /** Whether its clock stands still. */
  readonly frozen: boolean;
}

/** What the traffic of the command has shown. */
export interface ObservedTraffic {
  readonly operations: ReadonlySet<string>;
  readonly events: boolean;
}

const makeFlip = (kind: FlipKind, name: string, value: string, more: Omit<Flip, 'id' | 'kind' | 'name' | 'value'>): Flip => ({
  id: `${kind}:${name}=${value}`,
  kind,
  name,
  value,
  ...more,
});

const NO_CHANGE = { options: {}, faults: [], together: true };

/** Not flipped: the receiver of a test listens on loopback, and nothing that an app does makes its address a public one. */
const UNFLIPPED_CHOICES: readonly string[] = ['webhook-url'];

const listChoiceFlips = ({ choices, release }: ServiceBaseline): Flip[] =>
  (Object.keys(CHOICES) as ChoiceId[])
    .filter((name) => isOpenAt(name, release) && !UNFLIPPED_CHOICES.includes(name))
    .flatMap((name) => {
      const { question, part, options } = CHOICES[name] as { question: string; part: string; options: Record<string, string> };
      const told = (value: string) => (options[value] === value ? value : `${value} (${options[value]})`);
      return Object.keys(options)
        .filter((value) => value !== choices[name])
        .map((value, turn) =>
          makeFlip('choice', name, value, {
            ...NO_CHANGE,
            says: `${question} Your app relies on ${told(choices[name])}. It breaks with ${told(value)}.`,
            spec: part,
            options: { choices: { [name]: value } },
            group: `choices ${turn + 1}`,
            flag: `--choice ${name}=${value}`,
          }),
        );
    });

const CURRENT_BEHAVIOUR: Readonly<Record<ForwardKind, string>> = {
  fields: 'no field but those of today',
  enums: 'no value but those of today',
  messages: 'the words of an error',
  endpoints: 'no endpoint but those of today',
  headers: 'no header but those of today',
  order: 'the order of the keys of an object',
};

const listForwardFlips = ({ forward }: ServiceBaseline): Flip[] =>
  (Object.keys(FORWARD_KINDS) as ForwardKind[])
    .filter((kind) => !forward.includes(kind))
    .map((kind) =>
      makeFlip('forward-compat', kind, 'on', {
        ...NO_CHANGE,
        says: `Your app relies on ${CURRENT_BEHAVIOUR[kind]}. It breaks when ${FORWARD_KINDS[kind]}.`,
        spec: 'Versioning',
        options: { forwardCompat: [kind] },
        group: 'changes to come',
        flag: `--forward-compat=${kind}`,
      }),
    );

const listReleaseFlips = ({ release }: ServiceBaseline): Flip[] =>
  RELEASE_NAMES.filter((name) => name !== release).map((name) =>
    makeFlip('release', 'release', name, {
      ...NO_CHANGE,
      says: `Your app relies on v${release}. It breaks with v${name}, which knows all that it asks for.`,
      spec: 'Release history',
      options: { release: name },
      group: `release ${name}`,
      flag: `--release ${name}`,
    }),
  );

/**
 * A client that waits for the window to reset has to be done before its test is: no test waits for a minute, and on a clock that
 * stands still no window ever resets.
 */
const PLAN_WINDOW_MS = 2000;

const listPlanFlips = ({ plan, frozen }: ServiceBaseline): Flip[] =>
  (Object.keys(PLANS) as (keyof typeof PLANS)[])
    .filter((name) => name !== 'unlimited' && name !== plan && !frozen)
    .map((name) =>
      makeFlip('plan', 'plan', name, {
        ...NO_CHANGE,
        says: `Your app relies on more than ${PLANS[name]} requests a minute. It breaks on the plan ${name}, with 429 until the window resets.`,
        spec: 'Limits',
        options: { plan: name },
        windowMs: PLAN_WINDOW_MS,
        group: `plan ${name}`,
        flag: `--plan ${name}`,
      }),
    );

const SLOW_MS = 2000;
const FAULT_FLIPS: readonly (readonly [
  name: string,
  says: (request: string) => string,
  spec: string | undefined,
  fault: Omit<FaultDraft, 'match'>,
])[] = [
  [
    'slow',
    (request) => `Your app relies on ${request} being fast. It breaks when that takes ${SLOW_MS / 1000} s once.`,
    undefined,
    { effect: { delay_ms: SLOW_MS }, times: 1 },
  ],
  [
    'unavailable',
    (request) =>
      `Your app relies on ${request} to succeed at the first attempt. It breaks when that returns 503 with Retry-After once.`,
    undefined,
    { effect: { status: 503, retry_after: 1 }, times: 1 },
  ],
  [
    'limited',
    (request) => `Your app relies on ${request} never being limited. It breaks when that returns 429 with Retry-After once.`,
    'Limits',
    { effect: { status: 429, retry_after: 1 }, times: 1 },
  ],
];

const listFaultFlips = ({ operations }: ObservedTraffic): Flip[] =>
  FAULT_FLIPS.flatMap(([name, says, spec, fault]) =>
    ([...operations] as OperationId[]).map((id) =>
      makeFlip('fault', name, id, {
        ...NO_CHANGE,
        says: says(`${operation(id).method} ${operation(id).path}`),
        ...(spec !== undefined && { spec }),
        faults: [{ match: { operation: id }, ...fault }],
        group: name,
        together: false,
      }),
    ),
  );

const WEBHOOK_EFFECTS: readonly (readonly [name: string, says: string, effect: FaultDraft['effect']])[] = [
  ['duplicate', 'Your app relies on each event to come once. It breaks when an event comes twice.', { duplicate: true }],
  [
    'reorder',
    'Your app relies on events to come in order. It breaks when one comes behind the next.',
    { reorder: true, delay_ms: 500 },
  ],
];

/** On a clock that stands still, what is put behind the next event may never come. */
const listWebhookFlips = ({ frozen }: ServiceBaseline, { events }: ObservedTraffic): Flip[] =>
  WEBHOOK_EFFECTS.filter(([, , effect]) => events && !(frozen && effect.reorder)).map(([name, says, effect]) => {
    const faults: FaultDraft[] = [{ match: { event: ANY_EVENT }, effect }];
    return makeFlip('webhook', name, 'every', { ...NO_CHANGE, says, spec: 'Events', faults, group: name });
  });

/** Every flip that there is for a service and what was asked of it. */
export const listFlips = (asItIs: ServiceBaseline, traffic: ObservedTraffic): readonly Flip[] => [
  ...listChoiceFlips(asItIs),
  ...listForwardFlips(asItIs),
  ...listReleaseFlips(asItIs),
  ...listPlanFlips(asItIs),
  ...listFaultFlips(traffic),
  ...listWebhookFlips(asItIs, traffic),
];

/** Makes the rate windows of a world as long as flips want them. */
export const setRateWindows = (world: World, flips: readonly Pick<Flip, 'windowMs'>[]): void => {
  for (const { windowMs } of flips)
    if (windowMs !== undefined) for (const id of world.workspaces.keys()) world.setWindow(id, windowMs);
};

/** The options of a mock with some flips. */
export const applyFlips = (given: MockOptions, flips: readonly Flip[]): MockOptions => {
  const all = { ...given };
  for (const { options } of flips) {
    const { choices, forwardCompat, ...rest } = options;
    Object.assign(all, rest);
    if (choices) Object.assign(all, { choices: { ...all.choices, ...choices } });
    if (forwardCompat)
      Object.assign(all, { forwardCompat: [...forwardNamed(all.forwardCompat), ...forwardNamed(forwardCompat)] });
  }
  return all;
};
