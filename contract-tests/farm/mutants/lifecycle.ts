// Faults of unknown ids, deletion and what goes with it.
import { type Mutant, mutant } from '../mutant.ts';
import { after, headersOf, is, type Layer, type Loose, type Seen, type Wrap } from '../wrap.ts';
import type { Keys } from './access.ts';
import { code, denied, status } from './refusals.ts';

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

export const lifecycleMutants = (keys: Keys): readonly Mutant[] => [
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
        for (const old of gone.values()) if (call.path.includes(old.json.data.project_id)) answer.json.items.push(old.json.data);
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
      const ghosts = [...gone.values()].filter((old) => old.json.data.project_id === within).length;
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
      const answer = await next(call);
      if (is('DELETE /tasks/*')(call) && answer.status === 204) gone.set(call.path, { deleted: true });
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
        call.query.has('filter[project_id]') &&
        answer.status === 200
      ) {
        const known = new Set(answer.json.items.map((item: Loose) => item.id));
        for (const task of gone.values())
          if (/doomed$|victim$/.test(task.title) && !known.has(task.id)) answer.json.items.push(task);
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
];
