// The conditions under which a client must keep working: each is permitted by the contract, and tries one duty or advice.
import { CHOICES, type ChoiceId, type Choices, isOpenAt } from '../service/contract/choices.ts';
import type { ForwardKind } from '../service/contract/forward.ts';
import { type OperationId, operation } from '../service/contract/operations.ts';
import type { Release } from '../service/contract/releases.ts';
import { PRIORITIES, ROLES, STATUSES, VISIBILITIES } from '../service/contract/states.ts';
import type { AdviceName, DutyName } from './duties.ts';

export const VALUE_FIELDS = {
  status: { records: 'tasks', known: STATUSES },
  priority: { records: 'tasks', known: PRIORITIES },
  visibility: { records: 'projects', known: VISIBILITIES },
  role: { records: 'users', known: ROLES },
} as const;
export type ValueField = keyof typeof VALUE_FIELDS;

export type ListEffect = 'cursors' | 'short-pages';
export type EventEffect = 'duplicate' | 'reorder' | 'old';
/** `limited`: 429 until the window resets; `unavailable`: 503 once; `late`: the response comes later, once. */
export type RequestEffect = 'limited' | 'unavailable' | 'late';

/** Refuses or delays the first request of an operation in each world. */
export interface RequestChange {
  readonly operation: OperationId;
  readonly effect: RequestEffect;
}

/** How a mock differs from the one as it is; plain data, as other processes read it too. */
export interface Behaviour {
  readonly choices?: Readonly<Record<string, string>>;
  readonly forward?: readonly ForwardKind[];
  /** Every third record gets a value of a later release, or as a control another one of today. */
  readonly values?: Readonly<Partial<Record<ValueField, { readonly of: 'later' | 'today'; readonly from: number }>>>;
  /** Cursors take another form; pages that are not the last hold fewer records than asked for. */
  readonly lists?: readonly ListEffect[];
  readonly requests?: readonly RequestChange[];
  readonly events?: readonly EventEffect[];
}

export interface Condition {
  readonly id: string;
  readonly kind: 'choice' | 'forward-compat' | 'value' | 'list' | 'request' | 'event';
  readonly name: string;
  readonly value: string;
  readonly rule: DutyName | AdviceName;
  /** Says what the client relies on, and what breaks it. */
  readonly says: string;
  readonly behaviour: Behaviour;
  /** Equal in all but the point in question: a failure with it is no finding. */
  readonly control?: Behaviour;
  /** Conditions of a group are tried together. */
  readonly group: string;
}

export const combineBehaviours = (all: readonly Behaviour[]): Behaviour => ({
  choices: Object.assign({}, ...all.map(({ choices }) => choices)),
  forward: [...new Set(all.flatMap(({ forward = [] }) => forward))],
  values: Object.assign({}, ...all.map(({ values }) => values)),
  lists: [...new Set(all.flatMap(({ lists = [] }) => lists))],
  requests: all.flatMap(({ requests = [] }) => requests),
  events: [...new Set(all.flatMap(({ events = [] }) => events))],
});

/** The duty that a choice tries; each other choice is advice: no client can know it. A value after `=` has a duty of its own. */
const CHOICE_DUTIES: Readonly<Record<string, DutyName>> = {
  'patch-status': 'patch-status',
  'webhook-create-status': 'webhook-response',
  'webhook-create-shape=minimal': 'webhook-response',
  'not-found-code': 'not-found-code',
  'conflict-code': 'unstated-codes',
  'internal-code': 'unstated-codes',
  'unsupported-sort-code': 'unstated-codes',
  'error-details': 'details',
  'error-status-field': 'fields',
  'owner-field': 'fields',
  'id-style': 'ids',
  'datetime-format': 'times',
  'absent-values': 'absent-values',
  'default-order': 'default-order',
  'value-fault-status': 'validation-status',
  'mixed-faults': 'validation-status',
  'unknown-body-fields': 'body-fields',
  'task-snapshot': 'snapshot',
  'limit-above-100': 'limit',
  'page-and-offset': 'page-and-offset',
  'cursor-conflict': 'cursor-filters',
};

/** Not tried: a test receiver listens on loopback, which no client can change; windows and schedules take minutes to tell apart. */
const UNTRIED_CHOICES: readonly string[] = [
  'webhook-url',
  'rate-window',
  'rate-source',
  'refused-requests',
  'anonymous-limit',
  'retry-after',
  'retry-counted-from',
  'broken-cursor',
];

const listChoiceConditions = (choices: Choices, release: Release): Condition[] =>
  (Object.keys(CHOICES) as ChoiceId[])
    .filter((name) => isOpenAt(name, release) && !UNTRIED_CHOICES.includes(name))
    .flatMap((name) => {
      const { question, options } = CHOICES[name] as { question: string; options: Record<string, string> };
      const describe = (value: string) => (options[value] === value ? value : `${value} (${options[value]})`);
      const others = Object.keys(options).filter((value) => value !== choices[name]);
      return others.map((value, turn): Condition => {
        const rule = CHOICE_DUTIES[`${name}=${value}`] ?? CHOICE_DUTIES[name] ?? 'open-point';
        return {
          id: `choice:${name}=${value}`,
          kind: 'choice',
          name,
          value,
          rule,
          says: `${question} It relies on ${describe(choices[name])}, and fails with ${describe(value)}.`,
          behaviour: { choices: { [name]: value } },
          group: `variant ${turn + 1}`,
        };
      });
    });

