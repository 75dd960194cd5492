// Requests to receivers and entries of the delivery log, to the byte: each event, each profile, each release, each way to fail.

import { describe, expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { toSeed } from '../../mock/api/create.ts';
import type { Mock } from '../../mock/api/mock.ts';
import { BUSY } from '../../test/busy.ts';
import { keep } from '../../test/closing.ts';
import { otherwise, Script } from '../../test/script.ts';
import type { Release } from '../contract/releases.ts';
import { BLANKS } from '../world/records.ts';
import type { Outcome } from './delivery.ts';
import type { Sender, Sending } from './sender.ts';

const ALL = 'http://127.0.0.1:9/all';
const WITH_HOOKS = BUSY.replace(
  '    projects:\n',
  `    webhooks:
      - { id: wh_all, url: "${ALL}", secret: whsec_all, created_at: -40d }
      - { id: wh_tasks, url: "http://localhost:9/tasks", secret: "whsec_c2VjcmV0LWluLWJhc2U2NA==", events: [task.updated, task.deleted], created_at: -39d }
      - { id: wh_far, url: "https://hooks.example.com/far", secret: whsec_far, created_at: -38d }
    projects:
`,
);

/** Records what is sent, and takes its outcomes from a list. */
const recorder = () => {
  const sendings: Sending[] = [];
  const outcomes: (Outcome | Error)[] = [];
  const sender: Sender = async (sending) => {
    sendings.push(sending);
    const outcome = outcomes.shift() ?? { kind: 'response', status: 200, took: 12 };
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  return { sendings, outcomes, sender };
};

/** Each request that was sent, in the order of the log: what is due at one moment goes out as soon as it is signed. */
const sentBy = (mock: Mock, sendings: readonly Sending[]): string[] => {
  const place = ({ url, body }: Sending) =>
    mock.deliveries.findIndex((one) => one.url === url && one.event.id === JSON.parse(body).id);
  return [...sendings]
    .sort((a, b) => place(a) - place(b))
    .map(({ url, headers, body }) =>
      [`POST ${url}`, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`), `  ${body}`].join('\n'),
    );
};

const logOf = (mock: Mock): string[] =>
  mock.deliveries.flatMap(({ id, webhook_id, workspace_id, event, url, state, attempts, next_attempt_at, stopped }) => [
    `${id} ${event.event} ${event.id} of ${workspace_id} for ${webhook_id} at ${url}: ${state}${next_attempt_at ? `, next ${next_attempt_at}` : ''}${stopped ? `, ${stopped}` : ''}`,
    ...attempts.map((attempt) => `  ${JSON.stringify(attempt, (_, value) => (value === undefined ? 'undefined' : value))}`),
  ]);

interface Terms {
  readonly choices?: Readonly<Record<string, string>>;
  readonly release?: Release;
  readonly forward?: string | boolean;
  readonly deliverPublic?: boolean;
  readonly outcomes?: readonly (Outcome | Error)[];
}

const seed = await toSeed({ seed: WITH_HOOKS });

const start = async ({ choices = {}, release, forward, deliverPublic = false, outcomes = [] }: Terms) => {
  const recording = recorder();
  recording.outcomes.push(...outcomes);
  const mock = await createMock({ seed, choices, sender: recording.sender, deliverPublic, ...(release ? { release } : {}) });
  if (forward) mock.moveAhead(forward);
  keep(mock);
  return { ...recording, mock, script: new Script(mock) };
};

/** One change of each kind. */
const change = async (script: Script): Promise<void> => {
  const made = await script.ask('POST', '/projects', { body: { name: 'New' } });
  await script.ask('PATCH', `/projects/${made.data.id}`, { body: { description: 'Said' } });
  const task = await script.ask('POST', `/projects/${made.data.id}/tasks`, {
    body: { title: 'Naïve 漆', assignee_id: 'user_bo' },
  });
  await script.ask('PATCH', `/tasks/${task.data.id}`, { body: { title: 'Plain' } });
  await script.ask('PATCH', `/tasks/${task.data.id}`, { body: { status: 'done' } });
  await script.ask('PATCH', `/tasks/${task.data.id}`, { body: { status: 'done' } });
  await script.ask('DELETE', '/tasks/task_1');
  await script.ask('POST', '/teams', { body: { name: 'Quiet' } });
  await script.ask('DELETE', '/projects/proj_two');
  await script.ask('POST', '/projects', { body: { name: 'Far' }, key: 'other_admin' });
};

/** Requests and log entries of one change of each kind. */
const sent = async (terms: Terms): Promise<readonly string[]> => {
  const { mock, script, sendings } = await start(terms);
  await change(script);
  await mock.webhooks.settled();
  return [...sentBy(mock, sendings), '', '# The log', ...logOf(mock)];
};
const file = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

const OTHERS: readonly (readonly [name: string, terms: Terms])[] = [
  ['public receivers are reached too', { deliverPublic: true }],
  ...(
    [
      ['task-snapshot', 'minimal'],
      ['project-delete-events', 'each'],
      ['signature', 'stripe'],
      ['signature', 'github'],
      ['signature', 'standard-webhooks'],
      ['datetime-format', 'seconds'],
      ['absent-values', 'left-out'],
      ['owner-field', 'owner_id'],
      ['id-style', 'opaque'],
    ] as const
  ).map(([choice, option]) => [`${choice} is ${option}`, { choices: { [choice]: option } }] as const),
  ...(['1.0', '1.1', '1.2'] as const).map((release) => [`v${release}`, { release }] as const),
  ...['hex', 'stripe', 'github', 'standard-webhooks'].map(
    (signature) => [`v1.0, ${signature} of the body alone`, { release: '1.0', choices: { signature } }] as const,
  ),
  ...['fields', 'enums', 'headers', 'order', 'messages'].map((forward) => [`ahead by ${forward}`, { forward }] as const),
];

describe('receivers', () => {
  test('get each event, as it is and otherwise', async () => {
    const usual = await sent({});
    await expect(file(usual)).toMatchFileSnapshot('golden/events.txt');
    const differing: string[] = [];
    for (const [name, terms] of OTHERS) differing.push(otherwise(name, await sent(terms), usual, 1));
    await expect(differing.join('')).toMatchFileSnapshot('golden/otherwise.txt');
  });

  test.each(['member', 'profile'])('get the events of members, whose snapshot is as %s', async (option) => {
    const { mock, sendings } = await start({ choices: { 'member-snapshot': option } });
    const { world } = mock;
    const person = { id: 'user_di', name: 'Di', email: 'di@busy.test', role: 'member', avatar_url: null } as const;
    const invited = { ...person, created_at: mock.clock.now, state: 'invited' } as const;
    const tell = (before: object | undefined, after: object | undefined) => {
      for (const observer of world.observers)
        observer({ name: 'users', workspace: 'ws_busy', at: world.clock.now(), before: before as never, after: after as never });
    };
    tell(undefined, invited);
    tell(invited, { ...invited, name: 'Dina' });
    tell(invited, { ...invited, state: 'joined' });
    tell({ ...invited, state: 'joined' }, undefined);
    tell(undefined, { ...invited, state: 'joined' });
    await mock.webhooks.settled();
    await expect(file(sentBy(mock, sendings))).toMatchFileSnapshot(`golden/members-as-${option}.txt`);
  });
});

test('receivers get events of comments from a service that is ahead', async () => {
  const { mock, sendings } = await start({ forward: 'enums' });
  const draft = { task_id: 'task_1', author_id: 'user_bo', body: 'New' };
  const comment = { ...BLANKS.comments, id: 'cmt_new', ...draft, created_at: mock.clock.now };
  const { value, workspace } = mock.world.store.webhooks.get('wh_all')!;
  const some = { ...value, id: 'wh_some', url: 'http://127.0.0.1:9/some', events: ['task.created'] as const };
  mock.world.store.webhooks.put({ value: some, workspace, sequence: 999 });
  for (const observer of mock.world.observers)
    observer({ name: 'comments', workspace: 'ws_busy', at: mock.world.clock.now(), before: undefined, after: comment });
  await mock.webhooks.settled();
  await expect(file(sentBy(mock, sendings))).toMatchFileSnapshot('golden/comments.txt');
});

describe('the log', () => {
  const failures: readonly (Outcome | Error)[] = [
    { kind: 'response', status: 500, excerpt: 'Oh no', took: 34.5 },
    { kind: 'timeout', error: 'no response within 10 s', took: 10_000 },
    { kind: 'refused', error: 'connect ECONNREFUSED', took: 1.4 },
    { kind: 'response', status: 302, took: 3, error: 'the body of the response broke off' },
    new Error('thrown'),
    { kind: 'response', status: 404, excerpt: '', took: 9 },
  ];
  const play = async (terms: Terms): Promise<readonly string[]> => {
    const { mock, script, sendings } = await start(terms);
    await script.ask('POST', '/projects', { body: { name: 'New' } });
    const log = ['# At once', ...logOf(mock)];
    await mock.webhooks.settled();
    log.push('# Settled', ...logOf(mock));
    for (let i = 0; i < 6; i++) {
      const { now, next, deliveries } = await mock.clock.advance('next');
      log.push(`# Advanced to ${now}, next ${next}: ${deliveries.map(({ id }) => id).join(' ')}`, ...logOf(mock).slice(0, 8));
    }
    return [...log, '', '# Sent', ...sentBy(mock, sendings)];
  };

  test('keeps a delivery that fails in every way, also where retries are counted from the attempt', async () => {
    const usual = await play({ outcomes: failures });
    await expect(file(usual)).toMatchFileSnapshot('golden/failing.txt');
    const choices = { 'retry-counted-from': 'attempt' };
    const others = otherwise('retries counted from the attempt', await play({ outcomes: failures, choices }), usual, 20);
    await expect(others).toMatchFileSnapshot('golden/failing-otherwise.txt');
  });

  test('keeps one that is acknowledged after failures, with 299, not 300', async () => {
    const outcomes = [199, 300, 299].map((status) => ({ kind: 'response', status, took: 1 }) as const);
    const { mock, script } = await start({ outcomes });
    await script.ask('POST', '/projects', { body: { name: 'New' } });
    await mock.clock.advance('3h');
    const [{ state, attempts }] = mock.deliveries as [Mock['deliveries'][number]];
    expect([state, attempts.map(({ status, outcome }) => status ?? outcome)]).toEqual(['delivered', [199, 300, 299]]);
  });

  test('marks an attempt that the sender simulated, and no other', async () => {
    const outcomes = [{ kind: 'response', status: 200, took: 1, simulated: true } as const];
    const { mock, script } = await start({ outcomes });
    for (const name of ['First', 'Second']) {
      await script.ask('POST', '/projects', { body: { name } });
      await mock.webhooks.settled();
    }
    const attempts = mock.deliveries.filter(({ webhook_id }) => webhook_id === 'wh_all').map((one) => one.attempts[0]!);
    expect(attempts.map((attempt) => ['simulated' in attempt, attempt.simulated])).toEqual([
      [true, true],
      [false, undefined],
    ]);
  });

  test('keeps outcomes on order, replays and deleted registrations', async () => {
    const { mock, script, sendings, outcomes } = await start({});
    const changes: string[] = [];
    const webhooks = mock.world && mock.webhooks;
    const stop = webhooks.onDelivery(({ id, state, attempts }) => changes.push(`${id} ${state} ${attempts.length}`));
    webhooks.simulate('wh_all', [500, 'timeout', 'dns', 'tls', 'reset', 'refused']);
    const refuses = (act: () => unknown, status: number, code: string, message: string) =>
      expect(act).toThrow(expect.objectContaining({ status, code, message: expect.stringContaining(message) }));
    refuses(() => webhooks.simulate('wh_none', [500]), 404, 'not_found', 'no registration has the id "wh_none"');
    await script.ask('POST', '/projects', { body: { name: 'New' } });
    const [first, second] = mock.deliveries;
    const again = () => webhooks.replay(first!.id);
    refuses(again, 409, 'conflict', 'The delivery is pending: only a delivered or failed one can be replayed.');
    await webhooks.settled();
    refuses(again, 409, 'conflict', 'The delivery is retrying: only a delivered or failed one can be replayed.');
    refuses(() => webhooks.replay('dlv_none'), 404, 'not_found', 'no delivery has the id "dlv_none"');
    await mock.clock.advance('1d');
    outcomes.push({ kind: 'response', status: 503, took: 1 });
    webhooks.replay(first!.id);
    await webhooks.settled();
    webhooks.replay(first!.id);
    expect(webhooks.replay(second!.id)).toEqual(mock.deliveries[1]);
    await webhooks.settled();
    webhooks.simulate('wh_all', [500]);
    await script.ask('POST', '/projects', { body: { name: 'Newer' } });
    await webhooks.settled();
    await script.ask('POST', '/projects', { body: { name: 'Newest' } });
    const store = mock.world.store.webhooks;
    const row = store.get('wh_all')!;
    store.remove('wh_all');
    for (const observer of mock.world.observers)
      observer({ name: 'webhooks', workspace: 'ws_busy', at: mock.world.clock.now(), before: row.value, after: undefined });
    await mock.clock.advance('1d');
    refuses(again, 409, 'conflict', 'The registration of this delivery was deleted, and its secret with it.');
    stop();
    await script.ask('POST', '/projects', { body: { name: 'Unheard' } });
    const lines = [...logOf(mock), '', '# Heard', ...changes, '', '# Sent', ...sentBy(mock, sendings)];
    await expect(file(lines)).toMatchFileSnapshot('golden/orders-and-replays.txt');
  });
});
