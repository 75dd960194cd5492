// A service that is ahead of its clients: a strict client fails, a tolerant one lives, and the mock stays within the spec.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { FORWARD_KINDS, type ForwardKind, forwardNamed } from '../contract/forward.ts';
import { OPERATION_IDS, operation } from '../contract/operations.ts';
import { COMPONENTS, EVENT_NAMES } from '../contract/resources.ts';
import { PRIORITIES, ROLES, STATUSES, VISIBILITIES } from '../contract/states.ts';
import { openApi } from '../describe/openapi.ts';
import { createMock, type MockOptions } from '../node/index.ts';
import { type Answer, openSession, type Session } from '../test/matrix.ts';
import { toHaveSurvivedForwardCompat } from '../testing/matchers.ts';
import { formats } from '../validation/formats.ts';
import { LATER_EVENTS, LATER_FIELDS, LATER_VALUES } from './changes.ts';

const KINDS = Object.keys(FORWARD_KINDS) as ForwardKind[];
const ahead = (forwardCompat: MockOptions['forwardCompat'] = true, more: MockOptions = {}) =>
  openSession({ forwardCompat, ...more }, false);
const HOOK = 'http://127.0.0.1:9/hook';

// biome-ignore lint/suspicious/noExplicitAny: a document that is taken apart at will.
type Loose = any;

/** The document as a generator of closed types reads it: no other fields, no other values. */
const strictly = (node: Loose): Loose => {
  if (Array.isArray(node)) return node.map(strictly);
  if (typeof node !== 'object' || node === null) return node;
  const { 'x-extensible-enum': values, ...rest } = node;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, strictly(one)]));
  const closed = inner.type === 'object' && inner.properties ? { additionalProperties: false } : {};
  return { ...inner, ...closed, ...(values ? { enum: values } : {}) };
};

const readsWith = (document: Loose) => {
  const ajv = new Ajv2020({ strict: false, formats, validateSchema: false, allErrors: true });
  ajv.addSchema(document, 'api');
  const pointer = (...parts: string[]) =>
    parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
  return (method: string, path: string, { status, body }: Answer): string[] => {
    const id = OPERATION_IDS.find((one) => {
      const shape = new RegExp(`^${operation(one).path.replace(/\{\w+\}/g, '[^/]+')}$`);
      return operation(one).method === method && shape.test(path.replace(/\?.*/, ''));
    });
    if (!id || status === 204) return [];
    const at = ['paths', operation(id).path, method.toLowerCase(), 'responses', String(status)];
    let response = at.reduce((inner, key) => inner[key], document);
    let place = pointer(...at);
    if (response.$ref) {
      place = response.$ref.slice(1);
      response = place
        .split('/')
        .slice(1)
        .reduce((inner: Loose, key: string) => inner[key], document);
    }
    const validate = ajv.compile({ $ref: `api#${place}${pointer('content', 'application/json', 'schema')}` });
    return validate(body) ? [] : (validate.errors ?? []).map(({ instancePath, keyword }) => `${id} ${instancePath} ${keyword}`);
  };
};

/** What a small application does, as a client with its own way to read answers. @returns what it could not read. */
const useWith = async ({ call }: Session, read: ReturnType<typeof readsWith>): Promise<string[]> => {
  const faults: string[] = [];
  const ask = async (method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>) => {
    const answer = await call(method, path, { ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) });
    faults.push(...read(method, path, answer));
    return answer.body;
  };
  for (const path of ['/projects', '/tasks', '/workspace/members', '/users/me', '/teams', '/teams/team_core'])
    await ask('GET', path);
  await ask('GET', '/tasks/task_talked/comments');
  const { data } = await ask('POST', '/projects/proj_one/tasks', { title: 'New' });
  await ask('PATCH', `/tasks/${data.id}`, { status: 'done' });
  await ask('GET', '/tasks/none');
  await ask('POST', '/projects', { name: 5 });
  await ask('POST', '/webhooks', { url: HOOK });
  return faults;
};