const FORWARD_RULES: readonly (readonly [ForwardKind, DutyName | AdviceName, says: string])[] = [
  ['fields', 'fields', 'It fails when responses and events have fields that it does not know.'],
  ['messages', 'messages', 'It fails when an error says the same in other words, with the same code.'],
  ['order', 'key-order', 'It fails when the fields of an object come in another order.'],
  ['headers', 'more-headers', 'It fails when responses carry headers that it does not know.'],
];

const listForwardConditions = (on: readonly ForwardKind[]): Condition[] =>
  FORWARD_RULES.filter(([kind]) => !on.includes(kind)).map(([name, rule, says]) => {
    const kind = 'forward-compat';
    return { id: `${kind}:${name}`, kind, name, value: 'on', rule, says, behaviour: { forward: [name] }, group: 'variant 1' };
  });

const listValueConditions = (on: readonly ForwardKind[]): Condition[] =>
  on.includes('enums')
    ? []
    : (Object.keys(VALUE_FIELDS) as ValueField[]).map((field, from) => ({
        id: `value:${field}`,
        kind: 'value',
        name: field,
        value: 'later',
        rule: 'enums',
        says: `It fails when a ${field} has a value that it does not know.`,
        behaviour: { values: { [field]: { of: 'later', from: from % 3 } }, forward: ['enums'] },
        control: { values: { [field]: { of: 'today', from: from % 3 } } },
        group: 'values',
      }));

const LIST_RULES: readonly (readonly [ListEffect, DutyName, says: string])[] = [
  ['cursors', 'opaque-cursor', 'It fails when cursors have another form.'],
  ['short-pages', 'last-page', 'It fails when a page holds fewer records than its limit, and there are more.'],
];

const listListConditions = (): Condition[] =>
  LIST_RULES.map(([name, rule, says]) => {
    const behaviour = { lists: [name] };
    return { id: `list:${name}`, kind: 'list', name, value: 'on', rule, says, behaviour, group: 'variant 1' };
  });

const REQUEST_RULES: readonly (readonly [RequestEffect, DutyName | AdviceName, says: string])[] = [
  ['limited', 'rate-limit', 'gets 429 until the window resets, within 1.5 s'],
  ['unavailable', 'unavailable', 'gets 503 once'],
];

const listRequestConditions = (operations: readonly OperationId[]): Condition[] =>
  REQUEST_RULES.flatMap(([effect, rule, breaks]) =>
    operations.map((id): Condition => {
      const { method, path } = operation(id);
      return {
        id: `${effect}:${id}`,
        kind: 'request',
        name: effect,
        value: id,
        rule,
        says: `It fails when ${method} ${path} ${breaks}.`,
        behaviour: { requests: [{ operation: id, effect }] },
        control: { requests: [{ operation: id, effect: 'late' }] },
        group: effect,
      };
    }),
  );

const EVENT_RULES: readonly (readonly [EventEffect, DutyName, says: string])[] = [
  ['duplicate', 'duplicates', 'It fails when an event comes twice.'],
  ['reorder', 'event-order', 'It fails when events come in another order, as retries do.'],
  ['old', 'old-events', 'It fails when an event comes as a last retry does: hours after it was generated.'],
];

const LATER_EVENT_CONDITION: Condition = {
  id: 'event:later',
  kind: 'event',
  name: 'later',
  value: 'task.moved',
  rule: 'unknown-events',
  says: 'It fails when there are events that it does not know.',
  behaviour: { forward: ['enums'] },
  group: 'variant 1',
};

const listEventConditions = (): Condition[] => [
  ...EVENT_RULES.map(([name, rule, says], i): Condition => {
    const behaviour = { events: [name] };
    return { id: `event:${name}`, kind: 'event', name, value: 'every', rule, says, behaviour, group: `variant ${i + 1}` };
  }),
  LATER_EVENT_CONDITION,
];

export interface ServiceTerms {
  readonly choices: Choices;
  readonly release: Release;
  readonly forward: readonly ForwardKind[];
}

/** @param operations those that the command calls @param hasEvents whether it receives events */
export const listConditions = (
  { choices, release, forward }: ServiceTerms,
  operations: readonly OperationId[],
  hasEvents: boolean,
): readonly Condition[] => [
  ...listChoiceConditions(choices, release),
  ...listForwardConditions(forward),
  ...listValueConditions(forward),
  ...listListConditions(),
  ...listRequestConditions(operations),
  ...(hasEvents ? listEventConditions() : []),
];
