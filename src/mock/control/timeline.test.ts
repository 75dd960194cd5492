// The timeline: what is written down, in which order, and how causes are linked both ways.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import type { Outcome } from '../../service/webhooks/delivery.ts';
import { wait } from '../../service/world/time.ts';
import { keep } from '../../test/closing.ts';
import { ask, submit } from '../../test/sending.ts';
import type { Mock } from '../api/mock.ts';
import type { MockOptions } from '../api/options.ts';
import { Timeline } from './timeline.ts';

const NOW = '2025-01-20T09:00:00.000Z';

const sender = async () => ({ kind: 'response', status: 204, took: 1 }) as const;
const start = async (options: MockOptions = {}): Promise<Mock> =>
  keep(await createMock({ seed: 'demo', now: NOW, sender, ...options }));

const control = async (mock: Mock, method: string, path: string, body?: object) =>
  (await ask(mock, method, `/_mock${path}`, body)).body;

const hook = async (mock: Mock, events = ['project.created', 'project.updated'], url = 'http://127.0.0.1:9/x') => {
  for (const { id } of mock.read.webhooks()) mock.remove.webhook(id);
  return mock.create.webhook({ url, events: events as never }).id;
};

/** Each later entry in a line: number, kind, words, causes, effects. Numbers are counted from the earlier one. */
const linesOf = ({ timeline }: Pick<Mock, 'timeline'>, from = 0): string[] => {
  const counted = (numbers: readonly number[]) => numbers.map((n) => n - from).join();
  return timeline
    .filter(({ n }) => n > from)
    .map(({ n, kind, title, causes, effects }) => `${n - from} ${kind}: ${title} <${counted(causes)} >${counted(effects)}`);
};

const last = ({ timeline }: Mock): number => timeline.at(-1)?.n ?? 0;

