// Bounds what is remembered of traffic that has no end.

/** Drops what was put in first, beyond so many. */
export const keepLatest = (entries: Map<unknown, unknown> | Set<unknown>, max: number): void => {
  for (const key of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(key);
  }
};