describe('two clients', () => {
  const strict = readsWith(strictly(openApi()));
  const tolerant = readsWith(openApi());

  test('a strict one reads the service of today', async () => {
    expect(await useWith(await openSession({}, false), strict)).toEqual([]);
  });

  test.each(['fields', 'enums', true] as const)('a strict one fails under --forward-compat=%s', async (kinds) => {
    expect(await useWith(await ahead(kinds), strict)).not.toEqual([]);
  });

  test('a strict one fails on values where only they are new, at each of them', async () => {
    const faults = await useWith(await ahead('enums'), strict);
    expect(faults.every((fault) => fault.endsWith('enum'))).toBe(true);
    const fields = new Set(faults.map((fault) => fault.split(' ')[1]!.split('/').at(-1)));
    expect([...fields].sort()).toEqual(['priority', 'role', 'status', 'visibility']);
  });

  test.each([...KINDS, true] as const)('a tolerant one lives under --forward-compat=%s', async (kinds) => {
    const session = await ahead(kinds);
    expect(await useWith(session, tolerant)).toEqual([]);
    expect(session.mock.compatibility).toMatchObject({ survived: true, warnings: [], refused: [] });
    expect(toHaveSurvivedForwardCompat(session.mock).pass).toBe(true);
  });
});

describe('the changes', () => {
  const look = async (kinds: MockOptions['forwardCompat'], path: string, init: Parameters<Session['call']>[2] = {}) =>
    (await ahead(kinds)).call('GET', path, init);

  test('unknown fields stand at every level', async () => {
    const { call } = await ahead('fields');
    const list = (await call('GET', '/tasks')).body;
    expect(list).toMatchObject(LATER_FIELDS.envelope);
    expect(list.meta).toMatchObject(LATER_FIELDS.meta);
    for (const task of list.items) expect(task).toMatchObject(LATER_FIELDS.record);
    const team = (await call('GET', '/teams/team_core')).body;
    expect(team.data.members[0]).toMatchObject(LATER_FIELDS.record);
    const { error } = (await call('POST', '/projects', { body: {} })).body;
    expect(error).toMatchObject(LATER_FIELDS.error);
    expect(error.details).toMatchObject(LATER_FIELDS.details);
    expect(error.details.fields[0]).toMatchObject(LATER_FIELDS.issue);
  });

  test('unknown values stand in some records, are kept, found by filters, and taken back', async () => {
    const { call, mock } = await ahead('enums');
    const of = async (path: string, field: string) => (await call('GET', path)).body.items.map((one: Loose) => one[field]);
    expect(await of('/tasks', 'status')).toEqual(['blocked', 'todo']);
    expect(await of('/tasks', 'priority')).toEqual(['critical', 'medium']);
    expect(await of('/projects', 'visibility')).toEqual(['organization']);
    expect(await of('/workspace/members', 'role')).toEqual(['admin', 'guest']);
    expect(await of('/tasks?filter[status]=blocked', 'id')).toEqual(['task_talked']);
    const made = await call('POST', '/projects/proj_one/tasks', { body: { title: 'New', status: 'todo' } });
    expect(made.body.data).toMatchObject({ status: 'todo', priority: 'medium' });
    expect((await call('PATCH', '/tasks/task_talked', { body: { status: 'blocked' } })).status).toBe(200);
    expect(mock.requests.at(-1)!.warnings.map(({ code }) => code)).toEqual(['echoed-value']);
    expect((await call('PATCH', '/tasks/task_talked', { body: { status: 'nonsense' } })).status).toBe(422);
    await call('PATCH', '/tasks/task_talked', { body: { status: 'done' } });
    expect(await of('/tasks', 'status')).toEqual(['done', 'todo', 'todo']);
  });

  test('errors say the same in other words, with the same codes', async () => {
    const [now, then] = [(await look([], '/tasks?sort=x')).body.error, (await look('messages', '/tasks?sort=x')).body.error];
    expect(then.code).toBe(now.code);
    expect(then.message).not.toBe(now.message);
    expect(then.details.fields.map(({ field }: { field: string }) => field)).toEqual(['sort']);
    expect(then.details.fields[0].issue).not.toBe(now.details.fields[0].issue);
  });

  test('there are more endpoints, behind a key like all others', async () => {
    const { status, body } = await look('endpoints', '/labels');
    expect([status, body.items, body.meta.total]).toEqual([200, [], 0]);
    expect((await look('endpoints', '/labels', { key: null })).status).toBe(401);
    expect((await look('fields', '/labels')).status).toBe(404);
  });

  test('answers, refusals too, and deliveries carry more headers', async () => {
    const { call, mock } = await ahead('headers');
    for (const path of ['/tasks', '/tasks/none', '/users/me']) {
      expect((await call('GET', path)).headers.get('x-service-release')).toBe('1.4.0');
    }
    await call('POST', '/webhooks', { body: { url: HOOK } });
    await call('DELETE', '/tasks/task_dated');
    expect(mock.deliveries[0]!.request.headers).toHaveProperty('x-service-release', '1.4.0');
  });

  test('keys come in another order, at every level', async () => {
    const [now, then] = [(await look([], '/tasks')).body, (await look('order', '/tasks')).body];
    expect(then).toEqual(now);
    expect(Object.keys(then)).toEqual(Object.keys(now).reverse());
    expect(Object.keys(then.items[0])).toEqual(Object.keys(now.items[0]).reverse());
    expect(Object.keys(then.meta)).toEqual(Object.keys(now.meta).reverse());
  });

  test('events grow too, their data holds one key, and unknown events come to who asked for all', async () => {
    const { call, mock } = await ahead();
    await call('POST', '/webhooks', { body: { url: HOOK } });
    await call('POST', '/webhooks', { body: { url: HOOK, events: ['task.updated'] } });
    await call('PATCH', '/tasks/task_dated', { body: { status: 'done' } });
    await mock.fetch('http://wm-mock.test/_mock/tasks/task_dated/comments', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"author_id":"user_bo","body":"Hi"}',
    });
    const seen = mock.deliveries.map(
      ({ webhook_id: id, event }) => `${id === mock.deliveries[0]!.webhook_id ? 'all' : 'some'} ${event.event}`,
    );
    expect(seen).toEqual(['all task.updated', 'some task.updated', 'all task.moved', 'all comment.created']);
    for (const { request } of mock.deliveries) {
      const body = JSON.parse(request.body);
      expect(body).toMatchObject(LATER_FIELDS.envelope);
      expect(Object.keys(body.data)).toHaveLength(1);
      expect(Object.values(body.data)[0]).toMatchObject(LATER_FIELDS.record);
    }
  });

  test.each(KINDS)('%s alone changes nothing that another kind changes', async (kind) => {
    const others = KINDS.filter((one) => one !== kind);
    const session = await ahead(kind);
    expect(session.mock.forwardCompat).toEqual([kind]);
    const answer = await session.call('GET', '/tasks');
    const error = await session.call('GET', '/tasks/none');
    const signs: Readonly<Record<ForwardKind, boolean>> = {
      fields: 'request_id' in answer.body,
      enums: answer.text.includes(LATER_VALUES.status),
      messages: error.body.error.message !== 'No task of this workspace has this id.',
      endpoints: (await session.call('GET', '/labels')).status === 200,
      headers: answer.headers.has('x-service-release'),
      order: Object.keys(answer.body).at(-1) === 'items',
    };
    expect(signs[kind]).toBe(true);
    expect(others.filter((one) => signs[one])).toEqual([]);
  });

  test('are the same every time', async () => {
    const run = async () => {
      const { call } = await ahead();
      const texts: string[] = [];
      for (const path of ['/tasks', '/projects', '/workspace/members', '/labels', '/none'])
        texts.push((await call('GET', path)).text);
      return texts;
    };
    expect(await run()).toEqual(await run());
  });

  test('use no name and no value of today', () => {
    const known = new Set(
      Object.values(COMPONENTS).flatMap((schema) => Object.keys((schema.properties as object | undefined) ?? {})),
    );
    for (const fields of Object.values(LATER_FIELDS)) for (const name of Object.keys(fields)) expect(known).not.toContain(name);
    const values: readonly string[] = [...STATUSES, ...PRIORITIES, ...VISIBILITIES, ...ROLES];
    for (const value of Object.values(LATER_VALUES)) expect(values).not.toContain(value);
    for (const event of Object.keys(LATER_EVENTS)) expect(EVENT_NAMES).not.toContain(event);
  });
});