describe('the effect of a request', () => {
  test('is linked both ways: its event, the deliveries of that, each attempt', async () => {
    const mock = await start();
    const [one, two] = [await hook(mock), mock.create.webhook({ url: 'http://127.0.0.1:9/y', events: ['project.created'] }).id];
    const begun = last(mock);
    await ask(mock, 'POST', '/projects', { name: 'A' });
    await mock.webhooks.settled();
    const { id } = mock.read.projects().at(-1)!;
    expect(linesOf(mock, begun)).toEqual([
      '1 request: POST /v1/projects → 201 < >2',
      `2 event: project.created of ${id} <1 >3,4`,
      '3 attempt: attempt 1 of project.created to http://127.0.0.1:9/x → 204 <2 >',
      '4 attempt: attempt 1 of project.created to http://127.0.0.1:9/y → 204 <2 >',
    ]);
    const [request, event, first, second] = mock.timeline.slice(-4);
    const deliveries = mock.deliveries.map((delivery) => delivery.id);
    const record = { collection: 'projects', id, kind: 'created' };
    const times = { at: NOW, real_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) };
    expect(request).toMatchObject({ ...times, id: `t${begun + 1}`, request_id: 'req_1', records: [record] });
    const [{ event: envelope }] = mock.deliveries as [Mock['deliveries'][number]];
    expect(event).toMatchObject({ ...times, event_id: envelope.id, delivery_ids: deliveries, records: [record] });
    expect([first!.delivery_ids, second!.delivery_ids]).toEqual([[deliveries[0]], [deliveries[1]]]);
    expect(mock.deliveries.map(({ webhook_id }) => webhook_id)).toEqual([one, two]);
    expect(Math.abs(Date.parse(request!.real_at) - Date.now())).toBeLessThan(60_000);
    for (const absent of ['step', 'fault', 'event_id', 'delivery_ids']) expect(request).not.toHaveProperty(absent);
    expect(event).not.toHaveProperty('request_id');
  });

  test('is every event of it, and none of the next request', async () => {
    const mock = await start();
    await hook(mock, ['task.updated', 'task.deleted']);
    const { id } = mock.create.task({ title: 'x', status: 'todo' });
    const begun = last(mock);
    await ask(mock, 'PATCH', `/tasks/${id}`, { status: 'done' });
    await ask(mock, 'GET', '/users/me');
    mock.update.task(id, { title: 'y' });
    expect(linesOf(mock, begun)).toEqual([
      `1 request: PATCH /v1/tasks/${id} → 200 < >2`,
      `2 event: task.updated of ${id} <1 >`,
      '3 request: GET /v1/users/me → 200 < >',
      '4 edit: mock.update.task < >5',
      `5 event: task.updated of ${id} <4 >`,
    ]);
  });

  test('is a retry, which follows from the clock that was moved as well; a running clock needs no caller', async () => {
    const outcomes: Outcome[] = [1, 2].map(() => ({ kind: 'refused', error: 'no', took: 1 }));
    const mock = await start({ sender: async () => outcomes.shift() ?? { kind: 'response', status: 200, took: 1 } });
    await hook(mock);
    mock.create.project({ name: 'A' });
    await mock.webhooks.settled();
    const begun = last(mock);
    await mock.clock.advance('30s');
    expect(linesOf(mock, begun)).toEqual([
      '1 clock: 2025-01-20T09:00:00.000Z → 2025-01-20T09:00:30.000Z < >2',
      '2 attempt: attempt 2 of project.created to http://127.0.0.1:9/x → refused <-1,1 >',
    ]);
    expect(mock.timeline.at(-1)!.at).toBe('2025-01-20T09:00:30.000Z');
    expect(mock.timeline.at(-2)!.at).toBe(NOW);
    mock.clock.run();
    await mock.clock.advance('3m');
    expect(mock.timeline.at(-1)!.causes).toEqual([begun - 1]);
  });

  test('is an attempt that was asked for once more, and no first attempt is said to wait for the clock', async () => {
    const mock = await start();
    await mock.clock.advance('1s');
    await hook(mock);
    mock.create.project({ name: 'A' });
    await mock.webhooks.settled();
    const { id } = mock.deliveries[0]!;
    const first = last(mock);
    expect(mock.timeline.at(-1)!.causes).toEqual([first - 1]);
    mock.webhooks.replay(id);
    await mock.webhooks.settled();
    expect(linesOf(mock, first)).toEqual([
      `1 edit: ${id} is sent once more < >2`,
      '2 attempt: attempt 2 of project.created to http://127.0.0.1:9/x → 204 <-1,1 >',
    ]);
  });

  test('is not told twice when a registration goes', async () => {
    const mock = await start({ sender: async () => ({ kind: 'response', status: 500, took: 1 }) });
    const webhook = await hook(mock);
    mock.create.project({ name: 'A' });
    await mock.webhooks.settled();
    mock.remove.webhook(webhook);
    expect(mock.deliveries[0]).toMatchObject({ state: 'failed', attempts: [{ n: 1 }] });
    expect(linesOf(mock).filter((line) => line.includes(' attempt: '))).toHaveLength(1);
    expect(mock.timeline.at(-1)).toMatchObject({ kind: 'edit', title: 'mock.remove.webhook' });
  });
});

