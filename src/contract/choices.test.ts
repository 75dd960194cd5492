// Each answer to each open point is what it says: a probe per point, an observation per answer.
import { describe, expect, test } from 'vitest';
import { openSession, type Session } from '../test/matrix.ts';
import { CHOICES, type ChoiceId, choiceProblems, choose, OURS } from './choices.ts';
import { OPERATIONS } from './operations.ts';
import { isIn, LATEST, type Release, type Span } from './releases.ts';

/** Seen in deliveries, not in answers: tested beside the webhooks. */
const OF_EVENTS = [
  'member-snapshot',
  'task-snapshot',
  'project-delete-events',
  'signature',
  'signature-before-timestamp',
  'retry-counted-from',
  'invited-members',
] as const;
type Probed = Exclude<ChoiceId, (typeof OF_EVENTS)[number]>;

interface Probe {
  readonly look: (session: Session) => Promise<unknown>;
  readonly sees: Readonly<Record<string, unknown>>;
  readonly plan?: 'free' | 'business';
  /** For a point that an older release alone leaves open. */
  readonly release?: Release;
}

const statusOf = (method: string, path: string, body?: unknown) => async (session: Session) =>
  (await session.call(method, path, body === undefined ? {} : { body })).status;
const task = async ({ call }: Session, body: object = {}) =>
  (await call('POST', '/projects/proj_one/tasks', { body: { title: 'Probe', ...body } })).body.data;
const errorOf = async ({ call }: Session, method: string, path: string, body?: unknown) => {
  const answer = await call(method, path, body === undefined ? {} : { body });
  return answer.body.error;
};
const fieldsOf = (error: { details: { fields: { field: string }[] } }) => error.details.fields.map(({ field }) => field).sort();
const later = ({ mock }: Session, ms: number) => mock.world.clock.set(mock.world.clock.now() + ms);
const repeat = async (times: number, act: () => Promise<unknown>) => {
  for (let i = 0; i < times; i++) await act();
};
const MIXED = { title: 5, priority: 'asap' };

