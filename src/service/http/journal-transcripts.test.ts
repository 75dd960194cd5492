// Entries of the journal, to the byte: why each response is as it is, its changes, and the violations of its client.
import { afterAll, describe, expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import type { Mock } from '../../mock/api/mock.ts';
import { BUSY } from '../../test/busy.ts';
import { otherwise, Script } from '../../test/script.ts';
import { EVERYTHING, lists } from '../../test/tour.ts';
import type { Release } from '../contract/releases.ts';

const mock = await createMock({ seed: BUSY });
afterAll(() => mock.close());

type Play = (script: Script, world: Mock) => Promise<void>;

const journalOf = async (play: Play, prepare: (world: Mock) => void = () => {}) => {
  const world = mock.fork({ from: 'seed' });
  prepare(world);
  await play(new Script(world), world);
  const { requests, compatibility } = world;
  await world.close();
  return { requests, compatibility };
};

type Told = Awaited<ReturnType<typeof journalOf>>['requests'];

/** Reasons and effects of each request; checks and requests that tell nothing new are left out. */
const why = (requests: Told, known = new Set<string>()): string =>
  requests
    .flatMap(({ id, at, method, path, status, operation, key_id, workspace_id, fault, why, warnings, changes }) => {
      const lines = [
        ...why
          .map(({ check, found, part }) => `  ${check}: ${found} (${part})`)
          .filter((line) => !known.has(line) && known.add(line)),
        ...warnings.map(({ code, says }) => `  warning ${code}: ${says}`),
        ...changes.map(({ collection, id: of, kind }) => `  ${kind} ${collection} ${of}`),
      ];
      const of = `${operation} ${key_id} ${workspace_id}${fault ? ` ${fault}` : ''}`;
      return lines.length === 0 ? [] : [`${id} ${at.slice(11, 23)} ${method} ${path} ${status} ${of}`, ...lines];
    })
    .join('\n');

/** Warnings alone, request by request. */
const warned = async (play: Play, prepare?: (world: Mock) => void): Promise<readonly string[]> =>
  (await journalOf(play, prepare)).requests.map(({ id, method, path, status, warnings }) =>
    [`${id} ${method} ${path} ${status}`, ...warnings.map(({ code, says }) => `  ${code}: ${says}`)].join('\n'),
  );

const PARTS = { ...EVERYTHING, lists };

describe('the journal', () => {
  const cursors: Play = async (script, world) => {
    const { meta } = await script.ask('GET', '/tasks?limit=1&sort=-title');
    await script.ask('GET', `/tasks?limit=2&cursor=${meta.next_cursor}&x=%20y`);
    world.world.setPlan('ws_busy', 3);
    for (let i = 0; i < 3; i++) await script.ask('GET', '/teams');
    await script.ask('GET', '/nowhere');
  };
  const beyond: Play = async (script) => {
    for (const query of ['page=9', 'page=x', 'page=1&offset=2']) await script.ask('GET', `/tasks?${query}`);
  };

  test('gives reasons for each part of the service', async () => {
    const known = new Set<string>();
    const sections: string[] = [];
    const tell = async (name: string, play: Play, prepare?: (world: Mock) => void) =>
      sections.push(`# ${name}`, why((await journalOf(play, prepare)).requests, known), '');
    const { teamsAndWebhooks: _, wrongBodies: __, ...others } = PARTS;
    for (const [name, play] of Object.entries(others)) await tell(name, play);
    await tell('the body before the record', EVERYTHING.nowhere, (world) =>
      world.choose({ 'check-order': 'body', 'team-scope': 'admin' }),
    );
    await tell('cursors and the limit', cursors);
    await tell('a page beyond the end', beyond, (world) => {
      world.become('1.1');
    });
    await expect(sections.join('\n')).toMatchFileSnapshot('golden/why.txt');
  });

  test('gives reasons for faults', async () => {
    const play: Play = async (script, world) => {
      const late = [{ delay_ms: 1 }, { delay_ms: { min: 1, max: 2 }, body: 'truncated' }] as const;
      for (const effect of [
        ...[503, 429, 401, 404, 409, 418, 507].map((status) => ({ status })),
        ...(['empty', 'truncated', 'malformed'] as const).map((body) => ({ body })),
        { status: 500, body: 'malformed' } as const,
        ...late,
      ]) {
        world.faults.add({ effect, times: 2 });
        script.all = 'status' in effect;
        script.note(JSON.stringify(effect));
        await script.ask('GET', '/users/me', { key: 'busy_read' });
        await script.ask('DELETE', '/tasks/task_gone', { key: null });
      }
      world.faults.add({ effect: { abort: true } });
      await expect(script.ask('POST', '/projects', { body: { name: 'Never' } })).rejects.toThrow(
        expect.objectContaining({ name: 'TypeError', message: 'fetch failed: a fault closed the connection' }),
      );
      await expect(script.text.replaceAll(/ \[access-control[^\]]*\]/g, '')).toMatchFileSnapshot('golden/faults.txt');
    };
    await expect(`${why((await journalOf(play)).requests)}\n`).toMatchFileSnapshot('golden/why-faults.txt');
  });
});

