// Updates whose responses get lost leave their fields open: no list, total or date of a service that conforms is blamed for them.
import { expect, test } from 'vitest';
import type { Fetch } from '../engine/terms.ts';
import { STYLE_NAMES } from '../judge/reference/styles.ts';
import { blames, runOnReference } from './reference.ts';

const MAX_LOST = 12;

/** Loses every response to the first updates of a task's status or priority. */
const loseUpdates = (next: Fetch): Fetch => {
  const lost = new Set<unknown>();
  return async (url, init) => {
    const response = await next(url, init);
    const body = String(init?.body);
    if (init?.method !== 'PATCH' || !/"(status|priority)"/.test(body)) return response;
    if (lost.size < MAX_LOST) lost.add(url + body);
    if (lost.has(url + body)) throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });
    return response;
  };
};

test.each(STYLE_NAMES.flatMap((style) => [1, 2, 3, 4].map((seed) => [style, seed] as const)))(
  'style %s is not blamed in a walk of seed %i',
  async (style, seed) => {
    const outcome = await runOnReference({ style, between: loseUpdates, options: { walk: { seed, steps: 300 } } });
    expect(blames(outcome)).toEqual([]);
  },
);
