// The state before the traffic, as far as it was seen, as a seed with pseudonyms. At most 20,000 records.
import { checkSeed } from '../../mock/seed/read.ts';
import { seedText } from '../../mock/seed/write.ts';
import { SCOPES } from '../../service/contract/states.ts';
import { toUtc } from '../../service/validation/formats.ts';
import { FIELDS, type RecordName, textOrder } from '../../service/world/records.ts';
import { type LooseRecord, type ReadExchange, recordFrom } from './read-exchange.ts';
import { kindOfText, type WriteText } from './redact-traffic.ts';

const MAX_SEEN_RECORDS = 20_000;
const SEEN_KINDS = ['users', 'projects', 'tasks', 'comments', 'teams'] as const;
type SeenKind = (typeof SEEN_KINDS)[number];
type Draft = Record<string, unknown> & { id: string };

class SeenWorkspace {
  readonly records: Readonly<Record<SeenKind, Map<string, LooseRecord>>> = {
    users: new Map(),
    projects: new Map(),
    tasks: new Map(),
    comments: new Map(),
    teams: new Map(),
  };
  /** Users by the roles of keys. */
  readonly owners = new Map<string, string>();
  /** How much of its kind the list shows that gave a record its place. */
  readonly listed = new Map<string, number>();
}

/** 2: a list of all records in the order of their creation; 1: of some; 0: another response. */
const widthOf = ({ row, variable, parameters, records }: ReadExchange): number => {
  const times = records.map(({ record }) => String(record.created_at));
  const turns = times.slice(1).map((time, i) => textOrder(times[i]!, time));
  const sort = parameters.find(([name]) => name === 'sort')?.[1] ?? 'created_at';
  if (!row?.list || !/^-?created_at$/.test(sort) || (turns.includes(1) && turns.includes(-1))) return 0;
  return variable === undefined && !parameters.some(([name]) => name.startsWith('filter')) ? 2 : 1;
};

export class SeedOfTraffic {
  readonly #workspaces = new Map<string, SeenWorkspace>();
  /** Records that the traffic itself created, and those in them. */
  readonly #created = new Set<string>();
  #count = 0;
  #now: number | undefined;

  observe(read: ReadExchange): void {
    const { as, id, row, variable, succeeded, records, sent, at, traffic } = read;
    this.#now ??= at;
    if (!row || !succeeded) return;
    const workspace = this.#workspace(as === 'other' ? 'ws_other' : 'ws_main');
    if (id === 'getMe' && records[0]) workspace.owners.set(as, records[0].record.id);
    // It existed, whatever it was.
    if (row.finds && variable && traffic.method !== 'PATCH') this.#see(workspace, row.finds, { id: variable });
    for (const { kind, record } of records) {
      if (traffic.method === 'POST') this.#created.add(record.id);
      else this.#see(workspace, kind, record, widthOf(read));
    }
    for (const one of traffic.method === 'POST' ? [sent.assignee_id, sent.member_ids].flat() : [])
      if (typeof one === 'string' && one !== '') this.#see(workspace, 'users', { id: one });
  }

