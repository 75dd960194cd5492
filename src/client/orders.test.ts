// In which order responses go out, and how the orders that break something are found.
import { describe, expect, test } from 'vitest';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock/api/mock.ts';
import { delayResponses, type Order, type RaceNote, type TimedNote } from './delayed-responses.ts';
import { listTogether, probeOrder, searchOrders, type TryOrder, type WorldRun } from './order-search.ts';

const mock = await createMock({ seed: 'demo', now: '2026-03-02T09:00:00Z' });

interface Client {
  /** Asks, and hears the response. */
  ask(method: string, path: string, body?: object, env?: object): Promise<unknown>;
}

type Program = (client: Client, world: Mock) => Promise<boolean>;

/** Runs a program against a copy of the mock whose responses have an order. */
const ranWith = async (order: Order, program: Program): Promise<WorldRun> => {
  const world = mock.fork();
  const log: TimedNote[] = [];
  const fetch = delayResponses(
    mock.app.fetch,
    () => order,
    (_, note) => log.push({ ...note, at: performance.now() }),
  );
  const ask: Client['ask'] = async (method, path, body, env) => {
    const headers = { ...world.auth('write'), 'content-type': 'application/json' };
    const request = new Request(`http://127.0.0.1/worlds/${world.id}/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await fetch(request, env as never)).json();
  };
  const passed = await program({ ask }, world).catch(() => false);
  await world.close();
  return { passed, log };
};

const names = (log: readonly RaceNote[], what: RaceNote['what']) =>
  log.flatMap((note) => (note.what === what ? [note.name] : []));

const both = async ({ ask }: Client) => {
  const first = ask('GET', '/projects?limit=1');
  await Promise.all([first, ask('POST', '/projects', { name: 'Second' })]);
  return true;
};

describe('a response that is held', () => {
  test('goes out after the one it waits for, as it was when its request came', async () => {
    const order = [{ held: 'GET /projects?limit=1', after: 'POST /projects' }];
    const totals: number[] = [];
    const { log } = await ranWith(order, async (client) => {
      const list = () => client.ask('GET', '/projects?limit=1') as Promise<{ meta: { total: number } }>;
      const early = list();
      await client.ask('POST', '/projects', { name: 'Second' });
      for (const page of [await early, await list()]) totals.push(page.meta.total);
      return true;
    });
    expect(names(log, 'went').slice(0, 2)).toEqual(['POST /projects', 'GET /projects?limit=1']);
    expect(totals[1]).toBe(totals[0]! + 1);
  });

  test('goes out when nothing happens any more, and says so when it waited for something', async () => {
    const one = async ({ ask }: Client) => Boolean(await ask('GET', '/users/me'));
    const inVain = await ranWith([{ held: 'GET /users/me', after: 'DELETE /nothing' }], one);
    expect(inVain.log.map(({ what }) => what)).toEqual(['came', 'gave up', 'went']);
    const last = await ranWith([{ held: 'GET /projects?limit=1' }], both);
    expect(names(last.log, 'went').at(-1)).toBe('GET /projects?limit=1');
    expect(names(last.log, 'gave up')).toEqual([]);
  }, 15_000);

  test('goes out in reverse with others, once nothing happens any more', async () => {
    const order = ['GET /users/me', 'GET /tasks?limit=1', 'GET /projects?limit=1'].map((held) => ({
      held,
      reversed: true as const,
    }));
    const { log } = await ranWith(order, async ({ ask }) => {
      await Promise.all(order.map(({ held }) => ask('GET', held.slice(4))));
      return true;
    });
    expect(names(log, 'went')).toEqual(order.map(({ held }) => held).reverse());
  });

  test('is one of several with its name: the second has its number', async () => {
    const { log } = await ranWith([{ held: 'GET /users/me', after: 'GET /users/me #2' }], async ({ ask }) => {
      await Promise.all([ask('GET', '/users/me'), ask('GET', '/users/me')]);
      return true;
    });
    expect(names(log, 'went')).toEqual(['GET /users/me #2', 'GET /users/me']);
  });

  test('waits no longer once the client has left', async () => {
    const leaving = new AbortController();
    const notes: RaceNote[] = [];
    const fetch = delayResponses(
      mock.app.fetch,
      () => [{ held: 'GET /users/me', after: 'DELETE /nothing' }],
      (_, note) => notes.push(note),
    );
    const pending = fetch(new Request('http://127.0.0.1/v1/users/me', { signal: leaving.signal }));
    leaving.abort();
    await pending;
    expect(notes.map(({ what }) => what)).toEqual(['came', 'went']);
  });
});

/** Shows what is typed last, when responses come in order; with a guard in any order. */
const typeAhead =
  (guarded: boolean) =>
  async ({ ask }: Client) => {
    let shown = 0;
    let latest = 0;
    const search = async (typed: number) => {
      latest = typed;
      await ask('GET', `/tasks?limit=${typed}`);
      if (!guarded || latest === typed) shown = typed;
    };
    await ask('GET', '/users/me');
    await Promise.all([1, 2, 3].map(search));
    await ask('GET', '/users/me');
    return shown === 3;
  };

const exploring = (program: Program) => {
  const attempt: TryOrder = (order) => ranWith(order, program);
  return { attempt, repeat: 2, max: 50 };
};

const search = async (program: Program, given = exploring(program)) => {
  const first = await ranWith([], program);
  const together = listTogether(first, await ranWith(probeOrder(first.log), program));
  return { ...(await searchOrders(first, together, given)), together: together.length };
};

describe('the search', () => {
  test('finds the shortest order that breaks something, and none after the mend', async () => {
    const [naive, guarded] = [typeAhead(false), typeAhead(true)];
    const found = await search(naive);
    expect(found.races.map(({ order, isSlow }) => [order, isSlow])).toEqual([
      [[{ held: 'GET /tasks?limit=1', after: 'GET /tasks?limit=2' }], false],
    ]);
    const fine = await search(guarded);
    expect([fine.races, fine.unsteady]).toEqual([[], []]);
    expect(fine.together).toBeGreaterThanOrEqual(2);
  });

  test('tries no order of requests that wait for each other', async () => {
    const inTurn = async ({ ask }: Client) => {
      for (let i = 0; i < 3; i++) await ask('GET', '/users/me');
      return true;
    };
    const orders: Order[] = [];
    const given = exploring(inTurn);
    const attempt: TryOrder = (order) => {
      orders.push(order);
      return given.attempt(order);
    };
    expect(await search(inTurn, { ...given, attempt })).toMatchObject({ races: [], together: 0 });
    expect(orders).toEqual([]);
  });

  test('takes a test for slow that fails when the order stays and responses are only later', async () => {
    const impatient = async (client: Client) => {
      const began = performance.now();
      await both(client);
      return performance.now() - began < 300;
    };
    const { races } = await search(impatient);
    expect(races.length).toBeGreaterThan(0);
    expect(races.every(({ isSlow }) => isSlow)).toBe(true);
  });

  test('calls what fails now and then unsteady', async () => {
    let turn = 0;
    const flaky = async (client: Client) => (await both(client)) && ++turn % 3 !== 0;
    const found = await search(flaky);
    expect(found.races).toEqual([]);
    expect(found.unsteady.length).toBeGreaterThan(0);
  });
});
