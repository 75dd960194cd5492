// Bounds what is remembered of traffic that has no end.

/** Drops the oldest entries once a tenth more than a maximum are there: each search for the oldest passes what was deleted before. */
export const keepLatest = (entries: Map<unknown, unknown> | Set<unknown>, max: number): void => {
  if (entries.size <= max * 1.1) return;
  for (const key of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(key);
  }
};
