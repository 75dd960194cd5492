// How runs ended, in a file: what was stopped is taken up there.
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeWhole } from '../files/files.ts';

type FinishedRun<E> = readonly [run: string, ended: E];

const readRuns = async <E>(file: string, command: string): Promise<FinishedRun<E>[]> => {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const { of, runs = [] } = JSON.parse(text) as { readonly of?: string; readonly runs?: FinishedRun<E>[] };
  return of === command ? runs : [];
};

/** @param command identifies it; results of others are ignored @returns a function that runs what has not ended before, by name */
export const keepEnds = async <E>(file: string, command: string, resume: boolean) => {
  const past = resume ? await readRuns<E>(file, command) : [];
  const runs: FinishedRun<E>[] = [];
  let written = Promise.resolve();
  const write = async () => {
    await mkdir(dirname(file), { recursive: true });
    await writeWhole(file, JSON.stringify({ of: command, runs }));
  };
  return async (name: string, run: () => Promise<E>): Promise<E> => {
    const at = past.findIndex(([one]) => one === name);
    const ended = at < 0 ? await run() : past.splice(at, 1)[0]![1];
    runs.push([name, ended]);
    // Writes are sequential; a failure shows when the report is written.
    written = written.then(write).catch(() => {});
    return ended;
  };
};