describe('a fault', () => {
  test('is the cause of the requests and events that it applies to', async () => {
    const mock = await start();
    await hook(mock);
    const begun = last(mock);
    mock.faults.add({ match: { operation: 'listTasks' }, effect: { status: 503 }, times: 1 });
    mock.faults.add({ match: { event: 'project.created' }, effect: { duplicate: true } });
    await ask(mock, 'GET', '/tasks');
    await ask(mock, 'GET', '/tasks');
    await ask(mock, 'POST', '/projects', { name: 'A' });
    expect(linesOf(mock, begun)).toEqual([
      '1 fault: fault_1: listTasks, status 503, once < >3',
      '2 fault: fault_2: the event project.created, delivered twice, always < >6',
      '3 request: GET /v1/tasks → 503 <1 >',
      '4 request: GET /v1/tasks → 200 < >',
      '5 request: POST /v1/projects → 201 < >6',
      `6 event: project.created of ${mock.read.projects().at(-1)!.id} <5,2 >`,
    ]);
    const faults = mock.timeline.slice(-6).map(({ fault = 'none' }) => fault);
    expect(faults.join(' ')).toBe('fault_1 fault_2 fault_1 none none fault_2');
    expect(mock.timeline.at(-1)!.delivery_ids).toHaveLength(2);
  });

  test('shows a response that it holds, and one that it broke off; release and removal are told', async () => {
    const mock = await start();
    const begun = last(mock);
    const { id } = mock.faults.add({ match: { method: 'GET' }, effect: { hold: true } });
    const waiting = ask(mock, 'GET', '/tasks').catch(() => {});
    await wait(5);
    mock.create.project({ name: 'meanwhile' });
    const lines = () => linesOf(mock, begun).map((line) => line.slice(line.indexOf(' ') + 1));
    expect(lines().slice(1)).toEqual([
      'request: GET /v1/tasks → kept back by fault_1 <1 >',
      expect.stringContaining('edit: mock.create.project < >'),
      expect.stringContaining('event: project.created'),
    ]);
    expect(mock.timeline.find(({ kind }) => kind === 'request')!.request_id).toBe('pending');
    mock.faults.release(id);
    await waiting;
    expect(lines()[1]).toBe('request: GET /v1/tasks → 200 <1 >');
    expect(lines().at(-1)).toBe('fault: fault_1 releases what it holds < >');
    expect(mock.faults.remove(id)).toBe(true);
    expect(mock.faults.remove(id)).toBe(false);
    expect(lines().at(-1)).toBe('fault: fault_1 is removed < >');
    mock.faults.add({ effect: { abort: true } });
    await ask(mock, 'GET', '/tasks').catch(() => {});
    expect(lines().at(-1)).toMatch(/^request: GET \/v1\/tasks → closed </);
    mock.faults.clear();
    mock.faults.clear();
    expect(lines().slice(-2)).toEqual([expect.stringContaining('→ closed'), 'fault: every fault is removed < >']);
  });

  test('releases one response', async () => {
    const mock = await start();
    const { id } = mock.faults.add({ effect: { hold: true } });
    const waiting = ask(mock, 'GET', '/tasks');
    await wait(5);
    mock.faults.release(id, 1);
    await waiting;
    expect(linesOf(mock).at(-1)).toMatch(/fault: fault_1 releases the response to request 1 </);
  });
});

