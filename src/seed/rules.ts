// What no schema can say of a seed: each id once, each reference known, each request possible. Reads broken files too.

import { didYouMean } from '../validation/nearest.ts';
import { receiverProblem } from '../validation/receiver-url.ts';
import { type Path, show, showPath } from '../validation/show.ts';
import { FIELDS, type RecordName } from '../world/records.ts';
import type { Fault } from './seed-error.ts';

type Loose = Readonly<Record<string, unknown>>;
/** A record and where it stands: its path is put together only when something is wrong with it. */
interface Entry {
  readonly record: Loose;
  readonly holder: Entry | undefined;
  readonly list: string;
  readonly index: number;
}

const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value);

const pathOf = ({ holder, list, index }: Entry): Path => [...(holder ? pathOf(holder) : []), list, index];

/** Adds the records of a list to those found. */
const gather = (found: Entry[], owner: Loose, list: string, holder?: Entry): Entry[] => {
  const records = owner[list];
  if (!Array.isArray(records)) return found;
  for (let index = 0; index < records.length; index++) {
    const record: unknown = records[index];
    if (isObject(record)) found.push({ record, holder, list, index });
  }
  return found;
};
const under = (holders: readonly Entry[], list: string): Entry[] => {
  const found: Entry[] = [];
  for (const holder of holders) gather(found, holder.record, list, holder);
  return found;
};
const idsOf = (records: readonly Entry[]): ReadonlySet<string> => {
  const ids = new Set<string>();
  for (const { record } of records) if (typeof record.id === 'string') ids.add(record.id);
  return ids;
};

class Rules {
  readonly faults: Fault[] = [];
  readonly #seen = new Map<string, Map<string, Entry>>();
  readonly #mostInAll: number;
  #generated = 0;

  constructor(mostInAll: number) {
    this.#mostInAll = mostInAll;
  }

  file(file: Loose): void {
    const workspaces = gather([], file, 'workspaces');
    this.#once('workspace ids', 'id', workspaces);
    for (const entry of workspaces) this.#workspace(entry);
  }

  #workspace(workspace: Entry): void {
    const list = (name: string) => gather([], workspace.record, name, workspace);
    const [users, projects, looseTasks, looseComments] = [list('users'), list('projects'), list('tasks'), list('comments')];
    const tasks = under(projects, 'tasks').concat(looseTasks);
    const comments = under(tasks, 'comments').concat(looseComments);
    const [teams, webhooks, keys] = [list('teams'), list('webhooks'), list('api_keys')];
    const named = { users, projects, tasks, comments, teams, webhooks, api_keys: keys };
    for (const [name, records] of Object.entries(named)) this.#once(`ids of ${name}`, 'id', records);
    this.#once('key values', 'value', keys);
    this.#once(`team names ${workspace.index}`, 'name', teams);

    const found = { users, projects, tasks };
    const ids = new Map<string, ReadonlySet<string>>();
    const known = (refers: keyof typeof found) => {
      if (!ids.has(refers)) ids.set(refers, idsOf(found[refers]));
      return ids.get(refers)!;
    };
    // A record that stands within another does not say which one that is.
    const loose: Readonly<Record<string, readonly Entry[]>> = { project_id: looseTasks, task_id: looseComments };
    for (const [kind, records] of Object.entries({ keys, projects, tasks, comments, teams, users, webhooks })) {
      for (const { name, refers } of FIELDS[kind as RecordName]) {
        const holders = loose[name] ?? records;
        if (!refers || holders.length === 0) continue;
        this.#refer(holders, name, known(refers), `the id of a ${refers.slice(0, -1)} of this workspace`);
      }
    }
    for (const webhook of webhooks) {
      const { url } = webhook.record;
      if (typeof url !== 'string' || !receiverProblem(url, 'loopback-too')) continue;
      this.#say([...pathOf(webhook), 'url'], 'not a receiver', 'an https URL, or http on loopback', show(url));
    }
    this.#plan(workspace.record, pathOf(workspace));
    this.#generate(workspace.record, pathOf(workspace));
  }

  #plan({ plan, requests_per_minute }: Loose, path: Path): void {
    if (plan === undefined || requests_per_minute === undefined) return;
    this.#say([...path, 'requests_per_minute'], 'two limits', 'either plan or requests_per_minute', 'both');
  }

  #generate({ generate, users }: Loose, path: Path): void {
    const at = [...path, 'generate'];
    const wanted = isObject(generate) ? generate : {};
    const count = (name: string): number => (typeof wanted[name] === 'number' ? wanted[name] : 0);
    const noUsers = users === undefined || (Array.isArray(users) && users.length === 0);
    if (noUsers && !(count('users') > 0)) this.#say([...path, 'users'], 'no user', 'at least one user', 'none');
    const holds = (name: string, holder: string) => {
      if (count(name) > 0 && count(holder) === 0)
        this.#say([...at, name], 'impossible', `${holder} of at least 1`, 'none to hold them');
    };
    holds('tasks_per_project', 'projects');
    holds('comments_per_task', 'tasks_per_project');
    const tasks = count('projects') * count('tasks_per_project');
    const total = tasks * (1 + count('comments_per_task'));
    if (total > MOST_GENERATED) this.#say(at, 'impossible', `at most ${MOST_GENERATED} tasks and comments`, String(total));
    this.#generated += count('users') + count('projects') + total;
    if (this.#generated > this.#mostInAll)
      this.#say(at, 'impossible', `at most ${this.#mostInAll} generated records in all`, String(this.#generated));
  }

  #once(kind: string, field: string, records: readonly Entry[]): void {
    const seen = this.#seen.get(kind) ?? new Map<string, Entry>();
    this.#seen.set(kind, seen);
    for (const entry of records) {
      const value = entry.record[field];
      if (typeof value !== 'string') continue;
      const first = seen.get(value);
      if (first) {
        const where = showPath(pathOf(first));
        this.#say([...pathOf(entry), field], `duplicate ${field}`, 'one of its own', `${show(value)}, as in ${where}`);
      } else seen.set(value, entry);
    }
  }

  #refer(records: readonly Entry[], field: string, known: ReadonlySet<string>, expected: string): void {
    for (const entry of records) {
      const value = entry.record[field];
      if (Array.isArray(value)) {
        value.forEach((one, i) => {
          this.#known(one, () => [...pathOf(entry), field, i], known, expected);
        });
      } else if (typeof value === 'string' && !known.has(value)) {
        this.#known(value, () => [...pathOf(entry), field], known, expected);
      }
    }
  }

  #known(value: unknown, path: () => Path, known: ReadonlySet<string>, expected: string): void {
    if (typeof value !== 'string' || known.has(value)) return;
    const hint = this.faults.length < MOST_HINTS ? didYouMean(value, known) : '';
    this.#say(path(), `unknown reference${hint}`, expected, show(value));
  }

  #say(path: Path, what: string, expected: string, got: string): void {
    this.faults.push({ path, what, expected, got });
  }
}

/** A hint compares with every known id: too slow to do for thousands. */
const MOST_HINTS = 200;

/** More would not fit into memory. */
const MOST_GENERATED = 2_000_000;

/** Every breach of the rules among the records of a parsed file. */
export const ruleFaults = (file: unknown, mostInAll = Number.POSITIVE_INFINITY): readonly Fault[] => {
  const rules = new Rules(mostInAll);
  if (isObject(file)) rules.file(file);
  return rules.faults;
};
