// The judge of histories finds what was planted, and nothing in a history that is as it should be. `node --test lab/fleet/`
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from './history.mjs';

const WORLD = 'a~w';
const change = (op, id, title, begin, status = 200) => ({ op, id, title, begin, end: begin + 5, status });
const [ONE, TWO, THREE] = ['Changed', 'Title 2', 'Title 3'].map((title, i) => ({ id: `task_${i + 1}`, title }));

/** Three tasks, one changed, one deleted, and one whose creation was not answered; the pages are walked while nothing changes. */
const history = () => [
  change('create', 'task_1', 'Title 1', 10),
  change('create', 'task_2', 'Title 2', 20),
  change('create', 'task_3', 'Title 3', 30),
  change('update', 'task_1', 'Changed', 40),
  change('delete', 'task_3', undefined, 50),
  change('create', undefined, 'Open', 60, 0),
  { op: 'read', id: 'task_1', items: [ONE], begin: 70, end: 75, status: 200 },
  { op: 'walk', items: [ONE, TWO], begin: 80, end: 85, status: 200 },
];

/** A history that was tampered with: further events, what other events hold by their `op`, and the tasks at the end. */
const judged = ({ more = [], end = [ONE, TWO], ...others } = {}) => {
  const events = [...history(), ...more].map((event) => ({ world: WORLD, ...event, ...others[event.op] }));
  return judge(events, { [WORLD]: end });
};

test('a history that is as it should be passes, and is counted', () => {
  const none = { refused: 0, lost: 0, twice: 0, open: 0 };
  const counts = { ...none, requests: 8, acknowledged: 5, unanswered: 1, walks: 1, longest: 10 };
  assert.deepEqual(judged(), { problems: [], counts });
});

const OPEN = { id: 'task_9', title: 'Open' };
const PERHAPS = { id: 'task_2', title: 'Perhaps' };
const DURING = { begin: 22, end: 52 };
const FINE = {
  'a create without a response that happened': { end: [ONE, TWO, OPEN] },
  'an update without a response': { more: [change('update', 'task_2', 'Perhaps', 90, 503)] },
  'an update without a response that happened': { more: [change('update', 'task_2', 'Perhaps', 90, 503)], end: [ONE, PERHAPS] },
  'a deletion without a response that happened': { more: [change('delete', 'task_2', undefined, 90, 0)], end: [ONE] },
  'a walk while a task goes': { walk: { ...DURING, items: [ONE, TWO] } },
  'a walk while a task comes': { walk: { ...DURING, items: [ONE, TWO, THREE] } },
  'a walk before a task comes': { walk: { ...DURING, items: [ONE] } },
};
for (const [what, tampered] of Object.entries(FINE))
  test(`${what} is fine`, () => assert.deepEqual(judged(tampered).problems, []));

const OLD = { id: 'task_1', title: 'Title 1' };
const PLANTED = {
  'a create that is lost': [{ end: [ONE] }, '1 changes are lost'],
  'an update that is lost': [{ end: [OLD, TWO] }, '1 changes are lost'],
  'a deletion that is lost': [{ end: [ONE, TWO, THREE] }, '1 changes are lost'],
  'a create that happened twice': [{ end: [ONE, TWO, { ...TWO, id: 'task_8' }] }, '1 changes are twice'],
  'an open create that happened twice': [{ end: [ONE, TWO, OPEN, { ...OPEN, id: 'task_8' }] }, '1 changes are twice'],
  'a change that was refused': [{ update: { status: 409 } }, '1 changes are refused'],
  'a page that repeats': [{ walk: { items: [ONE, TWO, ONE] } }, 'walk: 1 tasks are repeated'],
  'a page that skips': [{ walk: { items: [ONE] } }, 'walk: task_2 is undefined; it may be Title 2'],
  'a page that shows what is gone': [{ walk: { items: [ONE, TWO, THREE] } }, 'walk: task_3 is Title 3; it may be'],
  'a page of what was before': [{ walk: { items: [OLD, TWO] } }, 'walk: task_1 is Title 1; it may be Changed'],
  'a last page that repeats': [{ end: [ONE, TWO, TWO] }, 'at the end: 1 tasks are repeated'],
  'a read of what was before': [{ read: { items: [OLD] } }, 'read: task_1 is Title 1; it may be Changed'],
  'a read that finds nothing': [{ read: { items: [] } }, 'read: task_1 is undefined; it may be Changed'],
};
for (const [what, [tampered, says]] of Object.entries(PLANTED))
  test(`${what} is found`, () => assert.match(judged(tampered).problems.join('\n'), RegExp(says)));
