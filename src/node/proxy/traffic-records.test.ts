// The files that remain of traffic: no secret and no name in them, and a mock that responds as the service did.
import { expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import type { MockOptions } from '../../mock/api/options.ts';
import { Random } from '../../service/world/random.ts';
import { readHar, writeHar } from './har.ts';
import { orderedPseudonyms } from './ordered-pseudonyms.ts';
import { Pseudonyms } from './pseudonyms.ts';
import type { JudgedExchange, Traffic } from './traffic.ts';
import { TrafficRecords } from './traffic-records.ts';

const judge = (traffic: Traffic, number = 1, as = 'admin'): JudgedExchange => ({
  number,
  traffic,
  as,
  operation: undefined,
  violations: [],
});

const NAMES = ['Ödön', 'Zhāng', 'O’Brien', 'Müller-Lüdenscheidt', 'Ng', 'Łukasz', '山田太郎', 'Ana María'];
const secretOf = (random: Random, n: number): string => {
  const own = `${random.letters('secret', 8)}${n.toString(36)}q`;
  const forms = [
    `sk_live_${own}`,
    `${own}@corp.example`,
    `${NAMES[n % NAMES.length]} ${own}`,
    `https://x.example/${own}`,
    own,
    `"${own}\\`,
    `${own}&= %`,
  ];
  return forms[random.bits('form') % forms.length]!;
};

/** An exchange with a secret in each of its places. */
const plant = (secret: () => string, n: number): Traffic => {
  const path = encodeURIComponent(secret());
  const record = () => ({
    id: n % 3 === 0 ? secret() : `task_${n}`,
    project_id: 'proj_1',
    title: secret(),
    description: secret(),
    assignee_id: secret(),
    due_date: secret(),
    priority: secret(),
    status: secret(),
    created_at: '2026-01-01T00:00:00Z',
    updated_at: secret(),
    [secret()]: secret(),
    deep: [{ id: secret(), tax_id: secret(), name: secret() }],
  });
  const bodies = [
    () => JSON.stringify({ data: record() }),
    () => JSON.stringify({ items: [record()], meta: { next_cursor: secret(), total: 1 } }),
    () =>
      JSON.stringify({
        error: { code: secret(), message: `No ${secret()}`, details: { fields: [{ field: secret(), issue: secret() }] } },
      }),
    () => `<html>${secret()}</html>`,
    () => `{"title": "${secret()}`,
    () => `a=${encodeURIComponent(secret())}`,
  ];
  return {
    method: ['GET', 'POST', 'PATCH'][n % 3]!,
    target: [
      `/tasks/${path}`,
      `/tasks?filter[status]=${path}&${encodeURIComponent(secret())}=${path}&sort=${path}&cursor=${path}&limit=${path}`,
      `/${path}/x`,
      `/projects/${path}/tasks?filter[${path}]=a`,
    ][n % 4]!,
    requestHeaders: [
      ['Authorization', `Bearer ${encodeURIComponent(secret())}`],
      ['cookie', `sid=${encodeURIComponent(secret())}; b=${path}`],
      ['X-Trace', path],
      ['content-type', `application/json; x=${path}`],
      [`x-${path.replace(/\W/g, '')}`, '1'],
      ['user-agent', path],
    ],
    requestBody: bodies[(n + 1) % bodies.length]!(),
    response: {
      status: [200, 201, 404, 502][n % 4]!,
      headers: [
        ['set-cookie', path],
        ['etag', path],
        ['date', 'Tue, 20 Jan 2026 09:00:00 GMT'],
        ['www-authenticate', `Bearer realm="${path}"`],
      ],
      body: bodies[n % bodies.length]!(),
    },
    sent: 1000 * n,
    came: 1000 * n + 5,
  };
};

test('10,000 secrets and names at any place of the traffic are in no output', async () => {
  const random = new Random(7);
  const secrets: string[] = [];
  const secret = () => {
    secrets.push(secretOf(random, secrets.length));
    return secrets.at(-1)!;
  };
  const traffic: Traffic[] = [];
  while (secrets.length < 10_000) traffic.push(plant(secret, traffic.length));
  const through = readHar([writeHar('https://api.example.com/v1', traffic)]).traffic;
  expect(through).toEqual(traffic);
  const records = new TrafficRecords();
  for (const [i, one] of through.entries()) records.observe(judge(one, i, `key-${i % 3}`));
  const spelled = (text: string) => [
    text,
    JSON.stringify(text),
    encodeURIComponent(text),
    text.toUpperCase(),
    `"${[...text].slice(0, 9).join('')}…" (90 characters)`,
  ];
  const messages = Array.from({ length: 500 }, (_, i) => records.clean(`expected ${spelled(secrets[i * 20]!).join(', got ')}.`));
  const files = await records.files();
  const outputs = [...Object.values(files), ...messages].join('\n').toLowerCase();
  const own = (text: string) => /[a-z0-9]{8}[a-z0-9]+q/.exec(text)![0];
  const parts = new Set(outputs.match(/[a-z0-9]{9,}/g));
  const leaked = secrets.filter((one) => parts.has(own(one)) || [...parts].some((part) => part.includes(own(one).slice(0, 7))));
  expect(leaked).toEqual([]);
  expect(NAMES.filter((name) => name.length > 2 && outputs.includes(name.toLowerCase()))).toEqual([]);
});

/** Reads of each list and record of a mock, and writes between them. */
const recordSession = async (requests: readonly (readonly [string, string, object?])[], options: MockOptions = {}) => {
  const mock = await createMock({ seed: 'demo', plan: 'unlimited', ...options });
  const traffic: Traffic[] = [];
  for (const [method, target, given] of requests) {
    const headers = { ...mock.auth('admin'), 'content-type': 'application/json' };
    const text = given && JSON.stringify(given);
    const response = await mock.fetch(target, { method, headers, ...(text && { body: text }) });
    const body = await response.text();
    const sent = 1_768_899_600_000 + traffic.length;
    traffic.push({
      method,
      target,
      requestHeaders: Object.entries(headers),
      requestBody: text,
      response: { status: response.status, headers: [...response.headers] as [string, string][], body },
      sent,
      came: sent + 1,
    });
  }
  await mock.close();
  return traffic;
};

const LISTS = [
  '/tasks?limit=100',
  '/tasks?sort=title&limit=100',
  '/tasks?sort=-due_date&limit=50',
  '/tasks?filter[status]=todo&sort=-updated_at',
  '/projects?limit=100',
  '/teams',
  '/workspace/members?limit=100',
  '/users/me',
];
const getsOf = (targets: readonly string[]) => targets.map((target) => ['GET', target] as const);

/** Sends the traffic again to a mock that has its seed. */
const expectSameFromSeed = async (traffic: readonly Traffic[]) => {
  const records = new TrafficRecords();
  for (const [i, one] of traffic.entries()) records.observe(judge(one, i));
  const { 'seed.yaml': seed, 'traffic.har': har } = await records.files();
  const mock = await createMock({ seed, choices: records.choices });
  const shape = (text: string) => {
    const { items = [], meta, data } = JSON.parse(text);
    return { ids: items.map(({ id }: { id: string }) => id), total: meta?.total, id: data?.id };
  };
  const { traffic: redacted } = readHar([har]);
  expect(redacted.map(({ target }) => target)).toEqual(traffic.map(({ target }) => target));
  for (const [i, { method, target, requestBody, response }] of redacted.entries()) {
    const own = await mock.fetch(target, {
      method,
      headers: { ...mock.auth('admin'), 'content-type': 'application/json' },
      ...(requestBody && { body: requestBody }),
    });
    expect([target, own.status]).toEqual([target, response!.status]);
    if (method === 'GET') expect([target, shape(await own.text())]).toEqual([target, shape(traffic[i]!.response!.body)]);
  }
  await mock.close();
};

test('a mock with the seed responds to the recorded reads with the same ids, order and counts', async () => {
  const [first] = await recordSession([['GET', '/tasks?limit=100']]);
  const task = JSON.parse(first!.response!.body).items[3];
  const traffic = await recordSession([
    ...getsOf(LISTS),
    ['GET', `/tasks/${task.id}/comments`],
    ['POST', `/projects/${task.project_id}/tasks`, { title: 'New' }],
    ['PATCH', `/tasks/${task.id}`, { title: 'Zeta' }],
    ['DELETE', `/tasks/${task.id}`],
  ]);
  await expectSameFromSeed(traffic);
});

const LISTED = { id: 'ws_1', users: [{ id: 'user_1' }], api_keys: [{ scope: 'admin' }] };
const day = (n: number) => `2025-01-${10 + n}T00:00:00Z`;

test.each([
  ['oldest', 0],
  ['newest', 9],
] as const)('a project that no list showed is on no page of the mock that has one, %s first', async (order, made) => {
  const projects = [1, 2, 3, 4, 5, 6].map((n) => ({ id: `proj_${n}`, created_at: day(n) }));
  const tasks = projects.map(({ id }) => ({ project_id: id, title: 'A', created_at: day(made) }));
  const options = { seed: { workspaces: [{ ...LISTED, projects, tasks }] }, choices: { 'default-order': order } };
  await expectSameFromSeed(await recordSession(getsOf(['/projects?limit=2', '/tasks', '/projects?limit=3']), options));
});

test('records of one moment keep the order in which lists showed them, whatever showed them first', async () => {
  const projects = [{ id: 'proj_1', created_at: day(1) }];
  const tasks = ['done', 'todo', 'done', 'backlog', 'todo', 'done'].map((status, i) => {
    return { id: `task_${i}`, project_id: 'proj_1', title: 'A', status, created_at: day(1) };
  });
  const seed = { workspaces: [{ ...LISTED, projects, tasks }] };
  const targets = [
    '/tasks/task_5',
    '/tasks?filter[status]=todo',
    '/tasks',
    '/tasks?filter[status]=done',
    '/tasks?sort=-created_at',
  ];
  await expectSameFromSeed(await recordSession(getsOf(targets), { seed }));
});

test('pseudonyms keep lengths, equalities and the order by code point, and are the same for the same texts', () => {
  const random = new Random(3);
  const letters = [...'abcABC äüß😀山-'];
  const text = (length: number) => Array.from({ length }, () => letters[random.bits('letter') % letters.length]).join('');
  const texts = [...new Set(Array.from({ length: 5000 }, () => text(1 + (random.bits('length') % 30))))];
  const made = orderedPseudonyms(texts);
  expect(orderedPseudonyms([...texts].reverse())).toEqual(made);
  expect(new Set(made.values()).size).toBe(texts.length);
  expect(texts.filter((one) => [...one].length !== [...made.get(one)!].length)).toEqual([]);
  const points = (one: string) => [...one].map((letter) => String(letter.codePointAt(0)).padStart(7, '0')).join('');
  const sorted = (list: readonly string[]) => [...list].sort((a, b) => (points(a) < points(b) ? -1 : 1));
  expect(sorted(texts).map((one) => made.get(one)!)).toEqual(sorted([...made.values()]));
});

test('500 messages are cleaned of 20,000 texts', () => {
  const pseudonyms = new Pseudonyms(() => false);
  for (let i = 0; i < 20_000; i++) pseudonyms.note('text', `Task of Ödön ${i}, the long one`);
  for (let i = 0; i < 500; i++) {
    const cleaned = pseudonyms.clean(
      `title: expected "TASK OF ÖDÖN ${i}, the long one", got "Task of Ödön ${i}, th…" in /tasks?q=Task+of+%C3%96d%C3%B6n+${i}%2C+the+long+one`,
    );
    expect(cleaned).not.toMatch(/task of|ödön|the long|%C3/i);
  }
});

test('lists that were seen in part have the totals and the pages that were seen', async () => {
  const parts = [
    '/projects?sort=-created_at&limit=1',
    '/tasks?limit=3',
    '/tasks?limit=3&sort=-created_at',
    '/tasks?limit=2&sort=title',
    '/tasks?limit=2&sort=-title',
    '/tasks?limit=2&sort=due_date',
    '/tasks?filter[status]=todo&limit=1',
    '/tasks?filter[status]=todo&filter[priority]=high&limit=1',
    '/projects?limit=2',
    '/teams?limit=1',
    '/workspace/members?limit=2',
    '/projects?sort=name',
  ];
  await expectSameFromSeed(await recordSession(getsOf(parts)));
});

test('the total of a list that was read after writes is that of the state before them', async () => {
  const [first] = await recordSession([['GET', '/tasks?limit=3']]);
  const [one, two, three] = JSON.parse(first!.response!.body).items;
  const traffic = await recordSession([
    ['GET', '/tasks?limit=3'],
    ['PATCH', `/tasks/${one.id}`, { status: one.status === 'done' ? 'todo' : 'done' }],
    ['DELETE', `/tasks/${two.id}`],
    ['POST', `/projects/${three.project_id}/tasks`, { title: '~', status: one.status }],
    ...getsOf([
      `/tasks?filter[status]=${one.status}&sort=title&limit=1`,
      `/projects/${three.project_id}/tasks?sort=title&limit=1`,
    ]),
  ]);
  await expectSameFromSeed(traffic);
});
