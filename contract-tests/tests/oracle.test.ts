// The oracle judges exchanges of any program: what lists say of others' records, which sorts they take, and what is left of a minute.
import { expect, test } from 'vitest';
import type { Exchange } from '../engine/exchange.ts';
import { operationOf } from '../engine/operations.ts';
import { readShippedDocument } from '../engine/register.ts';
import type { Role } from '../engine/terms.ts';
import { FAULTS } from '../judge/faults.ts';
import { createReferenceServer } from '../judge/reference/server.ts';
import type { Service } from '../judge/reference/service/service.ts';
import { Oracle } from '../oracle/oracle.ts';
import { rulesOf } from '../oracle/rules.ts';

const rules = rulesOf(readShippedDocument('1.3'), '1.3');

/** An oracle that looks on, and what it finds broken. */
const looking = () => {
  const broken = new Set<string>();
  const must = (requirement: string, ok: boolean) => {
    if (!ok) broken.add(requirement);
    return ok;
  };
  const oracle = new Oracle({
    rules,
    release: '1.3',
    mark: 'wmct-',
    smallestLimit: () => 1,
    near: () => true,
    alone: true,
    must,
    often: () => {},
    others: { seen: 0 },
  });
  return { oracle, broken };
};

/** Sends requests to a server with a fault, and gives what is broken. */
const judged = async (alter: (service: Service) => void, ...calls: readonly string[]): Promise<readonly string[]> => {
  const server = createReferenceServer({ alter });
  const { oracle, broken } = looking();
  for (const [i, call] of calls.entries()) {
    const [as, method, target] = call.split(' ') as [Role, string, string];
    const [path, query = ''] = target.split('?', 2) as [string, string?];
    const sent = server.clock.now();
    const url = `${server.baseUrl}${target}`;
    const response = await server.fetch(url, { method, headers: { authorization: `Bearer ${server.keys[as]}` } });
    const text = await response.text();
    const { status, headers } = response;
    const at = { sent, came: server.clock.now(), at: server.clock.now() };
    const x = { number: i + 1, method, path, query, url, as, operation: operationOf(method, path), requestHeaders: {} };
    oracle.observe({ ...x, ...at, requestBody: undefined, status, headers, text, json: JSON.parse(text) } satisfies Exchange);
  }
  return [...broken];
};

const none = () => {};
const fault = (id: string) => FAULTS.find((one) => one.id === id)!.alter;
const by = (as: Role, ...targets: readonly string[]) => targets.map((target) => `${as} GET ${target}`);
const ME = 'write GET /users/me';

const LISTS = [
  ME,
  ...by(
    'write',
    '/tasks?limit=100',
    '/tasks?filter[priority]=medium&limit=100',
    '/tasks?limit=100',
    '/tasks?limit=100&sort=title',
  ),
];

test('a filter, and a list, that misses what others show before it and after it is named', async () => {
  expect(await judged(none, ...LISTS)).toEqual([]);
  expect(await judged(fault('old-priority-not-filtered'), ...LISTS)).toEqual(['WM-LIST-016']);
  const server = createReferenceServer();
  const project = server.service.db.tasks.find(({ priority }) => priority === undefined)!.project;
  const inside = `/projects/${project}/tasks?limit=100`;
  const looks = [ME, ...by('write', inside, '/tasks?limit=100', inside)];
  expect(await judged(fault('tasks-older-than-priority-hidden'), ...looks)).toEqual(['WM-EP-038']);
});

test('a sort of one list of tasks sorts the other, and in both directions', async () => {
  const { project } = createReferenceServer().service.db.tasks[0]!;
  const inside = `/projects/${project}/tasks`;
  const sorts = by('write', '/tasks?sort=title', '/tasks?sort=-title', `${inside}?sort=title`, `${inside}?sort=-title`);
  expect(await judged(none, ...sorts)).toEqual([]);
  const here = (service: Service) => {
    const was = service.isSortable.bind(service);
    service.isSortable = (field, listing, call) => was(field, listing, call) && call.path !== '/tasks';
  };
  expect(await judged(here, ...sorts)).toEqual(['WM-SORT-011']);
  const upwards = (service: Service) => {
    const was = service.isSortable.bind(service);
    service.isSortable = (field, listing, call) => was(field, listing, call) && !call.query.get('sort')!.startsWith('-');
  };
  expect(await judged(upwards, ...sorts)).toEqual(['WM-SORT-019', 'WM-SORT-002']);
});

test('no more is left of a minute than what the run has sent leaves, whichever key it was sent with', async () => {
  const calls = Array.from({ length: 8 }, () => [...by('write', '/teams'), ...by('admin', '/teams')]).flat();
  expect(await judged(none, ...calls)).toEqual([]);
  const free = (service: Service) => {
    service.remaining = (call) => service.quotaOf(call);
  };
  expect(await judged(free, ...calls)).toEqual(['WM-RATE-010']);
  const perKey = (service: Service) => {
    const used = new Map<string, number>();
    service.remaining = (call) => {
      const key = call.key!.value;
      used.set(key, (used.get(key) ?? 0) + 1);
      return service.quotaOf(call) - used.get(key)!;
    };
  };
  expect(await judged(perKey, ...calls)).toEqual(['WM-RATE-011']);
});

/** Requirements that responses about one task break, which `write` has made. */
const judgedOfTask = (...calls: readonly (readonly [as: Exchange['as'], method: string, status: number])[]): string[] => {
  const { oracle, broken } = looking();
  const [created_at, sent] = ['2030-01-07T09:00:00Z', { title: 'wm once', description: 'x', priority: 'low', status: 'todo' }];
  const rest = { assignee_id: null, due_date: null, created_at, updated_at: created_at };
  const task = { id: 'task_1', project_id: 'proj_1', ...sent, ...rest };
  for (const [i, [as, method, status]] of [['write', 'POST', 201] as const, ...calls].entries()) {
    const path = method === 'POST' ? '/projects/proj_1/tasks' : '/tasks/task_1';
    const json = status < 300 ? { data: task } : { error: { code: 'unauthorized', message: 'No.' } };
    const times = { at: 0, sent: 0, came: 0 };
    const request = { number: i + 1, method, path, query: '', url: path, as, operation: operationOf(method, path), ...times };
    const requestBody = method === 'POST' ? JSON.stringify(sent) : undefined;
    oracle.observe({ ...request, requestHeaders: {}, requestBody, status, headers: new Headers(), text: '', json });
  }
  return [...broken];
};

test('a DELETE that was refused did nothing to what was there after it, whatever a later read says', () => {
  const refused = ['keyless', 'DELETE', 401] as const;
  const [there, lost] = [['write', 'GET', 200] as const, ['write', 'GET', 404] as const];
  expect(judgedOfTask(refused, there)).toEqual([]);
  expect(judgedOfTask(refused, lost)).toEqual(['WM-AUTH-008']);
  expect(judgedOfTask(refused, there, lost, there)).toEqual(['WM-EP-039']);
});
