// Times, numbers and texts as pages show them, at their edges.
import { describe, expect, test } from 'vitest';
import { Problem } from '../contract/errors.ts';
import { outline } from '../test/outline.ts';
import type { Context } from './context.ts';
import { left } from './countdown.tsx';
import { Due, Person, Word } from './data/cells.tsx';
import { type FieldOf, named, short, typedIn } from './data/collection.ts';
import { Field } from './fields.tsx';
import { formState } from './form.ts';
import { Gauge } from './gauge.tsx';
import { Notes } from './notes.ts';
import { effectSays, matchSays, oftenSays } from './pages/fault-drafts.ts';
import { Card, Chip, Code, Copy, distance, Empty, Mono, PageHead, plainTime, Table, Tabs, Time } from './parts.tsx';
import { backOf } from './respond.ts';
import { Body, clipped, Headers, Method, prettyOf, Status, Words } from './traffic-parts.tsx';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const drawn = (element: unknown): string => outline(String(element));

describe('Time', () => {
  test.each([
    [0, 'now'],
    [999, 'now'],
    [SECOND, '1 s ago'],
    [MINUTE - 1, '59 s ago'],
    [MINUTE, '1 min ago'],
    [HOUR - 1, '59 min ago'],
    [HOUR, '1 h ago'],
    [48 * HOUR - 1, '47 h ago'],
    [48 * HOUR, '2 d ago'],
    [60 * DAY - 1, '59 d ago'],
    [60 * DAY, '2 mo ago'],
    [730 * DAY - 1, '24 mo ago'],
    [730 * DAY, '2 y ago'],
    [3650 * DAY, '10 y ago'],
    [-999, 'now'],
    [-SECOND, 'in 1 s'],
    [-HOUR, 'in 1 h'],
  ])('%d ms apart is %j', (ms, says) => expect(distance(5 * DAY, 5 * DAY + ms)).toBe(says));

  test.each([
    [-5, '0:00'],
    [0, '0:00'],
    [1, '0:01'],
    [1000, '0:01'],
    [1001, '0:02'],
    [59_000, '0:59'],
    [60_000, '1:00'],
    [69_000, '1:09'],
    [3_599_000, '59:59'],
    [3_600_000, '1:00:00'],
    [3_661_000, '1:01:01'],
    [36_000_000, '10:00:00'],
  ])('%d ms are left as %j', (ms, says) => expect(left(ms)).toBe(says));

  test('is written in UTC, to the second', () => {
    expect(plainTime(1_737_363_605_999)).toBe('2025-01-20 09:00:05');
    const context = { world: { clock: { now: () => HOUR } } } as Context;
    expect(drawn(Time({ at: 0, context }))).toBe(
      'time datetime="1970-01-01T00:00:00.000Z" title="1970-01-01 00:00:00 UTC" "1 h ago"',
    );
    expect(drawn(Time({ at: '1970-01-01T00:30:00Z', context, full: true }))).toBe(
      'time datetime="1970-01-01T00:30:00.000Z" title="1970-01-01 00:30:00 UTC" "1970-01-01 00:30:00"',
    );
  });
});