describe('the journal warns', () => {
  const conduct: Play = async (script) => {
    const secret = 'token=x api_key=x X-Api-Key=x session.cookie=1 myapikey=1 monkey=1 password page=1 offset=1';
    const listed = 'limit=1&per_page=1&cursor=&filter[status]=todo&filter[x]=1&sort=title&filter=1';
    const queries = [...secret.split(' '), listed, 'xfilter[status]=1', 'filter[status]x=1'];
    const others = '/users/me?x=1&page=1 /users/me?sort=x&limit=1 /nowhere?x=1&token=y /teams?filter[status]=todo';
    for (const path of [...queries.map((query) => `/tasks?${query}`), ...others.split(' '), '/projects/proj_one?offset=1'])
      await script.ask('GET', path);
    const { meta } = await script.ask('GET', '/tasks?limit=1');
    const cursor = meta?.next_cursor ?? 'x';
    for (const path of ['/tasks', '/projects/proj_one/tasks', '/users/me', '/nowhere'])
      await script.ask('GET', `${path}?cursor=${cursor}`);
    await script.ask('GET', `/tasks?cursor=${cursor}`, { key: null });
    await script.ask('GET', `/tasks?cursor=x`, { key: null });
    await script.ask('GET', `/tasks?cursor=${cursor}`, { key: 'other_admin' });
    for (const body of [{ name: 'A', colour: 1, id: 2, title: 3 }, [], '{', '5', 'null', '"x"'])
      await script.ask('POST', '/projects', { body });
    await script.ask('PATCH', '/tasks/task_2', {
      body: { priority: 'low', title: 'B', revision: 1, status: 'blocked', tags: [] },
    });
    await script.ask('DELETE', '/tasks/task_2', { body: { a: 1 } });
    const calls = 'GET /teams,POST /teams,GET /tasks/task_1/comments,PUT /teams,GET /labels,POST /labels';
    for (const [method, path] of calls.split(',').map((call) => call.split(' '))) await script.ask(method!, path!);
    await script.ask(
      'GET',
      '/tasks?filter[status]=blocked&filter[priority]=critical&filter[status]=todo&xfilter[status]=blocked',
    );
  };

  test('about features that its release does not have, and of a service that is ahead', async () => {
    const usual = await warned(conduct);
    const sections = [...usual, ''];
    for (const release of ['1.2', '1.1', '1.0'] as Release[])
      sections.push(otherwise(`v${release}`, await warned(conduct, (world) => world.become(release)), usual, 6));
    for (const kinds of ['order', true])
      sections.push(otherwise(`ahead by ${kinds}`, await warned(conduct, (world) => world.moveAhead(kinds)), usual, 6));
    await expect(sections.join('\n')).toMatchFileSnapshot('golden/warnings.txt');
  });

  const codesOf = async (play: Play, prepare?: (world: Mock) => void) =>
    (await journalOf(play, prepare)).requests.map(({ warnings }) => warnings.map(({ code }) => code).join());
  /** Warnings of the last of several equal reads. */
  const lastSaid = async (count: number, prepare?: (world: Mock) => void) => {
    const play: Play = async (script) => {
      for (let i = 0; i < count; i++) await script.ask('GET', '/teams');
    };
    return (await journalOf(play, prepare)).requests.at(-1)!.warnings.map(({ says }) => says);
  };
  const START = Date.parse('2025-01-20T09:00:00Z');

  test('about ten equal requests of one key within ten seconds', async () => {
    const times = async (count: number, gap: number, more: (script: Script, i: number) => Promise<unknown> = async () => {}) =>
      codesOf(async (script, world) => {
        for (let i = 0; i < count; i++) {
          world.clock.set(START + i * gap);
          await script.ask('GET', '/tasks/task_gone');
          await more(script, i);
        }
      });
    const loop = 'tight-loop';
    expect(await times(11, 0)).toEqual([...Array(9).fill(''), loop, loop]);
    expect((await times(10, 1111)).at(-1)).toBe(loop);
    expect((await times(10, 1112)).at(-1)).toBe('');
    const other = (path: string, key?: string) => (script: Script, i: number) =>
      i === 4 ? script.ask('GET', path, key ? { key } : {}) : Promise.resolve();
    expect(await times(10, 0, other('/tasks/task_gone', 'busy_read'))).toEqual([...Array(10).fill(''), loop]);
    expect(await times(10, 0, other('/tasks/task_none'))).not.toContain(loop);
    expect((await times(15, 0, other('/tasks/task_none'))).indexOf(loop)).toBe(15);
    const posts = await codesOf(async (script) => {
      for (let i = 0; i < 12; i++) await script.ask('DELETE', '/tasks/task_gone');
    });
    expect(posts).not.toContain(loop);
    const between = await times(10, 0, (script, i) => (i === 8 ? script.ask('DELETE', '/tasks/task_gone') : Promise.resolve()));
    expect(between).not.toContain(loop);
    expect(await lastSaid(10)).toEqual(['the same request 10 times in a row; webhooks tell of changes']);
  });

  test('about three equal reads with success, where something is ahead', async () => {
    const codes = (gap: number, paths: readonly (readonly [string, string, string?])[], kinds: string | boolean = 'fields') =>
      codesOf(
        async (script, world) => {
          for (const [i, [method, path, key]] of paths.entries()) {
            world.clock.set(START + i * gap);
            await script.ask(method, path, key ? { key } : {});
          }
        },
        (world) => world.moveAhead(kinds),
      );
    const read = ['GET', '/teams'] as const;
    const again = 'repeated-after-unknown';
    expect(await codes(0, [read, read, read, read])).toEqual(['', '', again, again]);
    expect(await codes(0, [read, read, read], false)).toEqual(['', '', '']);
    expect(await codes(5000, [read, read, read])).toEqual(['', '', again]);
    expect(await codes(5001, [read, read, read])).toEqual(['', '', '']);
    expect(await codes(0, [read, ['GET', '/tasks'], read, read])).toEqual(['', '', '', '']);
    expect(await codes(0, [read, ['GET', '/teams', 'busy_read'], read, read])).toEqual(['', '', '', again]);
    const none = ['GET', '/tasks/task_gone'] as const;
    expect(await codes(0, [none, none, none])).toEqual(['', '', '']);
    const there = ['GET', '/tasks/task_2'] as const;
    expect(await codes(0, [there, there, ['DELETE', '/tasks/task_2']])).toEqual(['', '', '']);
    const removal = ['DELETE', '/tasks/task_gone'] as const;
    expect(await codes(0, [removal, removal, removal])).toEqual(['', '', '']);
    expect(await lastSaid(3, (world) => world.moveAhead('fields'))).toEqual([
      'sent 3 times in a row, each time with success: it may be unable to read the response',
    ]);
  });

  test('about a request before the window resets', async () => {
    const play: Play = async (script, world) => {
      world.world.setPlan('ws_busy', 1);
      const at = async (ms: number, key?: string | null) => {
        world.clock.set(START + ms);
        await script.ask('GET', `/users/me?at=${ms}`, key === undefined ? {} : { key });
      };
      await at(0);
      await at(500);
      await at(600, null);
      await at(700, 'other_admin');
      await at(800, 'busy_read');
      await at(58_001);
      await at(59_999);
      await at(60_000);
      await at(400);
    };
    await expect(`${(await warned(play)).join('\n')}\n`).toMatchFileSnapshot('golden/warnings-early.txt');
  });
});

