// The few statistics that the benchmark needs.

export function quantile(values, q) {
  if (values.length === 0) return Number.NaN;
  const sorted = Float64Array.from(values).sort();
  const place = (sorted.length - 1) * q;
  const below = Math.floor(place);
  const above = Math.ceil(place);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

export const median = (values) => quantile(values, 0.5);

/** Median and quartiles of the ratios of two series that were measured side by side, round by round. */
export function ratios(values, references) {
  const perRound = values.map((value, round) => value / references[round]);
  return { median: median(perRound), low: quantile(perRound, 0.25), high: quantile(perRound, 0.75) };
}

/** The same of series that may lack rounds: only rounds that both have count. */
export function pairs(values, references, pick = (value) => value) {
  const both = [...references.keys()].filter((round) => values[round] !== undefined && references[round] !== undefined);
  return ratios(
    both.map((round) => pick(values[round])),
    both.map((round) => pick(references[round])),
  );
}
