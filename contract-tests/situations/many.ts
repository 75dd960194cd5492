// Texts and days of every kind, and more records than a page can hold: what one response shows of them, each list shows.
import { type Area, type Row, row, type Step } from './row.ts';

/** With the other tasks of a run, more than the hundred that a page may have. */
const COUNT = 45;

/** What a careless pipeline alters: quotes, paths, queries, escapes, letters that look like others, words of other languages. */
const TEXTS = [
  'wm # behind a hash',
  'one, two; three',
  "Robert'); DROP TABLE tasks;-- SELECT * FROM users WHERE 1=1 OR 'a'='a'",
  '../../etc/passwd and C:\\temp\\new',
  'ﬁrst ½ ² ™ ligatures',
  '😀 first of all',
  'in the 😀 middle',
  'true',
  'false',
  '1e3',
  'line\nbreak\tand tab',
  '日本語のタイトル',
  'Ωmega and жук',
  'ärger, zebra, Ärger',
  'Zebra before apple',
  'apple before Zebra',
  '&<>"\''.repeat(40),
  '<script src=//x.example></script>',
  'https://example.com/?a=b&c=d#e',
  '{"json": [1, 2]}',
  '%41%20%2F+',
  'undefined',
  '-- @someone **bold** [link](x)',
  'NaN',
] as const;

const DATES = [
  '2031-12-31T23:30:00+02:00',
  '2031-12-31T12:45:37-05:30',
  '2031-05-05T23:30:59.250+05:45',
  '2031-03-01T00:15:00+14:00',
  '2032-02-29T12:00:00Z',
  '2031-02-28T23:59:59.999Z',
  '1999-12-31T23:59:59Z',
  '2031-01-01T00:00:00-11:00',
  '9999-12-31T23:59:59Z',
  undefined,
] as const;
const STATUSES = ['todo', 'in_progress', 'todo', 'done', 'todo', 'in_review', 'backlog'] as const;
const PRIORITIES = ['high', 'low', 'urgent', 'medium', 'high'] as const;

const inTurn = <T>(list: readonly T[], i: number): T => list[i % list.length]!;

const create = (project: string, title: string, i: number): Step => [
  `POST /projects/{${project}}/tasks`,
  {
    title,
    ...(i % 3 === 0 ? { description: inTurn(TEXTS, i + 7) } : {}),
    due_date: inTurn(DATES, i),
    status: inTurn(STATUSES, i),
    priority: inTurn(PRIORITIES, i),
    ...(i % 4 === 0 ? { assignee_id: i % 8 === 0 ? '{member}' : '{last}' } : {}),
  },
];

/** Each text and day, in a record of its own. */
const texts: Row = row(
  'texts',
  3,
  ['texts = POST /projects', { name: '{run}-texts 😀 # & Ä', description: 'line\nbreak\tand ﬁ 😀', visibility: 'public' }],
  ...TEXTS.map((title, i) => create('texts', title, i)),
  'GET /projects/{texts}',
  'walk 3 /projects/{texts}/tasks?sort=title&limit=11',
  'walk 2 /projects/{texts}/tasks?filter[status]=todo&filter[priority]=high&filter[assignee_id]={member}&limit=1',
);

/** Two offsets, one after the other, and each read again. */
const days: Row = row(
  'days',
  2,
  ...DATES.slice(1, 3).flatMap((due_date): Step[] => [['PATCH /tasks/{s2}', { due_date }], 'GET /tasks/{s2}']),
);

const many: Row = row(
  'many',
  3,
  ['many = POST /projects', { name: '{run}-many', visibility: 'team' }],
  ...Array.from({ length: COUNT }, (_, i) => create('many', `wm many ${inTurn(TEXTS, i * 5)}`.slice(0, 255), i)),
  'walk 2 /tasks?limit=100',
  'GET /tasks?limit=1000',
  'GET /tasks?filter[status]=todo',
  'walk 2 /projects/{many}/tasks?sort=due_date&limit=31',
);

const area = (id: string, says: string, ...rows: readonly Row[]): Area => ({
  id: `many/${id}`,
  says,
  // What these rows show, the oracle tells; this is what a run without them has seen already.
  covers: ['WM-GEN-001'],
  needs: ['write'],
  rows: () => rows,
});

export const VALUES = area('values', 'Texts and days of every kind are kept as they were sent', texts, days);
export const MANY = area('records', 'More than a hundred tasks are shown alike in every list', many);
