// A world as a value: planting, copies, saving, plans; the view of a key.
import { describe, expect, test } from 'vitest';
import { toSeed } from '../../mock/api/create.ts';
import { BUSY } from '../../test/busy.ts';
import { LATEST } from '../contract/releases.ts';
import { Collection, type Row } from './collection.ts';
import { byAge, creationTurns, NAMES, type RecordName, type Records, type Seed } from './records.ts';
import { View } from './view.ts';
import { World } from './world.ts';

const NOW = Date.parse('2025-01-20T09:00:00Z');
const RULES = { kind: 'rolling', countsRefused: false, ms: 60_000 } as const;
const seed = await toSeed({ seed: BUSY });
const plant = (more: Partial<Seed> = {}): World => World.plant({ ...seed, ...more });
const turns = (world: World) =>
  NAMES.map(
    (name) =>
      `${name} ${world.store[name]
        .all()
        .map(({ sequence }) => sequence)
        .join(' ')}`,
  );

describe('a world', () => {
  test('is planted record by record, oldest first, kind by kind', () => {
    const world = plant();
    expect(turns(world)).toEqual([
      'projects 1 2 3 4',
      'tasks 5 6 7 8 9 10 11',
      'users 12 13 14 15',
      'teams 16 17',
      'comments 18 19',
      'webhooks ',
      'keys 20 21 22 23 24',
    ]);
    expect([world.sequence, world.nextSequence(), world.sequence]).toEqual([24, 25, 25]);
    expect(world.store.tasks.get('task_far')).toMatchObject({ workspace: 'ws_other', sequence: 11 });
    expect([...world.workspaces.values()]).toEqual([
      { id: 'ws_busy', name: 'Busy', plan: 'unlimited' },
      { id: 'ws_other', name: 'Other', plan: 'unlimited' },
    ]);
    const results = [world.clock.now(), world.clock.mode, world.random.seed, world.release, world.terms.forward];
    expect(results).toEqual([NOW, 'frozen', 7, LATEST, []]);
    expect([world.lastUsed.size, world.observers]).toEqual([0, []]);
  });

  test('changes its terms one at a time', () => {
    const world = plant();
    const { terms } = world;
    world.become('1.1');
    expect([world.release, world.choices, world.terms.forward]).toEqual(['1.1', terms.choices, []]);
    world.choose({ signature: 'github' });
    world.choose({ 'patch-status': 201 });
    expect([world.choices.signature, world.choices['patch-status'], world.release, terms.choices.signature]).toEqual(
      'github 201 1.1 hex'.split(' '),
    );
    world.terms = { ...world.terms, forward: ['order'] };
    expect([world.terms.forward, world.release, world.choices.signature]).toEqual([['order'], '1.1', 'github']);
    world.become('1.2');
    expect([world.terms.forward, world.choices.signature]).toEqual([['order'], 'github']);
    expect(() => world.choose({ nope: 1 })).toThrow(RangeError);
  });

  test('has a window for each workspace by its plan, and one for each key', () => {
    const world = plant({ workspaces: seed.workspaces.map((workspace, i) => ({ ...workspace, plan: i === 0 ? 'free' : 5 })) });
    expect([world.limitOf('ws_busy'), world.limitOf('ws_other'), world.limitOf('ws_none')]).toEqual([60, 5, 300]);
    expect(world.windowOf('ws_busy').look(NOW, RULES)).toMatchObject({ limit: 60, remaining: 60 });
    expect(world.keyWindowOf('ws_busy').look(NOW, RULES)).toMatchObject({ limit: 300 });
    world.windowOf('ws_busy').count(NOW, RULES);
    expect(world.windowOf('ws_busy').look(NOW, RULES).remaining).toBe(59);
    world.setPlan('ws_busy', 3);
    world.setPlan('ws_other', 'business');
    expect(world.windowOf('ws_busy').look(NOW, RULES)).toMatchObject({ limit: 3, remaining: 2 });
    expect([world.limitOf('ws_other'), world.windowOf('ws_other').look(NOW, RULES).limit, world.workspaces.size]).toEqual([
      1000, 1000, 2,
    ]);
    expect([...world.workspaces.keys()]).toEqual(['ws_busy', 'ws_other']);
  });

  test('is copied and saved whole, and what is made of that goes its own way', () => {
    const world = plant({ release: '1.2', forward: ['order'] });
    world.windowOf('ws_busy').count(NOW, RULES);
    world.random.bits('a');
    world.lastUsed.set('key_read', 5);
    world.nextSequence();
    world.choose({ signature: 'stripe' });
    world.observers.push(() => {});
    const saved = structuredClone(world.save());
    expect({ ...saved, clock: saved.clock.value }).toEqual({
      workspaces: [...world.workspaces.values()],
      terms: { release: '1.2', choices: { signature: 'stripe' }, forward: ['order'] },
      sequence: 25,
      clock: NOW,
      random: { seed: 7, drawn: [['a', 1]] },
      lastUsed: [['key_read', 5]],
      windows: [['ws_busy', { limit: 1_000_000, gaps: [NOW] }]],
    });
    for (const copy of [
      world.fork(),
      World.from(saved, (name) => new Collection(world.store[name].all() as Row<Records[RecordName]>[])),
    ]) {
      expect([copy.save(), turns(copy), copy.observers]).toEqual([saved, turns(world), []]);
      copy.nextSequence();
      copy.store.tasks.remove('task_1');
      copy.lastUsed.set('key_read', 9);
      copy.random.bits('a');
      copy.windowOf('ws_busy').count(NOW, RULES);
      copy.setPlan('ws_busy', 'free');
      copy.clock.set(NOW + 1);
      copy.become('1.0');
      expect([world.save(), world.store.tasks.size]).toEqual([saved, 7]);
    }
  });
});