describe('an act from outside', () => {
  const done: readonly (readonly [what: string, act: (mock: Mock) => unknown, entry: string | RegExp])[] = [
    ['a program creates', (mock) => mock.create.task({ title: 'x' }), 'edit: mock.create.task'],
    ['a program changes', (mock) => mock.update.project('proj_app', { name: 'x' }), 'edit: mock.update.project'],
    ['a program sets', (mock) => mock.clock.set('2025-02-01T00:00:00Z'), `clock: ${NOW} → 2025-02-01T00:00:00.000Z`],
    ['a program runs', (mock) => mock.clock.set(NOW, 'running'), `clock: ${NOW} → ${NOW}, running`],
    ['a clock runs', (mock) => mock.clock.run(), 'clock: running'],
    ['a frozen clock is frozen', (mock) => mock.clock.freeze(), 'clock: frozen, as it was'],
    ['an advance', (mock) => mock.clock.advance(5), `clock: ${NOW} → 2025-01-20T09:00:00.005Z`],
    ['an advance to what is next', (mock) => mock.clock.advance('next'), `clock: ${NOW} → ${NOW}`],
    [
      'choices',
      (mock) => mock.choose({ 'patch-status': '202', signature: 'hex' }),
      'choice: patch-status = 202, signature = hex',
    ],
    ['a release', (mock) => mock.become('1.2'), 'choice: release 1.2, not ahead'],
    ['ahead', (mock) => mock.moveAhead(['fields', 'enums']), /^choice: release [\d.]+, ahead by fields, enums$/],
    [
      'outcomes',
      (mock) => mock.webhooks.simulate(mock.read.webhooks()[0]!.id, [500, 'dns']),
      /^edit: .* to wh_\w+ end 500, dns$/,
    ],
    ['a reset', (mock) => mock.reset(), 'edit: mock.reset'],
    ['a call', (mock) => control(mock, 'POST', '/data/projects', { name: 'x' }), 'edit: POST /_mock/data/projects'],
    ['a call about the clock', (mock) => control(mock, 'POST', '/clock', { mode: 'running' }), 'clock: running'],
    ['faults removed by a call', (mock) => control(mock, 'DELETE', '/faults'), 'fault: every fault is removed'],
    ['a fault removed by a call', (mock) => control(mock, 'DELETE', '/faults/fault_1'), 'fault: fault_1 is removed'],
    ['a plan', (mock) => control(mock, 'PATCH', '/workspaces/ws_acme', { plan: 'free' }), 'edit: ws_acme: plan free'],
    ['a window', (mock) => control(mock, 'PATCH', '/workspaces/ws_acme', { window_ms: 1000 }), /: plan \w+, window of 1000 ms$/],
    ['box', (mock) => control(mock, 'POST', '/inbox/a/respond', { statuses: [500] }), 'edit: the inbox a responds with 500 next'],
    ['a form', (mock) => submit(mock, '/dashboard/data/projects', { do: 'create', name: 'By hand' }), 'edit: Data: create'],
    ['a clock form', (mock) => submit(mock, '/dashboard/clock', { do: 'advance', by: '1h' }), /^clock: .*10:00:00\.000Z$/],
    ['the world itself', (mock) => directly(mock), 'edit: mock.world'],
  ];
  const directly = (mock: Mock) => {
    for (const observer of mock.world.observers)
      observer({ name: 'projects', workspace: 'ws_acme', at: 0, before: undefined, after: mock.read.projects()[0] as never });
  };

  test.each(done)('is told: %s', async (_, act, entry) => {
    const mock = await start({ worldIdleMs: 0 });
    mock.faults.add({ effect: { status: 500 }, after: 99 });
    const begun = last(mock);
    await act(mock);
    // A reset begins again.
    const [first] = last(mock) > begun ? mock.timeline.filter(({ n }) => n > begun) : mock.timeline;
    const line = `${first?.kind}: ${first?.title}`;
    if (typeof entry === 'string') expect(line).toBe(entry);
    else expect(line).toMatch(entry);
  });

  test('is not told when it changed nothing, was refused, or only read', async () => {
    const mock = await start();
    const begun = last(mock);
    mock.snapshot();
    await mock.fork().close();
    await mock.webhooks.settled();
    expect(() => mock.choose({ 'no-such': 'x' })).toThrow();
    expect(() => mock.clock.set('never')).toThrow();
    expect(() => mock.webhooks.simulate('wh_none', [500])).toThrow();
    expect(() => mock.webhooks.replay('dlv_none')).toThrow();
    expect(() => mock.faults.release('fault_9')).toThrow();
    await control(mock, 'POST', '/data/tasks', { project_id: 'none' });
    await control(mock, 'GET', '/state');
    await mock.clock.advance(-1).catch(() => {});
    expect(mock.timeline.filter(({ n }) => n > begun).map(({ title }) => title)).toEqual([]);
  });

  test('has all its records and events as its own', async () => {
    const mock = await start();
    await hook(mock, ['project.created', 'task.created']);
    const begun = last(mock);
    mock.create.project({ name: 'P', tasks: [{ title: 'a' }] } as never);
    const [edit, ...events] = mock.timeline.filter(({ n }) => n > begun);
    expect(edit!.records.map(({ collection }) => collection)).toEqual(['projects', 'tasks']);
    expect(edit!.effects).toEqual(events.map(({ n }) => n));
    expect(events).toMatchObject([1, 2].map(() => ({ kind: 'event', causes: [edit!.n] })));
    mock.update.project('proj_app', { name: 'Q' });
    mock.remove.task(mock.read.tasks().at(-1)!.id);
    expect(mock.timeline.slice(-2).map(({ records }) => records[0]!.kind)).toEqual(['updated', 'deleted']);
  });

  test('begins the timeline of a world that went back', async () => {
    const mock = await start();
    await ask(mock, 'GET', '/tasks');
    const saved = mock.snapshot();
    await ask(mock, 'GET', '/projects');
    saved.restore();
    expect(linesOf(mock)).toEqual(['1 request: GET /v1/tasks → 200 < >', '2 edit: mock.restore < >']);
    await control(mock, 'POST', '/reset');
    expect(linesOf(mock)).toEqual(['1 edit: POST /_mock/reset < >']);
  });
});

