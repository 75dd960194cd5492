// The few statistics that the benchmark needs.

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};

/** What a series of costs comes to: its least. Whatever else a machine does only ever adds, for seconds at a time. */
export const least = (costs) => Math.min(...costs);

/** The ratio of two series of costs: what else the machine does slows one program down more than another, so their best rounds are compared. */
export const ratio = (costs, references) => least(costs) / least(references);

/** The median of the ratios of neighbours, for costs that the machine's moods change alike. */
export const ofNeighbours = (costs, references) => median(costs.map((cost, round) => cost / references[round]));
