// Requests in a row: read before and after a change, done once more, after a refusal, after a deletion, and the same in the other workspace.
import type { Tools } from '../engine/tools.ts';
import { ODD } from '../engine/world.ts';
import { type Area, type Row, row, type Step } from './row.ts';

/** What these rows show, the oracle tells; this is what a run without them has seen already. */
const COVERS = ['WM-GEN-001'];

const area = (id: string, says: string, rows: (t: Tools) => readonly Row[]): Area => ({
  id: `repeats/${id}`,
  says,
  covers: COVERS,
  needs: ['write'],
  rows,
});

const inside = (project: string) => `/projects/{${project}}/tasks`;
const make = (project: string, visibility = 'team'): Step => [
  `${project} = POST /projects`,
  { name: `{run}-${project}`, visibility },
];
const task = (name: string, project: string, body: object = {}): Step => [
  `${name} = POST ${inside(project)}`,
  { title: `{run}-${name}`, ...body },
];

const caches = area('caches', 'What was read before a change is not what is read after it', () => {
  const lists = [`GET ${inside('side')}?limit=100`, 'GET /projects?limit=100'];
  return [
    row(
      'caches/task',
      3,
      'GET /tasks/{s0}',
      lists[0]!,
      ['PATCH /tasks/{s0}', { title: 'wm seen before', description: ODD }],
      'GET /tasks/{s0}',
      lists[0]!,
    ),
    row(
      'caches/project',
      3,
      lists[1]!,
      ['PATCH /projects/{side}', { description: 'seen before' }],
      lists[1]!,
      'GET /projects/{side}',
    ),
    row(
      'caches/deleted',
      3,
      make('atonce'),
      task('doomed', 'atonce', { status: 'in_progress', assignee_id: '{member}' }),
      ['PATCH /projects/{atonce}', { visibility: 'public' }],
      'GET /projects?filter[visibility]=public&limit=100',
      'DELETE /projects/{atonce}',
      'strong GET /projects/{atonce}',
      'GET /tasks/{doomed}',
      'reader GET /projects/{atonce}',
      'GET /tasks?filter[status]=in_progress&sort=-created_at&limit=100',
      'GET /tasks?filter[assignee_id]={member}&sort=-created_at&limit=100',
    ),
  ];
});

const neighbour = { title: '{run}-neighbour', status: 'done', priority: 'urgent', due_date: '2031-01-11T10:00:00Z' };
const otherWorkspace = area(
  'other-workspace',
  'What can be done in one workspace can be done in the next, and neither shows in the other',
  () => [
    row(
      'neighbours',
      3,
      // The same name is another project there; what is in it has what the filters of ours find.
      ['theirs = other POST /projects', { name: '{run}-side', visibility: 'team' }],
      ['there = other POST /projects/{theirs}/tasks', neighbour],
      ['other PATCH /tasks/{there}', { description: ODD, title: '{run}-neighbour-too' }],
      'GET /tasks?filter[status]=done&sort=due_date&limit=100',
      'GET /tasks?filter[priority]=urgent&sort=title&limit=100',
      'GET /projects?filter[visibility]=team&sort=-updated_at&limit=100',
      'other GET /tasks?filter[status]=done&limit=100',
      'other GET /projects?filter[visibility]=team&limit=100',
      'other GET /tasks?sort=-created_at&limit=100',
    ),
    row(
      'neighbours/writes',
      3,
      ['second = other POST /projects', { name: '{run}-second', visibility: 'team' }],
      ['other PATCH /projects/{second}', { description: 'of the second', visibility: 'public' }],
      ['kept = other POST /projects/{second}/tasks', { title: '{run}-second', status: 'in_progress', priority: 'high' }],
      ['doomed = other POST /projects/{second}/tasks', { title: '{run}-doomed', due_date: '2031-03-04T05:06:07Z' }],
      'other DELETE /tasks/{doomed}',
      'other GET /tasks/{kept}',
      'other GET /tasks/{doomed}',
      'other GET /projects/{second}/tasks?limit=100',
      'other GET /projects?filter[visibility]=public&limit=100',
    ),
    row(
      'neighbours/team',
      4,
      ['nextdoor = other POST /teams', { name: '{run}-next-door' }],
      'other GET /teams/{nextdoor}',
      'other DELETE /teams/{nextdoor}',
    ),
    row('neighbours/cursor', 4, `GET ${inside('main')}?limit=5`, 'other GET /tasks?limit=5&cursor={cursor}'),
    row('neighbours/assignee', 4, 'other GET /tasks?filter[assignee_id]={member}&limit=100'),
  ],
);

