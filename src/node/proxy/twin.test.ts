// The choices that a twin recovers from sessions with mocks whose choices are drawn: nearly all that show, none wrongly.
import { expect, test } from 'vitest';
import { randomTraffic } from '../../test/random-traffic.ts';
import { readExchange } from './read-exchange.ts';
import { Twin } from './twin.ts';

/** `WM_TWIN=1-50` draws these sessions of each kind. */
const [first = 1, last = 4] = (process.env.WM_TWIN ?? '1-1').split('-').map(Number);

test.each([
  ['a session alone', {}, 0.9],
  ['a session beside another writer', { writer: true }, 0.8],
  ['a session that never sees 2,000 records', { unseen: 2000 }, 0.9],
  ['a session with keys of unknown scope', { anonymous: true }, 0.75],
])(
  '%s shows the choices that it tells apart, and none wrongly',
  async (name, options, share) => {
    let [told, found, ms, requests] = [0, 0, 0, 0];
    const wrong: string[] = [];
    for (let seed = first; seed <= last; seed++) {
      const session = await randomTraffic({ seed, ...options });
      const twin = new Twin();
      const begun = performance.now();
      for (const exchange of session.exchanges) twin.follow(readExchange(exchange));
      ms += performance.now() - begun;
      requests += session.exchanges.length;
      told += session.told.length;
      found += session.told.filter((id) => twin.choices[id] !== undefined).length;
      const bad = Object.entries(twin.choices).filter(([id, option]) => session.choices[id] !== option);
      wrong.push(...bad.map(([id, option]) => `${seed}: ${id} is ${session.choices[id]}, not ${option}`), ...twin.contradictions);
    }
    console.info(`${name}: ${found} of ${told} points, ${(ms / requests).toFixed(1)} ms an exchange`);
    expect(wrong).toEqual([]);
    expect(found / told).toBeGreaterThan(share);
  },
  600_000,
);
