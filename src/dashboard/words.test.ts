// Times, numbers and texts as pages show them, at their edges.
import { describe, expect, test } from 'vitest';
import { clipText, describeEffect, describeFrequency, describeMatch } from '../mock/control/fault-words.ts';
import { Problem } from '../service/contract/errors.ts';
import { CLOCK_STEPS, Gauge } from './clock-bar.tsx';
import type { Context } from './context.ts';
import { DueDate, Person } from './data/cells.tsx';
import { type RecordField, readTyped, shorten } from './data/collection.ts';
import { FormField } from './fields.tsx';
import { makeFormState, Notes } from './form.ts';
import { PAGES } from './pages.ts';
import { countWords, Icon, RelativeTime, RestCount } from './parts.tsx';
import { distance, left, plainTime } from './times.ts';
import { BodyCode, HeaderList, MethodName, prettyPrintBody, StatusChip } from './traffic-parts.tsx';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const drawn = (element: unknown): string => String(element);
const groupsIn = (pattern: RegExp, element: unknown): string => pattern.exec(drawn(element))!.slice(1).join(' ');

describe('Time', () => {
  test('is told by its distance in the largest unit that fits', () => {
    const ends = [0, 999, SECOND, MINUTE - 1, MINUTE, HOUR - 1, HOUR, 48 * HOUR - 1, 48 * HOUR, 60 * DAY - 1, 60 * DAY];
    const says = [...ends, 730 * DAY - 1, 730 * DAY, 3650 * DAY, -999, -SECOND, -HOUR].map((ms) =>
      distance(5 * DAY, 5 * DAY + ms),
    );
    expect(says.join(', ')).toBe(
      'now, now, 1 s ago, 59 s ago, 1 min ago, 59 min ago, 1 h ago, 47 h ago, 2 d ago, 59 d ago, 2 mo ago, 24 mo ago, 2 y ago, 10 y ago, now, in 1 s, in 1 h',
    );
  });

  test('left is counted in minutes and seconds, from an hour on in hours', () => {
    const ms = [-5, 0, 1, 1000, 1001, 59_000, 60_000, 69_000, 3_599_000, 3_600_000, 3_661_000, 36_000_000];
    expect(ms.map(left).join(' ')).toBe('0:00 0:00 0:01 0:01 0:02 0:59 1:00 1:09 59:59 1:00:00 1:01:01 10:00:00');
  });

  test('is written in UTC, to the second', () => {
    expect(plainTime(1_737_363_605_999)).toBe('2025-01-20 09:00:05');
    const context = { world: { clock: { now: () => HOUR } } } as Context;
    expect(drawn(RelativeTime({ at: 0, context }))).toBe(
      '<time datetime="1970-01-01T00:00:00.000Z" title="1970-01-01 00:00:00.000 UTC">1 h ago</time>',
    );
    expect(drawn(RelativeTime({ at: '1970-01-01T00:30:00Z', context }))).toContain('>30 min ago<');
    expect(drawn(RelativeTime({ at: undefined, context }))).toContain('never');
  });
});

