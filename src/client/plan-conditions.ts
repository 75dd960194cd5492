// Which conditions a command may notice, and which of them go together, in which worlds.
import { OPERATION_IDS, type OperationId } from '../service/contract/operations.ts';
import type { ConditionGroup } from './condition-search.ts';
import { type Condition, listConditions } from './conditions.ts';
import { isWanted } from './duties.ts';
import { exchangesIn, type Note, notesOf } from './notes.ts';
import type { JudgeOptions, RuleName } from './trial-run.ts';

/** Waits add up: a test meets at most this many in one run. */
const MAX_WAITS = 3;

/** The place of each operation among those that make a test wait: it shares no run with more than two others of any test. */
const spreadWaits = (notes: readonly Note[]): ReadonlyMap<string, number> => {
  const byWorld = new Map<string, Set<OperationId>>();
  for (const { world, operation } of exchangesIn(notes))
    if (operation) byWorld.set(world, (byWorld.get(world) ?? new Set()).add(operation));
  const places = new Map<string, number>();
  const waitsIn = (called: ReadonlySet<string>, place: number) => [...called].filter((id) => places.get(id) === place).length;
  for (const id of OPERATION_IDS) {
    const worlds = [...byWorld.values()].filter((called) => called.has(id));
    let place = 0;
    while (worlds.some((called) => waitsIn(called, place) >= MAX_WAITS)) place += 1;
    places.set(id, place);
  }
  return places;
};

/** Worlds that a condition may change: those that touched it, or called its operation; of what fails for a moment, one is enough. */
const worldsMet = ({ id, kind, name, value }: Condition, notes: readonly Note[]): readonly string[] | undefined => {
  if (kind === 'event') return undefined;
  const exchanges = exchangesIn(notes).filter(({ operation }) => operation === value);
  const called = exchanges.map(({ world }) => world);
  if (kind === 'request') return name === 'limited' ? called : called.slice(0, 1);
  return notesOf(notes, 'touch').flatMap(({ condition, world }) => (condition === id ? [world] : []));
};

export const groupConditions = (conditions: readonly Condition[], notes: readonly Note[]): readonly ConditionGroup[] => {
  const groups = new Map<string, Condition[]>();
  const places = spreadWaits(notes);
  for (const one of conditions) {
    const name = one.name === 'limited' ? `${one.group} ${places.get(one.value)! + 1}` : one.group;
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  const ofTests = new Set(notesOf(notes, 'test').map(({ world }) => world));
  return [...groups.values()].map((group) => {
    const met = group.map((one) => worldsMet(one, notes));
    const worlds = [...new Set(met.flatMap((some) => some ?? ['']))];
    return { conditions: group, worlds: worlds.every((world) => ofTests.has(world)) ? worlds : undefined };
  });
};

/** Conditions that the command may notice. */
export const planConditions = ({ service, only }: JudgeOptions, notes: readonly Note[], broken: ReadonlySet<RuleName>) => {
  const called = new Set(exchangesIn(notes).flatMap(({ operation }) => operation ?? []));
  const operations = OPERATION_IDS.filter((id) => called.has(id));
  const touched = new Set(notesOf(notes, 'touch').map(({ condition }) => condition));
  const conditions = listConditions(service, operations, notesOf(notes, 'delivery').length > 0).filter(
    ({ id, kind, rule }) =>
      isWanted(only, rule) && !broken.has(rule) && (kind === 'request' || kind === 'event' || touched.has(id)),
  );
  return { operations, conditions };
};
