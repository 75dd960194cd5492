// The notes of a trial in files: each mock of the command's processes writes its own, and the judge reads them all.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Note } from '../../client/notes.ts';
import type { TrialPlan } from '../../client/trial-fetch.ts';
import { readJson } from '../../service/validation/json-text.ts';
import type { TestEnd } from '../../testing/worlds.ts';

interface Told extends TrialPlan {
  /** Where notes go. */
  readonly folder: string;
}

export const encodeTrial = (told: Told): string => JSON.stringify(told);
export const decodeTrial = (told: string): Told => JSON.parse(told) as Told;

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

/** @param told value of TRIAL_VARIABLE */
export const noteOutcome = (told: string | undefined, result: () => TestEnd): void => {
  if (told !== undefined) openNotes(decodeTrial(told).folder)({ what: 'test', ...result() });
};

/** A process that was killed leaves half a line. */
const parseNote = (line: string): Note[] => {
  const note = readJson(line);
  return note === undefined ? [] : [note as Note];
};

/** Whether the plan of a trial leaves out a test. @param told value of TRIAL_VARIABLE @param world that of the test, without its retry */
export const isLeftOut = (told: string | undefined, world: string): boolean => {
  const worlds = told === undefined ? undefined : decodeTrial(told).worlds;
  return worlds?.some((one) => one.startsWith(world)) === false;
};

export const readNotes = (folder: string): readonly Note[] =>
  readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean).flatMap(parseNote));
