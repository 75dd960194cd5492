// The judge of traffic: an app's requests are judged as they go by, with others at work, keys that nothing is known of, and lost responses.
import { expect, test } from 'vitest';
import type { Role } from '../engine/terms.ts';
import { DEVIATIONS, FAULTS } from '../judge/faults.ts';
import { VirtualClock } from '../judge/reference/clock.ts';
import { createReferenceServer, type ReferenceServer } from '../judge/reference/server.ts';
import { createTrafficJudge, type Traffic } from '../traffic/judge.ts';

type Send = (as: Role, call: string, body?: object) => Promise<Record<string, never>>;
interface Session {
  readonly send: Send;
  readonly server: ReferenceServer;
}

/** Judges what an app sends. @param keys those that the judge is told; `loses` says whose response is lost */
const watch = async (
  play: (session: Session) => Promise<void>,
  { id = '', keys = true, loses = (_call: string): boolean => false } = {},
) => {
  const { style, alter } = id === '' ? {} : [...FAULTS, ...DEVIATIONS].find((one) => one.id === id)!;
  const clock = new VirtualClock();
  const server = createReferenceServer({ style, alter, clock });
  const judge = createTrafficJudge({ keys: keys ? server.keys : {} });
  const send: Send = async (as, call, body) => {
    const [method, target] = call.split(' ') as [string, string];
    const sent = clock.now();
    const headers = {
      authorization: `Bearer ${server.keys[as as 'read']}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const requestBody = body && JSON.stringify(body);
    const response = await server.fetch(`${server.baseUrl}${target}`, {
      method,
      headers,
      ...(requestBody ? { body: requestBody } : {}),
    });
    const text = await response.text();
    const received = { status: response.status, headers: [...response.headers], body: text };
    const traffic: Traffic = {
      ...{ method, target, requestHeaders: Object.entries(headers), requestBody, sent, came: clock.now() },
      response: loses(call) ? undefined : received,
    };
    judge.observe(traffic);
    await clock.sleep(1500);
    return text === '' ? {} : JSON.parse(text);
  };
  await play({ send, server });
  judge.flush();
  return { judge, requirements: [...new Set(judge.violations.map(({ requirement }) => requirement))] };
};

const idOf = (made: Record<string, never>) => String((made.data as { id: string }).id);

/** A board: it lists, makes, changes, reads again and deletes. */
const board = async ({ send }: Session): Promise<void> => {
  await send('write', 'GET /projects');
  await send('write', 'GET /workspace/members');
  const project = idOf(await send('write', 'POST /projects', { name: 'Garden', description: 'All of it', visibility: 'team' }));
  for (const title of ['Dig', 'Plant', 'Water']) {
    const task = idOf(
      await send('write', `POST /projects/${project}/tasks`, { title, description: 'by hand', due_date: '2031-02-03T04:05:06Z' }),
    );
    await send('write', `PATCH /tasks/${task}`, { status: 'in_progress' });
    await send('write', `GET /tasks/${task}`);
    await send('write', `PATCH /tasks/${task}`, { title: `${title} soon` });
    await send('read', `GET /projects/${project}/tasks?sort=title&limit=50`);
    await send('read', `PATCH /tasks/${task}`, { title: 'no' });
    await send('write', `POST /projects/${project}/tasks`, { title });
    await send('write', 'GET /tasks?limit=100');
    await send('write', `GET /tasks/${task}`);
  }
  await send('write', `PATCH /projects/${project}`, { name: 'Yard' });
  await send('write', `GET /projects/${project}`);
  await send('write', `POST /projects/${project}/tasks`, { title: '', status: 'todo' });
  await send('write', `DELETE /projects/${project}`);
  await send('write', `GET /projects/${project}`);
};

test('traffic of a service that conforms is not blamed, whether or not its keys are known', async () => {
  for (const keys of [true, false]) expect((await watch(board, { keys })).requirements).toEqual([]);
  const others = DEVIATIONS.filter((_, i) => i % 6 === 0);
  for (const { id } of others) expect([id, (await watch(board, { id })).requirements]).toEqual([id, []]);
});

test.each([
  ['patch-task-clears-due', 'WM-EP-045'],
  ['project-updated-at-still', 'WM-PROJ-011'],
  ['task-description-not-in-rows', 'WM-ENV-006'],
  ['read-may-changeTask', 'WM-SCOPE-009'],
  ['task-title-empty', 'WM-TASK-024'],
  ['project-tasks-of-all', 'WM-EP-037'],
  ['create-lost-unassigned', 'WM-GEN-009'],
])('%s is named with its clause', async (id, requirement) => {
  expect((await watch(board, { id })).requirements).toContain(requirement);
});

/** An office: it turns pages, makes teams, reads comments, and looks no more at what it changes last. */
const office = async ({ send, server }: Session): Promise<void> => {
  for (let i = 0; i < 3; i++) {
    const { meta } = await send('write', 'GET /projects?limit=2');
    await send('write', `GET /projects?limit=2&cursor=${encodeURIComponent((meta as { next_cursor: string }).next_cursor)}`);
    await send('write', 'GET /projects');
    await send('admin', 'POST /teams', { name: `Team ${i}` });
    await send('write', 'GET /teams');
  }
  for (const { id } of server.service.db.tasks) await send('write', `GET /tasks/${id}/comments`);
  const [task] = server.service.db.tasks;
  const text = { title: 'Last', description: 'of all', status: 'todo', priority: 'low', due_date: '2031-02-03T04:05:06Z' };
  await send('write', `PATCH /tasks/${task!.id}`, text);
};

test.each([
  ['', []],
  ['total-less-last', ['WM-META-014']],
  ['teams-inner-join', ['WM-EP-053']],
  ['comments-of-all', ['WM-EP-070']],
  ['patch-task-many-five', ['WM-EP-046']],
])('what others can have no part in is named: %s', async (id, requirements) => {
  expect((await watch(office, { id })).requirements).toEqual(requirements);
});

test('where others write, a later updated_at explains each change, and an equal one none', async () => {
  const shared = (change: boolean) => async (session: Session) => {
    await board(session);
    const { send, server } = session;
    const [task] = server.service.db.tasks;
    await send('write', `GET /tasks/${task!.id}`);
    task!.title = 'Changed elsewhere';
    if (change) task!.updated = server.clock.now();
    await send('write', `GET /tasks/${task!.id}`);
  };
  expect((await watch(shared(true))).requirements).toEqual([]);
  expect((await watch(shared(false))).requirements).toEqual(['WM-ENV-005']);
});

test('one page that begins before the last one ended is what others may have moved, and three are a fault', async () => {
  const turnPages =
    (times: number) =>
    async ({ send, server }: Session) => {
      const { fetch, service } = server;
      for (const title of ['Dig', 'Plant', 'Water']) service.db.tasks.push({ ...service.db.tasks[0]!, id: title, title });
      for (let i = 0; i < times; i++) {
        const { items, meta } = await send('write', 'GET /tasks?sort=title&limit=2');
        const shift = async (response: Response) => {
          const page = (await response.json()) as { items: object[] };
          return new Response(JSON.stringify({ ...page, items: [items![0], page.items[0]] }), response);
        };
        Object.assign(server, { fetch: async (...given: Parameters<typeof fetch>) => shift(await fetch(...given)) });
        const cursor = encodeURIComponent((meta as { next_cursor: string }).next_cursor);
        await send('write', `GET /tasks?sort=title&limit=2&cursor=${cursor}`);
        Object.assign(server, { fetch });
      }
    };
  expect((await watch(turnPages(1))).requirements).toEqual([]);
  expect((await watch(turnPages(3))).requirements).toContain('WM-SORT-008');
});

test('the preflight of a browser, and a copy that is still good, are not judged', () => {
  const judge = createTrafficJudge({ keys: {} });
  const at = { target: '/tasks', requestHeaders: [], requestBody: undefined, sent: 1, came: 2 };
  for (const [method, status] of [
    ['OPTIONS', 204],
    ['HEAD', 200],
    ['GET', 304],
  ] as const)
    judge.observe({ ...at, method, response: { status, headers: [], body: '' } });
  judge.flush();
  expect([judge.exchanges, judge.violations, judge.unknown]).toEqual([3, [], []]);
});

test('a write whose response was lost leaves open what it did', async () => {
  const { judge, requirements } = await watch(board, { loses: (call) => /^(PATCH|DELETE) /.test(call) });
  expect(requirements).toEqual([]);
  expect(judge.unknown.map(({ says }) => says)).toEqual(['no response of the service came: whether it was done is not known']);
});

test('keys that nothing is known of are of one workspace once both are shown one record', async () => {
  const both = async ({ send }: Session) => {
    const project = idOf(await send('write', 'POST /projects', { name: 'Ours', visibility: 'team' }));
    await send('other', `GET /projects/${project}`);
    await send('read', `GET /projects/${project}`);
    await send('other', 'GET /projects');
    await send('read', 'GET /projects');
  };
  expect((await watch(both, { keys: false })).requirements).toEqual([]);
  expect((await watch(both, { id: 'foreign-readProject', keys: true })).requirements).toContain('WM-ISO-001');
});