describe('turns of creation', () => {
  const order = {
    projects: [{ from: 30, count: 4 }],
    tasks: [
      { from: 1, count: 3 },
      { from: 10, count: 4 },
    ],
    users: [{ from: 40, count: 4 }],
    teams: [{ from: 50, count: 2 }],
    comments: [{ from: 60, count: 2 }],
    keys: [{ from: 70, count: 5 }],
  };
  const progress = { sequence: 80, drawn: [{ stream: 'a', count: 3 }], order };

  test('are kept by a seed that was a world before', () => {
    const world = plant({ progress });
    expect(turns(world).slice(0, 3)).toEqual(['projects 30 31 32 33', 'tasks 1 2 3 10 11 12 13', 'users 40 41 42 43']);
    expect([world.sequence, world.random.drawn.get('a')]).toEqual([80, 3]);
  });

  test('are made again where they do not fit', () => {
    expect(creationTurns(seed, { ...progress, sequence: 74 })?.keys).toEqual([70, 71, 72, 73, 74]);
    expect(creationTurns(seed, { ...progress, sequence: 73 })).toBeUndefined();
    for (const teams of [
      [],
      [{ from: 50, count: 3 }],
      [{ from: 1, count: 2 }],
      [
        { from: 50, count: 1 },
        { from: 50, count: 1 },
      ],
    ])
      expect(creationTurns(seed, { ...progress, order: { ...order, teams } })).toBeUndefined();
    expect(creationTurns(seed, { sequence: 80, drawn: [] })).toBeUndefined();
    expect(creationTurns(seed, { ...progress, order: { ...order, keys: [{ from: 1, count: 1e12 }] } })).toBeUndefined();
    const world = plant({ progress: { ...progress, order: {} } });
    expect([world.sequence, turns(world)[0], world.random.drawn.get('a')]).toEqual([24, 'projects 1 2 3 4', 3]);
  });

  test('are those of age, records of one moment in the order of the file', () => {
    const at = (id: string, created_at: string) => ({ id, created_at });
    const records = [at('a', '2'), at('b', '1'), at('c', '2'), at('d', '0'), at('e', '1')];
    expect(
      byAge(records)
        .map(({ id }) => id)
        .join(''),
    ).toBe('dbeac');
    expect(records[0]!.id).toBe('a');
  });
});

describe('a view', () => {
  const viewOf = (world: World, id = 'key_admin') => {
    const { value: key, workspace } = world.store.keys.get(id)!;
    return new View(world, { key, user: world.store.users.get(key.user_id)!.value, workspace });
  };

  test('draws no id that a record has', () => {
    const [world, other] = [plant(), plant()];
    const taken = viewOf(other).newId('tasks');
    world.store.tasks.put({
      ...world.store.tasks.get('task_1')!,
      value: { ...world.store.tasks.get('task_1')!.value, id: taken },
    });
    const next = viewOf(world).newId('tasks');
    expect([next === taken, next]).toEqual([false, viewOf(other).newId('tasks')]);
    world.choose({ 'id-style': 'opaque' });
    expect(viewOf(world).newId('tasks')).toMatch(/^[0-9a-z]{16}$/);
  });
});
