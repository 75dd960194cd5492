// Each field of each create and update with each class of value: samples, longest, dates at their edges, words almost right, and whatever is wrong.
import type { Json } from '../engine/exchange.ts';
import type { Tools } from '../engine/tools.ts';
import { ODD, TITLES } from '../engine/world.ts';
import type { FieldRule } from '../oracle/rules.ts';
import { type Area, type Row, row, type Step, type Tier } from './row.ts';
import { areaOf } from './tables.ts';

/** The oracle tells what these rows show beyond records and refusals. */
const COVERS = ['WM-GEN-001'];
const area = (id: string, says: string, rows: (t: Tools) => readonly Row[]): Area => ({
  id: `fields/${id}`,
  says,
  covers: COVERS,
  needs: ['write'],
  rows,
});

const INSIDE = '/projects/{side}/tasks';

/** A body that is accepted, and where it is sent. */
interface Place {
  readonly kind: 'project' | 'task' | 'team';
  readonly call: string;
  readonly good: Json;
  /** Where the record is read again. */
  readonly look: string;
}

const CREATES: readonly Place[] = [
  {
    kind: 'project',
    call: 'made = POST /projects',
    good: { name: '{run}-field', visibility: 'team' },
    look: 'GET /projects/{made}',
  },
  { kind: 'task', call: `made = POST ${INSIDE}`, good: { title: '{run}-field' }, look: 'GET /tasks/{made}' },
];
const UPDATES: readonly Place[] = [
  { kind: 'project', call: 'PATCH /projects/{side}', good: {}, look: 'GET /projects/{side}' },
  { kind: 'task', call: 'PATCH /tasks/{s1}', good: {}, look: 'GET /tasks/{s1}' },
];

/** Moments that clocks, calendars and parsers get wrong, each read again: offsets with half hours, leap days, the end of time. */
const DATES: readonly (readonly [string, Tier])[] = [
  ['2031-12-31T23:45:37-05:30', 3],
  ['2031-05-05T03:30:59.250+05:45', 3],
  ['2032-02-29T23:59:59+00:00', 3],
  ['9999-12-31T23:59:59Z', 3],
  ['1999-12-31T23:59:59.999-12:00', 4],
];
/** None of these is a moment. */
const NO_DATES = ['2031-02-30T00:00:00Z', '2031-04-31T12:00:00Z', '', '31/12/2031', 'Wed, 31 Dec 2031 12:45:37 GMT'];

const dates = area(
  'dates',
  'A date with an offset is the same moment when it is read again, and what is no date is refused',
  () => [
    ...DATES.flatMap(([due, tier]) => {
      const [create, update] = [CREATES[1]!, UPDATES[1]!];
      const created = row(`create ${due}`, 4, [create.call, { ...create.good, due_date: due }], create.look);
      return [row(`update ${due}`, tier, [update.call, { due_date: due }], update.look), created];
    }),
    ...NO_DATES.flatMap((due, i) => [
      row(`update to "${due}"`, i < 2 ? 3 : 4, ['PATCH /tasks/{s1}', { due_date: due }]),
      row(`create with "${due}"`, i === 2 ? 3 : 4, [`POST ${INSIDE}`, { title: '{run}-no-date', due_date: due }]),
    ]),
  ],
);

const wordsOf = (t: Tools, kind: 'project' | 'task'): readonly FieldRule[] =>
  t.parts.rules.create[kind].filter((rule) => rule.kind === 'word');

/** Almost right: in capitals, with blanks around, with another stroke between, with nothing in it. */
const words = area('words', 'A word that is almost one of a list is refused', (t) =>
  [...CREATES, ...UPDATES].flatMap((place, n) =>
    wordsOf(t, place.kind as 'project').flatMap((rule) => {
      const word = rule.values.find((value) => value.includes('_')) ?? rule.values.at(-1)!;
      const near = [word.toUpperCase(), ` ${word} `, '', word.replace('_', '-').replace(/^[a-z]+$/, '$&s')];
      return near.map((value, i) =>
        row(`${place.call} ${rule.name} "${value}"`, (n + i) % 4 === 0 ? 3 : 4, [
          place.call.replace('made = ', ''),
          { ...place.good, [rule.name]: value },
        ]),
      );
    }),
  ),
);

const states = area(
  'states',
  'Each field alone, of a task in each state: the others stay, and it is deleted in that state',
  (t) => {
    const of = (name: string) => t.parts.rules.create.task.find((rule) => rule.name === name)?.values ?? [];
    const priorities = of('priority');
    return of('status').map((status, i, all) =>
      row(
        `states/${status}`,
        i === all.length - 2 ? 3 : 4,
        [
          'made = POST /projects/{side}/tasks',
          { title: `{run}-${status}`, status, priority: priorities.at(i - 1), description: ODD },
        ],
        ...[
          { assignee_id: '{member}' },
          { due_date: `2031-0${i + 1}-03T04:05:5${i}Z` },
          { title: `wm state ${i}` },
          { assignee_id: '{last}' },
        ].map((change): Step => ['PATCH /tasks/{made}', change]),
        'DELETE /tasks/{made}',
        'GET /tasks/{made}',
      ),
    );
  },
);

const together = area('together', 'What is left out has its default and what is not sent stays, whatever else is sent', (t) => {
  const due = { due_date: '2031-07-08T09:10:11Z', assignee_id: '{last}' };
  const priority = t.parts.rules.create.task.find(({ name }) => name === 'priority')?.values.at(-1);
  const bodies: readonly Json[] = [due, { ...due, priority }, { ...due, description: ODD }, { status: 'todo' }];
  return [
    row('nothing', 3, ['PATCH /tasks/{s4}', {}], 'GET /tasks/{s4}', ['PATCH /projects/{side}', {}], 'GET /projects/{side}'),
    row(
      'status and assignee',
      3,
      ['PATCH /tasks/{s1}', { status: 'in_review', assignee_id: '{last}', title: '{run}-together' }],
      'GET /tasks/{s1}',
    ),
    ...bodies.map((body, i) => row(`defaults/${i}`, i === 0 ? 3 : 4, [`POST ${INSIDE}`, { title: '{run}-defaults', ...body }])),
    ...TITLES.map((title) => row(`title/${title}`, 4, [`POST ${INSIDE}`, { title, description: ODD }])),
    row('title/true', 4, ['PATCH /tasks/{s1}', { title: 'true' }], 'GET /tasks/{s1}'),
  ];
});

/** Every value of every field alone, by create and by update, with a look after each. */
const values = area('values', 'Every value of every field, by create and by update', (t) =>
  [...CREATES, ...UPDATES].flatMap((place) => {
    const rules = place.call.includes('PATCH') ? t.parts.rules.update[place.kind] : t.parts.rules.create[place.kind];
    return rules.flatMap((rule) =>
      t
        .samples(rule)
        .map((value, i) =>
          row(
            `${place.call} ${rule.name} ${i}`,
            4,
            [place.call, { ...place.good, [rule.name]: rule.name === 'name' ? `{run}-value-${i}` : value }],
            place.look,
          ),
        ),
    );
  }),
);

export const FIELD_AREAS: readonly Area[] = [dates, areaOf('fields/references'), together, states, words, values];
