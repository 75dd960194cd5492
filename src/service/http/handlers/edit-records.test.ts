// A patch counts as an update when it changes a value, not when it brings another list of the same ids (open point `noop-patch`).
import { describe, expect, test } from 'vitest';
import { acting, plantWorld } from '../../../test/webhook-world.ts';
import { Webhooks } from '../../webhooks/webhooks.ts';
import { applyPatch } from './edit-records.ts';

const patched = (before: readonly string[], member_ids: readonly string[], choices = {}) => {
  const world = plantWorld([], { choices });
  const { view } = acting(world, new Webhooks(world, async () => ({ kind: 'response', status: 204, took: 0 })));
  const { id } = view.create('teams', { name: 'Design', member_ids: before });
  const row = view.find('teams', id)!;
  let changes = 0;
  world.observers.push(() => {
    changes += 1;
  });
  return { before: row.value, after: applyPatch(view, 'teams', row, { member_ids }), changes };
};

describe('a list in a patch', () => {
  test.each([[[]], [['user_ada']], [['user_ada', 'user_grace']]])('%j is no update of an equal list', (ids) => {
    const { before, after, changes } = patched(ids, [...ids]);
    expect([after === before, changes]).toEqual([true, 0]);
  });

  test.each([
    [['user_ada'], []],
    [['user_ada'], ['user_grace']],
    [
      ['user_ada', 'user_grace'],
      ['user_grace', 'user_ada'],
    ],
    [['user_ada'], ['user_ada', 'user_grace']],
  ])('%j becomes %j', (from, to) => {
    const { after, changes } = patched(from, to);
    expect([after.member_ids, changes]).toEqual([to, 1]);
  });

  test('is an update all the same where the open point noop-patch says so', () => {
    expect(patched(['user_ada'], ['user_ada'], { 'noop-patch': 'touched' }).changes).toBe(1);
  });
});