const deleted = area('deletion', 'What is deleted is gone alone, and all that hangs on it', (t) => [
  row(
    'empty',
    3,
    ['empty = POST /projects', { name: '{run}-empty', visibility: 'public' }],
    ['twin = POST /projects', { name: '{run}-empty', visibility: 'public' }],
    `GET ${inside('empty')}`,
    task('only', 'twin'),
    ['PATCH /projects/{empty}', { description: 'of the first alone' }],
    'GET /projects?limit=100',
    'strong DELETE /projects/{empty}',
    'GET /projects?limit=100',
    // The last of a project goes alone.
    'DELETE /tasks/{only}',
    `GET ${inside('twin')}`,
    ['later = POST /projects', { name: '{run}-empty', visibility: 'public' }],
    `GET ${inside('later')}`,
  ),
  row(
    'behind a cursor',
    3,
    make('again'),
    task('a', 'again', { priority: 'high' }),
    task('b', 'again', { priority: 'high' }),
    task('c', 'again'),
    `GET ${inside('again')}?limit=2`,
    'DELETE /tasks/{b}',
    `GET ${inside('again')}?cursor={cursor}`,
    'DELETE /tasks/{a}',
    `GET ${inside('again')}?limit=100`,
  ),
  row(
    'comments',
    3,
    task('commented', 'side'),
    'GET /tasks/{commented}/comments',
    'DELETE /tasks/{commented}',
    'GET /tasks/{commented}/comments',
  ),
  row(
    'gone',
    4,
    make('gone'),
    task('lost', 'gone', { status: 'todo', priority: 'high', assignee_id: '{member}' }),
    task('stays', 'gone', { status: 'todo', priority: 'high' }),
    'DELETE /tasks/{lost}',
    ...['GET', 'DELETE'].map((method) => `${method} /tasks/{lost}`),
    ['PATCH /tasks/{lost}', { title: 'wm lost' }],
    'DELETE /projects/{gone}',
    ...['lost', 'stays'].flatMap((one): Step[] => [
      `GET /tasks/{${one}}`,
      [`PATCH /tasks/{${one}}`, { title: 'wm lost' }],
      `DELETE /tasks/{${one}}`,
      ...(t.knows('1.3') ? [`GET /tasks/{${one}}/comments`] : []),
    ]),
    ...['', 'filter[status]=todo&', 'sort=title&', 'filter[assignee_id]={member}&'].map(
      (query) => `walk 2 /tasks?${query}limit=100`,
    ),
    ...['', 'filter[visibility]=team&'].map((query) => `walk 3 /projects?${query}limit=100`),
  ),
]);

const teams = area('teams', 'Teams without members, with names that nearly are those of others, and after a conflict', () => {
  const long = `{run}-alike${'y'.repeat(40)}`;
  return [
    row('teams/nobody', 3, ['nobody = strong POST /teams', { name: '{run}-nobody', member_ids: [] }], 'GET /teams/{nobody}'),
    row(
      'teams/begins',
      3,
      ['strong POST /teams', { name: '{run}-share' }],
      ['strong POST /teams', { name: '{run}-shared' }],
      'GET /teams/{team}',
    ),
    row('teams/heir', 3, 'GET /teams/{heir}', 'GET /teams?limit=150'),
    row('teams/alike', 3, ...['one', 'two', 'two'].map((end): Step => ['strong POST /teams', { name: `${long}${end}` }])),
    row(
      'teams/twice',
      4,
      ['strong POST /teams', undefined, { raw: '{"name": "wm broken"' }],
      ['twice = strong POST /teams', { name: '{run}-twice' }],
      'strong DELETE /teams/{twice}',
      ['strong POST /teams', { name: '{run}-twice' }],
    ),
  ];
});

