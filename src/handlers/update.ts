// Writes a patch over a record, with the rule of what counts as an update (K34, K47).
import type { Row } from '../world/collection.ts';
import type { View } from '../world/view.ts';
import type { Records } from '../world/world.ts';

/** @returns the record as it stands afterwards; the old one when the patch changes nothing. */
export const applyPatch = <N extends 'projects' | 'tasks'>(
  view: View,
  name: N,
  row: Row<Records[N]>,
  patch: Readonly<Record<string, unknown>>,
): Records[N] => {
  const before = row.value as unknown as Readonly<Record<string, unknown>>;
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const changes = given.some(([field, value]) => before[field] !== value);
  if (!changes && view.choices['noop-patch'] === 'unchanged') return row.value;
  const now = view.now();
  // A clock may be set back; what was updated later stays so.
  const updated_at = now > row.value.updated_at ? now : row.value.updated_at;
  return view.update(name, row, { ...row.value, ...Object.fromEntries(given), updated_at });
};
