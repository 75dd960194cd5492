// Values of a later release in records (enums): put there as if newer clients had set them, and taken from those who send them.
import { type Forward, LATER_VALUES, type LaterField } from '../contract/forward.ts';
import { DEFAULTS } from '../contract/states.ts';
import type { Row } from '../world/collection.ts';
import type { RecordName } from '../world/records.ts';
import type { World } from '../world/world.ts';

/** Every third record from a place on, of those that may have it; the first of them where there is none. */
const someOf = <R extends Row<unknown>>(rows: readonly R[], from: number, may: (row: R) => boolean = () => true) => {
  const some = rows.filter((row, i) => i % 3 === from && may(row));
  return some.length > 0 ? some : rows.filter(may).slice(0, 1);
};

const setField = ({ store }: World, name: RecordName, rows: readonly Row<object>[], field: LaterField): void => {
  for (const { value, workspace, sequence } of rows)
    store[name].put({ value: { ...value, [field]: LATER_VALUES[field] } as never, workspace, sequence });
};

/** Changes records of a world that is ahead by enums without a word to observers. Always the same ones. */
export const putLaterValues = (world: World): void => {
  if (!world.terms.forward.includes('enums')) return;
  const { tasks, projects, users } = world.store;
  setField(world, 'tasks', someOf(tasks.all(), 0), 'status');
  // A task from before there was a priority reads as the default (spec: Resources, Task).
  const urged = someOf(tasks.all(), 1, ({ value }) => value.priority !== DEFAULTS.priority);
  setField(world, 'tasks', urged, 'priority');
  setField(world, 'projects', someOf(projects.all(), 0), 'visibility');
  setField(world, 'users', someOf(users.all(), 1), 'role');
};

/** Puts a world ahead of its clients. Values that were put into records stay when it falls back. */
export const moveAhead = (world: World, forward: Forward): void => {
  const knew = world.terms.forward.includes('enums');
  world.terms = { ...world.terms, forward };
  if (!knew) putLaterValues(world);
};
