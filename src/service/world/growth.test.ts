// The memory of records: forks share what was there before them.
import { expect, test } from 'vitest';
import { Growth } from './growth.ts';

const sumOf = (...all: readonly Growth[]): number =>
  [...new Set(all.flatMap(({ parts }) => parts))].reduce((sum, { bytes }) => sum + bytes, 0);

test('forks share the bytes before them and count their own', () => {
  const world = new Growth();
  world.add(5);
  const fork = world.fork();
  expect([sumOf(world), sumOf(fork), sumOf(world, fork)]).toEqual([5, 5, 5]);
  world.add(1);
  fork.add(2);
  expect([sumOf(world), sumOf(fork), sumOf(world, fork)]).toEqual([6, 7, 8]);
});

test('a long line of forks has at most 500 parts, and no byte less', () => {
  let world = new Growth();
  for (let i = 0; i < 1200; i++) {
    world.add(1);
    world = world.fork();
  }
  expect([sumOf(world), world.parts.length <= 501]).toEqual([1200, true]);
});
