// Which flips break a command: they are tried in groups, and what breaks is halved until it is one, or the fewest that break together.
import { JobQueue } from '../../service/webhooks/sender.ts';
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

export type TryFlips = (flips: readonly Flip[]) => Promise<CommandEnd>;

export class FlipSearch {
  readonly verdicts = new Map<string, FlipVerdict>();
  readonly #run: TryFlips;
  readonly #repeat: number;

  /** @param repeat runs in which a failure must repeat */
  constructor(run: TryFlips, repeat: number) {
    this.#run = run;
    this.#repeat = repeat;
  }

  async group(flips: readonly Flip[]): Promise<void> {
    if (flips.length === 0) return;
    const ended = await this.#run(flips);
    if (ended.passed) return this.#settle(flips, { status: 'same' });
    if (flips.length === 1) return this.#confirm(flips, ended);
    const middle = flips.length >> 1;
    const halves = [flips.slice(0, middle), flips.slice(middle)];
    await Promise.all(halves.map((half) => this.group(half)));
    const broken = flips.some(({ id }) => this.verdicts.get(id)?.status !== 'same');
    if (!broken && flips.every(({ together }) => together)) await this.#together(flips);
  }

  /** The command itself may be flaky. */
  get unsteady(): boolean {
    return [...this.verdicts.values()].some(({ status }) => status === 'flaky');
  }

  #settle(flips: readonly Flip[], verdict: FlipVerdict): void {
    for (const { id } of flips) this.verdicts.set(id, verdict);
  }

  async #confirm(flips: readonly Flip[], first: CommandEnd): Promise<void> {
    let failed = 1;
    for (let i = 0; i < this.#repeat; i++) failed += (await this.#run(flips)).passed ? 0 : 1;
    const of = this.#repeat + 1;
    if (failed === of) this.#settle(flips, { status: 'breaks', together: flips, tests: first.tests });
    else this.#settle(flips, { status: 'flaky', failed, of });
  }

  /** Leaves out parts as long as the rest breaks. */
  async #together(all: readonly Flip[]): Promise<void> {
    let flips = all;
    if ((await this.#run(all)).passed) return this.#settle(all.slice(0, 1), { status: 'flaky', failed: 1, of: 2 });
    for (let size = flips.length >> 1; size >= 1; size >>= 1) {
      for (let at = 0; at < flips.length && flips.length > 2; ) {
        const rest = [...flips.slice(0, at), ...flips.slice(at + size)];
        if (rest.length >= 2 && !(await this.#run(rest)).passed) flips = rest;
        else at += size;
      }
    }
    const ended = await this.#run(flips);
    if (ended.passed) this.#settle(flips.slice(0, 1), { status: 'flaky', failed: 1, of: 2 });
    else await this.#confirm(flips, ended);
  }
}

export const limitConcurrency = (most: number) => {
  const slots = new JobQueue(most);
  return <T>(task: () => Promise<T>): Promise<T> => slots.within('', task);
};
