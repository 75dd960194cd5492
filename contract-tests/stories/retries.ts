// Deliveries: what is acknowledged, what is retried and when. The same code waits in real time or advances a virtual clock.
import type { Check } from '../engine/check.ts';
import type { Arrival, Message, Receiver, ReceiverResponse } from '../engine/receiver.ts';
import { clausesIn } from '../engine/spelling.ts';
import type { Tools } from '../engine/tools.ts';
import { slowest } from '../oracle/events.ts';
import { apart, eventOf, idOfEvent, type Letter, lettersOf, snapshotOf, tellAlike } from '../oracle/letters.ts';
import { failedLetters, judgeAfterRetry, judgeFailures, judgeRepetition, repeatedStatuses } from '../oracle/repetition.ts';
import { neverCame, playStory } from './events.ts';
import { accept, arrived, hooks, hookUrl, posts } from './registrations.ts';

const SECOND = 1000;

/** Titles say, after the name of the run, the response to each attempt of their deliveries; later attempts are accepted. */
const MARK = /^(\S+) wmdlv-([a-z]+)-([\dt.]+)$/;

/** The name and the steps of a letter of this run that is marked. */
const markOf = (run: string, { first, event }: Letter): { name: string; steps: string } | undefined => {
  const [, of, name = '', steps = ''] = (event === 'task.created' && MARK.exec(String(snapshotOf(first).title))) || [];
  return of === run ? { name, steps } : undefined;
};

const marked = (t: Tools, mark: string): string => `${t.parts.runName} wmdlv-${mark}`;

/** The letter that a message delivers, among those of the same event and record. */
const letterOf = (message: Arrival, earlier: readonly Message[]): Letter => {
  const last = { ...message, response: { status: 0, delayMs: 0 } };
  const { id } = snapshotOf(message);
  const alike = earlier.filter(
    (other) => other.path === message.path && eventOf(other) === eventOf(message) && snapshotOf(other).id === id,
  );
  return lettersOf([...alike, last]).find(({ attempts }) => attempts.includes(last))!;
};

/** The responses to the first attempts of the story's events, in the order of arrival; later ones are accepted. */
const FAILURES = [503, 404, 302, 410, 422, 304, 429, 301, 400, 501, 408, 307, 401, 308, 409, 500, 403, 303, 405, 502, 418, 504];

/** This many letters of the story fail twice, the others once. */
const TWICE = 2;
/** By which status they are accepted then: each by one more than once. */
const THEN = [204, 200, 299, 201, 202, 207] as const;

/** The response to an attempt at the n-th letter that fails at first; undefined: it is none of them. */
const failing = (failures: readonly number[], nth: number, attempt: number): number | undefined => {
  if (failures[nth] === undefined) return undefined;
  if (attempt <= (nth < TWICE ? 2 : 1)) return failures[(nth + attempt - 1) % failures.length];
  return THEN[nth % THEN.length];
};

/** Marked titles say it themselves. @param failures for what else comes after the first messages, letter by letter; all other is accepted. */
const planned =
  ({ parts: { runName } }: Tools, failures: readonly number[], from: number) =>
  (message: Arrival, earlier: readonly Message[]): ReceiverResponse => {
    const letter = letterOf(message, earlier);
    const steps = markOf(runName, letter)?.steps.split('.');
    // A duplicate gets the response of what it follows.
    const attempt = apart(letter.attempts).length;
    const step = steps?.[attempt - 1];
    if (step?.startsWith('t')) return { status: 200, delayMs: Number(step.slice(1)) * SECOND };
    if (step !== undefined) return Number(step);
    const began = letter.attempts.length === 1 ? earlier.length : earlier.indexOf(letter.first);
    if (steps !== undefined || began < from) return accept(message, earlier);
    const before = earlier.slice(from, began).filter((other) => !MARK.test(String(snapshotOf(other).title)));
    return failing(failures, before.length, attempt) ?? accept(message, earlier);
  };

/** The letters that were read from this many messages: who waits asks again and again. */
const letters = new WeakMap<Receiver, { count: number; read: readonly Letter[] }>();

const attempts = (t: Tools, name: string): readonly Message[] => {
  const receiver = t.parts.receiver!;
  const count = receiver.messages.length;
  const known = letters.get(receiver);
  const read = known?.count === count ? known.read : lettersOf(receiver.on('all'));
  letters.set(receiver, { count, read });
  return apart(read.find((letter) => markOf(t.parts.runName, letter)?.name === name)?.attempts ?? []);
};

/** How long the receiver keeps a target waiting that gives up after ten seconds. */
const TIMEOUT = 11;

/**
 * Waits for a retry, which may not come earlier; returns how many seconds it took, or why it is wrong.
 * @param more seconds that an attempt may have lasted: whether the delay counts from its beginning or from its end is open
 */
