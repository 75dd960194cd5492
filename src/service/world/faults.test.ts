// Which requests a fault applies to, how often, and which responses it holds.
import { describe, expect, test } from 'vitest';
import type { FaultDraft, FaultMatch } from './fault-draft.ts';
import { type FaultTarget, globFits } from './fault-match.ts';
import { Faults, untilReleased } from './faults.ts';

const target = (more: Partial<FaultTarget> = {}): FaultTarget => ({
  method: 'GET',
  path: '/tasks/task_1',
  operation: 'getTask',
  key: () => 'key_a',
  query: () => new URLSearchParams(),
  headers: () => new Headers(),
  body: () => undefined,
  ...more,
});
const HELD = { method: 'GET', path: '/v1/tasks', since: 0 };
const never = (): number => {
  throw new Error('no chance is needed');
};
const effect = { status: 500 };
const applies = (draft: Partial<FaultDraft>, request: Partial<FaultTarget> = {}): boolean => {
  const faults = new Faults();
  faults.add({ effect, ...draft });
  return faults.meet(target(request), never) !== undefined;
};

describe('a fault', () => {
  test.each([
    [{}, true],
    [{ method: 'GET' }, true],
    [{ method: 'get' }, true],
    [{ method: 'POST' }, false],
    [{ operation: 'getTask' }, true],
    [{ operation: 'listTasks' }, false],
    [{ key: 'key_a' }, true],
    [{ key: 'key_b' }, false],
    [{ path: '/tasks/task_1' }, true],
    [{ path: 'tasks/task_1' }, true],
    [{ path: '/v1/tasks/task_1' }, true],
    [{ path: 'v1/tasks/*' }, true],
    [{ path: '/v1tasks/task_1' }, false],
    [{ path: '*task_1' }, true],
    [{ path: '/tasks' }, false],
    [{ path: '/x/v1/tasks/task_1' }, false],
    [{ method: 'GET', path: '/tasks/*', operation: 'getTask', key: 'key_a' }, true],
    [{ method: 'GET', path: '/tasks/*', operation: 'getTask', key: 'key_b' }, false],
  ])('for %j applies: %s', (match, expected) => expect(applies({ match: match as FaultMatch })).toBe(expected));

  test('for the path of the whole service applies at its root', () => {
    expect(applies({ match: { path: '/v1' } }, { path: '' })).toBe(true);
    expect(applies({ match: { path: '/v1/' } }, { path: '/' })).toBe(true);
    expect(applies({ match: { path: '/tasks/v1' } }, { path: '/tasks/v1' })).toBe(true);
  });

  test('looks at a key only when it is for one', () => {
    expect(applies({ match: { method: 'GET' } }, { key: never as never })).toBe(true);
  });

  test('lets the first pass, applies as often as stated, and counts what it has seen', () => {
    const faults = new Faults();
    const fault = faults.add({ effect, after: 2, times: 3 });
    const matches = Array.from({ length: 8 }, () => faults.meet(target(), never) === fault);
    expect(matches).toEqual([false, false, true, true, true, false, false, false]);
    faults.meet(target({ method: 'POST' }), never);
    expect([fault.seen, fault.hits]).toEqual([9, 3]);
  });

  test('applies by chance below its probability', () => {
    const faults = new Faults();
    faults.add({ effect, probability: 0.5 });
    const streams: string[] = [];
    const at = (chance: number) =>
      faults.meet(target(), (stream) => {
        streams.push(stream);
        return chance;
      }) !== undefined;
    expect([at(0), at(0.49), at(0.5), at(0.51)]).toEqual([true, true, false, false]);
    expect(streams).toEqual(Array(4).fill('fault_1'));
    const zero = new Faults();
    zero.add({ effect, probability: 0 });
    expect(zero.meet(target(), () => 0)).toBeUndefined();
  });

  test('is the first that fits; the next ones have not seen the request', () => {
    const faults = new Faults();
    const [far, first, second] = [
      faults.add({ effect, match: { method: 'POST' } }),
      faults.add({ effect }),
      faults.add({ effect }),
    ];
    expect(faults.meet(target(), never)).toBe(first);
    expect([far.seen, first.seen, second.seen]).toEqual([0, 1, 0]);
  });
});

