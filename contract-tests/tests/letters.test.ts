// Which messages are attempts at one letter, and what comes again though it was accepted: by chance, or as a rule.
import { expect, test } from 'vitest';
import type { Message } from '../engine/receiver.ts';
import type { Tools } from '../engine/tools.ts';
import { apart, type Letter, lettersOf } from '../oracle/letters.ts';
import type { Post } from '../oracle/pairing.ts';
import { repeatedStatuses } from '../oracle/repetition.ts';

const message = (id: string, seconds: number, status: number): Message => {
  const json = { id, event: 'task.updated', created_at: '2031-01-01T00:00:00Z', data: { task: { id: 'task_1' } } };
  const response = { status, delayMs: 0 };
  return { path: 'all', query: '', method: 'POST', headers: {}, body: JSON.stringify(json), json, at: seconds * 1000, response };
};
const attempts = (...messages: readonly Message[]) => lettersOf(messages).map((letter) => letter.attempts.length);

test('a message that comes again after a failure under another id is an attempt at the same letter', () => {
  expect(attempts(message('evt_1', 0, 500), message('evt_2', 30, 200))).toEqual([2]);
});

test('an event that is like one which failed, and comes before its retry, is another letter', () => {
  expect(attempts(message('evt_1', 0, 500), message('evt_2', 20, 200), message('evt_1', 30, 200))).toEqual([2, 1]);
});

test('a message that follows an attempt at once is a duplicate of it, and a later one is a retry', () => {
  const all = [0, 0.7, 30, 31, 150].map((seconds) => message('evt_1', seconds, 500));
  expect(apart(all).map(({ at }) => at)).toEqual([0, 30_000, 150_000]);
  expect(apart([])).toEqual([]);
});

/** A letter that got this status at a moment, and came again this many seconds later. */
const letter = (seconds: number, status: number, ...again: readonly number[]): Letter => {
  const attempts = [0, ...again].map((after) => ({ at: (seconds + after) * 1000, response: { status, delayMs: 0 } }) as Message);
  return { event: 'task.updated', about: 'task_1', snapshot: {}, first: attempts[0]!, attempts };
};
const repeated = (seconds: number, ...letters: readonly Letter[]) => {
  const tools = { time: { now: () => seconds * 1000 } } as unknown as Tools;
  return repeatedStatuses(tools, [{ letters, pairing: { extra: [] } } as unknown as Post]);
};

test('a duplicate now and then is chance, in a run of seconds too, whichever 2xx it got', () => {
  const ones = [1, 2, 3, 4].map((at) => letter(at, 200));
  expect(repeated(10, letter(0, 200, 0.2), ...ones)).toEqual([]);
  expect(repeated(10, letter(0, 200, 0.2), letter(5, 204, 0.3), ...ones)).toEqual([]);
});

test('a repetition of most letters is a rule, and so is one response that a retry follows', () => {
  expect(repeated(10, letter(0, 200, 0.2), letter(1, 200, 0.3), letter(2, 200))).toEqual([200]);
  expect(repeated(100, letter(0, 200, 0.2), letter(1, 200), letter(2, 200), letter(5, 204, 30))).toEqual([204]);
  expect(repeated(10, letter(0, 200), letter(1, 202, 5))).toEqual([202]);
});

test('one that may still come again tells nothing', () => {
  expect(repeated(40, letter(0, 200, 30), letter(20, 200), letter(21, 200))).toEqual([200]);
  expect(repeated(60, letter(0, 200, 30), letter(20, 200), letter(21, 200))).toEqual([]);
});
