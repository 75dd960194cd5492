// The delay of a fault: a number, a range, or a long-tail distribution, from the world's randomness.
import type { Random } from './random.ts';

/** The 99th percentile of the standard normal distribution. */
const Z99 = 2.3263478740408408;
const MAX_LATENESS_MS = 3_600_000;

interface DelayEffect {
  readonly delay_ms?: number | { readonly min: number; readonly max: number };
  readonly latency?: { readonly p50_ms: number; readonly p99_ms: number };
}

/** A value of the lognormal distribution that has these percentiles, whole milliseconds, an hour at most. */
const lognormal = ({ p50_ms, p99_ms }: NonNullable<DelayEffect['latency']>, fraction: () => number): number => {
  const normal = Math.sqrt(-2 * Math.log(1 - fraction())) * Math.cos(2 * Math.PI * fraction());
  return Math.min(MAX_LATENESS_MS, Math.round(p50_ms * (p99_ms / p50_ms) ** (normal / Z99)));
};

/** Milliseconds of a fault's delay. */
export const drawDelayMs = ({ delay_ms: delay, latency }: DelayEffect, random: Random, fault: string): number => {
  if (latency) return lognormal(latency, () => random.fraction(`latency:${fault}`));
  if (delay === undefined || typeof delay === 'number') return delay ?? 0;
  return delay.min + Math.floor((delay.max - delay.min + 1) * random.fraction(`delay:${fault}`));
};
