// The register and the checks know each other.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKS } from '../checks/index.ts';
import { openPointsOf } from '../engine/choices.ts';
import { readRegister, readShippedDocument, shipped } from '../engine/register.ts';

const register = readRegister();
const known = new Set(register.map(({ id }) => id));
const covered = new Set(CHECKS.flatMap(({ covers }) => covers));

test('the register has at least 250 clauses, each with its own id', () => {
  expect(register.length).toBeGreaterThanOrEqual(250);
  expect(known.size).toBe(register.length);
});

test('a clause says what it takes to see it, or why it cannot be seen', () => {
  expect(register.filter((row) => (row.needs === undefined) === (row.unseen === undefined)).map(({ id }) => id)).toEqual([]);
});

test('a clause that the specification states says where and in which words, and an open one at least where', () => {
  const placed = ({ line }: { line?: number }) => Number.isInteger(line) && line! > 0;
  expect(register.filter((row) => !placed(row) || (row.level === 'must' && !row.quote?.trim())).map(({ id }) => id)).toEqual([]);
});

test('every clause that can be seen has a check', () => {
  expect(register.filter(({ id, unseen }) => unseen === undefined && !covered.has(id)).map(({ id }) => id)).toEqual([]);
});

test('every check names requirements of the register, and none that cannot be seen', () => {
  const unseen = new Set(register.filter((row) => row.unseen).map(({ id }) => id));
  expect([...covered].filter((id) => !known.has(id) || unseen.has(id))).toEqual([]);
  expect(CHECKS.filter(({ covers }) => covers.length === 0).map(({ id }) => id)).toEqual([]);
});

test('the id of a check is its own', () => {
  expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
});

const folder = join(shipped('contract-tests/requirements.yaml')!, '..');
/** The hand-written modules of a room; of the whole suite without one. */
const textsIn = (room = '.'): string[] =>
  (readdirSync(join(folder, room), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.generated.ts'))
    .map((name) => readFileSync(join(folder, room, name), 'utf8'));
const NAMED = /WM-[A-Z]+-\d{3}/g;

/** Ids that the suite spells beside the register; the number may only fall. */
const MAX_SPELT = 447;

test('an id is spelt in the register: the oracle finds the rows of its tables by key', () => {
  expect(register.filter(({ of }) => of !== undefined).length).toBeGreaterThan(190);
  expect(readFileSync(join(folder, 'oracle/clauses.ts'), 'utf8')).not.toMatch(/WM-[A-Z]+-\d/);
  const rooms = ['oracle', 'checks', 'engine', 'situations', 'stories'].flatMap((room) => textsIn(room));
  expect(rooms.flatMap((text) => [...new Set(text.match(NAMED))]).length).toBeLessThanOrEqual(MAX_SPELT);
});

test('every requirement that the code names is in the register', () => {
  const named = textsIn().flatMap((text) => text.match(NAMED) ?? []);
  expect([...new Set(named)].filter((id) => !known.has(id))).toEqual([]);
});

test('an open point that the code names is in the OpenAPI document', () => {
  const named = textsIn().flatMap((text) => [...text.matchAll(/\bobserve\('([\w-]+)'/g)].map(([, name]) => name!));
  expect(named.length).toBeGreaterThan(20);
  const points = Object.keys(openPointsOf(readShippedDocument()));
  expect(named.filter((name) => !points.includes(name))).toEqual([]);
});