const retried = async (t: Tools, name: string, retry: number, delay: number, more = 0): Promise<number | 'early' | 'never'> => {
  const before = attempts(t, name)[retry - 1]!.at;
  const passed = () => ((attempts(t, name)[retry]?.at ?? t.time.now()) - before) / SECOND;
  const there = () => attempts(t, name).length > retry;
  const margin = t.time.virtual ? 3 : Math.max(3, delay * 0.1);
  const end = latest(t, delay, await lateness(t)) + more;
  // In steps: on a virtual clock what comes during one has the time before it.
  const step = Math.max(10, delay / 12);
  t.waits(`retry ${retry}`, end * SECOND);
  const left = () => (there() ? 0 : delay - margin - passed());
  while (left() > 0) await t.time.sleep(Math.min(step, left()) * SECOND);
  while (!there() && passed() < end) await t.time.sleep(SECOND);
  if (!there() || passed() > end + 1) return 'never';
  return passed() < delay - margin ? 'early' : passed();
};

/** How many seconds the slowest delivery took so far: a retry may take as long. */
const lateness = async (t: Tools): Promise<number> => slowest(await posts(t)) / SECOND;

/** A queue takes its time; on a virtual clock it takes none. */
const latest = (t: Tools, delay: number, late: number): number => (t.time.virtual ? delay * 1.02 + 3 : delay * 1.2 + 10) + late;

const text = (t: Tools, found: number | 'early' | 'never', delay: number) =>
  found === 'early'
    ? `it comes before ${delay} s`
    : found === 'never'
      ? `it does not come within ${Math.ceil(latest(t, delay, 0))} s`
      : '';

const signed = ({ headers }: Message): boolean => (headers['x-service-signature'] ?? '') !== '';

/** A retry is the first attempt again. */
const same = (t: Tools, all: readonly Message[]): void => {
  const [first, ...retries] = all;
  if (!first) return;
  const stamp = 'x-service-timestamp';
  // A message that comes at once and never again is no duplicate.
  const second = apart(all)[1] ?? retries[0];
  if (second) {
    const gap = (second.at - first.at) / SECOND;
    // On a virtual clock what comes during a step has the time before it.
    t.must('WM-DLV-007', gap >= (t.time.virtual || t.parts.control ? 15 : 27), {
      message: `a retry comes ${gap} s after the first attempt`,
      deliveries: [first, second],
    });
  }
  for (const retry of retries) {
    const must = (requirement: string, ok: boolean, message: string) =>
      t.must(requirement, ok, { message, deliveries: [first, retry] });
    must('WM-DLV-014', idOfEvent(retry) === idOfEvent(first), 'a retry has another id');
    const [was, is] = [first.headers[stamp], retry.headers[stamp]];
    must('WM-DLV-015', is === was, `X-Service-Timestamp changes from ${was} to ${is}`);
    if (signed(first)) must('WM-DLV-016', signed(retry), 'a retry is not signed');
    const [one, other] = [first, retry].map(({ method, headers }) => `${method} as ${headers['content-type']}`);
    must('WM-DLV-019', one === other, `a retry is a ${other}, after a ${one}`);
    must('WM-DLV-019', tellAlike(retry, first), 'a retry carries another envelope');
  }
};

/** The task that fails until its retries are used up, once changed meanwhile: a retry shows it as it was. */
const failOften = async (t: Tools, project: string): Promise<void> => {
  const task = await t.task(project, { title: marked(t, 'long-500.403.408.401.404.302'), due_date: '2019-05-05T10:00:00Z' });
  if (t.time.virtual) await t.task(project, { title: marked(t, 'last-408.503.302.429.410') });
  const ending = await arrived(t, () => attempts(t, 'long').length > 0);
  if (ending !== 'there') await neverCame(t, ending);
  await t.patch(`/tasks/${encodeURIComponent(task)}`, { title: 'wm long, changed', status: 'done' });
};

/** Judges the first retry of the task's delivery and of the story's. @returns the broken requirement on final statuses */
const firstRetry = async (t: Tools): Promise<string | undefined> => {
  const requirement = 'WM-DLV-007';
  const found = await retried(t, 'long', 1, 30);
  await t.time.sleep(20 * SECOND);
  const failed = failedLetters(t, await posts(t));
  // Where some are retried and others are not, it is their status that is taken for final.
  const final = failed.some((letter) => letter.attempts.length > 1) ? judgeFailures(t, failed) : undefined;
  const comes = typeof found === 'number';
  // A retry after one status is judged, though it is not after another.
  if (final && !comes) t.need(false, final);
  t.need(t.must(requirement, comes, text(t, found, 30)), requirement);
  return final;
};

/** The rules of the first attempt hold for a retry: its timeout, and when the next one comes. */
const afterTimeout = async (t: Tools, project: string): Promise<void> => {
  const [first, second] = attempts(t, 'late');
  if (!first || !second) return;
  const gap = (second.at - first.at) / SECOND;
  t.must('WM-DLV-007', gap >= 27, `the retry after a timeout comes after ${gap} s`);
  if (!t.time.virtual) return;
  const found = await retried(t, 'late', 2, 120, TIMEOUT);
  t.must('WM-DLV-006', typeof found === 'number', `after a second timeout ${text(t, found, 120)}`);
  await t.task(project, { title: marked(t, 'slowly-500.t9') });
  await t.time.sleep(400 * SECOND);
  t.must('WM-DLV-006', attempts(t, 'slowly').length === 2, 'a retry that got its response after 9 s is retried');
  t.must('WM-DLV-013', attempts(t, 'late').length <= 3, 'what a retry after timeouts has brought comes again');
};

