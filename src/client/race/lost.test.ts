// Responses that are lost once what was asked is done.
import { describe, expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { delayResponses, type Order, type RaceNote } from './delayed-responses.ts';
import { batchOrders } from './order-batches.ts';
import { searchOrders } from './order-search.ts';
import { buildRaceReport, describeOrder, formatTimeline } from './race-report.ts';
import type { WorldRun } from './world-log.ts';

const mock = await createMock();
const LOST: Order = [{ held: 'POST /projects', lost: true }];

/** Makes a project in a world whose responses have an order. @param patient whether it looks before it asks again */
const ranWith = async (order: Order, patient: boolean, outgoing?: object): Promise<WorldRun & { readonly names: string[] }> => {
  const world = mock.fork();
  const log: RaceNote[] = [];
  const fetch = delayResponses(
    mock.app,
    () => order,
    (_, note) => log.push(note),
    () => 20,
  );
  const headers = { ...world.auth('write'), 'content-type': 'application/json' };
  const at = `http://127.0.0.1/worlds/${world.id}/v1/projects`;
  const ask = async (init: RequestInit = {}) =>
    (await fetch(new Request(at, { headers, ...init }), { outgoing } as never)).json();
  const post = () => ask({ method: 'POST', body: JSON.stringify({ name: 'Own' }) });
  await post().catch(async () => {
    const { items } = (await ask()) as { items: { name: string }[] };
    if (!patient || !items.some(({ name }) => name === 'Own')) await post();
  });
  const names = world.read.projects().map(({ name }) => name);
  await world.close();
  return { passed: names.length === 1, log, names };
};

describe('a response that is lost', () => {
  test('is lost when what was asked is done: whoever asks again has it twice', async () => {
    const { names, log } = await ranWith(LOST, false);
    expect(names).toEqual(['Own', 'Own']);
    expect(log.filter(({ what }) => what === 'went').map(({ name, status }) => [name, status])).toEqual([
      ['POST /projects', 0],
      ['GET /projects', 200],
      ['POST /projects #2', 201],
    ]);
  });

  test('ends the connection where there is one', async () => {
    let ended = 0;
    const { names } = await ranWith(LOST, true, { destroy: () => (ended += 1), once: () => {} });
    expect([names, ended]).toEqual([['Own'], 1]);
  });

  const explored = async (patient: boolean, lost?: boolean) => {
    const run = async (orders: ReadonlyMap<string, Order>) => new Map([['', await ranWith(orders.get('')!, patient)]]);
    const batches = batchOrders({ run, workers: 1, isAlone: () => true, most: 50, gatherMs: 0 });
    const found = await searchOrders(await ranWith([], patient), { attempt: batches.attemptIn(''), repeat: 2, most: 50, lost });
    return { ...found, tried: batches.counts().tried };
  };

  test('is found where it breaks something, when responses are to be lost: once, for changes alone', async () => {
    const { races, of, tried, unsteady } = await explored(false, true);
    expect([races.map(({ order }) => order), of, tried, unsteady]).toEqual([[LOST], 1, 1, []]);
    expect(await explored(true, true)).toMatchObject({ races: [], of: 1, tried: 1, pruned: 1 });
    expect(await explored(false)).toMatchObject({ races: [], of: 0, tried: 0 });
  });

  test('is told as lost', async () => {
    const { races, ...rest } = await explored(false, true);
    const worlds = new Map([['', { races, ...rest }]]);
    const { findings } = buildRaceReport({ command: 'npm test', worlds, tried: 1, known: new Set(), seconds: 1 });
    expect(describeOrder(LOST)).toBe('the response to POST /projects is lost after the write succeeds');
    expect(formatTimeline(findings[0]!)).toEqual(['1. POST /projects  lost']);
  });
});
