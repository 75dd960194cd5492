// Random sessions with a mock, valid requests and invalid ones, and the open points whose options the session tells apart.
import { createMock } from '../create-mock.ts';
import { readExchange } from '../node/proxy/read-exchange.ts';
import type { Traffic } from '../node/proxy/traffic.ts';
import { CHOICES, type ChoiceId } from '../service/contract/choices.ts';
import { handleRequest } from '../service/http/endpoint.ts';
import { withPageText } from '../service/http/exchange.ts';
import { RequestInfo } from '../service/http/request-info.ts';
import { Random } from '../service/world/random.ts';

type Body = Readonly<Record<string, unknown>>;
interface SessionOptions {
  readonly seed: number;
  /** Another client writes between the requests. */
  readonly writer?: boolean;
  /** Tasks that no request shows. */
  readonly unseen?: number;
  /** Whether the scopes of the keys are not known. */
  readonly anonymous?: boolean;
}

const POINTS = (Object.keys(CHOICES) as ChoiceId[]).filter((id) => CHOICES[id].part !== 'Events');
const TITLES = ['A', 'Release notes', '', '😀'.repeat(200), 'x'.repeat(300), 5];
const TEAM_NAMES = ['Core', 'core', 'CORE', 'Design', 'design', 'Ops', ''];
const HOOK_URLS = ['https://example.com/h', 'http://127.0.0.1:9/h', 'https://localhost/h', 'ftp://x', 'https://10.0.0.1/'];
const EVENT_LISTS = [undefined, ['task.created'], ['*'], ['task.created', 'task.created'], ['bad']];
const FILTERS = ['status', 'colour', 'project_id', 'visibility', 'priority'];
const SORTS = ['title', '-due_date', 'due_date', 'created_at', '-updated_at', 'colour'];

