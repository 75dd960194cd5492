// The times of a seed: ISO 8601, or relative to the moment at which the clock starts.
import { getOrMake } from '../../service/contract/keyed.ts';
import { toUtc } from '../../service/validation/formats.ts';
import { FIRST_MOMENT, LAST_MOMENT, momentText } from '../../service/world/time.ts';

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
/** A time from now, as a regular expression. */
export const RELATIVE_TIME = `[+-]\\d+[${Object.keys(UNITS).join('')}]`;
const RELATIVE = new RegExp(`^${RELATIVE_TIME}$`);

const isSigned = (text: string): boolean => text.startsWith('+') || text.startsWith('-');

/** The moment as a world keeps it; undefined when the text is no time. @param now milliseconds since 1970. */
export const readTime = (text: string, now: number): string | undefined => {
  if (!isSigned(text)) return toUtc(text);
  if (!RELATIVE.test(text)) return undefined;
  const ms = now + Number(text.slice(0, -1)) * UNITS[text.at(-1) as keyof typeof UNITS];
  return ms >= FIRST_MOMENT && ms <= LAST_MOMENT ? momentText(ms) : undefined;
};

/** Milliseconds since 1970 of a time that is not relative. */
export const readInstant = (text: string): number | undefined => {
  const utc = toUtc(text);
  return utc === undefined ? undefined : Date.parse(utc);
};

/** Reads the times of one file, whose relative ones are few and come back. */
export class SeedTimeReader {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly #known = new Map<string, string | undefined>();

  constructor(now: number) {
    this.now = now;
  }

  /** Whether a text is a time of a kind. */
  reads(text: string, kind: 'absolute' | 'any'): boolean {
    return (kind === 'any' ? this.read(text) : toUtc(text)) !== undefined;
  }

  /** The moment as a world keeps it; undefined when the text is no time. */
  read(text: string): string | undefined {
    return isSigned(text) ? getOrMake(this.#known, text, () => readTime(text, this.now)) : toUtc(text);
  }
}
