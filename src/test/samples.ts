// Values that a field may hold, made of its schema: two different ones, the first of them not what a new record has.
import type { Field, Referred } from '../service/contract/fields.ts';

interface Rules {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Rules;
}

const FIRST: Readonly<Record<Referred, readonly string[]>> = {
  users: ['user_b', 'user_a'],
  projects: ['proj_b', 'proj_a'],
  tasks: ['task_b', 'task_a'],
  teams: ['team_b', 'team_a'],
  comments: ['cmt_b', 'cmt_a'],
};
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2025-03-01T10:00:00.000Z', '2025-04-01T10:00:00.000Z'],
  uri: ['https://one.test/hook', 'https://two.test/hook'],
};

const words = (rules: Rules, { refers, start }: Pick<Field, 'refers' | 'start'>): readonly unknown[] => {
  const [type] = [rules.type ?? 'string'].flat();
  const least = rules.minimum ?? 0;
  if (type === 'integer') return [least + 1, least + 2, least + 3].filter((value) => value !== start);
  if (type === 'number') return [least + 0.25, least + 0.5, least + 0.75].filter((value) => value !== start);
  if (type === 'boolean') return [start !== true, start === true];
  if (refers) return FIRST[refers];
  if (rules.enum) return rules.enum.filter((value) => value !== null && value !== start);
  const { minLength = 0, maxLength } = rules;
  return FORMATS[rules.format ?? ''] ?? ['First', 'Second'].map((text) => text.slice(0, maxLength).padEnd(minLength, 'x'));
};

/** Two values of a field. */
export const samplesOf = (field: Field): readonly [unknown, unknown] => {
  const rules = field.schema as Rules;
  const [type] = [rules.type ?? 'string'].flat();
  const [one, other] = words(type === 'array' ? rules.items! : rules, field);
  if (type === 'array') return [[one], [one, other]];
  return [one, other ?? field.start];
};

/** A value of another type than the field's. */
export const wrongFor = ({ schema }: Field): unknown =>
  ['integer', 'number'].some((type) => (schema as Rules).type?.includes(type)) ? 'none' : 7.5;