/** @param final what explains that nothing follows upon one of the statuses */
const laterRetry = async (
  t: Tools,
  requirement: string,
  retry: number,
  delay: number,
  final: string | undefined,
): Promise<void> => {
  const found = await retried(t, 'long', retry, delay);
  if (found === 'never' && final) t.need(false, final);
  t.need(t.must(requirement, typeof found === 'number', text(t, found, delay)), requirement);
};

/** Each retry is what the first attempt was. */
const unchanged = async (t: Tools): Promise<void> => {
  for (const { attempts: all } of failedLetters(t, await posts(t))) same(t, all);
  same(t, attempts(t, 'long'));
};

export const deliveryChecks: readonly Check[] = [
  {
    id: 'deliveries/retries',
    says: 'A failed delivery is retried at the stated times, unchanged, and no further than stated',
    covers: clausesIn('DLV 1-5 7-16 19'),
    needs: ['receiver', 'write', 'slow'],
    profile: 'full',
    run: async (t: Tools) => {
      await hooks(t);
      const { receiver } = t.parts;
      const { sideId } = await t.world();
      await t.time.settle();
      receiver!.plan = planned(t, FAILURES, receiver!.messages.length);
      // The record that is retried first is there still, and has changed.
      const end = await playStory(t);
      await failOften(t, encodeURIComponent(sideId));
      const final = await firstRetry(t);
      await end();
      judgeRepetition(t, await posts(t));
      await unchanged(t);
      await laterRetry(t, 'WM-DLV-008', 2, 120, final);
      // Deletions are retried too; in real time a slow retry may still come.
      if (!final && t.time.virtual) judgeFailures(t, failedLetters(t, await posts(t)));
      judgeAfterRetry(t, await posts(t));
      if (!t.time.virtual) t.skip('NO_CONTROL');
      await laterRetry(t, 'WM-DLV-009', 3, 600, final);
      await laterRetry(t, 'WM-DLV-010', 4, 1800, final);
      await laterRetry(t, 'WM-DLV-011', 5, 7200, final);
      // A sixth retry might come the next day.
      await t.time.sleep(30 * 3600 * SECOND);
      const count = attempts(t, 'long').length;
      t.must('WM-DLV-012', count === 6, `${count} attempts in all`);
      const last = attempts(t, 'last').length;
      if (!final) t.must('WM-DLV-013', last === 6, `${last} attempts of a delivery whose fifth retry succeeds`);
      judgeAfterRetry(t, await posts(t));
      judgeRepetition(t, await posts(t));
      await unchanged(t);
    },
  },
  {
    id: 'deliveries/timeout',
    says: 'No response within ten seconds is a failure, a response after nine is none',
    covers: ['WM-DLV-006'],
    needs: ['receiver', 'write', 'slow'],
    profile: 'full',
    run: async (t: Tools) => {
      await hooks(t);
      const { control, receiver } = t.parts;
      receiver!.plan = planned(t, [], 0);
      const { sideId } = await t.world();
      const at = encodeURIComponent(sideId);
      if (control) {
        const hook = (await control.webhooks()).find((candidate) => candidate.url === hookUrl(t, 'all'));
        if (!hook) t.skip('NO_CONTROL(registration)');
        await t.time.settle();
        await control.simulate(hook.id, ['timeout', 'timeout']);
        await t.task(at, { title: marked(t, 'late-204') });
        let waited = 0;
        for (; waited < 200 && attempts(t, 'late').length === 0; waited += 2) await t.time.sleep(2 * SECOND);
        if (!lettersOf(receiver!.on('all')).some(({ event }) => event === 'task.created')) await neverCame(t, 'quiet');
        const isPunctual = attempts(t, 'late').length > 0 && waited >= 145 && waited <= 176;
        t.must('WM-DLV-006', isPunctual, `the retry after a second timeout comes after ${waited} s`);
        t.observe('retry-counted-from', waited >= 160 ? 'failure' : 'attempt');
        return;
      }
      await t.task(at, { title: marked(t, t.time.virtual ? `late-t${TIMEOUT}.t${TIMEOUT}` : `late-t${TIMEOUT}`) });
      await t.task(at, { title: marked(t, 'slow-t9') });
      const ending = await arrived(t, () => attempts(t, 'late').length > 0 && attempts(t, 'slow').length > 0);
      if (ending !== 'there') await neverCame(t, ending);
      const end = 62 + (await lateness(t));
      t.waits('the retry after a timeout', end * SECOND);
      for (let waited = 0; waited < end && attempts(t, 'late').length < 2; waited++) await t.time.sleep(SECOND);
      t.must('WM-DLV-006', attempts(t, 'late').length > 1, 'a delivery without a response for 11 s is not retried');
      if (repeatedStatuses(t, await posts(t)).length > 0) return;
      t.must('WM-DLV-006', attempts(t, 'slow').length === 1, 'a delivery that got its response after 9 s is retried');
      await afterTimeout(t, at);
    },
  },
];
