// Values that the scripted session sends, and what its parts share.
import type { Session } from '../../judge/reference/session.ts';

export const long = (count: number, letter = 'x') => letter.repeat(count);

export const NAMES = [
  '',
  long(1),
  long(149),
  long(150),
  long(151),
  long(256),
  long(150, 'é'),
  long(100, '日'),
  'Ünïcode ✅ 🚀',
  '<b>"q" & \'p\'</b>',
  'a\\b/c%20d',
  'line\nbreak\ttab',
];

export const WRONG = [null, 12, true, {}, [], ['x']];

export const afterwards = async (s: Session, path: string, list: string): Promise<void> => {
  await s.call('read', 'GET', path);
  await s.call('read', 'GET', list);
};

export const DATES = [
  ...[
    '2030-01-02T03:04:05Z',
    '2030-01-02T03:04:05.678Z',
    '2030-07-02T23:30:00+02:00',
    '2030-07-02T23:30:00-05:30',
    '2001-02-03T04:05:06Z',
  ],
  ...[
    '2030-01-31T00:00:00Z',
    '2028-02-29T12:00:00Z',
    '2030-02-30T12:00:00Z',
    '2030-13-01T00:00:00Z',
    'tomorrow',
    '',
    '2030-01-02',
    '1893553445',
    ...WRONG,
  ],
  ...['2030-07-15T12:00:00Z', '02/03/2030', 1_893_553_445, 1_893_553_445_000],
];

export const STATUSES = ['backlog', 'todo', 'in_progress', 'in_review', 'done'];

export const PRIORITIES = ['low', 'medium', 'high', 'urgent'];

export const pick = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;
