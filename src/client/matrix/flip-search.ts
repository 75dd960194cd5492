// Which flips break a command: they are tried in groups, and what breaks is halved until it is one, or the fewest that break together.
import type { Flip } from './flips.ts';

export interface CommandEnd {
  readonly passed: boolean;
  /** Names of failed tests, from the output. */
  readonly tests: readonly string[];
}

export type FlipVerdict =
  | { readonly status: 'same' }
  | { readonly status: 'flaky'; readonly failed: number; readonly of: number }
  | { readonly status: 'breaks'; readonly together: readonly Flip[]; readonly tests: readonly string[] };

/** @param repeat runs in which a failure must repeat @returns the verdicts so far, and the search in a group of flips */
export const searchFlips = (run: (flips: readonly Flip[]) => Promise<CommandEnd>, repeat: number) => {
  const verdicts = new Map<string, FlipVerdict>();
  const settle = (flips: readonly Flip[], verdict: FlipVerdict) => {
    for (const { id } of flips) verdicts.set(id, verdict);
  };

  const confirm = async (flips: readonly Flip[], { tests }: CommandEnd) => {
    let failed = 1;
    for (let i = 0; i < repeat; i++) failed += (await run(flips)).passed ? 0 : 1;
    const of = repeat + 1;
    settle(flips, failed === of ? { status: 'breaks', together: flips, tests } : { status: 'flaky', failed, of });
  };

  /** Leaves out parts as long as the rest breaks. */
  const searchTogether = async (all: readonly Flip[]) => {
    let flips = all;
    let ended = await run(flips);
    for (let size = flips.length >> 1; size >= 1 && !ended.passed; size >>= 1) {
      for (let at = 0; at < flips.length && flips.length > 2; ) {
        const rest = [...flips.slice(0, at), ...flips.slice(at + size)];
        if (rest.length >= 2 && !(await run(rest)).passed) flips = rest;
        else at += size;
      }
    }
    if (!ended.passed) ended = await run(flips);
    if (ended.passed) settle(flips.slice(0, 1), { status: 'flaky', failed: 1, of: 2 });
    else await confirm(flips, ended);
  };

  const searchGroup = async (flips: readonly Flip[]): Promise<void> => {
    const ended = await run(flips);
    if (ended.passed) return settle(flips, { status: 'same' });
    if (flips.length === 1) return confirm(flips, ended);
    const middle = flips.length >> 1;
    await Promise.all([flips.slice(0, middle), flips.slice(middle)].map(searchGroup));
    const broken = flips.some(({ id }) => verdicts.get(id)?.status !== 'same');
    if (!broken && flips.every(({ together }) => together)) await searchTogether(flips);
  };
  return { verdicts, searchGroup };
};
