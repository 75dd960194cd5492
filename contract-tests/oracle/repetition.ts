// How often each letter came, beside the responses to its attempts.
import type { Tools } from '../engine/tools.ts';
import { aboutIt, accepted, type Letter, shownBy } from './letters.ts';
import type { Post } from './pairing.ts';

/** How many letters show a fault. */
const EXAMPLES = 3;

/** After so long a first retry has come, if there is one. */
const RETRIED_MS = 45_000;

/** How far gaps of one kind differ. */
const SOON_MS = 1000;

/** The response to most deliveries. */
const USUAL = 200;

/** How one that should not be is delivered says nothing. */
const wanted = (posts: readonly Post[]): Letter[] =>
  posts.flatMap(({ letters, pairing }) => letters.filter((letter) => !pairing.extra.includes(letter)));

/** Letters of which it can be told whether they come again. */
const lettersOf = (t: Tools, posts: readonly Post[]): Letter[] =>
  wanted(posts).filter(({ first, attempts }) => attempts.length > 1 || t.time.now() - first.at > RETRIED_MS);

const status = ({ first }: Letter): number => first.response.status;

/** After how long a letter came again. */
const gap = ({ first, attempts: [, again] }: Letter): number | undefined => again && again.at - first.at;

/** The longest gap of some letters, in milliseconds; -1 when none came again. */
const longest = (some: readonly Letter[]): number => Math.max(-1, ...some.map(gap).filter((ms) => ms !== undefined));

/** A duplicate now and then is what "at least once" allows; most letters of a kind are no chance. */
const most = (some: readonly Letter[], all: readonly Letter[]): boolean => some.length > 0 && some.length * 2 >= all.length;

/** Whether letters come again that got the same response. @param chance what comes again so soon comes by chance */
const comeAgain = (t: Tools, alike: readonly Letter[], chance = -1): boolean => {
  const again = alike.filter((letter) => (gap(letter) ?? -1) > chance);
  // One that has come of late may still come again.
  const late = t.time.now() - longest(again) - SOON_MS;
  return most(
    again,
    alike.filter((letter) => again.includes(letter) || letter.first.at < late),
  );
};

/** The statuses of those that were accepted at once and are sent again all the same. */
export const repeatedStatuses = (t: Tools, posts: readonly Post[]): number[] => {
  const fine = wanted(posts).filter(({ first }) => accepted(first));
  const usual = fine.filter((letter) => status(letter) === USUAL);
  if (comeAgain(t, usual)) return [USUAL];
  const chance = longest(usual) < 0 ? -1 : longest(usual) + SOON_MS;
  const others = fine.filter((letter) => status(letter) !== USUAL);
  return [...new Set(others.map(status))].filter((code) =>
    comeAgain(
      t,
      others.filter((letter) => status(letter) === code),
      chance,
    ),
  );
};

/** A letter that was accepted at once is not sent again, whichever 2xx it was. */
export const judgeRepetition = (t: Tools, posts: readonly Post[]): void => {
  const codes = lettersOf(t, posts)
    .filter(({ first }) => accepted(first))
    .map(status);
  const bad = repeatedStatuses(t, posts);
  const describe = (code: number, message: string) => {
    const again = wanted(posts).filter((letter) => status(letter) === code && letter.attempts.length > 1);
    const within = Math.ceil(longest(again) / 1000) + 12;
    const claims = again
      .slice(0, EXAMPLES)
      .map((letter) => ({ deliveries: aboutIt(letter), at: [], op: 'most', value: 1, within }) as const);
    return { ...shownBy(message, ...again.slice(0, EXAMPLES)), claims };
  };
  if (codes.includes(200)) t.must('WM-DLV-001', !bad.includes(200), describe(200, 'deliveries that got 200 are repeated'));
  if (codes.some((code) => code !== 200) && !bad.includes(200))
    t.must('WM-DLV-002', bad.length === 0, describe(bad[0] ?? 0, `deliveries that got ${bad.join(', ')} are repeated`));
};

const KINDS = { 'WM-DLV-003': 5, 'WM-DLV-004': 4, 'WM-DLV-005': 3 } as const;

/** Letters whose first attempt got no 2xx. */
export const failedLetters = (t: Tools, posts: readonly Post[]): Letter[] =>
  lettersOf(t, posts).filter(({ first }) => !accepted(first) && first.response.delayMs === 0);

/** A delivery that got 3xx, 4xx or 5xx is sent again, whichever it was. @returns the requirement that is broken */
export const judgeFailures = (t: Tools, failed: readonly Letter[]): string | undefined => {
  let broken: string | undefined;
  for (const [requirement, hundreds] of Object.entries(KINDS)) {
    const alike = failed.filter((letter) => Math.floor(status(letter) / 100) === hundreds);
    const left = alike.filter(({ attempts }) => attempts.length === 1);
    if (alike.length === 0) continue;
    const some = left.slice(0, EXAMPLES);
    const says = shownBy(`a delivery that got ${left.map(status).join(', ')} is not retried`, ...some);
    const claims = some.map((letter) => ({ deliveries: aboutIt(letter), at: [], op: 'least', value: 2, within: 45 }) as const);
    if (!t.must(requirement, left.length === 0, { ...says, claims })) broken ??= requirement;
  }
  return broken;
};

const broughtBy = ({ attempts }: Letter): number => attempts.findIndex(accepted);
const brings = (letter: Letter): string => `with ${letter.attempts[broughtBy(letter)]!.response.status}`;
const broughtAt = (letter: Letter): string => `at attempt ${broughtBy(letter) + 1}`;
/** After the last one nothing comes, whatever the response. */
const RETRIES = 5;
/** This many letters of a kind tell of it. */
const ALIKE = 2;
/** Whether another attempt came as late as a retry does. */
const comesLater = (letter: Letter): boolean => {
  const [brought, next] = letter.attempts.slice(broughtBy(letter));
  return next !== undefined && next.at - brought!.at > RETRIED_MS;
};

/** A letter that a retry has brought is not sent again. */
export const judgeAfterRetry = (t: Tools, posts: readonly Post[]): void => {
  const brought = failedLetters(t, posts).filter(({ attempts }) => attempts.some(accepted));
  const again = brought.filter(({ attempts }) => attempts.length > attempts.findIndex(accepted) + 1);
  if (brought.length === 0 || repeatedStatuses(t, posts).length > 0) return;
  const says = `${again.length} of ${brought.length} retried deliveries come again after a 2xx`;
  if (!t.must('WM-DLV-013', !most(again, brought), shownBy(says, ...again.slice(0, EXAMPLES)))) return;
  // Whichever 2xx it was, and at whichever attempt: what comes by chance comes for some of a kind, and not as late as a retry.
  for (const kind of [brings, broughtAt])
    for (const which of new Set(brought.map(kind))) {
      const alike = brought.filter((letter) => kind(letter) === which && broughtBy(letter) < RETRIES);
      const ok = alike.length < ALIKE || !alike.every(comesLater);
      const says = `all ${alike.length} deliveries come again that are accepted ${which}`;
      if (!t.must('WM-DLV-013', ok, shownBy(says, ...alike.slice(0, EXAMPLES)))) return;
    }
};
