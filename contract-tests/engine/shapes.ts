// Which fields each resource shows, with the requirement that says so. Unknown fields and unknown enumeration values are allowed.
import type { Json } from './exchange.ts';
import type { Shape } from './operations.ts';

export interface Field {
  readonly name: string;
  readonly requirement: string;
  readonly holds: (value: unknown) => boolean;
  readonly time?: boolean;
  /** The types that it may have, where these are all that is asked. */
  readonly types?: readonly string[] | undefined;
}

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isInteger = (value: unknown) => Number.isInteger(value);
const optionalText = (value: unknown) => value === undefined || value === null || typeof value === 'string';
const present = (value: unknown) => value !== undefined && value !== null;

const isUrl = (value: unknown) => value === null || (typeof value === 'string' && URL.canParse(value));

const TYPES = new Map<unknown, readonly string[]>([
  [isText, ['text']],
  [isInteger, ['integer']],
  [optionalText, ['text', 'empty', 'null', 'missing']],
  [Array.isArray, ['list']],
  ['time', ['text']],
]);

const fields = (prefix: string, ...rows: readonly (readonly [string, number, Field['holds'] | 'time'])[]): readonly Field[] =>
  rows.map(([name, number, holds]) => ({
    name,
    requirement: `${prefix}-${String(number).padStart(3, '0')}`,
    holds: holds === 'time' ? present : holds,
    types: TYPES.get(holds),
    ...(holds === 'time' ? { time: true } : {}),
  }));

const isMember = (value: unknown): boolean => {
  const member = (value ?? {}) as Json;
  return isText(member.id) && isText(member.name) && isText(member.role);
};

const teamCommon = [
  ['id', 1, isText],
  ['name', 2, isText],
  ['created_at', 13, 'time'],
  ['updated_at', 14, 'time'],
] as const;

export const SHAPES: { readonly [S in Shape]: readonly Field[] } = {
  project: fields(
    'WM-PROJ',
    ['id', 1, isText],
    ['name', 2, isText],
    ['description', 4, optionalText],
    ['visibility', 31, isText],
    ['created_at', 9, 'time'],
    ['updated_at', 10, 'time'],
  ),
  task: fields(
    'WM-TASK',
    ['id', 1, isText],
    ['project_id', 2, isText],
    ['title', 3, isText],
    ['description', 5, optionalText],
    ['assignee_id', 6, optionalText],
    ['due_date', 47, (value) => value === undefined || value === null || isUtc(value)],
    ['priority', 46, isText],
    ['status', 45, isText],
    ['created_at', 12, 'time'],
    ['updated_at', 13, 'time'],
  ),
  profile: fields(
    'WM-USER',
    ['id', 1, isText],
    ['name', 2, isText],
    ['email', 3, isText],
    ['role', 4, isText],
    ['avatar_url', 5, isUrl],
    ['created_at', 6, 'time'],
  ),
  member: fields('WM-USER', ['id', 7, isText], ['name', 8, isText], ['email', 9, isText], ['role', 10, isText]),
  team: fields('WM-TEAM', ...teamCommon),
  'team-read': fields(
    'WM-TEAM',
    ...teamCommon,
    ['members', 10, Array.isArray],
    ['members', 11, (value) => !Array.isArray(value) || value.every(isMember)],
  ),
  comment: fields(
    'WM-CMT',
    ['id', 1, isText],
    ['author_id', 2, isText],
    ['body', 3, (value) => typeof value === 'string'],
    ['created_at', 4, 'time'],
  ),
  webhook: [],
};

/** member_count stands under two requirements: that of the create response and that of the list. */
export const COUNT_CREATED: Field = { name: 'member_count', requirement: 'WM-TEAM-008', holds: isInteger, types: ['integer'] };
export const COUNT_LISTED: Field = { name: 'member_count', requirement: 'WM-TEAM-009', holds: isInteger, types: ['integer'] };

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]00:?00)?$/;

/** This as a pattern that asks for the zone. */
export const ZONED = UTC.source.replace(/\?\$$/, '$');

/** An ISO 8601 datetime in UTC; without a zone it is taken as UTC. */
export const isUtc = (value: unknown): value is string =>
  typeof value === 'string' && UTC.test(value) && !Number.isNaN(instant(value));

/** Whether a datetime says where its hours count from. */
export const namesZone = (value: string): boolean => /(Z|[+-]\d\d:?\d\d)$/.test(value);

/** Milliseconds since 1970 of a datetime. */
export const instant = (value: unknown): number => {
  if (typeof value !== 'string') return Number.NaN;
  return Date.parse(namesZone(value) ? value : `${value}Z`);
};