describe('what a server sees of a client', () => {
  test('a field or a value that is sent back, and an unknown endpoint that is called', async () => {
    const { call, mock } = await ahead();
    const { data } = (await call('GET', '/tasks/task_talked')).body;
    await call('PATCH', '/tasks/task_dated', { body: { title: 'Other', revision: data.revision, priority: data.priority } });
    await call('GET', '/tasks?filter[status]=blocked');
    await call('GET', '/labels');
    expect(mock.compatibility.warnings.map(({ code }) => code)).toEqual([
      'echoed-field',
      'echoed-value',
      'echoed-value',
      'later-endpoint',
    ]);
    expect(mock.compatibility.survived).toBe(false);
    const { pass, message } = toHaveSurvivedForwardCompat(mock);
    expect(pass).toBe(false);
    expect(message()).toContain('echoed-field: revision is a field of a later release');
    const except = ['echoed-field', 'echoed-value', 'later-endpoint'] as const;
    expect(toHaveSurvivedForwardCompat(mock, { except }).pass).toBe(true);
  });

  test('the same successful request again and again, which nobody minds otherwise', async () => {
    for (const [kinds, codes] of [
      [true, ['repeated-after-unknown']],
      [[], []],
    ] as const) {
      const { call, mock } = await ahead(kinds);
      for (let i = 0; i < 3; i++) await call('GET', '/tasks');
      expect(mock.requests.at(-1)!.warnings.map(({ code }) => code)).toEqual(codes);
    }
  });

  test('a receiver that refuses what it does not know', async () => {
    const mock = await createMock({
      seed: 'fixtures/tiny.yaml',
      forwardCompat: 'enums',
      sender: async ({ body }) => ({ kind: 'response', status: body.includes('task.moved') ? 400 : 204, took: 1 }),
    });
    const ask = (path: string, method: string, body: object) =>
      mock.fetch(path, {
        method,
        body: JSON.stringify(body),
        headers: { ...mock.auth('admin'), 'content-type': 'application/json' },
      });
    await ask('/webhooks', 'POST', { url: HOOK });
    await ask('/tasks/task_dated', 'PATCH', { status: 'done' });
    await mock.clock.advance('1s');
    expect(mock.compatibility).toMatchObject({
      survived: false,
      delivered: 1,
      refused: [{ event: 'task.moved', says: 'the receiver answered 400: it may not know what it got' }],
    });
    await mock.close();
  });

  test('nothing, where nothing was asked or the service is that of today', async () => {
    expect((await ahead()).mock.compatibility.survived).toBeNull();
    const { call, mock } = await openSession({}, false);
    await call('GET', '/tasks');
    expect(mock.compatibility.survived).toBeNull();
    expect(toHaveSurvivedForwardCompat(mock).message()).toContain('start it with forwardCompat');
  });
});

