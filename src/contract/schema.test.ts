// Keywords that mean nothing here do not compile.
import { expect, test } from 'vitest';
import { formats } from '../validation/formats.ts';
import { string } from './schema.ts';

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
