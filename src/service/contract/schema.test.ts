// Keywords that mean nothing here do not compile.
import { expect, test } from 'vitest';
import { formats } from '../validation/formats.ts';
import { since } from './fields.ts';
import { pageOf } from './operations.ts';
import { ENVELOPES } from './resources.ts';
import { array, boolean, nullable, string } from './schema.ts';

test('a schema names known formats and releases alone', () => {
  for (const format of ['date-time', 'uri'] as const) expect(string({ format }).format).toBe(format);
  expect(Object.keys(formats)).toEqual(['date-time', 'uri']);
  // @ts-expect-error nothing says what an e-mail address is
  string({ format: 'email' });
  // @ts-expect-error there is no such release
  string({ 'x-since': '9.4.0' });
  // @ts-expect-error a field never goes
  string({ 'x-until': '1.3.0' });
});

const { preset, required, server } = since('1.0.0');

test('a field that names records which may be deleted can be cleared, or its record goes with them', () => {
  expect(preset(array(string()), [], { refers: 'tasks' }).refers).toBe('tasks');
  expect(server(nullable(string()), { refers: 'tasks' }).refers).toBe('tasks');
  expect(required(string(), { refers: 'tasks', within: true }).within).toBe(true);
  // @ts-expect-error its value after the deletion of the task is not stated
  required(string(), { refers: 'tasks' });
});

test('a filter that compares something else than texts does not compile', () => {
  expect(pageOf(ENVELOPES.TaskList, { title: string() }, []).list.filters).toEqual({ title: { type: 'string' } });
  // @ts-expect-error it would never fit: queries are texts
  pageOf(ENVELOPES.TaskList, { done: boolean() }, []);
});
