// Puts values of a later release into some records, as if newer clients had set them (`--forward-compat`, enums).
import { LATER_VALUES, type LaterField } from '../contract/forward.ts';
import { DEFAULTS } from '../contract/states.ts';
import type { Collection, Row } from './collection.ts';
import type { Store } from './store.ts';

interface Stored {
  readonly id: string;
}

/** Every third record from a place on, of those that may have it; the first of them where there is none. */
const someOf = <V extends Stored>(collection: Collection<V>, from: number, may: (value: V) => boolean = () => true): Row<V>[] => {
  const rows = collection.all();
  const some = rows.filter(({ value }, i) => i % 3 === from && may(value));
  return some.length > 0 ? some : rows.filter(({ value }) => may(value)).slice(0, 1);
};

const set = <V extends Stored>(collection: Collection<V>, rows: readonly Row<V>[], field: LaterField): void => {
  for (const { value, workspace, sequence } of rows) {
    const latest = collection.get(value.id)!.value;
    collection.put({ value: { ...latest, [field]: LATER_VALUES[field] }, workspace, sequence });
  }
};

/** Changes records without a word to observers. Always the same ones. */
export const putLaterValues = ({ tasks, projects, users }: Store): void => {
  set(tasks, someOf(tasks, 0), 'status');
  // A task from before there was a priority reads as the default (spec: Resources, Task).
  const urged = someOf(tasks, 1, ({ priority }) => priority !== DEFAULTS.priority);
  set(tasks, urged, 'priority');
  set(projects, someOf(projects, 0), 'visibility');
  set(users, someOf(users, 1), 'role');
};