  #workspace(id: string): SeenWorkspace {
    const known = this.#workspaces.get(id) ?? new SeenWorkspace();
    this.#workspaces.set(id, known);
    return known;
  }

  /** Keeps what was seen first: a later response may show a change. Users and teams are shown in parts. */
  #see(workspace: SeenWorkspace, kind: RecordName, record: LooseRecord, width = 0): void {
    const records = workspace.records[kind as SeenKind] as Map<string, LooseRecord> | undefined;
    if (this.#created.has(String(record.project_id)) || this.#created.has(String(record.task_id))) this.#created.add(record.id);
    // A faulty service may show a record of another workspace.
    const isElsewhere = [...this.#workspaces.values()].some(
      (one) => one !== workspace && one.records[kind as SeenKind]?.has(record.id),
    );
    const isLoose = kind === 'comments' && !record.task_id;
    if (!records || isElsewhere || isLoose || this.#created.has(record.id)) return;
    const known = records.get(record.id);
    if (!known && this.#count >= MAX_SEEN_RECORDS) return;
    if (!known) this.#count += 1;
    // Members, and records of one moment, have the order of the seed.
    if (width > (workspace.listed.get(record.id) ?? 0)) {
      records.delete(record.id);
      workspace.listed.set(record.id, width);
    }
    const isWhole = known && 'created_at' in known && kind !== 'users' && kind !== 'teams';
    records.set(record.id, isWhole ? known : { ...record, ...known });
  }

  /** @param write gives the pseudonym of a text */
  async text(write: WriteText): Promise<string> {
    if (this.#workspaces.size === 0) this.#workspace('ws_main');
    const all = [...this.#workspaces].map(([id, one]) => draftWorkspace(id, one, write));
    // Its clock runs: what tests make at one frozen moment would have another order.
    const check = (workspaces: readonly object[]) =>
      checkSeed({ workspaces }, { name: 'the seed of the traffic', now: this.#now ?? 0 });
    // Where one workspace names a record of the other, the first one alone makes a seed.
    return seedText(await check(all).catch(() => check(all.slice(0, 1))), 'yaml');
  }
}

/** A record of the seed: values that break a rule of the spec are left out or cut. */
const draftRecord = (kind: SeenKind, seen: LooseRecord, write: WriteText): Draft => {
  const record = recordFrom(kind, seen, undefined);
  const fields = FIELDS[kind].flatMap(({ name, schema }) => {
    const value = record[name];
    const [words, max] = [schema['x-extensible-enum'] ?? schema.enum, schema.maxLength] as [(readonly unknown[])?, number?];
    if (value == null || name === 'state' || (words && !words.includes(value))) return [];
    if (schema.format === 'date-time') return toUtc(String(value)) === undefined ? [] : [[name, value]];
    const shown = (text: string) => {
      const textKind = kindOfText(name, text);
      return textKind === undefined ? text : write(textKind, text);
    };
    if (name === 'member_ids')
      return [[name, [value].flat().flatMap((one) => (typeof one === 'string' && one !== '' ? shown(one) : []))]];
    if (typeof value !== 'string') return [];
    const text = shown(value);
    return text === '' && name !== 'description' ? [] : [[name, [...text].slice(0, max).join('')]];
  });
  return { ...Object.fromEntries(fields), id: write('id', seen.id) };
};

/** A member list shows no times: each is as old as the one before it, so that the order stays. */
const spreadTimes = (users: readonly Draft[], start: string): void => {
  let latest = users.map(({ created_at }) => created_at).find((time) => typeof time === 'string') ?? start;
  for (const user of users) {
    if (typeof user.created_at === 'string' && user.created_at > String(latest)) latest = user.created_at;
    user.created_at = latest;
  }
};

/** A moment at which a project would be on no page that was seen: before all others, or after them. */
const unseenMoment = ({ records, listed }: SeenWorkspace): string | undefined => {
  const timesOf = (projects: readonly LooseRecord[]) => projects.flatMap(({ created_at }) => toUtc(String(created_at)) ?? []);
  const all = timesOf([...records.projects.values()]);
  const shown = timesOf([...records.projects.values()].filter(({ id }) => listed.get(id) === 2));
  const isNewestFirst = shown.length > 0 && shown[0]! > shown.at(-1)!;
  const end = all.sort(textOrder).at(isNewestFirst ? 0 : -1);
  return end && new Date(Date.parse(end) + (isNewestFirst ? -1 : 1)).toISOString();
};

const draftWorkspace = (id: string, workspace: SeenWorkspace, write: WriteText) => {
  const { records, owners } = workspace;
  const [users, projects, tasks, comments, teams] = SEEN_KINDS.map((kind) =>
    [...records[kind].values()].map((record) => draftRecord(kind, record, write)),
  ) as [Draft[], Draft[], Draft[], Draft[], Draft[]];
  /** Adds a record for each id that others name and no response showed. */
  const complete = (list: Draft[], named: readonly unknown[]) => {
    const known = new Set(list.map((one) => one.id));
    for (const one of named) {
      if (typeof one !== 'string' || known.has(one)) continue;
      known.add(one);
      list.push({ id: one });
    }
  };
  complete(
    tasks,
    comments.map(({ task_id }) => task_id),
  );
  for (const task of tasks) task.project_id ??= projects[0]?.id ?? 'proj_unseen';
  complete(
    projects,
    tasks.map(({ project_id }) => project_id),
  );
  for (const project of projects) project.created_at ??= unseenMoment(workspace);
  const people = [projects.map((one) => one.owner_id), tasks.map((one) => one.assignee_id), comments.map((one) => one.author_id)];
  complete(users, [
    ...people.flat(),
    ...teams.flatMap((one) => one.member_ids ?? []),
    ...(users.length === 0 ? ['user_unseen'] : []),
  ]);
  spreadTimes(users, '2024-07-01T09:00:00.000Z');
  const names = new Set<unknown>();
  const seenTeams = [...records.teams.values()];
  for (const [i, team] of teams.entries()) {
    if (names.has(team.name)) team.name = `Team ${i + 1}`;
    names.add(team.name);
    // A list shows how many members a team has, not which.
    const { member_count: count, member_ids: shown = [] } = seenTeams[i]!;
    if ([shown].flat().length === 0) team.member_ids = users.slice(0, Number(count ?? 0)).map((user) => user.id);
  }
  for (const task of tasks) task.title ??= 'A task';
  for (const comment of comments) comment.body ??= 'A comment';
  for (const list of [projects, tasks, comments, teams])
    list.sort((a, b) => textOrder(String(a.created_at), String(b.created_at)));
  const ownerOf = (role: string) =>
    users.find((user) => owners.has(role) && user.id === write('id', owners.get(role)!)) ?? users[0]!;
  const keys = SCOPES.map((scope) => ({
    value: `wm_${id}_${scope}`,
    scope,
    user_id: ownerOf(id === 'ws_other' ? 'other' : scope).id,
  }));
  const name = id === 'ws_other' ? 'Other workspace' : 'Workspace';
  return { id, name, plan: 'unlimited', users, api_keys: keys, projects, tasks, comments, teams };
};