describe('the shown timeline', () => {
  test('is narrowed by kind, by what followed from an entry, and by a record', async () => {
    const mock = await start();
    await hook(mock);
    const begun = last(mock);
    await ask(mock, 'POST', '/projects', { name: 'A' });
    await ask(mock, 'POST', '/projects', { name: 'B' });
    await mock.webhooks.settled();
    const [, b] = mock.read.projects().slice(-2);
    const numbersOf = async (query: string) =>
      ((await control(mock, 'GET', `/timeline?${query}`)) as { items: { n: number }[] }).items.map(({ n }) => n - begun);
    expect(await numbersOf('kind=event')).toEqual([2, 4]);
    expect(await numbersOf(`from=${begun + 1}`)).toEqual([1, 2, 5]);
    expect(await numbersOf(`from=${begun + 4}`)).toEqual([4, 6]);
    expect(await numbersOf('from=999')).toEqual([]);
    expect(await numbersOf(`record=${b!.id}`)).toEqual([3, 4, 6]);
    expect(await numbersOf(`record=${b!.id}&kind=attempt&from=${begun + 3}`)).toEqual([6]);
    const page = (await control(mock, 'GET', '/timeline?limit=2')) as { items: { n: number }[]; next_cursor: string };
    expect([page.items.map(({ n }) => n - begun), page.next_cursor]).toEqual([[5, 6], `t${begun + 5}`]);
    const refused = (await control(mock, 'GET', '/timeline?from=x&kind=dream')) as { error: { message: string } };
    expect(refused.error.message).toContain('from must be the number of an entry');
  });

  test('leaves out what the journal has forgotten, and links to it', async () => {
    const mock = await start();
    const begun = last(mock);
    await ask(mock, 'POST', '/projects', { name: 'A' });
    await control(mock, 'DELETE', '/requests');
    const [event] = mock.timeline.filter(({ n }) => n > begun);
    expect(event).toMatchObject({ n: begun + 2, kind: 'event', causes: [] });
  });

  test('has the step that rewind takes, where a world is recorded', async () => {
    const mock = await start({ record: true });
    await ask(mock, 'POST', '/projects', { name: 'A' });
    mock.create.task({ title: 'x' });
    await mock.clock.advance('1m');
    const { steps } = await mock.save();
    const stepOf = (title: string) => mock.timeline.find((one) => one.title.startsWith(title))!.step!;
    expect(steps.find(({ n }) => n === stepOf('POST /v1/projects'))).toMatchObject({ kind: 'request', path: '/v1/projects' });
    expect(steps.find(({ n }) => n === stepOf('mock.create.task'))).toMatchObject({ path: '/_mock/data/tasks' });
    expect(steps.find(({ n }) => n === stepOf(NOW))).toMatchObject({ path: '/_mock/clock/advance' });
    const names = (of: Mock) => of.read.projects().filter(({ name }) => name === 'A').length;
    const before = await mock.rewind(stepOf('POST /v1/projects'), { before: true });
    const after = await mock.rewind(stepOf('POST /v1/projects'));
    expect([names(before), names(after)]).toEqual([0, 1]);
    expect(after.timeline.map(({ step, title }) => [step, title.slice(0, 19)])).toEqual([
      [undefined, 'POST /v1/projects →'],
      [undefined, expect.stringMatching(/^project\.created/)],
    ]);
  });

  test('counts the steps of the world that a fork was made of, and those of the fork, as the file does', async () => {
    const mock = await start({ record: true });
    const fork = mock.fork();
    await ask(fork, 'GET', '/tasks');
    await ask(mock, 'GET', '/projects');
    expect([fork.timeline.map(({ step }) => step), mock.timeline.map(({ step }) => step)]).toEqual([[2], [3]]);
  });
});

const EVENT = { id: 'evt_1', event: 'task.created', created_at: NOW };
/** A delivery of it with its attempts so far. */
const delivery = (attempts: readonly object[] = [], id = 'dlv_1') => ({ id, url: 'http://x', event: EVENT, attempts }) as never;
const attempt = (trigger: string, at = NOW) => ({ n: 1, trigger, at, outcome: 'refused' });
const CREATED = { name: 'tasks', workspace: 'w', at: 0, before: undefined, after: { id: 'task_1' } } as never;

