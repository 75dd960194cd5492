// Which letter tells of which change: each change takes one letter of its own that fits it.
import type { Exchange } from '../engine/exchange.ts';
import { type Change, sameState } from './changes.ts';
import { createdAt, type Letter, lacks, type Registration } from './letters.ts';

/** Between which times, on the clock of the target, a request was served. */
export type Moment = (x: Exchange) => { readonly from: number; readonly to: number };

/** How far a clock and its rounding may be off. */
export const SLACK_MS = 2000;

/** This many fields tell which record it is, without its id. */
const TELLING = 4;

/** The fields in which a snapshot shows other than the record was; what it must carry and does not is another fault. */
export const differences = (letter: Letter, { state }: Pick<Change, 'state'>): string[] => {
  const { snapshot } = letter;
  const lacking = lacks(letter);
  return [...state]
    .filter(([field, value]) => {
      if (snapshot[field] === undefined || lacking.includes(field)) return false;
      return !sameState(field, snapshot[field], value);
    })
    .map(([field]) => field);
};

const stampOf = ({ first }: Letter): number => Number(first.headers['x-service-timestamp']) * 1000;

/** The times that a letter tells, of those that are not between the change and the arrival of the letter. */
export const untimely = (letter: Letter, by: Exchange, moment: Moment): ('created_at' | 'stamp')[] => {
  const { from, to } = moment(by);
  const arrived = letter.first.at - by.came + to;
  const off = (at: number) => at < from - SLACK_MS || at > Math.max(to, arrived) + SLACK_MS;
  // Two times that are not the same are another fault, and only one of them is wrong.
  if (Math.abs(createdAt(letter) - stampOf(letter)) > SLACK_MS) return [];
  return [...(off(createdAt(letter)) ? (['created_at'] as const) : []), ...(off(stampOf(letter)) ? (['stamp'] as const) : [])];
};

export interface Pairing {
  readonly pairs: ReadonlyMap<Letter, Change>;
  /** Letters and changes of one event and record that do not fit each other. */
  readonly misfits: readonly (readonly [Letter, Change])[];
  /** Changes that were announced under another name. */
  readonly misnamed: readonly (readonly [Letter, Change])[];
  /** Changes that must be announced, and that no letter tells of. */
  readonly missing: readonly Change[];
  /** Letters that no change explains. */
  readonly extra: readonly Letter[];
}

/** The letters to one registration, beside the expected ones. */
export interface Post {
  readonly to: Registration;
  readonly letters: readonly Letter[];
  readonly due: readonly Change[];
  readonly pairing: Pairing;
}

/** Whether a letter may tell of a change, as far as the event and the record go; a snapshot without an id is of any record. */
const concerns = (letter: Letter, change: Change): boolean =>
  letter.event === change.event && (letter.about === undefined || letter.about === change.id);

/** Pairs as many as can be, those that must be announced before those that may. */
const paired = (changes: readonly Change[], fits: (change: Change) => readonly Letter[]): Map<Letter, Change> => {
  const found = new Map<Letter, Change>();
  const place = (change: Change, tried: Set<Letter>): boolean => {
    for (const letter of fits(change)) {
      if (tried.has(letter)) continue;
      tried.add(letter);
      const holder = found.get(letter);
      if (holder && !place(holder, tried)) continue;
      found.set(letter, change);
      return true;
    }
    return false;
  };
  for (const change of changes) place(change, new Set());
  return found;
};

/** @param changes those that the registration may be told of; `must` says of which it has to be. */
export const pair = (
  letters: readonly Letter[],
  changes: readonly Change[],
  must: (change: Change) => boolean,
  moment: Moment,
): Pairing => {
  const fits = (change: Change) =>
    letters.filter(
      (letter) =>
        concerns(letter, change) && differences(letter, change).length === 0 && untimely(letter, change.by, moment).length === 0,
    );
  const ordered = [...changes.filter(must), ...changes.filter((change) => !must(change))];
  const pairs = paired(ordered, fits);
  const matched = new Set(pairs.values());
  const left = ordered.filter((change) => !matched.has(change));
  const loose = letters.filter((letter) => !pairs.has(letter));
  const records = new Set(changes.map(({ id }) => id));
  const misfit = paired(left, (change) =>
    loose
      .filter((letter) => letter.event === change.event)
      .map((letter) => ({ letter, wrong: differences(letter, change).length }))
      // A letter that shows all of a record but its id is about that record, too.
      .filter(({ letter: { about, snapshot }, wrong }) => {
        if (about !== undefined && records.has(about)) return about === change.id;
        const shown = [...change.state.keys()].filter((field) => snapshot[field] !== undefined);
        return must(change) && wrong === 1 && shown.length >= TELLING;
      })
      .sort((a, b) => a.wrong - b.wrong)
      .map(({ letter }) => letter),
  );
  const excused = new Set(misfit.values());
  const missing = left.filter((change) => must(change) && !excused.has(change));
  const extra = loose.filter((letter) => !misfit.has(letter));
  const kindOf = (event: string) => event.split('.')[0]!;
  const misnamed = paired(missing, (change) =>
    extra.filter(
      (letter) =>
        letter.about === change.id &&
        ['', kindOf(change.event)].includes(kindOf(letter.event)) &&
        differences(letter, change).length === 0 &&
        untimely(letter, change.by, moment).length === 0,
    ),
  );
  const renamed = new Set(misnamed.values());
  return {
    pairs,
    misfits: [...misfit],
    misnamed: [...misnamed],
    missing: missing.filter((change) => !renamed.has(change)),
    extra: extra.filter((letter) => !misnamed.has(letter)),
  };
};