export const randomTraffic = async ({ seed, writer, unseen = 0, anonymous }: SessionOptions) => {
  const random = new Random(seed);
  const below = (n: number) => random.bits('session') % n;
  const one = <T>(of: readonly T[]): T => of[below(of.length)]!;
  const choices = Object.fromEntries(Object.entries(CHOICES).map(([id, { options }]) => [id, one(Object.keys(options))]));
  const sender = async () => ({ kind: 'response', status: 200, took: 1, excerpt: '' }) as const;
  const mock = await createMock({
    seed: 'demo',
    choices,
    now: '2026-01-20T09:00:00Z',
    randomSeed: seed,
    plan: 'unlimited',
    sender,
  });
  const workspace = mock.keys[0]!.workspace_id;
  for (let i = 0; i < unseen; i++) mock.create.task({ title: `Unseen ${i}` });
  const idsOf = (name: 'projects' | 'tasks' | 'teams' | 'users') =>
    mock.world.store[name].all().flatMap((row) => (row.workspace === workspace ? row.value.id : []));
  const [cursors, gone]: [string[], string[]] = [['broken'], ['task_none']];
  const id = (name: 'projects' | 'tasks' | 'teams') => (below(8) === 0 ? one(gone) : (one(idsOf(name)) ?? 'none'));
  const some = (fields: Readonly<Record<string, () => unknown>>): Body =>
    Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (below(3) === 0 ? [[name, value()]] : [])));
  const task = (): Body => ({
    ...(below(3) > 0 && { title: one(TITLES) }),
    ...some({
      description: () => one(['Some', null, 'y'.repeat(1001)]),
      due_date: () => one(['2026-02-01T10:00:00Z', '2026-02-01', 'soon', null]),
    }),
    ...some({ assignee_id: () => one([...idsOf('users'), 'user_no', null]), status: () => one(['todo', 'done', 'bad']) }),
    ...(below(4) === 0 &&
      some({ priority: () => one(['low', 'nope', 3]), visibility: () => one(['team', 'hidden']), colour: () => 'red' })),
  });
  const query = (): string => {
    const parts = some({
      limit: () => one([1, 2, 3, 5, 100, 500, 0, -1, 'x']),
      sort: () => one(SORTS),
      [`filter[${one(FILTERS)}]`]: () => one(['todo', 'team', 'bad', 'low', ...idsOf('projects').slice(0, 3)]),
      ...(below(4) === 0 && { [one(['page', 'offset', 'trace'])]: () => 2 }),
      cursor: () => one(cursors.slice(-4)),
    });
    const text = Object.entries(parts).map(([name, value]) => `${name}=${value}`);
    return text.length > 0 ? `?${text.join('&')}` : '';
  };
  const team = (): Body => ({
    name: one(TEAM_NAMES),
    ...some({
      member_ids: () => {
        const user = one([...idsOf('users'), 'user_no']);
        return below(2) ? [user, user] : [user];
      },
    }),
  });
  const acts: readonly (() => readonly [method: string, target: string, body?: Body])[] = [
    () => ['GET', one(['/tasks', '/tasks', '/projects', '/teams', '/workspace/members']) + query()],
    () => ['GET', one(['/tasks', '/teams', `/projects/${id('projects')}/tasks`, `/tasks/${id('tasks')}/comments`]) + query()],
    () => ['GET', one(['/users/me', `/tasks/${id('tasks')}`, `/projects/${id('projects')}?trace=1`, `/teams/${id('teams')}`])],
    () => ['POST', `/projects/${id('projects')}/tasks`, task()],
    () => [
      'POST',
      '/projects',
      one([{ name: 'P' }, { name: 'P', description: null }, { name: '' }, { name: 4, visibility: 'no' }]),
    ],
    () => ['PATCH', `/tasks/${id('tasks')}`, one([task(), {}, { status: 'todo' }, { title: 'A' }, { due_date: null }])],
    () => ['PATCH', `/projects/${id('projects')}`, one([{ name: 'P' }, {}, { description: null }, { visibility: 'team' }])],
    () => ['POST', '/webhooks', { url: one(HOOK_URLS), events: one(EVENT_LISTS) }],
    () => ['POST', '/teams', team()],
    () => ['DELETE', one([`/tasks/${id('tasks')}`, `/teams/${id('teams')}`])],
    () => [one(['PUT', 'DELETE', 'POST']), one(['/tasks', '/projects', '/users/me', '/nowhere'])],
  ];
  const apart = new Set<string>();
  const exchanges: { readonly traffic: Traffic; readonly as: string }[] = [];
  for (let i = 0; i < 150; i++) {
    await mock.clock.advance(`${1 + below(5)}s`);
    const [method, target, given] = one([...acts.slice(0, 2), ...acts])();
    const role = one(['admin', 'admin', 'admin', 'write', 'write', 'read', 'revoked'] as const);
    const authorization = role === 'revoked' ? undefined : mock.auth(role, workspace).authorization;
    const body = given && JSON.stringify(given);
    const type = below(12) === 0 ? 'text/plain' : 'application/json';
    const headers = { ...(authorization && { authorization }), ...(body && { 'content-type': type }) };
    const sent = 1_000_000 + 100 * i;
    const request = { method, target, requestHeaders: Object.entries(headers), requestBody: body, sent, came: sent + 10 };
    const { id: operation, variable } = readExchange({ as: role, traffic: { ...request, response: undefined } });
    const under = (options: Readonly<Record<string, string>>) => {
      const world = mock.world.fork();
      world.choose(options);
      const read = { operation, variable, method, url: `http://a.test/v1${target}`, headers: [], authorization };
      const info = new RequestInfo({ ...read, contentType: body && type, body: { text: body ?? '' } });
      const { status, text, headers: own, quota } = withPageText({ response: handleRequest(world, info), terms: world.terms });
      return JSON.stringify([
        status,
        text?.replace(/"next_cursor":"[^"]*"/, ''),
        own['www-authenticate'],
        status === 401 && quota.limit,
      ]);
    };
    const usual = under({});
    const others = POINTS.flatMap((point) => Object.keys(CHOICES[point].options).map((option) => [point, option] as const));
    for (const [point, option] of others)
      if (!apart.has(`${point} ${option}`) && under({ [point]: option }) !== usual) apart.add(`${point} ${option}`);
    const response = await mock.fetch(target, { method, headers, ...(body && { body }) });
    const text = await response.text();
    cursors.push(/"next_cursor":"([^"]*)"/.exec(text)?.[1] ?? cursors[0]!);
    if (method === 'DELETE' && response.status === 204) gone.push(target.split('/')[2]!);
    const responded = { status: response.status, headers: [...response.headers] as [string, string][], body: text };
    exchanges.push({ as: anonymous && role !== 'revoked' ? `key-${role}` : role, traffic: { ...request, response: responded } });
    if (!writer) continue;
    const write = (verb: string, path: string, what?: Body) =>
      mock.fetch(path, {
        method: verb,
        headers: { ...mock.auth('admin', workspace), 'content-type': 'application/json' },
        ...(what && { body: JSON.stringify(what) }),
      });
    await write(
      'PATCH',
      `/tasks/${one(idsOf('tasks'))}`,
      one([{ status: 'done' }, { title: 'A' }, { due_date: null }, { status: 'todo' }]),
    );
    if (below(6) === 0) await write('DELETE', `/tasks/${one(idsOf('tasks'))}`);
    if (below(6) === 0) await write('POST', '/teams', { name: one(TEAM_NAMES) });
    if (below(8) === 0) await write('DELETE', `/teams/${one(idsOf('teams'))}`);
  }
  await mock.close();
  const isTold = (point: ChoiceId) =>
    Object.keys(CHOICES[point].options).every((option) => option === choices[point] || apart.has(`${point} ${option}`));
  return { choices, exchanges, told: POINTS.filter(isTold) };
};
