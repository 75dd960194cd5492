// Bounds what is remembered of traffic that has no end.

/** Drops the oldest entries once there are a tenth more than the maximum: finding the oldest is slow after deletions. */
export const keepLatest = (entries: Map<unknown, unknown> | Set<unknown>, max: number): void => {
  if (entries.size <= max * 1.1) return;
  for (const key of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(key);
  }
};
