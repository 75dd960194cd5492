// Faults of authentication, scopes, isolation, deletion and rate limits.
import { OPERATIONS } from '../../engine/operations.ts';
import { type Mutant, mutant } from '../mutant.ts';
import { after, both, good, headersOf, is, type Layer, type Loose, ok, problem, type Seen, type Wrap } from '../wrap.ts';

export interface Keys {
  readonly admin: string;
  readonly write: string;
  readonly read: string;
  readonly revoked: string;
  readonly other: string;
}

const status = (from: number, change: (answer: Loose, call: Seen) => void, test: (call: Seen) => boolean = () => true): Wrap =>
  after((call, answer) => answer.status === from && test(call), change);
const code = (from: number, to: string): Wrap => status(from, (a) => (a.json.error.code = to));

/** Uses another key for what the test picks. */
const as =
  (key: string, test: (call: Seen) => boolean): Wrap =>
  () =>
  async (call, next) =>
    next(test(call) ? { ...call, authorization: `Bearer ${key}` } : call);

/** Answers a refusal with a status of its own. */
const denied =
  (test: (call: Seen) => boolean, to: number, text: string): Wrap =>
  () =>
  async (call, next) =>
    test(call)
      ? { headers: { ...(await headersOf(call, next)), 'content-type': 'application/json' }, ...problem(to, text) }
      : next(call);

/** Remembers what was deleted. */
const haunted =
  (layer: (gone: Map<string, Loose>) => Layer): Wrap =>
  () =>
    layer(new Map());

const remember = async (gone: Map<string, Loose>, call: Seen, next: Parameters<Layer>[1], paths: string[]) => {
  if (!is(...paths.map((path) => `DELETE ${path}`))(call)) return;
  const old = await next({ ...call, method: 'GET', body: undefined, raw: undefined });
  if (old.status === 200) gone.set(call.path, old);
};

const header = (
  name: string,
  change: (old: string, call: Seen) => string | undefined,
  test: (call: Seen, answer: Loose) => boolean = () => true,
): Wrap =>
  after(test, (a, call) => {
    const value = change(a.headers[name] ?? '', call);
    if (value === undefined) delete a.headers[name];
    else a.headers[name] = value;
  });
const bare: Wrap[] = ['limit', 'remaining', 'reset'].map((name) => header(`x-ratelimit-${name}`, () => undefined));
const headerless = (test: (call: Seen, answer: Loose) => boolean): Wrap =>
  after(test, (a) => {
    for (const name of ['limit', 'remaining', 'reset']) delete a.headers[`x-ratelimit-${name}`];
  });