const PROBES: Readonly<Record<Probed, Probe>> = {
  'owner-field': {
    look: async ({ call }) => [
      (await call('GET', '/projects/proj_one')).body.data.owner_id,
      (await call('GET', '/projects')).body.items[0].owner_id,
    ],
    sees: { absent: [undefined, undefined], owner_id: ['user_ada', 'user_ada'] },
  },
  'id-style': { look: async (session) => (await task(session)).id.startsWith('task_'), sees: { prefixed: true, opaque: false } },
  'absent-values': {
    look: async (session) =>
      'due_date' in (await task(session)) && 'due_date' in (await session.call('GET', '/tasks')).body.items[2],
    sees: { null: true, 'left-out': false },
  },
  'null-in-body': { look: statusOf('PATCH', '/tasks/task_talked', { assignee_id: null }), sees: { clears: 200, refused: 400 } },
  'datetime-format': {
    look: async ({ call }) => (await call('GET', '/tasks')).body.items[0].created_at,
    sees: { milliseconds: '2025-01-10T09:00:00.000Z', seconds: '2025-01-10T09:00:00Z', offset: '2025-01-10T09:00:00+00:00' },
  },
  'date-only': {
    look: async (session) => (await task(session, { due_date: '2025-03-01' }))?.due_date,
    sees: { refused: undefined, midnight: '2025-03-01T00:00:00.000Z' },
  },
  'length-unit': { look: statusOf('POST', '/teams', { name: '😀'.repeat(100) }), sees: { 'code-points': 201, 'utf-16': 422 } },
  'noop-patch': {
    look: async (session) => {
      later(session, 1000);
      return (await session.call('PATCH', '/tasks/task_talked', { body: {} })).body.data.updated_at;
    },
    sees: { unchanged: '2025-01-10T09:00:00.000Z', touched: '2025-01-20T09:00:01.000Z' },
  },
  'patch-status': { look: statusOf('PATCH', '/tasks/task_talked', { title: 'A' }), sees: { '200': 200, '201': 201, '202': 202 } },
  'webhook-create-status': {
    look: statusOf('POST', '/webhooks', { url: 'https://a.example.com' }),
    sees: { '201': 201, '200': 200 },
  },
  'webhook-create-shape': {
    look: async ({ call }) => {
      const { body } = await call('POST', '/webhooks', { body: { url: 'https://a.example.com' } });
      return Object.keys(body.data ?? body);
    },
    sees: {
      data: ['id', 'url', 'events', 'secret', 'created_at'],
      bare: ['id', 'url', 'events', 'secret', 'created_at'],
      minimal: ['secret'],
    },
  },
  'webhook-url': {
    look: async ({ call }) =>
      Promise.all(
        ['http://127.0.0.1:9/x', 'https://10.0.0.1/x', 'https://a.example.com/x', 'http://a.example.com/x'].map(
          async (url) => (await call('POST', '/webhooks', { body: { url } })).status,
        ),
      ),
    sees: { 'loopback-too': [201, 201, 201, 422], 'https-only': [422, 201, 201, 422], 'public-https': [422, 422, 201, 422] },
  },
  'webhook-events-absent': {
    look: async ({ call }) =>
      (await call('POST', '/webhooks', { body: { url: 'https://a.example.com' } })).body.data?.events.length,
    sees: { all: 8, refused: undefined, none: 0 },
  },
  'all-events-name': {
    look: async ({ call }) =>
      (await call('POST', '/webhooks', { body: { url: 'https://a.example.com', events: ['*'] } })).body.data?.events.length,
    sees: { refused: undefined, star: 8 },
  },
  'repeated-ids': {
    look: statusOf('POST', '/teams', { name: 'A', member_ids: ['user_ada', 'user_ada'] }),
    sees: { collapsed: 201, refused: 422 },
  },
  'team-name-comparison': { look: statusOf('POST', '/teams', { name: 'CORE' }), sees: { exact: 201, 'ignore-case': 409 } },
  'wrong-method': {
    look: async ({ call }) => {
      const { status, headers } = await call('PUT', '/projects/proj_one', { body: {} });
      return [status, headers.get('allow')];
    },
    sees: { '404': [404, null], '405': [405, 'GET, PATCH, DELETE'] },
  },
  'content-type': {
    look: async ({ call }) =>
      (await call('POST', '/projects', { body: '{"name":"A"}', headers: { 'content-type': 'text/plain' } })).status,
    sees: { required: 400, lenient: 201 },
  },
  'unknown-body-fields': {
    look: statusOf('POST', '/projects', { name: 'A', colour: 'red' }),
    sees: { ignored: 201, refused: 400 },
  },
  'limit-above-100': {
    look: async ({ call }) => (await call('GET', '/tasks?limit=500')).body.meta?.limit,
    sees: { refused: undefined, clamped: 100 },
  },
  'limit-below-1': {
    look: async ({ call }) => (await call('GET', '/tasks?limit=0')).body.meta?.limit,
    sees: { refused: undefined, clamped: 1 },
  },
  'default-order': {
    look: async ({ call }) => (await call('GET', '/tasks')).body.items[0].id,
    sees: { oldest: 'task_talked', newest: 'task_dated' },
  },
  'null-due-date': {
    look: async ({ call }) =>
      Promise.all(
        ['due_date', '-due_date'].map(async (sort) => (await call('GET', `/tasks?sort=${sort}`)).body.items[0].due_date === null),
      ),
    sees: { last: [false, false], first: [true, true], largest: [false, true] },
  },
  'sortable-fields': {
    look: async ({ call }) =>
      Promise.all(
        ['/tasks?sort=title', '/teams?sort=created_at', '/projects?sort=updated_at'].map(
          async (path) => (await call('GET', path)).status,
        ),
      ),
    sees: { fitting: [200, 200, 200], tasks: [200, 400, 200], titleless: [400, 200, 200] },
  },
  'unknown-filter': { look: statusOf('GET', '/teams?filter[name]=x'), sees: { refused: 400, ignored: 200 } },
  'filter-value': {
    look: async ({ call }) => (await call('GET', '/tasks?filter[status]=later')).body.meta?.total,
    sees: { refused: undefined, empty: 0 },
  },
  'project-filter-in-project': {
    look: async ({ call }) => (await call('GET', '/projects/proj_one/tasks?filter[project_id]=proj_other')).body.meta?.total,
    sees: { combined: 0, ignored: 2, refused: undefined },
  },
  'unknown-query': { look: statusOf('GET', '/tasks?utm=1'), sees: { ignored: 200, refused: 400 } },
  'page-and-offset': { look: statusOf('GET', '/tasks?page=2'), sees: { ignored: 200, refused: 400 } },
  'page-size': {
    release: '1.0',
    look: async ({ call }) =>
      Promise.all(['limit', 'per_page'].map(async (name) => (await call('GET', `/tasks?${name}=1`)).body.meta.limit)),
    sees: { fixed: [20, 20], limit: [1, 20], per_page: [20, 1] },
  },
  'page-numbering': {
    release: '1.1',
    look: async ({ call }) => [
      (await call('GET', '/tasks?limit=1&page=1')).body.items[0].id,
      (await call('GET', '/tasks?page=0')).status,
    ],
    sees: { 'from-1': ['task_talked', 400], 'from-0': ['task_dated', 200] },
  },
  'page-with-offset': {
    release: '1.1',
    look: async ({ call }) => (await call('GET', '/tasks?limit=1&page=1&offset=1')).body.items?.[0].id,
    sees: { refused: undefined, page: 'task_talked', offset: 'task_dated' },
  },
  'page-beyond-end': {
    release: '1.0',
    look: async ({ call }) => Promise.all(['page=9', 'offset=9'].map(async (at) => (await call('GET', `/tasks?${at}`)).status)),
    sees: { empty: [200, 200], 'not-found': [404, 404] },
  },
  'page-meta': {
    release: '1.0',
    look: async ({ call }) => (await call('GET', '/tasks')).body.meta,
    sees: {
      counts: { total: 2, limit: 20, has_more: false },
      pages: { total: 2, limit: 20, has_more: false, page: 1, pages: 1 },
      'null-cursor': { total: 2, limit: 20, has_more: false, next_cursor: null },
    },
  },
  'page-with-cursor': {
    release: '1.1',
    look: async ({ call }) => {
      const { body } = await call('GET', '/tasks?limit=1');
      return (await call('GET', `/tasks?page=1&cursor=${body.meta.next_cursor}`)).body.items?.[0].id;
    },
    sees: { refused: undefined, cursor: 'task_dated' },
  },
  'deprecation-value': {
    release: '1.1',
    look: async ({ call }) => (await call('GET', '/tasks?page=1')).headers.get('deprecation'),
    sees: { date: '@1725148800', true: 'true' },
  },
  'deprecation-reach': {
    release: '1.1',
    look: async ({ call }) =>
      Promise.all(
        ['/tasks?offset=0', '/tasks', '/tasks/task_talked'].map(async (path) =>
          (await call('GET', path)).headers.has('deprecation'),
        ),
      ),
    sees: { used: [true, false, false], lists: [true, true, false] },
  },
  'cursor-conflict': {
    look: async ({ call }) => {
      const { body } = await call('GET', '/tasks?limit=1');
      return (await call('GET', `/tasks?sort=-title&cursor=${body.meta.next_cursor}`)).status;
    },
    sees: { refused: 400, 'cursor-wins': 200 },
  },
  'cursor-limit': {
    look: async ({ call }) => {
      const { body } = await call('GET', '/tasks?limit=1');
      return (await call('GET', `/tasks?cursor=${body.meta.next_cursor}`)).body.meta.limit;
    },
    sees: { fresh: 20, kept: 1 },
  },
  'broken-cursor': { look: statusOf('GET', '/tasks?cursor=x'), sees: { refused: 400, 'first-page': 200 } },
  'webhook-scope': {
    look: async ({ call }) =>
      (await call('POST', '/webhooks', { body: { url: 'https://a.example.com' }, key: 'wm_tiny_write' })).status,
    sees: { write: 201, admin: 403 },
  },
  'team-scope': {
    look: async ({ call }) => (await call('DELETE', '/teams/team_core', { key: 'wm_tiny_write' })).status,
    sees: { write: 204, admin: 403 },
  },
  'check-order': { look: statusOf('PATCH', '/tasks/task_none', { title: '' }), sees: { record: 404, body: 422 } },
  'www-authenticate': {
    look: async ({ call }) => (await call('GET', '/tasks', { key: null })).headers.get('www-authenticate'),
    sees: { present: 'Bearer', absent: null },
  },
  'not-found-code': {
    look: async (session) => [(await errorOf(session, 'GET', '/tasks/none')).code, (await errorOf(session, 'GET', '/none')).code],
    sees: { not_found: ['not_found', 'not_found'], resource_not_found: ['resource_not_found', 'resource_not_found'] },
  },
  'conflict-code': {
    look: async (session) => (await errorOf(session, 'POST', '/teams', { name: 'Core' })).code,
    sees: { conflict: 'conflict', already_exists: 'already_exists' },
  },
  'internal-code': {
    look: async (session) => {
      session.mock.world.store.tasks.get = () => {
        throw new Error('sabotaged');
      };
      return (await errorOf(session, 'GET', '/tasks/task_talked')).code;
    },
    sees: { internal_error: 'internal_error', server_error: 'server_error' },
  },
  'unsupported-sort-code': {
    look: async (session) => (await errorOf(session, 'GET', '/tasks?sort=x')).code,
    sees: { validation_error: 'validation_error', unsupported_sort: 'unsupported_sort' },
  },
  'error-details': {
    look: async (session) => (await errorOf(session, 'GET', '/tasks/none')).details,
    sees: { always: {}, 'when-filled': undefined },
  },
  'error-status-field': {
    look: async (session) => (await errorOf(session, 'GET', '/tasks/none')).status,
    sees: { absent: undefined, present: 404 },
  },
  'value-fault-status': {
    look: async (session) => {
      const bodies = [
        { title: 'A', priority: 'asap' },
        { title: '' },
        { title: 'A', assignee_id: 'user_no' },
        { title: 'x'.repeat(256) },
      ];
      return Promise.all(bodies.map((body) => statusOf('POST', '/projects/proj_one/tasks', body)(session)));
    },
    sees: { '422': [422, 422, 422, 422], '400': [400, 400, 400, 422] },
  },
  'mixed-faults': {
    look: async ({ call }) => {
      const { status, body } = await call('POST', '/projects/proj_one/tasks', { body: MIXED });
      return [status, fieldsOf(body.error)];
    },
    sees: {
      '400-all': [400, ['priority', 'title']],
      '400-structural': [400, ['title']],
      '422-all': [422, ['priority', 'title']],
    },
  },
  'rate-window': {
    plan: 'free',
    look: async (session) => {
      await session.call('GET', '/users/me');
      later(session, 30_000);
      await session.call('GET', '/users/me');
      later(session, 30_000);
      const { headers } = await session.call('GET', '/users/me');
      return headers.get('x-ratelimit-remaining');
    },
    sees: { rolling: '58', fixed: '59' },
  },
  'rate-source': {
    plan: 'business',
    look: async (session) => {
      await repeat(300, () => session.call('GET', '/users/me'));
      const other = await session.call('GET', '/users/me', { key: 'wm_tiny_read' });
      return [(await session.call('GET', '/users/me')).status, other.status, other.headers.get('x-ratelimit-limit')];
    },
    sees: { workspace: [200, 200, '1000'], 'workspace-and-key': [429, 200, '1000'] },
  },
  'refused-requests': {
    plan: 'free',
    look: async (session) => {
      await repeat(60, () => session.call('GET', '/users/me'));
      later(session, 30_000);
      await session.call('GET', '/users/me');
      later(session, 30_000);
      return (await session.call('GET', '/users/me')).headers.get('x-ratelimit-remaining');
    },
    sees: { 'not-counted': '59', counted: '58' },
  },
  'anonymous-limit': {
    look: async ({ call }) => (await call('GET', '/tasks', { key: null })).headers.get('x-ratelimit-limit'),
    sees: { pro: '300', free: '60' },
  },
  'retry-after': {
    plan: 'free',
    look: async (session) => {
      await repeat(60, () => session.call('GET', '/users/me'));
      return (await session.call('GET', '/users/me')).headers.get('retry-after');
    },
    sees: { present: '60', absent: null },
  },
};

