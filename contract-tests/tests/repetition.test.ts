// What comes again though it was accepted: by chance, or as a rule.
import { expect, test } from 'vitest';
import type { Message } from '../engine/receiver.ts';
import type { Tools } from '../engine/tools.ts';
import type { Letter } from '../oracle/letters.ts';
import type { Post } from '../oracle/pairing.ts';
import { repeatedStatuses } from '../oracle/repetition.ts';

/** A letter that was answered so at a moment, and came again so many seconds later. */
const letter = (seconds: number, status: number, ...again: readonly number[]): Letter => {
  const attempts = [0, ...again].map((after) => ({ at: (seconds + after) * 1000, answer: { status, delayMs: 0 } }) as Message);
  return { event: 'task.updated', about: 'task_1', snapshot: {}, first: attempts[0]!, attempts };
};
const repeated = (seconds: number, ...letters: readonly Letter[]) => {
  const tools = { time: { now: () => seconds * 1000 } } as unknown as Tools;
  return repeatedStatuses(tools, [{ letters, pairing: { extra: [] } } as unknown as Post]);
};

test('a duplicate now and then is chance, in a run of seconds too, whichever 2xx it was answered', () => {
  const ones = [1, 2, 3, 4].map((at) => letter(at, 200));
  expect(repeated(10, letter(0, 200, 0.2), ...ones)).toEqual([]);
  expect(repeated(10, letter(0, 200, 0.2), letter(5, 204, 0.3), ...ones)).toEqual([]);
});

test('what comes again for most letters is a rule, and so is one answer that a retry follows', () => {
  expect(repeated(10, letter(0, 200, 0.2), letter(1, 200, 0.3), letter(2, 200))).toEqual([200]);
  expect(repeated(100, letter(0, 200, 0.2), letter(1, 200), letter(2, 200), letter(5, 204, 30))).toEqual([204]);
  expect(repeated(10, letter(0, 200), letter(1, 202, 5))).toEqual([202]);
});

test('one that may still come again tells nothing', () => {
  expect(repeated(40, letter(0, 200, 30), letter(20, 200), letter(21, 200))).toEqual([200]);
  expect(repeated(60, letter(0, 200, 30), letter(20, 200), letter(21, 200))).toEqual([]);
});
