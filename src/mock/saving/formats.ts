// Reads the state that any released wm-mock has saved: each step migrates a shelf from one format to the next.
import { FORMAT, type SavedHost } from './keeper.ts';

type StoredState = ReadonlyMap<string, unknown>;

const STATE_KEY = /^image\/\d+\/(snapshot|core)$/;

/** By the format that a step migrates from. */
const FORMAT_STEPS: Readonly<Record<number, (kept: StoredState) => StoredState>> = {
  // Format 3 adds snapshots based on others (those of format 2 are whole), and a timeline for each world.
  2: (kept) =>
    new Map(
      [...kept].map(([key, value]) => [
        key,
        STATE_KEY.test(key) ? { timeline: [], nextHappened: 1, ...(value as object) } : value,
      ]),
    ),
};

/** The saved entries in this program's format; undefined when there are none. @throws Error when they cannot be read */
export const inThisFormat = (kept: StoredState): StoredState | undefined => {
  if (!kept.has('host')) return undefined;
  const { format } = kept.get('host') as SavedHost;
  let now = kept;
  for (let step = format; step !== FORMAT; step++) {
    const take = FORMAT_STEPS[step];
    if (!take) {
      const says = `the state was kept in format ${format}, and this wm-mock reads formats ${Object.keys(FORMAT_STEPS)[0]} to ${FORMAT}. Use the version that wrote it, or a newer one. docs/hosted.md of wm-mock says more.`;
      throw new Error(says);
    }
    now = take(now);
  }
  return now;
};