/** Ids that are almost one: who has them is not known, but a response shows the record that was asked for. */
const ids = area('ids', 'An id that is almost one is none, and odd ones are refused without a 5xx', () => [
  row('ids/part', 3, 'GET /tasks/{t0.part}', 'GET /projects/{main.part}'),
  row('ids/other letters', 2, 'GET /tasks/{t0.upper}'),
  row('ids/other letters of a project', 3, 'GET /projects/{main.upper}'),
  row('ids/kind', 3, 'GET /projects/{t0}', 'GET /tasks/{main}', 'GET /tasks/{t0}%20'),
  row('ids/long', 3, `GET /tasks/${'w'.repeat(300)}`, 'GET /tasks?cursor=wmct', 'GET /wmct-no-such-path/either'),
  row('ids/html', 3, [
    'GET /tasks/wmct-no-task',
    undefined,
    { headers: () => ({ accept: 'text/html,application/json;q=0.9,*/*;q=0.8' }) },
  ]),
]);

/** What was there before this run: the oldest task, alone and in the list of its project. */
const old = area('old', 'Records of before this run, alone and in lists', () => [
  row(
    'old/task',
    3,
    'GET /tasks?sort=created_at&limit=100',
    'GET /tasks/{first.tasks}',
    'GET /projects/{first.projects}/tasks?limit=100',
  ),
  row('old/medium', 3, 'GET /tasks?filter[priority]=medium&limit=100', 'GET /tasks?filter[priority]=low&limit=100'),
]);

/** To and fro: everything at once, back to what it was, a date after none, one word alone. */
const changes = area('changes', 'Changes back and forth show in every list at once', (t) => {
  const first = {
    title: 'wm to',
    description: 'to',
    status: 'todo',
    priority: 'low',
    assignee_id: '{member}',
    due_date: '2031-02-03T04:05:06Z',
  };
  const second = {
    ...first,
    title: 'wm fro',
    description: 'fro',
    priority: 'high',
    assignee_id: '{last}',
    due_date: '2031-12-03T04:05:06Z',
    status: 'in_review',
  };
  const patch = (body: object): Step => ['PATCH /tasks/{fro}', { ...body }];
  const lists = [
    `GET ${inside('tofro')}?filter[status]=todo&limit=100`,
    `GET ${inside('tofro')}?sort=-updated_at&limit=100`,
    'GET /tasks?filter[project_id]={tofro}&filter[priority]=low&limit=100',
  ];
  return [
    row(
      'to and fro',
      3,
      make('tofro', 'public'),
      task('fro', 'tofro', first),
      task('still', 'tofro', first),
      patch(second),
      patch({ title: first.title }),
      patch({ due_date: first.due_date }),
      patch({ due_date: null }),
      patch({ due_date: '2030-06-07T08:09:10Z' }),
      patch({ title: 'wm fro', description: '' }),
      'later',
      patch({ assignee_id: '{member}' }),
      'GET /tasks/{fro}',
      ['PATCH /projects/{tofro}', { name: '{run}-tofro-renamed' }],
      'later',
      ['PATCH /projects/{tofro}', { visibility: 'private' }],
      ['PATCH /projects/{tofro}', { description: 'fro' }],
      'GET /projects/{tofro}',
    ),
    row(
      'the same again',
      3,
      ['PATCH /tasks/{s3}', { status: 'done' }],
      ['PATCH /tasks/{s3}', { status: 'done' }],
      ['PATCH /projects/{side}', { visibility: 'public' }],
      'GET /tasks/{s3}',
    ),
    row(
      'after a refusal',
      3,
      ['PATCH /projects/{main}', undefined, { raw: '{"description":' }],
      ['PATCH /projects/{main}', { description: 'after a refusal' }],
      'GET /projects/{main}',
    ),
    row(
      'each field in lists',
      4,
      make('tofro'),
      task('fro', 'tofro', first),
      task('still', 'tofro', first),
      ...t.parts.rules.update.task.flatMap((rule) =>
        t
          .samples(rule)
          .slice(-2)
          .flatMap((value): Step[] => [
            'later',
            patch({ [rule.name]: value }),
            ...lists,
            `walk 3 ${inside('tofro')}?limit=1`,
            'GET /tasks/{fro}',
          ]),
      ),
      ...t.parts.rules.update.project.flatMap((rule) =>
        t
          .samples(rule)
          .flatMap((value): Step[] => [
            'later',
            ['PATCH /projects/{tofro}', { [rule.name]: rule.name === 'name' ? '{run}-changed' : value }],
            'walk 9 /projects?sort=-updated_at&limit=100',
            'walk 9 /projects?filter[visibility]=team&limit=2',
            'GET /projects/{tofro}',
          ]),
      ),
    ),
  ];
});

export const REPEATS: readonly Area[] = [changes, caches, deleted, otherWorkspace, old, teams, ids];
