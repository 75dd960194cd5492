// Which messages are attempts at one letter.
import { expect, test } from 'vitest';
import type { Message } from '../engine/receiver.ts';
import { apart, lettersOf } from '../oracle/letters.ts';

const message = (id: string, seconds: number, status: number): Message => {
  const json = { id, event: 'task.updated', created_at: '2031-01-01T00:00:00Z', data: { task: { id: 'task_1' } } };
  const answer = { status, delayMs: 0 };
  return { path: 'all', query: '', method: 'POST', headers: {}, body: JSON.stringify(json), json, at: seconds * 1000, answer };
};
const attempts = (...messages: readonly Message[]) => lettersOf(messages).map((letter) => letter.attempts.length);

test('what comes again after a failure under another id is an attempt at the same letter', () => {
  expect(attempts(message('evt_1', 0, 500), message('evt_2', 30, 200))).toEqual([2]);
});

test('an event that is like one which failed, and comes before its retry, is another letter', () => {
  expect(attempts(message('evt_1', 0, 500), message('evt_2', 20, 200), message('evt_1', 30, 200))).toEqual([2, 1]);
});

test('what follows an attempt at once is a duplicate of it, and what comes later is a retry', () => {
  const all = [0, 0.7, 30, 31, 150].map((seconds) => message('evt_1', seconds, 500));
  expect(apart(all).map(({ at }) => at)).toEqual([0, 30_000, 150_000]);
  expect(apart([])).toEqual([]);
});
