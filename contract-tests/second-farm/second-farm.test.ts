// Tests of the second farm: its server conforms, its faults can be seen, and it works on sockets.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { findings } from '../judge/reference/conformance.ts';
import { createFarmServer } from '../judge/reference/server.ts';
import { dig } from '../judge/reference/session.ts';
import { STYLE_NAMES } from '../judge/reference/styles.ts';
import { exercise, firstDifference, PARTS, type Part } from './exercise.ts';
import { FAULTS } from './faults/index.ts';
import { SETS } from './faults/sets.ts';

describe.each(STYLE_NAMES)('the conforming server in style %s', (style) => {
  it('does what the specification says', async () => {
    const broken = (await findings(style)).filter(([, holds]) => !holds).map(([sentence]) => sentence);
    expect(broken).toEqual([]);
  });

  it.each(Object.keys(PARTS) as Part[])(
    'answers the part %s of the session the same each time, and never with 5xx',
    async (part) => {
      const [one, other] = [await exercise(part, style), await exercise(part, style)];
      expect(one.transcript).toEqual(other.transcript);
      expect(one.replies.filter(({ status }) => status >= 500)).toEqual([]);
    },
  );
});

const BLATANT = [
  ...[
    'project-name-unlimited',
    'visibility-default-team',
    'patch-project-204',
    'delete-project-keeps-tasks',
    'project-updated-at-still',
  ],
  ...['priority-default-low', 'due-date-lost', 'status-not-patched', 'assignee-team', 'task-title-256', 'missing-field-422'],
  ...[
    'limit-default-25',
    'total-of-page',
    'has-more-true',
    'filters-or',
    'cursor-drops-status',
    'sort-minus-ignored',
    'sort-unknown-422',
  ],
  ...[
    'missing-403',
    'revoked-accepted',
    'code-insufficient-scope',
    'foreign-readProject',
    'team-name-twice',
    'team-members-missing',
  ],
  ...[
    'webhook-secret-missing',
    'retry-four',
    'event-id-per-attempt',
    'delivery-time-millis',
    'signature-empty',
    'limit-headers-not-on-401',
  ],
];

describe('the sentences about the conforming server', () => {
  it.each(FAULTS.filter(({ id }) => BLATANT.includes(id)))('do not all hold with $id', async ({ style, alter }) => {
    expect((await findings(style, alter)).some(([, holds]) => !holds)).toBe(true);
  });
});

describe('the faults', () => {
  it('have ids of their own', () => {
    const all = Object.values(SETS).flat();
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });
});

describe.each(Object.entries(SETS))('the faults of the set %s', (_name, faults) => {
  it.each(faults)('$id can be seen by a client', async ({ style, alter, parts }) => {
    expect(await firstDifference(style, alter, parts)).toBeDefined();
  });
});

const listen = async (server: ReturnType<typeof createServer>): Promise<number> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
};

describe('on sockets', () => {
  it('serves requests and delivers events, on the virtual clock', async () => {
    const heard: { at: number; path: string | undefined; headers: IncomingMessage['headers'] }[] = [];
    let now = () => 0;
    const receiver = createServer((incoming, outgoing) => {
      heard.push({ at: now(), path: incoming.url, headers: incoming.headers });
      incoming.resume();
      outgoing.writeHead(heard.length > 1 ? 200 : 503).end();
    });
    const port = await listen(receiver);
    const farm = createFarmServer({ resolve: (url) => url.replace('https://hooks.example.test', `http://127.0.0.1:${port}`) });
    now = () => farm.clock.now();
    const { baseUrl, close } = await farm.listen();
    const call = async (path: string, body: unknown) => {
      const headers = { Authorization: `Bearer ${farm.keys.admin}`, 'Content-Type': 'application/json' };
      const response = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, json: (await response.json()) as unknown };
    };
    const hook = await call('/webhooks', { url: 'https://hooks.example.test/in?a=1', events: ['project.created'] });
    expect(typeof dig(hook.json, 'data', 'secret')).toBe('string');
    expect((await call('/projects', { name: 'Über' })).status).toBe(201);
    await farm.clock.sleep(60_000);
    await close();
    receiver.closeAllConnections();
    await new Promise((done) => receiver.close(done));
    expect(heard.map(({ path }) => path)).toEqual(['/in?a=1', '/in?a=1']);
    expect(heard.map(({ headers }) => headers['content-type'])).toEqual(['application/json', 'application/json']);
    expect((heard[1]?.at ?? 0) - (heard[0]?.at ?? 0)).toBe(30_000);
  });

  it('takes an answer that is held back longer than ten seconds for a timeout', async () => {
    let attempts = 0;
    const farm = createFarmServer({ resolve: (url) => url.replace('https://hooks.example.test', `http://127.0.0.1:${port}`) });
    const receiver = createServer((incoming, outgoing) => {
      attempts += 1;
      incoming.resume();
      if (attempts === 1) farm.clock.after(11_000, () => outgoing.writeHead(200).end());
      else outgoing.writeHead(200).end();
    });
    const port = await listen(receiver);
    const headers = { Authorization: `Bearer ${farm.keys.admin}`, 'Content-Type': 'application/json' };
    const post = (path: string, body: unknown) =>
      farm.fetch(`${farm.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    await post('/webhooks', { url: 'https://hooks.example.test/', events: ['project.created'] });
    await post('/projects', { name: 'Slow' });
    await farm.clock.sleep(39_000);
    expect(attempts).toBe(1);
    await farm.clock.sleep(2_000);
    expect(attempts).toBe(2);
    receiver.closeAllConnections();
    await new Promise((done) => receiver.close(done));
  });
});
