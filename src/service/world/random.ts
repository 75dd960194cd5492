// Randomness from one seed: named streams, each a pure function of (seed, name, count of draws).

export const hash32 = (text: string, start = 0x811c9dc5): number => {
  let hash = start;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
};

/** Spreads 32 bits over 32 bits (the finaliser of MurmurHash3, one to one). */
const mixBits = (bits: number): number => {
  let h = bits;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};

/** The randomness of one world. A copy continues independently from the current state. */
export class Random {
  readonly seed: number;
  readonly drawn: Map<string, number>;

  constructor(seed: number, drawn: ReadonlyMap<string, number> = new Map()) {
    this.seed = seed;
    this.drawn = new Map(drawn);
  }

  fork(): Random {
    return new Random(this.seed, this.drawn);
  }

  bits(stream: string): number {
    const drawn = (this.drawn.get(stream) ?? 0) + 1;
    this.drawn.set(stream, drawn);
    const start = hash32(stream, mixBits(this.seed ^ 0x9e3779b9));
    return mixBits(mixBits(start + Math.imul(drawn, 0x9e3779b9)) ^ drawn);
  }

  /** A number from 0 up to, not including, 1. */
  fraction(stream: string): number {
    return this.bits(stream) / 0x1_0000_0000;
  }

  /** Characters a–z and 0–9 without the ones that people confuse. */
  letters(stream: string, length: number): string {
    const codes: number[] = [];
    for (let bits = 0, left = 0; codes.length < length; bits >>>= 5, left--) {
      if (left === 0) [bits, left] = [this.bits(stream), 6];
      codes.push(ALPHABET.charCodeAt(bits & 31));
    }
    return String.fromCharCode(...codes);
  }
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
