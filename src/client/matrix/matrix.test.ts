// Which flips there are, which of them a command would notice, and how those that break it are found.
import { describe, expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import type { Mock } from '../../mock/api/mock.ts';
import { readArgs, toServeOptions } from '../../node/command-line/args.ts';
import { CHOICES, choose } from '../../service/contract/choices.ts';
import { LATEST } from '../../service/contract/releases.ts';
import { type FlipVerdict, searchFlips } from './flip-search.ts';
import { applyFlips, type Flip, listFlips } from './flips.ts';
import { buildMatrixReport, MATRIX_FORMATS } from './matrix-report.ts';
import { findDifference, lacksRelease, measureFidelity, playTraffic, recordTraffic, type TrafficStep } from './traffic.ts';
import { orderFaults } from './variant-mock.ts';

const AS_IT_IS = { choices: choose(), release: LATEST, forward: [], plan: undefined, frozen: false };
const all = listFlips(AS_IT_IS, { operations: new Set(['listTasks']), events: true });
const ids = (flips: readonly Flip[]) => flips.map(({ id }) => id);
const some = (count: number) => all.filter(({ kind }) => kind === 'choice').slice(0, count);

describe('flips', () => {
  test('are every other answer to every open point, and each once', () => {
    const choices = all.filter(({ kind }) => kind === 'choice');
    const others = Object.values(CHOICES).reduce((sum, { options }) => sum + Object.keys(options).length - 1, 0);
    expect(choices.length).toBeLessThanOrEqual(others);
    expect(new Set(ids(all)).size).toBe(all.length);
    expect(new Set(all.map(({ kind }) => kind))).toEqual(
      new Set(['choice', 'forward-compat', 'release', 'plan', 'fault', 'webhook']),
    );
  });

  test('do not undo what the mock does already', () => {
    const [name, { options }] = Object.entries(CHOICES)[0]!;
    const other = Object.keys(options)[1]!;
    const given = { ...AS_IT_IS, choices: choose({ [name]: other }), forward: ['fields'] as const };
    const flips = listFlips(given, { operations: new Set(), events: false });
    expect(ids(flips)).not.toContain(`choice:${name}=${other}`);
    expect(ids(flips)).not.toContain('forward-compat:fields=on');
  });

  test('ask nothing that no client can do: not a public address of a test, no waiting on a clock that stands', () => {
    expect(all.filter(({ name }) => name === 'webhook-url')).toEqual([]);
    const frozen = listFlips({ ...AS_IT_IS, frozen: true }, { operations: new Set(), events: true });
    expect(frozen.filter(({ kind }) => kind === 'webhook' || kind === 'plan').map(({ name }) => name)).toEqual(['duplicate']);
  });

  test('say the flag that sets what they set', () => {
    for (const { flag, options } of all.filter((one) => one.flag !== undefined && one.kind !== 'choice')) {
      const { flags } = readArgs(['exec', ...flag!.split(' ')], {});
      expect(Object.entries(toServeOptions(flags)).join()).toBe(Object.entries(options).join());
    }
  });

  test('of one group go together with what was given', () => {
    const [one, two] = all.filter(({ group }) => group === 'changes to come');
    const [choice] = some(1);
    const options = applyFlips({ forwardCompat: 'messages', choices: { 'default-order': 'newest' } }, [one!, two!, choice!]);
    expect(options.forwardCompat).toEqual(['fields', 'messages', 'enums']);
    expect(options.choices).toEqual({ 'default-order': 'newest', [choice!.name]: choice!.value });
  });
});

describe('the search', () => {
  const searching = async (flips: readonly Flip[], breaks: (given: readonly string[]) => boolean) => {
    let runs = 0;
    const { verdicts, searchGroup } = searchFlips(async (given) => {
      runs += 1;
      return breaks(ids(given)) ? { passed: false, tests: ['a test'] } : { passed: true, tests: [] };
    }, 2);
    await searchGroup(flips);
    const breaking = new Set(
      [...verdicts.values()].flatMap((one) => (one.status === 'breaks' ? [ids(one.together).join(' + ')] : [])),
    );
    return { breaking: [...breaking], runs, verdicts };
  };

  test('tries a group that breaks nothing once', async () => {
    const { breaking, runs } = await searching(some(20), () => false);
    expect([breaking, runs]).toEqual([[], 1]);
  });

  test.each([[[0]], [[19]], [[3, 4]], [[0, 7, 19]]])('finds the flips %j of twenty, and no other', async (places) => {
    const flips = some(20);
    const wanted = places.map((place) => flips[place]!.id);
    const { breaking, runs } = await searching(flips, (given) => wanted.some((id) => given.includes(id)));
    expect(breaking.sort()).toEqual(wanted.sort());
    expect(runs).toBeLessThanOrEqual(wanted.length * 13);
  });

  test('finds two that break together alone', async () => {
    const flips = some(16);
    const pair = [flips[2]!.id, flips[13]!.id];
    const { breaking } = await searching(flips, (given) => pair.every((id) => given.includes(id)));
    expect(breaking).toEqual([pair.join(' + ')]);
  });

  test('names no failures that break together alone: what adds up is waiting', async () => {
    const slow = listFlips(AS_IT_IS, { operations: new Set(['listTasks', 'getMe', 'createTask']), events: false });
    const { breaking } = await searching(
      slow.filter(({ name }) => name === 'slow'),
      (given) => given.length > 1,
    );
    expect(breaking).toEqual([]);
  });

  test('blames no flip for a command that fails now and then', async () => {
    let turn = 0;
    const { breaking, verdicts } = await searching(some(20), () => ++turn % 5 === 1);
    expect(breaking).toEqual([]);
    expect([...verdicts.values()].some(({ status }) => status === 'flaky')).toBe(true);
  });
});

type Call = (method: string, path: string, body?: object, key?: string) => Promise<Response>;

/** A client's requests to a fresh mock, and its traffic. */
const asking = async (ask: (call: Call, mock: Mock) => Promise<void>) => {
  const mock = await createMock({ now: '2025-01-20T09:00:00Z' });
  const steps: TrafficStep[] = [];
  const fetch = recordTraffic(
    mock.app,
    () => 0,
    (step, place) => (steps[place] = step),
  );
  await ask(async (method, path, body, key) => {
    const auth = key === undefined ? mock.auth('admin') : { authorization: `Bearer ${key}` };
    const headers = { ...auth, ...(body && { 'content-type': 'application/json' }) };
    return fetch(new Request(`http://127.0.0.1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }));
  }, mock);
  await mock.close();
  const at = (flips: readonly Flip[]) => playTraffic({ now: '2025-01-20T09:00:00Z' }, flips, steps);
  return { steps, at, before: await at([]) };
};
const byId = (id: string) => all.find((one) => one.id === id)!;

describe('the traffic', () => {
  test('tells which flips a command meets, and where first', async () => {
    const { steps, at, before } = await asking(async (call) => {
      const made = (await (await call('POST', '/v1/projects', { name: 'One' })).json()) as { data: { id: string } };
      await call('PATCH', `/v1/projects/${made.data.id}`, { name: 'Two' });
    });
    expect(measureFidelity(steps, before)).toBe(1);
    expect(findDifference(steps, before, await at([]))).toBeUndefined();
    expect(findDifference(steps, before, await at([byId('choice:patch-status=202')]))).toMatchObject({ was: 200, is: 202 });
    expect(findDifference(steps, before, await at([byId('choice:broken-cursor=first-page')]))).toBeUndefined();
    expect(findDifference(steps, before, await at([byId('plan:plan=free')]))).toBeUndefined();
  });

  test('of a world of its own counts as well, and a release without an operation is told', async () => {
    const { steps, at, before } = await asking(async (call) => {
      await call('POST', '/_mock/worlds', { id: 'one' });
      await call('POST', '/worlds/one/v1/teams', { name: 'Crew' });
      await call('GET', '/_mock/requests');
    });
    expect(steps.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /_mock/worlds', 'POST /worlds/one/v1/teams']);
    const older = await at([byId('release:release=1.0')]);
    expect(lacksRelease('1.0', steps, before, older)).toBe(true);
    expect(lacksRelease(LATEST, steps, before, before)).toBe(false);
  });

  test('of a world that a program has made is played with the keys of that world', async () => {
    const { steps, before } = await asking(async (call, mock) => {
      const world = mock.fork({ id: 'w_1', from: 'seed', mintKeys: true });
      await call('POST', '/worlds/w_1/v1/projects', { name: 'One' }, world.keys.at(-1)!.value);
    });
    expect([measureFidelity(steps, before), steps[0]!.status]).toEqual([1, 201]);
  });

  test.each([
    ['1.2', 'POST', '/v1/projects/proj_none/tasks', true],
    ['1.2', 'GET', '/v1/tasks?filter[priority]=high', true],
    ['1.1', 'GET', '/v1/tasks?limit=5', false],
    ['1.0', 'GET', '/v1/tasks?limit=5', true],
  ] as const)('tells whether v%s knows what %s %s asks for', async (release, method, path, isLacking) => {
    const { steps, before } = await asking(async (call) => {
      const made = (await (await call('POST', '/v1/projects', { name: 'One' })).json()) as { data: { id: string } };
      const body = method === 'POST' ? { title: 'A', priority: 'high' } : undefined;
      await call(method, path.replace('proj_none', made.data.id), body);
    });
    expect(lacksRelease(release, steps, before, before)).toBe(isLacking);
  });

  test('beyond a plan waits for seconds, not for a minute', async () => {
    const ask = async (call: (method: string, path: string) => Promise<Response>) => {
      for (let i = 0; i < 70; i++) await call('GET', '/v1/users/me');
    };
    const { steps, before, at } = await asking(ask);
    const free = await at([byId('plan:plan=free')]);
    expect(findDifference(steps, before, free)).toMatchObject({ more: 9, was: 200, is: 429 });
    const [, seconds] = /"retry-after","(\d+)"/.exec(free.responses.at(-1)!.headers)!;
    expect(Number(seconds)).toBeLessThanOrEqual(2);
  });
});

const breaks = (together: readonly Flip[], ...tests: readonly string[]): FlipVerdict => ({ status: 'breaks', together, tests });
const reportOn = (flips: readonly Flip[], verdicts: readonly (readonly [Flip, FlipVerdict])[], more: object = {}) =>
  buildMatrixReport({
    command: 'npm test',
    flips,
    verdicts: new Map(verdicts.map(([{ id }, verdict]) => [id, verdict])),
    pruned: new Map(),
    touches: new Map(),
    known: new Set(),
    baseline: { runs: 2, exit: 0 },
    seconds: 1,
    ...more,
  });

test('what only the matrix can do is repeated by the matrix, also beside what a flag can do', () => {
  const pair = [some(1)[0]!, all.find(({ kind }) => kind === 'fault')!] as const;
  const { assumptions } = reportOn(pair, [
    [pair[0], breaks(pair)],
    [pair[1], breaks(pair)],
  ]);
  expect(assumptions.map(({ reproduce }) => reproduce)).toEqual([
    `wm-mock matrix --only '${pair[0].id},${pair[1].id}' -- npm test`,
  ]);
});

test('what the specification does not permit is said to come from what stands before a service', () => {
  const faults = all.filter(({ kind }) => kind === 'fault');
  const results = faults.map(({ name, spec }) => [name, spec]);
  expect(results).toEqual([
    ['slow', undefined],
    ['unavailable', undefined],
    ['limited', 'Limits'],
  ]);
  const report = reportOn(
    faults,
    faults.map((one) => [one, breaks([one])]),
  );
  const outside =
    'not the specification, but what is in front of a service (gateways, deploys, networks): no service is always available or always fast';
  const permitted = [outside, outside, 'specification, Limits'];
  expect(report.assumptions.map(({ permitted_by }) => permitted_by)).toEqual(permitted);
  const values = report.assumptions.map((one) => ['spec' in one, one.spec]);
  expect(values).toEqual([
    [false, undefined],
    [false, undefined],
    [true, 'Limits'],
  ]);
  const lines = MATRIX_FORMATS.text(report).split('\n');
  expect(lines.filter((line) => line.startsWith('  permitted  '))).toEqual(permitted.map((one) => `  permitted  ${one}`));
  const [{ says, reproduce }] = report.assumptions as readonly [(typeof report.assumptions)[number]];
  const rows = report.assumptions.map((one) => `| ${one.says} |  |  | \`${one.reproduce}\` |`);
  expect(MATRIX_FORMATS.text(report)).toMatch(/^3 assumptions found:\n\n1\. /);
  expect(lines.slice(2, 6)).toEqual([`1. ${says}`, `  permitted  ${outside}`, `  try        ${reproduce}`, '']);
  expect(MATRIX_FORMATS.text(report).endsWith('\n\n3 flips: 3 breaks; 1 s\n')).toBe(true);
  const head = ['### wm-mock matrix', '', '| assumption | test | differs | try |', '| --- | --- | --- | --- |'];
  expect(MATRIX_FORMATS.markdown(report)).toBe([...head, ...rows, '', '3 flips: 3 breaks', ''].join('\n'));
  const page = MATRIX_FORMATS.page(report);
  expect(page).toContain('<h1>Your app has 3 assumptions</h1>');
  expect(page).toContain(
    '<tr><td><code>fault:slow=listTasks</code></td><td class="breaks">breaks</td><td>the command fails</td></tr>',
  );
  expect(page.split(`Permitted by</dt><dd>${outside}`)).toHaveLength(3);
  expect(page).toContain('Permitted by</dt><dd>specification, Limits');
  expect(page).toContain(
    'was run on a service that behaves in other ways that the specification permits, or that fails for a moment. 3 flips: 3 breaks; in 1 s.',
  );
});

const failing = (mock: Mock, token?: string) =>
  orderFaults(mock.app, [{ match: { operation: 'listTasks' }, effect: { status: 503 } }], () => token);

test('faults are ordered with the token of a mock that asks for one', async () => {
  const mock = await createMock({ controlToken: 'sesame' });
  const fetch = failing(mock, 'sesame');
  expect((await fetch(new Request('http://127.0.0.1/v1/tasks', { headers: mock.auth('read') }))).status).toBe(503);
  await mock.close();
});

test('faults strike in every world, also after it went back to its seed', async () => {
  const mock = await createMock();
  const fetch = failing(mock);
  const headers = { ...mock.auth('read'), 'content-type': 'application/json' };
  const status = async (path: string, method = 'GET', body?: string) =>
    (await fetch(new Request(`http://127.0.0.1${path}`, { method, headers, ...(body && { body }) }))).status;
  expect(await status('/v1/tasks')).toBe(503);
  expect([await status('/_mock/reset', 'POST'), await status('/v1/tasks')]).toEqual([200, 503]);
  expect(await status('/_mock/worlds', 'POST', '{"id":"two"}')).toBe(201);
  expect([await status('/worlds/two/v1/tasks'), await status('/worlds/two/v1/projects')]).toEqual([503, 200]);
  // One that the command orders itself goes first.
  const own = '{"match":{"operation":"listTasks"},"effect":{"status":500},"times":1}';
  expect(await status('/_mock/faults', 'POST', own)).toBe(201);
  expect([await status('/v1/tasks'), await status('/v1/tasks')]).toEqual([500, 200]);
  await mock.close();
});

test('a report is told to the letter: what breaks, what breaks together alone, what is unsteady, what was not tried', () => {
  const flips = some(6) as [Flip, Flip, Flip, Flip, Flip, Flip];
  const [one, two, three, four, five, six] = flips;
  const verdicts: [Flip, FlipVerdict][] = [
    [one, breaks([one], 'adds <it>')],
    [two, breaks([two, three])],
    [three, breaks([two, three])],
    [four, { status: 'same' }],
    [five, { status: 'flaky', failed: 1, of: 3 }],
  ];
  const given = {
    command: 'go',
    known: new Set([`${two.id} + ${three.id}`]),
    touches: new Map([[one.id, { request: 'GET /v1/tasks', was: 200, is: 202, more: 1 }]]),
    seconds: 1.4,
  };
  const report = reportOn(flips, verdicts, given);
  expect(report.flips.map(({ status, why }) => [status, why])).toEqual([
    ['breaks', 'adds <it>'],
    ['known', 'the command fails'],
    ['known', 'the command fails'],
    ['same', 'the command passes'],
    ['flaky', 'the command failed 1 of 3 times'],
    ['pruned', 'not tried: the run was stopped'],
  ]);
  const flagOf = ({ name, value }: Flip) => `--choice ${name}=${value}`;
  expect(MATRIX_FORMATS.text(report)).toBe(`2 assumptions found so far:

1. ${one.says}
  test       adds <it>
  differs    GET /v1/tasks: 202 in place of 200, and 1 more
  permitted  specification, ${one.spec}
  try        wm-mock exec ${flagOf(one)} -- go

2. known: ${two.says} Together with: ${three.says}
  permitted  specification, ${two.spec}
  try        wm-mock exec ${flagOf(two)} ${flagOf(three)} -- go

unsteady: with ${five.id} the command failed 1 of 3 times

6 flips: 1 breaks, 2 known, 1 same, 1 flaky, 1 pruned; 1 s
`);
  expect(MATRIX_FORMATS.markdown(report)).toContain('`GET /v1/tasks: 202 in place of 200, and 1 more`');
  const page = MATRIX_FORMATS.page(report);
  expect([page.includes('<dt>Test</dt><dd>adds &#60;it&#62;</dd>'), page.includes('<it>')]).toEqual([true, false]);
  const junit = MATRIX_FORMATS.junit(report);
  expect(junit).toContain('tests="5" failures="1"');
  expect(junit.match(/<skipped/g)).toHaveLength(3);
  const touches = new Map([[one.id, { request: 'GET /v1/tasks', was: 200, is: 200, more: 0 }]]);
  expect(reportOn([one], verdicts, { touches }).assumptions[0]!.request).toBe('GET /v1/tasks');
  const pruned = reportOn([six], [], { pruned: new Map([[six.id, 'no request asks']]) });
  expect(pruned.flips[0]).toMatchObject({ status: 'pruned', why: 'no request asks' });
  const none = reportOn([four], verdicts, given);
  expect(MATRIX_FORMATS.text(none)).toBe('No assumption found: no flip breaks the command each time.\n\n1 flip: 1 same; 1 s\n');
  expect(MATRIX_FORMATS.page(none)).toContain('<h1>No assumption found</h1>');
  expect(MATRIX_FORMATS.markdown(none)).toBe('### wm-mock matrix\n\n\n1 flip: 1 same\n');
  const stopped = reportOn([six], verdicts, given);
  expect(MATRIX_FORMATS.text(stopped)).toContain('No assumption found so far: not tried yet: 1 flip.\n');
});
