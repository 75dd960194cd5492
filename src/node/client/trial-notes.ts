// The notes of a trial in files: each mock of the command's processes writes its own, and the judge reads them all.
import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Note } from '../../client/notes.ts';
import type { TrialPlan } from '../../client/trial-fetch.ts';
import { readJson } from '../../service/validation/json-text.ts';
import type { TestEnd } from '../../testing/worlds.ts';

interface NotedPlan extends TrialPlan {
  /** Where notes go. */
  readonly folder: string;
}

export const encodeTrial = (plan: NotedPlan): string => JSON.stringify(plan);
export const decodeTrial = (encoded: string): NotedPlan => JSON.parse(encoded) as NotedPlan;

const ofTests = new AsyncLocalStorage<true>();
/** Sends what a test sends itself: that is no request of the client. */
export const sendAsTest = <T>(send: () => T): T => ofTests.run(true, send);
export const isSentByTest = (): boolean => ofTests.getStore() === true;

/** Milliseconds of this machine, which all its processes share. */
export const trialNow = (): number => performance.timeOrigin + performance.now();

let writers = 0;

/** @returns what appends a note to a file of its own */
export const openNotes = (folder: string): ((note: Note) => void) => {
  const file = join(folder, `${process.pid}-${writers++}.ndjson`);
  return (note) => {
    try {
      appendFileSync(file, `${JSON.stringify(note)}\n`);
    } catch {
      // The run has ended, and its folder with it.
    }
  };
};

/** @param encoded value of TRIAL_VARIABLE */
export const noteOutcome = (encoded: string | undefined, result: () => TestEnd): void => {
  if (encoded !== undefined) openNotes(decodeTrial(encoded).folder)({ what: 'test', at: trialNow(), ...result() });
};

/** A process that was killed leaves half a line. */
const parseNote = (line: string): Note[] => {
  const note = readJson(line);
  return note === undefined ? [] : [note as Note];
};

/** Whether the plan of a trial leaves out a test. @param encoded value of TRIAL_VARIABLE @param world that of the test, without its retry */
export const isLeftOut = (encoded: string | undefined, world: string): boolean => {
  const worlds = encoded === undefined ? undefined : decodeTrial(encoded).worlds;
  return worlds?.some((one) => one.startsWith(world)) === false;
};

export const readNotes = (folder: string): readonly Note[] =>
  readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean).flatMap(parseNote));
