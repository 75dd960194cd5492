// Requests in a row: read before and after a change, done once more, after a refusal, after a deletion, and the same in the other workspace.
import type { Tools } from '../engine/tools.ts';
import { type Area, type Row, row, type Step } from './row.ts';
import { areaOf } from './tables.ts';

const TASK = {
  title: 'wm to',
  description: 'to',
  status: 'todo',
  priority: 'low',
  assignee_id: '{member}',
  due_date: '2031-02-03T04:05:06Z',
};
const INSIDE = '/projects/{tofro}/tasks';
const LISTS = [
  `GET ${INSIDE}?filter[status]=todo&limit=100`,
  `GET ${INSIDE}?sort=-updated_at&limit=100`,
  'GET /tasks?filter[project_id]={tofro}&filter[priority]=low&limit=100',
];

/** Each value of each field, looked for in every list at once. */
const eachField = (t: Tools): Row =>
  row(
    'each field in lists',
    4,
    ['tofro = POST /projects', { name: '{run}-tofro', visibility: 'team' }],
    [`fro = POST ${INSIDE}`, TASK],
    [`still = POST ${INSIDE}`, TASK],
    ...t.parts.rules.update.task.flatMap((rule) =>
      t
        .samples(rule)
        .slice(-2)
        .flatMap((value): Step[] => [
          'later',
          ['PATCH /tasks/{fro}', { [rule.name]: value }],
          ...LISTS,
          `walk 3 ${INSIDE}?limit=1`,
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
  );

/** A task that is deleted, and one that its project takes along, by all that could still show them. */
const deletion = (t: Tools): Row => {
  const task = (name: string, body: object): Step => [
    `${name} = POST /projects/{gone}/tasks`,
    { title: `{run}-${name}`, ...body },
  ];
  const hot = { status: 'todo', priority: 'high' };
  return row(
    'gone',
    4,
    ['gone = POST /projects', { name: '{run}-gone', visibility: 'team' }],
    task('lost', { ...hot, assignee_id: '{member}' }),
    task('stays', hot),
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
  );
};

export const REPEATS: readonly Area[] = [
  areaOf('repeats/changes', (t) => [eachField(t)]),
  areaOf('repeats/caches'),
  areaOf('repeats/deletion', (t) => [deletion(t)]),
  ...['other-workspace', 'old', 'teams', 'ids'].map((name) => areaOf(`repeats/${name}`)),
];