test('the value of a secret parameter is nowhere in the journal, however its name is written', async () => {
  const { requests } = await journalOf(async (script) => {
    for (const name of ['token', '%74oken', 'Api-Key', 'password', 'x-signature', 'my_secret', 'auth'])
      await script.ask('GET', `/tasks?${name}=sesame`);
  });
  expect(JSON.stringify(requests)).not.toContain('sesame');
});

test('the journal shows requests and responses whole, with no key and no secret in them', async () => {
  const world = mock.fork({ from: 'seed' });
  const script = new Script(world);
  const { data } = await script.ask('POST', '/webhooks', {
    body: { url: 'https://hooks.example.com/a?token=abcd', secret: 'mine' },
  });
  await script.ask('POST', '/projects', {
    body: { name: `Key wm_busy_admin and ${data.secret}`, secret: 'x', deep: [{ secret: 'y', other: 5 }] },
  });
  await script.ask('POST', '/projects', { body: `{"secret" : "half` });
  await script.ask('GET', '/users/me?token=one&a=b&c=wm_busy_read&d&wm_busy_admin=1&%74oken=two&%zz=%zz#part');
  await script.ask('GET', '/users/me', { key: 'unknown_key' });
  await script.ask('GET', '/users/me', { key: null, headers: { authorization: 'abc' } });
  await script.ask('GET', '/users/me', {
    key: null,
    headers: { authorization: 'Basic dXNlcjpwYXNz', 'x-api-key': 'k', cookie: 'c=d', 'x-other': 'wm_busy_read' },
  });
  await script.ask('DELETE', '/tasks/task_1', { headers: { host: 'a', 'x-token-a': 'b', 'x-auth': 'c' } });
  await script.ask('POST', '/projects', { body: { name: 'x'.repeat(40_000) } });
  const shown = world.requests.map((entry) =>
    Object.entries(entry)
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
      .join('')
      .replaceAll(/x{100,}/g, (run) => `x{${run.length}}`),
  );
  await expect(shown.join('\n')).toMatchFileSnapshot('golden/journal.txt');
  await world.close();
});
