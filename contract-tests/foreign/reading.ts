// How the foreign server reads bodies and lists: rules as rows, faults collected one by one.
import type { Task } from './records.ts';

export interface Rule {
  readonly name: string;
  readonly kind: 'text' | 'word' | 'time' | 'person' | 'people' | 'url' | 'events' | 'other';
  readonly max?: number;
  readonly words?: readonly string[];
  readonly needed?: true;
  /** Of what is none of these: the status that a value is refused with. */
  readonly check?: (value: unknown) => 400 | 422 | undefined;
}

export const STATUS = ['backlog', 'todo', 'in_progress', 'in_review', 'done'];
export const PRIORITY = ['low', 'medium', 'high', 'urgent'];
export const VISIBILITY = ['private', 'team', 'public'];

export const PROJECT: readonly Rule[] = [
  { name: 'name', kind: 'text', max: 150, needed: true },
  { name: 'description', kind: 'text', max: 1000 },
  { name: 'visibility', kind: 'word', words: VISIBILITY },
];
export const TASK: readonly Rule[] = [
  { name: 'title', kind: 'text', max: 255, needed: true },
  { name: 'description', kind: 'text', max: 10_000 },
  { name: 'assignee_id', kind: 'person' },
  { name: 'due_date', kind: 'time' },
  { name: 'priority', kind: 'word', words: PRIORITY },
  { name: 'status', kind: 'word', words: STATUS },
];
export const TEAM: readonly Rule[] = [
  { name: 'name', kind: 'text', max: 100, needed: true },
  { name: 'member_ids', kind: 'people' },
];
export const HOOK: readonly Rule[] = [
  { name: 'url', kind: 'url', needed: true },
  { name: 'events', kind: 'events' },
];

export interface Complaint {
  readonly field: string;
  readonly issue: string;
  readonly status: 400 | 422;
}

const reachable = (url: string): boolean => url.startsWith('https://') || /^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(url);

/** Every complaint about a body, in the order of the rules. */
export const complain = (
  body: Record<string, unknown>,
  rules: readonly Rule[],
  patch: boolean,
  isPerson: (id: string) => boolean,
): Complaint[] => {
  const found: Complaint[] = [];
  for (const { name, kind, max, words, needed, check } of rules) {
    const value = body[name];
    const say = (status: 400 | 422, issue: string) => found.push({ field: name, issue, status });
    if (value === undefined) {
      if (needed && !patch) say(400, 'is missing');
    } else if (kind === 'other') {
      const status = check?.(value);
      if (status) say(status, 'is not valid');
    } else if (kind === 'people' || kind === 'events') {
      if (!Array.isArray(value) || value.some((entry) => typeof entry !== 'string')) say(400, 'must be a list of strings');
      else if (kind === 'people' && value.some((entry) => !isPerson(entry as string))) say(422, 'names somebody unknown');
    } else if (typeof value !== 'string') say(400, 'must be a string');
    else if (kind === 'text' && needed && value === '') say(400, 'must not be empty');
    else if (max !== undefined && value.length > max) say(422, `must have at most ${max} characters`);
    else if (words && !words.includes(value)) say(400, `must be one of ${words.join(', ')}`);
    else if (kind === 'time' && Number.isNaN(Date.parse(value))) say(400, 'must be an ISO 8601 datetime');
    else if (kind === 'person' && !isPerson(value)) say(422, 'must be a member of the workspace');
    else if (kind === 'url' && !reachable(value)) say(422, 'must be an https URL');
  }
  for (const name of Object.keys(body))
    if (!rules.some((rule) => rule.name === name)) found.push({ field: name, issue: 'is unknown', status: 400 });
  return found;
};

/** Sorts in place; what has no value comes first, upwards and downwards. */
export const arrange = <T extends { made: number; touched: number }>(rows: T[], sort: string): T[] => {
  const down = sort.startsWith('-');
  const field = sort.replace('-', '');
  const of = (row: T): string | number | undefined => {
    if (field === 'created_at') return row.made;
    if (field === 'updated_at') return row.touched;
    const task = row as unknown as Task;
    return field === 'due_date' ? task.due : task.title;
  };
  return rows.sort((a, b) => {
    const [x, y] = [of(a), of(b)];
    if (x === undefined || y === undefined) return x === y ? 0 : x === undefined ? -1 : 1;
    return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
  });
};
