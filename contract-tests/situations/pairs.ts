// A covering array: few combinations in which any two values of different factors meet, those that show most first.

export type Factors = Readonly<Record<string, readonly string[]>>;
export type Combination = Readonly<Record<string, string>>;

const pairsOf = (names: readonly string[], one: Combination): string[] =>
  names.flatMap((a, i) => names.slice(i + 1).map((b) => `${a}=${one[a]}|${b}=${one[b]}`));

/** Greedy and always the same: each combination begins with a pair that is missing, and takes what meets most of the rest. */
export const combinations = (factors: Factors): readonly Combination[] => {
  const names = Object.keys(factors);
  const missing = new Set<string>();
  names.forEach((a, i) => {
    for (const b of names.slice(i + 1))
      for (const x of factors[a]!) for (const y of factors[b]!) missing.add(`${a}=${x}|${b}=${y}`);
  });
  const found: Combination[] = [];
  while (missing.size > 0) {
    const [pair] = missing as unknown as Iterable<string>;
    const one: Record<string, string> = Object.fromEntries(pair!.split('|').map((part) => part.split(/=(.*)/s).slice(0, 2)));
    for (const name of names) {
      if (name in one) continue;
      const met = (value: string) =>
        Object.entries(one).filter(([other, its]) =>
          names.indexOf(other) < names.indexOf(name)
            ? missing.has(`${other}=${its}|${name}=${value}`)
            : missing.has(`${name}=${value}|${other}=${its}`),
        ).length;
      // Turns, so that equal candidates alternate.
      const turn = found.length % factors[name]!.length;
      const values = [...factors[name]!.slice(turn), ...factors[name]!.slice(0, turn)];
      one[name] = values.reduce((best, value) => (met(value) > met(best) ? value : best));
    }
    for (const known of pairsOf(names, one)) missing.delete(known);
    found.push(one);
  }
  return found;
};
