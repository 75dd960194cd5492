// How a client is seen to live through a service that is ahead of it.
import { describe, expect, test } from 'vitest';
import { AHEAD_WARNINGS } from '../http/client-warnings.ts';
import { compatibilityOf } from './compatibility.ts';
import type { Attempt, Delivery } from './delivery.ts';

const delivery = (more: Partial<Delivery> = {}): Delivery =>
  ({ id: 'dlv_1', event: { event: 'task.created' }, state: 'pending', attempts: [], ...more }) as never;

describe('a client that lives through a later release', () => {
  const request = (status: number, ...codes: string[]) =>
    ({ id: `req_${status}`, status, warnings: codes.map((code) => ({ code, says: `${code}!` })) }) as never;
  const attempt = (more: Partial<Attempt>) => ({ outcome: 'response', status: 500, ...more }) as never;

  test('is seen in its requests and in the responses of its receivers', () => {
    expect(AHEAD_WARNINGS).toEqual(['echoed-field', 'echoed-value', 'later-endpoint', 'repeated-after-unknown']);
    const seen = compatibilityOf(
      ['fields'],
      [request(200), request(0), request(404, 'echoed-field', 'unknown-field')],
      [
        delivery({ id: 'a', state: 'delivered', attempts: [attempt({ status: 200 })] }),
        delivery({ id: 'b', attempts: [attempt({ status: 299 }), attempt({ status: 300 }), attempt({ status: 500 })] }),
        delivery({ id: 'c', attempts: [attempt({ status: 199 })] }),
        delivery({ id: 'd', attempts: [attempt({ status: 500, scripted: true })] }),
        delivery({ id: 'e', attempts: [attempt({ outcome: 'timeout' })] }),
      ],
    );
    expect(seen).toEqual({
      forward_compat: ['fields'],
      answers: 2,
      warnings: [{ request: 'req_404', code: 'echoed-field', says: 'echoed-field!' }],
      delivered: 1,
      refused: [
        { delivery: 'b', event: 'task.created', says: 'the receiver responded 300: it may not know what it got' },
        { delivery: 'c', event: 'task.created', says: 'the receiver responded 199: it may not know what it got' },
      ],
      survived: false,
    });
  });

  test('has survived when something could tell and nothing does', () => {
    const survived = (forward: readonly 'fields'[], requests: number, delivered: number, refused: number, ...codes: string[]) =>
      compatibilityOf(forward, Array(requests).fill(request(200, ...codes)), [
        ...Array(delivered).fill(delivery({ state: 'delivered' })),
        ...Array(refused).fill(delivery({ attempts: [attempt({})] })),
      ]).survived;
    const ahead = (...seen: [number, number, number, ...string[]]) => survived(['fields'], ...seen);
    expect([ahead(1, 0, 0), ahead(0, 1, 0), ahead(0, 0, 1), ahead(1, 0, 1, 'echoed-value')]).toEqual([true, true, false, false]);
    expect([ahead(0, 0, 0), survived([], 1, 1, 1), survived([], 1, 0, 0)]).toEqual([null, null, null]);
    expect([ahead(1, 0, 0, 'echoed-value'), ahead(1, 0, 0, 'tight-loop')]).toEqual([false, true]);
  });
});
