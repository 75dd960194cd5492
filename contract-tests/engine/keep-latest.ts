// Bounds what is remembered of traffic that has no end.

/** Drops the oldest entries beyond a maximum. */
export const keepLatest = (entries: Map<unknown, unknown> | Set<unknown>, max: number): void => {
  for (const key of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(key);
  }
};
