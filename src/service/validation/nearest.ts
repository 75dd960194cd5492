// "Did you mean": the known word that is nearest to a misspelt one.

/** How many letters have to be put in, taken out or replaced to make one word of the other; no more than that it is above the most. */
const editDistance = (a: string, b: string, most: number): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return row[b.length]!;
};

/** A question to put behind a complaint, or nothing when no known word is near. */
export const didYouMean = (word: string, known: Iterable<string>): string => {
  const most = Math.min(3, Math.ceil(word.length / 3));
  let best: { readonly word: string; readonly far: number } | undefined;
  for (const one of known) {
    if (Math.abs(one.length - word.length) > most) continue;
    const far = editDistance(word.toLowerCase(), one.toLowerCase(), most);
    if (far <= most && far < (best?.far ?? Number.POSITIVE_INFINITY)) best = { word: one, far };
  }
  return best ? ` (did you mean ${best.word}?)` : '';
};
