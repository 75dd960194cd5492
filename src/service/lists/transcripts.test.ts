// Responses of lists, to the byte: every parameter, every mistake, every other choice at an open point, each release.
import { afterAll, describe, expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { BUSY } from '../../test/busy.ts';
import { otherwise, Script } from '../../test/script.ts';
import type { Release } from '../contract/releases.ts';

const mock = await createMock({ seed: BUSY });
afterAll(() => mock.close());

interface Terms {
  readonly choices?: Readonly<Record<string, string>>;
  readonly release?: Release;
  readonly forward?: string;
}

/** Plays requests on some terms in a world of its own. */
const on = async (
  { choices = {}, release, forward }: Terms,
  play: (script: Script) => Promise<void>,
  ids = true,
): Promise<Script> => {
  const world = mock.fork({ from: 'seed' });
  world.choose(choices);
  if (release) world.become(release);
  if (forward) world.moveAhead(forward);
  const script = new Script(world);
  script.ids = ids;
  await play(script);
  await world.close();
  return script;
};

const asks =
  (...paths: readonly string[]) =>
  async (script: Script): Promise<void> => {
    for (const path of paths) await script.ask('GET', path);
  };

const EVERY_LIST = ['/projects', '/projects/proj_one/tasks', '/tasks', '/tasks/task_1/comments', '/workspace/members', '/teams'];

const LIMITS = [
  ...['1', '2', '99', '100', '01', '000000000000002'].map((limit) => `/teams?limit=${limit}`),
  ...['0', '-1', '-0', '101', '999999999999999', '1000000000000000', '', 'ten', '1.5', '+1', '1e1', '0x1'].map(
    (limit) => `/teams?limit=${limit}`,
  ),
  '/teams?limit=1&limit=1',
];
const SORTS = ['created_at', 'updated_at', 'due_date', 'title', '-created_at', '-updated_at', '-due_date', '-title'];
const WRONG_SORTS = ['', '-', '--title', 'title-', 'name', 'Title', 'priority', 'id'];
const FILTERS = [
  'filter[status]=todo',
  'filter[status]=todo&filter[priority]=high',
  'filter[priority]=urgent&filter[assignee_id]=user_bo&filter[status]=in_progress',
  'filter[assignee_id]=user_nobody',
  'filter[assignee_id]=',
  'filter%5Bstatus%5D=done',
  'filter[status]=%64one',
  'filter[status]=done#filter[status]=todo',
  'filter[project_id]=proj_two',
  'filter[project_id]=proj_far',
  'filter[status]=todo&filter[project_id]=proj_two',
];
const WRONG_FILTERS = [
  'filter[status]=',
  'filter[status]=later',
  'filter[status]=todo&filter[status]=done',
  'filter[priority]=HIGH',
  'filter[title]=Paint',
  'filter[]=x',
  'filter[__proto__]=x',
  'filter[status]=later&filter[nope]=1&limit=0&sort=x',
];
const UNKNOWN = 'x=1 page=1 offset=1 per_page=1 filter=1 xfilter[status]=1 filter[status]x=1 page=1&x=1&page=2'.split(' ');

const TEAMS = [...UNKNOWN.map((query) => `/teams?${query}`), '/users/me?x=1&page=2', '/users/me'];
const SORTED = [
  ...SORTS.map((sort) => `/tasks?limit=4&sort=${sort}`),
  ...EVERY_LIST.flatMap((path) => ['title', '-created_at', 'updated_at'].map((sort) => `${path}?limit=1&sort=${sort}`)),
  ...[...WRONG_SORTS, 'title&sort=title'].map((sort) => `/tasks?sort=${sort}`),
];
const FILTERED = [
  ...[...FILTERS, ...WRONG_FILTERS].map((filter) => `/tasks?limit=2&${filter}`),
  ...[...FILTERS, 'filter[project_id]=proj_one'].map((filter) => `/projects/proj_one/tasks?limit=2&${filter}`),
  ...['private', 'team', 'public', 'open'].map((visibility) => `/projects?filter[visibility]=${visibility}`),
  ...EVERY_LIST.map((path) => `${path}?filter[nope]=1`),
];

describe('lists', () => {
  test('respond to no parameters, limits, orders, filters, and parameters that they do not have', async () => {
    const texts = [(await on({}, asks(...EVERY_LIST), false)).text];
    for (const paths of [LIMITS, SORTED, FILTERED, TEAMS]) texts.push((await on({}, asks(...paths))).text);
    await expect(texts.join('\n')).toMatchFileSnapshot('golden/parameters.txt');
  });

  test('respond to cursors', async () => {
    const play = async (script: Script) => {
      script.say('A walk');
      let path = '/tasks?limit=2&sort=-due_date';
      for (let page = 0; page < 9; page++) {
        const { meta } = await script.ask('GET', path);
        if (!meta.has_more) break;
        path = `/tasks?limit=2&cursor=${meta.next_cursor}`;
      }
      const first = await script.ask('GET', '/projects/proj_one/tasks?limit=1&filter[status]=todo&sort=title');
      const cursor: string = first.meta.next_cursor;
      const own = `/projects/proj_one/tasks?cursor=${cursor}`;
      script.say('With what it keeps, and less of it');
      for (const more of ['', '&limit=1', '&filter[status]=todo', '&sort=title', '&filter[status]=todo&sort=title'])
        await script.ask('GET', own + more);
      script.say('With what contradicts it');
      for (const more of ['&filter[status]=done', '&filter[priority]=low', '&sort=-title', '&sort=due_date&filter[status]=done'])
        await script.ask('GET', own + more);
      script.say('With what is wrong besides');
      for (const more of ['&cursor=x', '&limit=0', '&sort=x']) await script.ask('GET', own + more);
      script.say('Of another list, another workspace, or none');
      await script.ask('GET', `/projects/proj_two/tasks?cursor=${cursor}`);
      await script.ask('GET', `/tasks?cursor=${cursor}`);
      await script.ask('GET', `/tasks?cursor=${path.split('cursor=')[1]}`, { key: 'other_admin' });
      for (const other of [
        '',
        'x',
        'nonsense',
        '%20',
        `${cursor}%3D`,
        `${cursor}A`,
        cursor.slice(0, -1),
        `A${cursor}`,
        cursor.toUpperCase(),
      ])
        await script.ask('GET', `/projects/proj_one/tasks?cursor=${other}`);
    };
    const usual = await on({}, play);
    await expect(usual.text).toMatchFileSnapshot('golden/cursors.txt');
    const forgiving = { 'broken-cursor': 'first-page', 'cursor-conflict': 'cursor-wins', 'cursor-limit': 'kept' };
    const forgiven = otherwise('forgiven', (await on({ choices: forgiving }, play)).exchanges, usual.exchanges);
    await expect(forgiven).toMatchFileSnapshot('golden/cursors-forgiven.txt');
  });
});

test('lists respond otherwise by another choice at an open point', async () => {
  const differing: string[] = [];
  for (const [choice, option, paths] of [
    ['limit-above-100', 'clamped', LIMITS],
    ['limit-below-1', 'clamped', LIMITS],
    ['default-order', 'newest', [...EVERY_LIST, '/tasks?sort=title&limit=1']],
    ['null-due-date', 'first', SORTED],
    ['null-due-date', 'largest', SORTED],
    ['sortable-fields', 'tasks', SORTED],
    ['sortable-fields', 'titleless', SORTED],
    ['unknown-filter', 'ignored', [...FILTERED, '/tasks?limit=1&filter[visibility]=team']],
    ['filter-value', 'empty', FILTERED],
    ['project-filter-in-project', 'ignored', FILTERED],
    ['project-filter-in-project', 'refused', FILTERED],
    ['unknown-query', 'refused', TEAMS],
    ['page-and-offset', 'refused', TEAMS],
    [
      'unsupported-sort-code',
      'unsupported_sort',
      ['/tasks?sort=x', '/tasks?sort=x&limit=0', '/tasks?limit=0', '/teams?sort=name'],
    ],
  ] as const) {
    const [usual, other] = [await on({}, asks(...paths)), await on({ choices: { [choice]: option } }, asks(...paths))];
    differing.push(otherwise(`${choice} is ${option}`, other.exchanges, usual.exchanges, 4));
  }
  await expect(differing.join('')).toMatchFileSnapshot('golden/choices.txt');
});

const NUMBERED = [
  ...['page=1', 'page=2', 'page=01', 'offset=0', 'offset=2', 'offset=5', 'page=4', 'page=99', 'offset=6', 'offset=7'],
  ...['page=0', 'page=-1', 'page=', 'page=x', 'page=1.5', 'offset=-1', 'offset=', 'offset=x', 'page=1000000000000000000000'],
  ...'offset=1000000000000000000000 page=1&offset=2 page=2&offset=1 page=1&page=2 page=x&offset=x per_page=2 limit=2'.split(' '),
  ...['per_page=0', 'limit=0', 'page=2&per_page=4', 'page=2&limit=4', 'cursor=x', 'cursor=x&page=1', 'sort=-title&page=1'],
].map((query) => `/tasks?filter[priority]=high&${query}`);

describe('lists of earlier releases', () => {
  const AT_1_0 = asks(
    ...NUMBERED.map((path) => path.replace('filter[priority]=high&', '')),
    '/teams',
    '/tasks?filter[priority]=high',
  );
  const AT_1_1 = async (script: Script) => {
    const { meta } = await script.ask('GET', '/tasks?limit=2&sort=title');
    const cursor = `/tasks?cursor=${meta.next_cursor}`;
    for (const more of ['', '&page=1', '&offset=1', '&page=x', '&sort=-title', '&page=1&offset=2'])
      await script.ask('GET', cursor + more);
    for (const path of NUMBERED) await script.ask('GET', path.replace('filter[priority]=high', 'limit=2'));
    for (const path of ['/projects', '/users/me', '/projects/proj_one?page=1', '/tasks?limit=0&page=1'])
      await script.ask('GET', path);
    await script.ask('POST', '/projects?page=1', { body: { name: 'A' } });
  };

  test.each<[Release, (script: Script) => Promise<void>]>([
    ['1.0', AT_1_0],
    ['1.1', AT_1_1],
  ])('at v%s, by number and by cursor', async (release, play) => {
    await expect((await on({ release }, play)).text).toMatchFileSnapshot(`golden/v${release}.txt`);
  });

  test('at v1.2: neither by number nor by priority', async () => {
    const { text } = await on(
      { release: '1.2' },
      asks('/tasks?page=2&limit=1', '/tasks?filter[priority]=low', '/tasks/task_1/comments', '/teams'),
    );
    await expect(text).toMatchFileSnapshot('golden/v1.2.txt');
  });
});

test('lists respond at their edges: values of a later release, no records, a cursor at the end', async () => {
  const later = ['status]=blocked', 'priority]=critical', 'status]=critical', 'status]=todo'].map(
    (filter) => `/tasks?limit=1&filter[${filter}`,
  );
  const none = ['page=1', 'offset=0', 'offset=1', ''].map((query) => `/tasks?filter[assignee_id]=user_nobody&${query}`);
  const end = async (script: Script) => {
    await asks(...none)(script);
    const { meta } = await script.ask('GET', '/teams?limit=1');
    await script.ask('DELETE', '/teams/team_none');
    await script.ask('GET', `/teams?cursor=${meta?.next_cursor}`);
  };
  const transcripts = [
    await on({ forward: 'enums' }, asks(...later, '/projects?filter[visibility]=organization')),
    await on({ forward: 'fields' }, asks(...later)),
    await on({}, end),
  ];
  await expect(transcripts.map(({ text }) => text).join('\n')).toMatchFileSnapshot('golden/edges.txt');
});