describe('Texts', () => {
  test('are cut, and counted, where they are too long', () => {
    expect([clipped('abcd', 4), clipped('abcde', 4), clipped('x'.repeat(1234), 1)]).toEqual([
      'abcd',
      'abcd… (5 characters)',
      'x… (1,234 characters)',
    ]);
    expect([short('a'.repeat(72)), short('a'.repeat(73)), short('abcd', 3), short('abc', 3)]).toEqual([
      'a'.repeat(72),
      `${'a'.repeat(71)}…`,
      'ab…',
      'abc',
    ]);
    expect([short('😀😀😀', 3), short('😀😀😀😀', 3), short('😀'.repeat(100), 2)]).toEqual(['😀😀😀', '😀😀…', '😀…']);
  });

  test('with backticks have code', () => {
    expect(drawn(Words({ text: 'a `b` c `d`' }))).toBe('"a "\ncode "b"\n" c "\ncode "d"');
    expect(drawn(Words({ text: 'plain' }))).toBe('"plain"');
  });

  test.each([
    ['{"a":1}', '{\n  "a": 1\n}'],
    ['not json', 'not json'],
    [{ a: [1] }, '{\n  "a": [\n    1\n  ]\n}'],
    [5, '5'],
  ])('%j as a body is %j', (body, says) => expect(prettyOf(body)).toBe(says));

  test.each([null, undefined, ''])('%j is no body', (body) => {
    expect(drawn(Body({ body, label: 'Copy', most: 5 }))).toBe('p class="muted" "No body."');
  });

  test('a long body is cut after it was laid out', () => {
    expect(drawn(Body({ body: 0, label: 'Copy it', most: 1 }))).toContain('code "0"');
    expect(drawn(Body({ body: { a: 1 }, label: 'Copy it', most: 3 }))).toContain('code "{\\n … (12 characters)"');
  });

  test('forty headers are shown, cut where they are long', () => {
    expect(String(Headers({ headers: {} }))).toBe('null');
    const headers = Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`x-${i}`, `${i}`]));
    const lines = drawn(Headers({ headers: { [`x-${'n'.repeat(60)}`]: 'v'.repeat(401), ...headers } })).split('\n');
    expect(lines).toHaveLength(81);
    expect(lines.slice(0, 3)).toEqual([
      'dl class="headers"',
      ` dt "x-${'n'.repeat(58)}… (62 characters)"`,
      ` dd "${'v'.repeat(400)}… (401 characters)"`,
    ]);
  });

  test.each([
    ['GET', 'method get', 'GET'],
    ['DELETE', 'method delete', 'DELETE'],
    ['PUT', 'method ', 'PUT'],
    ['GETS', 'method ', 'GETS'],
    ['XGET', 'method ', 'XGET'],
    ['PROPFINDMORE', 'method ', 'PROPFINDMORE'],
    ['PROPFINDMORES', 'method ', 'PROPFINDMORE… (13 characters)'],
  ])('the method %s', (method, names, says) => {
    expect(drawn(Method({ method }))).toBe(`span class="${names}" "${says}"`);
  });

  test.each([
    [0, 'bad', 'closed'],
    [199, 'good', '199'],
    [200, 'good', '200'],
    [299, 'good', '299'],
    [300, 'plain', '300'],
    [399, 'plain', '399'],
    [400, 'warn', '400'],
    [499, 'warn', '499'],
    [500, 'bad', '500'],
    [599, 'bad', '599'],
  ])('the status %d is %s', (status, tone, says) => {
    expect(drawn(Status({ status }))).toBe(`span class="chip ${tone}" "${says}"`);
  });

  test.each([
    ['/', '/'],
    ['/a?b=c#d', '/a?b=c#d'],
    ['//a', '/'],
    ['/\\a', '/'],
    ['a/', '/'],
    [' /a', '/'],
    ['/a b', '/'],
    ['/~', '/~'],
    ['/\u007f', '/'],
    [null, '/'],
  ])('from %j a form leads back to %j', (back, to) => expect(backOf(back)).toBe(to));
});

