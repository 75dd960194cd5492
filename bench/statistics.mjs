// The few statistics that the benchmark needs.

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};

/** The median of the ratios of two series that were measured side by side, round by round. */
export const ratio = (values, references) => median(values.map((value, round) => value / references[round]));