describe('switching', () => {
  test('is named by words, a list, or yes and no', () => {
    expect(forwardNamed(true)).toEqual(KINDS);
    expect(forwardNamed('all')).toEqual(KINDS);
    expect(forwardNamed('order, fields')).toEqual(['fields', 'order']);
    expect(forwardNamed(['enums'])).toEqual(['enums']);
    expect([undefined, false, '', 'none'].map(forwardNamed)).toEqual([[], [], [], []]);
    expect(() => forwardNamed('fields,colour')).toThrow('expected all, none or any of fields, enums, messages');
  });

  test('a seed says it, the state keeps it, and what was put into records comes back as it was', async () => {
    const seed = {
      forward_compat: ['enums'],
      workspaces: [
        {
          id: 'ws_a',
          users: [{ id: 'user_a' }],
          api_keys: [{ value: 'wm_a' }],
          projects: [
            {
              id: 'proj_a',
              tasks: [
                { id: 'task_a', title: 'A' },
                { id: 'task_b', title: 'B', status: 'blocked' },
              ],
            },
          ],
        },
      ],
    };
    const mock = await createMock({ seed });
    const read = async (one: typeof mock) => (await one.fetch('/tasks', { headers: { authorization: 'Bearer wm_a' } })).text();
    expect(await read(mock)).toContain('blocked');
    const change = { method: 'PATCH', body: '{"status":"todo"}' };
    await mock.fetch('/tasks/task_a', {
      ...change,
      headers: { authorization: 'Bearer wm_a', 'content-type': 'application/json' },
    });
    const state = await (await mock.fetch('http://wm-mock.test/_mock/state')).json();
    const again = await createMock({ seed: state });
    expect(await read(again)).toBe(await read(mock));
    await expect(createMock({ seed: { ...seed, forward_compat: 'fields' } })).rejects.toThrow('unknown value');
    await Promise.all([mock.close(), again.close()]);
  });

  test('a world may be ahead while the others are not, and fall back', async () => {
    const { mock } = await openSession({}, false);
    const world = mock.fork();
    world.moveAhead('fields,headers');
    const get = async (one: typeof mock) => (await one.fetch('/users/me', { headers: one.auth('read') })).json();
    expect(await get(world)).toHaveProperty('request_id');
    expect(await get(mock)).not.toHaveProperty('request_id');
    world.moveAhead(false);
    expect(await get(world)).not.toHaveProperty('request_id');
    expect(() => world.moveAhead('everything')).toThrow('forward_compat');
  });
});
