// Rules of a seed beyond its schema: each id once, each reference known, each request possible. Reads broken files too.
import type { Referred } from '../../service/contract/fields.ts';
import { getOrMake } from '../../service/contract/keyed.ts';
import { isObject } from '../../service/contract/schema.ts';
import { receiverProblem } from '../../service/validation/receiver-url.ts';
import { didYouMean, type Path, pathText, valueText } from '../../service/validation/show.ts';
import { FIELDS } from '../../service/world/records.ts';
import type { SeedFault } from './seed-error.ts';

type Loose = Readonly<Record<string, unknown>>;
/** A record, and where it is: its path is put together only when something is wrong with it. */
interface RuleEntry {
  readonly record: Loose;
  readonly path: () => Path;
}

const entriesIn = (holders: readonly RuleEntry[], list: string): RuleEntry[] => {
  const found: RuleEntry[] = [];
  for (const { record: holder, path } of holders) {
    const records = holder[list];
    if (!Array.isArray(records)) continue;
    for (const [i, record] of records.entries()) if (isObject(record)) found.push({ record, path: () => [...path(), list, i] });
  }
  return found;
};

const idsOf = (entries: readonly RuleEntry[]): ReadonlySet<string> =>
  new Set(entries.flatMap(({ record: { id } }) => (typeof id === 'string' ? id : [])));

/** A world that the records of a file are to be put into. */
export interface Beside {
  known(refers: Referred, id: string): boolean;
  /** Whether another record of a list has the value in a field. */
  taken(list: string, field: string, value: string): boolean;
}

class Rules {
  readonly faults: SeedFault[] = [];
  readonly #beside: Beside | undefined;
  readonly #maxGenerated: number;
  /** The first entry with each value of a field, in the whole file. */
  readonly #seen = new Map<string, Map<string, RuleEntry>>();
  #generated = 0;
  #compared = 0;

  constructor(beside?: Beside, maxGenerated = Number.POSITIVE_INFINITY) {
    this.#beside = beside;
    this.#maxGenerated = maxGenerated;
  }

  file(record: Loose): void {
    const workspaces = entriesIn([{ record, path: () => [] }], 'workspaces');
    this.#once('workspaces', 'id', workspaces);
    for (const entry of workspaces) this.#workspace(entry);
  }

  #workspace(workspace: RuleEntry): void {
    const list = (name: string) => entriesIn([workspace], name);
    const [users, projects, looseTasks, looseComments] = [list('users'), list('projects'), list('tasks'), list('comments')];
    const tasks = entriesIn(projects, 'tasks').concat(looseTasks);
    const comments = entriesIn(tasks, 'comments').concat(looseComments);
    const [teams, webhooks, keys] = [list('teams'), list('webhooks'), list('api_keys')];
    const found = { users, projects, tasks, comments, teams, webhooks, keys };
    for (const [name, entries] of Object.entries(found)) this.#once(name === 'keys' ? 'api_keys' : name, 'id', entries);
    this.#once('api_keys', 'value', keys);
    this.#once('teams', 'name', teams, new Map());

    const ids = new Map<Referred, ReadonlySet<string>>();
    // A record that stands within another does not say which one that is.
    const loose: Readonly<Partial<Record<string, readonly RuleEntry[]>>> = { tasks: looseTasks, comments: looseComments };
    for (const kind of ['keys', 'projects', 'tasks', 'comments', 'teams', 'users', 'webhooks'] as const) {
      for (const { name, refers, within } of FIELDS[kind]) {
        const holders = (within && loose[kind]) ?? found[kind];
        if (!refers || holders.length === 0) continue;
        const known = getOrMake(ids, refers, () => idsOf(found[refers]));
        for (const entry of holders) this.#refer(entry, name, refers, known);
      }
    }
    for (const { record, path } of webhooks) {
      const { url } = record;
      if (typeof url !== 'string' || !receiverProblem(url, 'loopback-too')) continue;
      this.#say([...path(), 'url'], 'not a receiver', 'an https URL, or http inside your network', valueText(url));
    }
    const { plan, requests_per_minute } = workspace.record;
    if (plan !== undefined && requests_per_minute !== undefined)
      this.#say([...workspace.path(), 'requests_per_minute'], 'two limits', 'either plan or requests_per_minute', 'both');
    if (!this.#beside) this.#generate(workspace.record, workspace.path());
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
    if (total > MAX_GENERATED) this.#say(at, 'impossible', `at most ${MAX_GENERATED} tasks and comments`, String(total));
    this.#generated += count('users') + count('projects') + count('teams') + total;
    if (this.#generated > this.#maxGenerated)
      this.#say(at, 'impossible', `at most ${this.#maxGenerated} generated records in all`, String(this.#generated));
  }

  /** @param seen entries that have a value already; left out: those of the whole file */
  #once(
    list: string,
    field: string,
    entries: readonly RuleEntry[],
    seen = getOrMake(this.#seen, `${list} ${field}`, () => new Map()),
  ): void {
    for (const entry of entries) {
      const value = entry.record[field];
      if (typeof value !== 'string') continue;
      const first = seen.get(value);
      const other = first ? `as in ${pathText(first.path())}` : 'which another record has';
      if (first || this.#beside?.taken(list, field, value))
        this.#say([...entry.path(), field], `duplicate ${field}`, 'one of its own', `${valueText(value)}, ${other}`);
      else seen.set(value, entry);
    }
  }

  #refer({ record, path }: RuleEntry, field: string, refers: Referred, known: ReadonlySet<string>): void {
    const value = record[field];
    if (value === undefined || known.has(value as string)) return;
    const check = (one: unknown, ...within: readonly number[]) => {
      if (typeof one !== 'string' || known.has(one) || this.#beside?.known(refers, one)) return;
      const hint = () => this.#didYouMean(one, known);
      this.faults.push({
        path: [...path(), field, ...within],
        get what() {
          return `unknown reference${hint()}`;
        },
        expected: `the id of a ${refers.slice(0, -1)} of this workspace`,
        got: valueText(one),
      });
    };
    if (Array.isArray(value)) for (const [i, one] of value.entries()) check(one, i);
    else check(value);
  }

  #didYouMean(value: string, known: ReadonlySet<string>): string {
    this.#compared += known.size;
    return this.#compared <= MAX_COMPARED_IDS ? didYouMean(value, known) : '';
  }

  #say(path: Path, what: string, expected: string, got: string): void {
    this.faults.push({ path, what, expected, got });
  }
}

/** A hint compares with every known id: too slow to do for thousands of thousands. */
const MAX_COMPARED_IDS = 500_000;

/** More would not fit into memory. */
const MAX_GENERATED = 2_000_000;

/** Every breach of the rules among the records of a parsed file. @param beside the world that they are to be put into, if any */
export const ruleFaults = (
  file: unknown,
  { beside, mostGenerated }: { readonly beside?: Beside; readonly mostGenerated?: number | undefined } = {},
): readonly SeedFault[] => {
  const rules = new Rules(beside, mostGenerated);
  if (isObject(file)) rules.file(file);
  return rules.faults;
};

/** Faults of the schema and the rules, one at each place: there a rule knows more. */
export const mergeFaults = <T extends SeedFault>(shape: readonly T[], rules: readonly SeedFault[]) => {
  if (shape.length === 0) return rules;
  const ruled = new Set(rules.map(({ path }) => pathText(path)));
  return [...shape.filter(({ path }) => !ruled.has(pathText(path))), ...rules];
};
