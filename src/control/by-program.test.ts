// What a program calls is checked as the control API checks it, and refused in the words of the program.
import { afterEach, describe, expect, test } from 'vitest';
import type { Problem } from '../contract/errors.ts';
import type { Mock } from '../in-program.ts';
import { createMock } from '../mock.ts';

const open: Mock[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((mock) => mock.close()))));
const start = async (): Promise<Mock> => {
  const mock = await createMock({ now: '2025-01-20T09:00:00Z' });
  open.push(mock);
  return mock;
};
const overHttp = async (mock: Mock, method: string, path: string, body: unknown): Promise<number> =>
  (
    await mock.fetch(new URL(`/_mock${path}`, mock.baseUrl), {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).status;
const thrown = (act: () => unknown): Problem => {
  try {
    act();
  } catch (error) {
    return error as Problem;
  }
  throw new Error('nothing was thrown');
};

describe('a fault', () => {
  test.each<[unknown, string[]]>([
    [{}, ['effect']],
    [null, ['body']],
    ['slow', ['body']],
    [{ effect: {} }, ['effect']],
    [{ effect: { status: 99 } }, ['effect.status']],
    [{ effect: { status: 204 } }, ['effect.status']],
    [{ effect: { status: '500' } }, ['effect.status']],
    [{ effect: { body: 'rotten' } }, ['effect.body']],
    [{ effect: { delay_ms: -1 } }, ['effect.delay_ms']],
    [{ effect: { delay_ms: { min: 2, max: 1 } } }, ['effect.delay_ms']],
    [{ effect: { abort: true, status: 500 } }, ['effect.abort']],
    [{ effect: { status: 500 }, times: 0, probability: 2, after: -1 }, ['times', 'probability', 'after']],
    [{ effect: { status: 500 }, probability: Number.NaN }, ['probability']],
    [
      { effect: { status: 500 }, match: { operation: 'listTask', method: 'GRAB', route: '/tasks' } },
      ['match.operation', 'match.method', 'match.route'],
    ],
    [{ effect: { status: 500 }, match: { key: 'wm_nobody' } }, ['match.key']],
    [{ effect: { status: 500, colour: 'red' }, often: 2 }, ['effect.colour', 'often']],
  ])('%j is refused, each field named as over HTTP', async (draft, fields) => {
    const mock = await start();
    const problem = thrown(() => mock.faults.add(draft as never));
    expect([problem.name, problem.status, problem.fields.map(({ field }) => field)]).toEqual(['Problem', 422, fields]);
    const said = problem.fields.map(({ field, issue }) => (field === 'body' ? issue : `${field}: ${issue}`));
    for (const words of said) expect(problem.message).toContain(words);
    expect(problem.message).toMatch(/^faults\.add is refused: .*\. The types of wm-mock say what it takes\.$/);
    expect(mock.faults.list()).toEqual([]);
    expect([400, 422]).toContain(await overHttp(mock, 'POST', '/faults', draft));
  });

  test('is ordered whatever fields are given as undefined', async () => {
    const mock = await start();
    const draft = { match: { operation: undefined, method: 'GET' }, effect: { status: 503, body: undefined }, times: undefined };
    expect(mock.faults.add(draft as never)).toMatchObject({ match: { method: 'GET' }, effect: { status: 503 } });
    expect((await mock.fetch('/tasks')).status).toBe(503);
  });
});
