// A service that is ahead of its clients: a strict client fails, a tolerant one lives, and the mock stays within the spec.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { createMock, type MockOptions } from '../../node/index.ts';
import { openSession, type Session } from '../../test/matrix.ts';
import type { ApiResponse } from '../../test/sending.ts';
import { judgeForwardCompat } from '../../testing/judgements.ts';
import { FORWARD_KINDS, type ForwardKind, LATER_VALUES } from '../contract/forward.ts';
import { OPERATION_IDS, operation } from '../contract/operations.ts';
import { COMPONENTS, EVENT_NAMES } from '../contract/resources.ts';
import { PRIORITIES, ROLES, STATUSES, VISIBILITIES } from '../contract/states.ts';
import { openApi } from '../openapi/openapi.ts';
import { formats } from '../validation/formats.ts';
import { LATER_EVENTS, LATER_FIELDS } from './responses.ts';

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
  return (method: string, path: string, { status, body }: ApiResponse): string[] => {
    const id = OPERATION_IDS.find((one) => {
      const shape = new RegExp(`^${operation(one).path.replace(/\{\w+\}/g, '[^/]+')}$`);
      return operation(one).method === method && shape.test(path.replace(/\?.*/, ''));
    });
    if (!id || status === 204) return [];
    const at = ['paths', operation(id).path, method.toLowerCase(), 'responses', String(status)];
    const place = at.reduce((inner: Loose, key) => inner[key], document).$ref?.slice(1) ?? pointer(...at);
    const validate = ajv.compile({ $ref: `api#${place}${pointer('content', 'application/json', 'schema')}` });
    return validate(body) ? [] : (validate.errors ?? []).map(({ instancePath, keyword }) => `${id} ${instancePath} ${keyword}`);
  };
};

/** Runs a small application, a client with its own way to read responses. @returns what it could not read. */
const useWith = async ({ call }: Session, read: ReturnType<typeof readsWith>): Promise<string[]> => {
  const faults: string[] = [];
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await call(method, path, body === undefined ? {} : { body });
    faults.push(...read(method, path, response));
    return response.body;
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
    expect(judgeForwardCompat(session.mock).pass).toBe(true);
  });
});

describe('the changes', () => {
  test('unknown values are in some records, are kept, found by filters, and accepted in requests', async () => {
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

  test('events grow too, their data holds one key, and unknown events come to who asked for all', async () => {
    const { call, mock } = await ahead();
    await call('POST', '/webhooks', { body: { url: HOOK } });
    await call('POST', '/webhooks', { body: { url: HOOK, events: ['task.updated'] } });
    await call('PATCH', '/tasks/task_dated', { body: { status: 'done' } });
    await mock.fetch('http://wm-mock.test/_mock/data/comments', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"task_id":"task_dated","author_id":"user_bo","body":"Hi"}',
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

describe('a server sees in requests', () => {
  test('a field or a value that is sent back, and an unknown endpoint that is called', async () => {
    const { call, mock } = await ahead();
    const { data } = (await call('GET', '/tasks/task_talked')).body;
    await call('PATCH', '/tasks/task_dated', { body: { title: 'Other', revision: data.revision, priority: data.priority } });
    await call('GET', '/tasks?filter[status]=blocked');
    await call('GET', '/labels');
    expect(mock.compatibility.warnings.map(({ code }) => code)).toEqual(
      'echoed-field echoed-value echoed-value later-endpoint'.split(' '),
    );
    expect(mock.compatibility.survived).toBe(false);
    const { pass, message } = judgeForwardCompat(mock);
    expect(pass).toBe(false);
    expect(message()).toContain('echoed-field: revision is a field of a later release');
    const except = ['echoed-field', 'echoed-value', 'later-endpoint'] as const;
    expect(judgeForwardCompat(mock, { except }).pass).toBe(true);
  });
});

describe('switching', () => {
  test('a seed says it, the state keeps it, and what was put into records comes back as it was', async () => {
    const project = {
      id: 'proj_a',
      tasks: [
        { id: 'task_a', title: 'A' },
        { id: 'task_b', title: 'B', status: 'blocked' },
      ],
    };
    const workspace = { id: 'ws_a', users: [{ id: 'user_a' }], api_keys: [{ value: 'wm_a' }], projects: [project] };
    const seed = { forward_compat: ['enums'], workspaces: [workspace] };
    const mock = await createMock({ seed });
    const headers = { authorization: 'Bearer wm_a', 'content-type': 'application/json' };
    const read = async (one: typeof mock) => (await one.fetch('/tasks', { headers })).text();
    expect(await read(mock)).toContain('blocked');
    await mock.fetch('/tasks/task_a', { method: 'PATCH', body: '{"status":"todo"}', headers });
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
