// The bars: what the benchmark promises, and how far a noisy machine may miss it before that counts.
import { SCENARIOS } from './scenarios.mjs';

const NOISE = 0.15;

export const PAGES = { least: 0.65, size: '100k' };
export const GROWTH = { most: 1.25, from: '1k', to: '100k' };
export const START = { most: 1.25 };

/** 'ok', 'near' (missed, but by less than the noise) or 'missed'. */
export function atLeast(value, bar) {
  if (value >= bar) return 'ok';
  return value >= bar * (1 - NOISE) ? 'near' : 'missed';
}

export function atMost(value, bar) {
  if (value <= bar) return 'ok';
  return value <= bar * (1 + NOISE) ? 'near' : 'missed';
}

/** The verdicts on the rows of a result: one for each scenario and gated bar. */
export function verdicts(result) {
  const isPage = new Set(SCENARIOS.filter(({ page }) => page).map(({ name }) => name));
  const found = [];
  for (const [scenario, row] of Object.entries(result.scenarios)) {
    const pages = row.sizes[PAGES.size]?.ofLimit;
    if (pages && isPage.has(scenario)) {
      found.push({ scenario, bar: 'pages', value: pages.median, verdict: atLeast(pages.median, PAGES.least) });
    }
    if (row.growth)
      found.push({ scenario, bar: 'growth', value: row.growth.median, verdict: atMost(row.growth.median, GROWTH.most) });
  }
  return found;
}
