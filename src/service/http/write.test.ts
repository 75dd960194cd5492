// A page is sent as the bytes of its text, whichever way they are made.
import { expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { choose } from '../contract/choices.ts';
import { LATEST, type Release } from '../contract/releases.ts';
import { termsOf } from '../contract/terms.ts';
import type { RecordName } from '../world/records.ts';
import { encodeBody, formatRecord, writePage } from './write.ts';

const WORDS = ['plain', 'naïve', 'l’été', '日本語', '🦔 hedgehog', 'quote " and \\ and \n', '\u2028'];

test.each([1, 2, 7, 40])('the bytes of a page of %i records are its text in UTF-8', (count) => {
  const terms = termsOf({ choices: choose() });
  for (const words of [WORDS, WORDS.slice(0, 1), WORDS.slice(3, 4)]) {
    const rows = Array.from({ length: count }, (_, i) => ({
      value: { id: `thing_${i}`, name: words[i % words.length] },
      workspace: 'ws',
      sequence: i,
    }));
    const page = { rows, show: (value: never) => value, meta: { total: count, limit: 20, has_more: false, next_cursor: null } };
    const text = writePage(page as never, terms);
    const body = encodeBody(page as never, terms);
    expect(typeof body === 'string').toBe(!rows.some(({ value }) => /[^\0-\x7f]/.test(value.name!)));
    expect(typeof body === 'string' ? body : new TextDecoder().decode(body)).toBe(text);
  }
});

test('a page of records with and without characters beyond ASCII says what its records say, and says it again', async () => {
  const mock = await createMock();
  const headers = { ...mock.auth('admin'), 'content-type': 'application/json' };
  const made = await mock.fetch('/projects', { method: 'POST', headers, body: '{"name":"One"}' });
  const { id } = ((await made.json()) as { data: { id: string } }).data;
  for (const title of WORDS) {
    await mock.fetch(`/projects/${id}/tasks`, { method: 'POST', headers, body: JSON.stringify({ title }) });
    const texts = await Promise.all([0, 1].map(async () => (await mock.fetch('/tasks?limit=100', { headers })).text()));
    const { items } = JSON.parse(texts[0]!) as { items: { title: string }[] };
    expect(items.at(-1)!.title).toBe(title);
    expect(texts[1]).toBe(texts[0]);
  }
  await mock.close();
});

test('a text is kept when it is written again, unless it is long, and the oldest of 24 MB is forgotten first', () => {
  const terms = termsOf({ choices: choose() });
  const rowOf = (name: string) => ({
    value: { id: 'thing', name },
    workspace: 'ws',
    sequence: 1,
    text: undefined as string | undefined,
  });
  const write = (rows: ReturnType<typeof rowOf>[]) => {
    const meta = { total: 1, limit: 20, has_more: false, next_cursor: null };
    return writePage({ rows, show: (value: never) => value, meta } as never, terms);
  };
  const [usual, long] = [rowOf('a'), rowOf('a'.repeat(7977))];
  expect(write([usual, long])).toBe(write([usual, long]));
  expect([usual.text, long.text]).toEqual(['{"id":"thing","name":"a"}', undefined]);
  const keptOf = (letter: string) => {
    const rows = Array.from({ length: 3600 }, () => rowOf(letter.repeat(7976)));
    write(rows);
    write(rows);
    return rows.map(({ text }) => text !== undefined);
  };
  expect(keptOf('a').indexOf(true)).toBe(600);
  expect(usual.text).toBeUndefined();
  expect(keptOf('é').indexOf(true)).toBe(2100);
});

test('a record is written by the style of its kind, not by the names of its fields', () => {
  const value = {
    title: 'T',
    priority: 'p1',
    body: null,
    description: null,
    due_date: '2025-01-20T09:00:00.000Z',
    owner_id: 'u',
  };
  const of = (kind: RecordName, draft: Parameters<typeof choose>[0], release: Release = LATEST) =>
    Object.entries(formatRecord(value, termsOf({ choices: choose(draft), release }), kind)).flatMap(([field, held]) =>
      held === value[field as keyof typeof value] ? [field] : [],
    );
  const all = Object.keys(value);
  const but = (...names: string[]) => all.filter((name) => !names.includes(name));
  const shown = { 'owner-field': 'owner_id' } as const;
  expect(of('tasks', shown, '1.2')).toEqual(but('priority'));
  expect(of('projects', shown, '1.2')).toEqual(all);
  expect(of('projects', {})).toEqual(but('owner_id'));
  expect(of('teams', {})).toEqual(all);
  expect(of('tasks', { 'absent-values': 'left-out' })).toEqual(but('description'));
  expect(of('comments', { 'absent-values': 'left-out' })).toEqual(all);
  expect(of('tasks', { 'datetime-format': 'seconds' })).toEqual(but('due_date'));
  expect(of('projects', { 'datetime-format': 'seconds', ...shown })).toEqual(all);
});

test('a record is written again for other terms', () => {
  const value = { id: 'a', created_at: '2025-01-20T09:00:00.000Z', owner_id: 'u', due_date: null, priority: 'low' };
  const rows = [{ value, workspace: 'w', sequence: 1 }];
  const meta = { total: 1, limit: 20, has_more: false, next_cursor: null };
  const write = (draft: object, of: readonly object[] = rows) =>
    writePage({ rows: of, show: (record: never) => record, meta } as never, termsOf(draft));
  const choices = [{ 'owner-field': 'owner_id' }, { 'absent-values': 'left-out' }, { 'datetime-format': 'seconds' }] as const;
  const styles = [{}, ...choices.map((one) => ({ choices: choose(one) })), { release: '1.2' }];
  const texts = styles.map((style) => write(style));
  expect(new Set(texts).size).toBe(5);
  expect(styles.map((style) => write(style))).toEqual(texts);
  expect(texts[0]).toBe(
    `{"items":[{"id":"a","created_at":"2025-01-20T09:00:00.000Z","due_date":null,"priority":"low"}],"meta":${JSON.stringify(meta)}}`,
  );
  expect(write({}, [])).toBe(`{"items":[],"meta":${JSON.stringify(meta)}}`);
  expect(write({ forward: ['order'] })).toContain('{"meta":{"next_cursor":null');
});
