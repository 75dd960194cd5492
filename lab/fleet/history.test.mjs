// The judge of histories finds what was planted, and nothing in a history that is as it should be. `node --test lab/fleet/`
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from './history.mjs';

const WORLD = 'a~w';

/** Three tasks, one changed, one deleted, and one whose creation was not answered; the pages are walked while nothing changes. */
const history = () => {
  const create = (n) => ({ op: 'create', id: `task_${n}`, title: `Title ${n}`, begin: n * 10, end: n * 10 + 5, status: 201 });
  const events = [
    create(1),
    create(2),
    create(3),
    { op: 'update', id: 'task_1', title: 'Changed', begin: 40, end: 45, status: 200 },
    { op: 'delete', id: 'task_3', begin: 50, end: 55, status: 204 },
    { op: 'create', title: 'Open', begin: 60, end: 65, status: 0 },
    { op: 'read', id: 'task_1', title: 'Changed', begin: 70, end: 75, status: 200 },
    { op: 'walk', ids: ['task_1', 'task_2'], begin: 80, end: 85, status: 200 },
  ];
  const end = [
    { id: 'task_1', title: 'Changed' },
    { id: 'task_2', title: 'Title 2' },
  ];
  return { events: events.map((event) => ({ world: WORLD, ...event })), end };
};

/** What is found in the history once it was tampered with. */
const found = (tamper = () => {}) => {
  const { events, end } = history();
  const by = (op, id) => events.find((event) => event.op === op && (id === undefined || event.id === id));
  tamper({ events, end, by });
  return judge(events, { [WORLD]: end });
};

test('a history that is as it should be passes, and is counted', () => {
  const { counts, problems } = found();
  assert.deepEqual(problems, []);
  const none = { refused: 0, lost: 0, twice: 0, open: 0 };
  assert.deepEqual(counts, { ...none, requests: 8, acknowledged: 5, unanswered: 1, walks: 1, longest: 10 });
});

test('what was not answered may have happened, once', () => {
  const open = { id: 'task_9', title: 'Open' };
  const { counts, problems } = found(({ end }) => void end.push(open));
  assert.deepEqual([problems, counts.open], [[], 1]);
  const again = found(({ end }) => void end.push(open, { ...open, id: 'task_10' }));
  assert.deepEqual(again.problems, ['1 acknowledged changes twice']);
  const perhaps = { world: WORLD, id: 'task_2', begin: 90 };
  const changed = ({ events }) => void events.push({ ...perhaps, op: 'update', title: 'Perhaps', status: 503 });
  assert.deepEqual(found(changed).problems, []);
  const happened = ({ events, end }) => {
    changed({ events });
    end[1].title = 'Perhaps';
  };
  assert.deepEqual(found(happened).problems, []);
  const gone = ({ events, end }) => {
    events.push({ ...perhaps, op: 'delete', status: 0 });
    end.pop();
  };
  assert.deepEqual(found(gone).problems, []);
});

const PLANTED = {
  'a create that is lost': [({ end }) => void end.pop(), '1 acknowledged changes lost'],
  'an update that is lost': [({ end }) => void Object.assign(end[0], { title: 'Title 1' }), '1 acknowledged changes lost'],
  'a deletion that is lost': [({ end }) => void end.push({ id: 'task_3', title: 'Title 3' }), '1 acknowledged changes lost'],
  'a create that happened twice': [
    ({ end }) => void end.push({ id: 'task_8', title: 'Title 2' }),
    '1 acknowledged changes twice',
  ],
  'a change that was refused': [({ by }) => void Object.assign(by('update'), { status: 409 }), '1 changes were refused'],
  'a page that repeats': [({ by }) => void by('walk').ids.push('task_1'), 'the pages of a walk repeat 1 tasks'],
  'a page that skips': [({ by }) => void by('walk').ids.pop(), 'the pages of a walk skip task_2'],
  'a page that shows what is gone': [({ by }) => void by('walk').ids.push('task_3'), 'show task_3, which was deleted'],
  'a last page that repeats': [({ end }) => void end.push(end[1]), 'the pages of the last walk repeat tasks'],
  'a read of what was before': [
    ({ by }) => void Object.assign(by('read'), { title: 'Title 1' }),
    'is read as Title 1; it may be Changed',
  ],
  'a read that finds nothing': [
    ({ by }) => void Object.assign(by('read'), { status: 404 }),
    'task_1 is not read, and nobody deleted it',
  ],
};

for (const [what, [tamper, says]] of Object.entries(PLANTED))
  test(`${what} is found`, () => assert.match(found(tamper).problems.join('\n'), RegExp(says)));

test('a task that comes or goes during a walk may be on its pages or not', () => {
  for (const ids of [['task_1', 'task_2'], ['task_1', 'task_2', 'task_3'], ['task_1']]) {
    const { problems } = found(({ by }) => void Object.assign(by('walk'), { begin: 22, end: 52, ids }));
    assert.deepEqual(problems, []);
  }
});