export const accessMutants = (keys: Keys): readonly Mutant[] => {
  const from = (key: string) => (call: Seen) => call.key === key;
  const reads = (path: string) => (call: Seen) => call.key === keys.read && is(path)(call);
  const foreign =
    (...calls: string[]) =>
    (call: Seen) =>
      call.key === keys.other && is(...calls)(call);
  const powerless = (call: Seen) => call.key === keys.read && call.method !== 'GET';
  return [
    mutant(
      106,
      'no-header-403',
      'AUTH-001',
      after(
        (c, a) => a.status === 401 && c.authorization === undefined,
        (a) => Object.assign(a, { status: 403, json: { error: { code: 'forbidden', message: 'No.' } } }),
      ),
    ),
    mutant(
      107,
      'basic-accepted',
      'AUTH-003',
      as(keys.write, (c) => c.authorization?.startsWith('Basic ') ?? false),
    ),
    mutant(
      107,
      'no-prefix-accepted',
      'AUTH-002',
      as(keys.write, (c) => c.authorization === keys.write),
    ),
    mutant(
      108,
      'invalid-key-404',
      'AUTH-005',
      after(
        (c, a) => a.status === 401 && c.key === 'wmct-no-such-key',
        (a) => Object.assign(a, { status: 404, json: { error: { code: 'not_found', message: 'No.' } } }),
      ),
    ),
    mutant(109, '401-code-invalid-token', 'AUTH-007', code(401, 'invalid_token')),
    ...OPERATIONS.filter(({ id }) => id !== 'create_webhook').map(({ id, method, path, keyRequirement }) =>
      mutant(
        110,
        `open-${id}`,
        `${keyRequirement.slice(3)} ${id === 'create_task' ? 'AUTH-001 AUTH-008' : id === 'list_projects' ? 'AUTH-001 AUTH-002 AUTH-003 AUTH-004 AUTH-005' : ''}`.trim(),
        as(keys.admin, (c) => c.authorization === undefined && is(`${method} ${path.replace(/\{[^}]+\}/g, '*')}`)(c)),
      ),
    ),
    mutant(111, 'revoked-key-works', 'AUTH-006', as(keys.write, from(keys.revoked))),
    mutant(112, 'read-key-creates', 'SCOPE-005', as(keys.admin, reads('POST /projects'))),
    mutant(112, 'read-key-creates-tasks', 'SCOPE-008', as(keys.admin, reads('POST /projects/*/tasks'))),
    mutant(113, 'read-key-patches-tasks', 'SCOPE-009', as(keys.admin, reads('PATCH /tasks/*'))),
    mutant(113, 'read-key-deletes-teams', 'SCOPE-012', as(keys.admin, reads('DELETE /teams/*'))),
    mutant(undefined, 'read-key-patches-projects', 'SCOPE-006', as(keys.admin, reads('PATCH /projects/*'))),
    mutant(undefined, 'read-key-deletes-tasks', 'SCOPE-010', as(keys.admin, reads('DELETE /tasks/*'))),
    mutant(undefined, 'read-key-deletes-projects', 'SCOPE-007', as(keys.admin, reads('DELETE /projects/*'))),
    mutant(undefined, 'read-key-creates-teams', 'SCOPE-011', as(keys.admin, reads('POST /teams'))),
    mutant(114, 'read-key-refused-on-members', 'SCOPE-003', denied(reads('GET /workspace/members'), 403, 'forbidden')),
    mutant(undefined, 'read-key-refused-on-teams', 'SCOPE-004', denied(reads('GET /teams'), 403, 'forbidden')),
    mutant(
      115,
      'write-key-refused-on-task',
      'SCOPE-017',
      denied((c) => c.key === keys.write && is('POST /projects/*/tasks')(c), 403, 'forbidden'),
    ),
    mutant(
      116,
      'scope-401',
      'SCOPE-005',
      status(403, (a) => Object.assign(a, { status: 401, json: { error: { code: 'unauthorized', message: 'No.' } } }), powerless),
    ),
    mutant(117, '403-code', 'SCOPE-014', code(403, 'insufficient_scope')),
    mutant(118, '403-and-done', 'SCOPE-015', () => async (call, next) => {
      const answer = await next(call);
      if (powerless(call) && call.method === 'PATCH') await next({ ...call, authorization: `Bearer ${keys.admin}` });
      return answer;
    }),
    mutant(
      119,
      'admin-lacks-write',
      'SCOPE-018',
      denied((c) => c.key === keys.admin && is('POST /projects')(c), 403, 'forbidden'),
    ),
    mutant(120, 'foreign-project-read', 'ISO-001', as(keys.admin, foreign('GET /projects/*'))),
    mutant(
      121,
      'foreign-project-403',
      'ISO-001',
      status(
        404,
        (a) => Object.assign(a, { status: 403, json: { error: { code: 'forbidden', message: 'No.' } } }),
        foreign('GET /projects/*'),
      ),
    ),
    mutant(undefined, 'foreign-task-read', 'ISO-006', as(keys.admin, foreign('GET /tasks/*'))),
    mutant(undefined, 'foreign-team-read', 'ISO-010', as(keys.admin, foreign('GET /teams/*'))),
    mutant(undefined, 'foreign-comments-read', 'ISO-009', as(keys.admin, foreign('GET /tasks/*/comments'))),
    mutant(undefined, 'foreign-nested-list', 'ISO-004', as(keys.admin, foreign('GET /projects/*/tasks'))),
    mutant(undefined, 'foreign-patch', 'ISO-007', as(keys.admin, foreign('PATCH /tasks/*'))),
    mutant(
      122,
      'foreign-delete',
      'ISO-003',
      as(keys.admin, (c) => foreign('DELETE /projects/*')(c)),
    ),
    mutant(123, 'foreign-tasks-listed', 'ISO-013', as(keys.admin, foreign('GET /tasks'))),
    mutant(undefined, 'foreign-projects-listed', 'ISO-012', as(keys.admin, foreign('GET /projects'))),
    mutant(undefined, 'foreign-teams-listed', 'ISO-014', as(keys.admin, foreign('GET /teams'))),
    mutant(124, 'foreign-task-created', 'ISO-005', as(keys.admin, foreign('POST /projects/*/tasks'))),
    mutant(
      46,
      'total-of-all-workspaces',
      'ISO-017',
      after(
        both(good('GET /tasks'), (c) => c.key === keys.other && c.query.has('filter[project_id]')),
        (a) => (a.json.meta.total += 22),
      ),
    ),
    mutant(
      125,
      'unknown-id-400',
      'EP-029 EP-049 EP-054 ERR-022 EP-059 ISO-001',
      status(
        404,
        (a) => {
          a.status = 400;
          if (a.json?.error?.status) a.json.error.status = 400;
        },
        (c) => c.path !== '/wmct-no-such-path',
      ),
    ),
    mutant(126, '404-code-missing', 'ERR-010', code(404, 'missing')),
    mutant(
      127,
      'deleted-task-readable',
      'EP-049',
      haunted((gone) => async (call, next) => {
        await remember(gone, call, next, ['/tasks/*']);
        return call.method === 'GET' && gone.get(call.path) ? { ...gone.get(call.path) } : next(call);
      }),
    ),
    mutant(
      128,
      'deleted-task-listed',
      'EP-050',
      haunted((gone) => async (call, next) => {
        await remember(gone, call, next, ['/tasks/*']);
        const answer = await next(call);
        if (is('GET /projects/*/tasks')(call) && answer.status === 200) {
          for (const old of gone.values())
            if (call.path.includes(old.json.data.project_id) && old.json.data.title === 'wm deleted')
              answer.json.items.push(old.json.data);
        }
        return answer;
      }),
    ),
    mutant(
      undefined,
      'deleted-task-counted-in-tasks',
      'EP-050',
      haunted((gone) => async (call, next) => {
        await remember(gone, call, next, ['/tasks/*']);
        const answer = await next(call);
        const within = call.query.get('filter[project_id]');
        const ghosts = [...gone.values()].filter(
          (old) => old.json.data.project_id === within && old.json.data.title === 'wm deleted',
        ).length;
        if (is('GET /tasks')(call) && answer.status === 200 && within) answer.json.meta.total += ghosts;
        return answer;
      }),
    ),
    ...(['/tasks/*', '/projects/*', '/teams/*'] as const).map((path, i) =>
      mutant(
        129,
        `second-delete-204-${path.split('/')[1]}`,
        ['EP-052', 'EP-036', 'EP-058'][i]!,
        haunted((gone) => async (call, next) => {
          await remember(gone, call, next, [path]);
          const answer = await next(call);
          if (call.method !== 'DELETE' || answer.status !== 404 || !gone.has(call.path)) return answer;
          return { status: 204, json: undefined, headers: await headersOf(call, next) };
        }),
      ),
    ),
    mutant(
      130,
      'orphans-readable',
      'EP-030',
      haunted((gone) => async (call, next) => {
        if (is('GET /tasks/*')(call)) {
          const answer = await next(call);
          const old = gone.get(call.path);
          return answer.status === 404 && call.key !== keys.other && old && !old.deleted ? { ...old } : answer;
        }
        if (is('DELETE /tasks/*')(call)) gone.set(call.path, { deleted: true });
        const answer = await next(call);
        if (is('POST /projects/*/tasks')(call) && answer.status === 201)
          gone.set(`/tasks/${answer.json.data.id}`, { ...answer, status: 200 });
        return answer;
      }),
    ),
    mutant(
      131,
      'orphans-listed',
      'EP-031',
      haunted((gone) => async (call, next) => {
        const answer = await next(call);
        if (is('POST /projects/*/tasks')(call) && answer.status === 201) gone.set(answer.json.data.id, answer.json.data);
        if (
          is('GET /tasks')(call) &&
          call.query.get('filter[status]') === 'in_review' &&
          call.query.has('filter[priority]') &&
          answer.status === 200
        ) {
          const known = new Set(answer.json.items.map((item: Loose) => item.id));
          for (const task of gone.values()) if (task.title === 'wm doomed' && !known.has(task.id)) answer.json.items.push(task);
        }
        return answer;
      }),
    ),
    mutant(
      132,
      'soft-delete',
      'EP-032',
      haunted((gone) => async (call, next) => {
        await remember(gone, call, next, ['/projects/*']);
        const answer = await next(call);
        if (is('GET /projects/*/tasks')(call) && answer.status === 404 && gone.has(call.path.replace('/tasks', ''))) {
          return {
            status: 200,
            headers: answer.headers,
            json: { items: [], meta: { total: 0, limit: 20, has_more: false, next_cursor: null } },
          };
        }
        return answer;
      }),
    ),
    mutant(
      133,
      'comments-outlive-task',
      'EP-051 EP-059',
      after(
        (c, a) => is('GET /tasks/*/comments')(c) && a.status === 404 && c.key !== keys.other,
        (a) =>
          Object.assign(a, {
            status: 200,
            json: { items: [], meta: { total: 0, limit: 20, has_more: false, next_cursor: null } },
          }),
      ),
    ),
    mutant(134, 'team-takes-its-members', 'EP-055', () => {
      const members = new Map<string, string[]>();
      const gone = new Set<string>();
      return async (call, next) => {
        if (is('DELETE /teams/*')(call)) for (const id of members.get(call.path) ?? []) gone.add(id);
        const answer = await next(call);
        if (is('POST /teams')(call) && answer.status === 201)
          members.set(`/teams/${answer.json.data.id}`, call.body.member_ids ?? []);
        if (is('GET /workspace/members')(call) && answer.status === 200)
          answer.json.items = answer.json.items.filter((m: Loose) => !gone.has(m.id));
        return answer;
      };
    }),
    mutant(135, 'team-takes-assignments', 'EP-056', () => {
      let gone = false;
      return async (call, next) => {
        if (is('DELETE /teams/*')(call)) gone = true;
        const answer = await next(call);
        if (gone && is('GET /tasks/*')(call) && answer.status === 200) answer.json.data.assignee_id = null;
        return answer;
      };
    }),
    mutant(136, 'nested-reads-only', 'EP-039 EP-009', denied(is('GET /tasks/*'), 404, 'not_found')),
    mutant(
      137,
      'nested-list-of-all',
      'EP-037',
      () => async (call, next) =>
        next(
          is('GET /projects/*/tasks')(call) && [...call.query.keys()].every((name) => name === 'limit')
            ? { ...call, path: '/tasks' }
            : call,
        ),
    ),
    mutant(
      138,
      'unknown-project-lists-empty',
      'EP-032',
      after(
        (c, a) => is('GET /projects/*/tasks')(c) && a.status === 404 && c.key !== keys.other,
        (a) =>
          Object.assign(a, {
            status: 200,
            json: { items: [], meta: { total: 0, limit: 20, has_more: false, next_cursor: null } },
          }),
      ),
    ),
    mutant(139, 'no-rate-headers', 'RATE-001', headerless(ok)),
    mutant(
      140,
      'no-rate-headers-401',
      'RATE-003',
      headerless((_c, a) => a.status === 401),
    ),
    mutant(
      undefined,
      'no-rate-headers-malformed',
      'RATE-003',
      headerless((c, a) => a.status === 401 && (c.authorization?.startsWith('Basic') ?? false)),
    ),
    mutant(
      141,
      'no-rate-headers-404',
      'RATE-004',
      headerless((_c, a) => a.status === 404),
    ),
    mutant(
      142,
      'no-rate-headers-204',
      'RATE-002',
      headerless((_c, a) => a.status === 204),
    ),
    mutant(
      undefined,
      'no-rate-headers-422',
      'RATE-005',
      headerless((_c, a) => a.status === 422),
    ),
    mutant(
      143,
      'remaining-stays',
      'RATE-010',
      header('x-ratelimit-remaining', () => '50'),
    ),
    mutant(144, 'remaining-per-key', 'RATE-011', perKey(0)),
    mutant(145, 'remaining-across-workspaces', 'RATE-012', () => {
      let used = 0;
      return async (call, next) => {
        const answer = await next(call);
        const limit = Number(answer.headers['x-ratelimit-limit']);
        if (answer.status !== 401) answer.headers['x-ratelimit-remaining'] = String(limit - (++used % limit));
        return answer;
      };
    }),
    mutant(
      146,
      'limit-changes',
      'RATE-013',
      header('x-ratelimit-limit', (old, call) => (call.method === 'PATCH' ? String(Number(old) + 1) : old)),
    ),
    mutant(
      147,
      'reset-is-delta',
      'RATE-008',
      header('x-ratelimit-reset', () => '42'),
    ),
    mutant(
      148,
      'reset-in-ms',
      'RATE-008',
      header('x-ratelimit-reset', (old) => `${old}000`),
    ),
    mutant(
      149,
      'reset-in-the-past',
      'RATE-009',
      header('x-ratelimit-reset', (old) => String(Number(old) - 600)),
    ),
    mutant(
      149,
      'reset-an-hour-ahead',
      'RATE-009',
      header('x-ratelimit-reset', (old) => String(Number(old) + 3600)),
    ),
    mutant(undefined, 'limit-missing', 'RATE-001', bare[0]!),
    mutant(
      undefined,
      'html-for-projects',
      'GEN-001',
      after(is('GET /projects'), (a) =>
        Object.assign(a, a.status === 204 ? {} : { text: '<html>', headers: { ...a.headers, 'content-type': 'text/html' } }),
      ),
    ),
  ];
};

function perKey(_start: number): Wrap {
  return () => {
    const used = new Map<string, number>();
    return async (call, next) => {
      const answer = await next(call);
      const count = (used.get(call.key ?? '') ?? 0) + 1;
      used.set(call.key ?? '', count);
      const limit = Number(answer.headers['x-ratelimit-limit']);
      if (answer.status !== 401) answer.headers['x-ratelimit-remaining'] = String(limit - (count % limit));
      return answer;
    };
  };
}
