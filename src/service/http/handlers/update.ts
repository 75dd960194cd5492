// Writes a patch over a record, with the rule of what counts as an update (open point `noop-patch`).
import type { Row } from '../../world/collection.ts';
import type { RecordName, Records } from '../../world/records.ts';
import type { View } from '../../world/view.ts';

/** Whether two values of a field say the same; lists do when their items do. */
const isSameValue = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** @returns the record as it stands afterwards; the old one when the patch changes nothing. */
export const applyPatch = <N extends RecordName>(view: View, name: N, row: Row<Records[N]>, patch: Partial<Records[N]>) => {
  const changes = Object.entries(patch).some(([field, value]) => !isSameValue(row.value[field as keyof Records[N]], value));
  if (!changes && view.choices['noop-patch'] === 'unchanged') return row.value;
  const { updated_at: before } = row.value as { readonly updated_at?: string };
  const now = view.now();
  // A clock may be set back; what was updated later stays so.
  const stamp = before === undefined ? {} : { updated_at: now > before ? now : before };
  return view.update(name, row, { ...row.value, ...stamp, ...patch });
};
