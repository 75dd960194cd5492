// `--save` and `--record`: keep a file as its content changes, in one process alone, and try again after a failure.
import { seedOf, watchSeed } from '../../mock/control/snapshot.ts';
import { seedText } from '../../mock/seed/write.ts';
import { type Io, UsageError } from '../command-line/io.ts';
import { type NodeMock, recordings } from '../create-mock.ts';
import { takeLock } from './file-lock.ts';
import { describeWriteError, followLinks, removeDrafts, writeWhole } from './write-file.ts';

interface KeptContent {
  /** Differs after each change. */
  readonly revision: () => number | string;
  readonly text: () => Promise<string>;
}

/** The data of the first world, as a seed. */
export const seedContent = (mock: NodeMock, path: string): KeptContent => ({
  revision: watchSeed(() => mock.world),
  text: () => seedText(seedOf(mock.world), path.endsWith('.json') ? 'json' : 'yaml'),
});

/** The recording, as a repro file. */
export const recordedContent = (mock: NodeMock) => {
  let steps = 0;
  const text = async () => {
    const repro = await mock.save();
    steps = repro.steps.length;
    return JSON.stringify(repro, null, 1);
  };
  return { revision: () => recordings.get(mock)?.revision ?? 0, text, steps: () => steps };
};

const WRITE_INTERVAL_MS = 1000;
/** Writes of a long file take at most a fifth of the time. */
const MIN_PAUSE_FACTOR = 4;

/** @throws UsageError when another process keeps it, or the error of the system */
const lockKept = async (path: string) => {
  const target = await followLinks(path);
  const says = (who: string) => `${path} is already kept by ${who}: two at once would lose changes. Name another file.`;
  const { release } = await takeLock(`${target}.lock`, { taken: (who) => new UsageError(says(who), 1) });
  await removeDrafts(target);
  return release;
};

/** Writes at once, then as the content changes; `end` tells whether all was written. @throws UsageError if the first write fails */
export const keepFile = async (path: string, { revision, text }: KeptContent, err: Io['err']) => {
  const release = await lockKept(path).catch((error) => {
    throw error instanceof UsageError ? error : describeWriteError(path, error);
  });
  let written: number | string | undefined;
  let failure = '';
  const attempt = async (): Promise<void> => {
    const now = revision();
    if (now === written) return;
    await writeWhole(path, await text());
    written = now;
    if (failure !== '') err(`wm-mock: ${path} is written again, with all changes.\n`);
    failure = '';
  };
  const tell = (error: Error): void => {
    // Each second without a change would say the same.
    const now = error instanceof UsageError ? `${revision()} ${error.message}` : error.message;
    if (now !== failure) err(`wm-mock: ${error.message} It is tried again each second.\n`);
    failure = now;
  };
  await attempt().catch((error) => {
    release();
    throw error;
  });
  let last = Promise.resolve();
  const write = () => {
    last = last.then(attempt).catch(tell);
    return last;
  };
  let next = 0;
  const timer = setInterval(async () => {
    const began = performance.now();
    if (began < next) return;
    next = Number.POSITIVE_INFINITY;
    await write();
    next = performance.now() + MIN_PAUSE_FACTOR * (performance.now() - began);
  }, WRITE_INTERVAL_MS);
  const end = async (): Promise<boolean> => {
    clearInterval(timer);
    await write();
    release();
    if (failure !== '') err(`wm-mock: ${path} lacks the last changes.\n`);
    return failure === '';
  };
  return { write, end };
};