describe('Texts', () => {
  test('are cut, and counted, where they are too long', () => {
    const clipped = [clipText('abcd', 4), clipText('abcde', 4), clipText('x'.repeat(1234), 1)];
    expect(clipped).toEqual(['abcd', 'abcd… (5 characters)', 'x… (1,234 characters)']);
    expect([shorten('a'.repeat(72)), shorten('a'.repeat(73))]).toEqual(['a'.repeat(72), `${'a'.repeat(71)}…`]);
    expect([shorten('😀😀😀', 3), shorten('😀😀😀😀', 3), shorten('😀'.repeat(100), 2)]).toEqual(['😀😀😀', '😀😀…', '😀…']);
  });

  test('count what there is, and what is left out', () => {
    const counted = [countWords(1, 'delivery'), countWords(0, 'delivery'), countWords(1234, 'response')];
    expect(counted).toEqual(['1 delivery', '0 deliveries', '1,234 responses']);
    const rests = [5, 6].map((of) => drawn(RestCount({ of, shown: 5 })));
    expect(rests).toEqual(['null', '<p class="muted">And 1 more.</p>']);
    expect(drawn(RestCount({ of: 1500, shown: 50, says: 'older ones.' }))).toContain('And 1,450 older ones.');
  });

  test('for the steps of the clock follow from the retry table', () => {
    expect(CLOCK_STEPS.map(({ by, says, full }) => `${by}, ${says}, ${full}`).join('; ')).toBe(
      '30s, 30 s, 30 seconds; 2m, 2 min, 2 minutes; 10m, 10 min, 10 minutes; 30m, 30 min, 30 minutes; 2h, 2 h, 2 hours',
    );
  });

  test('a body is laid out as JSON where it is JSON, and an empty one is no body', () => {
    const laidOut = ['{\n  "a": 1\n}', 'not json', '{\n  "a": [\n    1\n  ]\n}', '5'];
    expect(['{"a":1}', 'not json', { a: [1] }, 5].map(prettyPrintBody)).toEqual(laidOut);
    for (const body of [null, undefined, ''])
      expect(drawn(BodyCode({ body, label: 'Copy', most: 5 }))).toBe('<p class="muted">No body.</p>');
  });

  test('forty headers are shown, cut where they are long', () => {
    expect(String(HeaderList({ headers: {} }))).toBe('null');
    const headers = Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`x-${i}`, `${i}`]));
    const all = drawn(HeaderList({ headers: { [`x-${'n'.repeat(60)}`]: 'v'.repeat(401), ...headers } }));
    expect(all.split('<dt>')).toHaveLength(41);
    expect(all).toContain(`<dt>x-${'n'.repeat(58)}… (62 characters)</dt><dd>${'v'.repeat(400)}… (401 characters)</dd>`);
  });

  test('a method has a class of its own where it is one of the service, and is cut where it is long', () => {
    const methods = ['GET', 'DELETE', 'PUT', 'GETS', 'XGET', 'PROPFINDMORE', 'PROPFINDMORES'];
    const classes = methods.map((method) => groupsIn(/class="method (\w*)">(.*)</, MethodName({ method })));
    expect(classes.join(', ')).toBe('get GET, delete DELETE,  PUT,  GETS,  XGET,  PROPFINDMORE,  PROPFINDMORE… (13 characters)');
  });

  test('a status has the tone of its class', () => {
    const statuses = [0, 199, 200, 299, 300, 399, 400, 499, 500, 599];
    const tones = statuses.map((status) => groupsIn(/class="chip (\w+)">(\w+)/, StatusChip({ status })));
    expect(tones.join(', ')).toBe(
      'bad closed, good 199, good 200, good 299, plain 300, plain 399, refused 400, refused 499, bad 500, bad 599',
    );
  });
});

describe('Parts', () => {
  test('each name has an icon of its own, and an unknown name has one of the others', () => {
    const more = ['docs', 'copy', 'world', 'plus', 'run', 'freeze', 'down', 'right'];
    const names = [...new Set([...PAGES.flatMap(({ nav }) => (nav ? [nav.icon] : [])), ...more])];
    const strokesOf = (name: string) => / d="(M[^"]+)"/.exec(drawn(Icon({ name })))![1];
    const strokes = names.map(strokesOf);
    expect(new Set(strokes).size).toBe(names.length);
    expect(strokes).toContain(strokesOf('no such icon'));
  });

  test('a gauge is as full as the window, and turns below a fifth', () => {
    const gauge = (limit: number, remaining: number) =>
      groupsIn(/class="gauge ?(\w*)".*class="gauge-fill" width="([^"]*)"/, Gauge({ spent: { limit, remaining } }));
    const gauges = [gauge(0, 0), gauge(10, 10), gauge(10, 2), gauge(1000, 199), gauge(3, 1), gauge(10, 0)];
    expect(gauges.join(', ')).toBe('bad 0,  100,  20, warn 19.9,  33.3, bad 0');
  });

  test('initials are the first letters of two words that begin with one', () => {
    const initials = ['Ada Okafor', 'ada', 'Ann Mary Lee', '1 2', '42 Élan  vital', ' x', 'x-ray (y) zed'].map((name) => {
      const context = { world: { store: { users: { get: () => ({ value: { name } }) } } } } as unknown as Context;
      return /class="initials"[^>]*>([^<]*)</.exec(drawn(Person({ id: 'user_a', context })))?.[1];
    });
    expect(initials).toEqual(['AO', 'A', 'AM', '?', 'ÉV', 'X', 'XZ']);
  });

  test('a date is late once it is over, unless it is done', () => {
    const context = { world: { clock: { now: () => HOUR } } } as Context;
    const due = (at: number | null, done = false) =>
      drawn(DueDate({ at: at === null ? null : new Date(at).toISOString(), done, context })).replace(/<time.*<\/time>/, '');
    expect(due(null)).toBe('<span class="muted">none</span>');
    expect(due(HOUR - 1)).toBe('<span class="late"><span class="hidden"> (overdue)</span></span>');
    expect([due(HOUR), due(HOUR - 1, true)]).toEqual(['<span></span>', '<span class="muted"></span>']);
  });
});