describe('faults', () => {
  test('are numbered, found, listed and removed, and tell of it', () => {
    const faults = new Faults();
    let calls = 0;
    faults.observers.push(() => calls++);
    expect([faults.size, faults.list()]).toEqual([0, []]);
    faults.clear();
    expect(calls).toBe(0);
    const one = faults.add({ effect });
    expect(one).toEqual({ effect, match: {}, id: 'fault_1', seen: 0, hits: 0, released: false, held: new Map() });
    const two = faults.add({ effect, match: { method: 'GET' } });
    expect([faults.size, two.id, faults.get('fault_2'), faults.get('fault_3'), calls]).toEqual([2, 'fault_2', two, undefined, 2]);
    expect([faults.remove('fault_1'), faults.remove('fault_1'), calls]).toEqual([true, false, 3]);
    expect([faults.list(), one.released, two.released]).toEqual([[two], true, false]);
    faults.clear();
    expect([faults.size, two.released, calls]).toEqual([0, true, 4]);
    expect(faults.add({ effect }).id).toBe('fault_3');
    faults.meet(target(), never);
    expect(calls).toBe(5);
    faults.add({ effect: { hold: true }, match: { method: 'POST' } });
    faults.meet(target({ method: 'POST' }), never);
    expect(calls).toBe(6);
    expect(faults.release('fault_9')).toBeUndefined();
  });

  test('release what they hold, for good', async () => {
    const faults = new Faults();
    const fault = faults.add({ effect: { hold: true } });
    const released: string[] = [];
    const waits = ['a', 'b'].map((name, i) => untilReleased(fault, i + 1, HELD).then(() => released.push(name)));
    expect(fault.held.size).toBe(2);
    await Promise.resolve();
    expect(released).toEqual([]);
    expect([faults.release(fault.id), fault.released]).toEqual([fault, true]);
    await Promise.all(waits);
    expect([released, fault.held.size, fault.released]).toEqual([['a', 'b'], 0, true]);
    await untilReleased(fault, 3, HELD);
    expect(fault.held.size).toBe(0);
  });

  test('have copies with their counts, which hold nothing', () => {
    const faults = new Faults();
    const fault = faults.add({ effect, after: 1 });
    faults.meet(target(), never);
    fault.held.set(1, { ...HELD, go: () => {} });
    for (const copy of [faults.fork(), Faults.from(structuredClone(faults.save()))]) {
      expect(copy.list()).toEqual([
        { effect, after: 1, match: {}, id: 'fault_1', seen: 1, hits: 0, released: false, held: new Map() },
      ]);
      expect(copy.meet(target(), never)?.id).toBe('fault_1');
      expect(copy.add({ effect }).id).toBe('fault_2');
    }
    expect([fault.seen, fault.held.size]).toEqual([1, 1]);
  });
});

test.each([
  ['/tasks', '/tasks', true],
  ['/tasks', '/tasks/a', false],
  ['/tasks/*', '/tasks/a', true],
  ['/tasks/*', '/tasks/a/comments', true],
  ['/tasks/*', '/tasks', false],
  ['/tasks*', '/tasks', true],
  ['*', '/anything', true],
  ['*comments', '/tasks/a/comments', true],
  ['/tasks/*/comments', '/tasks/a/comments', true],
  ['/tasks/*/comments', '/tasks/comments', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['aa*aa', 'aaa', false],
  ['aa*aa', 'aaaa', true],
  ['a*b*b', 'ab', false],
  ['a*x*c', 'a-b-c', false],
  ['*a*b', 'ab', true],
  ['a*b*b', 'abb', true],
  ['a*b*b*b', 'abb', false],
  ['/t.sks', '/tasks', false],
])('%s against %s: %s', (pattern, text, fits) => expect(globFits(pattern, text)).toBe(fits));

test('is linear in the text, however many stars', () => {
  expect(globFits(`${'*a'.repeat(200)}*b`, 'a'.repeat(100_000))).toBe(false);
});
