// Long work in steps: done at once, or with turns for others in between.
import { realNow, wait } from '../../service/world/time.ts';

/** Yields wherever it may pause. */
export type PausableWork<T> = Generator<undefined, T>;

/** How long others wait for their turn, milliseconds. */
const TURN_MS = 20;

export const runSync = <T>(steps: PausableWork<T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

export const runInTurns = async <T>(steps: PausableWork<T>): Promise<T> => {
  for (let until = realNow() + TURN_MS; ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (realNow() < until) continue;
    await wait(0);
    until = realNow() + TURN_MS;
  }
};