describe('Parts', () => {
  test.each<[string, unknown, string]>([
    ['a head', PageHead({ title: 'T' }), 'div class="page-head"\n div\n  h1 "T"'],
    [
      'a head with words and buttons',
      PageHead({ title: 'T', says: 'S', children: 'B' }),
      'div class="page-head"\n div\n  h1 "T"\n  p class="lead" "S"\n div class="actions" "B"',
    ],
    ['a card', Card({ children: 'C' }), 'section class="card"\n div class="card-body" "C"'],
    [
      'a card that lives',
      Card({ title: 'T', says: 'S', side: 'X', live: 'l', id: 'i', flush: true }),
      'section class="card flush" data-live="" id="l"\n header class="card-head"\n  div\n   h2 "T"\n   p class="muted" "S"\n  div class="actions" "X"\n div class="card-body"',
    ],
    [
      'a card with an id',
      Card({ id: 'i', title: 'T' }),
      'section class="card" id="i"\n header class="card-head"\n  div\n   h2 "T"\n div class="card-body"',
    ],
    ['a chip', Chip({ children: 'C' }), 'span class="chip plain" "C"'],
    ['a chip with a tone', Chip({ tone: 'bad', children: 'C' }), 'span class="chip bad" "C"'],
    [
      'a table',
      Table({ label: 'L', columns: ['A', '', { head: 'N', number: true }] }),
      'section aria-label="L" class="table" tabindex="0"\n table\n  thead\n   tr\n    th scope="col" "A"\n    th scope="col"\n     span class="hidden" "Actions"\n    th class="number" scope="col" "N"\n  tbody',
    ],
    [
      'a wide table',
      Table({ label: 'L', columns: [], wideFirst: true }),
      'section aria-label="L" class="table wide-first" tabindex="0"\n table\n  thead\n   tr\n  tbody',
    ],
    ['nothing yet', Empty({ title: 'T', children: 'C' }), 'div class="empty"\n p class="strong" "T"\n p class="muted" "C"'],
    [
      'tabs',
      Tabs({
        label: 'L',
        tabs: [
          { label: 'A', to: '/a', current: true },
          { label: 'B', to: '/b', current: false, count: 1234 },
        ],
      }),
      'nav aria-label="L" class="tabs"\n a aria-current="page" href="/a" "A"\n a href="/b"\n  "B"\n  span class="count" "1,234"',
    ],
    ['an id', Mono({ text: 'x' }), 'span class="mono"\n span "x"'],
  ])('%s', (_, element, says) => expect(drawn(element)).toBe(says));

  test('code has its language, its button, and goes on below if told', () => {
    expect(
      drawn(Code({ text: 'x' }))
        .split('\n')
        .slice(0, 4),
    ).toEqual([
      'div class="code"',
      ' pre tabindex="0"',
      '  code "x"',
      ' button aria-label="Copy" class="copy" data-copy="x" title="Copy" type="button"',
    ]);
    expect(
      drawn(Code({ text: 'x', language: 'Shell', wrap: true, label: 'L' }))
        .split('\n')
        .slice(0, 2),
    ).toEqual(['div class="code wrap"', ' span class="code-name" "Shell"']);
  });

  test('what is copied is named', () => {
    const label = (element: unknown) => /aria-label="([^"]*)"/.exec(drawn(element))?.[1];
    expect(label(Copy({ text: 'x' }))).toBe('Copy');
    expect(label(Mono({ text: 'y'.repeat(70), copy: true }))).toBe(`Copy ${'y'.repeat(60)}`);
    expect(label(Mono({ text: 'x', copy: 'Take it' }))).toBe('Take it');
  });

  test.each([
    [0, 0, '0', ' bad'],
    [10, 10, '100', ''],
    [10, 2, '20', ''],
    [1000, 199, '19.9', ' warn'],
    [3, 1, '33.3', ''],
    [10, 0, '0', ' bad'],
  ])('a gauge of %d with %d left', (limit, remaining, width, tone) => {
    const gauge = drawn(Gauge({ spent: { limit, remaining, used: 0, reset: 0, resetAt: 0 } as never }));
    expect(gauge).toContain(`class="gauge${tone}"`);
    expect(gauge).toContain(`class="gauge-fill" height="8" width="${width}"`);
  });

  test.each([
    ['in_review', 'warn', 'in review'],
    ['toString', 'plain', 'toString'],
    ['a_b_c', 'plain', 'a b c'],
  ])('the word %s', (word, tone, says) => {
    expect(drawn(Word({ word, tones: { in_review: 'warn' } }))).toBe(`span class="chip ${tone}" "${says}"`);
    expect(drawn(Word({ word: 'w'.repeat(31) }))).toBe(`span class="chip plain" "${'w'.repeat(29)}…"`);
  });

  test.each([
    ['Ada Okafor', 'AO'],
    ['ada', 'A'],
    ['Ann Mary Lee', 'AM'],
    ['1 2', '?'],
    ['42 Élan  vital', 'ÉV'],
    [' x', 'X'],
    ['x-ray (y) zed', 'XZ'],
  ])('%s has the initials %s', (name, initials) => {
    const context = { world: { store: { users: { get: () => ({ value: { name } }) } } } } as unknown as Context;
    expect(drawn(Person({ id: 'user_a', context }))).toContain(`span aria-hidden="true" class="initials" "${initials}"`);
  });

  test('nobody, and somebody who is not there', () => {
    const context = { world: { store: { users: { get: () => undefined } } } } as unknown as Context;
    expect(drawn(Person({ id: null, context }))).toBe('span class="muted" "nobody"');
    expect(drawn(Person({ id: `user_${'x'.repeat(26)}`, context }))).toBe(`span class="mono muted" "user_${'x'.repeat(24)}…"`);
  });

  test('a date is late once it is over, unless it is done', () => {
    const context = { world: { clock: { now: () => HOUR } } } as Context;
    const due = (at: number | null, done = false) =>
      drawn(Due({ at: at === null ? null : new Date(at).toISOString(), done, context })).split('\n');
    expect(due(null)).toEqual(['span class="muted" "none"']);
    expect(due(HOUR - 1)[0]).toBe('span class="late"');
    expect(due(HOUR - 1).at(-1)).toBe(' span class="hidden" " (overdue)"');
    expect(due(HOUR)[0]).toBe('span');
    expect(due(HOUR - 1, true)[0]).toBe('span class="muted"');
    expect(due(0, true)).toHaveLength(2);
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
  ])('%j is for %s', (match, says) => expect(matchSays(match as never, (key) => `${key}!`)).toBe(says));

  test.each([
    [{ status: 503 }, 'answered 503'],
    [{ abort: true }, 'connection closed'],
    [{ delay_ms: 5 }, 'late by 5 ms'],
    [{ delay_ms: { min: 1, max: 2 } }, 'late by 1–2 ms'],
    [{ body: 'empty' }, 'body empty'],
    [{ hold: true }, 'held until released'],
    [{ status: 500, delay_ms: 0, hold: true }, 'answered 500, late by 0 ms, held until released'],
  ])('%j is %s', (effect, says) => expect(effectSays(effect as never)).toBe(says));

  test.each([
    [{}, 'always'],
    [{ times: 1 }, 'once'],
    [{ times: 2 }, '2 times'],
    [{ times: 0 }, '0 times'],
    [{ after: 0 }, 'always'],
    [{ after: 3, times: 1, probability: 0.1234 }, 'after 3, once, 12.3 %'],
    [{ probability: 0 }, '0 %'],
  ])('%j is %s', (often, says) => expect(oftenSays(often)).toBe(says));
});

