// Times in words: how far a moment is from another, how long it is until then, and the moment itself. Server and script write them alike.

const ONE_MINUTE_MS = 60_000;
const TIME_UNITS: readonly (readonly [most: number, size: number, unit: string])[] = [
  [ONE_MINUTE_MS, 1000, 's'],
  [60 * ONE_MINUTE_MS, ONE_MINUTE_MS, 'min'],
  [48 * 60 * ONE_MINUTE_MS, 60 * ONE_MINUTE_MS, 'h'],
  [60 * 1440 * ONE_MINUTE_MS, 1440 * ONE_MINUTE_MS, 'd'],
  [730 * 1440 * ONE_MINUTE_MS, 30 * 1440 * ONE_MINUTE_MS, 'mo'],
  [Number.POSITIVE_INFINITY, 365 * 1440 * ONE_MINUTE_MS, 'y'],
];

/** `3 min ago`, `in 2 h`: how far a moment is from another. */
export const distance = (at: number, now: number): string => {
  const apart = Math.abs(at - now);
  if (apart < 1000) return 'now';
  const [, size, unit] = TIME_UNITS.find(([most]) => apart < most)!;
  const count = `${Math.floor(apart / size)} ${unit}`;
  return at > now ? `in ${count}` : `${count} ago`;
};

/** `2025-01-20 09:00:00.000` in UTC. */
export const exactTime = (at: number): string => new Date(at).toISOString().replace('T', ' ').slice(0, 23);

/** `2025-01-20 09:00:00` in UTC. */
export const plainTime = (at: number): string => exactTime(at).slice(0, 19);

const two = (number: number): string => String(number).padStart(2, '0');

/** `1:43`, or `2:00:00` from an hour on. */
export const left = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
};
