// Permitted variants of the service: open points, changes to come, releases, plans, failures, repeated events.
import type { MockOptions } from '../../mock/api/options.ts';
import { CHOICES, type ChoiceId, type Choices, isOpenAt } from '../../service/contract/choices.ts';
import { FORWARD_KINDS, FORWARD_NAMES, type ForwardKind, forwardNamed } from '../../service/contract/forward.ts';
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
  readonly says: string;
  /** The permitting part of the specification, if any. */
  readonly spec?: string | undefined;
  readonly options: Pick<MockOptions, 'choices' | 'forwardCompat' | 'release' | 'plan'>;
  readonly faults: readonly FaultDraft[];
  /** Flips of a group do not interfere, so they are tried together. */
  readonly group: string;
  /** False where delays add up: a test could time out by that alone. */
  readonly together: boolean;
  /** Length of the rate window, milliseconds. */
  readonly windowMs?: number | undefined;
  /** The equivalent option of `wm-mock exec`, if any. */
  readonly flag?: string;
}

export interface ServiceBaseline {
  readonly choices: Choices;
  readonly release: Release;
  readonly forward: readonly ForwardKind[];
  readonly plan: keyof typeof PLANS | undefined;
  readonly frozen: boolean;
}

export interface ObservedTraffic {
  readonly operations: ReadonlySet<string>;
  readonly events: boolean;
}

const makeFlip = (kind: FlipKind, name: string, value: string, change: Pick<Flip, 'says' | 'group'> & Partial<Flip>): Flip => {
  return { id: `${kind}:${name}=${value}`, kind, name, value, options: {}, faults: [], together: true, ...change };
};

/** A test receiver listens on loopback, which no app can change. */
const UNFLIPPED_CHOICES: readonly string[] = ['webhook-url'];

const listChoiceFlips = ({ choices, release }: ServiceBaseline): Flip[] =>
  (Object.keys(CHOICES) as ChoiceId[])
    .filter((name) => isOpenAt(name, release) && !UNFLIPPED_CHOICES.includes(name))
    .flatMap((name) => {
      const { question, part, options } = CHOICES[name] as { question: string; part: string; options: Record<string, string> };
      const describe = (value: string) => (options[value] === value ? value : `${value} (${options[value]})`);
      return Object.keys(options)
        .filter((value) => value !== choices[name])
        .map((value, turn) =>
          makeFlip('choice', name, value, {
            says: `${question} Your app relies on ${describe(choices[name])}. It breaks with ${describe(value)}.`,
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
  FORWARD_NAMES.filter((kind) => !forward.includes(kind)).map((kind) =>
    makeFlip('forward-compat', kind, 'on', {
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
      says: `Your app relies on v${release}. It breaks with v${name}, which knows all that it asks for.`,
      spec: 'Release history',
      options: { release: name },
      group: `release ${name}`,
      flag: `--release ${name}`,
    }),
  );

/** Short, because tests do not wait for a minute; on a frozen clock no window ever resets. */
const PLAN_WINDOW_MS = 2000;

const listPlanFlips = ({ plan, frozen }: ServiceBaseline): Flip[] =>
  (Object.keys(PLANS) as (keyof typeof PLANS)[])
    .filter((name) => name !== 'unlimited' && name !== plan && !frozen)
    .map((name) =>
      makeFlip('plan', 'plan', name, {
        says: `Your app relies on more than ${PLANS[name]} requests a minute. It breaks on the plan ${name}, with 429 until the window resets.`,
        spec: 'Limits',
        options: { plan: name },
        windowMs: PLAN_WINDOW_MS,
        group: `plan ${name}`,
        flag: `--plan ${name}`,
      }),
    );

const SLOW_MS = 2000;
type FaultFlip = readonly [name: string, relies: string, breaks: string, effect: FaultDraft['effect'], spec?: string];
const FAULT_FLIPS: readonly FaultFlip[] = [
  ['slow', 'being fast', `takes ${SLOW_MS / 1000} s`, { delay_ms: SLOW_MS }],
  ['unavailable', 'to succeed at the first attempt', 'returns 503 with Retry-After', { status: 503, retry_after: 1 }],
  ['limited', 'never being limited', 'returns 429 with Retry-After', { status: 429, retry_after: 1 }, 'Limits'],
];

const listFaultFlips = ({ operations }: ObservedTraffic): Flip[] =>
  FAULT_FLIPS.flatMap(([name, relies, breaks, effect, spec]) =>
    ([...operations] as OperationId[]).map((id) =>
      makeFlip('fault', name, id, {
        says: `Your app relies on ${operation(id).method} ${operation(id).path} ${relies}. It breaks when that ${breaks} once.`,
        spec,
        faults: [{ match: { operation: id }, effect, times: 1 }],
        group: name,
        together: false,
      }),
    ),
  );

type WebhookFlip = readonly [name: string, relies: string, breaks: string, effect: FaultDraft['effect']];
const WEBHOOK_FLIPS: readonly WebhookFlip[] = [
  ['duplicate', 'each event to come once', 'an event comes twice', { duplicate: true }],
  ['reorder', 'events to come in order', 'one comes behind the next', { reorder: true, delay_ms: 500 }],
];

/** On a frozen clock a reordered event may never come. */
const listWebhookFlips = ({ frozen }: ServiceBaseline, { events }: ObservedTraffic): Flip[] =>
  WEBHOOK_FLIPS.filter(([, , , effect]) => events && !(frozen && effect.reorder)).map(([name, relies, breaks, effect]) => {
    const says = `Your app relies on ${relies}. It breaks when ${breaks}.`;
    const faults: FaultDraft[] = [{ match: { event: ANY_EVENT }, effect }];
    return makeFlip('webhook', name, 'every', { says, spec: 'Events', faults, group: name });
  });

export const listFlips = (asItIs: ServiceBaseline, traffic: ObservedTraffic): readonly Flip[] => [
  ...listChoiceFlips(asItIs),
  ...listForwardFlips(asItIs),
  ...listReleaseFlips(asItIs),
  ...listPlanFlips(asItIs),
  ...listFaultFlips(traffic),
  ...listWebhookFlips(asItIs, traffic),
];

export const setRateWindows = (world: World, flips: readonly Pick<Flip, 'windowMs'>[]): void => {
  for (const { windowMs } of flips)
    if (windowMs !== undefined) for (const id of world.workspaces.keys()) world.setWindow(id, windowMs);
};

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
