// What no schema can say of a seed: each id once, each reference known, each request possible. Reads broken files too.

import { receiverProblem } from '../contract/receiver-url.ts';
import { didYouMean } from './nearest.ts';
import { type Fault, type Path, show, showPath } from './seed-error.ts';

type Loose = Readonly<Record<string, unknown>>;
type Entry = readonly [record: Loose, path: Path];

const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The records of a list, each with its path. */
const entries = (owner: Loose, path: Path, name: string): readonly Entry[] => {
  const list = owner[name];
  if (!Array.isArray(list)) return [];
  return list.flatMap((record, i): Entry[] => (isObject(record) ? [[record, [...path, name, i]]] : []));
};
const under = (owners: readonly Entry[], name: string) => owners.flatMap(([owner, path]) => entries(owner, path, name));
const idsOf = (records: readonly Entry[]) => new Set(records.map(([{ id }]) => id).filter((id) => typeof id === 'string'));

class Rules {
  readonly faults: Fault[] = [];
  readonly #seen = new Map<string, Map<string, Path>>();

  file(file: Loose): void {
    const workspaces = entries(file, [], 'workspaces');
    this.#once('workspace ids', 'id', workspaces);
    for (const entry of workspaces) this.#workspace(entry);
  }

  #workspace([workspace, path]: Entry): void {
    const list = (name: string) => entries(workspace, path, name);
    const [users, keys, projects, teams, webhooks] = ['users', 'api_keys', 'projects', 'teams', 'webhooks'].map(
      list,
    ) as Entry[][];
    const tasks = [...under(projects!, 'tasks'), ...list('tasks')];
    const comments = [...under(tasks, 'comments'), ...list('comments')];
    const named = { users: users!, projects: projects!, tasks, comments, teams: teams!, webhooks: webhooks!, api_keys: keys! };
    for (const [name, records] of Object.entries(named)) this.#once(`ids of ${name}`, 'id', records);
    this.#once('key values', 'value', keys!);
    this.#once(`team names ${path[1]}`, 'name', teams!);

    const people = idsOf(users!);
    const user = 'the id of a user of this workspace';
    this.#refer(keys!, 'user_id', people, user);
    this.#refer(projects!, 'owner_id', people, user);
    this.#refer(tasks, 'assignee_id', people, user);
    this.#refer(comments, 'author_id', people, user);
    for (const [team, at] of teams!) {
      const members = Array.isArray(team.member_ids) ? team.member_ids : [];
      members.forEach((member, i) => {
        this.#known(member, [...at, 'member_ids', i], people, user);
      });
    }
    this.#refer(list('tasks'), 'project_id', idsOf(projects!), 'the id of a project of this workspace');
    this.#refer(list('comments'), 'task_id', idsOf(tasks), 'the id of a task of this workspace');
    for (const [{ url }, at] of webhooks!) {
      if (typeof url !== 'string' || !receiverProblem(url, 'loopback-too')) continue;
      this.#say([...at, 'url'], 'not a receiver', 'an https URL, or http on loopback', show(url));
    }
    this.#plan(workspace, path);
    this.#generate(workspace, path);
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
  }

  #once(kind: string, field: string, records: readonly Entry[]): void {
    const seen = this.#seen.get(kind) ?? new Map<string, Path>();
    this.#seen.set(kind, seen);
    for (const [record, path] of records) {
      const value = record[field];
      if (typeof value !== 'string') continue;
      const first = seen.get(value);
      if (first) this.#say([...path, field], `duplicate ${field}`, 'one of its own', `${show(value)}, as in ${showPath(first)}`);
      else seen.set(value, path);
    }
  }

  #refer(records: readonly Entry[], field: string, known: ReadonlySet<string>, expected: string): void {
    for (const [record, path] of records) this.#known(record[field], [...path, field], known, expected);
  }

  #known(value: unknown, path: Path, known: ReadonlySet<string>, expected: string): void {
    if (typeof value !== 'string' || known.has(value)) return;
    const hint = this.faults.length < MOST_HINTS ? didYouMean(value, known) : '';
    this.#say(path, `unknown reference${hint}`, expected, show(value));
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
export const ruleFaults = (file: unknown): readonly Fault[] => {
  const rules = new Rules();
  if (isObject(file)) rules.file(file);
  return rules.faults;
};
