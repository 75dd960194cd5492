// What is due comes in order, ties by turn; a copy goes its own way.
import { expect, test } from 'vitest';
import { Agenda } from './agenda.ts';
import { FIRST_MOMENT, LAST_MOMENT, momentText } from './time.ts';

const job = (id: string) => ({ kind: 'test', id });

test('an agenda gives what is due, in order of time and turn', () => {
  const agenda = new Agenda();
  expect([agenda.first(), agenda.size, agenda.take(1e15), agenda.ahead(3)]).toEqual([undefined, 0, undefined, []]);
  const late = agenda.add(20, job('late'));
  const early = agenda.add(10, job('early'));
  const also = agenda.add(20, job('also'));
  expect([late.sequence, early.sequence, also.sequence]).toEqual([1, 2, 3]);
  expect(agenda.first()).toBe(early);
  expect(agenda.ahead(2)).toEqual([early, late]);
  expect(agenda.size).toBe(3);
  expect(agenda.take(9)).toBeUndefined();
  expect(agenda.take(10)).toBe(early);
  expect([agenda.take(20), agenda.take(20), agenda.take(20)]).toEqual([late, also, undefined]);
});

test('an entry is cancelled once, and written down again in its old place', () => {
  const agenda = new Agenda();
  const [one, two] = [agenda.add(5, job('one')), agenda.add(5, job('two'))];
  expect([agenda.cancel(one), agenda.cancel(one), agenda.size]).toEqual([true, false, 1]);
  agenda.restore(one);
  expect(agenda.ahead(9)).toEqual([one, two]);
});

test('copies, saved or not, number on by themselves', () => {
  const agenda = new Agenda();
  agenda.add(5, job('one'));
  const saved = structuredClone(agenda.save());
  expect(saved).toEqual({ entries: [{ due: 5, sequence: 1, job: job('one') }], sequence: 1 });
  for (const copy of [agenda.fork(), Agenda.from(saved)]) {
    expect(copy.add(4, job('two')).sequence).toBe(2);
    expect([copy.size, copy.first()!.job.id, agenda.size]).toEqual([2, 'two', 1]);
  }
});

test('a moment is written with a year of four digits, the nearest there is', () => {
  expect([FIRST_MOMENT, LAST_MOMENT]).toEqual([-62_167_219_200_000, 253_402_300_799_999]);
  const texts = [0, 0.4, 0.5, FIRST_MOMENT - 1, FIRST_MOMENT, LAST_MOMENT, LAST_MOMENT + 1].map(momentText);
  expect(texts).toEqual([
    '1970-01-01T00:00:00.000Z',
    '1970-01-01T00:00:00.000Z',
    '1970-01-01T00:00:00.001Z',
    '0000-01-01T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59.999Z',
  ]);
});
