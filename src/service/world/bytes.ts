// Estimates of memory, on the safe side: two bytes a character, and what an object costs.

const FIELD_BYTES = 16;

/** The bytes of a value with all that it holds. */
export const bytesOf = (value: unknown): number => {
  if (typeof value === 'string') return FIELD_BYTES + 2 * value.length;
  if (typeof value !== 'object' || value === null) return FIELD_BYTES;
  let sum = 2 * FIELD_BYTES;
  for (const inner of Object.values(value)) sum += FIELD_BYTES + bytesOf(inner);
  return sum;
};

/** The bytes of a record: its JSON is cached beside it. */
export const bytesOfRecord = (record: object | undefined): number => (record === undefined ? 0 : 500 + 2 * bytesOf(record));
