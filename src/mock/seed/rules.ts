// What no schema can say of a seed: each id once, each reference known, each request possible. Reads broken files too.

import type { Referred } from '../../service/contract/fields.ts';
import { isObject } from '../../service/contract/schema.ts';
import { receiverProblem } from '../../service/validation/receiver-url.ts';
import { didYouMean, type Path, pathText, valueText } from '../../service/validation/show.ts';
import { FIELDS, type RecordName } from '../../service/world/records.ts';
import type { SeedFault } from './seed-error.ts';

type Loose = Readonly<Record<string, unknown>>;
/** A record and where it stands: its path is put together only when something is wrong with it. */
interface RuleEntry {
  readonly record: Loose;
  readonly holder: RuleEntry | undefined;
  readonly list: string;
  readonly index: number;
}

const pathOf = ({ holder, list, index }: RuleEntry): Path => [...(holder ? pathOf(holder) : []), list, index];

/** Adds the records of a list to those found. */
const gather = (found: RuleEntry[], owner: Loose, list: string, holder?: RuleEntry): RuleEntry[] => {
  const records = owner[list];
  if (!Array.isArray(records)) return found;
  for (let index = 0; index < records.length; index++) {
    const record: unknown = records[index];
    if (isObject(record)) found.push({ record, holder, list, index });
  }
  return found;
};
const under = (holders: readonly RuleEntry[], list: string): RuleEntry[] => {
  const found: RuleEntry[] = [];
  for (const holder of holders) gather(found, holder.record, list, holder);
  return found;
};
const idsOf = (records: readonly RuleEntry[]): ReadonlySet<string> => {
  const ids = new Set<string>();
  for (const { record } of records) if (typeof record.id === 'string') ids.add(record.id);
  return ids;
};

/** A world that the records of a file are to be put into. */
export interface Beside {
  /** Whether the workspace has such a record. */
  known(refers: Referred, id: string): boolean;
  /** Whether another record of a list has the value in a field. */
  taken(list: string, field: string, value: string): boolean;
}

class Rules {
  readonly faults: SeedFault[] = [];
  readonly #beside: Beside | undefined;
  readonly #seen = new Map<string, Map<string, RuleEntry>>();
  readonly #mostInAll: number;
  #generated = 0;
  #compared = 0;

  constructor(beside?: Beside, mostInAll = Number.POSITIVE_INFINITY) {
    this.#beside = beside;
    this.#mostInAll = mostInAll;
  }

  file(file: Loose): void {
    const workspaces = gather([], file, 'workspaces');
    this.#once('workspaces', 'id', workspaces);
    for (const entry of workspaces) this.#workspace(entry);
  }

  #workspace(workspace: RuleEntry): void {
    const list = (name: string) => gather([], workspace.record, name, workspace);
    const [users, projects, looseTasks, looseComments] = [list('users'), list('projects'), list('tasks'), list('comments')];
    const tasks = under(projects, 'tasks').concat(looseTasks);
    const comments = under(tasks, 'comments').concat(looseComments);
    const [teams, webhooks, keys] = [list('teams'), list('webhooks'), list('api_keys')];
    const named = { users, projects, tasks, comments, teams, webhooks, api_keys: keys };
    for (const [name, records] of Object.entries(named)) this.#once(name, 'id', records);
    this.#once('api_keys', 'value', keys);
    this.#once('teams', 'name', teams, workspace.index);