describe('Faults in words', () => {
  test.each([
    [{}, 'every request'],
    [{ operation: 'listTasks' }, 'listTasks'],
    [{ method: 'GET' }, 'GET'],
    [{ path: '/tasks' }, '/tasks'],
    [{ method: 'GET', path: '/tasks', operation: 'listTasks', key: 'k' }, 'listTasks, GET /tasks, with the key k!'],
    [{ path: '/'.repeat(201) }, `${'/'.repeat(200)}… (201 characters)`],
    [{ key: 'k'.repeat(60) }, `with the key ${'k'.repeat(60)}… (61 characters)`],
    [{ event: '*' }, 'every event'],
    [{ event: 'task.created' }, 'the event task.created'],
    [
      { query: { limit: 5 }, header: { a: 'b' }, body: { c: 1 }, when: () => true },
      'with limit=5, with a: b, with a body that holds {"c":1}, when () => true',
    ],
  ])('%j is for %s', (match, says) => expect(describeMatch(match as never, (key) => `${key}!`)).toBe(says));

  test.each([
    [{ status: 503 }, 'status 503'],
    [{ abort: true }, 'connection closed'],
    [{ delay_ms: { min: 1, max: 2 } }, 'late by 1–2 ms'],
    [{ body: 'empty' }, 'body empty'],
    [{ status: 500, delay_ms: 0, hold: true }, 'status 500, late by 0 ms, held until released'],
    [
      { status: 502, raw: '<h1>', content_type: 'text/html', headers: { server: 'x' }, retry_after: 3 },
      'status 502, with 4 characters of its own, as text/html, headers server, Retry-After 3',
    ],
    [{ status: 422, error: { code: 'taken' } }, 'status 422, taken'],
    [
      { latency: { p50_ms: 1, p99_ms: 9 }, duplicate: true, reorder: true, bad_signature: true },
      'late by 1 ms in the middle, 9 ms at the 99th percentile, delivered twice, behind the next one, wrong signature',
    ],
  ])('%j is %s', (effect, says) => expect(describeEffect(effect as never)).toBe(says));

  test('how often is said only where it is limited', () => {
    const often = [{}, { times: 1 }, { times: 2 }, { times: 0 }, { after: 0 }, { probability: 0 }].map(describeFrequency);
    expect(often).toEqual(['always', 'once', '2 times', '0 times', 'always', '0 %']);
    expect(describeFrequency({ after: 3, times: 1, probability: 0.1234 })).toBe('after 3, once, 12.3 %');
  });
});

