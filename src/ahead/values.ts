// Values of a later release in records (enums): put there as if newer clients had set them, and taken from those who send them.
import type { Forward } from '../contract/forward.ts';
import { DEFAULTS } from '../contract/states.ts';
import type { Terms } from '../contract/terms.ts';
import { LATER_VALUES, type LaterField } from './changes.ts';

interface Row<V> {
  readonly value: V;
  readonly workspace: string;
  readonly sequence: number;
}

interface Records<V> {
  all(): readonly Row<V>[];
  put(row: Row<V>): unknown;
}

interface Stored {
  readonly id: string;
}

/** The part of a world that this is about. */
interface Ahead {
  readonly forward: Forward;
  readonly store: {
    readonly tasks: Records<Stored & { readonly priority: unknown }>;
    readonly projects: Records<Stored>;
    readonly users: Records<Stored>;
  };
  moveAhead(forward: Forward): void;
}

/** Whether a value of a field is one of a later release. */
export const isLaterValue = (field: string, value: unknown): boolean =>
  Object.hasOwn(LATER_VALUES, field) && LATER_VALUES[field as LaterField] === value;

/** Whether a service of these terms takes a value of a field that its contract does not name: it takes what it shows. */
export const takesLater = ({ forward }: Pick<Terms, 'forward'>, field: string, value: unknown): boolean =>
  forward.includes('enums') && isLaterValue(field, value);

/** Every third record from a place on, of those that may have it; the first of them where there is none. */
const someOf = <V extends Stored>(records: Records<V>, from: number, may: (value: V) => boolean = () => true): Row<V>[] => {
  const rows = records.all();
  const some = rows.filter(({ value }, i) => i % 3 === from && may(value));
  return some.length > 0 ? some : rows.filter(({ value }) => may(value)).slice(0, 1);
};

const set = <V extends Stored>(records: Records<V>, rows: readonly Row<V>[], field: LaterField): void => {
  for (const { value, workspace, sequence } of rows)
    records.put({ value: { ...value, [field]: LATER_VALUES[field] }, workspace, sequence });
};

/** Changes records of a world that is ahead by enums without a word to observers. Always the same ones. */
export const putLaterValues = ({ forward, store: { tasks, projects, users } }: Omit<Ahead, 'moveAhead'>): void => {
  if (!forward.includes('enums')) return;
  set(tasks, someOf(tasks, 0), 'status');
  // A task from before there was a priority reads as the default (spec: Resources, Task).
  const urged = someOf(tasks, 1, ({ priority }) => priority !== DEFAULTS.priority);
  set(tasks, urged, 'priority');
  set(projects, someOf(projects, 0), 'visibility');
  set(users, someOf(users, 1), 'role');
};

/** Puts a world ahead of its clients. Values that were put into records stay when it falls back. */
export const moveAhead = (world: Ahead, forward: Forward): void => {
  const knew = world.forward.includes('enums');
  world.moveAhead(forward);
  if (!knew) putLaterValues(world);
};
