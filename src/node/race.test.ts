// The doors `wm-mock/race` and `wm-mock/matrix`: a function of a program, in other orders and on other services.
import { expect, test } from 'vitest';
import { matrix } from './matrix.ts';
import { race } from './race.ts';
import type { TestWorld, WorldBody } from './test-runners/test-worlds.ts';

/** Searches as one types; what was typed last is to be shown. */
const search =
  (guarded: boolean, over: 'socket' | 'program'): WorldBody =>
  async (mock: TestWorld) => {
    const ask = over === 'socket' ? (path: string, init: RequestInit) => fetch(mock.baseUrl + path, init) : mock.fetch;
    let [shown, latest] = ['', ''];
    const typed = async (priority: string) => {
      latest = priority;
      await ask(`/tasks?filter[priority]=${priority}`, { headers: mock.auth('read') });
      if (!guarded || latest === priority) shown = priority;
    };
    await Promise.all(['low', 'medium', 'high'].map(typed));
    expect(shown).toBe('high');
  };

const seed = 'fixtures/tiny.yaml';

test.each(['socket', 'program'] as const)(
  'race finds the order that breaks a function over a %s, and repeats it',
  async (over) => {
    const { findings, orders } = await race({ seed }, search(false, over));
    expect(orders.tried).toBeGreaterThan(3);
    expect(findings.map(({ order }) => order.at(-1)!.request)).toContain('GET /tasks?filter[priority]=low');
    const [{ replay, error }] = findings as [(typeof findings)[0]];
    expect(String(error)).toContain("to be 'high'");
    expect((await race({ seed, replay }, search(false, over))).findings).toMatchObject([{ replay }]);
    expect((await race({ seed, replay }, search(true, over))).findings).toEqual([]);
  },
);

test('race finds nothing where nothing depends on the order, and throws what is thrown in the usual one', async () => {
  const { findings, unsteady, orders } = await race({ seed, orders: 20 }, search(true, 'program'));
  expect([findings, unsteady]).toEqual([[], []]);
  expect(orders.tried).toBeGreaterThan(3);
  await expect(race({ seed }, () => Promise.reject(new Error('as it is')))).rejects.toThrow('as it is');
});

test('matrix names what a function takes for granted, and tries that alone when told', async () => {
  const rename: WorldBody = async (mock) => {
    const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
    const [task] = mock.read.tasks();
    const response = await mock.fetch(`/tasks/${task!.id}`, { method: 'PATCH', headers, body: '{"title":"Two"}' });
    expect(response.status).toBe(200);
  };
  const { assumptions, flips } = await matrix({ seed, only: ['choice'] }, rename);
  const ids = assumptions.map(({ id }) => id);
  expect(ids).toContain('choice:patch-status=202');
  expect(flips.filter(({ status }) => status === 'pruned').length).toBeGreaterThan(20);
  const alone = await matrix({ seed, only: ['choice:patch-status=202'] }, rename);
  expect(alone).toMatchObject({
    assumptions: [{ says: expect.stringContaining('breaks with 202') }],
    flips: [{ status: 'breaks' }],
  });
  expect(String(alone.assumptions[0]!.error)).toContain('expected 202 to be 200');
  await expect(matrix({ seed }, () => Promise.reject(new Error('as it is')))).rejects.toThrow('as it is');
});

test('race loses responses to changes where it is asked to', async () => {
  const adding: WorldBody = async (mock) => {
    const post = () =>
      mock.fetch('/projects', {
        method: 'POST',
        headers: { ...mock.auth('write'), 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Own' }),
      });
    await post().catch(post);
    expect(mock.read.projects({ name: 'Own' })).toHaveLength(1);
  };
  expect((await race({ seed }, adding)).findings).toEqual([]);
  const { findings, orders } = await race({ seed, lost: true }, adding);
  expect(findings).toMatchObject([{ replay: [{ held: 'POST /projects', lost: true }] }]);
  expect(orders).toMatchObject({ tried: 1, of: 1 });
});