describe('a copy', () => {
  test('begins its own timeline, without the events that came before it', async () => {
    const mock = await start({ sender: async () => ({ kind: 'response', status: 500, took: 1 }) });
    await hook(mock);
    mock.create.project({ name: 'A' });
    await mock.webhooks.settled();
    const fork = mock.fork();
    await fork.clock.advance('30s');
    expect(linesOf(fork)).toEqual([
      '1 clock: 2025-01-20T09:00:00.000Z → 2025-01-20T09:00:30.000Z < >2',
      '2 attempt: attempt 2 of project.created to http://127.0.0.1:9/x → 500 <1 >',
    ]);
    const idle = mock.fork();
    idle.remove.webhook(idle.read.webhooks()[0]!.id);
    expect(linesOf(idle).map((line) => line.slice(2, 28))).toEqual(['edit: mock.remove.webhook ']);
  });

  test('keeps the newest three thousand', () => {
    const timeline = new Timeline();
    for (let i = 0; i < 3005; i++) timeline.note('edit', `${i}`);
    const [oldest] = timeline.log.all();
    expect([timeline.log.size, oldest!.n, oldest!.at, oldest!.real, timeline.next]).toEqual([3000, 6, 0, 0, 3006]);
    const copy = timeline.fork();
    copy.note('edit', 'own');
    expect([copy.log.size, copy.next]).toEqual([3000, 3007]);
  });

  test('releases what it forgets', async () => {
    setFlagsFromString('--expose-gc');
    const timeline = new Timeline();
    const refs = ['a', 'b', 'c'].map((id) => {
      const deliveries = [id];
      timeline.note('edit', id, { deliveries });
      return new WeakRef(deliveries);
    });
    timeline.log.evict([...timeline.log.entries()][1]![1].turn);
    await wait(0);
    runInNewContext('gc')();
    expect(refs.map((ref) => ref.deref())).toEqual([undefined, undefined, ['c']]);
  });

  test('knows no event that it has forgotten or never heard of, and who asked for which delivery once more', () => {
    const timeline = new Timeline();
    timeline.deliver(delivery());
    expect(timeline.log.all()).toEqual([]);
    timeline.change(CREATED);
    timeline.deliver(delivery());
    timeline.note('edit', 'again', { deliveries: ['dlv_1'] });
    timeline.note('edit', 'another', { deliveries: ['dlv_2'] });
    timeline.note('edit', 'neither');
    timeline.deliver(delivery([attempt('replay')]));
    expect(timeline.log.all().at(-1)!.causes).toEqual([2, 3]);
    timeline.log.evict([...timeline.log.entries()][1]![1].turn);
    timeline.deliver(delivery([attempt('retry')]));
    expect(timeline.log.all().at(-1)!.causes).toEqual([]);
  });

  test('numbers requests and tells their steps of a recording', () => {
    const timeline = new Timeline();
    timeline.step = () => 7;
    expect(timeline.request(() => 'done')).toEqual({ value: 'done', n: 1, step: 7 });
    timeline.note('edit', 'a');
    expect([timeline.request(() => timeline.next), timeline.log.all()]).toEqual([
      { value: 4, n: 3, step: 7 },
      [expect.objectContaining({ n: 2, title: 'a', step: 7 })],
    ]);
  });

  test('continues with the events and the clock of what it was made of', () => {
    const timeline = new Timeline();
    timeline.change(CREATED);
    for (const id of ['dlv_1', 'dlv_2', 'dlv_2']) timeline.deliver(delivery([], id));
    timeline.note('clock', 'moved');
    timeline.note('edit', 'later');
    const copy = timeline.fork();
    copy.clock = { mode: 'frozen', now: () => 7, time: { now: () => 8 } } as never;
    copy.deliver(delivery([attempt('retry', '2025-01-20T09:00:30.000Z')]));
    const [, said, , , last] = copy.log.all();
    expect(said!.deliveries).toEqual(['dlv_1', 'dlv_2']);
    expect(last).toMatchObject({ causes: [2, 3], title: 'attempt 1 of task.created to http://x → refused', at: 7, real: 8 });
    expect(timeline.log.all()).toHaveLength(4);
  });
});
