// A trial of one mock: it prepares the first world, and notes which conditions each request would notice.
import type { Trial } from '../create-mock.ts';
import type { Choices } from '../service/contract/choices.ts';
import { LATER_VALUES } from '../service/contract/forward.ts';
import { type Terms, termsOf } from '../service/contract/terms.ts';
import { handleRequest } from '../service/http/endpoint.ts';
import { withPageText } from '../service/http/exchange.ts';
import { worldIn } from '../service/http/paths.ts';
import type { RequestInfo } from '../service/http/request-info.ts';
import type { Delivery } from '../service/webhooks/delivery.ts';
import type { World } from '../service/world/world.ts';
import { type Behaviour, type Condition, listConditions, VALUE_FIELDS, type ValueField } from './conditions.ts';
import type { Note, TouchNote } from './notes.ts';
import type { EventOrigin } from './trial-events.ts';
import { behaviourIn, type TrialPlan } from './trial-fetch.ts';

const PLACES = 3;

const anotherOf = (known: readonly string[], value: string): string => known[(known.indexOf(value) + 1) % known.length]!;

/** Gives every third record of a kind another value of a field, without an event. */
const placeValues = (world: World, field: ValueField, { of, from }: { of: 'later' | 'today'; from: number }): void => {
  const { records, known } = VALUE_FIELDS[field];
  const rows = world.store[records].all();
  const some = rows.length < PLACES ? rows.slice(0, 1) : rows.filter((_, i) => i % PLACES === from);
  for (const { value, workspace, sequence } of some) {
    const today = (value as unknown as Record<string, string>)[field]!;
    const next = of === 'later' ? LATER_VALUES[field] : anotherOf(known, today);
    world.store[records].put({ value: { ...value, [field]: next } as never, workspace, sequence });
  }
};

const termsWith = ({ contract, choices, forward }: Terms, { choices: others, forward: more = [] }: Behaviour): Terms =>
  termsOf({
    release: contract.release,
    choices: { ...choices, ...(others as Partial<Choices>) },
    forward: [...new Set([...forward, ...more])],
  });

const prepareWorld = (world: World, behaviour: Behaviour): void => {
  world.terms = termsWith(world.terms, behaviour);
  const { values = {} } = behaviour;
  for (const [field, how] of Object.entries(values)) placeValues(world, field as ValueField, how);
};

/** More touches of one condition say nothing new, but in another world. */
const MAX_TOUCHES = 20;

type ShownResponse = { readonly status: number; readonly text: string; readonly headers: string };

const respondIn = (world: World, request: RequestInfo): ShownResponse => {
  const response = handleRequest(world, request);
  const { text } = withPageText({ response, terms: world.terms });
  return { status: response.status, text: text ?? '', headers: JSON.stringify(response.headers) };
};

const isFilteredBy = ({ url }: RequestInfo, field: string): boolean => new RegExp(`filter(\\[|%5B)${field}\\b`, 'i').test(url);

/** @param frozen the world as the request met it: time stands still, so that only the condition makes a difference */
const isTouched = (condition: Condition, frozen: World, request: RequestInfo, usual: ShownResponse): boolean => {
  const { kind, name, behaviour } = condition;
  // A list of one value never shows another.
  if (kind === 'value')
    return request.method !== 'POST' && !isFilteredBy(request, name) && usual.status < 300 && usual.text.includes(`"${name}":"`);
  if (kind === 'list') return usual.text.includes('"next_cursor":"');
  const fork = frozen.fork();
  fork.terms = termsWith(frozen.terms, behaviour);
  const other = respondIn(fork, request);
  return other.status !== usual.status || other.text !== usual.text || other.headers !== usual.headers;
};

/** The conditions that an event meets, beside those of its delivery. */
const EVENT_CHOICES: readonly (readonly [RegExp, string])[] = [
  [/^task\./, 'task-snapshot'],
  [/^member\./, 'member-snapshot'],
  [/^project\.deleted/, 'project-delete-events'],
  [/./, 'signature'],
];

export const createTrial = (plan: TrialPlan, note: (note: Note) => void, isSentByTest: () => boolean) => {
  const touches = new Map<string, number>();
  const touchedIn = new Set<string>();
  /** By event. */
  const origins = new Map<string, EventOrigin>();
  const ids = new WeakMap<World, string>();
  let conditions: readonly Condition[] | undefined;

  const touch = (condition: string, request: string, world: string): void => {
    touches.set(condition, (touches.get(condition) ?? 0) + 1);
    touchedIn.add(`${condition} ${world}`);
    note({ what: 'touch', world, condition, request } satisfies TouchNote);
  };

  const isOpen = ({ id }: Condition, world: string): boolean =>
    !touchedIn.has(`${id} ${world}`) || (touches.get(id) ?? 0) < MAX_TOUCHES;

  const lookAt = (world: World, request: RequestInfo): void => {
    const { choices, forward, contract } = world.terms;
    conditions ??= listConditions({ choices, release: contract.release, forward }, [], false);
    const frozen = world.fork();
    frozen.clock.set(world.clock.now(), 'frozen');
    const usual = respondIn(frozen.fork(), request);
    const shown = `${request.method} ${request.pathInService}`;
    const id = worldIn(request.rawPath);
    for (const one of conditions) if (isOpen(one, id) && isTouched(one, frozen, request, usual)) touch(one.id, shown, id);
  };

  const trial: Trial = {
    prepare: (world) => prepareWorld(world, plan.behaviour),
    open: (world, id) => {
      ids.set(world, id === 'default' ? '' : id);
      const own = plan.behaviours?.[id];
      if (own) prepareWorld(world, own);
    },
    request: (world, request) => {
      if (plan.watched && !isSentByTest()) lookAt(world, request);
    },
    delivery: (world, { event, webhook_id, attempts }: Delivery) => {
      if (attempts.length > 0) return;
      const id = ids.get(world) ?? '';
      origins.set(event.id, { world, webhook: webhook_id, effects: behaviourIn(plan, id).events ?? [] });
      if (!plan.watched) return;
      for (const [pattern, name] of EVENT_CHOICES) {
        const others = (conditions ?? []).filter((one) => one.name === name && isOpen(one, id));
        if (pattern.test(event.event)) for (const other of others) touch(other.id, `the event ${event.event}`, id);
      }
    },
  };
  return { trial, origins };
};
