// The difference that a change made to a record and to each field, without keys and secrets.
import type { Change, RecordName } from '../world/world.ts';
import { HIDDEN } from './redact.ts';

export interface Touched {
  readonly collection: RecordName;
  readonly id: string;
  readonly kind: 'created' | 'updated' | 'deleted';
}

export const touchedBy = ({ name, before, after }: Change): Touched => ({
  collection: name,
  id: (after ?? before)!.id,
  kind: !before ? 'created' : after ? 'updated' : 'deleted',
});

export interface FieldDifference {
  readonly field: string;
  /** Undefined where the record had no such field, or was not there. */
  readonly before: unknown;
  readonly after: unknown;
}

const SECRET_FIELDS: Readonly<Record<string, string>> = { keys: 'value', webhooks: 'secret' };

/** The fields that a change created, removed or replaced, in the order of the record. */
export const differencesOf = ({ name, before, after }: Pick<Change, 'name' | 'before' | 'after'>): readonly FieldDifference[] => {
  const [old, now] = [before ?? {}, after ?? {}] as unknown as [Record<string, unknown>, Record<string, unknown>];
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return fields
    .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]))
    .map((field) => {
      const safe = (value: unknown) => (SECRET_FIELDS[name] === field && value !== undefined ? HIDDEN : value);
      return { field, before: safe(old[field]), after: safe(now[field]) };
    });
};