describe.each(Object.entries(PROBES))('the open point %s', (id, { look, sees, plan, release }) => {
  test('has an observation for each of its answers', () => {
    expect(Object.keys(sees)).toEqual(Object.keys(CHOICES[id as ChoiceId].options));
  });

  test.each(Object.entries(sees))('answered %s', async (answer, expected) => {
    const more = { ...(plan ? { plan } : {}), ...(release ? { release } : {}) };
    const session = await openSession({ choices: { [id]: answer }, ...more }, false);
    expect(await look(session)).toEqual(expected);
  });

  test('is open at the release that is looked at', () => {
    expect(isIn(CHOICES[id as ChoiceId] as Span, release ?? LATEST)).toBe(true);
  });
});

describe('the table of open points', () => {
  test('names every row that an operation refers to, and each row is ours by one of its own options', () => {
    for (const { open } of Object.values(OPERATIONS)) for (const id of open) expect(CHOICES).toHaveProperty([id]);
    for (const { ours, options } of Object.values(CHOICES)) expect(Object.keys(options)).toContain(ours);
    expect(Object.keys(OURS)).toEqual(Object.keys(CHOICES));
  });

  test('refuses unknown points and answers, naming what is known', () => {
    expect(choiceProblems({ 'patch-status': 204, nope: 1, 'id-style': 'opaque' })).toEqual([
      'patch-status: expected one of 200, 201, 202, got "204"',
      'nope: expected one of the open points of `wm-mock choices`, got "nope"',
    ]);
    expect(() => choose({ toString: 1 })).toThrow(RangeError);
    expect(choose({ 'patch-status': 201 })['patch-status']).toBe('201');
  });
});