describe('Forms', () => {
  const problem = new Problem(422, 'validation_error', 'Wrong.', {
    fields: [
      { field: 'name', issue: 'is taken' },
      { field: 'events[0]', issue: 'is unknown' },
      { field: 'error.code', issue: 'is no code' },
    ],
  });
  const form = new URLSearchParams('name=a&events=x&events=y&empty=');
  const failed = makeFormState('create', { action: 'create', form, problem });
  const fresh = makeFormState('create', undefined);

  test('hold what was typed and what is wrong, when they were refused', () => {
    expect([failed.failed, failed.action]).toEqual([true, 'create']);
    expect(['name', 'none', 'events'].map(failed.values)).toEqual([['a'], [], ['x', 'y']]);
    const issues = ['is taken', 'is unknown', 'is no code', undefined, undefined];
    expect(['name', 'events', 'error', 'event', 'nam'].map(failed.issue)).toEqual(issues);
    for (const other of [fresh, makeFormState('other', { action: 'create', form: new URLSearchParams('name=a'), problem })])
      expect([other.failed, other.values('name'), other.issue('name')]).toEqual([false, undefined, undefined]);
  });

  test('fields hold what was typed, else what they begin with', () => {
    const value = (form: typeof failed, name: string) =>
      / value="([^"]*)"/.exec(drawn(FormField({ form, name, label: 'L', value: 'start' })))?.[1];
    expect(value(fresh, 'name')).toBe('start');
    expect(['name', 'none', 'empty'].map((name) => value(failed, name))).toEqual(['a', '', '']);
    expect(drawn(FormField({ form: fresh, name: 'n', label: 'L' }))).toBe(
      '<div class="field"><label for="create-n">L</label><input id="create-n" name="n" type="text" value="" autocomplete="off" spellcheck="false"/></div>',
    );
    expect(drawn(FormField({ form: fresh, name: 'n', label: 'L', lines: 4, value: null, placeholder: 'P' }))).toContain(
      '<textarea id="create-n" name="n" rows="4" placeholder="P"></textarea>',
    );
    expect(drawn(FormField({ form: fresh, name: 'n', label: 'L', lines: 2, value: 'a\nb' }))).toContain(
      'rows="2">a\nb</textarea>',
    );
  });

  test('a chosen value that is not offered is offered, first', () => {
    const select = (form: typeof failed, more: object = {}) =>
      /<select(.*)<\/select>/.exec(
        drawn(FormField({ form, name: 'events', label: 'L', options: ['x', ['z', 'Zed']], ...more })),
      )![1];
    expect(select(failed, { multiple: true })).toBe(
      ' id="create-events" name="events" aria-describedby="create-events-issue" aria-invalid="true" multiple="" size="2"><option value="y" selected="">y</option><option value="x" selected="">x</option><option value="z">Zed</option>',
    );
    expect(select(fresh, { value: 'z' })).toContain('><option value="x">x</option><option value="z" selected="">Zed</option>');
    expect(select(fresh)).toContain('><option value="x">x</option><option value="z">Zed</option>');
    const size = (count: number) =>
      / size="(\d)"/.exec(select(fresh, { multiple: true, options: Array.from({ length: count }, (_, i) => `${i}`) })!)?.[1];
    expect([1, 3, 9].map(size)).toEqual(['2', '3', '6']);
  });

  const FIELDS: readonly RecordField[] = [
    { name: 'title', label: 'Title', needed: true },
    { name: 'text', label: 'Text' },
    { name: 'parent', label: 'Parent' },
    { name: 'many', label: 'Many', multiple: true },
  ];
  test.each<[string, Record<string, unknown> | undefined, object]>([
    ['', undefined, { title: '' }],
    ['title=a&text=b&parent=c&many=&many=d&other=e', undefined, { title: 'a', text: 'b', parent: 'c', many: ['d'] }],
    ['many=', undefined, { title: '' }],
    ['title=a&text=x%0D%0Ay%0Dz', undefined, { title: 'a', text: 'x\ny\rz' }],
    ['title=a&text=b&parent=c', { title: 'a', text: 'b', parent: 'p' }, { parent: 'c' }],
    ['title=&text=', { title: 'a', text: 'b' }, { title: '', text: null }],
    ['title=&text=', { title: 'a', text: null }, { title: '' }],
    ['title=b&text=c', { title: 'a', text: null }, { title: 'b', text: 'c' }],
    ['title=a', { title: 'a', text: 'b' }, { text: null }],
    ['title=a&text=', { title: 'a' }, {}],
  ])('%j over %j is read as %j', (typed, record, read) => {
    expect(readTyped(new URLSearchParams(typed), FIELDS, record)).toEqual(read);
  });

  test('notes are left with an address, and taken once', () => {
    const notes = new Notes();
    expect(notes.leave({}, '/a')).toBe('/a');
    expect(notes.leave({ says: 'A' }, '/a')).toBe('/a?note=1');
    expect(notes.leave({ says: 'B' }, '/a?b=c#d#e')).toBe('/a?b=c&note=2#d');
    expect(notes.leave({ says: 'C' }, '/#')).toBe('/?note=3#');
    expect([notes.take(null), notes.take('9')]).toEqual([undefined, undefined]);
    expect([notes.take('2'), notes.take('2'), notes.take('1')]).toEqual([{ says: 'B' }, undefined, { says: 'A' }]);
  });
});