    const found = { users, projects, tasks, teams, comments };
    const ids = new Map<string, ReadonlySet<string>>();
    const known = (refers: keyof typeof found) => {
      if (!ids.has(refers)) ids.set(refers, idsOf(found[refers]));
      return ids.get(refers)!;
    };
    // A record that stands within another does not say which one that is.
    const loose: Readonly<Partial<Record<string, readonly RuleEntry[]>>> = { tasks: looseTasks, comments: looseComments };
    for (const [kind, records] of Object.entries({ keys, projects, tasks, comments, teams, users, webhooks })) {
      for (const { name, refers, within } of FIELDS[kind as RecordName]) {
        const holders = (within && loose[kind]) ?? records;
        if (!refers || holders.length === 0) continue;
        this.#refer(holders, name, refers, known(refers));
      }
    }
    for (const webhook of webhooks) {
      const { url } = webhook.record;
      if (typeof url !== 'string' || !receiverProblem(url, 'loopback-too')) continue;
      this.#say([...pathOf(webhook), 'url'], 'not a receiver', 'an https URL, or http inside your network', valueText(url));
    }
    this.#plan(workspace.record, pathOf(workspace));
    if (!this.#beside) this.#generate(workspace.record, pathOf(workspace));
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
    this.#generated += count('users') + count('projects') + count('teams') + total;
    if (this.#generated > this.#mostInAll)
      this.#say(at, 'impossible', `at most ${this.#mostInAll} generated records in all`, String(this.#generated));
  }

  /** @param scope the index of the workspace in which a value is to stand once; left out: in the whole file */
  #once(list: string, field: string, records: readonly RuleEntry[], scope?: number): void {
    const key = `${list} ${field} ${scope}`;
    const seen = this.#seen.get(key) ?? new Map<string, RuleEntry>();
    this.#seen.set(key, seen);
    for (const entry of records) {
      const value = entry.record[field];
      if (typeof value !== 'string') continue;
      const first = seen.get(value);
      const other = first ? `as in ${pathText(pathOf(first))}` : 'which another record has';
      if (first || this.#beside?.taken(list, field, value))
        this.#say([...pathOf(entry), field], `duplicate ${field}`, 'one of its own', `${valueText(value)}, ${other}`);
      else seen.set(value, entry);
    }
  }

  #refer(records: readonly RuleEntry[], field: string, refers: Referred, known: ReadonlySet<string>): void {
    for (const entry of records) {
      const value = entry.record[field];
      if (Array.isArray(value)) {
        value.forEach((one, i) => {
          this.#known(one, () => [...pathOf(entry), field, i], refers, known);
        });
      } else if (typeof value === 'string' && !known.has(value)) {
        this.#known(value, () => [...pathOf(entry), field], refers, known);
      }
    }
  }

  #known(value: unknown, path: () => Path, refers: Referred, known: ReadonlySet<string>): void {
    if (typeof value !== 'string' || known.has(value) || this.#beside?.known(refers, value)) return;
    const hint = () => this.#didYouMean(value, known);
    this.faults.push({
      path: path(),
      get what() {
        return `unknown reference${hint()}`;
      },
      expected: `the id of a ${refers.slice(0, -1)} of this workspace`,
      got: valueText(value),
    });
  }

  #didYouMean(value: string, known: ReadonlySet<string>): string {
    this.#compared += known.size;
    return this.#compared <= MOST_COMPARED ? didYouMean(value, known) : '';
  }

  #say(path: Path, what: string, expected: string, got: string): void {
    this.faults.push({ path, what, expected, got });
  }
}

/** A hint compares with every known id: too slow to do for thousands of thousands. */
const MOST_COMPARED = 500_000;

/** More would not fit into memory. */
const MOST_GENERATED = 2_000_000;

/** Every breach of the rules among the records of a parsed file. @param beside the world that they are to be put into, if any */
export const ruleFaults = (
  file: unknown,
  { beside, mostGenerated }: { readonly beside?: Beside; readonly mostGenerated?: number | undefined } = {},
): readonly SeedFault[] => {
  const rules = new Rules(beside, mostGenerated);
  if (isObject(file)) rules.file(file);
  return rules.faults;
};

/** What the schema and the rules find, once at each place: there a rule knows more. */
export const mergeFaults = <T extends SeedFault>(
  shape: readonly T[],
  rules: readonly SeedFault[],
): readonly (T | SeedFault)[] => {
  if (shape.length === 0) return rules;
  const ruled = new Set(rules.map(({ path }) => pathText(path)));
  return [...shape.filter(({ path }) => !ruled.has(pathText(path))), ...rules];
};
