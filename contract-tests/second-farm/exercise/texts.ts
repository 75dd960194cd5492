// The part of the session on texts that people write.
import { idOf, type Session } from '../../judge/reference/session.ts';
import { long } from './values.ts';

const TEXTS = [
  'Ship 🚀 the release',
  "O'Brien's review",
  'C++ and C#',
  'Invoice #4471 & receipt',
  'Costs $100, or $1 each',
  '4471',
  '2030-01-02',
  'null',
  'None',
  'lower case',
  '- buy milk',
  '=SUM(A1)',
  '@home, later',
  'Straight "quotes" and \'more\'',
  'Tab\there\nand a line',
  'See https://example.test/a?b=1&c=2 please',
  'Dear {{name}}, hello',
  'Équipe éléphant',
  'Семь раз отмерь',
  '日本語の題名',
  'Family 👨‍👩‍👧 time',
  '<b></b>',
  '<script>alert(1)</script>',
  'select name from users',
  "Robert'); drop table students;--",
  'On/off switch',
  'Move ../old to /etc/backup',
  'apple',
  'Banana',
  'cherry, ripe',
  'cherry, unripe',
  'Zebra',
];

/** Texts of all kinds in all fields. */
export const texts = async (s: Session): Promise<void> => {
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Texts' }));
  const inside = `/projects/${project}/tasks`;
  const task = idOf(await s.call('write', 'POST', inside, { title: 'Changing' }));
  for (const text of TEXTS) {
    await s.call('write', 'POST', inside, { title: text, description: text });
    await s.call('write', 'PATCH', `/tasks/${task}`, { title: text, description: text });
    await s.call('write', 'PATCH', `/tasks/${task}`, { priority: 'high' });
    await s.call('write', 'POST', '/projects', { name: text, description: text });
    await s.call('admin', 'POST', '/teams', { name: text });
  }
  for (const title of [long(240, '&'), long(255, '<'), long(255, 'é')]) await s.call('write', 'POST', inside, { title });
  for (const path of [inside, '/tasks?limit=100', '/projects?limit=100', '/teams?limit=100']) await s.call('read', 'GET', path);
  for (const sort of ['title', '-title'])
    for (const limit of [1, 3, 4]) await s.walk('read', `${inside}?sort=${sort}&limit=${limit}`);
};
