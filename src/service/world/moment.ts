// Moments as the service writes them: ISO 8601 in UTC with a year of four digits.

/** First and last moment that has such a year, milliseconds since 1970. */
export const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00.000Z');
export const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/** A moment as a world stores it; the nearest that can be represented. @param ms milliseconds since 1970. */
export const momentText = (ms: number): string =>
  new Date(Math.min(LAST_MOMENT, Math.max(FIRST_MOMENT, Math.round(ms)))).toISOString();