describe('Forms', () => {
  const problem = new Problem(422, 'validation_error', 'Wrong.', {
    fields: [
      { field: 'name', issue: 'is taken' },
      { field: 'events[0]', issue: 'is unknown' },
    ],
  });
  const failed = formState('create', { action: 'create', form: new URLSearchParams('name=a&events=x&events=y&empty='), problem });
  const fresh = formState('create', undefined);

  test('hold what was typed and what is wrong, when they were refused', () => {
    expect([failed.failed, failed.action, failed.value('name'), failed.value('none'), failed.values('events')]).toEqual([
      true,
      'create',
      'a',
      undefined,
      ['x', 'y'],
    ]);
    expect(['name', 'events', 'event', 'nam'].map((field) => failed.issue(field))).toEqual([
      'is taken',
      'is unknown',
      undefined,
      undefined,
    ]);
    for (const other of [fresh, formState('other', { action: 'create', form: new URLSearchParams('name=a'), problem })])
      expect([other.failed, other.value('name'), other.values('name'), other.issue('name')]).toEqual([
        false,
        undefined,
        undefined,
        undefined,
      ]);
  });

  const line = (element: unknown, pattern: RegExp) =>
    drawn(element)
      .split('\n')
      .find((one) => pattern.test(one))
      ?.trim();
  test('fields hold what was typed, else what they begin with', () => {
    const value = (form: typeof failed, name: string) =>
      line(Field({ form, name, label: 'L', value: 'start' }), /input/)?.match(/value="([^"]*)"/)?.[1];
    expect([value(fresh, 'name'), value(failed, 'name'), value(failed, 'none'), value(failed, 'empty')]).toEqual([
      'start',
      'a',
      '',
      '',
    ]);
    expect(line(Field({ form: fresh, name: 'n', label: 'L' }), /input/)).toBe(
      'input autocomplete="off" id="create-n" name="n" spellcheck="false" type="text" value=""',
    );
    expect(line(Field({ form: fresh, name: 'n', label: 'L', lines: 4, value: null, placeholder: 'P' }), /textarea/)).toBe(
      'textarea id="create-n" name="n" placeholder="P" rows="4"',
    );
    expect(line(Field({ form: fresh, name: 'n', label: 'L', lines: 2, value: 'a\nb' }), /textarea/)).toBe(
      'textarea id="create-n" name="n" rows="2" "a\\nb"',
    );
  });

  test('fields have their hints, issues and widths', () => {
    const wrong = drawn(
      Field({ form: failed, name: 'name', label: 'Name', hint: 'H', wide: true, grow: true, wider: true, scope: 's' }),
    );
    expect(wrong.split('\n')).toEqual([
      'div class="field wide grow wider wrong"',
      ' label for="s-name" "Name"',
      ' input aria-describedby="s-name-hint s-name-issue" aria-invalid="true" autocomplete="off" id="s-name" name="name" spellcheck="false" type="text" value="a"',
      ' p class="hint" id="s-name-hint" "H"',
      ' p class="issue" id="s-name-issue" "Name is taken."',
    ]);
    const plain = drawn(Field({ form: fresh, name: 'n', label: 'L', submits: true, searches: true, type: 'number', step: '2' }));
    expect(plain.split('\n')).toEqual([
      'div class="field"',
      ' label for="create-n" "L"',
      ' input autocomplete="off" data-search="" data-submit="" id="create-n" name="n" spellcheck="false" step="2" type="number" value=""',
    ]);
  });

  test('what was chosen and is not offered is offered, first', () => {
    const options = (form: typeof failed, more: object = {}) =>
      drawn(Field({ form, name: 'events', label: 'L', options: ['x', ['z', 'Zed']], ...more }))
        .split('\n')
        .filter((one) => /option|select/.test(one))
        .map((one) => one.trim());
    expect(options(failed, { multiple: true })).toEqual([
      'select aria-describedby="create-events-issue" aria-invalid="true" id="create-events" multiple="" name="events" size="2"',
      'option selected="" value="y" "y"',
      'option selected="" value="x" "x"',
      'option value="z" "Zed"',
    ]);
    expect(options(fresh, { value: 'z' }).slice(1)).toEqual(['option value="x" "x"', 'option selected="" value="z" "Zed"']);
    expect(options(fresh).slice(1)).toEqual(['option value="x" "x"', 'option value="z" "Zed"']);
    const many = Array.from({ length: 9 }, (_, i) => `${i}`);
    expect(options(fresh, { multiple: true, options: many })[0]).toContain('size="6"');
    expect(options(fresh, { multiple: true, options: ['a'] })[0]).toContain('size="2"');
    expect(options(fresh, { multiple: true, options: ['a', 'b', 'c'] })[0]).toContain('size="3"');
  });

  const FIELDS: readonly FieldOf[] = [
    { name: 'title', label: 'Title', needed: true },
    { name: 'text', label: 'Text' },
    { name: 'parent', label: 'Parent', once: true },
    { name: 'many', label: 'Many', multiple: true },
  ];
  test.each<[string, Record<string, unknown> | undefined, object]>([
    ['', undefined, { title: '' }],
    ['title=a&text=b&parent=c&many=&many=d&other=e', undefined, { title: 'a', text: 'b', parent: 'c', many: ['d'] }],
    ['many=', undefined, { title: '' }],
    ['title=a&text=x%0D%0Ay%0Dz', undefined, { title: 'a', text: 'x\ny\rz' }],
    ['title=a&text=b&parent=c', { title: 'a', text: 'b', parent: 'p' }, {}],
    ['title=&text=', { title: 'a', text: 'b' }, { title: '', text: null }],
    ['title=&text=', { title: 'a', text: null }, { title: '' }],
    ['title=b&text=c', { title: 'a', text: null }, { title: 'b', text: 'c' }],
    ['title=a', { title: 'a', text: 'b' }, { text: null }],
    ['title=a&text=', { title: 'a' }, {}],
  ])('%j over %j is read as %j', (typed, record, read) => {
    expect(typedIn(new URLSearchParams(typed), FIELDS, record)).toEqual(read);
  });

  test('what names something that is not there is shown at its field; other problems stay what they are', async () => {
    const failing = (error: unknown) =>
      named('task_id', 'must be a task', () => {
        throw error;
      });
    await expect(failing(new Problem(404, 'not_found', 'No.'))).rejects.toMatchObject({
      status: 422,
      code: 'validation_error',
      message: 'task_id must be a task.',
      fields: [{ field: 'task_id', issue: 'must be a task' }],
    });
    for (const other of [new Problem(409, 'conflict', 'No.'), new Error('x')]) await expect(failing(other)).rejects.toBe(other);
    expect(await named('a', 'b', async () => 7)).toBe(7);
  });

  test('notes are left with an address, and taken once', () => {
    const notes = new Notes();
    expect(notes.leave({}, '/a')).toBe('/a');
    expect(notes.leave({ says: 'A' }, '/a')).toBe('/a?note=1');
    expect(notes.leave({ says: 'B' }, '/a?b=c#d#e')).toBe('/a?b=c&note=2#d');
    expect(notes.leave({ says: 'C' }, '/#')).toBe('/?note=3#');
    expect([notes.take(null), notes.take('9'), notes.take('2'), notes.take('2'), notes.take('1')]).toEqual([
      undefined,
      undefined,
      { says: 'B' },
      undefined,
      { says: 'A' },
    ]);
  });
});
